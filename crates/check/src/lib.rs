//! From a job through a plan to an outcome: the only crate that combines the others.
//!
//! A [`Job`] names a system, the properties asked for and the options. For each property a plan is made and judged by
//! `ample_guarantee::decide`; the search runs; every violation is replayed; and the decision, once more with the bounds that were
//! reached, turns the result into a [`Verdict`].
//!
//! Invariants: no verdict is given that the decision function did not give a meaning; no violation leaves this crate that
//! was not replayed; nothing here prints.

mod advice;
mod audit;
mod automatic;
mod chooser;
mod claim;
mod coverage;
mod error;
mod job;
mod judged;
mod memory;
mod outcome;
mod plan;
mod prefix;
mod prepared;
mod random;
mod run;
mod select;
mod series;
mod under;
mod vacuity;

pub use ample_product::Fairness;
pub use audit::{
    Audit, AuditLoop, AuditPlan, Audited, Difference, Execution, PlanResult, ShownTransition, Standing, StateLine,
    Structure, audit,
};
pub use claim::{Claim, ClaimError};
pub use coverage::Coverage;
pub use error::CheckError;
pub use job::{
    Choice, Job, Labels, LateCode, MakePropositions, Options, Reduce, Reducible, Reductions, Replayer, System, Watch,
};
pub use memory::{default_max_memory, process_peak_bytes};
pub use outcome::{Outcome, PropertyOutcome, Run, Verdict, Violation};
pub use prepared::Prepared;
pub use run::{check, explore};
pub use select::BuiltIn;
pub use under::{Added, Begin, Iteration, Pick, Under};
