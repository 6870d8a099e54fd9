//! Two solvers that are compared.

use crate::answer::{Answer, Failure, Solver};
use crate::formula::Formula;
use crate::meter::Steps;
use crate::smtlib;

/// Asks two solvers; where one says that there is a solution and the other that there is none, one
/// of them is wrong.
pub struct Both<A, B> {
    first: A,
    second: B,
}

impl<A: Solver, B: Solver> Both<A, B> {
    /// The answer is the first one's unless only the second has one.
    pub fn new(first: A, second: B) -> Both<A, B> {
        Both { first, second }
    }
}

impl<A: Solver, B: Solver> Solver for Both<A, B> {
    fn name(&self) -> String {
        format!("{} and {}", self.first.name(), self.second.name())
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        let (first, second) = (self.first.check(formula, steps)?, self.second.check(formula, steps)?);
        match (first, second) {
            (Answer::Unknown, second) => Ok(second),
            (first, Answer::Unknown) => Ok(first),
            (first @ Answer::Sat(_), Answer::Sat(_)) | (first @ Answer::Unsat, Answer::Unsat) => Ok(first),
            (first, second) => Err(Failure::Disagreement {
                first: self.first.name(),
                first_answer: first.word(),
                second: self.second.name(),
                second_answer: second.word(),
                query: smtlib::query(formula),
            }),
        }
    }
}
