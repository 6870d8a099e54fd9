//! How states are packed, and where the packed successors of a state are written to.

use ample_transition::{Fault, Move, SuccessorBuffer};

use crate::Interpreter;
use crate::state::State;

/// How states are packed.
pub trait Form {
    /// Appends the packed form of a state.
    fn pack(&self, state: &State, bytes: &mut Vec<u8>);

    /// The same for a successor of a state of which the packed form is known.
    fn pack_successor(&self, _before: &State, _packed: &[u8], state: &State, bytes: &mut Vec<u8>) {
        self.pack(state, bytes);
    }

    /// Unpacks what [`Form::pack`] packed, over a state whose memory is used again.
    fn unpack(&self, bytes: &[u8], state: &mut State);
}

/// The interpreter's own form.
impl Form for Interpreter<'_> {
    fn pack(&self, state: &State, bytes: &mut Vec<u8>) {
        self.encode(state, bytes);
    }

    fn pack_successor(&self, before: &State, packed: &[u8], state: &State, bytes: &mut Vec<u8>) {
        self.layout.encode_after(before, packed, state, bytes);
    }

    fn unpack(&self, bytes: &[u8], state: &mut State) {
        self.layout.decode(bytes, state);
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
