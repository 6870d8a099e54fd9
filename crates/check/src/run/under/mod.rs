//! Under-approximation loops: run, look at the outcome, let in a little more of what was left out,
//! run again.
//!
//! What is explored are real transitions from real states, so that a violation is real and ends the
//! loop. "No error" means something only when the approximation is exact, which each loop has a
//! test for: nothing is missing any more. Each run shares with the others what is found out before
//! a search, the program, the network, the facts and the shape of the store, and the store's
//! memory.
//!
//! - [`visibility`]: algorithm A, [`cycles`]: algorithm B (Brim, Černá, Moravec, Šimša 2005);
//! - [`interleaving`]: interleaving locations (Pelánek 2006, section 3.3.3);
//! - [`predicates`]: by predicates that tell states apart (Pelánek 2006, chapter 5);
//! - [`pick`]: which of what is missing comes next.
//!
//! A loop is an [`Approximation`](approximation::Approximation) and one line in [`loops`].

mod approximation;
mod cycles;
mod interleaving;
mod loops;
mod pick;
mod predicates;
mod refinement;
mod visibility;

pub use approximation::{Approximation, Ends, LeavesOut, Loop, Missing, Saw, Start, StatesStart, Takes, What};
pub use loops::LOOPS;
pub(crate) use loops::plan;
pub(crate) use refinement::answer;
