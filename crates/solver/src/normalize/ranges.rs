//! Intervals of terms, from what the conjuncts of the formula say of single variables.

use super::normalizer::Normalizer;
use super::range::Range;
use crate::formula::{Comparison, Formula, Term};
use crate::linear::Linear;
use crate::normal::{Atom, Literal, Normal};
use crate::number::Integer;

impl Normalizer {
    /// Takes the bounds of single variables out of the conjuncts of what is true.
    pub(super) fn learn_from_true(&mut self, formula: &Formula) {
        match formula {
            Formula::All(parts) => parts.iter().for_each(|part| self.learn_from_true(part)),
            Formula::Not(part) => self.learn_from_false(part),
            _ => {
                if let Some(normal) = simple_comparison(formula) {
                    self.learn_range(&normal);
                }
            }
        }
    }

    /// The same of what is false.
    fn learn_from_false(&mut self, formula: &Formula) {
        match formula {
            Formula::Any(parts) => parts.iter().for_each(|part| self.learn_from_false(part)),
            Formula::Not(part) => self.learn_from_true(part),
            _ => {
                if let Some(normal) = simple_comparison(formula) {
                    self.learn_range(&normal.negated());
                }
            }
        }
    }

    fn learn_range(&mut self, normal: &Normal) {
        let Normal::Literal(Literal { atom, is_positive }) = normal else { return };
        let (form, range) = match (atom, is_positive) {
            (Atom::AtMost(form, limit), true) => (form, Range { low: None, high: Some(limit.clone()) }),
            (Atom::AtMost(form, limit), false) => (form, Range { low: Some(limit + Integer::ONE), high: None }),
            (Atom::Equal(form, value), true) => (form, Range::new(value.clone(), value.clone())),
            _ => return,
        };
        // A form of one variable is that variable.
        if let [(variable, _)] = form[..] {
            let known = self.ranges.entry(variable).or_default();
            *known = known.meet(&range);
        }
    }

    /// Where the value of a sum lies in every solution.
    pub(super) fn range(&self, linear: &Linear) -> Range {
        let constant = Range::new(linear.constant.clone(), linear.constant.clone());
        let unknown = Range::default();
        let sum = linear
            .terms
            .iter()
            .fold(constant, |sum, (variable, by)| sum.plus(by, self.ranges.get(variable).unwrap_or(&unknown)));
        self.remainders.get(linear).map_or(sum.clone(), |remainder| sum.meet(remainder))
    }
}

/// A comparison of sums of multiples of variables.
fn simple_comparison(formula: &Formula) -> Option<Normal> {
    let Formula::Compare(comparison, parts) = formula else { return None };
    let (a, b) = (simple(&parts[0])?, simple(&parts[1])?);
    Some(match comparison {
        Comparison::Less => Normal::less(&a, &b),
        Comparison::AtMost => Normal::at_most(&a, &b),
        Comparison::Equal => Normal::equal(&a, &b),
    })
}

fn simple(term: &Term) -> Option<Linear> {
    match term {
        Term::Constant(value) => Some(value.clone().into()),
        Term::Variable(variable) => Some((*variable).into()),
        Term::Multiple(by, part) => Some(simple(part)?.times(by)),
        Term::Sum(parts) => {
            let mut parts = parts.iter().map(simple);
            parts.try_fold(Linear::default(), |sum, part| Some(sum.plus(&Integer::ONE, &part?)))
        }
        _ => None,
    }
}
