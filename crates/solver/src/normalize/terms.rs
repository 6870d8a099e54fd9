//! Terms and formulas, part by part.

use super::normalizer::Normalizer;
use crate::formula::{Comparison, Formula, Term};
use crate::linear::Linear;
use crate::normal::Normal;
use crate::number::Integer;

/// A side of an equivalence with more literals than that is named by a proposition and not written
/// down twice.
const LARGEST_COPY: usize = 4;

impl Normalizer {
    pub(super) fn formula(&mut self, formula: &Formula) -> Normal {
        match formula {
            Formula::Constant(value) => Normal::Constant(*value),
            Formula::Proposition(proposition) => Normal::proposition(*proposition),
            Formula::Not(part) => self.formula(part).negated(),
            Formula::All(parts) => {
                let parts: Vec<Normal> = parts.iter().map(|part| self.formula(part)).collect();
                Normal::all(parts)
            }
            Formula::Any(parts) => {
                let parts: Vec<Normal> = parts.iter().map(|part| self.formula(part)).collect();
                Normal::any(parts)
            }
            Formula::Same(parts) => {
                let [a, b] = [self.formula(&parts[0]), self.formula(&parts[1])];
                let [a, b] = [self.named(a), self.named(b)];
                Normal::all([Normal::implies(&a, b.clone()), Normal::implies(&b, a.clone())])
            }
            Formula::Compare(comparison, parts) => {
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                match comparison {
                    Comparison::Less => Normal::less(&a, &b),
                    Comparison::AtMost => Normal::at_most(&a, &b),
                    Comparison::Equal => Normal::equal(&a, &b),
                }
            }
            Formula::Divides(by, part) => {
                let part = self.linear(part);
                Normal::divides(by, &part)
            }
        }
    }

    /// The same, or a proposition that stands for it.
    fn named(&mut self, normal: Normal) -> Normal {
        if normal.size() <= LARGEST_COPY {
            return normal;
        }
        let name = Normal::proposition(self.fresh_proposition());
        self.define(Normal::implies(&name, normal.clone()));
        self.define(Normal::implies(&normal, name.clone()));
        name
    }

    pub(super) fn linear(&mut self, term: &Term) -> Linear {
        match term {
            Term::Constant(value) => value.clone().into(),
            Term::Variable(variable) => (*variable).into(),
            Term::Sum(parts) => parts.iter().fold(Linear::default(), |sum, part| {
                let part = self.linear(part);
                sum.plus(&Integer::ONE, &part)
            }),
            Term::Multiple(by, part) => self.linear(part).times(by),
            Term::Product(parts) => {
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                self.product(&a, &b)
            }
            Term::Quotient(rounding, parts) => {
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                self.quotient(*rounding, &a, &b)
            }
            Term::Remainder(rounding, parts) => {
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                self.remainder(*rounding, &a, &b)
            }
            Term::BitAnd(parts) => {
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                self.bit_and(&a, &b)
            }
            Term::Conditional(condition, parts) => {
                let condition = self.formula(condition);
                let (a, b) = (self.linear(&parts[0]), self.linear(&parts[1]));
                self.conditional(condition, a, b)
            }
        }
    }
}
