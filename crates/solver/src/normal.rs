//! The normal form: negations stand at atoms, atoms that mean the same are the same, and what is
//! decided by its shape is decided.

use std::collections::{BTreeMap, BTreeSet};

use crate::formula::{Proposition, Variable};
use crate::linear::Linear;
use crate::number::{Integer, floor_div, floor_rem, gcd, is_negative};

/// A sum of multiples of variables without common divisor, of which the first is positive.
pub(crate) type Form = Vec<(Variable, Integer)>;

/// What is not composed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Atom {
    Proposition(Proposition),
    /// At most the number. (At least `k` is: not at most `k − 1`.)
    AtMost(Form, Integer),
    /// The number.
    Equal(Form, Integer),
    /// A multiple of the number, which is at least 2.
    Divides(Integer, Linear),
}

/// An atom or its contrary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub atom: Atom,
    pub is_positive: bool,
}

/// A formula in normal form. Parts of a conjunction are no conjunctions, and in order; likewise of
/// a disjunction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Normal {
    Constant(bool),
    Literal(Literal),
    All(Vec<Normal>),
    Any(Vec<Normal>),
}

impl Normal {
    fn literal(atom: Atom, is_positive: bool) -> Normal {
        Normal::Literal(Literal { atom, is_positive })
    }

    pub fn proposition(proposition: Proposition) -> Normal {
        Normal::literal(Atom::Proposition(proposition), true)
    }

    /// `linear ≤ 0`
    pub fn at_most_zero(linear: &Linear) -> Normal {
        let Some((form, is_turned, common)) = primitive(linear) else {
            return Normal::Constant(linear.constant <= Integer::ZERO);
        };
        // Σ ≤ −c, divided by the common divisor.
        let limit = floor_div(&-&linear.constant, &common);
        if is_turned {
            Normal::literal(Atom::AtMost(form, -limit - Integer::ONE), false)
        } else {
            Normal::literal(Atom::AtMost(form, limit), true)
        }
    }

    /// `a ≤ b`
    pub fn at_most(a: &Linear, b: &Linear) -> Normal {
        Normal::at_most_zero(&a.minus(b))
    }

    /// `a < b`
    pub fn less(a: &Linear, b: &Linear) -> Normal {
        Normal::at_most_zero(&a.minus(b).plus_constant(&Integer::ONE))
    }

    /// `linear = 0`
    pub fn is_zero(linear: &Linear) -> Normal {
        let Some((form, is_turned, common)) = primitive(linear) else {
            return Normal::Constant(linear.constant.is_zero());
        };
        let value = -&linear.constant;
        if !floor_rem(&value, &common).is_zero() {
            return Normal::Constant(false);
        }
        let value = value / common;
        Normal::literal(Atom::Equal(form, if is_turned { -value } else { value }), true)
    }

    /// `a = b`
    pub fn equal(a: &Linear, b: &Linear) -> Normal {
        Normal::is_zero(&a.minus(b))
    }

    /// The sum is a multiple of the number.
    pub fn divides(by: &Integer, linear: &Linear) -> Normal {
        if by.is_zero() {
            return Normal::is_zero(linear);
        }
        let by = if is_negative(by) { -by } else { by.clone() };
        let (_, rest) = linear.split(&by);
        let common = gcd(&rest.content(), &by);
        if !floor_rem(&rest.constant, &common).is_zero() {
            return Normal::Constant(false);
        }
        let by = by / &common;
        let (rest, _) = rest.split(&common);
        if rest.is_constant() {
            return Normal::Constant(floor_rem(&rest.constant, &by).is_zero());
        }
        Normal::literal(Atom::Divides(by, rest), true)
    }

    pub fn negated(&self) -> Normal {
        match self {
            Normal::Constant(value) => Normal::Constant(!value),
            Normal::Literal(Literal { atom, is_positive }) => Normal::literal(atom.clone(), !is_positive),
            Normal::All(parts) => Normal::Any(parts.iter().map(Normal::negated).collect()).sorted(),
            Normal::Any(parts) => Normal::All(parts.iter().map(Normal::negated).collect()).sorted(),
        }
    }

    fn sorted(mut self) -> Normal {
        if let Normal::All(parts) | Normal::Any(parts) = &mut self {
            parts.sort_unstable();
        }
        self
    }

    /// Each of them. Bounds of one form are joined; where they leave nothing, it is false.
    pub fn all(parts: impl IntoIterator<Item = Normal>) -> Normal {
        let mut conjunction = Conjunction::default();
        let is_possible = parts.into_iter().all(|part| conjunction.add(part));
        if is_possible { conjunction.finish() } else { Normal::Constant(false) }
    }

    /// At least one of them.
    pub fn any(parts: impl IntoIterator<Item = Normal>) -> Normal {
        Normal::all(parts.into_iter().map(|part| part.negated())).negated()
    }

    /// `condition → consequence`
    pub fn implies(condition: &Normal, consequence: Normal) -> Normal {
        Normal::any([condition.negated(), consequence])
    }

    /// The number of literals.
    pub fn size(&self) -> usize {
        match self {
            Normal::Constant(_) => 0,
            Normal::Literal(_) => 1,
            Normal::All(parts) | Normal::Any(parts) => parts.iter().map(Normal::size).sum(),
        }
    }
}

/// The form of a sum, whether its signs were turned, and the divisor that was taken out; nothing
/// if it is constant.
fn primitive(linear: &Linear) -> Option<(Form, bool, Integer)> {
    let (_, first) = linear.terms.first()?;
    let is_turned = is_negative(first);
    let common = linear.content();
    let by = if is_turned { -&common } else { common.clone() };
    let is_one = by.is_one();
    let divided = |(variable, coefficient): &(Variable, Integer)| {
        (*variable, if is_one { coefficient.clone() } else { coefficient / &by })
    };
    Some((linear.terms.iter().map(divided).collect(), is_turned, common))
}

/// What is known of one form in a conjunction.
#[derive(Default)]
struct Range {
    low: Option<Integer>,
    high: Option<Integer>,
    excluded: BTreeSet<Integer>,
}

impl Range {
    fn at_least(&mut self, value: Integer) {
        if self.low.as_ref().is_none_or(|low| *low < value) {
            self.low = Some(value);
        }
    }

    fn at_most(&mut self, value: Integer) {
        if self.high.as_ref().is_none_or(|high| *high > value) {
            self.high = Some(value);
        }
    }

    /// Moves the bounds past values that are excluded.
    fn tighten(&mut self) {
        while let Some(low) = self.low.as_mut().filter(|low| self.excluded.contains(*low)) {
            *low += Integer::ONE;
        }
        while let Some(high) = self.high.as_mut().filter(|high| self.excluded.contains(*high)) {
            *high -= Integer::ONE;
        }
        let (low, high) = (&self.low, &self.high);
        let is_inside = |value: &Integer| {
            low.as_ref().is_none_or(|low| low < value) && high.as_ref().is_none_or(|high| value < high)
        };
        self.excluded.retain(is_inside);
    }

    fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    fn literals(self, form: Form) -> Vec<Normal> {
        if self.low.is_some() && self.low == self.high {
            return self.low.into_iter().map(|value| Normal::literal(Atom::Equal(form.clone(), value), true)).collect();
        }
        let low = self.low.map(|low| (Atom::AtMost(form.clone(), low - Integer::ONE), false));
        let high = self.high.map(|high| (Atom::AtMost(form.clone(), high), true));
        let excluded = self.excluded.into_iter().map(|value| (Atom::Equal(form.clone(), value), false));
        let literals = low.into_iter().chain(high).chain(excluded);
        literals.map(|(atom, is_positive)| Normal::literal(atom, is_positive)).collect()
    }
}

#[derive(Default)]
struct Conjunction {
    ranges: BTreeMap<Form, Range>,
    others: Vec<Normal>,
}

impl Conjunction {
    /// Whether the conjunction is still possible.
    fn add(&mut self, part: Normal) -> bool {
        match part {
            Normal::Constant(value) => return value,
            Normal::All(parts) => return parts.into_iter().all(|part| self.add(part)),
            Normal::Literal(Literal { atom: Atom::AtMost(form, limit), is_positive }) => {
                let range = self.ranges.entry(form).or_default();
                if is_positive { range.at_most(limit) } else { range.at_least(limit + Integer::ONE) }
            }
            Normal::Literal(Literal { atom: Atom::Equal(form, value), is_positive }) => {
                let range = self.ranges.entry(form).or_default();
                if is_positive {
                    range.at_least(value.clone());
                    range.at_most(value);
                } else {
                    range.excluded.insert(value);
                }
            }
            other => self.others.push(other),
        }
        true
    }

    fn finish(mut self) -> Normal {
        let mut parts = Vec::with_capacity(self.ranges.len() + self.others.len());
        for (form, mut range) in self.ranges {
            range.tighten();
            if range.is_empty() {
                return Normal::Constant(false);
            }
            parts.extend(range.literals(form));
        }
        self.others.sort_unstable();
        self.others.dedup();
        let is_contradiction = |pair: &[Normal]| match pair {
            [Normal::Literal(a), Normal::Literal(b)] => a.atom == b.atom,
            _ => false,
        };
        if self.others.windows(2).any(is_contradiction) {
            return Normal::Constant(false);
        }
        parts.append(&mut self.others);
        match parts.len() {
            0 => Normal::Constant(true),
            1 => parts.remove(0),
            _ => Normal::All(parts).sorted(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(terms: &[(u32, i64)], constant: i64) -> Linear {
        let terms = terms.iter().map(|(variable, by)| (Variable(*variable), Integer::from(*by)));
        Linear { terms: terms.collect(), constant: constant.into() }
    }

    #[test]
    fn atoms_that_mean_the_same_are_the_same() {
        // x < 3, and not x >= 3, and 2x <= 5.
        let less = Normal::less(&linear(&[(0, 1)], 0), &linear(&[], 3));
        let not_at_least = Normal::at_most(&linear(&[], 3), &linear(&[(0, 1)], 0)).negated();
        assert_eq!(less, not_at_least);
        assert_eq!(less, Normal::at_most_zero(&linear(&[(0, 2)], -5)));
        assert_eq!(Normal::is_zero(&linear(&[(0, 2), (1, -4)], 6)), Normal::is_zero(&linear(&[(0, -1), (1, 2)], -3)));
        assert_eq!(Normal::is_zero(&linear(&[(0, 2), (1, -4)], 5)), Normal::Constant(false));
        // 4 | 6x + 2 is 2 | 3x + 1, which is 2 | x + 1.
        let divides = Normal::divides(&4.into(), &linear(&[(0, 6)], 2));
        assert_eq!(divides, Normal::divides(&2.into(), &linear(&[(0, 1)], -1)));
        assert_eq!(Normal::divides(&4.into(), &linear(&[(0, 2)], 1)), Normal::Constant(false));
    }

    #[test]
    fn bounds_are_joined() {
        let x = linear(&[(0, 1)], 0);
        let number = |value: i64| linear(&[], value);
        let at_least = |value| Normal::at_most(&number(value), &x);
        let at_most = |value| Normal::at_most(&x, &number(value));
        let unequal = |value| Normal::equal(&x, &number(value)).negated();
        assert_eq!(Normal::all([at_least(3), at_most(2)]), Normal::Constant(false));
        assert_eq!(Normal::all([at_least(3), at_most(3)]), Normal::equal(&x, &number(3)));
        assert_eq!(Normal::all([at_least(2), at_most(3), unequal(2)]), Normal::equal(&x, &number(3)));
        assert_eq!(Normal::any([at_least(3), at_most(2)]), Normal::Constant(true));
        assert_eq!(Normal::any([at_least(4), at_least(2)]), at_least(2));
        let p = Normal::proposition(Proposition(0));
        assert_eq!(Normal::all([p.clone(), at_most(1), p.negated()]), Normal::Constant(false));
    }
}
