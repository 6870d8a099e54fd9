//! Variables that only one process uses become its own.

use ample_model::{Action, Edge, Expr, ExprKind, Init, Model, Place, Scope, SlotId, TemplateId};
use ample_stdx::{IndexVec, TypedId};

use crate::Visible;
use crate::liveness::read_from_outside;
use crate::passes::slots::slots_of;

/// Who uses a global variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum User {
    Nobody,
    One(TemplateId),
    Several,
}

/// The process that each global variable is to belong to.
pub(super) struct Own {
    users: IndexVec<SlotId, User>,
}

impl Own {
    /// Finds them. What the question or `end` reads belongs to nobody, nor what the first process
    /// uses, nor an array of which some elements that a computed index may name do not.
    pub fn of(model: &Model, visible: &Visible<'_>) -> Own {
        let mut own = Own { users: IndexVec::from_elem(User::Nobody, model.globals.slots.len()) };
        let seen = read_from_outside(model, visible).globals;
        seen.iter().for_each(|slot| own.users[slot] = User::Several);
        let mut places = Vec::new();
        for (id, template) in model.templates.iter_enumerated() {
            for edge in &template.edges {
                each_place(edge, &mut |place| {
                    slots_of(place).for_each(|slot| own.add(slot, id));
                    if !place.indices.is_empty() {
                        places.push((id, place));
                    }
                });
            }
        }
        while places.iter().fold(false, |has_changed, (id, place)| own.keep_whole(*id, place) || has_changed) {}
        own
    }

    fn add(&mut self, slot: SlotId, id: TemplateId) {
        self.users[slot] = match self.users[slot] {
            User::Nobody if id.index() > 0 => User::One(id),
            User::One(user) if user == id => User::One(user),
            _ => User::Several,
        };
    }

    fn is_of(&self, id: TemplateId, slot: SlotId) -> bool {
        self.users[slot] == User::One(id)
    }

    /// An array with computed indices stays together, with whatever lies between its elements.
    fn keep_whole(&mut self, id: TemplateId, place: &Place) -> bool {
        let all: Vec<SlotId> = slots_of(place).collect();
        let (Some(first), Some(last)) = (all.first(), all.last()) else { return false };
        let mut between = (first.index()..=last.index()).map(SlotId::from_index);
        if !all.iter().any(|slot| self.is_of(id, *slot)) || between.all(|slot| self.is_of(id, slot)) {
            return false;
        }
        all.iter().for_each(|slot| self.users[*slot] = User::Several);
        true
    }
}

/// Calls `visit` on every place that an edge reads or writes.
fn each_place<'e>(edge: &'e Edge, visit: &mut dyn FnMut(&'e Place)) {
    edge.walk(&mut |part| {
        if let ExprKind::Read(place) = &part.kind {
            visit(place);
        }
    });
    edge.stores().for_each(visit);
}

/// Gives a process the variables that are its own; which they were, by their new numbers.
pub(super) fn move_in(model: &mut Model, id: TemplateId, own: &Own) -> Vec<SlotId> {
    let moved: Vec<SlotId> = model.globals.slots.ids().filter(|slot| own.is_of(id, *slot)).collect();
    let template = &mut model.templates[id];
    template.frame.slots = moved.iter().map(|slot| model.globals.slots[*slot].clone()).collect();
    let number = |slot: SlotId| moved.binary_search(&slot).ok().map(SlotId::from_index);
    model.globals.init.retain(|init| {
        let Some(slot) = number(init.slot) else { return true };
        template.frame.init.push(Init { slot, value: init.value.clone() });
        false
    });
    let to_own = |place: &mut Place| rename(place, &number);
    for edge in template.edges.iter_mut() {
        if let Action::Guard(guard) = &mut edge.action {
            each_place_mut(guard, &to_own);
        }
        for effect in &mut edge.effects {
            within(&mut effect.place, &to_own);
            each_place_mut(&mut effect.value, &to_own);
        }
    }
    moved
}

/// Calls `change` on every place that an expression about variables reads.
fn each_place_mut(expr: &mut Expr, change: &dyn Fn(&mut Place)) {
    match &mut expr.kind {
        ExprKind::Read(place) => within(place, change),
        ExprKind::Unary(_, operand) => each_place_mut(operand, change),
        ExprKind::Binary(_, a, b) => {
            each_place_mut(a, change);
            each_place_mut(b, change);
        }
        ExprKind::Conditional(parts) => parts.iter_mut().for_each(|part| each_place_mut(part, change)),
        _ => {}
    }
}

/// The same for a place and what its indices read.
fn within(place: &mut Place, change: &dyn Fn(&mut Place)) {
    place.indices.iter_mut().for_each(|index| each_place_mut(&mut index.value, change));
    change(place);
}

/// Names a variable by its number in the process, if it is one of its own. What a constant index
/// says is part of the number.
fn rename(place: &mut Place, number: &dyn Fn(SlotId) -> Option<SlotId>) {
    let Some(own) = slots_of(place).next().and_then(number) else { return };
    place.scope = Scope::Local;
    place.first = own;
    place.indices.retain(|index| match index.value.kind {
        ExprKind::Const(value) => !(0..i64::from(index.length)).contains(&value),
        _ => true,
    });
}
