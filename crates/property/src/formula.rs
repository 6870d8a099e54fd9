//! Formulas of linear temporal logic over the expressions of a model.

use ample_model::Expr;

/// A formula. Propositions are the largest parts without temporal operators.
///
/// `P` is what a proposition is: an expression of a model, or the text of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula<P = Expr> {
    /// True where the expression is not zero.
    Proposition(P),
    /// An operator with one operand.
    Unary(Unary, Box<Formula<P>>),
    /// An operator with two operands.
    Binary(Binary, Box<Formula<P>>, Box<Formula<P>>),
}

/// Operators with one operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the operators
pub enum Unary {
    Not,
    Next,
    Always,
    Eventually,
}

/// Operators with two operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the operators
pub enum Binary {
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
}
