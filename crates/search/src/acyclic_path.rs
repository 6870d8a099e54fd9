//! The path of a search that computes classes on its way back: its open states, each with all its
//! successors and what is known of their classes.

use ample_transition::{Below, ClassId, Key, Move, SuccessorBuffer};

use crate::key_index::KeyIndex;

/// Open states, from the initial one on, with their successors.
#[derive(Default)]
pub(crate) struct AcyclicPath {
    frames: Vec<Frame>,
    children: Vec<Child>,
    /// The states of frames and of children.
    bytes: Vec<u8>,
    moves: Vec<Move>,
    /// Finds open states, if somebody asks for cycles.
    index: KeyIndex,
}

/// A part of a vector.
#[derive(Copy, Clone)]
struct Part {
    start: usize,
    end: usize,
}

impl Part {
    fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.start..self.end).unwrap_or_default()
    }
}

/// An open state. What lies on the vectors from here on belongs to it, or to states that were
/// opened later.
struct Frame {
    state: Part,
    first_child: usize,
    first_byte: usize,
    first_move: usize,
    /// The child that is looked at.
    next: usize,
}

/// A successor of an open state.
struct Child {
    /// `None` if a fault ends the run.
    state: Option<Part>,
    moves: Part,
    /// Its class, once that is known.
    class: Option<ClassId>,
}

impl AcyclicPath {
    /// How many transitions lead to the state on top.
    pub fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Whether a state is open.
    pub fn contains(&self, state: &[u8]) -> bool {
        self.index.find(Key::InFull(state), |number| self.key(number)).is_some()
    }

    fn key(&self, number: usize) -> Option<Key<'_>> {
        self.frames.get(number).map(|frame| Key::InFull(frame.state.of(&self.bytes)))
    }

    /// The open states, from the initial one on.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        self.frames.iter().map(|frame| frame.state.of(&self.bytes))
    }

    /// Opens a state with its successors.
    pub fn open(&mut self, state: &[u8], successors: &SuccessorBuffer) {
        let (first_byte, first_child, first_move) = (self.bytes.len(), self.children.len(), self.moves.len());
        let state = self.keep(state);
        // Where paths were merged, the moves of one do not tell what the others depend on.
        let is_merged = successors.tally().merged_states > 0;
        for successor in successors.iter() {
            let first = self.moves.len();
            self.moves.extend_from_slice(if is_merged { &[] } else { successor.moves });
            let moves = Part { start: first, end: self.moves.len() };
            let state = successor.state.map(|state| self.keep(state));
            self.children.push(Child { state, moves, class: None });
        }
        let number = self.frames.len();
        self.frames.push(Frame { state, first_child, first_byte, first_move, next: first_child });
        self.index.insert(Key::InFull(state.of(&self.bytes)), number);
    }

    fn keep(&mut self, state: &[u8]) -> Part {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        Part { start, end: self.bytes.len() }
    }

    /// The successor of the state on top whose class is asked for next; `None` if all are known.
    /// Runs that end in a fault have none.
    pub fn next_child(&mut self) -> Option<&[u8]> {
        let frame = self.frames.last_mut()?;
        while self.children.get(frame.next).is_some_and(|child| child.state.is_none()) {
            frame.next += 1;
        }
        let state = self.children.get(frame.next)?.state?;
        Some(state.of(&self.bytes))
    }

    /// The class of that successor.
    pub fn settle_child(&mut self, class: ClassId) {
        let Some(frame) = self.frames.last_mut() else { return };
        if let Some(child) = self.children.get_mut(frame.next) {
            child.class = Some(class);
            frame.next += 1;
        }
    }

    /// The state on top and its successors, all of whose classes are known.
    pub fn top(&self) -> Option<(&[u8], impl Iterator<Item = Below<'_>>)> {
        let frame = self.frames.last()?;
        let children = self.children.get(frame.first_child..).unwrap_or_default();
        let below = children.iter().map(|child| {
            let target = child.state.zip(child.class);
            let target = target.map(|(state, class)| (state.of(&self.bytes), class));
            Below { moves: child.moves.of(&self.moves), target }
        });
        Some((frame.state.of(&self.bytes), below))
    }

    /// Closes the state on top.
    pub fn close(&mut self) {
        let Some(number) = self.frames.len().checked_sub(1) else { return };
        let Some(frame) = self.frames.pop() else { return };
        self.index.remove(Key::InFull(frame.state.of(&self.bytes)), number);
        self.children.truncate(frame.first_child);
        self.bytes.truncate(frame.first_byte);
        self.moves.truncate(frame.first_move);
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.children.capacity() * size_of::<Child>()
            + self.bytes.capacity()
            + self.moves.capacity() * size_of::<Move>()
            + self.index.memory()
    }
}
