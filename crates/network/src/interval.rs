//! Intervals of exact integers.

use ample_model::{BinaryOp, UnaryOp};

/// The numbers from one to another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Interval {
    /// What a condition can be.
    pub(crate) const TRUTH: Interval = Interval { low: 0, high: 1 };
    /// All of 64 bits.
    pub(crate) const ALL: Interval = Interval { low: i64::MIN, high: i64::MAX };

    pub(crate) fn only(number: i64) -> Interval {
        Interval { low: number, high: number }
    }

    /// Those of these numbers that have 64 bits; there are no values beyond.
    fn within(low: i128, high: i128) -> Option<Interval> {
        let low = i64::try_from(low.max(i64::MIN.into())).ok()?;
        let high = i64::try_from(high.min(i64::MAX.into())).ok()?;
        (low <= high).then_some(Interval { low, high })
    }

    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    pub(crate) fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whatever the operator gives, if it gives anything.
    pub(crate) fn unary(op: UnaryOp, a: Interval) -> Option<Interval> {
        match op {
            UnaryOp::Not => Some(Interval::TRUTH),
            UnaryOp::Negate => Interval::within(-i128::from(a.high), -i128::from(a.low)),
            UnaryOp::Complement => Some(Interval { low: !a.high, high: !a.low }),
        }
    }

    /// Whatever the operator gives, if it gives anything.
    pub(crate) fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        let [low, high, least, greatest] = [a.low, a.high, b.low, b.high].map(i128::from);
        match op {
            BinaryOp::Add => Interval::within(low + least, high + greatest),
            BinaryOp::Subtract => Interval::within(low - greatest, high - least),
            BinaryOp::Multiply => corners(a, &[b.low, b.high], |a, b| a * b),
            BinaryOp::Divide => {
                // The divisors that give the largest quotients.
                let divisors = [b.low, -1, 1, b.high];
                let divisors: Vec<i64> =
                    divisors.into_iter().filter(|by| *by != 0 && b.contains(Interval::only(*by))).collect();
                corners(a, &divisors, |a, b| a / b)
            }
            BinaryOp::Remainder => {
                // It has the sign of the first operand, and is nearer to zero than both.
                let most = least.abs().max(greatest.abs()) - 1;
                Interval::within(low.max(-most).min(0), high.min(most).max(0)).filter(|_| most >= 0)
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                Some(Interval::ALL)
            }
            BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => Some(Interval::TRUTH),
        }
    }
}

/// The hull of an operator at the ends of an interval and at zero, with each of some numbers: for
/// operators that only grow, or only fall, on each side of zero.
fn corners(a: Interval, others: &[i64], of: impl Fn(i128, i128) -> i128) -> Option<Interval> {
    let firsts = [a.low, a.high, 0].into_iter().filter(|first| a.contains(Interval::only(*first)));
    let all: Vec<i128> = firsts
        .flat_map(|first| others.iter().map(move |other| (first, *other)))
        .map(|(a, b)| of(a.into(), b.into()))
        .collect();
    Interval::within(*all.iter().min()?, *all.iter().max()?)
}

#[cfg(test)]
mod tests {
    use ample_model::Arithmetic;

    use super::*;

    const OPERATORS: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
        BinaryOp::BitAnd,
        BinaryOp::BitXor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Less,
        BinaryOp::NotEqual,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// All intervals of small numbers, and those at both ends of 64 bits.
    fn intervals() -> Vec<Interval> {
        let from = |start: i64| (0..5).flat_map(move |low| (low..5).map(move |high| (start + low, start + high)));
        let all = from(-2).chain(from(i64::MIN)).chain(from(i64::MAX - 4));
        all.map(|(low, high)| Interval { low, high }).collect()
    }

    #[test]
    fn every_value_of_an_operator_is_in_the_interval() {
        for op in OPERATORS {
            for (a, b) in intervals().iter().flat_map(|a| intervals().into_iter().map(move |b| (*a, b))) {
                let found = Interval::binary(op, a, b);
                let pairs = (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| (x, y)));
                for value in pairs.filter_map(|(x, y)| Arithmetic::Exact.binary(op, x, y).ok()) {
                    assert!(found.is_some_and(|found| found.contains(Interval::only(value))), "{op:?} {a:?} {b:?}");
                }
            }
        }
        for a in intervals() {
            for op in [UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement] {
                for value in (a.low..=a.high).filter_map(|x| Arithmetic::Exact.unary(op, x).ok()) {
                    let found = Interval::unary(op, a);
                    assert!(found.is_some_and(|found| found.contains(Interval::only(value))), "{op:?} {a:?}");
                }
            }
        }
    }
}
