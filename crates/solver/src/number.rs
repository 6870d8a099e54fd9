//! Exact numbers: integers without bound, and rationals whose small values take two words.

use std::cmp::Ordering;

use dashu_int::ops::{DivRem, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An integer without bound; small ones are held inline.
pub type Integer = IBig;

/// The quotient, rounded down. The divisor is not zero.
pub(crate) fn floor_div(value: &Integer, by: &Integer) -> Integer {
    let (quotient, remainder) = value.div_rem(by);
    let is_below = !remainder.is_zero() && (is_negative(&remainder) != is_negative(by));
    if is_below { quotient - Integer::ONE } else { quotient }
}

/// What is left by [`floor_div`]: it has the sign of the divisor, or is zero.
pub(crate) fn floor_rem(value: &Integer, by: &Integer) -> Integer {
    value - floor_div(value, by) * by
}

/// The quotient, rounded up.
pub(crate) fn ceil_div(value: &Integer, by: &Integer) -> Integer {
    -floor_div(&-value, by)
}

/// The greatest common divisor, not negative; that of zero and zero is zero.
pub(crate) fn gcd(a: &Integer, b: &Integer) -> Integer {
    match (a.is_zero(), b.is_zero()) {
        (true, _) => abs(b),
        (_, true) => abs(a),
        _ => a.gcd(b).into(),
    }
}

/// The least common multiple of two numbers that are not zero.
pub(crate) fn lcm(a: &Integer, b: &Integer) -> Integer {
    abs(&(a / gcd(a, b) * b))
}

pub(crate) fn abs(value: &Integer) -> Integer {
    if is_negative(value) { -value } else { value.clone() }
}

pub(crate) fn is_negative(value: &Integer) -> bool {
    *value < Integer::ZERO
}

/// A rational number in lowest terms: numerator and denominator (which is positive) in a word each
/// as long as they fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rational {
    Small(i64, i64),
    /// Only what does not fit into the other, so that equal numbers look the same.
    Large(Box<RBig>),
}

impl Rational {
    pub const ZERO: Rational = Rational::Small(0, 1);
    pub const ONE: Rational = Rational::Small(1, 1);

    pub fn is_zero(&self) -> bool {
        matches!(self, Rational::Small(0, _))
    }

    pub fn is_positive(&self) -> bool {
        match self {
            Rational::Small(numerator, _) => *numerator > 0,
            Rational::Large(value) => **value > RBig::ZERO,
        }
    }

    pub fn is_integer(&self) -> bool {
        match self {
            Rational::Small(_, denominator) => *denominator == 1,
            Rational::Large(value) => value.is_int(),
        }
    }

    pub fn floor(&self) -> Integer {
        match self {
            Rational::Small(numerator, denominator) => numerator.div_euclid(*denominator).into(),
            Rational::Large(value) => value.floor(),
        }
    }

    pub fn denominator(&self) -> Integer {
        match self {
            Rational::Small(_, denominator) => (*denominator).into(),
            Rational::Large(value) => value.denominator().clone().into(),
        }
    }

    pub fn inverse(&self) -> Rational {
        match self {
            Rational::Small(numerator, denominator) => {
                let sign = i128::from(numerator.signum());
                reduced(i128::from(*denominator) * sign, i128::from(*numerator) * sign)
            }
            Rational::Large(_) => from_large(RBig::ONE / self.large()),
        }
    }

    pub fn negated(&self) -> Rational {
        match self {
            Rational::Small(numerator, denominator) if *numerator != i64::MIN => {
                Rational::Small(-numerator, *denominator)
            }
            _ => from_large(-self.large()),
        }
    }

    pub fn plus(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, 1), Rational::Small(b, 1)) => match a.checked_add(*b) {
                Some(sum) => Rational::Small(sum, 1),
                None => from_large(self.large() + other.large()),
            },
            // Two products below 2^126: the sum fits.
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                reduced(a * d + c * b, b * d)
            }
            _ => from_large(self.large() + other.large()),
        }
    }

    pub fn minus(&self, other: &Rational) -> Rational {
        self.plus(&other.negated())
    }

    pub fn times(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                reduced(a * c, b * d)
            }
            _ => from_large(self.large() * other.large()),
        }
    }

    fn large(&self) -> RBig {
        match self {
            Rational::Small(numerator, denominator) => {
                RBig::from_parts(IBig::from(*numerator), UBig::from(denominator.unsigned_abs()))
            }
            Rational::Large(value) => (**value).clone(),
        }
    }
}

impl From<&Integer> for Rational {
    fn from(value: &Integer) -> Rational {
        match i64::try_from(value) {
            Ok(value) => Rational::Small(value, 1),
            Err(_) => Rational::Large(Box::new(RBig::from(value.clone()))),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) if b == d => a.cmp(c),
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.large().cmp(&other.large()),
        }
    }
}

/// The denominator is positive.
fn reduced(numerator: i128, denominator: i128) -> Rational {
    if denominator == 1
        && let Ok(numerator) = i64::try_from(numerator)
    {
        return Rational::Small(numerator, 1);
    }
    let common = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
    // A divisor of a positive `i128` is one.
    let common = common as i128;
    match (i64::try_from(numerator / common), i64::try_from(denominator / common)) {
        (Ok(numerator), Ok(denominator)) => Rational::Small(numerator, denominator),
        _ => Rational::Large(Box::new(RBig::from_parts(IBig::from(numerator), UBig::from(denominator.unsigned_abs())))),
    }
}

fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return common_divisor_of_words(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

fn common_divisor_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn from_large(value: RBig) -> Rational {
    match (i64::try_from(value.numerator()), i64::try_from(value.denominator())) {
        (Ok(numerator), Ok(denominator)) => Rational::Small(numerator, denominator),
        _ => Rational::Large(Box::new(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Rational> {
        let numerators = [0, 1, -1, 2, -3, 7, i64::MAX, i64::MIN, i64::MAX - 1, 1 << 40];
        let denominators = [1, 2, 3, 12, i64::MAX, 1 << 41];
        let pairs = numerators.iter().flat_map(|a| denominators.iter().map(move |b| (*a, *b)));
        let mut all: Vec<Rational> = pairs.map(|(a, b)| reduced(a.into(), b.into())).collect();
        all.push(Rational::from(&(Integer::from(i64::MAX) * Integer::from(6))));
        all
    }

    /// Small and large values compute the same, and there is one form of each number.
    #[test]
    fn rationals_compute_as_large_ones() {
        for a in samples() {
            assert_eq!(a.negated(), from_large(-a.large()));
            assert_eq!(a.floor(), a.large().floor());
            assert_eq!(a.is_integer(), a.large().is_int());
            if !a.is_zero() {
                assert_eq!(a.inverse(), from_large(RBig::ONE / a.large()));
            }
            for b in samples() {
                assert_eq!(a.plus(&b), from_large(a.large() + b.large()));
                assert_eq!(a.minus(&b), from_large(a.large() - b.large()));
                assert_eq!(a.times(&b), from_large(a.large() * b.large()));
                assert_eq!(a.cmp(&b), a.large().cmp(&b.large()));
            }
        }
    }

    #[test]
    fn quotients_are_rounded_down_and_up() {
        for a in -12_i64..=12 {
            for b in [-5_i64, -2, -1, 1, 3, 4] {
                let exact = a as f64 / b as f64;
                let (a, b) = (Integer::from(a), Integer::from(b));
                assert_eq!(floor_div(&a, &b), Integer::from(exact.floor() as i64));
                assert_eq!(ceil_div(&a, &b), Integer::from(exact.ceil() as i64));
                assert_eq!(floor_div(&a, &b) * &b + floor_rem(&a, &b), a);
            }
        }
    }
}
