//! Division of integers, rounded as a model says.

use dashu_int::ops::DivRem;

use crate::number::{Integer, floor_div, is_negative};

/// How a quotient is rounded. The remainder is what makes `dividend = quotient · divisor +
/// remainder`.
///
/// A quotient by zero is zero, and the remainder the dividend: formulas are about total functions.
/// Where a model divides by zero it is at fault, and whoever makes a formula of it says so.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// Toward zero, as in C: the remainder has the sign of the dividend. `/` and `%` of Promela,
    /// DVE and guarded commands.
    TowardZero,
    /// Down: the remainder has the sign of the divisor. Shifts, and values as they are stored in
    /// few bits.
    Down,
    /// The remainder is not negative: `div` and `mod` of SMT-LIB.
    Euclidean,
}

impl Rounding {
    /// The rounded quotient.
    pub fn quotient(self, dividend: &Integer, divisor: &Integer) -> Integer {
        if divisor.is_zero() {
            return Integer::ZERO;
        }
        match self {
            Rounding::TowardZero => dividend.div_rem(divisor).0,
            Rounding::Down => floor_div(dividend, divisor),
            Rounding::Euclidean if is_negative(divisor) => -floor_div(dividend, &-divisor),
            Rounding::Euclidean => floor_div(dividend, divisor),
        }
    }

    /// What is left.
    pub fn remainder(self, dividend: &Integer, divisor: &Integer) -> Integer {
        dividend - self.quotient(dividend, divisor) * divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_have_the_signs_they_should() {
        for a in -9_i64..=9 {
            for b in [-4_i64, -1, 1, 3] {
                let (x, y) = (Integer::from(a), Integer::from(b));
                let pair = |rounding: Rounding| (rounding.quotient(&x, &y), rounding.remainder(&x, &y));
                assert_eq!(pair(Rounding::TowardZero), ((a / b).into(), (a % b).into()));
                assert_eq!(pair(Rounding::Euclidean), (a.div_euclid(b).into(), a.rem_euclid(b).into()));
                let remainder = pair(Rounding::Down).1;
                assert!(remainder.is_zero() || is_negative(&remainder) == (b < 0));
            }
        }
        assert_eq!(Rounding::Down.quotient(&5.into(), &0.into()), Integer::ZERO);
        assert_eq!(Rounding::Down.remainder(&5.into(), &0.into()), Integer::from(5));
    }
}
