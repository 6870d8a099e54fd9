//! Memory for the expansion of one state, kept from one state to the next by whoever asks for
//! successors: once it is warm, nothing is allocated for a successor.

use ample_transition::{Fault, Move, ScratchMemory, SuccessorBuffer};

use crate::atomic::Chains;
use crate::step::Trial;
use crate::{Form, State};

/// Memory for the expansion of one state.
#[derive(Default)]
pub(crate) struct Workspace {
    /// The state that is expanded.
    pub(crate) state: State,
    pub(crate) trial: Trial,
    pub(crate) chains: Chains,
}

impl ScratchMemory for Workspace {
    fn bytes(&self) -> usize {
        self.state.bytes() + self.trial.bytes() + self.chains.bytes()
    }
}

/// Where the successors of a state are written to.
pub(crate) struct Target<'a> {
    /// The state, and its packed form.
    pub(crate) before: &'a State,
    pub(crate) packed: &'a [u8],
    pub(crate) form: &'a dyn Form,
    pub(crate) buffer: &'a mut SuccessorBuffer,
}

impl Target<'_> {
    /// Writes a transition that leads to a state, or ends the run.
    pub(crate) fn push(&mut self, moves: &[Move], faults: &[Fault], next: Option<&State>) {
        let Target { before, packed, form, buffer } = self;
        match next {
            Some(next) => {
                let mut pack = |bytes: &mut Vec<u8>| form.pack_successor(before, packed, next, bytes);
                buffer.push(moves, faults, Some(&mut pack));
            }
            None => buffer.push(moves, faults, None),
        }
    }

    /// Whether there are more transitions than so many, or the expansion must be given up.
    pub(crate) fn is_full(&mut self, most: usize) -> bool {
        self.buffer.should_stop() || self.buffer.len() > most
    }
}
