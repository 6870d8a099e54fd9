//! The Omega test: one variable after the other is projected away, exactly where one of the two
//! coefficients of each pair of bounds is one; else the solution is in the *dark shadow*, where
//! the bounds are so far apart that an integer lies between them, or near a lower bound, in one of
//! finitely many *splinters*. (W. Pugh, The Omega Test, Supercomputing 1991.)

use std::collections::BTreeMap;

use super::constraint::{Constraint, Origins, Relation, Verdict, union};
use super::equations;
use crate::evaluate::Assignment;
use crate::formula::Variable;
use crate::linear::Linear;
use crate::meter::Meter;
use crate::number::{Integer, abs, ceil_div, floor_div, is_negative};

/// Decides a conjunction.
pub(crate) fn decide(constraints: Vec<Constraint>, fresh: u32, meter: &Meter) -> Verdict {
    match equations::reduce(constraints, fresh, meter) {
        Err(verdict) => verdict,
        Ok(reduced) => {
            let verdict = decide_inequalities(&reduced.inequalities, reduced.fresh, meter);
            reduced.complete(verdict)
        }
    }
}

/// A bound of one variable: `by · x ≥ limit` below, `by · x ≤ limit` above; `by` is positive.
struct BoundOf<'c> {
    by: Integer,
    limit: Linear,
    constraint: &'c Constraint,
}

/// The bounds of one variable, and the constraints that are not about it.
struct Projection<'c> {
    variable: Variable,
    lows: Vec<BoundOf<'c>>,
    highs: Vec<BoundOf<'c>>,
    rest: Vec<&'c Constraint>,
}

fn decide_inequalities(inequalities: &[Constraint], fresh: u32, meter: &Meter) -> Verdict {
    let Some(variable) = choose(inequalities) else { return Verdict::Solution(BTreeMap::new()) };
    let projection = Projection::new(variable, inequalities);
    if !meter.spend(1 + projection.lows.len() * projection.highs.len() + projection.rest.len()) {
        return Verdict::Exhausted;
    }
    let real = decide(projection.shadow(Shadow::Real), fresh, meter);
    let Verdict::Solution(solution) = real else { return real };
    if let Some(solution) = projection.extended(solution) {
        return Verdict::Solution(solution);
    }
    let mut conflict = match decide(projection.shadow(Shadow::Dark), fresh, meter) {
        Verdict::Exhausted => return Verdict::Exhausted,
        // Where the shadow is dark there is a value.
        Verdict::Solution(solution) => {
            return projection.extended(solution).map_or(Verdict::Exhausted, Verdict::Solution);
        }
        Verdict::Conflict(origins) => origins,
    };
    for bound in projection.lows.iter().chain(&projection.highs) {
        conflict = union(&conflict, &bound.constraint.origins);
    }
    splinters(&projection, inequalities, conflict, fresh, meter)
}

/// Solutions near a lower bound.
fn splinters(
    projection: &Projection,
    inequalities: &[Constraint],
    mut conflict: Origins,
    fresh: u32,
    meter: &Meter,
) -> Verdict {
    let Some(largest) = projection.highs.iter().map(|high| &high.by).max() else {
        return Verdict::Conflict(conflict);
    };
    for low in &projection.lows {
        let last = floor_div(&(largest * &low.by - largest - &low.by), largest);
        let mut offset = Integer::ZERO;
        while offset <= last {
            if !meter.spend(1) {
                return Verdict::Exhausted;
            }
            let multiple = Linear::from(projection.variable).times(&low.by);
            let linear = multiple.minus(&low.limit).plus_constant(&-&offset);
            let equation = Constraint { linear, relation: Relation::Zero, origins: Origins::new() };
            let with = inequalities.iter().cloned().chain([equation]).collect();
            match decide(with, fresh, meter) {
                Verdict::Conflict(origins) => conflict = union(&conflict, &origins),
                other => return other,
            }
            offset += Integer::ONE;
        }
    }
    Verdict::Conflict(conflict)
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Shadow {
    Real,
    Dark,
}

impl<'c> Projection<'c> {
    fn new(variable: Variable, inequalities: &'c [Constraint]) -> Projection<'c> {
        let mut projection = Projection { variable, lows: Vec::new(), highs: Vec::new(), rest: Vec::new() };
        for constraint in inequalities {
            let by = constraint.linear.coefficient(variable);
            let others = || constraint.linear.without(variable);
            if by.is_zero() {
                projection.rest.push(constraint);
            } else if is_negative(&by) {
                projection.lows.push(BoundOf { by: -by, limit: others(), constraint });
            } else {
                projection.highs.push(BoundOf { by, limit: others().negated(), constraint });
            }
        }
        projection
    }

    fn shadow(&self, shadow: Shadow) -> Vec<Constraint> {
        let mut constraints: Vec<Constraint> = self.rest.iter().map(|constraint| (*constraint).clone()).collect();
        for low in &self.lows {
            for high in &self.highs {
                // low.limit / low.by ≤ x ≤ high.limit / high.by
                let mut linear = low.limit.times(&high.by).minus(&high.limit.times(&low.by));
                if shadow == Shadow::Dark {
                    linear.constant += (&low.by - Integer::ONE) * (&high.by - Integer::ONE);
                }
                let origins = union(&low.constraint.origins, &high.constraint.origins);
                constraints.push(Constraint { linear, relation: Relation::AtMostZero, origins });
            }
        }
        constraints
    }

    /// A solution of the others with a value of the variable, if there is one.
    fn extended(&self, solution: BTreeMap<Variable, Integer>) -> Option<BTreeMap<Variable, Integer>> {
        let mut at = Assignment { integers: solution, ..Assignment::default() };
        let low = self.lows.iter().map(|low| ceil_div(&low.limit.value(&at), &low.by)).max();
        let high = self.highs.iter().map(|high| floor_div(&high.limit.value(&at), &high.by)).min();
        if let (Some(low), Some(high)) = (&low, &high)
            && low > high
        {
            return None;
        }
        at.integers.insert(self.variable, low.or(high).unwrap_or_default());
        Some(at.integers)
    }
}

/// The variable whose projection is exact and makes the fewest constraints; else the one with the
/// fewest splinters.
fn choose(inequalities: &[Constraint]) -> Option<Variable> {
    let mut counts: BTreeMap<Variable, [(usize, Integer); 2]> = BTreeMap::new();
    for (variable, by) in inequalities.iter().flat_map(|inequality| &inequality.linear.terms) {
        let sides = counts.entry(*variable).or_default();
        let side = &mut sides[usize::from(is_negative(by))];
        side.0 += 1;
        side.1 = abs(by).max(std::mem::take(&mut side.1));
    }
    let cost = |sides: &[(usize, Integer); 2]| {
        let [(highs, most_high), (lows, most_low)] = sides;
        let inexact = (most_high - Integer::ONE) * (most_low - Integer::ONE);
        let inexact = if is_negative(&inexact) { Integer::ZERO } else { inexact };
        (inexact, highs * lows)
    };
    counts.iter().min_by_key(|(_, sides)| cost(sides)).map(|(variable, _)| *variable)
}
