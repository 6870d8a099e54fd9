//! Decisions that were made once and are repeated: a first pass over the system alone settles, for each state, which candidate stands;
//! then any search of a product takes the same transitions (THEORY 1.1 and 1.2).
//!
//! Only those decisions are remembered that are not for the first candidate.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use ample_transition::{Candidate, Expander, SuccessorBuffer};

type Exceptions = HashMap<Box<[u8]>, usize>;

/// An expander that remembers what a search settles for.
pub struct Deciding<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Mutex<Exceptions>,
}

impl<'n> Deciding<'n> {
    /// Offers what `expander` does.
    pub fn new(expander: Box<dyn Expander + 'n>) -> Self {
        Deciding { expander, exceptions: Mutex::default() }
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

impl Expander for Deciding<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        self.expander.candidate(state, successors, number, candidate)
    }

    fn settled(&self, state: &[u8], number: usize) {
        self.exceptions().insert(state.into(), number);
    }

    fn has_failed(&self) -> bool {
        self.expander.has_failed()
    }
}

/// An expander that offers what was settled for, and nothing else.
pub struct Decided<'n> {
    expander: Box<dyn Expander + 'n>,
    exceptions: Exceptions,
}

impl Expander for Decided<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let settled = self.exceptions.get(state).copied().unwrap_or(0);
        number == 0 && self.expander.candidate(state, successors, settled, candidate)
    }

    fn has_failed(&self) -> bool {
        self.expander.has_failed()
    }
}
