//! Cycle conditions: one file each, one line each in [`CYCLE_CONDITIONS`].
//!
//! A condition accepts a candidate or not, by what is known of the states to which the candidate
//! leads: whether each is new, still to be expanded, or on the path of the search. It says which of
//! these it needs; the search finds them out and names no condition.

mod closed;
mod entry;
mod new;
mod none;
mod open;
mod stack;
mod sticky;

pub use closed::{CLOSED, NoneBegun};
pub use entry::{Avoid, CycleConditionEntry, ForRuns, SearchKind};
pub use new::{NEW, SomeNew};
pub use none::{Always, NO_CONDITION};
pub use open::{OPEN, SomeOpen};
pub use stack::{NoneOnPath, STACK, SomeOffPath};
pub(crate) use sticky::sticky_besides;
pub use sticky::{STICKY, sticky};

/// All cycle conditions. Which is the default depends on the search ([`SearchKind`]).
pub static CYCLE_CONDITIONS: &[CycleConditionEntry] =
    &[new::ENTRY, sticky::ENTRY, stack::ENTRY, open::ENTRY, closed::ENTRY, none::ENTRY];
