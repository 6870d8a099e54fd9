//! What expanders see of a state: which transition of the network each successor is, and where
//! processes are.

use ample_model::{EdgeId, LocationId};
use ample_network::Network;
use ample_network::facts::{Condition, Facts, Identity, InstanceId, Taken, TransitionId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::{Move, Pid};

/// Looks things up by the numbers that states and moves are made of.
pub(crate) struct View<'n> {
    pub network: &'n Network<'n>,
    pub facts: &'n Facts,
    /// The instances with each process number.
    numbered: Vec<Vec<InstanceId>>,
    /// What each edge of each instance is, if it is the first to move.
    edges: IndexVec<InstanceId, IndexVec<EdgeId, Named>>,
}

/// The transitions that begin with an edge.
#[derive(Clone)]
enum Named {
    /// None is known.
    None,
    /// It moves alone.
    Alone(TransitionId),
    /// It offers a message: one for each that may accept it.
    Offer(Vec<(Taken, TransitionId)>),
}

impl<'n> View<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let ids = || network.instances.ids();
        let mut numbered = vec![Vec::new(); network.numbers];
        for instance in ids() {
            numbered[usize::from(network.instances[instance].pid)].push(instance);
        }
        let template = |instance: InstanceId| network.template(instance);
        let mut edges: IndexVec<InstanceId, IndexVec<EdgeId, Named>> =
            ids().map(|instance| IndexVec::from_elem(Named::None, template(instance).edges.len())).collect();
        for (id, transition) in facts.transitions().iter_enumerated() {
            let Identity { first, partner } = transition.identity;
            let named = &mut edges[first.instance][first.edge];
            match (partner, named) {
                (None, named) => *named = Named::Alone(id),
                (Some(partner), Named::Offer(known)) => known.push((partner, id)),
                (Some(partner), named) => *named = Named::Offer(vec![(partner, id)]),
            }
        }
        View { network, facts, numbered, edges }
    }

    /// The instance that a process is in a state.
    #[inline]
    pub fn instance(&self, state: &[u8], pid: Pid) -> Option<InstanceId> {
        match self.numbered.get(usize::from(pid))?.as_slice() {
            [only] => Some(*only),
            several => several.iter().copied().find(|instance| self.location(state, *instance).is_some()),
        }
    }

    /// Where an instance is in a state, if it exists there.
    #[inline]
    pub fn location(&self, state: &[u8], instance: InstanceId) -> Option<LocationId> {
        self.network.location_in(state, instance)
    }

    /// Whether a condition on a channel holds. Of transitions nothing is known here.
    pub fn holds(&self, state: &[u8], condition: Condition) -> bool {
        let room = |channel| self.network.messages_in(state, TypedId::index(channel));
        match condition {
            Condition::NotEmpty(channel) => room(channel).is_some_and(|(length, _)| length > 0),
            Condition::NotFull(channel) => room(channel).is_some_and(|(length, capacity)| length < capacity),
            Condition::Enabled(_) => false,
        }
    }

    /// The transition that begins with this move.
    #[inline]
    pub fn transition(&self, state: &[u8], step: Move) -> Option<TransitionId> {
        let instance = self.instance(state, step.process)?;
        match (&self.edges[instance][step.edge], step.partner) {
            (Named::Alone(id), None) => Some(*id),
            (Named::Offer(known), Some((pid, edge))) => {
                let partner = Taken { instance: self.instance(state, pid)?, edge };
                known.iter().find(|(accepts, _)| *accepts == partner).map(|(_, id)| *id)
            }
            _ => None,
        }
    }
}
