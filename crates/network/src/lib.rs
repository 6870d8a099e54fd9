//! The instantiated system: which processes there are, what each was given, and where everything lies in a state of fixed
//! length.
//!
//! A model is a network if its processes are known before the search: those that exist at the start, and those that one
//! of them creates in a way that nobody else can influence. Models that go on creating processes, or whose processes may
//! end while others are still being created, keep the general path: [`instantiate`] says why.

mod constants;
mod instantiate;
mod lanes;
mod layout;
mod writes;

use ample_interpret::State;
use ample_model::{Model, SlotId, TemplateId};
use ample_stdx::IndexVec;
use ample_transition::Pid;

pub use constants::each_expression;
pub use instantiate::{General, instantiate};
pub use layout::{ChannelPlace, FramePlace, Layout, SlotPlace};

/// A model whose processes are known.
pub struct Network<'m> {
    /// The model.
    pub model: &'m Model,
    /// The processes, in the order of their numbers.
    pub instances: Vec<Instance>,
    /// How many of them exist at the start.
    pub initial: usize,
    /// The global variables that never change, with their values.
    pub constants: IndexVec<SlotId, Option<i32>>,
    /// Where everything lies in a state.
    pub layout: Layout,
}

impl Network<'_> {
    /// Packs a state of the interpreter. `None` if it does not fit: then the model is not this network.
    pub fn pack(&self, state: &State) -> Option<Vec<u8>> {
        self.layout.pack(&self.instances, state)
    }

    /// Unpacks a state for the interpreter.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        self.layout.unpack(&self.instances, &self.constants, bytes)
    }
}

/// A process of a network.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its number.
    pub pid: Pid,
    /// What it runs.
    pub template: TemplateId,
    /// Its variables that never change once it exists, with their values: parameters, and channels of its own.
    pub constants: IndexVec<SlotId, Option<i32>>,
}
