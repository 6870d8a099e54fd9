//! Which variables of a process are live where: some run from there on reads what they hold.
//!
//! The usual analysis, backward over the edges of a template: before an edge is live what it reads,
//! and what is live after it and not written by it for certain. What an index computes may be any
//! element. A `d_step` goes on inside, and beyond it.

use ample_model::{Action, Edge, Expr, ExprKind, LocationId, Place, Scope, SlotId, Template};
use ample_stdx::{BitSet, IndexVec, TypedId};

/// A set of variables of a template.
pub(super) type Slots = BitSet<SlotId>;

/// What is live at each location. `always` is live everywhere.
pub(super) fn live(template: &Template, always: &Slots) -> IndexVec<LocationId, Slots> {
    let mut live: IndexVec<LocationId, Slots> = template.locations.iter().map(|_| always.clone()).collect();
    loop {
        let mut has_changed = false;
        for (id, location) in template.locations.iter_enumerated() {
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

/// The variables of the process that an edge reads.
fn reads(edge: &Edge) -> Slots {
    let mut slots = Slots::new();
    edge.walk(&mut |expr| add_read(expr, &mut slots));
    slots
}

/// Adds the variables of the process that an expression reads.
pub(super) fn add_reads(expr: &Expr, slots: &mut Slots) {
    expr.walk(&mut |part| add_read(part, slots));
}

fn add_read(part: &Expr, slots: &mut Slots) {
    if let ExprKind::Read(place) = &part.kind
        && place.scope == Scope::Local
    {
        slots_of(place).for_each(|slot| _ = slots.insert(slot));
    }
}

/// The variables of the process that an edge may write.
pub(super) fn writes(edge: &Edge) -> impl Iterator<Item = SlotId> {
    edge.stores().filter(|place| place.scope == Scope::Local).flat_map(slots_of)
}

/// The variables that a place may be.
pub(super) fn slots_of(place: &Place) -> impl Iterator<Item = SlotId> + use<> {
    let mut offsets = vec![0];
    for index in &place.indices {
        let steps = match index.value.kind {
            ExprKind::Const(value) if (0..index.length as i32).contains(&value) => value as u32..value as u32 + 1,
            _ => 0..index.length,
        };
        offsets = steps.flat_map(|step| offsets.iter().map(move |offset| offset + step * index.stride)).collect();
    }
    let first = place.first.index();
    offsets.into_iter().map(move |offset| SlotId::from_index(first + offset as usize))
}

/// The variable that a place is for certain.
fn only_slot(place: &Place) -> Option<SlotId> {
    let mut slots = slots_of(place);
    let first = slots.next()?;
    slots.next().is_none().then_some(first)
}
