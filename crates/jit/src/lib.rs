//! The network as machine code: guards, effects and successor generation compiled in process.
//!
//! One function per process writes the moves it can make in a state, as records, straight into the buffer of successors; one
//! more calls them all: no allocation and no indirect call per successor. Everything that never changes in the network (parameters,
//! channels, process numbers) is a constant in the code. The propositions of a property are one more function, from a state to a
//! letter. The interpreter stays the oracle: whenever a move would be an error, or the code meets something it was not compiled for,
//! the state is handed to the interpreter, which also knows how to say what is wrong.

mod chain;
mod channel;
mod code;
mod create;
mod d_step;
mod expression;
mod generate;
mod machine;
mod message;
mod propositions;
mod read;
mod remote;
mod rendezvous;
mod run;
mod sequence;
mod step;

use std::fmt;

use ample_interpret::{Interpreter, State};
use ample_model::{Model, TemplateId};
use ample_network::{General, Network, instantiate};
use ample_transition::{Fault, Pid, StateLength, SuccessorBuffer, Successors};

pub use propositions::CompiledPropositions;

use crate::machine::Machine;

/// Process and channel numbers take one byte in a state.
const MOST_PROCESSES: u16 = 255;

/// The lengths of states are multiples of this, so that stores can cut them into words.
const LANE: usize = 16;

/// Why a model is not compiled; it is interpreted instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCompiled(pub String);

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<General> for NotCompiled {
    fn from(general: General) -> Self {
        NotCompiled(general.0)
    }
}

/// A model as machine code.
pub struct Compiled<'m> {
    interpreter: &'m Interpreter<'m>,
    network: Network<'m>,
    machine: Machine,
}

impl<'m> Compiled<'m> {
    /// Compiles a model, or says why it cannot be compiled.
    pub fn new(interpreter: &'m Interpreter<'m>) -> Result<Self, NotCompiled> {
        let model = interpreter.model();
        supported(model)?;
        if interpreter.max_processes() > MOST_PROCESSES {
            return Err(NotCompiled(format!("a model with more than {MOST_PROCESSES} processes is interpreted")));
        }
        let network = instantiate(interpreter)?;
        let machine = Machine::build(&network)?;
        Ok(Compiled { interpreter, network, machine })
    }

    /// The processes that there are.
    pub fn network(&self) -> &Network<'m> {
        &self.network
    }

    /// What a process runs in a state.
    pub fn template_in(&self, state: &[u8], pid: Pid) -> Option<TemplateId> {
        let state = self.unpack(state);
        state.processes.get(usize::from(pid)).map(|process| process.template)
    }

    /// What a process runs, if that is the same in all states.
    pub fn template_of(&self, pid: Pid) -> Option<TemplateId> {
        self.network.numbered(pid).next().map(|instance| self.network.instances[instance].template)
    }

    /// The interpreter's successors of a state, in packed form: what machine code must give too.
    pub fn interpret(&self, bytes: &[u8], buffer: &mut SuccessorBuffer) {
        let state = self.unpack(bytes);
        self.interpreter.expand_state(&state, buffer, &|state, bytes| self.pack(state, bytes));
    }

    /// Appends a state in packed form. One that does not fit the network has the interpreter's form, and another length.
    fn pack(&self, state: &State, bytes: &mut Vec<u8>) {
        if let Some(packed) = self.network.pack(state) {
            bytes.extend_from_slice(&packed);
            return;
        }
        let start = bytes.len();
        self.interpreter.encode(state, bytes);
        let length = (bytes.len() - start).next_multiple_of(LANE);
        let length = if self.fits(length) { length + LANE } else { length };
        bytes.resize(start + length, 0);
    }

    /// The state that was packed.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        if self.fits(bytes.len()) { self.network.unpack(bytes) } else { self.interpreter.decode(bytes) }
    }

    /// Whether a state of this length has the form of the network, so that machine code expands it. If not, a process in it
    /// is not what was expected, and the interpreter expands it.
    #[inline]
    pub fn fits(&self, length: usize) -> bool {
        length == self.network.layout.size as usize
    }
}

impl Successors for Compiled<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let mut bytes = Vec::new();
        self.pack(&self.interpreter.initial_state()?, &mut bytes);
        Ok(bytes)
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        if !self.fits(state.len()) || !chain::expand(&self.machine, &self.network, state, buffer) {
            buffer.clear();
            self.interpret(state, buffer);
        }
    }

    fn state_length(&self) -> StateLength {
        let length = self.network.layout.size as usize;
        if self.network.is_guessed { StateLength::Usually(length) } else { StateLength::Always(length) }
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.interpreter.invalid_end_of(&self.unpack(state))
    }
}

/// Features that only the interpreter has.
fn supported(model: &Model) -> Result<(), NotCompiled> {
    let no = |what: &str| Err(NotCompiled(format!("{what} is interpreted")));
    if model.uses.priorities {
        return no("a model with priorities");
    }
    if model.trace.is_some() {
        return no("a model with a trace assertion");
    }
    Ok(())
}
