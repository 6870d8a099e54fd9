//! Time passes.

use ample_stdx::TypedId;

use crate::bound::Bound;
use crate::zone::{ClockId, Zone};

impl Zone {
    /// Lets any time pass: clocks have no upper bounds any more, their differences stay.
    pub fn delay(&mut self) {
        for clock in 1..self.size() {
            self.put(clock, 0, Bound::INFINITE);
        }
    }

    /// Lets any time pass in which these clocks stand still. The valuations that are reached are no
    /// zone in general; this is the least one that has all of them (Cassez and Larsen, The
    /// impressive power of stopwatches, CONCUR 2000).
    pub fn delay_except(&mut self, stopped: &[ClockId]) {
        let is_stopped = |clock: usize| clock == 0 || stopped.iter().any(|stopped| stopped.index() == clock);
        // A clock that runs gets ahead of one that does not, without end; every other difference is
        // greatest before time passes. So each bound is attained, and the matrix is closed.
        for row in (0..self.size()).filter(|row| !is_stopped(*row)) {
            for column in (0..self.size()).filter(|column| is_stopped(*column)) {
                self.put(row, column, Bound::INFINITE);
            }
        }
    }
}
