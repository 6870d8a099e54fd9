//! What a search found, and how it ended.

use ample_transition::{Fault, StoreFull, Trace};

use crate::Limit;

/// How much was explored.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The states that were stored.
    pub states: u64,
    /// The transitions that lead from a stored state to a stored state. The initial state is not counted as reached.
    pub transitions: u64,
    /// The steps inside these transitions that were passed through without storing a state.
    pub atomic_steps: u64,
    /// The number of transitions on the longest path that the search held (depth first) or to the last level (breadth first).
    pub depth: u64,
}

/// Why a search ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything was explored.
    Complete,
    /// A violation was found and one was enough.
    FirstViolation,
    /// A limit cut something off.
    Limit(Limit),
    /// The user asked for it.
    Interrupted,
    /// The store would not take another state.
    StoreFull,
}

impl From<StoreFull> for Ended {
    fn from(_: StoreFull) -> Self {
        Ended::StoreFull
    }
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What went wrong.
    pub fault: Fault,
    /// How to get there, the faulty transition included.
    pub trace: Trace,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// How much was explored.
    pub counts: Counts,
    /// Why it ended.
    pub ended: Ended,
    /// The violations, in the order in which they were found.
    pub violations: Vec<Found>,
    /// How long it took, the making of traces included.
    pub seconds: f64,
    /// The bytes that store, stack and buffers held at most.
    pub memory: u64,
}
