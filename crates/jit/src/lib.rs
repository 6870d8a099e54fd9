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
mod compiler;
mod create;
mod d_step;
mod expression;
mod generate;
mod handshakes;
mod machine;
mod message;
mod pieces;
mod propositions;
mod read;
mod remote;
mod rendezvous;
mod run;
mod sequence;
mod step;

use std::fmt;
use std::sync::Arc;

use ample_interpret::{Interpreter, State};
use ample_model::TemplateId;
use ample_network::{General, Network, Packed};
use ample_stdx::Stop;
use ample_transition::{Fault, Pid, StateLength, SuccessorBuffer, Successors};

pub use pieces::Sizes;
pub use propositions::CompiledPropositions;

use crate::machine::Machine;

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
    packed: Arc<Packed<'m>>,
    machine: Machine,
}

impl<'m> Compiled<'m> {
    /// Compiles a model, or says why it cannot be compiled.
    pub fn new(interpreter: &'m Interpreter<'m>) -> Result<Self, NotCompiled> {
        Self::from_packed(Arc::new(Packed::new(interpreter)?), Sizes::default(), &Stop::default())
    }

    /// Compiles a network, or says why it cannot be compiled: also that it was time to stop.
    pub fn from_packed(packed: Arc<Packed<'m>>, sizes: Sizes, stop: &Stop) -> Result<Self, NotCompiled> {
        if packed.network.model.trace.is_some() {
            return Err(NotCompiled("a model with a trace assertion is interpreted".to_owned()));
        }
        let machine = Machine::build(&packed.network, sizes, stop)?;
        Ok(Compiled { packed, machine })
    }

    /// The processes that there are.
    pub fn network(&self) -> &Network<'m> {
        &self.packed.network
    }

    /// What a process runs in a state.
    pub fn template_in(&self, state: &[u8], pid: Pid) -> Option<TemplateId> {
        let state = self.unpack(state);
        state.processes.get(usize::from(pid)).map(|process| process.template)
    }

    /// What a process runs, if that is the same in all states.
    pub fn template_of(&self, pid: Pid) -> Option<TemplateId> {
        let network = self.network();
        network.numbered(pid).next().map(|instance| network.instances[instance].template)
    }

    /// The successors of a state by machine code alone. False if there is none for it, or a move would be an error: then the buffer is not
    /// complete, and the interpreter must look at the state.
    #[inline]
    pub fn expand_by_code(&self, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        self.fits(state.len()) && chain::expand(&self.machine, self.network(), state, buffer)
    }

    /// The interpreter's successors of a state, in packed form: what machine code must give too.
    pub fn interpret(&self, bytes: &[u8], buffer: &mut SuccessorBuffer) {
        self.packed.expand_all(bytes, buffer);
    }

    /// The state that was packed.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        self.packed.unpack(bytes)
    }

    /// Whether a state of this length has the form of the network, so that machine code expands it. If not, a process in it
    /// is not what was expected, and the interpreter expands it.
    #[inline]
    pub fn fits(&self, length: usize) -> bool {
        self.packed.fits(length)
    }
}

impl Successors for Compiled<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.packed.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        if !self.expand_by_code(state, buffer) {
            buffer.clear();
            self.interpret(state, buffer);
        }
    }

    fn state_length(&self) -> StateLength {
        self.packed.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.packed.invalid_end(state)
    }
}
