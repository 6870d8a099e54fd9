//! What is asked of a search for faults.

use ample_transition::{Budget, FaultKind, Reduction, Store, SuccessorBuffer, Successors};

use crate::limits::Limits;
use crate::progress::Progress;
use crate::slices::Slices;

/// A search for faults: which system is explored, how states are remembered, and when to stop.
pub struct Search<'a> {
    /// The system: its initial state, and the transitions enabled in a state.
    pub system: &'a dyn Successors,
    /// The store of visited states; empty when the search begins.
    pub store: Box<dyn Store + 'a>,
    /// Makes an empty store for states of the system, if there is memory for one: for a second
    /// search, which finds a trace to a violation. It must be exact, whatever the first store is.
    pub make_exact_store: MakeStore<'a>,
    /// The budget on which the stacks and queues of the search and its store draw.
    pub budget: &'a Budget,
    /// The number of workers. Searches on one thread ignore it, and 0 means 1.
    pub threads: usize,
    /// The kinds of faults that count as violations. Faults of other kinds are ignored.
    pub wanted: &'a [FaultKind],
    /// Whether the search ends at the first violation.
    pub stop_at: StopAt,
    /// The limits at which the search ends although there is more to explore.
    pub limits: &'a Limits,
    /// Told several times a second how far the search is; nobody by default.
    pub progress: Option<&'a mut dyn Progress>,
    /// Told of every expanded state and its successors; nobody by default.
    pub observer: Option<Observer<'a>>,
    /// The partial order reduction; without one every enabled transition is taken. Searches for
    /// accepted runs ignore it: they are given a system that is reduced already.
    pub reduction: Option<Reduction<'a>>,
    /// Whether an assumption of the search, for instance of its reduction, has turned out to be
    /// wrong. It is asked once in a while, and a yes ends the search with
    /// [`Ended::AssumptionFailed`](crate::Ended::AssumptionFailed).
    pub has_assumption_failed: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Where the search is held to be looked at; nowhere by default.
    pub slices: Option<Slices<'a>>,
}

/// Makes a store; `None` if there is no memory for it.
pub type MakeStore<'a> = &'a (dyn Fn() -> Option<Box<dyn Store + 'a>> + Sync);

/// Called with each expanded state and all its successors, those outside the reduced set too, in
/// the order of exploration, by the worker that expands the state. A state at the greatest depth
/// allowed is not expanded, and so it is not told of.
pub type Observer<'a> = &'a (dyn Fn(&[u8], &SuccessorBuffer) + Sync);

/// When a search that finds violations is over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum StopAt {
    /// At the first violation.
    #[default]
    FirstViolation,
    /// When every state is explored. Each fault, by kind and place, is reported once.
    End,
}
