//! What all rounds of a loop do, as one step.

use ample_model::{BinaryOp, Effect, Expr, ExprKind, Place};

use super::counting_loop::{Change, CountingLoop};

impl CountingLoop<'_> {
    /// The condition under which there is a round.
    pub(super) fn condition(&self) -> Expr {
        let within = if self.step > 0 { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
        self.binary(within, self.read(self.counter), self.number(self.bound))
    }

    /// What all rounds leave behind. The counter comes last, since the number of rounds is found
    /// from it.
    pub(super) fn effects(&self) -> Vec<Effect> {
        let others = self.changes.values().map(|change| match change {
            Change::Set(place, value) => ((*place).clone(), self.number(*value)),
            Change::Add(place, step) => ((*place).clone(), self.after_rounds(place, *step)),
        });
        let last = match self.step {
            1 | -1 => self.number(self.bound + self.step),
            step => self.after_rounds(self.counter, step),
        };
        let all = others.chain([(self.counter.clone(), last)]);
        all.map(|(place, value)| Effect { place, value }).collect()
    }

    /// The value of a variable to which each round adds the same number.
    fn after_rounds(&self, place: &Place, step: i64) -> Expr {
        let sum = self.binary(BinaryOp::Multiply, self.number(step), self.rounds());
        self.binary(BinaryOp::Add, self.read(place), sum)
    }

    /// How many rounds there are. There are few enough that the distance does not overflow.
    fn rounds(&self) -> Expr {
        let (counter, bound) = (self.read(self.counter), self.number(self.bound));
        let (high, low) = if self.step > 0 { (bound, counter) } else { (counter, bound) };
        let distance = self.binary(BinaryOp::Subtract, high, low);
        let before_last = match self.step.abs() {
            1 => distance,
            step => self.binary(BinaryOp::Divide, distance, self.number(step)),
        };
        self.binary(BinaryOp::Add, before_last, self.number(1))
    }

    fn read(&self, place: &Place) -> Expr {
        self.expr(ExprKind::Read(place.clone()))
    }

    fn number(&self, value: i64) -> Expr {
        self.expr(ExprKind::Const(value))
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.template.edges[self.round[0]].span }
    }
}
