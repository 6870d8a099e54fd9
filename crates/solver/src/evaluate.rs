//! The value of a formula where each variable has one: what a solution is judged by before it is
//! believed.

use std::collections::BTreeMap;

use crate::formula::{Comparison, Formula, Proposition, Term, Variable};
use crate::number::Integer;

/// A value for each variable and each proposition; what is not named is zero or false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// The variables.
    pub integers: BTreeMap<Variable, Integer>,
    /// The propositions.
    pub propositions: BTreeMap<Proposition, bool>,
}

impl Assignment {
    /// The value of a term.
    pub fn value(&self, term: &Term) -> Integer {
        match term {
            Term::Constant(value) => value.clone(),
            Term::Variable(variable) => self.integer(*variable),
            Term::Sum(parts) => parts.iter().map(|part| self.value(part)).sum(),
            Term::Multiple(by, part) => by * self.value(part),
            Term::Product(parts) => self.value(&parts[0]) * self.value(&parts[1]),
            Term::Quotient(rounding, parts) => rounding.quotient(&self.value(&parts[0]), &self.value(&parts[1])),
            Term::Remainder(rounding, parts) => rounding.remainder(&self.value(&parts[0]), &self.value(&parts[1])),
            Term::BitAnd(parts) => self.value(&parts[0]) & self.value(&parts[1]),
            Term::Conditional(condition, parts) => self.value(&parts[usize::from(!self.satisfies(condition))]),
        }
    }

    /// Whether the formula is true.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Proposition(proposition) => self.proposition(*proposition),
            Formula::Not(part) => !self.satisfies(part),
            Formula::All(parts) => parts.iter().all(|part| self.satisfies(part)),
            Formula::Any(parts) => parts.iter().any(|part| self.satisfies(part)),
            Formula::Same(parts) => self.satisfies(&parts[0]) == self.satisfies(&parts[1]),
            Formula::Compare(comparison, parts) => {
                let (a, b) = (self.value(&parts[0]), self.value(&parts[1]));
                match comparison {
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Equal => a == b,
                }
            }
            Formula::Divides(by, part) if by.is_zero() => self.value(part).is_zero(),
            Formula::Divides(by, part) => (self.value(part) % by).is_zero(),
        }
    }

    /// The value of a variable.
    pub fn integer(&self, variable: Variable) -> Integer {
        self.integers.get(&variable).cloned().unwrap_or_default()
    }

    /// The value of a proposition.
    pub fn proposition(&self, proposition: Proposition) -> bool {
        self.propositions.get(&proposition).copied().unwrap_or_default()
    }
}
