//! The guard of an edge, condition by condition: what each compares, and what decides whether its
//! evaluation fails.

use ample_model::{Arithmetic, BinaryOp, ChannelTest, Edge, Expr, ExprKind, Place, RemoteAt, UnaryOp};
use ample_stdx::BitSet;

use crate::InstanceId;
use crate::facts::conjunct::{Comparison, Computation, Conjunct, Logic};
use crate::facts::constant::Asker;
use crate::facts::expression::{Reader, variable};
use crate::facts::footprint::{Footprint, LengthUse, PoolUse};
use crate::facts::objects::{Object, ObjectId};

impl Reader<'_> {
    /// The guard of an edge that sends, receives or asserts.
    pub(crate) fn condition(self, instance: InstanceId, edge: &Edge, found: &mut Footprint) {
        if let Some(guard) = &edge.guard {
            self.conjuncts(instance, guard, found);
        }
    }

    /// Adds a guard, condition by condition. Of tests of channels more is kept than what they read.
    pub(crate) fn conjuncts(self, instance: InstanceId, expr: &Expr, found: &mut Footprint) {
        let mut asked = Footprint::default();
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.conjuncts(instance, left, found);
                self.conjuncts(instance, right, found);
            }
            ExprKind::Timeout | ExprKind::Channel(ChannelTest::NotEmpty | ChannelTest::NotFull, _) => {
                self.guard(expr, Asker::Process(instance), &mut asked);
                found.add_guard(&asked);
            }
            _ => {
                self.read(expr, Asker::Process(instance), &mut asked);
                let is_plain = !asked.asks_everything && asked.lengths.is_empty() && asked.pool == PoolUse::None;
                match is_plain && asked.writes.is_empty() {
                    true => found.add_conjunct(self.conjunct(instance, expr, asked.reads.clone()), &asked),
                    false => found.add_guard(&asked),
                }
            }
        }
    }

    /// What a guard asks: of conditions joined by `&&`, `nempty` stays true when others send and
    /// `nfull` when others receive, and `timeout` makes it one that waits. `empty` and `full`, and
    /// a negation, do not stay true (theory.md 1.7).
    fn guard(self, expr: &Expr, asker: Asker, found: &mut Footprint) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.guard(left, asker, found);
                self.guard(right, asker, found);
            }
            ExprKind::Timeout => found.waits_for_timeout = true,
            ExprKind::Channel(test @ (ChannelTest::NotEmpty | ChannelTest::NotFull), channel) => {
                let needs = match test {
                    ChannelTest::NotEmpty => LengthUse::NeedsMessage,
                    _ => LengthUse::NeedsRoom,
                };
                found.may_fail |= self.constants().may_fail(expr, asker);
                self.read(channel, asker, found);
                self.read_length(channel, asker, needs, found);
            }
            _ => self.read(expr, asker, found),
        }
    }

    /// A condition of a guard.
    fn conjunct(self, instance: InstanceId, expr: &Expr, reads: BitSet<ObjectId>) -> Conjunct {
        let asker = Asker::Process(instance);
        Conjunct { instance, expr: expr.clone(), reads, risk: self.risk(expr, asker), logic: self.logic(expr, asker) }
    }

    fn logic(self, expr: &Expr, asker: Asker) -> Logic {
        let all = |parts: [&Expr; 2]| Logic::Parts(parts.into_iter().map(|part| self.logic(part, asker)).collect());
        let simple = match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => Some(all([left, right])),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(Logic::Not(Box::new(self.logic(inner, asker)))),
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                self.comparison(left, *op, right, asker).or_else(|| self.comparison(right, turned(*op), left, asker))
            }
            ExprKind::Read(place) => self.compared(place, BinaryOp::NotEqual, 0, asker),
            ExprKind::RemoteAt(remote) => self.location(remote, asker).map(Logic::At),
            _ => None,
        };
        simple.unwrap_or_else(|| self.whole(expr, asker))
    }

    fn whole(self, expr: &Expr, asker: Asker) -> Logic {
        let reads = self.of(expr, asker).reads;
        let folded = self.folded(expr, asker).filter(|_| reads.len() == 1);
        let only = reads.iter().next();
        match (only, folded) {
            (Some(variable), Some(expr)) => {
                Logic::Computed(Computation { variable, expr, arithmetic: self.network.model.arithmetic })
            }
            _ => Logic::Other(reads),
        }
    }

    /// An expression over variables of its own or global ones, with what is constant in it
    /// computed.
    fn folded(self, expr: &Expr, asker: Asker) -> Option<Expr> {
        if let Some(value) = self.constants().fold(expr, asker) {
            return Some(Expr::constant(value, expr.span));
        }
        let part = |part: &Expr| self.folded(part, asker).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Read(place) if self.constants().is_one_element(place, asker) => expr.kind.clone(),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, part(operand)?),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
            _ => return None,
        };
        Some(Expr { kind, span: expr.span })
    }

    fn comparison(self, left: &Expr, op: BinaryOp, right: &Expr, asker: Asker) -> Option<Logic> {
        let with = self.constants().fold(right, asker)?;
        match &left.kind {
            ExprKind::Read(place) => self.compared(place, op, with, asker),
            _ => None,
        }
    }

    fn compared(self, place: &Place, op: BinaryOp, with: i64, asker: Asker) -> Option<Logic> {
        let mut indices = Footprint::default();
        self.read_indices(place, asker, &mut indices);
        if indices.asks_everything {
            return None;
        }
        let owner = self.constants().owner(asker, place.scope);
        let slots = self.constants().slots(place, asker).into_iter();
        let variables = slots.map(|slot| self.objects.id(variable(owner, slot))).collect();
        Some(Logic::Compare(Comparison { variables, indices: indices.reads, op, with }))
    }

    /// Where a process must be, if it is known which.
    fn location(self, remote: &RemoteAt, asker: Asker) -> Option<ObjectId> {
        let pid = remote.pid.as_ref()?;
        self.constants().fold(pid, asker)?;
        match self.constants().instances(pid, asker).as_slice() {
            [only] if self.template(*only) == remote.template => {
                Some(self.objects.id(Object::At(*only, remote.location)))
            }
            _ => None,
        }
    }

    /// What decides whether the evaluation of a condition fails, if it may. Where one part of the
    /// condition decides whether another is evaluated, all that it reads.
    pub(crate) fn risk(self, expr: &Expr, asker: Asker) -> Option<BitSet<ObjectId>> {
        let mut found = Footprint::default();
        let (mut may_fail, mut has_choice) = (false, false);
        expr.walk(&mut |part| {
            has_choice |=
                matches!(part.kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ExprKind::Conditional(_));
            if !self.constants().may_fail(part, asker) {
                return;
            }
            may_fail = true;
            match &part.kind {
                ExprKind::Binary(_, _, divisor) if self.network.model.arithmetic == Arithmetic::Wrapping32 => {
                    self.read(divisor, asker, &mut found)
                }
                ExprKind::Read(place) => self.read_indices(place, asker, &mut found),
                _ => self.read(part, asker, &mut found),
            }
        });
        may_fail.then(|| if has_choice { self.of(expr, asker).reads } else { found.reads })
    }
}

/// The comparison with its sides exchanged.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        same => same,
    }
}
