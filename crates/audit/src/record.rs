//! What a reduced search chooses, written down.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ample_stdx::lock;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

/// The choice in each state; none where all transitions are taken.
pub(crate) type Choices = BTreeMap<Vec<u8>, Option<Vec<usize>>>;

/// Where it is written down what is chosen in each state.
///
/// A search asks for one candidate after the other until one is accepted or there is no other. So
/// the last one that it asked for in a state is its choice.
#[derive(Default)]
pub(crate) struct Recorder {
    choices: Mutex<Choices>,
}

impl Recorder {
    /// What was chosen.
    pub fn take(&self) -> Choices {
        std::mem::take(&mut *lock(&self.choices))
    }
}

/// An expander whose candidates are recorded.
pub(crate) struct Recording<'e> {
    pub expander: Box<dyn Expander + 'e>,
    pub recorder: Arc<Recorder>,
}

impl Decorator for Recording<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_there = self.expander.candidate(state, successors, number, candidate);
        lock(&self.recorder.choices).insert(state.to_vec(), is_there.then(|| candidate.transitions.clone()));
        is_there
    }
}
