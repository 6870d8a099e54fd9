//! The stack of a depth-first search.

use ample_transition::{Key, States};

/// The search stack: states that wait to be visited and states that are open, by their keys, each
/// with a note.
///
/// Invariant: below each waiting state, down to the nearest open one, lie its siblings that are
/// visited later; the open states, in order, are the path from the initial state.
#[derive(Default)]
pub(crate) struct Stack {
    states: States,
    notes: Vec<Note>,
    /// The positions of the open states.
    open: Vec<usize>,
}

/// What a search knows of a state without reading it: whether it is accepting, or the number of a
/// set of marks or of transitions.
pub(crate) type Note = u32;

/// What is on top of a stack.
pub(crate) enum Top<'s> {
    /// An open state whose successors are done.
    Open,
    /// A state that was not visited yet.
    Waiting(Key<'s>, Note),
}

impl Stack {
    /// Adds a state that waits.
    #[inline]
    pub fn push(&mut self, key: Key<'_>, note: Note) {
        reserve(&mut self.notes);
        self.notes.push(note);
        self.states.push(key);
    }

    /// The state that was pushed last and is still there.
    pub fn top(&self) -> Option<Top<'_>> {
        let position = self.notes.len().checked_sub(1)?;
        if self.open.last() == Some(&position) {
            return Some(Top::Open);
        }
        Some(Top::Waiting(self.states.key(position)?, self.notes[position]))
    }

    /// Opens the state on top.
    pub fn open(&mut self) {
        reserve(&mut self.open);
        self.open.push(self.notes.len() - 1);
    }

    /// Removes the waiting state on top.
    pub fn pop_waiting(&mut self) {
        self.notes.pop();
        self.states.pop();
    }

    /// Removes the open state on top.
    pub fn pop_open(&mut self) {
        self.open.pop();
        self.pop_waiting();
    }

    /// How many transitions lead to the waiting state on top: the number of open states.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The open state with this number, counted from the bottom.
    pub fn open_key(&self, number: usize) -> Option<Key<'_>> {
        self.states.key(*self.open.get(number)?)
    }

    /// The note of the open state with this number.
    pub fn open_note(&self, number: usize) -> Option<Note> {
        self.notes.get(*self.open.get(number)?).copied()
    }

    /// The number of the open state that was opened last.
    pub fn last_open(&self) -> Option<usize> {
        self.open.len().checked_sub(1)
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.states.memory() + self.notes.capacity() * size_of::<Note>() + self.open.capacity() * size_of::<usize>()
    }
}

/// Grows by a quarter: a stack can be larger than the store, and doubling it would waste what the
/// limit allows.
fn reserve<T>(vector: &mut Vec<T>) {
    if vector.capacity() == vector.len() {
        vector.reserve_exact((vector.capacity() / 4).max(1024));
    }
}
