//! The solver that needs nothing installed.

use std::rc::Rc;

use crate::answer::{Answer, Failure, Solver};
use crate::clauses::{self, Found};
use crate::evaluate::Assignment;
use crate::formula::{Formula, Symbol};
use crate::meter::{Meter, Steps};
use crate::normal::Normal;
use crate::normalize::Normalizer;
use crate::smtlib;

/// So often a solution that is none because of a product adds lemmas about it.
const MOST_ROUNDS: usize = 24;

/// Clauses with a theory of linear arithmetic; what is not linear, as far as lemmas go.
#[derive(Copy, Clone, Debug, Default)]
pub struct Embedded;

impl Solver for Embedded {
    fn name(&self) -> String {
        "embedded".to_owned()
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        let mut normalizer = Normalizer::for_formula(formula);
        if !normalizer.has_room() {
            return Ok(Answer::Unknown);
        }
        let normal = normalizer.normal_form(formula);
        let mut goal = normalizer.without_divisibility(normal);
        let meter = Rc::new(Meter::new(steps));
        for _ in 0..MOST_ROUNDS {
            let solution = match clauses::decide(&goal, normalizer.variables(), &meter) {
                Found::Nothing => return Ok(Answer::Unsat),
                Found::Exhausted => return Ok(Answer::Unknown),
                Found::Solution(solution) => solution,
            };
            let own = restricted(&solution, formula);
            if own.satisfies(formula) {
                return Ok(Answer::Sat(own));
            }
            if normalizer.is_exact() {
                return Err(Failure::WrongSolution { solver: self.name(), query: smtlib::query(formula) });
            }
            let lemmas = normalizer.lemmas_at(&|variable| solution.integer(variable));
            if lemmas.is_empty() {
                return Ok(Answer::Unknown);
            }
            goal = Normal::all(lemmas.into_iter().chain([goal]));
        }
        Ok(Answer::Unknown)
    }
}

/// The values of what the formula is about.
fn restricted(solution: &Assignment, formula: &Formula) -> Assignment {
    let mut own = Assignment::default();
    for symbol in formula.symbols() {
        match symbol {
            Symbol::Variable(variable) => {
                own.integers.insert(variable, solution.integer(variable));
            }
            Symbol::Proposition(proposition) => {
                own.propositions.insert(proposition, solution.proposition(proposition));
            }
        }
    }
    own
}
