//! The reduced system, where the reduced set is a function of the state alone: a layer that turns
//! successors into successors, for a product to stand on.

use ample_transition::{Expander, Fault, StateLength, SuccessorBuffer, Successors};

/// A system in which the reduced set of each state is the first candidate of an expander, if it
/// leads on; else all transitions. No cycle condition is asked: the candidates must see to it
/// themselves, or repeat what a first pass has accepted.
pub struct Reduced<'a> {
    /// The full system.
    pub system: &'a dyn Successors,
    /// The expander whose first candidates are taken.
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
            let chosen = candidate.transitions.len();
            debug_assert!(0 < chosen && chosen < buffer.len(), "a candidate is a proper subset, and not empty (C0)");
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
