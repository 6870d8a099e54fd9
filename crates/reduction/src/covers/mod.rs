//! Covers: one file or folder each, one line each in [`COVERS`].
//!
//! A cover says of two states that one can do whatever the other can, so that the other need not be
//! explored. It stands beside the subsuming store, which finds the states to compare.

mod dominate;
mod entry;

pub(crate) use dominate::ranges;
pub use dominate::{DOMINATE, DominatingValues};
pub use entry::{CoverEntry, MakeCover};

/// All covers.
pub static COVERS: &[CoverEntry] = &[dominate::ENTRY];
