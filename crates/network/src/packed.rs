//! The interpreter on packed states: slower than machine code, for models that cannot be compiled,
//! and the reference for it.

use ample_interpret::{Form, Interpreter, State};
use ample_transition::{Fault, StateLength, SuccessorBuffer, Successors};

use crate::{General, Network, instantiate};

/// The lengths of states are multiples of this, so that stores can cut them into words.
const LANE: usize = 16;

/// Process and channel numbers take one byte in a state.
const MOST_PROCESSES: u16 = 255;

/// A network whose processes are interpreted.
pub struct Packed<'m> {
    /// Says what happens.
    pub interpreter: &'m Interpreter<'m>,
    /// The processes.
    pub network: Network<'m>,
}

impl<'m> Packed<'m> {
    /// Finds the processes of a model, or says why its states cannot be packed.
    pub fn new(interpreter: &'m Interpreter<'m>) -> Result<Self, General> {
        if interpreter.max_processes() > MOST_PROCESSES {
            return Err(General(format!("a model with more than {MOST_PROCESSES} processes is interpreted")));
        }
        Ok(Packed { interpreter, network: instantiate(interpreter)? })
    }

    /// The state that was packed.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let mut state = State::default();
        Form::unpack(self, bytes, &mut state);
        state
    }

    /// Whether a state of this length has the form of the network. If not, a process in it is not
    /// what was expected.
    #[inline]
    pub fn fits(&self, length: usize) -> bool {
        length == self.network.layout.size as usize
    }

    /// Expands a state that very many chains of moves leave: those that meet are merged.
    pub fn expand_merged(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.interpreter.expand_merged(state, buffer, self);
    }
}

impl Form for Packed<'_> {
    /// A state that does not fit the network has the interpreter's form, and another length.
    fn pack(&self, state: &State, bytes: &mut Vec<u8>) {
        if self.network.pack_into(state, bytes) {
            return;
        }
        let start = bytes.len();
        self.interpreter.encode(state, bytes);
        let length = (bytes.len() - start).next_multiple_of(LANE);
        let length = if self.fits(length) { length + LANE } else { length };
        bytes.resize(start + length, 0);
    }

    fn unpack(&self, bytes: &[u8], state: &mut State) {
        if self.fits(bytes.len()) {
            self.network.unpack_into(bytes, state);
        } else {
            self.interpreter.unpack(bytes, state);
        }
    }
}

impl Successors for Packed<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let mut bytes = Vec::new();
        self.pack(&self.interpreter.initial_state()?, &mut bytes);
        Ok(bytes)
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.interpreter.expand(state, buffer, self);
    }

    fn state_length(&self) -> StateLength {
        let length = self.network.layout.size as usize;
        if self.network.is_guessed { StateLength::Usually(length) } else { StateLength::Always(length) }
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.interpreter.invalid_end_of(&self.unpack(state))
    }
}
