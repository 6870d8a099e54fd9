//! What a transition may do to the guard of another: make a condition true, or false.
//!
//! That a transition writes a variable of a guard does not mean that it can make the guard true, or
//! false: `x = 0` never makes `x == 1` true, a process that leaves a location never makes it true
//! that it is there. A condition changes its value only if one of its comparisons does, in the same
//! direction; for a comparison with a constant that direction is known of all transitions that
//! store constants.

use ample_model::{Expr, ExprKind};
use ample_stdx::BitSet;

use crate::facts::conjunct::{Computation, Conjunct, Logic};
use crate::facts::footprint::{Change, Footprint};
use crate::facts::objects::ObjectId;
use crate::facts::transition::Transition;

impl Conjunct {
    /// Whether a transition may give it this value where it has the other one; or may change
    /// whether its evaluation fails.
    pub(crate) fn may_become(&self, value: bool, by: &Transition) -> bool {
        may_become(&self.logic, value, by) || self.risk.as_ref().is_some_and(|risk| changes_any(by, risk))
    }
}

fn may_become(logic: &Logic, value: bool, by: &Transition) -> bool {
    let touched = &by.touched;
    let changes = |object: ObjectId| touched.writes.contains(object) || touched.created.contains(object);
    match logic {
        Logic::Parts(parts) => parts.iter().any(|part| may_become(part, value, by)),
        Logic::Not(inner) => may_become(inner, !value, by),
        Logic::Compare(comparison) => {
            let stores = |object: ObjectId| match touched.changes.get(&object) {
                Some(Change::Set(stored)) if !touched.created.contains(object) => comparison.of(*stored) == value,
                _ => changes(object),
            };
            comparison.indices.iter().any(changes) || comparison.variables.iter().any(stores)
        }
        Logic::At(at) => {
            let moved = if value { &by.enters } else { &by.leaves };
            moved.contains(*at) || touched.changes.contains_key(at) || touched.created.contains(*at)
        }
        Logic::Computed(computation) => match touched.changes.get(&computation.variable) {
            Some(Change::Set(stored)) if !touched.created.contains(computation.variable) => {
                computation.of(&computation.expr, *stored).is_none_or(|result| (result != 0) == value)
            }
            _ => changes(computation.variable),
        },
        Logic::Other(reads) => reads.iter().any(changes),
    }
}

impl Computation {
    /// The value of a part of the expression where the variable has this value.
    fn of(&self, part: &Expr, variable: i64) -> Option<i64> {
        match &part.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Read(_) => Some(variable),
            ExprKind::Unary(op, operand) => self.arithmetic.unary(*op, self.of(operand, variable)?).ok(),
            ExprKind::Binary(op, left, right) => {
                self.arithmetic.binary(*op, self.of(left, variable)?, self.of(right, variable)?).ok()
            }
            _ => None,
        }
    }
}

impl Footprint {
    /// The conditions of the guard that are true wherever the transition is enabled, and also where
    /// its guard fails, as long as the other transition cannot change whether it fails.
    pub(crate) fn reliable(&self, other: &Transition) -> &[Conjunct] {
        if self.opaque_may_fail && changes_any(other, &self.guard) {
            return &[];
        }
        let may_fail = |conjunct: &Conjunct| conjunct.risk.is_some();
        let (Some(first), Some(last)) =
            (self.conjuncts.iter().position(may_fail), self.conjuncts.iter().rposition(may_fail))
        else {
            return &self.conjuncts;
        };
        let decides = |(number, conjunct): (usize, &Conjunct)| {
            let is_evaluated_before = number < last && changes_any(other, &conjunct.reads);
            is_evaluated_before || conjunct.risk.as_ref().is_some_and(|risk| changes_any(other, risk))
        };
        match self.conjuncts.iter().enumerate().any(decides) {
            true => &self.conjuncts[..first],
            false => &self.conjuncts,
        }
    }
}

/// Whether a transition may change one of these objects.
pub(crate) fn changes_any(transition: &Transition, objects: &BitSet<ObjectId>) -> bool {
    transition.touched.writes.intersects(objects) || transition.touched.created.intersects(objects)
}
