//! Expressions over the variables and states of the model.

use ample_model::{
    Arithmetic, BinaryOp, Expr as Out, ExprKind as OutKind, Index, LocationId, Place, RemoteAt, RemoteRead, UnaryOp,
};
use ample_source::{Diagnostic, Span};
use ample_stdx::TypedId;

use super::declare::whose;
use super::lowering::{Here, Lowering};
use super::resolve::Resolved;
use super::scope::{Scope, Slots};
use crate::syntax::{Expr, ExprKind, Variable};

impl Lowering<'_, '_> {
    pub(super) fn expression(&mut self, expr: &Expr, here: &Here<'_>) -> Out {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Int(value) => OutKind::Const((*value).into()),
            ExprKind::Unary(op, a) => OutKind::Unary(*op, Box::new(self.expression(a, here))),
            ExprKind::Binary(op, a, b) => {
                let left = Box::new(self.expression(a, here));
                OutKind::Binary(*op, left, Box::new(self.expression(b, here)))
            }
            ExprKind::Imply(a, b) => {
                let left = not(self.expression(a, here));
                OutKind::Binary(BinaryOp::Or, Box::new(left), Box::new(self.expression(b, here)))
            }
            ExprKind::Variable(variable) => return self.read(variable, here),
        };
        Out { kind, span }
    }

    fn read(&mut self, variable: &Variable, here: &Here<'_>) -> Out {
        let span = variable.span;
        let unknown = Out::constant(0, span);
        let Some(resolved) = self.resolve(variable, here) else { return unknown };
        match resolved {
            Resolved::Variable(slots, member) => {
                let Some(place) = self.place_at(variable, slots, member, here) else { return unknown };
                self.read_place(place, member, here)
            }
            Resolved::Constant(_) | Resolved::State(..) | Resolved::Channel(_) if variable.index.is_some() => {
                self.error(span, format!("`{}` is not an array", variable.name.text));
                unknown
            }
            Resolved::Constant(value) => Out::constant(value, span),
            Resolved::State(member, location) => self.state_test(member, location, here, span),
            Resolved::Channel(_) => {
                self.error(span, format!("`{}` is a channel, and has no value", variable.name.text));
                unknown
            }
        }
    }

    fn read_place(&self, place: Place, member: Option<usize>, here: &Here<'_>) -> Out {
        let span = place.span;
        let kind = match member {
            Some(owner) if !self.is_own(owner, here) => {
                let template = self.members[owner].template;
                let pid = Some(Out::constant(template.index() as i32, span));
                OutKind::RemoteRead(Box::new(RemoteRead { template, pid, place }))
            }
            _ => OutKind::Read(place),
        };
        Out { kind, span }
    }

    /// Whether the variables of a process are at hand. In a synchronous system all processes are
    /// one.
    fn is_own(&self, owner: usize, here: &Here<'_>) -> bool {
        here.member.is_some_and(|member| self.members[member].template == self.members[owner].template)
    }

    /// Is this process in this state?
    pub(super) fn state_test(&self, member: usize, location: LocationId, here: &Here<'_>, span: Span) -> Out {
        if let Some(at) = here.at {
            return Out::constant(i32::from(at.get(member) == Some(&location)), span);
        }
        if let Some(product) = &self.product {
            let places = product.locations_with(member, location);
            let tests = places.map(|(location, label)| self.remote_at(member, location, label, span));
            return any(tests.collect(), span);
        }
        let label = self.members[member].states.names().nth(location.index().wrapping_sub(1)).unwrap_or("");
        self.remote_at(member, location, label.to_owned(), span)
    }

    fn remote_at(&self, member: usize, location: LocationId, label: String, span: Span) -> Out {
        let template = self.members[member].template;
        let pid = Some(Out::constant(template.index() as i32, span));
        Out { kind: OutKind::RemoteAt(Box::new(RemoteAt { template, pid, location, label })), span }
    }

    fn place_at(&mut self, variable: &Variable, slots: Slots, member: Option<usize>, here: &Here<'_>) -> Option<Place> {
        let name = &variable.name.text;
        let indices = match (&variable.index, slots.length) {
            (None, None) => Vec::new(),
            (Some(index), Some(length)) => {
                let value = self.expression(index, here);
                if let Some(known) = fold(&value)
                    && !(0..i64::from(length)).contains(&i64::from(known))
                {
                    let message = format!("`{name}` has {length} elements, and there is none with the index {known}");
                    self.diagnostics.push(Diagnostic::warning(index.span, message).note("reaching it is an error"));
                }
                vec![Index { value, length, stride: 1, low: 0 }]
            }
            (None, Some(length)) => {
                self.warn_of_first_element(variable, slots, length);
                vec![Index { value: Out::constant(0, variable.span), length, stride: 1, low: 0 }]
            }
            (Some(_), None) => {
                self.error(variable.span, format!("`{name}` is not an array"));
                return None;
            }
        };
        Some(Place { scope: whose(member), first: slots.first, indices, span: variable.span })
    }

    /// An array without an index is its first element, as in DiVinE. Said once for each array.
    fn warn_of_first_element(&mut self, variable: &Variable, slots: Slots, length: u32) {
        if self.unindexed.contains(&(variable.name.text.clone(), slots.first)) {
            return;
        }
        self.unindexed.push((variable.name.text.clone(), slots.first));
        let name = &variable.name.text;
        let message = format!("`{name}` is an array of {length} elements, and no index is given");
        let help = format!("if this is meant, write `{name}[0]`");
        self.diagnostics.push(Diagnostic::warning(variable.span, message).note("the first is taken").help(help));
    }

    /// The place that a process writes to.
    pub(super) fn place(&mut self, variable: &Variable, here: &Here<'_>) -> Option<Place> {
        let name = &variable.name.text;
        match self.resolve(variable, here)? {
            Resolved::Variable(slots, _) if slots.is_constant => {
                self.error(variable.span, format!("the constant `{name}` cannot be changed"));
            }
            Resolved::Variable(slots, member) => {
                let is_own = member.is_none() || member == here.member;
                if is_own {
                    return self.place_at(variable, slots, member, here);
                }
                let error = Diagnostic::error(variable.span, format!("`{name}` belongs to another process"));
                self.diagnostics.push(error.help("a process changes global variables and its own"));
            }
            Resolved::Constant(_) => self.error(variable.span, format!("the constant `{name}` cannot be changed")),
            Resolved::Channel(_) => self.error(variable.span, format!("the channel `{name}` cannot be changed")),
            Resolved::State(..) => self.error(variable.span, "a state cannot be assigned to"),
        }
        None
    }

    /// The value of an expression over constants.
    pub(super) fn constant_here(&mut self, expr: &Expr, here: &Here<'_>) -> i32 {
        let lowered = self.expression(expr, here);
        fold(&lowered).unwrap_or_else(|| {
            if !self.diagnostics.has_errors() {
                self.error(expr.span, "a constant is expected here");
            }
            1
        })
    }

    /// The value of an expression over global constants and these.
    pub(super) fn constant_in(&mut self, expr: &Expr, constants: Option<&Scope>) -> i32 {
        self.constant_here(expr, &Here { constants, ..Here::default() })
    }
}

/// The value of an expression over numbers.
pub(super) fn fold(expr: &Out) -> Option<i32> {
    match &expr.kind {
        OutKind::Const(value) => i32::try_from(*value).ok(),
        OutKind::Unary(op, a) => Arithmetic::Wrapping32.unary(*op, fold(a)?.into()).ok().map(|value| value as i32),
        OutKind::Binary(op, a, b) => {
            let value = Arithmetic::Wrapping32.binary(*op, fold(a)?.into(), fold(b)?.into());
            value.ok().map(|value| value as i32)
        }
        _ => None,
    }
}

/// The negation.
pub(super) fn not(expr: Out) -> Out {
    let span = expr.span;
    Out { kind: OutKind::Unary(UnaryOp::Not, Box::new(expr)), span }
}

/// Both, if there are two.
pub(super) fn both(left: Option<Out>, right: Option<Out>) -> Option<Out> {
    match (left, right) {
        (Some(left), Some(right)) => {
            let span = left.span;
            Some(Out { kind: OutKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)), span })
        }
        (left, right) => left.or(right),
    }
}

/// At least one; built balanced, so that many are not deep.
pub(super) fn any(tests: Vec<Out>, span: Span) -> Out {
    balanced(tests, BinaryOp::Or).unwrap_or(Out::constant(0, span))
}

/// All of them.
pub(super) fn all(tests: Vec<Out>) -> Option<Out> {
    balanced(tests, BinaryOp::And)
}

fn balanced(mut operands: Vec<Out>, op: BinaryOp) -> Option<Out> {
    while operands.len() > 1 {
        let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            let span = left.span;
            halved.push(match rest.next() {
                Some(right) => Out { kind: OutKind::Binary(op, Box::new(left), Box::new(right)), span },
                None => left,
            });
        }
        operands = halved;
    }
    operands.pop()
}
