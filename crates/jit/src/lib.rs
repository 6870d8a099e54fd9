//! The network as machine code: guards, effects and successor generation compiled in process.
//!
//! One function per process writes the moves it can make in a state, as records, straight into the buffer of successors; one
//! more calls them all: no allocation and no indirect call per successor. Everything that never changes in the network (parameters, channels, process numbers) is a
//! constant in the code. The interpreter stays the oracle: whenever a move would be an error, or the code meets something it
//! was not compiled for, the state is handed to the interpreter, which also knows how to say what is wrong.

mod chain;
mod channel;
mod code;
mod create;
mod d_step;
mod expression;
mod generate;
mod machine;
mod message;
mod remote;
mod rendezvous;
mod step;

use std::fmt;

use ample_interpret::Interpreter;
use ample_model::{Model, TemplateId};
use ample_network::{General, Network, instantiate};
use ample_transition::{Fault, Pid, SuccessorBuffer, Successors};

use crate::machine::Machine;

/// Process and channel numbers take one byte in a state.
const MOST_PROCESSES: u16 = 255;

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
        let network = instantiate(model)?;
        let machine = Machine::build(&network)?;
        Ok(Compiled { interpreter, network, machine })
    }

    /// What a process runs.
    pub fn template_of(&self, pid: Pid) -> Option<TemplateId> {
        self.network.instances.get(usize::from(pid)).map(|instance| instance.template)
    }

    /// The interpreter's successors of a state, in the packed form of the network: what machine code must give too.
    pub fn interpret(&self, bytes: &[u8], buffer: &mut SuccessorBuffer) {
        let state = self.network.unpack(bytes);
        self.interpreter.expand_state(&state, buffer, &|state, bytes| {
            // A state that does not fit would mean that the network is not the model's: instantiation rules that out.
            if let Some(packed) = self.network.pack(state) {
                bytes.extend_from_slice(&packed);
            }
        });
    }
}

impl Successors for Compiled<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let state = self.interpreter.initial_state()?;
        Ok(self.network.pack(&state).unwrap_or_default())
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        if !chain::expand(&self.machine, &self.network, state, buffer) {
            buffer.clear();
            self.interpret(state, buffer);
        }
    }

    fn state_len(&self) -> Option<usize> {
        Some(self.network.layout.size as usize)
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        let state = self.network.unpack(state);
        self.interpreter.invalid_end_of(&state)
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
