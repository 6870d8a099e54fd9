//! What may go wrong while a guard is asked: a division by zero, an index out of range, a channel
//! or a process that is not there.
//!
//! A guard that goes wrong is a move, one that ends the run in a fault. So that a condition is
//! false does not mean that nothing happens: one that is asked before it may go wrong. What is said
//! of guards that are false, or that contradict each other, holds for the conditions up to the
//! first that may go wrong, and for the others as long as nobody changes what decides about that.

use ample_model::{BinaryOp, Expr, ExprKind, Place, RemoteRead};
use ample_stdx::BitSet;

use crate::facts::conjunct::Conjunct;
use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::footprint::Footprint;
use crate::facts::{ObjectId, Transition};

impl Reader<'_> {
    /// Whether to take the value of this expression may go wrong, apart from what is inside it.
    pub(crate) fn may_fail(self, expr: &Expr, asker: Asker) -> bool {
        let is_known = |expr: &Expr| self.constants().fold(expr, asker).is_some();
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
                self.constants().fold(divisor, asker).is_none_or(|divisor| divisor == 0)
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
            let value = self.constants().fold(&index.value, asker);
            !value.is_some_and(|value| (0..i64::from(index.length)).contains(&i64::from(value)))
        })
    }

    /// Whether it is known whose variable is meant.
    fn is_certain(self, remote: &RemoteRead, asker: Asker) -> bool {
        let Some(pid) = remote.pid.as_ref().filter(|pid| self.constants().fold(pid, asker).is_some()) else {
            return false;
        };
        let named = self.constants().instances(pid, asker);
        named.len() == 1 && named.iter().all(|instance| self.template(*instance) == remote.template)
    }

    /// What decides whether a condition goes wrong, if it may. Where one part of it decides whether
    /// another is asked, everything does.
    pub(crate) fn risk(self, expr: &Expr, asker: Asker) -> Option<BitSet<ObjectId>> {
        let mut found = Footprint::default();
        let (mut is_risky, mut has_choice) = (false, false);
        expr.walk(&mut |part| {
            has_choice |=
                matches!(part.kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ExprKind::Conditional(_));
            if !self.may_fail(part, asker) {
                return;
            }
            is_risky = true;
            match &part.kind {
                ExprKind::Binary(_, _, divisor) => self.read(divisor, asker, &mut found),
                ExprKind::Read(place) => self.read_indices(place, asker, &mut found),
                _ => self.read(part, asker, &mut found),
            }
        });
        is_risky.then(|| if has_choice { self.of(expr, asker).reads } else { found.reads })
    }
}

impl Footprint {
    /// The conditions of the guard that are true whenever something happens, be it that the guard
    /// goes wrong, as long as the other transition cannot change whether it does.
    pub(crate) fn reliable(&self, other: &Transition) -> &[Conjunct] {
        if self.is_risky && changes_any(other, &self.guard) {
            return &[];
        }
        let is_risky = |conjunct: &Conjunct| conjunct.risk.is_some();
        let (Some(first), Some(last)) =
            (self.conjuncts.iter().position(is_risky), self.conjuncts.iter().rposition(is_risky))
        else {
            return &self.conjuncts;
        };
        let decides = |(number, conjunct): (usize, &Conjunct)| {
            let is_asked_before = number < last && changes_any(other, &conjunct.reads);
            is_asked_before || conjunct.risk.as_ref().is_some_and(|risk| changes_any(other, risk))
        };
        match self.conjuncts.iter().enumerate().any(decides) {
            true => &self.conjuncts[..first],
            false => &self.conjuncts,
        }
    }

    /// Whether something may go wrong while it is asked whether it can happen.
    pub(crate) fn may_go_wrong(&self) -> bool {
        self.is_risky || self.conjuncts.iter().any(|conjunct| conjunct.risk.is_some())
    }
}

/// Whether a transition may change one of these objects.
pub(crate) fn changes_any(transition: &Transition, objects: &BitSet<ObjectId>) -> bool {
    transition.touched.writes.intersects(objects) || transition.touched.created.intersects(objects)
}
