//! Searches: one file per order, one line each in [`ORDERS`] or [`EMPTINESS`]; and what they share.
//!
//! A search drives a system through a store and looks for faults or accepted runs. It knows neither
//! languages nor flags, and no reduction by its name: the
//! [`Reduction`](ample_transition::Reduction) that it is given offers candidates and says when one
//! is accepted, and an [`Independence`](ample_transition::Independence) says which transitions
//! sleep.

mod acyclic;
mod acyclic_path;
mod bfs;
mod block;
mod block_expander;
mod blocks;
mod candidate;
mod cndfs;
mod control;
mod cursor;
mod depth_first;
mod dfs;
mod emptiness;
mod explorer;
mod find_again;
mod graph;
mod key_index;
mod known_candidate;
mod lasso;
mod limits;
mod live;
mod mark_sets;
mod ndfs;
mod nested;
mod open_blocks;
mod outcome;
mod path;
mod patience;
mod progress;
mod reduced_block;
mod reduced_path;
mod retrace;
mod scc;
mod search;
mod search_tree;
mod short_lasso;
mod shorten;
mod sleep;
mod sleep_sets;
mod slices;
mod stack;
mod trace;
mod typical;

use ample_guarantee::Part;

pub use acyclic::acyclic;
pub use bfs::{BFS, bfs};
pub use blocks::{BLOCKS, blocks};
pub use cndfs::{CNDFS, cndfs};
pub use dfs::{DFS, dfs};
pub use emptiness::{Acceptance, Emptiness};
pub use limits::{Limit, Limits};
pub use ndfs::{NDFS, ndfs};
pub use outcome::{Counts, Ended, Found, SearchOutcome, Untraced, WorkerTime};
pub use progress::{Progress, Snapshot};
pub use scc::{SCC, scc};
pub use search::{MakeStore, Observer, Search, StopAt};
pub use sleep::dfs_with_sleep_sets;
pub use slices::{Holder, Next, Sample, Slices};
pub use typical::typical_states;

/// An order of search that can be chosen by name.
pub struct OrderEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it can use more than one thread.
    pub is_parallel: bool,
    /// Whether it knows how deep a state lies, so that the depth can be limited.
    pub knows_depth: bool,
    /// Runs it.
    pub run: fn(Search<'_>) -> SearchOutcome,
}

/// An algorithm for emptiness that can be chosen by name.
pub struct EmptinessEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it can use more than one thread.
    pub is_parallel: bool,
    /// Whether it decides generalised acceptance, by marks; the others are given states.
    pub is_generalised: bool,
    /// Runs it.
    pub run: fn(Emptiness<'_, '_>) -> SearchOutcome,
}

/// All algorithms for emptiness; the first is the default.
pub static EMPTINESS: &[EmptinessEntry] = &[
    EmptinessEntry { part: &NDFS, is_parallel: false, is_generalised: false, run: ndfs },
    EmptinessEntry { part: &CNDFS, is_parallel: true, is_generalised: false, run: cndfs },
    EmptinessEntry { part: &SCC, is_parallel: false, is_generalised: true, run: scc },
];

/// All orders; the first is the default.
pub static ORDERS: &[OrderEntry] = &[
    OrderEntry { part: &BLOCKS, is_parallel: true, knows_depth: false, run: blocks },
    OrderEntry { part: &BFS, is_parallel: true, knows_depth: true, run: bfs },
    OrderEntry { part: &DFS, is_parallel: false, knows_depth: true, run: dfs },
];
