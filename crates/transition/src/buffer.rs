//! The reused buffer that successors are written to: no allocation per successor once it is warm.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Fault, Move};

/// Appends the bytes of a state.
pub type WriteState<'a> = &'a mut dyn FnMut(&mut Vec<u8>);

/// The transitions that leave one state.
#[derive(Default)]
pub struct SuccessorBuffer {
    states: Vec<u8>,
    moves: Vec<Move>,
    faults: Vec<Fault>,
    entries: Vec<Entry>,
    stop: Option<Arc<AtomicBool>>,
}

#[derive(Clone, Debug)]
struct Entry {
    state: Option<Range<usize>>,
    moves: Range<usize>,
    faults: Range<usize>,
}

/// One transition.
#[derive(Copy, Clone, Debug)]
pub struct Successor<'a> {
    /// Where it leads; `None` if a fault ends the run.
    pub state: Option<&'a [u8]>,
    /// The moves it consists of, at least one.
    pub moves: &'a [Move],
    /// What went wrong on the way.
    pub faults: &'a [Fault],
}

impl Successor<'_> {
    /// How many of its moves were made inside an `atomic` sequence, that is, passed through without storing.
    pub fn atomic_steps(&self) -> u64 {
        self.moves.len().saturating_sub(1) as u64
    }
}

impl SuccessorBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer whose owner asks for an early end by setting `stop`.
    pub fn with_stop(stop: Arc<AtomicBool>) -> Self {
        SuccessorBuffer { stop: Some(stop), ..Self::default() }
    }

    /// Whether a long expansion should be given up.
    pub fn should_stop(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Forgets the successors, keeps the memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.moves.clear();
        self.faults.clear();
        self.entries.clear();
    }

    /// Adds a transition. `write` appends the bytes of the state it leads to and is not called for a run that ends.
    pub fn push(&mut self, moves: &[Move], faults: &[Fault], write: Option<WriteState<'_>>) {
        let first_move = self.moves.len();
        self.moves.extend_from_slice(moves);
        let first_fault = self.faults.len();
        self.faults.extend_from_slice(faults);
        let state = write.map(|write| {
            let start = self.states.len();
            write(&mut self.states);
            start..self.states.len()
        });
        self.entries.push(Entry {
            state,
            moves: first_move..self.moves.len(),
            faults: first_fault..self.faults.len(),
        });
    }

    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The transition with this number, counted from 0.
    pub fn get(&self, index: usize) -> Option<Successor<'_>> {
        self.entries.get(index).map(|entry| self.view(entry))
    }

    /// All transitions in order.
    pub fn iter(&self) -> impl Iterator<Item = Successor<'_>> {
        self.entries.iter().map(|entry| self.view(entry))
    }

    /// The bytes of memory that the buffer holds.
    pub fn memory(&self) -> usize {
        self.states.capacity()
            + self.moves.capacity() * size_of::<Move>()
            + self.faults.capacity() * size_of::<Fault>()
            + self.entries.capacity() * size_of::<Entry>()
    }

    fn view(&self, entry: &Entry) -> Successor<'_> {
        Successor {
            state: entry.state.clone().map(|range| &self.states[range]),
            moves: &self.moves[entry.moves.clone()],
            faults: &self.faults[entry.faults.clone()],
        }
    }
}
