//! Quotients and remainders. By a constant a quotient is a fresh variable between two linear
//! bounds; the remainder is then linear. By anything else it is one whose product with the divisor
//! is near the dividend.

use super::normalizer::Normalizer;
use super::range::Range;
use crate::linear::Linear;
use crate::normal::Normal;
use crate::number::{Integer, floor_div, is_negative};
use crate::rounding::Rounding;

/// A divisor of at most so many values is taken value by value.
const MOST_DIVISORS: u32 = 16;

impl Normalizer {
    pub(super) fn quotient(&mut self, rounding: Rounding, dividend: &Linear, divisor: &Linear) -> Linear {
        if divisor.is_constant() {
            return self.quotient_by(rounding, dividend, &divisor.constant);
        }
        match self.range(divisor).values(MOST_DIVISORS) {
            Some(values) => values.iter().fold(Linear::default(), |others, value| {
                let quotient = self.quotient_by(rounding, dividend, value);
                self.conditional(Normal::equal(divisor, &value.clone().into()), quotient, others)
            }),
            None => self.division(rounding, dividend, divisor),
        }
    }

    pub(super) fn remainder(&mut self, rounding: Rounding, dividend: &Linear, divisor: &Linear) -> Linear {
        let quotient = self.quotient(rounding, dividend, divisor);
        let multiple = self.product(divisor, &quotient);
        let remainder = dividend.minus(&multiple);
        if divisor.is_constant() && !remainder.is_constant() && !divisor.constant.is_zero() {
            let range = self.remainder_range(rounding, dividend, &divisor.constant);
            self.remainders.insert(remainder.clone(), range);
        }
        remainder
    }

    fn remainder_range(&self, rounding: Rounding, dividend: &Linear, divisor: &Integer) -> Range {
        let is_divisor_negative = is_negative(divisor);
        let most = if is_divisor_negative { -divisor } else { divisor.clone() } - Integer::ONE;
        let of_dividend = self.range(dividend);
        let is_never_negative = match rounding {
            Rounding::Euclidean => true,
            Rounding::Down => !is_divisor_negative,
            Rounding::TowardZero => of_dividend.is_never_negative(),
        };
        let is_never_positive = match rounding {
            Rounding::Euclidean => false,
            Rounding::Down => is_divisor_negative,
            Rounding::TowardZero => of_dividend.is_never_positive(),
        };
        let low = if is_never_negative { Integer::ZERO } else { -&most };
        Range::new(low, if is_never_positive { Integer::ZERO } else { most })
    }

    fn quotient_by(&mut self, rounding: Rounding, dividend: &Linear, divisor: &Integer) -> Linear {
        if dividend.is_constant() || divisor.is_zero() {
            return rounding.quotient(&dividend.constant, divisor).into();
        }
        if is_negative(divisor) {
            return match rounding {
                Rounding::Down => self.floor_quotient(&dividend.negated(), &-divisor),
                Rounding::TowardZero | Rounding::Euclidean => self.quotient_by(rounding, dividend, &-divisor).negated(),
            };
        }
        match rounding {
            Rounding::Down | Rounding::Euclidean => self.floor_quotient(dividend, divisor),
            Rounding::TowardZero => {
                let range = self.range(dividend);
                if range.is_never_negative() {
                    self.floor_quotient(dividend, divisor)
                } else if range.is_never_positive() {
                    self.floor_quotient(&dividend.negated(), divisor).negated()
                } else {
                    self.truncated_quotient(dividend, divisor)
                }
            }
        }
    }

    /// The quotient by a positive number, rounded down. Multiples of the number come out before;
    /// what is left is divided by common divisors.
    pub(super) fn floor_quotient(&mut self, dividend: &Linear, divisor: &Integer) -> Linear {
        let (whole, rest) = dividend.split(divisor);
        if rest.is_constant() {
            return whole;
        }
        let common = crate::number::gcd(&rest.content(), divisor);
        let divisor = divisor / &common;
        let rest = rest.split(&common).0;
        let key = (rest, divisor, Rounding::Down);
        if let Some(known) = self.quotients.get(&key) {
            return whole.plus(&Integer::ONE, &(*known).into());
        }
        let (rest, divisor, _) = &key;
        let quotient = self.fresh_in(self.range(rest).map(|end| floor_div(end, divisor)));
        let left = rest.plus(&-divisor, &quotient.into());
        self.define(Normal::at_most(&Linear::default(), &left));
        self.define(Normal::less(&left, &divisor.clone().into()));
        self.quotients.insert(key, quotient);
        whole.plus(&Integer::ONE, &quotient.into())
    }

    /// The quotient by a positive number, rounded toward zero, of what may have both signs.
    fn truncated_quotient(&mut self, dividend: &Linear, divisor: &Integer) -> Linear {
        // −t / d is −(t / d).
        let is_turned = dividend.terms.first().is_some_and(|(_, first)| is_negative(first));
        let dividend = if is_turned { dividend.negated() } else { dividend.clone() };
        let key = (dividend, divisor.clone(), Rounding::TowardZero);
        let quotient: Linear = match self.quotients.get(&key) {
            Some(known) => (*known).into(),
            None => {
                let (dividend, divisor, _) = &key;
                let range = self.range(dividend).map(|end| Rounding::TowardZero.quotient(end, divisor));
                let quotient = self.fresh_in(range);
                self.define_truncated(dividend, divisor, &quotient.into());
                self.quotients.insert(key, quotient);
                quotient.into()
            }
        };
        if is_turned { quotient.negated() } else { quotient }
    }

    fn define_truncated(&mut self, dividend: &Linear, divisor: &Integer, quotient: &Linear) {
        let left = dividend.plus(&-divisor, quotient);
        let is_negative = Normal::less(dividend, &Linear::default());
        self.define(Normal::less(&left, &divisor.clone().into()));
        self.define(Normal::less(&left.negated(), &divisor.clone().into()));
        self.define(Normal::any([is_negative.clone(), Normal::at_most(&Linear::default(), &left)]));
        self.define(Normal::any([is_negative.negated(), Normal::at_most(&left, &Linear::default())]));
    }

    /// The quotient by what has too many values.
    fn division(&mut self, rounding: Rounding, dividend: &Linear, divisor: &Linear) -> Linear {
        let key = (dividend.clone(), divisor.clone(), rounding);
        if let Some(known) = self.divisions.get(&key) {
            return (*known).into();
        }
        let fresh = self.fresh();
        self.divisions.insert(key, fresh);
        let quotient: Linear = fresh.into();
        let left = dividend.minus(&self.product(divisor, &quotient));
        let zero = Linear::default();
        let not_negative = |linear: &Linear| Normal::at_most(&zero, linear);
        self.define(Normal::implies(&Normal::is_zero(divisor), Normal::is_zero(&quotient)));
        let is_dividend_negative = Normal::less(dividend, &zero);
        for sign in [Integer::ONE, Integer::NEG_ONE] {
            // The divisor has this sign, and is more than what is left.
            let size = divisor.times(&sign);
            let has_sign = Normal::less(&zero, &size);
            let below = |linear: &Linear| Normal::all([not_negative(linear), Normal::less(linear, &size)]);
            let is_left = match rounding {
                Rounding::Euclidean => below(&left),
                Rounding::Down => below(&left.times(&sign)),
                Rounding::TowardZero => Normal::all([
                    Normal::any([is_dividend_negative.clone(), below(&left)]),
                    Normal::any([is_dividend_negative.negated(), below(&left.negated())]),
                ]),
            };
            self.define(Normal::implies(&has_sign, is_left));
        }
        quotient
    }
}
