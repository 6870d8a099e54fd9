//! Expressions whose evaluation may fail, as far as can be seen without values and without knowing
//! the processes: a division by zero, an index out of range, a channel or a process that is not
//! there.

use ample_model::{BinaryOp, Expr, ExprKind, Index, Place};

/// Whether the evaluation of an expression may fail.
pub(crate) fn may_fail(expr: &Expr) -> bool {
    expr.contains(&kind_may_fail)
}

/// The same apart from its operands.
pub(crate) fn kind_may_fail(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
            !matches!(divisor.kind, ExprKind::Const(value) if value != 0)
        }
        ExprKind::Read(place) => place_may_fail(place),
        ExprKind::Channel(..)
        | ExprKind::Poll(_)
        | ExprKind::Run(_)
        | ExprKind::Enabled(_)
        | ExprKind::ProgramCounter(_)
        | ExprKind::RemoteRead(_)
        | ExprKind::RemoteAt(_) => true,
        _ => false,
    }
}

/// Whether an index may be out of range.
pub(crate) fn place_may_fail(place: &Place) -> bool {
    let is_known = |index: &Index| matches!(index.value.kind, ExprKind::Const(value) if (0..i64::from(index.length)).contains(&value));
    !place.indices.iter().all(is_known)
}
