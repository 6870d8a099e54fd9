//! Where a process can run on inside an atomic sequence.

use ample_model::{Action, Edge, EdgeId, Expr, ExprKind, LocationId};
use ample_network::{InstanceId, Network};
use ample_stdx::BitSet;

use crate::code::Code;
use crate::sequence::is_buffered;

/// The locations where an instance can be inside an atomic sequence, from where it can run on.
pub(crate) fn followed(network: &Network<'_>, code: &Code, instance: InstanceId) -> BitSet<LocationId> {
    let template = network.template(instance);
    let mut followed = BitSet::new();
    if template.provided.is_some() || network.model.uses.priorities || code.locations_are_read {
        return followed;
    }
    let mut open: Vec<LocationId> = code.continued[instance].iter().collect();
    while let Some(location) = open.pop() {
        let edges = &template.locations[location].edges;
        let can = |id: &EdgeId| is_plain(network, &template.edges[*id], instance);
        if edges.is_empty() || !edges.iter().all(can) || !followed.insert(location) {
            continue;
        }
        let targets = edges.iter().map(|id| &template.edges[*id]).filter(|edge| edge.keeps_control);
        open.extend(targets.map(|edge| edge.target));
    }
    followed
}

/// Whether it can be told without an effect if an edge can be taken, and it can be taken in place.
fn is_plain(network: &Network<'_>, edge: &Edge, instance: InstanceId) -> bool {
    edge.escape.is_none()
        && match &edge.action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => is_buffered(network, instance, channel),
            Action::Guard(Expr { kind: ExprKind::Run(_), .. }) | Action::DeterministicStep(_) | Action::End => false,
            _ => true,
        }
}
