//! Formulas without quantifiers over integers without bound and truth values, as a caller builds
//! them.

use crate::number::Integer;
use crate::rounding::Rounding;

/// An integer that a formula is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// A truth value that a formula is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Proposition(pub u32);

/// What has an integer for its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// A number.
    Constant(Integer),
    /// A variable.
    Variable(Variable),
    /// The sum of all; of none it is zero.
    Sum(Vec<Term>),
    /// A multiple.
    Multiple(Integer, Box<Term>),
    /// The product of two.
    Product(Box<[Term; 2]>),
    /// The first divided by the second; see [`Rounding`] for what a quotient by zero is.
    Quotient(Rounding, Box<[Term; 2]>),
    /// What the division leaves.
    Remainder(Rounding, Box<[Term; 2]>),
    /// The bits that both have, in two's complement without bound.
    BitAnd(Box<[Term; 2]>),
    /// The first if the condition holds, else the second.
    Conditional(Box<Formula>, Box<[Term; 2]>),
}

/// How two terms compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
}

/// What is true or false.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formula {
    /// Always so.
    Constant(bool),
    /// A truth value.
    Proposition(Proposition),
    /// The contrary.
    Not(Box<Formula>),
    /// Each of them; of none it is true.
    All(Vec<Formula>),
    /// At least one of them; of none it is false.
    Any(Vec<Formula>),
    /// Both or neither.
    Same(Box<[Formula; 2]>),
    /// Two terms compare so.
    Compare(Comparison, Box<[Term; 2]>),
    /// The term is a multiple of the number; of zero only zero is one.
    Divides(Integer, Box<Term>),
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::Constant(value.into())
    }
}

impl From<Integer> for Term {
    fn from(value: Integer) -> Term {
        Term::Constant(value)
    }
}

impl From<Variable> for Term {
    fn from(variable: Variable) -> Term {
        Term::Variable(variable)
    }
}

/// How terms are written. (Methods, not operators of Rust: `==` would have to give a truth value.)
impl Term {
    /// `self + other`
    pub fn plus(self, other: impl Into<Term>) -> Term {
        Term::Sum(vec![self, other.into()])
    }

    /// `self − other`
    pub fn minus(self, other: impl Into<Term>) -> Term {
        Term::Sum(vec![self, other.into().negated()])
    }

    /// `−self`
    pub fn negated(self) -> Term {
        Term::Multiple(Integer::NEG_ONE, Box::new(self))
    }

    /// `self · other`
    pub fn times(self, other: impl Into<Term>) -> Term {
        Term::Product(Box::new([self, other.into()]))
    }

    /// `self / other`
    pub fn divided_by(self, other: impl Into<Term>, rounding: Rounding) -> Term {
        Term::Quotient(rounding, Box::new([self, other.into()]))
    }

    /// `self % other`
    pub fn remainder_by(self, other: impl Into<Term>, rounding: Rounding) -> Term {
        Term::Remainder(rounding, Box::new([self, other.into()]))
    }

    /// `self & other`
    pub fn bit_and(self, other: impl Into<Term>) -> Term {
        Term::BitAnd(Box::new([self, other.into()]))
    }

    /// `self | other`: what both have is counted once.
    pub fn bit_or(self, other: impl Into<Term>) -> Term {
        let other = other.into();
        self.clone().plus(other.clone()).minus(self.bit_and(other))
    }

    /// `self ^ other`: what both have is not counted.
    pub fn bit_xor(self, other: impl Into<Term>) -> Term {
        let other = other.into();
        let both = self.clone().bit_and(other.clone());
        self.plus(other).minus(Term::Multiple(2.into(), Box::new(both)))
    }

    /// `~self`
    pub fn complement(self) -> Term {
        self.negated().minus(1)
    }

    /// `self << by`
    pub fn shifted_left(self, by: usize) -> Term {
        Term::Multiple(Integer::ONE << by, Box::new(self))
    }

    /// `self >> by`, rounded down.
    pub fn shifted_right(self, by: usize) -> Term {
        self.divided_by(Integer::ONE << by, Rounding::Down)
    }

    /// `condition ? self : other`
    pub fn when(self, condition: Formula, other: impl Into<Term>) -> Term {
        Term::Conditional(Box::new(condition), Box::new([self, other.into()]))
    }

    /// `self < other`
    pub fn less(self, other: impl Into<Term>) -> Formula {
        Formula::Compare(Comparison::Less, Box::new([self, other.into()]))
    }

    /// `self <= other`
    pub fn at_most(self, other: impl Into<Term>) -> Formula {
        Formula::Compare(Comparison::AtMost, Box::new([self, other.into()]))
    }

    /// `self > other`
    pub fn greater(self, other: impl Into<Term>) -> Formula {
        other.into().less(self)
    }

    /// `self >= other`
    pub fn at_least(self, other: impl Into<Term>) -> Formula {
        other.into().at_most(self)
    }

    /// `self = other`
    pub fn equals(self, other: impl Into<Term>) -> Formula {
        Formula::Compare(Comparison::Equal, Box::new([self, other.into()]))
    }

    /// `self` is a multiple of the number.
    pub fn is_multiple_of(self, number: impl Into<Integer>) -> Formula {
        Formula::Divides(number.into(), Box::new(self))
    }

    /// Calls `visit` on each variable and each proposition, as often as it occurs.
    pub fn visit(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => visit(Symbol::Variable(*variable)),
            Term::Sum(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Term::Multiple(_, part) => part.visit(visit),
            Term::Product(parts) | Term::Quotient(_, parts) | Term::Remainder(_, parts) | Term::BitAnd(parts) => {
                parts.iter().for_each(|part| part.visit(visit))
            }
            Term::Conditional(condition, parts) => {
                condition.visit(visit);
                parts.iter().for_each(|part| part.visit(visit));
            }
        }
    }
}

/// What a formula is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// An integer.
    Variable(Variable),
    /// A truth value.
    Proposition(Proposition),
}

impl Formula {
    /// The contrary. (A negation of a negation is what it was.)
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// `self && other`
    pub fn and(self, other: Formula) -> Formula {
        Formula::All(vec![self, other])
    }

    /// `self || other`
    pub fn or(self, other: Formula) -> Formula {
        Formula::Any(vec![self, other])
    }

    /// `!self || other`
    pub fn implies(self, other: Formula) -> Formula {
        self.negated().or(other)
    }

    /// `self == other`
    pub fn same_as(self, other: Formula) -> Formula {
        Formula::Same(Box::new([self, other]))
    }

    /// Calls `visit` on each variable and each proposition, as often as it occurs.
    pub fn visit(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Proposition(proposition) => visit(Symbol::Proposition(*proposition)),
            Formula::Not(part) => part.visit(visit),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Formula::Same(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Formula::Compare(_, parts) => parts.iter().for_each(|part| part.visit(visit)),
            Formula::Divides(_, part) => part.visit(visit),
        }
    }

    /// What it is about, in order, each once.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        self.visit(&mut |symbol| symbols.push(symbol));
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
}
