//! Linear constraints that know which assertions they were made from.

use std::collections::BTreeMap;

use crate::formula::Variable;
use crate::linear::Linear;
use crate::number::Integer;

/// Numbers of assertions, in order. The caller says what they mean.
pub(crate) type Origins = Vec<u32>;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The sum is at most zero.
    AtMostZero,
    /// The sum is zero.
    Zero,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    pub linear: Linear,
    pub relation: Relation,
    pub origins: Origins,
}

/// What is in one of them.
pub(crate) fn union(a: &[u32], b: &[u32]) -> Origins {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a conjunction has a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A value for each variable; what is not named may be zero.
    Solution(BTreeMap<Variable, Integer>),
    /// None: those constraints have none that come from these.
    Conflict(Origins),
    /// There were no steps left to find out.
    Exhausted,
}
