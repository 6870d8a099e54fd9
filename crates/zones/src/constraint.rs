//! Bounds of one clock, or of the difference of two.

use crate::bound::{Bound, Overflow};
use crate::zone::ClockId;

/// `left − right` is within a bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The clock that must not be too far ahead; [`ClockId::ZERO`] for zero.
    pub left: ClockId,
    /// The clock that is subtracted.
    pub right: ClockId,
    /// The bound of the difference.
    pub bound: Bound,
}

impl Constraint {
    /// `clock <= constant`
    pub fn at_most(clock: ClockId, constant: i32) -> Result<Constraint, Overflow> {
        Ok(Constraint { left: clock, right: ClockId::ZERO, bound: Bound::at_most(constant)? })
    }

    /// `clock < constant`
    pub fn less(clock: ClockId, constant: i32) -> Result<Constraint, Overflow> {
        Constraint::difference_less(clock, ClockId::ZERO, constant)
    }

    /// `clock >= constant`
    pub fn at_least(clock: ClockId, constant: i32) -> Result<Constraint, Overflow> {
        let bound = Bound::at_most(constant.checked_neg().ok_or(Overflow)?)?;
        Ok(Constraint { left: ClockId::ZERO, right: clock, bound })
    }

    /// `clock > constant`
    pub fn greater(clock: ClockId, constant: i32) -> Result<Constraint, Overflow> {
        Constraint::difference_less(ClockId::ZERO, clock, constant.checked_neg().ok_or(Overflow)?)
    }

    /// `left - right < constant`
    pub fn difference_less(left: ClockId, right: ClockId, constant: i32) -> Result<Constraint, Overflow> {
        Ok(Constraint { left, right, bound: Bound::less(constant)? })
    }
}
