//! Formulas: the largest parts without temporal operators become propositions.

use ample_model::{BinaryOp, Expr as Out, ExprKind as OutKind, UnaryOp};
use ample_property::{Binary, Formula, Property, PropertyKind, Unary};
use ample_source::Diagnostic;

use crate::lower::expressions::Names;
use crate::lower::lowering::Lowering;
use crate::lower::walked::Flows;
use crate::syntax::{Expr, ExprKind, Temporal};

impl Lowering<'_, '_> {
    pub(super) fn formula(&mut self, expr: &Expr, flows: Flows<'_, '_>) -> Formula {
        if !is_temporal(expr) {
            return Formula::Proposition(self.proposition(expr, flows));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.unary(Unary::Not, operand, flows),
            ExprKind::Binary(BinaryOp::And, left, right) => self.binary(Binary::And, left, right, flows),
            ExprKind::Binary(BinaryOp::Or, left, right) => self.binary(Binary::Or, left, right, flows),
            ExprKind::Temporal(op, left, right) => match (op, right) {
                (Temporal::Always, _) => self.unary(Unary::Always, left, flows),
                (Temporal::Eventually, _) => self.unary(Unary::Eventually, left, flows),
                (Temporal::Next, _) => self.unary(Unary::Next, left, flows),
                (op, Some(right)) => self.binary(binary(*op), left, right, flows),
                (_, None) => self.formula(left, flows),
            },
            _ => {
                self.error(expr.span, "a temporal operator cannot stand inside an expression");
                Formula::Proposition(Out::constant(0, expr.span))
            }
        }
    }

    /// An expression that is looked at from outside of all processes, in every state, and so must
    /// not change anything.
    pub(super) fn proposition(&mut self, expr: &Expr, flows: Flows<'_, '_>) -> Out {
        let names = Names { here: None, order: u32::MAX, flows: Some(flows) };
        let proposition = self.expression(expr, &names);
        let mut wrong = None;
        proposition.walk(&mut |part| {
            let (message, note) = match part.kind {
                OutKind::Run(_) => (
                    "a formula cannot create a process",
                    "a proposition is evaluated in every state and must not change anything",
                ),
                OutKind::Pid => ("a formula belongs to no process", "`_pid` is the number of the process that asks"),
                _ => return,
            };
            wrong.get_or_insert(Diagnostic::error(part.span, message).note(note));
        });
        self.diagnostics.extend(wrong);
        proposition
    }

    fn unary(&mut self, op: Unary, operand: &Expr, flows: Flows<'_, '_>) -> Formula {
        Formula::Unary(op, Box::new(self.formula(operand, flows)))
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, flows: Flows<'_, '_>) -> Formula {
        let left = Box::new(self.formula(left, flows));
        Formula::Binary(op, left, Box::new(self.formula(right, flows)))
    }
}

fn binary(op: Temporal) -> Binary {
    match op {
        Temporal::Until => Binary::Until,
        Temporal::WeakUntil => Binary::WeakUntil,
        Temporal::Release => Binary::Release,
        Temporal::Implies => Binary::Implies,
        _ => Binary::Equivalent,
    }
}

fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Unary(_, a) => is_temporal(a),
        ExprKind::Binary(_, a, b) => is_temporal(a) || is_temporal(b),
        ExprKind::Conditional(parts) => parts.iter().any(is_temporal),
        _ => false,
    }
}

/// Calls `visit` on every expression of a property.
pub(super) fn walk(property: &Property, visit: &mut dyn FnMut(&Out)) {
    match &property.kind {
        PropertyKind::Ltl(formula) => walk_formula(formula, visit),
        PropertyKind::Never(template) => {
            template.edges.iter().for_each(|edge| edge.walk(visit));
        }
        PropertyKind::Claim(claim) => claim.propositions.iter().for_each(|proposition| proposition.walk(visit)),
    }
}

fn walk_formula(formula: &Formula, visit: &mut dyn FnMut(&Out)) {
    match formula {
        Formula::Proposition(expr) => expr.walk(visit),
        Formula::Unary(_, a) => walk_formula(a, visit),
        Formula::Binary(_, a, b) => {
            walk_formula(a, visit);
            walk_formula(b, visit);
        }
    }
}
