//! From states and moves to the static facts: which transition each successor is, and where
//! processes are.

use ample_model::{EdgeId, LocationId};
use ample_network::Network;
use ample_network::facts::{Condition, Facts, Identity, InstanceId, Taken, TransitionId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::{Move, Pid};

/// Finds instances and transitions by the numbers that states and moves are made of.
pub(crate) struct Lookup<'n> {
    pub network: &'n Network<'n>,
    pub facts: &'n Facts,
    /// The instances with each process number.
    numbered: Vec<Vec<InstanceId>>,
    /// The transitions that begin with each edge of each instance.
    edges: IndexVec<InstanceId, IndexVec<EdgeId, Begun>>,
}

/// The transitions that begin with an edge.
#[derive(Clone)]
enum Begun {
    /// None is known.
    None,
    /// The process moves alone.
    Alone(TransitionId),
    /// The process offers a message at a rendezvous: one transition for each partner that may
    /// accept it.
    Offer(Vec<(Taken, TransitionId)>),
}

impl<'n> Lookup<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let ids = || network.instances.ids();
        let mut numbered = vec![Vec::new(); network.numbers];
        for instance in ids() {
            numbered[usize::from(network.instances[instance].pid)].push(instance);
        }
        let template = |instance: InstanceId| network.template(instance);
        let mut edges: IndexVec<InstanceId, IndexVec<EdgeId, Begun>> =
            ids().map(|instance| IndexVec::from_elem(Begun::None, template(instance).edges.len())).collect();
        for (id, transition) in facts.transitions().iter_enumerated() {
            let Identity { first, partner } = transition.identity;
            let named = &mut edges[first.instance][first.edge];
            match (partner, named) {
                (None, named) => *named = Begun::Alone(id),
                (Some(partner), Begun::Offer(known)) => known.push((partner, id)),
                (Some(partner), named) => *named = Begun::Offer(vec![(partner, id)]),
            }
        }
        Lookup { network, facts, numbered, edges }
    }

    /// The instance that has this process number in a state.
    #[inline]
    pub fn instance(&self, state: &[u8], pid: Pid) -> Option<InstanceId> {
        debug_assert!(self.network.fits(state), "on guessed processes a SpeculativeExpander asks first");
        match self.numbered.get(usize::from(pid))?.as_slice() {
            [only] => Some(*only),
            several => several.iter().copied().find(|instance| self.location(state, *instance).is_some()),
        }
    }

    /// Where an instance is in a state, if it exists there.
    #[inline]
    pub fn location(&self, state: &[u8], instance: InstanceId) -> Option<LocationId> {
        debug_assert!(self.network.fits(state), "on guessed processes a SpeculativeExpander asks first");
        self.network.location_in(state, instance)
    }

    /// Whether a condition on a channel holds. Whether a transition is enabled must not be asked
    /// here: only those know who have the successors.
    pub fn holds(&self, state: &[u8], condition: Condition) -> bool {
        debug_assert!(!matches!(condition, Condition::Enabled(_)), "only the successors tell");
        let messages = |channel| self.network.messages_in(state, TypedId::index(channel));
        match condition {
            Condition::NotEmpty(channel) => messages(channel).is_some_and(|fill| !fill.is_empty()),
            Condition::NotFull(channel) => messages(channel).is_some_and(|fill| !fill.is_full()),
            Condition::Enabled(_) => false,
        }
    }

    /// The transition that begins with this move; `None` if the facts do not know it.
    #[inline]
    pub fn transition(&self, state: &[u8], step: Move) -> Option<TransitionId> {
        let instance = self.instance(state, step.process)?;
        match (&self.edges[instance][step.edge], step.partner) {
            (Begun::Alone(id), None) => Some(*id),
            (Begun::Offer(known), Some((pid, edge))) => {
                let partner = Taken { instance: self.instance(state, pid)?, edge };
                known.iter().find(|(accepts, _)| *accepts == partner).map(|(_, id)| *id)
            }
            _ => None,
        }
    }
}
