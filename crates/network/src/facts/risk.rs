//! Expressions whose evaluation may fail: by a division by zero, an index out of range, a channel
//! or a process that is not there.
//!
//! A guard that fails is a move, one that ends the run in a fault. So a transition with a false
//! condition may still be enabled: a condition that is evaluated before may fail. What is known of
//! guards that are false, or that contradict each other, is true for the conditions up to the first
//! that may fail, and for the others as long as no transition changes what decides about that.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, Place, RemoteRead, UnaryOp};

use crate::facts::constant::{Asker, Constants};

impl Constants<'_> {
    /// Whether the exact value of an operator may be beyond 64 bits.
    fn may_be_too_large(self, expr: &Expr) -> bool {
        use BinaryOp::{Add, Divide, Multiply, ShiftLeft, ShiftRight, Subtract};
        let grows = match &expr.kind {
            ExprKind::Unary(op, _) => *op == UnaryOp::Negate,
            ExprKind::Binary(op, ..) => matches!(op, Add | Subtract | Multiply | Divide | ShiftLeft | ShiftRight),
            _ => false,
        };
        grows && self.network.model.arithmetic == Arithmetic::Exact
    }

    /// Whether the evaluation of this expression may fail, apart from that of its operands.
    pub(crate) fn may_fail(self, expr: &Expr, asker: Asker) -> bool {
        let is_known = |expr: &Expr| self.fold(expr, asker).is_some();
        match &expr.kind {
            _ if self.may_be_too_large(expr) => !is_known(expr),
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
                self.fold(divisor, asker).is_none_or(|divisor| divisor == 0)
            }
            ExprKind::Read(place) => self.may_miss(place, asker),
            ExprKind::Channel(_, channel) => !is_known(channel),
            ExprKind::RemoteRead(remote) => self.may_miss(&remote.place, asker) || !self.is_certain(remote, asker),
            ExprKind::RemoteAt(remote) => !remote.pid.as_ref().is_some_and(is_known),
            ExprKind::Poll(_) | ExprKind::Run(_) | ExprKind::Enabled(_) | ExprKind::ProgramCounter(_) => true,
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Priority(_)
            | ExprKind::Const(_)
            | ExprKind::Pid
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::ProcessCount
            | ExprKind::LastProcess => false,
        }
    }

    /// Whether an index may be out of range.
    fn may_miss(self, place: &Place, asker: Asker) -> bool {
        place.indices.iter().any(|index| {
            let value = self.fold(&index.value, asker);
            !value.is_some_and(|value| (0..i64::from(index.length)).contains(&value))
        })
    }

    /// Whether it is known whose variable is meant.
    fn is_certain(self, remote: &RemoteRead, asker: Asker) -> bool {
        let Some(pid) = remote.pid.as_ref().filter(|pid| self.fold(pid, asker).is_some()) else {
            return false;
        };
        let named = self.instances(pid, asker);
        named.len() == 1 && named.iter().all(|instance| self.network.instances[*instance].template == remote.template)
    }
}
