//! The reused buffer that successors are written to: no allocation per successor once it is warm.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    scratch: Vec<u8>,
    bounds: Bounds,
    cut: Option<Cut>,
    looks: u32,
}

/// When an expansion is given up: one state can have very many successors.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Set by another thread, or a signal.
    pub stop: Option<Arc<AtomicBool>>,
    /// No longer than this.
    pub deadline: Option<Instant>,
    /// No more than so many bytes.
    pub max_bytes: Option<usize>,
}

/// Why an expansion was given up, so that the buffer is incomplete.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Somebody asked for it.
    Asked,
    /// The time was over.
    Time,
    /// The buffer was full.
    Memory,
}

/// How many looks at the bounds there are between two looks at the clock.
const CLOCK_INTERVAL: u32 = 1024;

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

    /// An empty buffer that is filled only within bounds.
    pub fn within(bounds: Bounds) -> Self {
        SuccessorBuffer { bounds, ..Self::default() }
    }

    /// Whether the expansion must be given up. To be asked once in a while by whoever fills the buffer.
    pub fn should_stop(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if self.cut.is_none() {
            self.cut = self.crossed_bound();
        }
        self.cut.is_some()
    }

    fn crossed_bound(&self) -> Option<Cut> {
        let Bounds { stop, deadline, max_bytes } = &self.bounds;
        if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Cut::Asked);
        }
        if max_bytes.is_some_and(|max| self.memory() > max) {
            return Some(Cut::Memory);
        }
        let look_at_clock = self.looks.is_multiple_of(CLOCK_INTERVAL);
        deadline.filter(|deadline| look_at_clock && Instant::now() >= *deadline).map(|_| Cut::Time)
    }

    /// Why the buffer is incomplete, if it is.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Forgets the successors, keeps the memory.
    pub fn clear(&mut self) {
        self.cut = None;
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
        self.entries.push(Entry { state, moves: first_move..self.moves.len(), faults: first_fault..self.faults.len() });
    }

    /// Adds a transition without faults to this state.
    pub fn push_state(&mut self, moves: &[Move], state: &[u8]) {
        self.push(moves, &[], Some(&mut |bytes| bytes.extend_from_slice(state)));
    }

    /// Memory for whoever fills the buffer, kept from one expansion to the next. To be given back.
    pub fn take_scratch(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.scratch)
    }

    /// Gives back what [`SuccessorBuffer::take_scratch`] lent.
    pub fn give_scratch(&mut self, scratch: Vec<u8>) {
        self.scratch = scratch;
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
            + self.scratch.capacity()
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
