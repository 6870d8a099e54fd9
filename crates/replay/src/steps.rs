//! The moves of a trace, made once more and described one by one.

use ample_interpret::Interpreter;
use ample_transition::{Move, Trace};

use crate::{Run, Step};

/// The steps of a trace in order. The state that the run is in is held, and no other: a run may
/// have millions of steps.
///
/// It is made for traces that were judged. One that is not a run of the model ends where it is not.
pub struct Steps<'i, 'm, 't> {
    run: Option<Run<'i, 'm>>,
    moves: Box<dyn Iterator<Item = Move> + 't>,
}

impl<'i, 'm, 't> Steps<'i, 'm, 't> {
    /// The first `count` steps of a trace.
    pub fn new(interpreter: &'i Interpreter<'m>, trace: &'t Trace, count: usize) -> Self {
        Steps { run: Run::start(interpreter).ok(), moves: Box::new(trace.moves().take(count)) }
    }

    /// Makes so many moves without a description of each, which takes much of the time.
    #[must_use]
    pub fn after(mut self, count: usize) -> Self {
        for _ in 0..count {
            let Some((run, step)) = self.run.as_mut().zip(self.moves.next()) else { return self };
            match run.outcome(step) {
                Some(outcome) => run.pass(outcome),
                None => self.run = None,
            }
        }
        self
    }
}

impl Iterator for Steps<'_, '_, '_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let run = self.run.as_mut()?;
        let outcome = run.outcome(self.moves.next()?)?;
        Some(run.take(outcome))
    }
}
