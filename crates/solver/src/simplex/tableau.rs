//! The tableau: each basic column is a combination of the others, and pivots exchange two.

use super::bounds::{Bounds, Column, Reason, Side};
use crate::meter::Meter;
use crate::number::{Integer, Rational};

/// Where a column stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    /// The row that says what it is.
    Basic(usize),
    /// The position in each row of what it is multiplied by.
    Free(usize),
}

/// Whether all bounds can be met at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Feasibility {
    /// The values of the columns meet them.
    Feasible,
    /// The bounds with these reasons cannot.
    Conflict(Vec<Reason>),
    /// There were no steps left to find out.
    Exhausted,
}

/// Rows, bounds and values. Columns that are not basic are always within their bounds.
#[derive(Clone, Debug)]
pub(crate) struct Tableau {
    places: Vec<Place>,
    basic: Vec<Column>,
    free: Vec<Column>,
    /// By row, then by position.
    rows: Vec<Vec<Rational>>,
    values: Vec<Rational>,
    bounds: Bounds,
}

impl Tableau {
    /// One with so many columns that nothing is said about.
    pub fn new(columns: usize) -> Tableau {
        let mut bounds = Bounds::default();
        (0..columns).for_each(|_| bounds.add_column());
        Tableau {
            places: (0..columns).map(Place::Free).collect(),
            basic: Vec::new(),
            free: (0..columns).collect(),
            rows: Vec::new(),
            values: vec![Rational::ZERO; columns],
            bounds,
        }
    }

    /// Adds a column that is a combination of others.
    pub fn add_row<'t>(&mut self, terms: impl IntoIterator<Item = (Column, &'t Integer)>) -> Column {
        let mut row = vec![Rational::ZERO; self.free.len()];
        let mut value = Rational::ZERO;
        for (column, by) in terms {
            let by = Rational::from(by);
            value = value.plus(&by.times(&self.values[column]));
            match self.places[column] {
                Place::Free(position) => row[position] = row[position].plus(&by),
                Place::Basic(other) => add_multiple(&mut row, &by, &self.rows[other]),
            }
        }
        let column = self.places.len();
        self.places.push(Place::Basic(self.rows.len()));
        self.rows.push(row);
        self.basic.push(column);
        self.values.push(value);
        self.bounds.add_column();
        column
    }

    pub fn value(&self, column: Column) -> &Rational {
        &self.values[column]
    }

    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// What a basic column is: the columns, with what they are multiplied by.
    pub fn row(&self, column: Column) -> impl Iterator<Item = (Column, &Rational)> {
        let row = match self.places[column] {
            Place::Basic(row) => &self.rows[row][..],
            Place::Free(_) => &[],
        };
        self.free.iter().copied().zip(row).filter(|(_, by)| !by.is_zero())
    }

    /// How far the assertions are, for [`Tableau::undo`].
    pub fn mark(&self) -> usize {
        self.bounds.mark()
    }

    /// Takes back what was asserted since. Values stay: where they met tighter bounds, they meet
    /// wider ones.
    pub fn undo(&mut self, mark: usize) {
        self.bounds.undo(mark);
    }

    /// The column is at least, or at most, the value.
    pub fn assert(&mut self, column: Column, side: Side, value: &Integer, reason: Reason) -> Result<(), Vec<Reason>> {
        let is_new = self.bounds.tighten(column, side, value, reason)?;
        if is_new && let Place::Free(position) = self.places[column] {
            let value = Rational::from(value);
            if side.is_beyond(&self.values[column], &value) {
                let change = value.minus(&self.values[column]);
                self.move_free(position, &change);
            }
        }
        Ok(())
    }

    /// The column is at most the value.
    pub fn assert_high(&mut self, column: Column, value: &Integer, reason: Reason) -> Result<(), Vec<Reason>> {
        self.assert(column, Side::High, value, reason)
    }

    /// The column is at least the value.
    pub fn assert_low(&mut self, column: Column, value: &Integer, reason: Reason) -> Result<(), Vec<Reason>> {
        self.assert(column, Side::Low, value, reason)
    }

    /// Looks for values that meet all bounds: while a basic column does not, it is exchanged with
    /// one that can be moved, the first of each, so that it ends (Bland's rule).
    pub fn check(&mut self, meter: &Meter) -> Feasibility {
        loop {
            let Some((row, side)) = self.violated() else { return Feasibility::Feasible };
            let Some(position) = self.movable(row, side) else {
                return Feasibility::Conflict(self.explanation(row, side));
            };
            if !meter.spend(self.rows.len() + 1) {
                return Feasibility::Exhausted;
            }
            let Some(bound) = self.bounds.get(self.basic[row], side) else { return Feasibility::Feasible };
            let missing = bound.value.minus(&self.values[self.basic[row]]);
            let change = missing.times(&self.rows[row][position].inverse());
            self.move_free(position, &change);
            self.pivot(row, position);
        }
    }

    /// The first basic column beyond a bound.
    fn violated(&self) -> Option<(usize, Side)> {
        let beyond = |(row, column): (usize, &Column)| {
            let is_beyond = |side: &Side| {
                self.bounds.get(*column, *side).is_some_and(|bound| side.is_beyond(&self.values[*column], &bound.value))
            };
            let side = [Side::Low, Side::High].into_iter().find(is_beyond)?;
            Some((*column, row, side))
        };
        let first = self.basic.iter().enumerate().filter_map(beyond).min_by_key(|found| found.0)?;
        Some((first.1, first.2))
    }

    /// The side on which a free column stands in the way, if the row is to come back from beyond
    /// this bound.
    fn way(by: &Rational, violated: Side) -> Side {
        // To raise the row, raise what has a positive coefficient.
        if by.is_positive() == (violated == Side::Low) { Side::High } else { Side::Low }
    }

    /// The first free column that can be moved so that the row comes back.
    fn movable(&self, row: usize, violated: Side) -> Option<usize> {
        let can_move = |(position, column): (usize, &Column)| {
            let by = &self.rows[row][position];
            if by.is_zero() {
                return None;
            }
            let side = Tableau::way(by, violated);
            let room = self.bounds.get(*column, side).is_none_or(|bound| self.values[*column] != bound.value);
            room.then_some((*column, position))
        };
        self.free.iter().enumerate().filter_map(can_move).min().map(|found| found.1)
    }

    /// The bound that is violated and those that keep the row there.
    fn explanation(&self, row: usize, violated: Side) -> Vec<Reason> {
        let own = self.bounds.get(self.basic[row], violated);
        let others = self.free.iter().zip(&self.rows[row]).filter(|(_, by)| !by.is_zero());
        let others = others.filter_map(|(column, by)| self.bounds.get(*column, Tableau::way(by, violated)));
        let mut reasons: Vec<Reason> = own.into_iter().chain(others).map(|bound| bound.reason).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// Moves a free column, and every basic one with it.
    fn move_free(&mut self, position: usize, change: &Rational) {
        let column = self.free[position];
        self.values[column] = self.values[column].plus(change);
        for (row, basic) in self.rows.iter().zip(&self.basic) {
            if !row[position].is_zero() {
                self.values[*basic] = self.values[*basic].plus(&row[position].times(change));
            }
        }
    }

    /// Exchanges a basic column with a free one.
    fn pivot(&mut self, row: usize, position: usize) {
        let inverse = self.rows[row][position].inverse();
        let minus = inverse.negated();
        for (at, by) in self.rows[row].iter_mut().enumerate() {
            if at == position {
                *by = inverse.clone();
            } else if !by.is_zero() {
                *by = by.times(&minus);
            }
        }
        let solved = std::mem::take(&mut self.rows[row]);
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let by = std::mem::replace(&mut other[position], Rational::ZERO);
            if !by.is_zero() {
                add_multiple(other, &by, &solved);
            }
        }
        self.rows[row] = solved;
        let (leaving, entering) = (self.basic[row], self.free[position]);
        self.basic[row] = entering;
        self.free[position] = leaving;
        self.places[entering] = Place::Basic(row);
        self.places[leaving] = Place::Free(position);
    }
}

fn add_multiple(row: &mut [Rational], by: &Rational, other: &[Rational]) {
    for (to, from) in row.iter_mut().zip(other) {
        if !from.is_zero() {
            *to = to.plus(&by.times(from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Steps;

    fn integer(value: i64) -> Integer {
        value.into()
    }

    /// The example of the paper's section 3: s1 = x + y, s2 = 2x − y, s3 = −x + 2y.
    #[test]
    fn a_conflict_is_explained_by_one_row() {
        let meter = Meter::new(Steps::default());
        let mut tableau = Tableau::new(2);
        let sum = tableau.add_row([(0, &integer(1)), (1, &integer(1))]);
        let two_x = tableau.add_row([(0, &integer(2)), (1, &integer(-1))]);
        tableau.assert_low(sum, &integer(4), 1).unwrap();
        assert_eq!(tableau.check(&meter), Feasibility::Feasible);
        tableau.assert_high(two_x, &integer(0), 2).unwrap();
        assert_eq!(tableau.check(&meter), Feasibility::Feasible);
        let mark = tableau.mark();
        tableau.assert_high(1, &integer(2), 3).unwrap();
        tableau.assert_low(0, &integer(-9), 4).unwrap();
        assert_eq!(tableau.check(&meter), Feasibility::Conflict(vec![1, 2, 3]));
        tableau.undo(mark);
        assert_eq!(tableau.check(&meter), Feasibility::Feasible);
        assert_eq!(tableau.assert_high(sum, &integer(3), 5), Err(vec![5, 1]));
        assert!(*tableau.value(sum) >= Rational::from(&integer(4)));
    }

    #[test]
    fn without_steps_there_is_no_answer() {
        let mut tableau = Tableau::new(2);
        let sum = tableau.add_row([(0, &integer(1)), (1, &integer(1))]);
        tableau.assert_low(sum, &integer(4), 1).unwrap();
        assert_eq!(tableau.check(&Meter::new(Steps(0))), Feasibility::Exhausted);
    }
}
