//! The stack of a depth-first search.

use ample_transition::SuccessorBuffer;

/// The search stack: states that wait and states that are open, in one arena.
///
/// Invariant: below each waiting state, down to the nearest open one, lie its siblings that are visited later; the open
/// states, in order, are the path from the initial state.
#[derive(Default)]
pub(crate) struct Stack {
    bytes: Vec<u8>,
    /// Where each state starts.
    starts: Vec<usize>,
    /// The positions in `starts` of the open states.
    open: Vec<usize>,
}

/// What is on top of a stack.
pub(crate) enum Top<'s> {
    /// An open state whose successors are done.
    Open,
    /// A state that was not looked at yet.
    Waiting(&'s [u8]),
}

impl Stack {
    /// Adds a state that waits.
    pub fn push(&mut self, state: &[u8]) {
        reserve(&mut self.starts, 1);
        reserve(&mut self.bytes, state.len());
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(state);
    }

    /// Adds the successors in a buffer, so that the first one is on top.
    pub fn push_all(&mut self, buffer: &SuccessorBuffer) {
        for number in (0..buffer.len()).rev() {
            if let Some(next) = buffer.get(number).and_then(|successor| successor.state) {
                self.push(next);
            }
        }
    }

    /// The state that was pushed last and is still there.
    pub fn top(&self) -> Option<Top<'_>> {
        let position = self.starts.len().checked_sub(1)?;
        let is_open = self.open.last() == Some(&position);
        Some(if is_open { Top::Open } else { Top::Waiting(self.state(position)) })
    }

    /// Opens the state on top.
    pub fn open(&mut self) {
        reserve(&mut self.open, 1);
        self.open.push(self.starts.len() - 1);
    }

    /// Removes the waiting state on top.
    pub fn pop_waiting(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.bytes.truncate(start);
        }
    }

    /// Removes the open state on top.
    pub fn pop_open(&mut self) {
        self.open.pop();
        self.pop_waiting();
    }

    /// How many transitions lead to the waiting state on top.
    pub fn depth(&self) -> u64 {
        self.open.len() as u64
    }

    /// The path from the initial state.
    pub fn open_states(&self) -> impl Iterator<Item = &[u8]> {
        self.open.iter().map(|&position| self.state(position))
    }

    /// The open state with this number, counted from the bottom.
    pub fn open_state(&self, number: usize) -> Option<&[u8]> {
        self.open.get(number).map(|&position| self.state(position))
    }

    /// The number of the open state that was opened last.
    pub fn last_open(&self) -> Option<usize> {
        self.open.len().checked_sub(1)
    }

    fn state(&self, position: usize) -> &[u8] {
        let end = self.starts.get(position + 1).copied().unwrap_or(self.bytes.len());
        &self.bytes[self.starts[position]..end]
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + (self.starts.capacity() + self.open.capacity()) * size_of::<usize>()
    }
}

/// Grows by a quarter: a stack can be larger than the store, and doubling it would waste what the limit allows.
fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        vector.reserve_exact(more.max(vector.capacity() / 4).max(1024));
    }
}
