//! Foresight: one file each, one line each in [`FORESIGHTS`] (Pelánek, section 3.4).
//!
//! What lies ahead of a state is computed before the search, backwards from what the question looks
//! for: over [`region`]s, which are locations of processes and intervals of variables, by the
//! [`step`]s of the processes. A region is at least as large as the set of states that it stands
//! for. So a state in no region has no error ahead, which is what [`boring`] rests on; and whether
//! a state in a region has one is found out by going there, as [`doomed`] does before it says
//! anything.
//!
//! - [`region`], [`condition`], [`split`]: sets of states, and those where a condition holds;
//! - [`step`]: the steps of processes, and the states from which one leads into a region;
//! - [`risk`], [`error`]: which edges may fail, and where what is looked for may happen;
//! - [`backward`]: from there back, round by round; [`matcher`]: the regions of a packed state.

mod backward;
mod boring;
mod condition;
mod doomed;
mod entry;
mod error;
mod matcher;
mod region;
mod report;
mod risk;
mod split;
mod step;

pub use boring::BORING;
pub use doomed::DOOMED;
pub use entry::{FindOut, Foreknowledge, ForesightEntry, LooksFor};
pub use report::Foresights;

/// All foresights, in the order in which a state meets them.
pub static FORESIGHTS: &[ForesightEntry] = &[doomed::ENTRY, boring::ENTRY];
