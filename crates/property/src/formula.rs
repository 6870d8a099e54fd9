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

impl<P> Formula<P> {
    /// The formula over what `proposition` makes of each proposition, which are visited from left
    /// to right.
    pub fn map<Q>(&self, proposition: &mut dyn FnMut(&P) -> Q) -> Formula<Q> {
        match self {
            Formula::Proposition(inner) => Formula::Proposition(proposition(inner)),
            Formula::Unary(op, a) => Formula::Unary(*op, Box::new(a.map(proposition))),
            Formula::Binary(op, a, b) => {
                let left = Box::new(a.map(proposition));
                Formula::Binary(*op, left, Box::new(b.map(proposition)))
            }
        }
    }
}

impl<P> Formula<P> {
    /// Whether it says of every state that something is true there, and nothing else.
    pub fn is_invariant(&self) -> bool {
        match self {
            Formula::Unary(Unary::Always, inner) => inner.is_about_states() || inner.is_invariant(),
            Formula::Binary(Binary::And, a, b) => a.is_invariant() && b.is_invariant(),
            _ => false,
        }
    }

    /// Whether it has no temporal operator.
    fn is_about_states(&self) -> bool {
        match self {
            Formula::Proposition(_) => true,
            Formula::Unary(op, a) => *op == Unary::Not && a.is_about_states(),
            Formula::Binary(op, a, b) => {
                let is_plain = matches!(op, Binary::And | Binary::Or | Binary::Implies | Binary::Equivalent);
                is_plain && a.is_about_states() && b.is_about_states()
            }
        }
    }
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
