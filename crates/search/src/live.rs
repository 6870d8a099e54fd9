//! The live states of a search by components: those whose component is not complete.

use ample_transition::{Key, States};

use crate::key_index::KeyIndex;

/// The states whose component may still grow, in the order of their visit.
#[derive(Default)]
pub(crate) struct Live {
    states: States,
    numbers: KeyIndex,
    count: usize,
}

impl Live {
    pub fn push(&mut self, key: Key<'_>) -> usize {
        let Live { states, numbers, count } = self;
        numbers.insert(key, *count);
        states.push(key);
        *count += 1;
        *count - 1
    }

    /// The position of a state that is live.
    pub fn position(&self, key: Key<'_>) -> Option<usize> {
        self.numbers.find(key, |number| self.states.key(number))
    }

    /// Forgets all states from this position on.
    pub fn truncate(&mut self, position: usize) {
        while self.count > position {
            self.count -= 1;
            if let Some(key) = self.states.key(self.count) {
                self.numbers.remove(key, self.count);
            }
            self.states.pop();
        }
    }

    pub fn memory(&self) -> usize {
        self.states.memory() + self.numbers.memory()
    }
}
