//! How often a reduced search takes each transition in proper subsets.
//!
//! This guides an under-approximation. A transition that never was in a proper subset may count as
//! one that is kept out of them: the search would have been the same.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use crate::lookup::Lookup;

/// For each transition, how many proper subsets it was in.
pub struct Notes {
    taken: IndexVec<TransitionId, AtomicU64>,
    /// Whether some successor could not be named, so that the counts say too little.
    is_incomplete: AtomicBool,
}

impl Notes {
    /// All counts are zero: for a search that is to begin.
    pub fn new(facts: &Facts) -> Self {
        let taken = facts.transitions().iter().map(|_| AtomicU64::new(0)).collect();
        Notes { taken, is_incomplete: AtomicBool::new(false) }
    }

    /// How many proper subsets this transition was in.
    pub fn taken(&self, id: TransitionId) -> u64 {
        self.taken[id].load(Ordering::Relaxed)
    }

    /// The transitions that were in no proper subset; none if the counts are incomplete.
    pub fn never_taken(&self) -> BitSet<TransitionId> {
        if self.is_incomplete.load(Ordering::Relaxed) {
            return BitSet::new();
        }
        self.taken.ids().filter(|id| self.taken(*id) == 0).collect()
    }

    fn note(&self, transition: Option<TransitionId>) {
        match transition {
            Some(id) => {
                self.taken[id].fetch_add(1, Ordering::Relaxed);
            }
            None => self.is_incomplete.store(true, Ordering::Relaxed),
        }
    }
}

/// Offers the candidates of another expander, and counts the transitions of each that leads on. It
/// belongs to searches without a cycle condition, where such a candidate is always accepted.
pub struct CountingExpander<'n> {
    expander: Box<dyn Expander + 'n>,
    lookup: Lookup<'n>,
    notes: &'n Notes,
}

impl<'n> CountingExpander<'n> {
    /// Offers the candidates of `expander` and writes their transitions into `notes`.
    pub fn new(expander: Box<dyn Expander + 'n>, network: &'n Network<'n>, facts: &'n Facts, notes: &'n Notes) -> Self {
        CountingExpander { expander, lookup: Lookup::new(network, facts), notes }
    }
}

impl Decorator for CountingExpander<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_there = self.expander.candidate(state, successors, number, candidate);
        if is_there && candidate.leads_on(successors) {
            for chosen in &candidate.transitions {
                debug_assert!(*chosen < successors.len(), "a candidate has only successors");
                let first = successors.get(*chosen).and_then(|successor| successor.moves.first());
                self.notes.note(first.and_then(|step| self.lookup.transition(state, *step)));
            }
        }
        is_there
    }
}
