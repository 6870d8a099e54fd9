//! Searches: one file per order, one line each in [`ORDERS`]; and what they share: limits,
//! progress, outcome.
//!
//! A search drives a system through a store and looks for faults. It knows neither languages nor
//! flags. Which transitions are enough and when they are is for the [`Reduction`] that it is given,
//! which transitions sleep for the [`Independence`](ample_transition::Independence): it asks them
//! and knows no technique by its name.

mod bfs;
mod block;
mod block_expander;
mod blocks;
mod cndfs;
mod cursor;
mod dfs;
mod explorer;
mod find_again;
mod graph;
mod key_index;
mod lasso;
mod limits;
mod mark_sets;
mod ndfs;
mod open_blocks;
mod outcome;
mod patience;
mod progress;
mod reduced;
mod retrace;
mod scc;
mod short_lasso;
mod shorten;
mod sleep;
mod sleep_sets;
mod stack;
mod trace;
mod typical;

use ample_guarantee::Part;
use ample_transition::{
    Accepting, Budget, Fault, FaultKind, Marks, Reduction, StateLength, Store, Successor, Successors,
};

pub use bfs::{BFS, bfs};
pub use blocks::{BLOCKS, blocks};
pub use cndfs::{CNDFS, cndfs};
pub use dfs::{DFS, dfs};
pub use limits::{Limit, Limits};
pub use ndfs::{NDFS, ndfs};
pub use outcome::{Counts, Ended, Found, SearchOutcome, Untraced, WorkerTime};
pub use progress::{Progress, Snapshot};
pub use scc::{SCC, scc};
pub use sleep::dfs_with_sleep_sets;
pub use typical::typical_states;

/// What is asked of a search.
pub struct Search<'a> {
    /// What can happen in a state.
    pub system: &'a dyn Successors,
    /// Where states are remembered; empty.
    pub store: Box<dyn Store>,
    /// Where the memory of stacks and queues is counted; the store's, too.
    pub budget: &'a Budget,
    /// How many workers there are, at least one.
    pub threads: usize,
    /// The faults that count as violations. Others are passed over.
    pub wanted: &'a [FaultKind],
    /// Whether to stop at the first violation.
    pub stop_at: StopAt,
    /// Where to stop in any case.
    pub limits: &'a Limits,
    /// Told from time to time how far the search is.
    pub progress: Option<&'a mut dyn Progress>,
    /// Told of every transition that is explored.
    pub observer: Option<Observer<'a>>,
    /// Which transitions may be left out. Searches for accepted runs do not look at it.
    pub reduction: Option<Reduction<'a>>,
    /// Whether what the search rests on has turned out to be wrong. Then it is given up.
    pub has_assumption_failed: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// What is asked of a search for an infinite run that is accepted.
pub struct Emptiness<'a, 'b> {
    /// The search. Faults that are wanted end it, too.
    pub search: Search<'a>,
    /// Which runs are accepted.
    pub acceptance: Acceptance<'b>,
    /// Whether every cycle has accepting states only or none of them.
    pub is_weak: bool,
    /// Makes another store, for keys of which this length is known; `None` if there is no room.
    pub make_store: &'b dyn Fn(StateLength) -> Option<Box<dyn Store>>,
    /// What an accepted run is called.
    pub fault: Fault,
}

/// Which infinite runs are accepted.
#[derive(Copy, Clone)]
pub enum Acceptance<'b> {
    /// Those that visit some of these states again and again.
    States(&'b dyn Accepting),
    /// Those on whose transitions each of these marks occurs again and again.
    Marks(Marks),
}

/// Called with each state and each transition that leaves it, in the order of exploration, by the
/// worker that expands it.
pub type Observer<'a> = &'a (dyn Fn(&[u8], &Successor<'_>) + Sync);

/// When a search that finds violations is over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum StopAt {
    /// At the first violation.
    #[default]
    FirstViolation,
    /// When everything is explored; each fault (kind and place) is then reported once.
    End,
}

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

/// A way to look for accepted runs that can be chosen by name.
pub struct EmptinessEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it can use more than one thread.
    pub is_parallel: bool,
    /// Whether it is given marks; the others are given states.
    pub is_generalised: bool,
    /// Runs it.
    pub run: fn(Emptiness<'_, '_>) -> SearchOutcome,
}

/// All ways to look for accepted runs; the first is the default.
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
