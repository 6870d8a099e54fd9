//! What a reduced search takes where it leaves something out.
//!
//! A transition that never was in a proper subset may count as one that is kept out of them: the
//! search would have been the same.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use crate::view::View;

/// How often each transition was taken where others were left out.
pub struct Notes {
    taken: IndexVec<TransitionId, AtomicU64>,
    /// Whether it is not known of one which it is.
    is_incomplete: AtomicBool,
}

impl Notes {
    /// For a search that is to begin.
    pub fn new(facts: &Facts) -> Self {
        let taken = facts.transitions().iter().map(|_| AtomicU64::new(0)).collect();
        Notes { taken, is_incomplete: AtomicBool::new(false) }
    }

    /// How often a transition was taken where others were left out.
    pub fn taken(&self, id: TransitionId) -> u64 {
        self.taken[id].load(Ordering::Relaxed)
    }

    /// The transitions that never were.
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

/// An expander whose first candidate that leads on always stands, with notes on what is in it.
pub struct Noting<'n> {
    expander: Box<dyn Expander + 'n>,
    view: View<'n>,
    notes: &'n Notes,
}

impl<'n> Noting<'n> {
    /// Offers what `expander` does.
    pub fn new(expander: Box<dyn Expander + 'n>, network: &'n Network<'n>, facts: &'n Facts, notes: &'n Notes) -> Self {
        Noting { expander, view: View::new(network, facts), notes }
    }
}

impl Decorator for Noting<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_there = self.expander.candidate(state, successors, number, candidate);
        if is_there && candidate.leads_on(successors) {
            for chosen in &candidate.transitions {
                let first = successors.get(*chosen).and_then(|successor| successor.moves.first());
                self.notes.note(first.and_then(|step| self.view.transition(state, *step)));
            }
        }
        is_there
    }
}
