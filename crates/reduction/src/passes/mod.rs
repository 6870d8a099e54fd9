//! Passes: one file each, one line each in [`PASSES`].
//!
//! A pass rewrites a model, before it is executed, to a simpler one that answers the same question.

mod dead;
mod entry;
mod merge;
mod observed;
pub(crate) mod risk;
mod slice;
pub(crate) mod slots;

pub(crate) use dead::live;
pub use dead::{DEAD, DeadVariables};
pub use entry::{Back, PassEntry, Rewrite, Rewritten, SameMoves, TemplateOf};
pub use merge::{MERGE, PassedLocations};
pub(crate) use observed::observed;
pub use slice::{SLICE, Slice};

/// All passes, in the order in which they are applied.
pub static PASSES: &[PassEntry] = &[slice::ENTRY, dead::ENTRY, merge::ENTRY];
