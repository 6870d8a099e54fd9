//! The matrix of bounds that a zone is.

use std::fmt;

use ample_stdx::{TypedId, typed_id};

use crate::bound::Bound;

typed_id! {
    /// Names a clock of a zone. The first is no clock but always zero.
    pub struct ClockId;
}

impl ClockId {
    /// What is always zero: differences with it are values of clocks.
    pub const ZERO: ClockId = ClockId(0);
}

/// A set of valuations of clocks. It is never empty, and its matrix is closed: each bound is as
/// small as the others imply.
///
/// An operation that leaves nothing says so. What the zone is then, or after an
/// [`Overflow`](crate::Overflow), is not specified: it can only be overwritten.
#[derive(PartialEq, Eq, Hash)]
pub struct Zone {
    /// How many rows there are: one for each clock, and one for zero.
    size: usize,
    /// Row by row: the bound of the row's clock minus the column's.
    bounds: Box<[Bound]>,
}

impl Zone {
    /// All of so many clocks are zero.
    pub fn at_zero(clocks: usize) -> Zone {
        let size = clocks + 1;
        Zone { size, bounds: vec![Bound::ZERO; size * size].into() }
    }

    /// So many clocks have any values.
    pub fn universal(clocks: usize) -> Zone {
        let mut zone = Zone::at_zero(clocks);
        zone.free();
        zone
    }

    /// Lets the clocks have any values, of which none is below zero.
    pub fn free(&mut self) {
        for row in 1..self.size {
            self.row_mut(row).fill(Bound::INFINITE);
            self.put(row, row, Bound::ZERO);
        }
        self.row_mut(0).fill(Bound::ZERO);
    }

    /// Becomes a zone of as many clocks.
    pub fn copy_from(&mut self, other: &Zone) {
        self.bounds.copy_from_slice(&other.bounds);
    }

    /// How many clocks there are, without what is always zero.
    pub fn clocks(&self) -> usize {
        self.size - 1
    }

    /// The bound of `left − right`.
    pub fn bound(&self, left: ClockId, right: ClockId) -> Bound {
        self.at(left.index(), right.index())
    }

    /// Whether all valuations of a zone of as many clocks are in this one.
    pub fn includes(&self, other: &Zone) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(own, other)| own >= other)
    }

    /// The bounds, row by row: what a store keeps.
    pub fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    #[inline(always)]
    pub(crate) fn at(&self, row: usize, column: usize) -> Bound {
        self.bounds[row * self.size + column]
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, row: usize, column: usize, bound: Bound) {
        self.bounds[row * self.size + column] = bound;
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[Bound] {
        &self.bounds[row * self.size..][..self.size]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [Bound] {
        &mut self.bounds[row * self.size..][..self.size]
    }

    /// A row to be changed by another one; they are different.
    #[inline(always)]
    pub(crate) fn row_beside(&mut self, row: usize, other: usize) -> (&mut [Bound], &[Bound]) {
        let size = self.size;
        let (before, after) = self.bounds.split_at_mut(row.max(other) * size);
        let (low, high) = (&mut before[row.min(other) * size..][..size], &mut after[..size]);
        if row < other { (low, high) } else { (high, low) }
    }

    pub(crate) fn bounds_mut(&mut self) -> &mut [Bound] {
        &mut self.bounds
    }
}

impl Clone for Zone {
    fn clone(&self) -> Zone {
        Zone { size: self.size, bounds: self.bounds.clone() }
    }

    fn clone_from(&mut self, other: &Zone) {
        self.size = other.size;
        self.bounds.clone_from(&other.bounds);
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries((0..self.size).map(|row| self.row(row))).finish()
    }
}
