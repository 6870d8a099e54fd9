//! What can be reached in a template: its end, and edges that create processes.

use ample_model::{Action, Edge, ExprKind, LocationId, Template};
use ample_stdx::BitSet;

/// The locations from which an edge that creates a process can be reached.
pub(super) fn leading_to_creation(template: &Template) -> BitSet<LocationId> {
    let mut leading: BitSet<LocationId> = BitSet::new();
    let mut grows = true;
    while grows {
        grows = false;
        for edge in &template.edges {
            if creates(edge) || leading.contains(edge.target) || leads_into(edge, &leading) {
                grows |= leading.insert(edge.source);
            }
        }
    }
    leading
}

fn leads_into(edge: &Edge, leading: &BitSet<LocationId>) -> bool {
    matches!(edge.action, Action::DeterministicStep(inside) if leading.contains(inside))
}

fn creates(edge: &Edge) -> bool {
    let mut found = false;
    edge.walk(&mut |expr| found |= matches!(expr.kind, ExprKind::Run(_)));
    found
}

/// The locations that can be reached from the start. Every statement has a location of its own,
/// also where control flow passes it by.
pub(super) fn reachable(template: &Template) -> BitSet<LocationId> {
    let mut reached = BitSet::new();
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        if !reached.insert(location) {
            continue;
        }
        for id in &template.locations[location].edges {
            let edge = &template.edges[*id];
            open.push(edge.target);
            if let Action::DeterministicStep(inside) = edge.action {
                open.push(inside);
            }
        }
    }
    reached
}

/// Whether the end of a template can be reached from its start.
pub(super) fn can_end(template: &Template) -> bool {
    let reached = reachable(template);
    template.edges.iter().any(|edge| matches!(edge.action, Action::End) && reached.contains(edge.source))
}
