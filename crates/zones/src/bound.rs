//! Upper bounds of differences of clocks.

use std::fmt;

/// What a difference of two clocks is at most: less than a number, at most a number, or anything.
/// The smaller of two bounds is the one that allows less.
///
/// In one number: twice the constant, and one more if the constant itself is allowed. So bounds are
/// compared as numbers, and to add them is one addition and one correction.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(i32);

/// A bound is further from zero than matrices can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a clock is compared with a number beyond {MOST}, or a run needs one")]
pub struct Overflow;

/// Constants of bounds are from −`MOST` to `MOST`: the sum of two such bounds still is a number of
/// 32 bits, and is not mistaken for the bound that allows anything.
const MOST: i32 = (1 << 29) - 1;

impl Bound {
    /// Anything is allowed.
    pub const INFINITE: Bound = Bound(i32::MAX);
    /// At most zero.
    pub const ZERO: Bound = Bound(1);

    /// At most `constant`.
    pub fn at_most(constant: i32) -> Result<Bound, Overflow> {
        Bound::less(constant).map(|Bound(code)| Bound(code | 1))
    }

    /// Less than `constant`.
    pub fn less(constant: i32) -> Result<Bound, Overflow> {
        if (-MOST..=MOST).contains(&constant) { Ok(Bound(constant << 1)) } else { Err(Overflow) }
    }

    /// The constant; nothing if anything is allowed.
    pub fn constant(self) -> Option<i32> {
        (self != Bound::INFINITE).then_some(self.0 >> 1)
    }

    /// Whether the constant itself is not allowed.
    pub fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// What is allowed for the sum of two differences. It may be too large to be kept: see
    /// [`Bound::is_representable`].
    #[inline(always)]
    pub(crate) fn plus(self, other: Bound) -> Bound {
        if self == Bound::INFINITE || other == Bound::INFINITE {
            return Bound::INFINITE;
        }
        Bound(self.0.wrapping_add(other.0).wrapping_sub((self.0 | other.0) & 1))
    }

    /// Whether this may be an entry of a matrix.
    #[inline(always)]
    pub(crate) fn is_representable(self) -> bool {
        const LEAST: i32 = -MOST << 1;
        const GREATEST: i32 = MOST << 1 | 1;
        // One comparison for both ends.
        self == Bound::INFINITE || (self.0.wrapping_sub(LEAST) as u32) <= (GREATEST - LEAST) as u32
    }

    /// The bound, if it may be an entry of a matrix.
    pub(crate) fn checked(self) -> Result<Bound, Overflow> {
        if self.is_representable() { Ok(self) } else { Err(Overflow) }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant() {
            None => write!(out, "∞"),
            Some(constant) if self.is_strict() => write!(out, "<{constant}"),
            Some(constant) => write!(out, "≤{constant}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_strict_if_one_of_the_summands_is() -> Result<(), Overflow> {
        for (one, other) in [(3, 4), (-3, 4), (-3, -4), (0, 0)] {
            let (weak, strict) = (Bound::at_most(one)?, Bound::less(one)?);
            let (also_weak, also_strict) = (Bound::at_most(other)?, Bound::less(other)?);
            assert_eq!(weak.plus(also_weak), Bound::at_most(one + other)?);
            assert_eq!(weak.plus(also_strict), Bound::less(one + other)?);
            assert_eq!(strict.plus(also_weak), Bound::less(one + other)?);
            assert_eq!(strict.plus(also_strict), Bound::less(one + other)?);
            assert_eq!(weak.plus(Bound::INFINITE), Bound::INFINITE);
        }
        Ok(())
    }

    #[test]
    fn a_constant_that_is_too_large_is_refused() -> Result<(), Overflow> {
        assert_eq!(Bound::at_most(MOST + 1), Err(Overflow));
        assert_eq!(Bound::less(-MOST - 1), Err(Overflow));
        assert_eq!(Bound::less(i32::MIN), Err(Overflow));
        for extreme in [Bound::at_most(MOST)?, Bound::less(-MOST)?] {
            assert!(extreme.is_representable());
            assert_ne!(extreme.plus(extreme), Bound::INFINITE);
            assert!(!extreme.plus(extreme).is_representable());
        }
        Ok(())
    }
}
