//! Candidates without certain transitions: those that a property can see (C2), those that are
//! sticky.

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use crate::view::View;

/// Passes over the candidates of another expander that contain a transition to be avoided.
pub struct Avoiding<'n> {
    expander: Box<dyn Expander + 'n>,
    view: View<'n>,
    avoided: BitSet<TransitionId>,
}

impl<'n> Avoiding<'n> {
    /// Offers what `expander` does, but nothing with one of these transitions.
    pub fn new(
        expander: Box<dyn Expander + 'n>,
        network: &'n Network<'n>,
        facts: &'n Facts,
        avoided: BitSet<TransitionId>,
    ) -> Self {
        Avoiding { expander, view: View::new(network, facts), avoided }
    }

    fn is_avoided(&self, state: &[u8], successors: &SuccessorBuffer, number: usize) -> bool {
        let first = successors.get(number).and_then(|successor| successor.moves.first());
        let transition = first.and_then(|step| self.view.transition(state, *step));
        transition.is_none_or(|transition| self.avoided.contains(transition))
    }
}

impl Decorator for Avoiding<'_> {
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
