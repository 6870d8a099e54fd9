//! Passes: one file each, one line each in [`PASSES`].
//!
//! A pass rewrites a model, before it is executed, to a simpler one that answers the same question.

mod dead;
mod entry;

pub use dead::{DEAD, DeadVariables};
pub use entry::{Back, PassEntry, Rewrite, Rewritten};

/// All passes, in the order in which they are applied.
pub static PASSES: &[PassEntry] = &[dead::ENTRY];
