//! Expressions whose evaluation may fail, and assignments that may, as far as can be seen from the
//! types of variables and without knowing the processes: a division by zero, an index out of range,
//! a channel or a process that is not there; where integers are exact, a value that does not fit
//! into 64 bits, or not into the range of the variable that it is assigned to.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, Frame, Model, Place, Scope, Template, UnaryOp};

/// What the expressions of a template risk.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Risk<'m> {
    arithmetic: Arithmetic,
    globals: &'m Frame,
    /// Those of the process, if it is known which.
    locals: Option<&'m Frame>,
}

/// The least and the greatest value that an operator may have, before it is known whether it fits
/// into 64 bits.
type Interval = (i128, i128);

/// All values.
const ANY: Interval = (i64::MIN as i128, i64::MAX as i128);

/// Truth values.
const TRUTH: Interval = (0, 1);

impl<'m> Risk<'m> {
    /// That of a template.
    pub(crate) fn of(model: &'m Model, template: &'m Template) -> Risk<'m> {
        Risk { arithmetic: model.arithmetic, globals: &model.globals, locals: Some(&template.frame) }
    }

    /// That of expressions of which it is not known whose they are.
    pub(crate) fn anywhere(model: &'m Model) -> Risk<'m> {
        Risk { arithmetic: model.arithmetic, globals: &model.globals, locals: None }
    }

    /// Whether the evaluation of an expression may fail.
    pub(crate) fn may_fail(self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| found = found || self.part_may_fail(part));
        found
    }

    /// The same apart from its operands.
    pub(crate) fn part_may_fail(self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) if self.may_be_zero(divisor) => true,
            ExprKind::Unary(..) | ExprKind::Binary(..) => self.may_exceed(part),
            ExprKind::Read(place) => self.may_miss(place),
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

    /// Whether an index may be out of range, apart from what it computes.
    pub(crate) fn may_miss(self, place: &Place) -> bool {
        place.indices.iter().any(|index| {
            let (low, high) = match (self.arithmetic, &index.value.kind) {
                (_, ExprKind::Const(value)) => (i128::from(*value), i128::from(*value)),
                (Arithmetic::Wrapping32, _) => ANY,
                (Arithmetic::Exact, _) => self.interval(&index.value),
            };
            low < 0 || high >= i128::from(index.length)
        })
    }

    /// Whether an assignment may fail whatever the place is: there is no value, or none that can be
    /// stored there.
    pub(crate) fn assignment_may_fail(self, place: &Place, value: &Expr) -> bool {
        self.may_not_fit(place, value) || self.may_fail(value)
    }

    /// Whether it may fail to tell what a place is.
    pub(crate) fn place_may_fail(self, place: &Place) -> bool {
        self.may_miss(place) || place.indices.iter().any(|index| self.may_fail(&index.value))
    }

    /// Whether a value may have no room where it is to be stored. All that wraps around has.
    pub(crate) fn may_not_fit(self, place: &Place, value: &Expr) -> bool {
        let Some((least, greatest)) = self.bounds(place) else { return false };
        let (low, high) = self.interval(value);
        low < least || high > greatest
    }

    /// Whether the value of an operator may be beyond 64 bits.
    pub(crate) fn may_exceed(self, part: &Expr) -> bool {
        if self.arithmetic == Arithmetic::Wrapping32 {
            return false;
        }
        let (low, high) = self.unbounded(part);
        low < ANY.0 || high > ANY.1
    }

    fn may_be_zero(self, divisor: &Expr) -> bool {
        match (self.arithmetic, &divisor.kind) {
            (_, ExprKind::Const(value)) => *value == 0,
            (Arithmetic::Wrapping32, _) => true,
            (Arithmetic::Exact, _) => {
                let (low, high) = self.interval(divisor);
                low <= 0 && high >= 0
            }
        }
    }

    /// What an expression may have for a value, if it has one. Only for exact integers.
    fn interval(self, expr: &Expr) -> Interval {
        let (low, high) = self.unbounded(expr);
        (low.clamp(ANY.0, ANY.1), high.clamp(ANY.0, ANY.1))
    }

    /// The same before it is known whether it fits into 64 bits.
    fn unbounded(self, expr: &Expr) -> Interval {
        match &expr.kind {
            ExprKind::Const(value) => (i128::from(*value), i128::from(*value)),
            ExprKind::Read(place) => self.stored(place),
            ExprKind::Unary(UnaryOp::Not, _) => TRUTH,
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                let (low, high) = self.interval(operand);
                (-high, -low)
            }
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b),
            ExprKind::Conditional(parts) => {
                let [_, yes, no] = &**parts;
                let (a, b) = (self.interval(yes), self.interval(no));
                (a.0.min(b.0), a.1.max(b.1))
            }
            _ => ANY,
        }
    }

    fn operator(self, op: BinaryOp, a: &Expr, b: &Expr) -> Interval {
        use BinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, NotEqual,
            Or, Remainder, ShiftLeft, ShiftRight, Subtract,
        };
        let operands = || (self.interval(a), self.interval(b));
        match op {
            And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => TRUTH,
            BitAnd | BitOr | BitXor => ANY,
            Add => {
                let (a, b) = operands();
                (a.0 + b.0, a.1 + b.1)
            }
            Subtract => {
                let (a, b) = operands();
                (a.0 - b.1, a.1 - b.0)
            }
            Multiply => {
                let (a, b) = operands();
                let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                let least = corners.iter().copied().min().unwrap_or(ANY.0);
                (least, corners.iter().copied().max().unwrap_or(ANY.1))
            }
            // Neither is further from zero than the dividend.
            Divide | Remainder => {
                let (low, high) = self.interval(a);
                let furthest = low.abs().max(high.abs());
                if op == Remainder { (-furthest.min(ANY.1), furthest.min(ANY.1)) } else { (-furthest, furthest) }
            }
            ShiftLeft | ShiftRight => (ANY.0 - 1, ANY.1 + 1),
        }
    }

    /// What a variable may hold.
    fn stored(self, place: &Place) -> Interval {
        let scalar = self.frame(place).and_then(|frame| frame.slots.get(place.first)).map(|slot| slot.scalar);
        scalar.map_or(ANY, |scalar| {
            let (low, high) = scalar.bounds();
            (i128::from(low), i128::from(high))
        })
    }

    /// What can be stored in a place, if not everything can.
    fn bounds(self, place: &Place) -> Option<Interval> {
        let scalar = self.frame(place)?.slots.get(place.first)?.scalar;
        matches!(scalar, ample_model::Scalar::Range { .. }).then(|| self.stored(place))
    }

    fn frame(self, place: &Place) -> Option<&'m Frame> {
        match place.scope {
            Scope::Global => Some(self.globals),
            Scope::Local => self.locals,
        }
    }
}
