//! Passes: one file each, one line each in [`PASSES`].
//!
//! A pass rewrites a model, before it is executed, to a simpler one that answers the same question.

mod counters;
mod cut;
mod dead;
mod entry;
mod merge;
pub(crate) mod observed;
pub(crate) mod risk;
mod slice;
pub(crate) mod slots;

pub use counters::{PROGRAM_COUNTERS, ProgramCounters};
pub use dead::{DEAD, DeadVariables};
pub use entry::{Back, PassEntry, Rewrite, Rewritten, SameMoves, TemplateOf};
pub use merge::{MERGE, PassedLocations};
pub use slice::{SLICE, Slice};

/// All passes, in the order in which they are applied.
pub static PASSES: &[PassEntry] = &[counters::ENTRY, slice::ENTRY, dead::ENTRY, merge::ENTRY];
