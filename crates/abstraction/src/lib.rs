//! Predicates: what they are, where they come from, and whether they decide what happens next.
//!
//! The abstract state of a state is which predicates hold in it, together with all that is not
//! abstracted ([`Valuation`]). A [`Judge`] is told of every state that a search expands; it asks of
//! each command whether the abstract state decides its guard and the abstract state after it, and
//! where that cannot be proved names the predicates that are missing (Pelánek, Reduction and
//! abstraction techniques for model checking, 2006, chapter 5).
//!
//! ```text
//! Expr ──translate──▶ Linear, Condition ──(weakest precondition: what is assigned put in)──▶ Condition
//!                        │ normal form                                                         │
//!                       Atom ◀──────────── new predicates ◀── not proved ◀── questions ◀───────┘
//!                                                                             │ facts, memory, solver
//! ```
//!
//! Invariants: an atom looks the same however it was written; what is proved is about all states of
//! an abstract state; what has no formula is never exact; no answer depends on time.

mod cell;
mod facts;
mod judge;
mod normal;
mod questions;
mod show;
mod translate;
mod valuation;

pub use cell::{Abstracted, Cell, Cells};
pub use judge::{Judge, NewPredicate, Open, Why};
pub use normal::Atom;
pub use questions::QuestionCounts;
pub use valuation::Valuation;
