//! Thin slabs: where a form lies between two numbers that are close to each other, it is one of
//! few, and each of them is an equation, which is solved exactly. Large coefficients, over which
//! branches take no end, are gone with that.

use super::constraint::{Constraint, Origins, Relation, union};
use crate::number::Integer;

/// A form that is one of few.
pub(crate) struct Slab {
    /// One equation for each value.
    pub equations: Vec<Constraint>,
    /// Where the bounds come from.
    pub origins: Origins,
}

/// The thinnest slab with more than one variable, if it has at most so many values.
pub(crate) fn thinnest(inequalities: &[Constraint], most: usize) -> Option<Slab> {
    // Of one form the lower bound comes right before the upper one.
    let pairs = inequalities.windows(2).filter_map(|pair| match pair {
        [low, high] if low.linear.terms.len() > 1 && low.linear.negated().terms == high.linear.terms => {
            // low − f ≤ 0 and f − high ≤ 0
            Some((-(&low.linear.constant + &high.linear.constant), low, high))
        }
        _ => None,
    });
    let (width, low, high) = pairs.min_by(|a, b| a.0.cmp(&b.0))?;
    if width >= Integer::from(most) {
        return None;
    }
    let mut equations = Vec::new();
    let mut offset = Integer::ZERO;
    while offset <= width {
        let linear = low.linear.clone().plus_constant(&offset);
        equations.push(Constraint { linear, relation: Relation::Zero, origins: Origins::new() });
        offset += Integer::ONE;
    }
    Some(Slab { equations, origins: union(&low.origins, &high.origins) })
}
