//! Whether an abstract state decides a condition: by what is seen at once, by what was asked
//! before, or by the solver.

use std::collections::{BTreeSet, HashMap};

use ample_solver::{Failure, Formula, Solver, Steps};

use crate::cell::Cells;
use crate::facts::{Facts, Literal, background};
use crate::normal::Condition;

/// How questions were answered.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionCounts {
    /// All of them.
    pub asked: u64,
    /// Those whose answer is seen at once: the state says it, or bounds that it gives do.
    pub at_once: u64,
    /// Those that are true whatever the state (5.4.1, the third optimisation).
    pub tautologies: u64,
    /// Those that were asked before (5.4.1, the second).
    pub hits: u64,
    /// Those that the solver was asked, tautologies that it was asked for among them.
    pub queries: u64,
    /// Those of them that it did not answer, which counts as "not valid".
    pub unknown: u64,
    /// Conjuncts that were proved although the whole was not, and so gave no predicate (5.4.1, the
    /// first).
    pub spared: u64,
}

impl QuestionCounts {
    /// What came since.
    #[must_use]
    pub fn since(self, before: QuestionCounts) -> QuestionCounts {
        QuestionCounts {
            asked: self.asked - before.asked,
            at_once: self.at_once - before.at_once,
            tautologies: self.tautologies - before.tautologies,
            hits: self.hits - before.hits,
            queries: self.queries - before.queries,
            unknown: self.unknown - before.unknown,
            spared: self.spared - before.spared,
        }
    }
}

/// With so many answers the memory begins anew.
const MOST_ANSWERS: usize = 1 << 18;

/// Asks, and remembers.
pub(crate) struct Questions {
    /// Nothing if no solver is to be asked.
    solver: Option<Box<dyn Solver + Send>>,
    steps: Steps,
    answers: HashMap<(Vec<Literal>, Condition, bool), bool>,
    pub counts: QuestionCounts,
}

impl Questions {
    pub fn new(solver: Option<Box<dyn Solver + Send>>) -> Questions {
        Questions { solver, steps: Steps::default(), answers: HashMap::new(), counts: QuestionCounts::default() }
    }

    /// Whether all states of which the facts are true agree that the condition has this value.
    pub fn is_decided(
        &mut self,
        facts: &Facts,
        condition: &Condition,
        value: bool,
        cells: &Cells,
    ) -> Result<bool, Failure> {
        self.counts.asked += 1;
        if let Some(known) = condition.decided(&|atom| facts.known(atom, cells)) {
            self.counts.at_once += 1;
            return Ok(known == value);
        }
        if self.solver.is_none() {
            return Ok(false);
        }
        if self.may_be_tautology(condition) && self.is_valid(Vec::new(), condition, value, cells)? {
            self.counts.tautologies += 1;
            return Ok(true);
        }
        self.is_valid(facts.about(condition), condition, value, cells)
    }

    /// An atom that is no constant is not always true, unless it has parts that are not linear or
    /// bounded.
    fn may_be_tautology(&self, condition: &Condition) -> bool {
        !matches!(condition, Condition::Atom(_) | Condition::Not(_))
    }

    fn is_valid(
        &mut self,
        literals: Vec<Literal>,
        condition: &Condition,
        value: bool,
        cells: &Cells,
    ) -> Result<bool, Failure> {
        let Some(solver) = &mut self.solver else { return Ok(false) };
        let mut about = BTreeSet::new();
        condition.cells(&mut about);
        literals.iter().for_each(|(atom, _)| atom.cells(&mut about));
        let key = (literals, condition.clone(), value);
        if let Some(answer) = self.answers.get(&key) {
            self.counts.hits += 1;
            return Ok(*answer);
        }
        let mut all: Vec<Formula> = key.0.iter().map(|(atom, holds)| atom.literal(*holds)).collect();
        all.extend(background(cells, &about));
        all.push(if value { condition.formula().negated() } else { condition.formula() });
        let answer = solver.check(&Formula::All(all), self.steps)?;
        self.counts.queries += 1;
        self.counts.unknown += u64::from(answer == ample_solver::Answer::Unknown);
        let is_valid = answer == ample_solver::Answer::Unsat;
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key, is_valid);
        Ok(is_valid)
    }
}
