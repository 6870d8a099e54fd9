//! Clocks are set.

use ample_stdx::TypedId;

use crate::bound::{Bound, Overflow};
use crate::zone::{ClockId, Zone};

impl Zone {
    /// Sets a clock to a number, which is not below zero.
    pub fn set(&mut self, clock: ClockId, value: i32) -> Result<(), Overflow> {
        self.move_to(clock, ClockId::ZERO, value)
    }

    /// Sets a clock to the value of another one.
    pub fn copy(&mut self, clock: ClockId, from: ClockId) -> Result<(), Overflow> {
        self.move_to(clock, from, 0)
    }

    /// Sets a clock to the value of another one, and so much more.
    fn move_to(&mut self, clock: ClockId, from: ClockId, more: i32) -> Result<(), Overflow> {
        let (ahead, behind) = (Bound::at_most(more)?, Bound::at_most(-more)?);
        let (clock, from) = (clock.index(), from.index());
        if clock == from {
            return Ok(());
        }
        for other in (0..self.size()).filter(|other| *other != clock) {
            self.put(clock, other, self.at(from, other).plus(ahead).checked()?);
            self.put(other, clock, self.at(other, from).plus(behind).checked()?);
        }
        Ok(())
    }
}
