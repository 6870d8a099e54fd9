//! Canonizers: one file each, one line each in [`CANONIZERS`].
//!
//! A canonizer gives the representative of a state that is remembered, and from which the search
//! goes on.

pub(crate) mod cells;
mod dead;
mod entry;
mod linear;
mod speculative;
mod symmetry;
mod values;

pub use dead::{DEAD_GLOBALS, DeadThings};
pub use entry::{CanonizerEntry, Close, MakeCanonizer};
pub use linear::{LINEAR, LinearSets};
pub use speculative::SpeculativeCanonizer;
pub use symmetry::{SYMMETRY, SYMMETRY_SORT, Symmetries};
pub use values::{EquivalentValues, VALUES};

/// All canonizers, in the order in which they are asked.
pub static CANONIZERS: &[CanonizerEntry] =
    &[dead::ENTRY, symmetry::EXACT, symmetry::SORTED, values::ENTRY, linear::ENTRY];
