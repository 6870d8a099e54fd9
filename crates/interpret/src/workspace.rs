//! Memory for the expansion of one state, kept from one state to the next by whoever asks for
//! successors: once it is warm, nothing is allocated for a successor.

use ample_transition::ScratchMemory;

use crate::atomic::Chains;
use crate::state::State;
use crate::trial::Trial;

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
