//! Equations over the integers, solved one after the other: where a coefficient is one, the
//! variable is expressed by the others; where none is, a new variable takes the place of the one
//! with the smallest, so that the others become smaller (W. Pugh, The Omega Test, Supercomputing
//! 1991, section 2.1, with plain remainders). Each such step keeps the solutions one to one.
//!
//! What is left are inequalities, each divided by the common divisor of its coefficients and
//! rounded, at most two of one form.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Origins, Relation, Verdict, union};
use crate::evaluate::Assignment;
use crate::formula::Variable;
use crate::linear::Linear;
use crate::meter::Meter;
use crate::number::{Integer, abs, floor_div, floor_rem, is_negative};

/// Inequalities, and what the other variables are then.
pub(crate) struct Reduced {
    pub inequalities: Vec<Constraint>,
    /// The first number that no variable has.
    pub fresh: u32,
    /// In the order in which they were made: each is about variables that are replaced later, or
    /// not at all.
    substitutions: Vec<(Variable, Linear)>,
}

impl Reduced {
    /// A verdict about the inequalities as one about everything.
    pub fn complete(&self, verdict: Verdict) -> Verdict {
        let Verdict::Solution(integers) = verdict else { return verdict };
        let mut at = Assignment { integers, ..Assignment::default() };
        for (variable, linear) in self.substitutions.iter().rev() {
            let value = linear.value(&at);
            at.integers.insert(*variable, value);
        }
        Verdict::Solution(at.integers)
    }
}

/// Solves all equations, those too that two inequalities make.
pub(crate) fn reduce(constraints: Vec<Constraint>, fresh: u32, meter: &Meter) -> Result<Reduced, Verdict> {
    let mut reduced = Reduced { inequalities: Vec::new(), fresh, substitutions: Vec::new() };
    let is_equation = |constraint: &Constraint| constraint.relation == Relation::Zero;
    let (mut equations, mut inequalities): (Vec<_>, Vec<_>) = constraints.into_iter().partition(is_equation);
    loop {
        while let Some(equation) = take_simplest(&mut equations) {
            if !meter.spend(1 + equations.len() + inequalities.len()) {
                return Err(Verdict::Exhausted);
            }
            reduced.solve(equation, &mut equations, &mut inequalities)?;
        }
        (equations, inequalities) = joined(inequalities)?;
        if equations.is_empty() {
            reduced.inequalities = inequalities;
            return Ok(reduced);
        }
    }
}

/// The one with the smallest coefficient, the shortest of them.
fn take_simplest(equations: &mut Vec<Constraint>) -> Option<Constraint> {
    let weight = |equation: &Constraint| {
        let smallest = equation.linear.terms.iter().map(|(_, by)| abs(by)).min();
        (smallest, equation.linear.terms.len())
    };
    let at = (0..equations.len()).min_by_key(|at| weight(&equations[*at]))?;
    Some(equations.swap_remove(at))
}

impl Reduced {
    /// Takes an equation out, or makes its coefficients smaller.
    fn solve(
        &mut self,
        equation: Constraint,
        equations: &mut Vec<Constraint>,
        inequalities: &mut [Constraint],
    ) -> Result<(), Verdict> {
        let Constraint { linear, origins, .. } = equation;
        let common = linear.content();
        if common.is_zero() {
            return if linear.constant.is_zero() { Ok(()) } else { Err(Verdict::Conflict(origins)) };
        }
        if !floor_rem(&linear.constant, &common).is_zero() {
            return Err(Verdict::Conflict(origins));
        }
        let linear = linear.split(&common).0;
        let Some((variable, by)) = linear.terms.iter().min_by_key(|(_, by)| abs(by)).cloned() else {
            return Ok(());
        };
        let rest = linear.without(variable);
        let others = equations.iter_mut().chain(inequalities.iter_mut());
        if abs(&by).is_one() {
            let value = rest.times(&-by);
            others.for_each(|other| replace(other, variable, &value, &origins));
            self.substitutions.push((variable, value));
            return Ok(());
        }
        // a·x + Σ bᵢ·yᵢ + c = 0 with bᵢ = a·qᵢ + rᵢ: for x + Σ qᵢ·yᵢ + q there is a new variable.
        let (quotients, _) = rest.split(&by);
        let fresh = Variable(self.fresh);
        self.fresh = self.fresh.saturating_add(1);
        let value = Linear::from(fresh).minus(&quotients);
        others.for_each(|other| replace(other, variable, &value, &[]));
        equations.push(Constraint { linear: linear.substitute(variable, &value), relation: Relation::Zero, origins });
        self.substitutions.push((variable, value));
        Ok(())
    }
}

fn replace(constraint: &mut Constraint, variable: Variable, by: &Linear, origins: &[u32]) {
    if !constraint.linear.coefficient(variable).is_zero() {
        constraint.linear = constraint.linear.substitute(variable, by);
        constraint.origins = union(&constraint.origins, origins);
    }
}

/// The tightest bounds of one form.
#[derive(Default)]
struct Pair {
    low: Option<(Integer, Origins)>,
    high: Option<(Integer, Origins)>,
}

/// The tightest inequalities; equations where two of them meet; a conflict where they miss.
fn joined(inequalities: Vec<Constraint>) -> Result<(Vec<Constraint>, Vec<Constraint>), Verdict> {
    let mut pairs: BTreeMap<Vec<(Variable, Integer)>, Pair> = BTreeMap::new();
    for Constraint { linear, origins, .. } in inequalities {
        let Some((_, first)) = linear.terms.first() else {
            if linear.constant > Integer::ZERO {
                return Err(Verdict::Conflict(origins));
            }
            continue;
        };
        let is_low = is_negative(first);
        let common = linear.content();
        let limit = floor_div(&-&linear.constant, &common);
        let common = if is_low { -common } else { common };
        let form = linear.terms.iter().map(|(variable, by)| (*variable, by / &common)).collect();
        let pair = pairs.entry(form).or_default();
        if is_low {
            if pair.low.as_ref().is_none_or(|known| known.0 < -&limit) {
                pair.low = Some((-limit, origins));
            }
        } else if pair.high.as_ref().is_none_or(|known| known.0 > limit) {
            pair.high = Some((limit, origins));
        }
    }
    let (mut equations, mut inequalities) = (Vec::new(), Vec::new());
    for (terms, Pair { low, high }) in pairs {
        let form = Linear { terms, constant: Integer::ZERO };
        if let (Some((low, of_low)), Some((high, of_high))) = (&low, &high) {
            if low > high {
                return Err(Verdict::Conflict(union(of_low, of_high)));
            }
            if low == high {
                let linear = form.plus_constant(&-low);
                let origins = union(of_low, of_high);
                equations.push(Constraint { linear, relation: Relation::Zero, origins });
                continue;
            }
        }
        let relation = Relation::AtMostZero;
        if let Some((low, origins)) = low {
            inequalities.push(Constraint { linear: form.negated().plus_constant(&low), relation, origins });
        }
        if let Some((high, origins)) = high {
            inequalities.push(Constraint { linear: form.plus_constant(&-high), relation, origins });
        }
    }
    Ok((equations, inequalities))
}
