//! Comparisons of a variable with a constant.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, Scope, SlotId, UnaryOp};

use crate::passes::slots::only_slot;

/// That a variable of the process lies between two values.
#[derive(Copy, Clone, PartialEq)]
pub(super) struct Comparison {
    pub(super) slot: SlotId,
    pub(super) least: i64,
    pub(super) greatest: i64,
}

impl Comparison {
    const LEAST: i64 = i32::MIN as i64;
    const GREATEST: i64 = i32::MAX as i64;

    /// What a guard compares, if it compares one variable with a constant.
    pub(super) fn of(guard: &Expr) -> Option<Comparison> {
        match &guard.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Comparison::of(inner)?.opposite(),
            ExprKind::Binary(op, a, b) => match (variable(a), constant(b), constant(a), variable(b)) {
                (Some(slot), Some(value), ..) => Comparison::with(slot, *op, value),
                (.., Some(value), Some(slot)) => Comparison::with(slot, mirrored(*op), value),
                _ => None,
            },
            _ => None,
        }
    }

    fn with(slot: SlotId, op: BinaryOp, value: i64) -> Option<Comparison> {
        let (least, greatest) = match op {
            BinaryOp::Less => (Self::LEAST, value - 1),
            BinaryOp::LessEqual => (Self::LEAST, value),
            BinaryOp::Greater => (value + 1, Self::GREATEST),
            BinaryOp::GreaterEqual => (value, Self::GREATEST),
            BinaryOp::Equal => (value, value),
            _ => return None,
        };
        Some(Comparison { slot, least, greatest })
    }

    /// The opposite, if that too is between two values.
    pub(super) fn opposite(self) -> Option<Comparison> {
        let Comparison { slot, least, greatest } = self;
        match (least == Self::LEAST, greatest == Self::GREATEST) {
            (true, false) => Some(Comparison { slot, least: greatest + 1, greatest: Self::GREATEST }),
            (false, true) => Some(Comparison { slot, least: Self::LEAST, greatest: least - 1 }),
            _ => None,
        }
    }

    /// Whether both cannot be true at once.
    pub(super) fn excludes(&self, other: &Comparison) -> bool {
        self.slot == other.slot && (self.greatest < other.least || other.greatest < self.least)
    }

    /// The last value in the direction of a step, if there is a bound in that direction only.
    pub(super) fn bound(&self, step: i64) -> Option<i64> {
        let is_open = (self.least == Self::LEAST, self.greatest == Self::GREATEST);
        match (step.signum(), is_open) {
            (1, (true, false)) => Some(self.greatest).filter(|greatest| *greatest >= Self::LEAST),
            (-1, (false, true)) => Some(self.least).filter(|least| *least <= Self::GREATEST),
            _ => None,
        }
    }
}

/// The same comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// The variable of the process that an expression is, if it is one.
pub(super) fn variable(expr: &Expr) -> Option<SlotId> {
    match &expr.kind {
        ExprKind::Read(place) if place.scope == Scope::Local => only_slot(place),
        _ => None,
    }
}

/// The value of an expression of constants.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(op, value) => Arithmetic::Wrapping32.unary(*op, constant(value)?).ok(),
        ExprKind::Binary(op, a, b) => Arithmetic::Wrapping32.binary(*op, constant(a)?, constant(b)?).ok(),
        _ => None,
    }
}
