//! The network as machine code: guards, effects and successor generation compiled in process.
//!
//! One function per process writes the moves it can make in a state, as records, straight into the
//! buffer of successors; one more calls them all: no allocation and no indirect call per successor.
//! Everything that never changes in the network (parameters, channels, process numbers) is a
//! constant in the code. The propositions of a property are one more function, from a state to a
//! letter. The interpreter stays the oracle: whenever a move would be an error, or the code meets
//! something it was not compiled for, the state is handed to the interpreter, which also knows how
//! to say what is wrong.

mod able;
mod apart;
mod begin;
mod chain;
mod channel;
mod code;
mod compiler;
mod create;
mod d_step;
mod exact;
mod expression;
mod followed;
mod generate;
mod handshakes;
mod known;
mod lazy;
mod left_over;
mod locations;
mod machine;
mod message;
mod not_compiled;
mod observe;
mod pieces;
mod priority;
mod propositions;
mod read;
mod remote;
mod rendezvous;
mod run;
mod sequence;
mod sizes;
mod step;
mod value;
mod written;

use std::sync::Arc;

use ample_interpret::{Interpreter, State};
use ample_model::TemplateId;
use ample_network::{Network, Packed};
use ample_stdx::Stop;
use ample_transition::{Fault, Pid, StateLength, SuccessorBuffer, Successors};

pub use lazy::Lazy;
pub use left_over::{LeftOver, Reason};
pub use not_compiled::NotCompiled;
pub use propositions::CompiledPropositions;
pub use sizes::Sizes;

use crate::chain::Expanded;
use crate::code::Code;
use crate::left_over::Ledger;
use crate::machine::Machine;
use crate::not_compiled::check_parts;

/// A model for which code can be generated.
pub struct Uncompiled<'m> {
    packed: Arc<Packed<'m>>,
    code: Code,
    sizes: Sizes,
}

impl<'m> Uncompiled<'m> {
    /// Looks at a network, or says why it cannot be compiled.
    pub fn new(packed: Arc<Packed<'m>>, sizes: Sizes) -> Result<Self, NotCompiled> {
        check_parts(packed.network.model)?;
        let code = Code::new(&packed.network, sizes)?;
        Ok(Uncompiled { packed, code, sizes })
    }

    /// How much code it needs, counted in edges.
    fn size(&self) -> usize {
        self.code.size(&self.packed.network)
    }

    /// Compiles it, or says why it cannot be compiled: also that it was time to stop.
    pub fn compile(self, stop: &Stop) -> Result<Compiled<'m>, NotCompiled> {
        let machine = Machine::build(&self.packed.network, self.code, self.sizes, stop)?;
        Ok(Compiled { packed: self.packed, machine, ledger: Ledger::default() })
    }
}

/// A model as machine code.
pub struct Compiled<'m> {
    packed: Arc<Packed<'m>>,
    machine: Machine,
    ledger: Ledger,
}

impl<'m> Compiled<'m> {
    /// Compiles a model, or says why it cannot be compiled.
    pub fn new(interpreter: &'m Interpreter<'m>) -> Result<Self, NotCompiled> {
        Uncompiled::new(Arc::new(Packed::new(interpreter)?), Sizes::default())?.compile(&Stop::default())
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

    /// The successors of a state by machine code alone. False if there is none for it, or a move
    /// would be an error: then the buffer is not complete, and the interpreter must look at the
    /// state.
    #[inline]
    pub fn expand_by_code(&self, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        expand_by_code(&self.packed, &self.machine, state, buffer) == Expanded::Done
    }

    /// The interpreter's successors of a state, in packed form: what machine code must give too.
    pub fn interpret(&self, bytes: &[u8], buffer: &mut SuccessorBuffer) {
        self.packed.expand_all(bytes, buffer);
    }

    /// What was left to the interpreter so far.
    pub fn left_over(&self) -> Vec<LeftOver> {
        self.ledger.left_over()
    }

    /// The state that was packed.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        self.packed.unpack(bytes)
    }

    /// Whether a state of this length has the form of the network, so that machine code expands it.
    /// If not, a process in it is not what was expected, and the interpreter expands it.
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
        expand(&self.packed, &self.machine, &self.ledger, state, buffer);
    }

    fn state_length(&self) -> StateLength {
        self.packed.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.packed.invalid_end(state)
    }
}

/// The successors of a state, by machine code if it can.
#[inline]
fn expand(packed: &Packed<'_>, machine: &Machine, ledger: &Ledger, state: &[u8], buffer: &mut SuccessorBuffer) {
    let expanded = expand_by_code(packed, machine, state, buffer);
    if expanded == Expanded::Done {
        return;
    }
    buffer.clear();
    match expanded {
        Expanded::TooMany => packed.expand_merged(state, buffer),
        _ => packed.expand_all(state, buffer),
    }
    buffer.set_interpreted();
    ledger.note(packed, state, expanded, buffer);
}

#[inline]
fn expand_by_code(packed: &Packed<'_>, machine: &Machine, state: &[u8], buffer: &mut SuccessorBuffer) -> Expanded {
    match packed.fits(state.len()) {
        true => chain::expand(machine, &packed.network, state, buffer),
        false => Expanded::Unclear,
    }
}
