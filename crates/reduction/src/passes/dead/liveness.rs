//! Which variables of a process are live where: some run from there on reads what they hold.
//!
//! The usual analysis, backward over the edges of a template: before an edge is live what it reads,
//! and what is live after it and not written by it for certain. What an index computes may be any
//! element. A `d_step` goes on inside, and beyond it.

use ample_model::{Action, Edge, LocationId, Scope, Template};
use ample_stdx::IndexVec;

use crate::passes::slots::{Slots, only_slot, reads};

/// What is live at each location. `always` is live everywhere.
pub(crate) fn live(template: &Template, always: &Slots) -> IndexVec<LocationId, Slots> {
    let mut live: IndexVec<LocationId, Slots> = template.locations.iter().map(|_| always.clone()).collect();
    loop {
        let mut has_changed = false;
        // Against the order of the text, so that a few rounds are enough.
        for (id, location) in template.locations.iter_enumerated().rev() {
            for edge in location.edges.iter().map(|edge| &template.edges[*edge]) {
                let before = before(edge, &live);
                has_changed |= live[id].union_with(&before);
            }
        }
        if !has_changed {
            return live;
        }
    }
}

/// What is live before an edge.
fn before(edge: &Edge, live: &IndexVec<LocationId, Slots>) -> Slots {
    let mut slots = live[edge.target].clone();
    if let Action::DeterministicStep(inside) = edge.action {
        slots.union_with(&live[inside]);
    }
    for place in edge.stores().filter(|place| place.scope == Scope::Local) {
        if let Some(slot) = only_slot(place) {
            slots.remove(slot);
        }
    }
    slots.union_with(&reads(edge));
    slots
}
