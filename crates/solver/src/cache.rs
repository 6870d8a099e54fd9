//! What is answered without asking the solver: formulas whose normal form is true or false, and
//! those whose normal form was asked before.

use std::collections::HashMap;

use crate::answer::{Answer, Failure, Solver};
use crate::evaluate::Assignment;
use crate::formula::Formula;
use crate::meter::Steps;
use crate::normal::Normal;
use crate::normalize::Normalizer;

/// With so many answers the cache begins anew.
const MOST_ANSWERS: usize = 1 << 16;

/// How the questions were answered.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All questions.
    pub asked: u64,
    /// Those that their normal form answered.
    pub by_form: u64,
    /// Those that had been asked before.
    pub from_cache: u64,
    /// Those that the solver was asked.
    pub solved: u64,
    /// Those of them that it did not answer.
    pub unknown: u64,
}

/// A question as it is remembered.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// The normal form says everything.
    Normal(Normal),
    /// It says less.
    Formula(Formula),
}

/// A solver with a memory.
pub struct Cached<S> {
    solver: S,
    answers: HashMap<(Key, Steps), Answer>,
    counts: Counts,
}

impl<S: Solver> Cached<S> {
    /// With nothing in the memory.
    pub fn new(solver: S) -> Cached<S> {
        Cached { solver, answers: HashMap::new(), counts: Counts::default() }
    }

    /// How the questions were answered so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

impl<S: Solver> Solver for Cached<S> {
    fn name(&self) -> String {
        self.solver.name()
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        self.counts.asked += 1;
        let mut normalizer = Normalizer::for_formula(formula);
        if !normalizer.has_room() {
            self.counts.solved += 1;
            return self.solver.check(formula, steps);
        }
        let normal = normalizer.normal_form(formula);
        if normal == Normal::Constant(false) {
            self.counts.by_form += 1;
            return Ok(Answer::Unsat);
        }
        // Everything is a solution of what is true.
        let zero = Assignment::default();
        if normal == Normal::Constant(true) && zero.satisfies(formula) {
            self.counts.by_form += 1;
            return Ok(Answer::Sat(zero));
        }
        let key = if normalizer.is_exact() { Key::Normal(normal) } else { Key::Formula(formula.clone()) };
        let key = (key, steps);
        if let Some(answer) = self.answers.get(&key) {
            let is_right = match answer {
                Answer::Sat(assignment) => assignment.satisfies(formula),
                Answer::Unsat | Answer::Unknown => true,
            };
            if is_right {
                self.counts.from_cache += 1;
                return Ok(answer.clone());
            }
        }
        let answer = self.solver.check(formula, steps)?;
        self.counts.solved += 1;
        self.counts.unknown += u64::from(answer == Answer::Unknown);
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key, answer.clone());
        Ok(answer)
    }
}
