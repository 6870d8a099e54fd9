//! Candidates without certain transitions: those that are visible to a property (C2), those that
//! are sticky (C3).

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use crate::lookup::Lookup;

/// Offers the candidates of another expander, in their order, but none that contains one of the
/// avoided transitions. A transition that is not known to the facts counts as avoided.
pub struct VisibilityFilter<'n> {
    expander: Box<dyn Expander + 'n>,
    lookup: Lookup<'n>,
    avoided: BitSet<TransitionId>,
}

impl<'n> VisibilityFilter<'n> {
    /// Filters the candidates of `expander`.
    pub fn new(
        expander: Box<dyn Expander + 'n>,
        network: &'n Network<'n>,
        facts: &'n Facts,
        avoided: BitSet<TransitionId>,
    ) -> Self {
        VisibilityFilter { expander, lookup: Lookup::new(network, facts), avoided }
    }

    fn is_avoided(&self, state: &[u8], successors: &SuccessorBuffer, number: usize) -> bool {
        debug_assert!(number < successors.len(), "a candidate has only successors");
        let first = successors.get(number).and_then(|successor| successor.moves.first());
        let transition = first.and_then(|step| self.lookup.transition(state, *step));
        transition.is_none_or(|transition| self.avoided.contains(transition))
    }
}

impl Decorator for VisibilityFilter<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let mut offered = 0;
        for inner in 0.. {
            if !self.expander.candidate(state, successors, inner, candidate) {
                break;
            }
            if candidate.transitions.iter().any(|chosen| self.is_avoided(state, successors, *chosen)) {
                continue;
            }
            if offered == number {
                return true;
            }
            offered += 1;
        }
        false
    }
}
