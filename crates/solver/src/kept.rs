//! Questions that are written down.

use std::io::Write;

use crate::answer::{Answer, Failure, Solver};
use crate::formula::Formula;
use crate::meter::Steps;
use crate::smtlib;

/// A solver whose questions are written as a script, each with its answer as a comment.
pub struct Kept<S, W> {
    solver: S,
    to: W,
    has_begun: bool,
}

impl<S: Solver, W: Write> Kept<S, W> {
    /// Writes to a file or the like.
    pub fn new(solver: S, to: W) -> Kept<S, W> {
        Kept { solver, to, has_begun: false }
    }

    fn write(&mut self, formula: &Formula, answer: &Answer) -> std::io::Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.to.write_all(b"(set-logic ALL)\n")?;
        }
        write!(self.to, "; {}\n{}", answer.word(), smtlib::scope(formula))
    }
}

impl<S: Solver, W: Write> Solver for Kept<S, W> {
    fn name(&self) -> String {
        self.solver.name()
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        let answer = self.solver.check(formula, steps)?;
        self.write(formula, &answer).map_err(Failure::Kept)?;
        Ok(answer)
    }
}
