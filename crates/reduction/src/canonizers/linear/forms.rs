//! The expressions whose value goes along when a set of cells is shifted.

use ample_model::{BinaryOp, Expr, ExprKind, Scalar, UnaryOp};
use ample_network::facts::InstanceId;

use super::sets::Ring;
use crate::canonizers::cells::Names;

/// Numbers that are added are kept below this, so that nothing wraps before a remainder is taken.
const MOST_ADDED: i64 = 1 << 30;

/// A value of a set: that of a cell, shifted.
#[derive(Clone, Debug, Default)]
pub(super) struct Form<'e> {
    /// The cells that it may come from.
    pub cells: Vec<usize>,
    /// The rings in which something was added.
    pub rings: Vec<Ring>,
    /// What else is evaluated: indices and conditions.
    pub observed: Vec<&'e Expr>,
}

impl Form<'_> {
    fn within(mut self, ring: Ring) -> Self {
        self.rings.push(ring);
        self
    }
}

impl Names<'_> {
    /// A value of a set with something added, in integers; `None` if it is none.
    pub(super) fn sum<'e>(&self, expr: &'e Expr, asker: Option<InstanceId>) -> Option<(Form<'e>, i64)> {
        let small = |value: i64| Some(value).filter(|value| value.abs() < MOST_ADDED);
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = &expr.kind {
            let ((form, before), added) = match (self.constant(left, asker), self.constant(right, asker)) {
                (None, Some(added)) if *op == BinaryOp::Subtract => (self.sum(left, asker)?, -small(added)?),
                (None, Some(added)) => (self.sum(left, asker)?, small(added)?),
                (Some(added), None) if *op == BinaryOp::Add => (self.sum(right, asker)?, small(added)?),
                _ => return Some((self.form(expr, asker)?, 0)),
            };
            let sum = before + added;
            return Some((form, small(sum)?));
        }
        Some((self.form(expr, asker)?, 0))
    }

    /// A value of a set as it is; `None` if it is none.
    pub(super) fn form<'e>(&self, expr: &'e Expr, asker: Option<InstanceId>) -> Option<Form<'e>> {
        if self.constant(expr, asker).is_some() {
            return None;
        }
        match &expr.kind {
            ExprKind::Read(place) => {
                let observed = place.indices.iter().map(|index| &index.value).collect();
                Some(Form { cells: self.variables(place, asker), rings: Vec::new(), observed })
                    .filter(|form| !form.cells.is_empty())
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let (mut form, other) = (self.form(yes, asker)?, self.form(no, asker)?);
                form.cells.extend(other.cells);
                form.rings.extend(other.rings);
                form.observed.extend(other.observed);
                form.observed.push(condition);
                Some(form)
            }
            ExprKind::Unary(UnaryOp::Not, bit) => Some(self.form(bit, asker)?.within(Ring::Below(2))),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, asker),
            _ => None,
        }
    }

    fn binary<'e>(&self, op: BinaryOp, left: &'e Expr, right: &'e Expr, asker: Option<InstanceId>) -> Option<Form<'e>> {
        let constants = (self.constant(left, asker), self.constant(right, asker));
        match (op, constants) {
            // What is negative has a negative remainder.
            (BinaryOp::Remainder, (_, Some(n @ 2..MOST_ADDED))) => {
                let (form, added) = self.sum(left, asker)?;
                (added >= 0).then(|| form.within(Ring::Below(n as u32)))
            }
            (BinaryOp::BitAnd, (_, Some(mask @ 1..))) if (mask + 1).count_ones() == 1 => {
                Some(self.sum(left, asker)?.0.within(Ring::Below(mask as u32 + 1)))
            }
            (BinaryOp::Subtract, (Some(1), _)) => Some(self.form(right, asker)?.within(Ring::Below(2))),
            (BinaryOp::BitXor, (_, Some(1))) => Some(self.form(left, asker)?.within(Ring::Below(2))),
            (BinaryOp::BitXor, (Some(1), _)) => Some(self.form(right, asker)?.within(Ring::Below(2))),
            (BinaryOp::Add, (Some(0), None)) => self.form(right, asker),
            (BinaryOp::Add | BinaryOp::Subtract, (None, Some(0))) => self.form(left, asker),
            // Integers of 32 bits wrap around in every expression.
            (BinaryOp::Add, (None, Some(_))) | (BinaryOp::Subtract, (None, Some(_))) => {
                Some(self.form(left, asker)?.within(Ring::Wrapping(Scalar::Int)))
            }
            (BinaryOp::Add, (Some(_), None)) => Some(self.form(right, asker)?.within(Ring::Wrapping(Scalar::Int))),
            _ => None,
        }
    }
}
