//! From a job through a plan to an outcome: the only crate that combines the others.
//!
//! The modules follow the way of the data, and none uses one that comes later: [`question`] (what
//! is asked) → [`plan`] (which parts, sound or refused) → [`layers`] (what is explored, and the
//! stores) → [`run`] (strategies) → [`verdict`] (replay, judge, outcome). [`job`] leads through
//! them.
//!
//! Invariants: no verdict is given that the decision function did not give a meaning; no violation
//! leaves this crate that was not replayed; nothing here prints.

mod built_in;
mod claim;
mod coverage;
mod error;
mod job;
mod layers;
mod memory;
mod options;
mod parts;
mod plan;
mod prepared;
mod question;
mod run;
mod system;
mod techniques;
mod verdict;
mod way;

pub use ample_abstraction::{Abstracted, Open, QuestionCounts};
pub use ample_product::Fairness;
pub use built_in::BuiltIn;
pub use claim::{Claim, ClaimError};
pub use coverage::Coverage;
pub use error::CheckError;
pub use job::{Job, check, check_in_slices};
pub use layers::reduction::ConfiguredReduction;
pub use layers::{Matching, SearchLayers};
pub use memory::{default_max_memory, process_peak_bytes};
pub use options::{Begin, Choice, Options, Pick, Predicates, Reduce, Refine, Under};
pub use parts::{parts, parts_of};
pub use prepared::Prepared;
pub use question::{Goal, Question, Selected, select};
pub use run::estimate::{Cost, STEP as SAMPLE_STEP, states_at};
pub use run::explore::{Decorate, StateVisitor, Unpack, explore, explore_reduced};
pub use run::iteration::{Added, Iteration, Round};
pub use run::under::{Approximation, Ends, LOOPS, LeavesOut, Loop, Missing, Saw, Start, StatesStart, Takes, What};
pub use run::weighed::WeighedPlan;
pub use system::{Labels, LateCode, LeftOver, MakePropositions, Prepare, Reducible, Replayer, System};
pub use techniques::Techniques;
pub use verdict::outcome::{Outcome, PropertyOutcome, Run, Verdict, Violation, Worth};
pub use way::Way;
