//! Decisions that were made once and are repeated: a first pass over the system alone settles, for
//! each state, which candidate stands; then any search of a product takes the same transitions
//! (theory.md 1.1 and 1.2).
//!
//! Only those decisions are remembered that are not for the first candidate. If these are too many
//! for the memory, the reduction has failed, and the search is done without.

use std::collections::HashMap;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use ample_transition::{Candidate, DecisionLog, Decorator, Expander, SuccessorBuffer};

type Exceptions = HashMap<Box<[u8]>, usize>;

/// The bytes that an exception takes besides the state.
const OVERHEAD: usize = 64;

/// An expander that remembers what a search settles for, if it is the one that the search asks and
/// its log as well.
pub struct Deciding<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Mutex<Exceptions>,
    /// How many bytes may still be used for them; negative if too many were.
    left: AtomicIsize,
}

impl<'n> Deciding<'n> {
    /// Offers what `expander` does, and remembers what fits into so many bytes.
    pub fn new(expander: Box<dyn Expander + 'n>, max_bytes: usize) -> Self {
        let left = AtomicIsize::new(isize::try_from(max_bytes).unwrap_or(isize::MAX));
        Deciding { expander, exceptions: Mutex::default(), left }
    }

    /// The decisions, to be repeated.
    pub fn decided(self) -> Decided<'n> {
        Decided {
            expander: self.expander,
            exceptions: self.exceptions.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()),
        }
    }

    fn exceptions(&self) -> MutexGuard<'_, Exceptions> {
        self.exceptions.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Decorator for Deciding<'_> {
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

impl DecisionLog for Deciding<'_> {
    fn settled(&self, state: &[u8], number: usize) {
        let size = (state.len() + OVERHEAD) as isize;
        if self.left.fetch_sub(size, Ordering::Relaxed) >= size {
            self.exceptions().insert(state.into(), number);
        }
    }
}

/// An expander that offers what was settled for, and nothing else.
pub struct Decided<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Exceptions,
}

impl Decorator for Decided<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let settled = self.exceptions.get(state).copied().unwrap_or(0);
        number == 0 && self.expander.candidate(state, successors, settled, candidate)
    }
}
