//! Making bounds as small as others imply.

use ample_stdx::TypedId;

use crate::bound::{Bound, Overflow};
use crate::constraint::Constraint;
use crate::zone::Zone;

impl Zone {
    /// Leaves the valuations that satisfy a constraint, and says whether there are any. All bounds
    /// that follow are found by the ways through the new one, in quadratic time (Bengtsson and Yi
    /// 2004, Algorithm 4).
    pub fn constrain(&mut self, constraint: Constraint) -> Result<bool, Overflow> {
        let Constraint { left, right, bound } = constraint;
        let (left, right) = (left.index(), right.index());
        if bound >= self.at(left, right) {
            return Ok(true);
        }
        if bound.plus(self.at(right, left)) < Bound::ZERO {
            return Ok(false);
        }
        self.put(left, right, bound);
        // First the row of the new bound, which the ways of all other rows go on with.
        self.lead(left, bound, right)?;
        for row in 0..self.size() {
            if row != left {
                self.lead(row, self.at(row, left), left)?;
            }
        }
        Ok(true)
    }

    /// Makes all bounds as small as others imply, whatever they are, and says whether there are
    /// valuations (the algorithm of Floyd and Warshall).
    pub(crate) fn close(&mut self) -> Result<bool, Overflow> {
        for through in 0..self.size() {
            for row in 0..self.size() {
                if row != through {
                    self.lead(row, self.at(row, through), through)?;
                }
            }
        }
        Ok((0..self.size()).all(|clock| self.at(clock, clock) >= Bound::ZERO))
    }

    /// Makes the bounds of a row as small as the ways by another one allow, which is so far.
    #[inline]
    fn lead(&mut self, row: usize, distance: Bound, through: usize) -> Result<(), Overflow> {
        if distance == Bound::INFINITE || row == through {
            return Ok(());
        }
        let (bounds, rest) = self.row_beside(row, through);
        let mut fits = true;
        for (bound, rest) in bounds.iter_mut().zip(rest) {
            let sum = distance.plus(*rest);
            *bound = if sum < *bound { sum } else { *bound };
            fits &= bound.is_representable();
        }
        if fits { Ok(()) } else { Err(Overflow) }
    }
}
