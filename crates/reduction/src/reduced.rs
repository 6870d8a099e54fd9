//! The reduced system, where the choice depends on the state alone: a system like any other, for a
//! product to stand on.

use ample_transition::{Expander, Fault, StateLength, SuccessorBuffer, Successors};

/// A system of which only the first candidates of an expander are taken.
pub struct Reduced<'a> {
    /// The full system.
    pub system: &'a dyn Successors,
    /// What is taken. Where it offers nothing, everything is.
    pub expander: &'a dyn Expander,
}

impl Successors for Reduced<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.system.expand_all(state, buffer);
        let mut scratch = buffer.take_scratch();
        let candidate = &mut scratch.candidate;
        if self.expander.candidate(state, buffer, 0, candidate) && candidate.leads_on(buffer) {
            buffer.retain(&candidate.transitions);
        }
        buffer.give_scratch(scratch);
    }

    fn state_length(&self) -> StateLength {
        self.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.system.invalid_end(state)
    }
}
