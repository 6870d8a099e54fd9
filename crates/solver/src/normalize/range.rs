//! Intervals.

use crate::number::{Integer, is_negative};

/// The values from a number, or from anywhere, to a number, or to anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub low: Option<Integer>,
    pub high: Option<Integer>,
}

impl Range {
    pub fn new(low: impl Into<Integer>, high: impl Into<Integer>) -> Range {
        Range { low: Some(low.into()), high: Some(high.into()) }
    }

    pub fn is_never_negative(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !is_negative(low))
    }

    pub fn is_never_positive(&self) -> bool {
        self.high.as_ref().is_some_and(|high| *high <= Integer::ZERO)
    }

    /// Its values, if there are at most so many.
    pub fn values(&self, most: u32) -> Option<Vec<Integer>> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        if high - low >= Integer::from(most) {
            return None;
        }
        let mut values = Vec::new();
        let mut value = low.clone();
        while value <= *high {
            values.push(value.clone());
            value += Integer::ONE;
        }
        Some(values)
    }

    /// The values of both.
    pub fn meet(&self, other: &Range) -> Range {
        let pick = |a: &Option<Integer>, b: &Option<Integer>, larger: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == larger { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Range { low: pick(&self.low, &other.low, true), high: pick(&self.high, &other.high, false) }
    }

    /// The smallest range with the values of both.
    pub fn join(&self, other: &Range) -> Range {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone());
        Range { low, high }
    }

    /// The values of a function of the ends, rising with them.
    pub fn map(&self, of: impl Fn(&Integer) -> Integer) -> Range {
        Range { low: self.low.as_ref().map(&of), high: self.high.as_ref().map(&of) }
    }

    /// The sum with a multiple of another.
    pub fn plus(&self, by: &Integer, other: &Range) -> Range {
        let (low, high) = if is_negative(by) { (&other.high, &other.low) } else { (&other.low, &other.high) };
        let sum = |a: &Option<Integer>, b: &Option<Integer>| Some(a.as_ref()? + by * b.as_ref()?);
        Range { low: sum(&self.low, low), high: sum(&self.high, high) }
    }
}
