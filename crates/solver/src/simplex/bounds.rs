//! Bounds of columns, each with the reason that was given for it, and how to take them back.

use crate::number::{Integer, Rational};

/// A variable of the tableau: one of the problem, or the value of a form.
pub(crate) type Column = usize;

/// What a bound was asserted for. The caller says what the number means.
pub(crate) type Reason = u32;

#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub value: Rational,
    pub reason: Reason,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Low,
    High,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Low => Side::High,
            Side::High => Side::Low,
        }
    }

    /// Whether a value is beyond a bound on this side.
    pub fn is_beyond(self, value: &Rational, bound: &Rational) -> bool {
        match self {
            Side::Low => value < bound,
            Side::High => value > bound,
        }
    }
}

/// Both bounds of each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    low: Vec<Option<Bound>>,
    high: Vec<Option<Bound>>,
    /// What the bounds were before, the latest change last.
    trail: Vec<(Column, Side, Option<Bound>)>,
}

impl Bounds {
    pub fn add_column(&mut self) {
        self.low.push(None);
        self.high.push(None);
    }

    pub fn get(&self, column: Column, side: Side) -> Option<&Bound> {
        match side {
            Side::Low => self.low[column].as_ref(),
            Side::High => self.high[column].as_ref(),
        }
    }

    /// Makes a bound tighter. Whether it did; the conflict if the other bound is beyond.
    pub fn tighten(
        &mut self,
        column: Column,
        side: Side,
        value: &Integer,
        reason: Reason,
    ) -> Result<bool, Vec<Reason>> {
        let value = Rational::from(value);
        if self.get(column, side).is_some_and(|bound| !side.is_beyond(&bound.value, &value)) {
            return Ok(false);
        }
        if let Some(other) = self.get(column, side.other())
            && side.other().is_beyond(&value, &other.value)
        {
            return Err(vec![reason, other.reason]);
        }
        let bounds = match side {
            Side::Low => &mut self.low,
            Side::High => &mut self.high,
        };
        let before = bounds[column].replace(Bound { value, reason });
        self.trail.push((column, side, before));
        Ok(true)
    }

    /// How far the changes are, for [`Bounds::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back what was changed since.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((column, side, before)) = self.trail.pop() else { return };
            match side {
                Side::Low => self.low[column] = before,
                Side::High => self.high[column] = before,
            }
        }
    }
}
