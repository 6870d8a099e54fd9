//! Conjunctions against brute force, and traps by name.

use super::*;
use crate::linear::Linear;
use crate::meter::Steps;
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
