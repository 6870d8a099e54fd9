//! Who may meet whom at a rendezvous: counted before code is generated, which depends on how many
//! there are.
//!
//! For a few pairs of a send and a receive, the code of the receive stands inside the code of the
//! send, where channel and message are known. With many, that would be quadratic; then each receive
//! is generated once, and a send calls what offers its message to all processes.

use std::collections::HashMap;

use ample_model::{Action, Edge, EdgeId, Expr, LocationId};
use ample_network::{InstanceId, Network};
use ample_stdx::IndexVec;
use ample_transition::Move;

use crate::known::known_channel;
use crate::locations::{accept_asks_locations, asks_locations, effects_ask_locations, trace_asks_locations};
use crate::not_compiled::NotCompiled;

/// So many moves of two processes have a place in the table of moves, each a send and a receive.
const MOST_JOINT_MOVES: usize = 1 << 21;

/// The locations of an instance at which it may take a message, each with the edges that may.
pub(crate) type Receiving = Vec<(LocationId, Vec<EdgeId>)>;

/// The sends and receives of a network that need a partner.
#[derive(Default)]
pub(crate) struct Handshakes {
    /// By instance.
    pub(crate) receiving: IndexVec<InstanceId, Receiving>,
    /// Every edge that may offer a message, by instance and edge; a number stands for each.
    senders: Vec<(InstanceId, EdgeId)>,
    numbers: HashMap<(InstanceId, EdgeId), usize>,
    /// How many edges may receive from a channel; those whose channel is not known now are under
    /// `None`.
    receivers: HashMap<Option<usize>, usize>,
    /// Whether a receive is generated once for all sends.
    pub(crate) is_shared: bool,
}

impl Handshakes {
    /// Finds them. With more than `most_pairs` of them, receives are generated once for all sends.
    pub(crate) fn new(network: &Network<'_>, locations_are_read: bool, most_pairs: usize) -> Self {
        let mut found = Handshakes::default();
        if network.layout.channels.iter().all(|channel| channel.capacity > 0) {
            found.receiving = IndexVec::from_elem(Receiving::new(), network.instances.len());
            return found;
        }
        for instance in network.instances.ids() {
            found.add(network, instance);
        }
        found.is_shared = found.pairs(network) > most_pairs && found.can_be_shared(network, locations_are_read);
        found
    }

    fn add(&mut self, network: &Network<'_>, instance: InstanceId) {
        let template = network.template(instance);
        let mut receiving = Receiving::new();
        for (location, place) in template.locations.iter_enumerated() {
            let takes = |id: &EdgeId| !taking(network, instance, *id).is_empty();
            let receives: Vec<EdgeId> = place.edges.iter().copied().filter(takes).collect();
            for receive in receives.iter().flat_map(|id| taking(network, instance, *id)) {
                *self.receivers.entry(channel_of(network, instance, receive)).or_default() += 1;
            }
            if !receives.is_empty() {
                receiving.push((location, receives));
            }
            for id in &place.edges {
                let action = &template.edges[*id].action;
                if matches!(action, Action::Send { channel, .. } if may_be_unbuffered(network, instance, channel)) {
                    self.numbers.insert((instance, *id), self.senders.len());
                    self.senders.push((instance, *id));
                }
            }
        }
        self.receiving.push(receiving);
    }

    /// How many pairs of a send and a receive there may be.
    fn pairs(&self, network: &Network<'_>) -> usize {
        self.senders.iter().map(|(instance, id)| self.partners(network, *instance, *id)).sum()
    }

    /// How many receives may take what an edge of an instance sends; 0 if it needs no partner.
    pub(crate) fn partners(&self, network: &Network<'_>, instance: InstanceId, id: EdgeId) -> usize {
        if !self.numbers.contains_key(&(instance, id)) {
            return 0;
        }
        let template = network.template(instance);
        match channel_of(network, instance, &template.edges[id]) {
            None => self.receivers.values().sum(),
            known => [known, None].iter().filter_map(|channel| self.receivers.get(channel)).sum(),
        }
    }

    /// Whether a receive is the same for all sends: nothing of it sees that the sender has moved
    /// already.
    fn can_be_shared(&self, network: &Network<'_>, locations_are_read: bool) -> bool {
        // Where there are priorities, a process takes a message only if no other would.
        !network.model.uses.priorities
            && !trace_asks_locations(network)
            && self.receiving.iter_enumerated().all(|(instance, receiving)| {
                let template = network.template(instance);
                if template.provided.as_ref().is_some_and(asks_locations) {
                    return false;
                }
                let is_blind = |id: &EdgeId| {
                    let edge = &template.edges[*id];
                    let is_step = matches!(edge.action, Action::DeterministicStep(_));
                    !effects_ask_locations(edge)
                        && if is_step { !locations_are_read } else { !accept_asks_locations(edge) }
                };
                receiving.iter().flat_map(|(_, edges)| edges).all(is_blind)
            })
    }

    /// Whether an edge may receive at a rendezvous and is generated once for all sends.
    pub(crate) fn is_shared_receive(&self, network: &Network<'_>, instance: InstanceId, id: EdgeId) -> bool {
        self.is_shared && !taking(network, instance, id).is_empty()
    }

    /// The number of an edge that offers a message.
    pub(crate) fn number(&self, instance: InstanceId, id: EdgeId) -> usize {
        self.numbers.get(&(instance, id)).copied().unwrap_or_default()
    }

    /// The moves of all senders with a receive, in the order of their numbers.
    pub(crate) fn joint_moves(&self, network: &Network<'_>, receiver: InstanceId, receive: EdgeId) -> Vec<Move> {
        let partner = Some((network.instances[receiver].pid, receive));
        let joint = |(instance, edge): &(InstanceId, EdgeId)| Move {
            process: network.instances[*instance].pid,
            edge: *edge,
            partner,
        };
        self.senders.iter().map(joint).collect()
    }

    /// Refuses what would need too large a table of moves.
    pub(crate) fn check_size(&self) -> Result<(), NotCompiled> {
        let receives: usize = self.receiving.iter().flatten().map(|(_, edges)| edges.len()).sum();
        if self.is_shared && receives.saturating_mul(self.senders.len()) > MOST_JOINT_MOVES {
            return Err(NotCompiled(format!(
                "{} sends and {receives} receives at a rendezvous: so many pairs are interpreted",
                self.senders.len()
            )));
        }
        Ok(())
    }
}

/// The receives with which an edge may take a message at a rendezvous: it is one, or a `d_step`
/// that begins with some.
fn taking<'n>(network: &'n Network<'_>, instance: InstanceId, id: EdgeId) -> Vec<&'n Edge> {
    let template = network.template(instance);
    let is_receive = |edge: &&Edge| match &edge.action {
        Action::Receive { keep: false, channel, .. } => may_be_unbuffered(network, instance, channel),
        _ => false,
    };
    let edge = &template.edges[id];
    match &edge.action {
        Action::DeterministicStep(entry) => {
            template.locations[*entry].edges.iter().map(|id| &template.edges[*id]).filter(is_receive).collect()
        }
        _ => Some(edge).filter(is_receive).into_iter().collect(),
    }
}

/// The channel of a send or receive, if it is known now and always there.
fn channel_of(network: &Network<'_>, instance: InstanceId, edge: &Edge) -> Option<usize> {
    let (Action::Send { channel, .. } | Action::Receive { channel, .. }) = &edge.action else { return None };
    known_channel(network, instance, channel).filter(|known| network.layout.channels[*known].owner.is_none())
}

/// Whether a channel may be one that holds no messages.
fn may_be_unbuffered(network: &Network<'_>, instance: InstanceId, channel: &Expr) -> bool {
    known_channel(network, instance, channel).is_none_or(|known| network.layout.channels[known].capacity == 0)
}
