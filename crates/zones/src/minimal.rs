//! The fewest constraints that describe a zone.

use ample_stdx::TypedId;

use crate::bound::{Bound, Overflow};
use crate::constraint::Constraint;
use crate::zone::{ClockId, Zone};

impl Zone {
    /// Appends as few constraints as describe the zone (Larsen, Larsson, Pettersson, Yi: Efficient
    /// verification of real-time systems: compact data structure and state-space reduction, RTSS
    /// 1997). Clocks whose difference is fixed are tied in a circle; between the first of each such
    /// class a bound is left out if the way by another class is no longer.
    pub fn append_minimal(&self, out: &mut Vec<Constraint>) {
        for clock in 0..self.size() {
            let next = (clock + 1..self.size()).find(|other| self.is_tied(clock, *other));
            let first = self.first_of_class(clock);
            match next {
                Some(next) => out.push(self.constraint(clock, next)),
                None if first != clock => out.push(self.constraint(clock, first)),
                None => {}
            }
            if first == clock {
                out.extend(self.needed_from(clock));
            }
        }
    }

    /// Becomes what constraints of [`Zone::append_minimal`] describe, those of a zone of as many
    /// clocks.
    pub fn read_minimal(&mut self, constraints: &[Constraint]) -> Result<bool, Overflow> {
        self.bounds_mut().fill(Bound::INFINITE);
        for clock in 0..self.size() {
            self.put(clock, clock, Bound::ZERO);
        }
        for constraint in constraints {
            self.put(constraint.left.index(), constraint.right.index(), constraint.bound);
        }
        self.close()
    }

    /// The bounds from one class to others that are needed.
    fn needed_from(&self, row: usize) -> impl Iterator<Item = Constraint> {
        let firsts = move || (0..self.size()).filter(|clock| self.first_of_class(*clock) == *clock);
        let is_implied = move |column: usize| {
            let mut between = firsts().filter(|middle| *middle != row && *middle != column);
            between.any(|middle| self.at(row, middle).plus(self.at(middle, column)) <= self.at(row, column))
        };
        let others = firsts().filter(move |column| *column != row && self.at(row, *column) != Bound::INFINITE);
        others.filter(move |column| !is_implied(*column)).map(move |column| self.constraint(row, column))
    }

    fn first_of_class(&self, clock: usize) -> usize {
        (0..clock).find(|other| self.is_tied(clock, *other)).unwrap_or(clock)
    }

    /// Whether the difference of two clocks is fixed.
    fn is_tied(&self, one: usize, other: usize) -> bool {
        self.at(one, other).plus(self.at(other, one)) == Bound::ZERO
    }

    fn constraint(&self, left: usize, right: usize) -> Constraint {
        let bound = self.at(left, right);
        Constraint { left: ClockId::from_index(left), right: ClockId::from_index(right), bound }
    }
}
