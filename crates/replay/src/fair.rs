//! Whether a cycle is fair, found out on the interpreter alone.

use std::collections::BTreeSet;

use ample_transition::{Move, Pid};

use crate::Run;

/// Who had a turn on a cycle: moved, or could not.
#[derive(Default)]
pub(crate) struct Turns {
    had: BTreeSet<Pid>,
    /// How many processes there always are, once a transition was noted. Who is not there cannot
    /// move.
    always: Option<Pid>,
}

impl Turns {
    /// Notes a transition, before it is made.
    pub fn note(&mut self, run: &Run<'_, '_>, transition: &[Move]) {
        let count = run.state().processes.len() as Pid;
        self.always = Some(self.always.map_or(count, |always| always.min(count)));
        let possible: Vec<Move> = run.moves().iter().map(|outcome| outcome.step).collect();
        let had_turn = |&pid: &Pid| {
            let takes_part =
                |step: &Move| step.process == pid || step.partner.is_some_and(|(partner, _)| partner == pid);
            transition.iter().any(takes_part) || !possible.iter().any(takes_part)
        };
        self.had.extend((0..count).filter(had_turn));
    }

    /// A process that never moves although it always could.
    pub fn starved(&self) -> Option<Pid> {
        (0..self.always.unwrap_or(0)).find(|pid| !self.had.contains(pid))
    }
}
