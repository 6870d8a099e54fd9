//! The variables of a process that its statements read and write.

use ample_model::{Edge, Expr, ExprKind, Place, Scope, SlotId};
use ample_stdx::{BitSet, TypedId};

/// A set of variables of a template.
pub(crate) type Slots = BitSet<SlotId>;

/// Adds the variables of the process that an expression reads.
pub(crate) fn add_reads(expr: &Expr, slots: &mut Slots) {
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
pub(crate) fn writes(edge: &Edge) -> impl Iterator<Item = SlotId> {
    edge.stores().filter(|place| place.scope == Scope::Local).flat_map(slots_of)
}

/// The variables that a place may be.
pub(crate) fn slots_of(place: &Place) -> impl Iterator<Item = SlotId> + use<> {
    let mut offsets = vec![0];
    for index in &place.indices {
        let steps = match index.value.kind {
            ExprKind::Const(value) if (0..index.length as i64).contains(&value) => value as u32..value as u32 + 1,
            _ => 0..index.length,
        };
        offsets = steps.flat_map(|step| offsets.iter().map(move |offset| offset + step * index.stride)).collect();
    }
    let first = place.first.index();
    offsets.into_iter().map(move |offset| SlotId::from_index(first + offset as usize))
}

/// The variable that a place is for certain.
pub(crate) fn only_slot(place: &Place) -> Option<SlotId> {
    let mut slots = slots_of(place);
    let first = slots.next()?;
    slots.next().is_none().then_some(first)
}
