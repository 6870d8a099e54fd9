//! Bounds as pairs, and shortest paths by trying every edge until nothing changes.

use ample_stdx::TypedId;
use ample_zones::{Bound, ClockId, Constraint, Zone};

/// A constant, and whether it is itself allowed; nothing if anything is allowed.
type Entry = Option<(i64, bool)>;

/// A matrix of bounds that need not be closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    pub clocks: usize,
    entries: Vec<Entry>,
}

fn entry(bound: Bound) -> Entry {
    bound.constant().map(|constant| (i64::from(constant), !bound.is_strict()))
}

fn is_less(one: Entry, other: Entry) -> bool {
    match (one, other) {
        (None, _) => false,
        (_, None) => true,
        (Some(one), Some(other)) => one < other,
    }
}

fn sum(one: Entry, other: Entry) -> Entry {
    let ((one, is_weak), (other, is_also_weak)) = (one?, other?);
    Some((one + other, is_weak && is_also_weak))
}

impl Matrix {
    /// All valuations of so many clocks.
    pub fn universal(clocks: usize) -> Matrix {
        let size = clocks + 1;
        let entries = (0..size * size).map(|at| (at / size == 0 || at / size == at % size).then_some((0, true)));
        Matrix { clocks, entries: entries.collect() }
    }

    /// What the matrix of a zone says.
    pub fn of(zone: &Zone) -> Matrix {
        Matrix { clocks: zone.clocks(), entries: zone.bounds().iter().copied().map(entry).collect() }
    }

    pub fn at(&self, row: usize, column: usize) -> Entry {
        self.entries[row * (self.clocks + 1) + column]
    }

    /// Adds a constraint.
    pub fn constrain(&mut self, constraint: Constraint) {
        let at = constraint.left.index() * (self.clocks + 1) + constraint.right.index();
        let bound = entry(constraint.bound);
        if is_less(bound, self.entries[at]) {
            self.entries[at] = bound;
        }
    }

    /// Makes each entry the length of the shortest path; false if a circle is shorter than nothing.
    pub fn close(&mut self) -> bool {
        let size = self.clocks + 1;
        loop {
            let before = self.entries.clone();
            for path in 0..size * size * size {
                let (row, column, through) = (path / size / size, path / size % size, path % size);
                let way = sum(self.at(row, through), self.at(through, column));
                if is_less(way, self.at(row, column)) {
                    self.entries[row * size + column] = way;
                }
            }
            if (0..size).any(|clock| is_less(self.at(clock, clock), Some((0, true)))) {
                return false;
            }
            if self.entries == before {
                return true;
            }
        }
    }

    /// Whether a valuation, in parts of `unit` of a whole, is within all bounds.
    pub fn contains(&self, valuation: &[i64], unit: i64) -> bool {
        let value = |clock: usize| if clock == 0 { 0 } else { valuation[clock - 1] };
        let size = self.clocks + 1;
        self.entries.iter().enumerate().all(|(at, entry)| {
            let difference = value(at / size) - value(at % size);
            entry.is_none_or(|(constant, is_weak)| {
                difference < constant * unit || is_weak && difference == constant * unit
            })
        })
    }
}

/// Names a clock, from 1.
pub fn clock(number: usize) -> ClockId {
    ClockId::from_index(number)
}
