//! The constants with which clocks are compared.

use ample_stdx::TypedId;

use crate::bound::{Bound, Overflow};
use crate::zone::ClockId;

/// For each clock the greatest constant of a lower bound (`x > c`, `x >= c`) and of an upper bound
/// (`x < c`, `x <= c`) that may still be asked, if any is: L and U in the literature (Pelánek,
/// Definition 7.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClockBounds {
    lower: Box<[i32]>,
    upper: Box<[i32]>,
}

/// Stands for no bound: minus infinity.
const NONE: i32 = i32::MIN;

impl ClockBounds {
    /// So many clocks are compared with nothing.
    pub fn none(clocks: usize) -> ClockBounds {
        let mut bounds = vec![NONE; clocks + 1];
        // What is always zero is compared with zero, as it were.
        bounds[0] = 0;
        ClockBounds { lower: bounds.clone().into(), upper: bounds.into() }
    }

    /// A clock is asked whether it is at least `constant`, or more than that.
    pub fn add_lower(&mut self, clock: ClockId, constant: i32) -> Result<(), Overflow> {
        raise(&mut self.lower[clock.index()], constant)
    }

    /// A clock is asked whether it is at most `constant`, or less than that.
    pub fn add_upper(&mut self, clock: ClockId, constant: i32) -> Result<(), Overflow> {
        raise(&mut self.upper[clock.index()], constant)
    }

    /// Whatever is asked of a clock in either way is taken for asked in both: M in the literature.
    #[must_use]
    pub fn merged(&self) -> ClockBounds {
        let greater: Box<[i32]> = self.lower.iter().zip(&self.upper).map(|(lower, upper)| *lower.max(upper)).collect();
        ClockBounds { lower: greater.clone(), upper: greater }
    }

    /// The greatest constant of lower bounds of a clock.
    pub fn lower(&self, clock: ClockId) -> Option<i32> {
        given(self.lower[clock.index()])
    }

    /// The greatest constant of upper bounds of a clock.
    pub fn upper(&self, clock: ClockId) -> Option<i32> {
        given(self.upper[clock.index()])
    }

    /// Whether a number is beyond all lower bounds of the clock.
    #[inline(always)]
    pub(crate) fn is_above_lower(&self, clock: usize, number: i32) -> bool {
        number > self.lower[clock]
    }

    /// Whether a number is beyond all upper bounds of the clock.
    #[inline(always)]
    pub(crate) fn is_above_upper(&self, clock: usize, number: i32) -> bool {
        number > self.upper[clock]
    }

    /// The bound of zero minus a clock that is beyond all its lower bounds.
    #[inline(always)]
    pub(crate) fn beyond_lower(&self, clock: usize) -> Bound {
        beyond(self.lower[clock])
    }

    /// The bound of zero minus a clock that is beyond all its upper bounds.
    #[inline(always)]
    pub(crate) fn beyond_upper(&self, clock: usize) -> Bound {
        beyond(self.upper[clock])
    }

    /// The bound of zero minus a clock that is at the greatest of its upper bounds, or beyond.
    #[inline(always)]
    pub(crate) fn at_upper(&self, clock: usize) -> Bound {
        match given(self.upper[clock]) {
            Some(constant) => Bound::at_most(-constant).unwrap_or(Bound::INFINITE),
            None => Bound::INFINITE,
        }
    }
}

fn raise(bound: &mut i32, constant: i32) -> Result<(), Overflow> {
    // What a matrix cannot hold is refused here, where it is read.
    Bound::less(constant)?;
    *bound = (*bound).max(constant);
    Ok(())
}

fn given(bound: i32) -> Option<i32> {
    (bound != NONE).then_some(bound)
}

#[inline(always)]
fn beyond(bound: i32) -> Bound {
    given(bound).and_then(|constant| Bound::less(-constant).ok()).unwrap_or(Bound::INFINITE)
}
