//! The path of a depth-first search: its stack, and which states are on it.

use ample_transition::Key;

use crate::key_index::KeyIndex;
use crate::stack::{Note, Stack, Top};

/// A stack whose open states, the path from the initial state, can be found by their keys.
#[derive(Default)]
pub(crate) struct Path {
    pub stack: Stack,
    /// The numbers of the first open states. The others are entered when somebody asks: as long as
    /// nobody does, the index costs nothing.
    index: KeyIndex,
    /// How many open states, counted from the initial one, are in the index.
    entered: usize,
    /// If only open states with this note are asked for: no others are in the index.
    pub only: Option<Note>,
}

impl Path {
    /// The number of the open state with this key, counted from the initial one.
    pub fn position(&mut self, key: Key<'_>) -> Option<usize> {
        self.enter();
        self.index.find(key, |number| self.stack.open_key(number))
    }

    /// The same for the waiting state on top.
    pub fn position_of_top(&mut self) -> Option<usize> {
        self.enter();
        let Some(Top::Waiting(key, _)) = self.stack.top() else { return None };
        self.index.find(key, |number| self.stack.open_key(number))
    }

    /// Enters the open states that are not in the index yet.
    fn enter(&mut self) {
        while let Some(open) = self.stack.open_key(self.entered) {
            if self.is_asked_for(self.entered) {
                self.index.insert(open, self.entered);
            }
            self.entered += 1;
        }
    }

    /// Whether the open state with this number is asked for.
    fn is_asked_for(&self, number: usize) -> bool {
        self.only.is_none() || self.only == self.stack.open_note(number)
    }

    /// Removes the open state on top.
    pub fn pop_open(&mut self) {
        if let Some(last) = self.stack.last_open()
            && last < self.entered
            && let Some(key) = self.stack.open_key(last)
        {
            if self.is_asked_for(last) {
                self.index.remove(key, last);
            }
            self.entered = last;
        }
        self.stack.pop_open();
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.stack.memory() + self.index.memory()
    }
}
