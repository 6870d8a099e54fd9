//! The same question through every sound plan within a budget: all must agree.
//!
//! The full search without reductions, by the interpreter and with an exact store, defines the
//! answer. All other plans, made from the registries of parts, are compared with it,
//! under-approximation loops among them. Besides, what each reduction chooses is recorded and held
//! against its own definition: the reduced system against the full one under what the reduction
//! declares to preserve ([`relations`]), and a sample of its choices against C0 to C3
//! ([`conditions`]).
//!
//! Invariants: nothing is compared with an answer that is not settled; whatever differs is an error
//! of ours and comes with all that is needed to see it again.

mod audit;
mod clock;
mod combination;
mod combinations;
mod compare;
mod conditions;
mod definition;
mod graph;
mod likeness;
mod outcome;
mod record;
mod relations;
mod show;
mod structure;
mod subject;

pub use audit::audit;
pub use combination::{Combination, Execution, LoopChoice};
pub use outcome::{Audited, Difference, PlanResult, Standing, Structure};
pub use show::{ShownTransition, StateLine};
pub use subject::Audit;
