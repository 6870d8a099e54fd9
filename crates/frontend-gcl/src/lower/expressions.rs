//! Expressions over the variables of the program.

use ample_model::{Arithmetic, BinaryOp, Expr as Out, ExprKind as OutKind, NoValue, UnaryOp};
use ample_source::{Diagnostic, Span};

use super::kinds::Typed;
use super::lowering::{Here, Lowering, unknown};
use super::resolve::Resolved;
use super::scope::{Constant, Kind};
use crate::syntax::{Expr, ExprKind, Variable};

impl Lowering<'_, '_> {
    /// An expression that is true or false.
    pub(super) fn condition(&mut self, expr: &Expr, here: &Here) -> Out {
        let typed = self.expression(expr, here);
        self.of_kind(typed, Kind::Truth)
    }

    /// An expression that is looked at from outside, of whatever kind.
    pub(super) fn value(&mut self, expr: &Expr) -> Out {
        self.expression(expr, &Here::default()).out
    }

    /// An expression whose value is a number.
    pub(super) fn number(&mut self, expr: &Expr, here: &Here) -> Out {
        let typed = self.expression(expr, here);
        self.of_kind(typed, Kind::Number)
    }

    pub(super) fn expression(&mut self, expr: &Expr, here: &Here) -> Typed {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Typed::new(OutKind::Const(*value), span, Kind::Number),
            ExprKind::Bool(value) => Typed::new(OutKind::Const(i64::from(*value)), span, Kind::Truth),
            ExprKind::None => Typed::new(OutKind::Const(0), span, Kind::NoElement),
            ExprKind::Variable(variable) => self.read(variable, here),
            ExprKind::Unary(op, a) => self.unary(*op, a, span, here),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span, here),
            ExprKind::Conditional(parts) => self.conditional(parts, span, here),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, span: Span, here: &Here) -> Typed {
        let kind = if op == UnaryOp::Not { Kind::Truth } else { Kind::Number };
        let operand = self.expression(a, here);
        let operand = self.of_kind(operand, kind);
        if let OutKind::Const(value) = operand.kind
            && let Ok(value) = Arithmetic::Exact.unary(op, value)
        {
            return Typed::new(OutKind::Const(value), span, kind);
        }
        Typed::new(OutKind::Unary(op, Box::new(operand)), span, kind)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span, here: &Here) -> Typed {
        use BinaryOp as B;
        let (left, right) = (self.expression(a, here), self.expression(b, here));
        let (operands, result) = match op {
            B::And | B::Or => (Kind::Truth, Kind::Truth),
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => (Kind::Number, Kind::Truth),
            B::Equal | B::NotEqual => (self.compared(&left, &right, span), Kind::Truth),
            _ => (Kind::Number, Kind::Number),
        };
        let is_right = |typed: &Typed| typed.kind.unified(operands).is_some();
        let result = if is_right(&left) && is_right(&right) || result == Kind::Truth { result } else { Kind::Unknown };
        // What cannot be compared was reported; the operands are left as they are.
        let (left, right) = match operands {
            Kind::Unknown => (left.out, right.out),
            kind => (self.of_kind(left, kind), self.of_kind(right, kind)),
        };
        if let (OutKind::Const(a), OutKind::Const(b)) = (&left.kind, &right.kind)
            && let Ok(value) = Arithmetic::Exact.binary(op, *a, *b)
        {
            return Typed::new(OutKind::Const(value), span, result);
        }
        Typed::new(OutKind::Binary(op, Box::new(left), Box::new(right)), span, result)
    }

    /// What both operands of a comparison are.
    fn compared(&mut self, left: &Typed, right: &Typed, span: Span) -> Kind {
        match left.kind.unified(right.kind) {
            Some(Kind::NoElement) => {
                self.error(span, "`none` is compared with `none`");
                Kind::Unknown
            }
            Some(kind) => kind,
            None => {
                let (a, b) = (self.kind_name(left.kind), self.kind_name(right.kind));
                let error = Diagnostic::error(span, format!("{a} cannot be compared with {b}"));
                let error = error.secondary(left.out.span, a).secondary(right.out.span, b);
                self.diagnostics.push(match (left.kind, right.kind) {
                    (Kind::Element(set), _) | (_, Kind::Element(set)) => error.note(self.about_set(set)),
                    _ => error,
                });
                Kind::Unknown
            }
        }
    }

    fn conditional(&mut self, parts: &[Expr; 3], span: Span, here: &Here) -> Typed {
        let [condition, yes, no] = parts;
        let condition = self.condition(condition, here);
        let (yes, no) = (self.expression(yes, here), self.expression(no, here));
        let Some(kind) = yes.kind.unified(no.kind) else {
            let (a, b) = (self.kind_name(yes.kind), self.kind_name(no.kind));
            let error = Diagnostic::error(span, "the two values of this choice are of different kinds");
            self.diagnostics.push(error.secondary(yes.out.span, a).secondary(no.out.span, b));
            return Typed::unknown(span);
        };
        let (yes, no) = (yes.settled(kind), no.settled(kind));
        match condition.kind {
            OutKind::Const(value) => Typed { out: if value != 0 { yes } else { no }, kind },
            _ => Typed::new(OutKind::Conditional(Box::new([condition, yes, no])), span, kind),
        }
    }

    fn read(&mut self, variable: &Variable, here: &Here) -> Typed {
        let span = variable.span;
        let Some(resolved) = self.resolve(variable, here) else { return Typed::unknown(span) };
        match resolved {
            Resolved::Constant(constant) => Typed::new(OutKind::Const(constant.value), span, constant.kind),
            Resolved::Variable(slots, owner) => match self.place(variable, slots, owner, here) {
                Some(place) => Typed::new(OutKind::Read(place), span, slots.ty.kind()),
                None => Typed::unknown(span),
            },
        }
    }

    /// The value of an expression over constants; what is none is reported.
    pub(super) fn constant(&mut self, expr: &Expr, here: &Here) -> Constant {
        let before = self.diagnostics.error_count();
        let typed = self.expression(expr, here);
        if let Some(value) = typed.value() {
            return Constant { value, kind: typed.kind };
        }
        if self.diagnostics.error_count() == before {
            let mut error = Diagnostic::error(expr.span, "a constant is expected here");
            match no_value(&typed.out) {
                Some(NoValue::DivisionByZero) => error = error.note("it divides by zero"),
                Some(NoValue::Beyond64Bits) => error = error.note("its value does not fit into 64 bits"),
                None => {}
            }
            self.diagnostics.push(error);
        }
        unknown()
    }

    /// The value of an expression over constants that is a number.
    pub(super) fn constant_number(&mut self, expr: &Expr, here: &Here) -> Option<i64> {
        let constant = self.constant(expr, here);
        match constant.kind {
            Kind::Unknown => None,
            Kind::Number => Some(constant.value),
            kind => {
                let found = self.kind_name(kind);
                self.error(expr.span, format!("expected a number, and this is {found}"));
                None
            }
        }
    }
}

/// Why an expression has no value, if it is because of constants.
fn no_value(out: &Out) -> Option<NoValue> {
    let mut reason = None;
    out.walk(&mut |part| {
        let found = match &part.kind {
            OutKind::Unary(op, a) => match a.kind {
                OutKind::Const(a) => Arithmetic::Exact.unary(*op, a).err(),
                _ => None,
            },
            OutKind::Binary(op, a, b) => match (&a.kind, &b.kind) {
                (OutKind::Const(a), OutKind::Const(b)) => Arithmetic::Exact.binary(*op, *a, *b).err(),
                _ => None,
            },
            _ => None,
        };
        reason = reason.or(found);
    });
    reason
}
