//! Intervals of exact integers, and what analyses of intervals have in common.

use std::collections::BTreeSet;

use ample_model::{BinaryOp, Edge, Expr, ExprKind, Scalar, UnaryOp};

/// The numbers from one to another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

impl Interval {
    /// What a condition can be.
    pub const TRUTH: Interval = Interval { low: 0, high: 1 };
    /// All of 64 bits.
    pub const ALL: Interval = Interval { low: i64::MIN, high: i64::MAX };

    /// A single number.
    pub fn only(number: i64) -> Interval {
        Interval { low: number, high: number }
    }

    /// What a type holds.
    pub fn of_type(scalar: Scalar) -> Interval {
        let (low, high) = scalar.bounds();
        Interval { low, high }
    }

    /// What a variable of a type holds after one of these values was assigned to it; `None` if that
    /// is an error whichever it is.
    pub fn stored(self, scalar: Scalar) -> Option<Interval> {
        let all = Interval::of_type(scalar);
        match scalar {
            // The rest is an error.
            Scalar::Range { .. } => self.meet(all),
            _ if all.contains(self) => Some(self),
            _ => Some(all),
        }
    }

    /// The interval when its bounds that have moved `after` a round go on to the next of `bounds`,
    /// or to what its type holds: so that it does not grow for ever.
    pub fn widened(self, after: Interval, bounds: &BTreeSet<i64>, of_type: Interval) -> Interval {
        let low = bounds.range(..=after.low).next_back().map_or(of_type.low, |bound| of_type.low.max(*bound));
        let high = bounds.range(after.high..).next().map_or(of_type.high, |bound| of_type.high.min(*bound));
        Interval {
            low: if after.low < self.low { low } else { self.low },
            high: if after.high > self.high { high } else { self.high },
        }
    }

    /// Those of these numbers that have 64 bits; there are no values beyond.
    fn within(low: i128, high: i128) -> Option<Interval> {
        let low = i64::try_from(low.max(i64::MIN.into())).ok()?;
        let high = i64::try_from(high.min(i64::MAX.into())).ok()?;
        (low <= high).then_some(Interval { low, high })
    }

    /// The least interval that has both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What both have.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    /// Whether all of another one is in this one.
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whatever the operator gives, if it gives anything.
    pub fn unary(op: UnaryOp, a: Interval) -> Option<Interval> {
        match op {
            UnaryOp::Not => Some(Interval::TRUTH),
            UnaryOp::Negate => Interval::within(-i128::from(a.high), -i128::from(a.low)),
            UnaryOp::Complement => Some(Interval { low: !a.high, high: !a.low }),
        }
    }

    /// Whatever the operator gives, if it gives anything.
    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
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

    /// What is left of two intervals if a comparison holds; `None` if it never does.
    pub fn compared(op: BinaryOp, a: Interval, b: Interval) -> Option<(Interval, Interval)> {
        let at_most = |a: Interval, b: Interval, distance: i64| {
            let high = a.high.min(b.high.checked_sub(distance)?);
            let low = b.low.max(a.low.checked_add(distance)?);
            (a.low <= high && low <= b.high).then_some((Interval { high, ..a }, Interval { low, ..b }))
        };
        let swapped = |found: Option<(Interval, Interval)>| found.map(|(b, a)| (a, b));
        match op {
            BinaryOp::Less => at_most(a, b, 1),
            BinaryOp::LessEqual => at_most(a, b, 0),
            BinaryOp::Greater => swapped(at_most(b, a, 1)),
            BinaryOp::GreaterEqual => swapped(at_most(b, a, 0)),
            BinaryOp::Equal => a.meet(b).map(|both| (both, both)),
            BinaryOp::NotEqual => Some((without(a, b)?, without(b, a)?)),
            _ => Some((a, b)),
        }
    }
}

/// The numbers with which an edge compares something, as far as `constant` knows the operands.
pub fn compared_numbers(edge: &Edge, mut constant: impl FnMut(&Expr) -> Option<i64>, numbers: &mut BTreeSet<i64>) {
    edge.walk(&mut |expr| {
        if let ExprKind::Binary(op, left, right) = &expr.kind
            && *op != negated(*op)
        {
            numbers.extend([left, right].into_iter().filter_map(|side| constant(side)));
        }
    });
}

/// The comparison that is true where this one is false.
pub fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        // No comparison.
        other => other,
    }
}

/// What is left of an interval without the only number of another.
fn without(a: Interval, b: Interval) -> Option<Interval> {
    match b.low {
        _ if b.low != b.high => Some(a),
        number if a == b => Some(a).filter(|_| number != a.low),
        number if a.low == number => Some(Interval { low: number + 1, ..a }),
        number if a.high == number => Some(Interval { high: number - 1, ..a }),
        _ => Some(a),
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
