//! Conjunctions of linear constraints over the integers. First equations are solved, exactly; then
//! branch and cut looks for a solution of what is left, as far as that leads. What it does not
//! settle is split where a form has few values, or left to the Omega test, which always ends.

mod branch;
mod constraint;
mod cut;
mod equations;
mod omega;
mod split;

use crate::meter::Meter;

pub(crate) use constraint::{Constraint, Relation, Verdict};
use constraint::{Origins, union};

/// Slabs within slabs have at most so many cases together.
const MOST_CASES: usize = 20;

/// Decides a conjunction. `fresh` is the number of the first variable that nobody uses.
pub(crate) fn decide(constraints: Vec<Constraint>, fresh: u32, meter: &Meter) -> Verdict {
    decide_by_cases(constraints, fresh, MOST_CASES, meter)
}

/// The same with at most so many cases of slabs.
fn decide_by_cases(constraints: Vec<Constraint>, fresh: u32, cases: usize, meter: &Meter) -> Verdict {
    let reduced = match equations::reduce(constraints.clone(), fresh, meter) {
        Ok(reduced) => reduced,
        Err(Verdict::Conflict(origins)) => return Verdict::Conflict(minimal(constraints, origins, fresh, meter)),
        Err(verdict) => return verdict,
    };
    let inequalities = &reduced.inequalities;
    let verdict = branch::search(inequalities, branch::SHORT, meter)
        .or_else(|| by_slab(inequalities, reduced.fresh, cases, meter))
        .or_else(|| branch::search(inequalities, branch::LONG, meter))
        .unwrap_or_else(|| omega::decide(inequalities.clone(), reduced.fresh, meter));
    reduced.complete(verdict)
}

/// A conflict of equations without what it does not need: one after the other is left out as long
/// as there is one. (What fixes all bits of a number conflicts with the lowest already.)
fn minimal(mut constraints: Vec<Constraint>, mut conflict: Origins, fresh: u32, meter: &Meter) -> Origins {
    for origin in conflict.clone() {
        if !conflict.contains(&origin) {
            continue;
        }
        constraints.retain(|constraint| constraint.origins.iter().all(|of| conflict.contains(of)));
        let others = constraints.iter().filter(|constraint| !constraint.origins.contains(&origin));
        if let Err(Verdict::Conflict(smaller)) = equations::reduce(others.cloned().collect(), fresh, meter) {
            conflict = smaller;
        }
    }
    conflict
}

/// One value of the thinnest slab after the other; nothing if none is thin.
fn by_slab(inequalities: &[Constraint], fresh: u32, cases: usize, meter: &Meter) -> Option<Verdict> {
    let slab = split::thinnest(inequalities, cases)?;
    let cases = cases / slab.equations.len().max(1);
    let mut conflict = slab.origins;
    for equation in slab.equations {
        let with = inequalities.iter().cloned().chain([equation]).collect();
        match decide_by_cases(with, fresh, cases, meter) {
            Verdict::Conflict(origins) => conflict = union(&conflict, &origins),
            found => return Some(found),
        }
    }
    Some(Verdict::Conflict(conflict))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::formula::Variable;
    use crate::linear::Linear;
    use crate::meter::Steps;
    use crate::number::Integer;
    use ample_stdx::Random;

    fn linear(terms: &[(u32, i64)], constant: i64) -> Linear {
        let terms = terms.iter().map(|(variable, by)| Linear::from(Variable(*variable)).times(&Integer::from(*by)));
        terms.fold(Linear::from(Integer::from(constant)), |sum, term| sum.plus(&Integer::ONE, &term))
    }

    fn numbered(constraints: &[(Linear, Relation)]) -> Vec<Constraint> {
        let constraint = |(at, (linear, relation)): (usize, &(Linear, Relation))| Constraint {
            linear: linear.clone(),
            relation: *relation,
            origins: vec![at as u32],
        };
        constraints.iter().enumerate().map(constraint).collect()
    }

    /// All values of three variables in a range.
    fn points(low: i64, high: i64) -> impl Iterator<Item = [i64; 3]> {
        (low..=high).flat_map(move |x| (low..=high).flat_map(move |y| (low..=high).map(move |z| [x, y, z])))
    }

    fn holds(constraint: &Constraint, at: &BTreeMap<Variable, Integer>) -> bool {
        let value = |variable: &Variable| at.get(variable).cloned().unwrap_or_default();
        let sum = constraint.linear.terms.iter().map(|(variable, by)| by * value(variable)).sum::<Integer>();
        let sum = sum + &constraint.linear.constant;
        match constraint.relation {
            Relation::Zero => sum == Integer::ZERO,
            Relation::AtMostZero => sum <= Integer::ZERO,
        }
    }

    fn at(point: [i64; 3]) -> BTreeMap<Variable, Integer> {
        point.iter().enumerate().map(|(at, value)| (Variable(at as u32), Integer::from(*value))).collect()
    }

    const RANGE: i64 = 6;

    fn random_constraints(seed: u64) -> Vec<Constraint> {
        let mut random = Random::new(seed);
        let mut number = |low: i64, high: i64| low + random.below((high - low + 1) as usize) as i64;
        let mut all: Vec<(Linear, Relation)> = Vec::new();
        for variable in 0..3 {
            all.push((linear(&[(variable, 1)], -RANGE), Relation::AtMostZero));
            all.push((linear(&[(variable, -1)], -RANGE), Relation::AtMostZero));
        }
        for _ in 0..number(1, 5) {
            let terms: Vec<(u32, i64)> = (0..3).map(|variable| (variable, number(-7, 7))).collect();
            let relation = if number(0, 3) == 0 { Relation::Zero } else { Relation::AtMostZero };
            all.push((linear(&terms, number(-15, 15)), relation));
        }
        numbered(&all)
    }

    /// Every way to decide, alone, against all points; and what a conflict names is one.
    #[test]
    fn conjunctions_agree_with_brute_force() {
        type Decide = fn(Vec<Constraint>, u32, &Meter) -> Verdict;
        let ways: [(&str, Decide); 2] = [("all", decide), ("Omega", omega::decide)];
        let mut found = [0; 2];
        for seed in 0..300 {
            let constraints = random_constraints(seed);
            let is_solution = |point: [i64; 3]| constraints.iter().all(|constraint| holds(constraint, &at(point)));
            let expected = points(-RANGE, RANGE).any(is_solution);
            for (name, way) in ways {
                match way(constraints.clone(), 3, &Meter::new(Steps::default())) {
                    Verdict::Solution(solution) => {
                        assert!(
                            constraints.iter().all(|constraint| holds(constraint, &solution)),
                            "{name}, seed {seed}"
                        );
                        found[0] += 1;
                    }
                    Verdict::Conflict(origins) => {
                        assert!(!expected, "{name}, seed {seed}: there is a solution");
                        let named: Vec<&Constraint> =
                            constraints.iter().filter(|one| origins.contains(&one.origins[0])).collect();
                        let mut points = points(-RANGE, RANGE);
                        let other = points.find(|point| named.iter().all(|constraint| holds(constraint, &at(*point))));
                        assert_eq!(other, None, "{name}, seed {seed}: {origins:?} have a solution");
                        found[1] += 1;
                    }
                    Verdict::Exhausted => panic!("{name}, seed {seed}: there are steps enough"),
                }
            }
        }
        assert!(found.iter().all(|count| *count > 100), "{found:?}");
    }

    fn decided(constraints: &[(Linear, Relation)]) -> Verdict {
        decide(numbered(constraints), 10, &Meter::new(Steps::default()))
    }

    /// 2x = 2y + 1: branches alone never end, since nothing is bounded.
    #[test]
    fn an_equation_of_other_parity_is_a_conflict() {
        let equation = (linear(&[(0, 2), (1, -2)], -1), Relation::Zero);
        assert_eq!(decided(&[equation]), Verdict::Conflict(vec![0]));
    }

    /// 1 ≤ 3x − 3y ≤ 2 has rational solutions only.
    #[test]
    fn bounds_are_rounded_by_the_common_divisor() {
        let low = (linear(&[(0, -3), (1, 3)], 1), Relation::AtMostZero);
        let high = (linear(&[(0, 3), (1, -3)], -2), Relation::AtMostZero);
        assert_eq!(decided(&[low, high]), Verdict::Conflict(vec![0, 1]));
    }

    /// Pugh's example: 27 ≤ 11x + 13y ≤ 45 and −10 ≤ 7x − 9y ≤ 4 has rational solutions only, and
    /// the dark shadow does not tell.
    #[test]
    fn the_nightmare_of_the_omega_test_has_no_solution() {
        let constraints = [
            (linear(&[(0, -11), (1, -13)], 27), Relation::AtMostZero),
            (linear(&[(0, 11), (1, 13)], -45), Relation::AtMostZero),
            (linear(&[(0, -7), (1, 9)], -10), Relation::AtMostZero),
            (linear(&[(0, 7), (1, -9)], -4), Relation::AtMostZero),
        ];
        assert!(matches!(decided(&constraints), Verdict::Conflict(_)));
        let omega = omega::decide(numbered(&constraints), 10, &Meter::new(Steps::default()));
        assert!(matches!(omega, Verdict::Conflict(_)));
    }

    /// 3 ≤ 2^31·x − 5y ≤ 4 with y from 0 on: branches walk along the slab for ever.
    #[test]
    fn a_thin_slab_with_large_coefficients_is_split() {
        let large = 1 << 31;
        let constraints = [
            (linear(&[(0, -large), (1, 5)], 3), Relation::AtMostZero),
            (linear(&[(0, large), (1, -5)], -4), Relation::AtMostZero),
            (linear(&[(1, -1)], 1), Relation::AtMostZero),
        ];
        let Verdict::Solution(solution) = decided(&constraints) else { panic!("there is one") };
        assert!(numbered(&constraints).iter().all(|constraint| holds(constraint, &solution)));
    }

    #[test]
    fn without_steps_nothing_is_decided() {
        let equation = (linear(&[(0, 2), (1, -3)], -1), Relation::Zero);
        assert_eq!(decide(numbered(&[equation]), 10, &Meter::new(Steps(0))), Verdict::Exhausted);
    }
}
