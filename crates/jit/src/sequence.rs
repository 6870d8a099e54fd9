//! Atomic sequences: which moves are made in one go, and where processes can be between
//! transitions.

use ample_model::{Action, Edge, EdgeId, Expr, LocationId};
use ample_network::{InstanceId, Network};
use ample_stdx::BitSet;

use crate::handshakes::Handshakes;
use crate::known::known_channel;

/// So many moves of an atomic sequence are made in one go at most.
const MOST_IN_ONE_GO: usize = 64;

/// The edges that an instance takes in one go after an edge: as long as it keeps control and there
/// is one way to go on.
pub(crate) fn in_one_go(
    network: &Network<'_>,
    locations_are_read: bool,
    instance: InstanceId,
    edge: &Edge,
) -> Vec<EdgeId> {
    let template = network.template(instance);
    let mut path = Vec::new();
    let mut passed = vec![edge.source];
    let mut last = edge;
    while last.keeps_control && path.len() < MOST_IN_ONE_GO && !passed.contains(&last.target) {
        let Some(id) = only_edge(network, locations_are_read, instance, last.target) else { break };
        passed.push(last.target);
        path.push(id);
        last = &template.edges[id];
    }
    path
}

/// The edge with which a process inside an atomic sequence must go on at a location, if it is the
/// only one and can be taken in place.
fn only_edge(
    network: &Network<'_>,
    locations_are_read: bool,
    instance: InstanceId,
    location: LocationId,
) -> Option<EdgeId> {
    let template = network.template(instance);
    let place = &template.locations[location];
    let [id] = place.edges.as_slice() else { return None };
    let in_place = match &template.edges[*id].action {
        Action::Send { channel, .. } | Action::Receive { channel, .. } => is_buffered(network, instance, channel),
        // If it blocks, the process would not be where it was.
        Action::DeterministicStep(_) => !locations_are_read,
        Action::End => false,
        _ => true,
    };
    let may_go_on = template.provided.is_none() && !network.model.uses.priorities;
    (in_place && may_go_on && place.d_step.is_none()).then_some(*id)
}

/// Whether a channel that an instance names is known now and holds messages.
pub(crate) fn is_buffered(network: &Network<'_>, instance: InstanceId, channel: &Expr) -> bool {
    let position = known_channel(network, instance, channel);
    position.is_some_and(|position| network.layout.channels[position].capacity > 0)
}

/// Whether an edge may hand over a message at a rendezvous.
fn is_handshake_send(network: &Network<'_>, instance: InstanceId, edge: &Edge) -> bool {
    matches!(&edge.action, Action::Send { channel, .. } if !is_buffered(network, instance, channel))
}

/// Where code for an instance begins.
#[derive(Default)]
pub(crate) struct Starts {
    /// The locations at which it can be between two transitions, or from which it goes on inside
    /// one.
    pub(crate) all: BitSet<LocationId>,
    /// Those from which it goes on inside one.
    pub(crate) continued: BitSet<LocationId>,
}

/// Finds where code for an instance begins.
pub(crate) fn starts(
    network: &Network<'_>,
    handshakes: &Handshakes,
    locations_are_read: bool,
    instance: InstanceId,
) -> Starts {
    let template = network.template(instance);
    let (mut starts, mut continued) = (BitSet::new(), BitSet::new());
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        if !starts.insert(location) {
            continue;
        }
        for id in &template.locations[location].edges {
            let mut last = &template.edges[*id];
            if is_handshake_send(network, instance, last) {
                // Control passes on to the receiver, and the sender stays behind.
                open.push(last.target);
            }
            if handshakes.is_shared_receive(network, instance, *id) {
                // What follows a receive that is generated once is not made in one go with it.
                open.push(last.target);
                if last.keeps_control {
                    continued.insert(last.target);
                }
            }
            for next in in_one_go(network, locations_are_read, instance, last) {
                let edge = &template.edges[next];
                if may_block(edge) {
                    open.push(last.target);
                }
                last = edge;
            }
            open.push(last.target);
            if last.keeps_control {
                continued.insert(last.target);
            }
        }
    }
    Starts { all: starts, continued }
}

/// Whether an edge that is the only one at its location may have to wait.
pub(crate) fn may_block(edge: &Edge) -> bool {
    match &edge.action {
        _ if edge.guard.is_some() => true,
        Action::Skip
        | Action::Else
        | Action::Assign(..)
        | Action::Assert(_)
        | Action::Print { .. }
        | Action::PrintName(_) => false,
        Action::Guard(_)
        | Action::Send { .. }
        | Action::Receive { .. }
        | Action::SetPriority(..)
        | Action::DeterministicStep(_)
        | Action::Event { .. }
        | Action::End => true,
    }
}
