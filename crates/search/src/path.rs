//! The path of a depth-first search: its stack, and which states are on it.

use ample_transition::Key;

use crate::key_index::KeyIndex;
use crate::stack::{Stack, Top};

/// A stack whose open states, the path from the initial state, can be found by their keys.
#[derive(Default)]
pub(crate) struct Path {
    pub stack: Stack,
    /// The numbers of the first open states. The others are entered when somebody asks: as long as
    /// nobody does, the index costs nothing.
    index: KeyIndex,
    /// How many open states, counted from the initial one, are in the index.
    entered: usize,
}

impl Path {
    /// The number of the open state with this key, counted from the initial one.
    pub fn position(&mut self, key: Key<'_>) -> Option<usize> {
        position(&mut self.index, &mut self.entered, &self.stack, key)
    }

    /// The same for the waiting state on top.
    pub fn position_of_top(&mut self) -> Option<usize> {
        let Some(Top::Waiting(key, _)) = self.stack.top() else { return None };
        position(&mut self.index, &mut self.entered, &self.stack, key)
    }

    /// Removes the open state on top.
    pub fn pop_open(&mut self) {
        if let Some(last) = self.stack.last_open()
            && last < self.entered
            && let Some(key) = self.stack.open_key(last)
        {
            self.index.remove(key, last);
            self.entered = last;
        }
        self.stack.pop_open();
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.stack.memory() + self.index.memory()
    }
}

/// A function over the fields, since the key may be one of the stack.
fn position(index: &mut KeyIndex, entered: &mut usize, stack: &Stack, key: Key<'_>) -> Option<usize> {
    while let Some(open) = stack.open_key(*entered) {
        index.insert(open, *entered);
        *entered += 1;
    }
    index.find(key, |number| stack.open_key(number))
}
