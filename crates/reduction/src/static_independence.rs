//! Independence for sleep sets, by the static facts: two transitions are independent if they
//! accord, and lead to the same state by byte: what sleeps has a name with process numbers.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::TypedId;
use ample_transition::{Independence, SuccessorBuffer, TransitionName};

use crate::lookup::Lookup;

/// Sleep sets. They go with every expander and every cycle condition: the condition is asked about
/// the transitions of a candidate that are not asleep.
pub static SLEEP: Part = Part {
    name: "sleep",
    kind: PartKind::Sleep,
    summary: "a transition sleeps where the other order of it and what was taken was explored; saves transitions, not states",
    paper: Some("Godefroid: Partial-order methods for the verification of concurrent systems (LNCS 1032, 1996)"),
    guarantee: Guarantee::SAFETY,
};

/// The independence relation of the static facts. The name of a transition is the number that the
/// facts give it, and two transitions are independent if they accord.
///
/// If the processes of the network are guessed, the facts are true only while every state fits the
/// network. A state that does not fit makes the relation fail: its successors get no names, and the
/// search is done again without sleep sets. [`SpeculativeExpander`](crate::SpeculativeExpander) has
/// the argument why the search meets such a state if there is one.
pub struct StaticIndependence<'n> {
    lookup: Lookup<'n>,
    has_failed: AtomicBool,
}

impl<'n> StaticIndependence<'n> {
    /// Prepares the relation for a network and its facts.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        StaticIndependence { lookup: Lookup::new(network, facts), has_failed: AtomicBool::new(false) }
    }

    fn fits(&self, state: &[u8]) -> bool {
        !self.lookup.network.is_guessed || self.lookup.network.fits(state)
    }
}

impl Independence for StaticIndependence<'_> {
    fn names(&self, state: &[u8], successors: &SuccessorBuffer, names: &mut Vec<Option<TransitionName>>) {
        names.clear();
        if !self.fits(state) {
            self.has_failed.store(true, Ordering::Relaxed);
            names.resize(successors.len(), None);
            return;
        }
        names.extend(successors.iter().map(|successor| {
            let transition = self.lookup.transition(state, *successor.moves.first()?)?;
            u32::try_from(transition.index()).ok().map(TransitionName)
        }));
    }

    fn are_independent(&self, TransitionName(one): TransitionName, TransitionName(other): TransitionName) -> bool {
        let id = |name: u32| TransitionId::from_index(name as usize);
        self.lookup.facts.accord_by_number(id(one), id(other))
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}
