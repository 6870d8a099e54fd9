//! Commit states: while a process is in one, only processes in such states move.
//!
//! Every edge that leaves an ordinary state carries the condition that no process is in a commit
//! state.

use ample_model::Expr;

use super::expressions::{all, not};
use super::lowering::{Here, Lowering};

impl Lowering<'_, '_> {
    /// True while no process is in a commit state; none if there are no such states.
    pub(super) fn no_commit_state(&mut self) -> Option<Expr> {
        let mut tests = Vec::new();
        for member in 0..self.members.len() {
            let process = self.members[member].process;
            let states = self.members[member].states.clone();
            for state in &process.commit {
                let location = self.location(&states, state);
                tests.push(not(self.state_test(member, location, &Here::default(), state.span)));
            }
        }
        all(tests)
    }
}
