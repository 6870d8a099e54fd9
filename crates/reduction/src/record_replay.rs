//! Decisions that are recorded in one search and repeated in another: a first pass over the system
//! alone settles, for each state, which candidate is accepted; then any search of a product takes
//! the same transitions (theory.md 1.1 and 1.2).
//!
//! The default is the first candidate; only states with another decision are recorded. If these are
//! too many for the memory, the reduction has failed, and the search is done without.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicIsize, Ordering};

use ample_stdx::lock;
use ample_transition::{Candidate, DecisionLog, Decorator, Expander, SuccessorBuffer};

/// The number of the accepted candidate of each state where it is not the first.
type Exceptions = HashMap<Box<[u8]>, usize>;

/// The bytes that an exception takes besides the state.
const OVERHEAD: usize = 64;

/// Offers the candidates of another expander, and records which of them a search accepts. The
/// search must use it both as its expander and as its decision log.
pub struct RecordPass<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Mutex<Exceptions>,
    /// How many bytes the record may still take; negative if it would have taken too many.
    left: AtomicIsize,
}

impl<'n> RecordPass<'n> {
    /// Offers the candidates of `expander`, with a record of at most `max_bytes`.
    pub fn new(expander: Box<dyn Expander + 'n>, max_bytes: usize) -> Self {
        let left = AtomicIsize::new(isize::try_from(max_bytes).unwrap_or(isize::MAX));
        RecordPass { expander, exceptions: Mutex::default(), left }
    }

    /// The same expander with the recorded decisions, to be repeated.
    pub fn into_replay(self) -> ReplayPass<'n> {
        ReplayPass {
            expander: self.expander,
            exceptions: self.exceptions.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()),
        }
    }
}

impl Decorator for RecordPass<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        self.expander.candidate(state, successors, number, candidate)
    }

    fn has_failed_itself(&self) -> bool {
        self.left.load(Ordering::Relaxed) < 0
    }
}

impl DecisionLog for RecordPass<'_> {
    fn settled(&self, state: &[u8], number: usize) {
        debug_assert!(number > 0, "that the first candidate is accepted is not told");
        let size = (state.len() + OVERHEAD) as isize;
        if self.left.fetch_sub(size, Ordering::Relaxed) >= size {
            lock(&self.exceptions).insert(state.into(), number);
        }
    }
}

/// Offers in each state the one candidate that was accepted in the first pass, and no other.
pub struct ReplayPass<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Exceptions,
}

impl Decorator for ReplayPass<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let settled = self.exceptions.get(state).copied().unwrap_or(0);
        number == 0 && self.expander.candidate(state, successors, settled, candidate)
    }
}
