//! What a reduced search chooses, written down.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::job::Watch;

/// An expander that somebody watches.
pub(crate) struct Watched<'n> {
    pub expander: Box<dyn Expander + 'n>,
    pub watch: &'n dyn Watch,
}

impl Expander for Watched<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_there = self.expander.candidate(state, successors, number, candidate);
        self.watch.offered(state, number, is_there.then_some(candidate.transitions.as_slice()));
        is_there
    }

    fn settled(&self, state: &[u8], number: usize) {
        self.expander.settled(state, number);
    }

    fn has_failed(&self) -> bool {
        self.expander.has_failed()
    }
}

/// The choice in each state; none where all transitions are taken.
pub(super) type Choices = BTreeMap<Vec<u8>, Option<Vec<usize>>>;

/// Writes down what is chosen in each state.
///
/// A search asks for one candidate after the other until one stands or there is no other. So the last one that it asked for in a
/// state is its choice.
#[derive(Default)]
pub(super) struct Recorder {
    choices: Mutex<Choices>,
}

impl Recorder {
    pub fn into_choices(self) -> Choices {
        self.choices.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn lock(&self) -> MutexGuard<'_, Choices> {
        self.choices.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Watch for Recorder {
    fn offered(&self, state: &[u8], _: usize, candidate: Option<&[usize]>) {
        self.lock().insert(state.to_vec(), candidate.map(<[usize]>::to_vec));
    }
}
