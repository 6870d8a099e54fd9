//! Independence for sleep sets: transitions that accord.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::TypedId;
use ample_transition::{Independence, SuccessorBuffer, TransitionName};

use crate::view::View;

/// Sleep sets. They go with every expander and every cycle condition: the condition is asked about
/// what does not sleep.
pub static SLEEP: Part = Part {
    name: "sleep",
    kind: PartKind::Sleep,
    summary: "a transition sleeps where the other order of it and what was taken was explored; saves transitions, not states",
    paper: Some("Godefroid: Partial-order methods for the verification of concurrent systems (LNCS 1032, 1996)"),
    guarantee: Guarantee::SAFETY,
};

/// Names transitions as the facts do. Two of them are independent if they accord.
///
/// If the processes are guessed, that is true as long as every state fits the network, which is
/// looked at here ([`WhileItFits`](crate::WhileItFits) says why that is enough).
pub struct According<'n> {
    view: View<'n>,
    has_failed: AtomicBool,
}

impl<'n> According<'n> {
    /// For a network and its facts.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        According { view: View::new(network, facts), has_failed: AtomicBool::new(false) }
    }

    fn fits(&self, state: &[u8]) -> bool {
        !self.view.network.is_guessed || self.view.network.fits(state)
    }
}

impl Independence for According<'_> {
    fn names(&self, state: &[u8], successors: &SuccessorBuffer, names: &mut Vec<Option<TransitionName>>) {
        names.clear();
        if !self.fits(state) {
            self.has_failed.store(true, Ordering::Relaxed);
            names.resize(successors.len(), None);
            return;
        }
        names.extend(successors.iter().map(|successor| {
            let transition = self.view.transition(state, *successor.moves.first()?)?;
            u32::try_from(transition.index()).ok().map(TransitionName)
        }));
    }

    fn are_independent(&self, TransitionName(one): TransitionName, TransitionName(other): TransitionName) -> bool {
        let id = |name: u32| TransitionId::from_index(name as usize);
        self.view.facts.accord(id(one), id(other))
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}
