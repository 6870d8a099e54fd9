//! What can be reached in a template: its end, and edges that create processes.

use ample_model::{Action, Edge, Expr, ExprKind, LocationId, Template};
use ample_stdx::{BitSet, IndexVec};

/// The locations from which an edge that creates a process can be reached.
pub(crate) fn leading_to_creation(template: &Template) -> BitSet<LocationId> {
    let mut sources: IndexVec<LocationId, Vec<LocationId>> = IndexVec::from_elem(Vec::new(), template.locations.len());
    template.edges.iter().for_each(|edge| sources[edge.target].push(edge.source));
    let mut leading = BitSet::new();
    let mut open: Vec<LocationId> =
        template.edges.iter().filter(|edge| creates(edge)).map(|edge| edge.source).collect();
    while let Some(location) = open.pop() {
        if leading.insert(location) {
            open.extend(&sources[location]);
        }
    }
    leading
}

/// Whether the end of a template can be reached from its start.
pub(crate) fn can_end(template: &Template) -> bool {
    let mut reached = BitSet::new();
    let mut open = vec![template.entry];
    reached.insert(template.entry);
    while let Some(location) = open.pop() {
        for id in &template.locations[location].edges {
            let edge = &template.edges[*id];
            if matches!(edge.action, Action::End) {
                return true;
            }
            if reached.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    false
}

pub(crate) fn creates(edge: &Edge) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| found |= matches!(expr.kind, ExprKind::Run(_));
    edge.walk(&mut look);
    found
}
