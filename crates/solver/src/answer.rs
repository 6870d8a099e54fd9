//! What a solver is asked and what it answers.

use crate::evaluate::Assignment;
use crate::formula::Formula;
use crate::meter::Steps;

/// Whether a formula has a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// None.
    Unsat,
    /// This one, which was tried.
    Sat(Assignment),
    /// It was not found out: the formula is not linear, or the steps were used up.
    Unknown,
}

/// Why there is no answer although there should be one.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The solver is wrong.
    #[error("the solver {solver} gave a solution that is none; this is a bug of it: {query}")]
    WrongSolution {
        /// Which.
        solver: String,
        /// What it was asked, in SMT-LIB.
        query: String,
    },
    /// One of two solvers is wrong.
    #[error("{first} says `{first_answer}` and {second} says `{second_answer}`; one of them is wrong about {query}")]
    Disagreement {
        /// One.
        first: String,
        /// What it says.
        first_answer: &'static str,
        /// The other.
        second: String,
        /// What that says.
        second_answer: &'static str,
        /// What they were asked, in SMT-LIB.
        query: String,
    },
    /// A program could not be started, or ended, or said what is not understood.
    #[error("the solver `{solver}`: {error}")]
    Program {
        /// Its name.
        solver: String,
        /// What happened.
        error: std::io::Error,
    },
    /// Queries could not be kept.
    #[error("cannot write queries: {0}")]
    Kept(std::io::Error),
}

/// A decision procedure.
pub trait Solver {
    /// Its name, for messages.
    fn name(&self) -> String;

    /// Whether the formula has a solution. The answer is the same each time.
    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure>;

    /// Whether the formula is true whatever the values: whether its contrary has no solution. What
    /// is not found out counts as not valid.
    fn is_valid(&mut self, formula: &Formula, steps: Steps) -> Result<bool, Failure> {
        Ok(self.check(&formula.clone().negated(), steps)? == Answer::Unsat)
    }
}

impl Answer {
    /// As SMT-LIB calls it.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Unsat => "unsat",
            Answer::Sat(_) => "sat",
            Answer::Unknown => "unknown",
        }
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        (**self).check(formula, steps)
    }
}
