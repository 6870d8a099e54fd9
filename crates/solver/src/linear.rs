//! Sums of multiples of variables.

use crate::evaluate::Assignment;
use crate::formula::Variable;
use crate::number::{Integer, floor_div, floor_rem, gcd};

/// A sum of multiples of variables and a constant. The variables are in order, and no multiple is
/// by zero, so that equal sums look the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Linear {
    pub terms: Vec<(Variable, Integer)>,
    pub constant: Integer,
}

impl From<Integer> for Linear {
    fn from(constant: Integer) -> Linear {
        Linear { terms: Vec::new(), constant }
    }
}

impl From<Variable> for Linear {
    fn from(variable: Variable) -> Linear {
        Linear { terms: vec![(variable, Integer::ONE)], constant: Integer::ZERO }
    }
}

impl Linear {
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// What a variable is multiplied by.
    pub fn coefficient(&self, variable: Variable) -> Integer {
        let found = self.terms.binary_search_by_key(&variable, |term| term.0);
        found.map_or(Integer::ZERO, |at| self.terms[at].1.clone())
    }

    /// `self + by · other`
    pub fn plus(&self, by: &Integer, other: &Linear) -> Linear {
        if by.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) if a == b => {
                    if let (Some((variable, x)), Some((_, y))) = (left.next(), right.next()) {
                        let sum = x + by * y;
                        if !sum.is_zero() {
                            terms.push((*variable, sum));
                        }
                    }
                }
                (Some((a, _)), Some((b, _))) if a < b => terms.extend(left.next().cloned()),
                (Some(_), None) => terms.extend(left.next().cloned()),
                (_, Some(_)) => terms.extend(right.next().map(|(variable, y)| (*variable, by * y))),
                (None, None) => break,
            }
        }
        Linear { terms, constant: &self.constant + by * &other.constant }
    }

    pub fn plus_constant(mut self, constant: &Integer) -> Linear {
        self.constant += constant;
        self
    }

    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(&Integer::NEG_ONE, other)
    }

    pub fn times(&self, by: &Integer) -> Linear {
        Linear::default().plus(by, self)
    }

    pub fn negated(&self) -> Linear {
        self.times(&Integer::NEG_ONE)
    }

    /// Without the variable.
    pub fn without(&self, variable: Variable) -> Linear {
        let mut rest = self.clone();
        rest.terms.retain(|term| term.0 != variable);
        rest
    }

    /// With the variable replaced by a sum.
    pub fn substitute(&self, variable: Variable, by: &Linear) -> Linear {
        let coefficient = self.coefficient(variable);
        if coefficient.is_zero() { self.clone() } else { self.without(variable).plus(&coefficient, by) }
    }

    /// The greatest common divisor of the coefficients, without the constant; zero if there are
    /// none.
    pub fn content(&self) -> Integer {
        self.terms.iter().fold(Integer::ZERO, |common, (_, coefficient)| gcd(&common, coefficient))
    }

    /// Each coefficient and the constant divided by a number and rounded down, and what is left: in
    /// the remainder all of them are from zero to the number less one.
    pub fn split(&self, by: &Integer) -> (Linear, Linear) {
        let part = |of: &dyn Fn(&Integer, &Integer) -> Integer| {
            let terms = self.terms.iter().map(|(variable, coefficient)| (*variable, of(coefficient, by)));
            Linear { terms: terms.filter(|term| !term.1.is_zero()).collect(), constant: of(&self.constant, by) }
        };
        (part(&floor_div), part(&floor_rem))
    }

    pub fn value(&self, at: &Assignment) -> Integer {
        let terms = self.terms.iter().map(|(variable, coefficient)| coefficient * at.integer(*variable));
        terms.sum::<Integer>() + &self.constant
    }
}
