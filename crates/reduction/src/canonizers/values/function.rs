//! Expressions that depend on one variable only, as functions of its value.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, UnaryOp};
use ample_network::facts::InstanceId;

use crate::canonizers::cells::Names;

/// A function of one number. It has no value where its evaluation fails.
#[derive(Clone, Debug)]
pub(super) enum Function {
    /// The number itself.
    Identity,
    Constant(i64),
    Unary(UnaryOp, Box<Function>),
    Binary(BinaryOp, Box<[Function; 2]>),
    Conditional(Box<[Function; 3]>),
}

impl Function {
    /// Whether the number is this one.
    pub fn is(value: i64) -> Function {
        Function::Binary(BinaryOp::Equal, Box::new([Function::Identity, Function::Constant(value)]))
    }

    pub fn apply(&self, arithmetic: Arithmetic, number: i64) -> Option<i64> {
        Some(match self {
            Function::Identity => number,
            Function::Constant(value) => *value,
            Function::Unary(op, operand) => arithmetic.unary(*op, operand.apply(arithmetic, number)?).ok()?,
            Function::Binary(op, operands) => {
                let [left, right] = &**operands;
                let left = left.apply(arithmetic, number)?;
                match op {
                    BinaryOp::And if left == 0 => 0,
                    BinaryOp::Or if left != 0 => 1,
                    _ => arithmetic.binary(*op, left, right.apply(arithmetic, number)?).ok()?,
                }
            }
            Function::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let chosen = if condition.apply(arithmetic, number)? != 0 { yes } else { no };
                chosen.apply(arithmetic, number)?
            }
        })
    }
}

/// An expression as a function of one variable.
pub(super) struct OfOne<'e> {
    pub function: Function,
    /// The cells that the variable may be.
    pub cells: Vec<usize>,
    /// Whether it is a variable of another process.
    pub is_remote: bool,
    /// What else is evaluated: indices, and the number of the process.
    pub observed: Vec<&'e Expr>,
}

impl Names<'_> {
    /// An expression as a function of one variable; `None` if it depends on something else, too, or
    /// on nothing.
    pub(super) fn of_one<'e>(&self, expr: &'e Expr, asker: Option<InstanceId>) -> Option<OfOne<'e>> {
        let mut of = OfOne { function: Function::Identity, cells: Vec::new(), is_remote: false, observed: Vec::new() };
        of.function = self.function(expr, asker, &mut of)?;
        (!of.cells.is_empty()).then_some(of)
    }

    fn function<'e>(&self, expr: &'e Expr, asker: Option<InstanceId>, of: &mut OfOne<'e>) -> Option<Function> {
        if let Some(value) = self.constant(expr, asker) {
            return Some(Function::Constant(value));
        }
        let mut inside = |expr: &'e Expr| self.function(expr, asker, of);
        match &expr.kind {
            ExprKind::Unary(op, operand) => Some(Function::Unary(*op, Box::new(inside(operand)?))),
            ExprKind::Binary(op, left, right) => Some(Function::Binary(*op, Box::new([inside(left)?, inside(right)?]))),
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                Some(Function::Conditional(Box::new([inside(condition)?, inside(yes)?, inside(no)?])))
            }
            ExprKind::Read(place) => of.depends_on(self.variables(place, asker), false).then(|| {
                of.observed.extend(place.indices.iter().map(|index| &index.value));
                Function::Identity
            }),
            ExprKind::RemoteRead(remote) => of.depends_on(self.remote(remote, asker), true).then(|| {
                of.observed.extend(&remote.pid);
                of.observed.extend(remote.place.indices.iter().map(|index| &index.value));
                Function::Identity
            }),
            _ => None,
        }
    }
}

impl OfOne<'_> {
    /// Notes a variable; false if there is another one. What may be one of several variables may be
    /// another one the second time.
    fn depends_on(&mut self, cells: Vec<usize>, is_remote: bool) -> bool {
        if self.cells.is_empty() {
            (self.cells, self.is_remote) = (cells, is_remote);
            return !self.cells.is_empty();
        }
        self.cells.len() == 1 && self.cells == cells && self.is_remote == is_remote
    }
}
