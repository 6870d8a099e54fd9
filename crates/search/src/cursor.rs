//! What searches that go along one path share: states by their keys, and which of them are on the
//! path.

use ample_transition::{Accepting, Key, Seen, Session, States, Store, StoreFull, SuccessorBuffer, Successors, Trace};

use crate::explorer::Sighting;
use crate::key_index::KeyIndex;
use crate::outcome::Found;
use crate::stack::{Note, Stack};
use crate::trace::trace_along;

/// Turns keys into states, and the successors of states into keys.
pub(crate) struct Cursor<'w> {
    pub session: Box<dyn Session + Send + 'w>,
    /// The state recalled last.
    pub state: Vec<u8>,
    /// The keys of its successors, and what is noted of them.
    keys: States,
    notes: Vec<Note>,
    seen: Vec<Seen>,
}

impl<'w> Cursor<'w> {
    pub fn new(store: &'w dyn Store) -> Self {
        Cursor {
            session: store.session(),
            state: Vec::new(),
            keys: States::default(),
            notes: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// Becomes ready to read the state with this key.
    pub fn recall(&mut self, key: Key<'_>) {
        self.session.recall(key, &mut self.state);
    }

    /// Pushes a state that waits.
    pub fn push(&mut self, state: &[u8], note: Note, stack: &mut Stack) -> Result<(), StoreFull> {
        self.keys.clear();
        self.session.key(state, &mut self.keys)?;
        if let Some(key) = self.keys.key(0) {
            stack.push(key, note);
        }
        Ok(())
    }

    /// Pushes the successors of the state recalled last, so that the first one is on top. `note` is
    /// given their numbers in the buffer and the states.
    pub fn push_all(
        &mut self,
        buffer: &SuccessorBuffer,
        stack: &mut Stack,
        note: impl FnMut(usize, &[u8]) -> Note,
    ) -> Result<(), StoreFull> {
        self.push_all_from(0, buffer, stack, note)
    }

    /// The same, but the one at the position `first` is on top, and those before it come after the
    /// last.
    pub fn push_all_from(
        &mut self,
        first: usize,
        buffer: &SuccessorBuffer,
        stack: &mut Stack,
        mut note: impl FnMut(usize, &[u8]) -> Note,
    ) -> Result<(), StoreFull> {
        self.keys.clear();
        self.session.keys(buffer, &mut self.keys)?;
        let states = buffer.iter().enumerate().filter_map(|(number, successor)| Some((number, successor.state?)));
        self.notes.clear();
        self.notes.extend(states.map(|(number, state)| note(number, state)));
        let count = self.notes.len();
        let first = first.min(count);
        for position in (0..first).rev().chain((first..count).rev()) {
            if let Some(key) = self.keys.key(position) {
                stack.push(key, self.notes[position]);
            }
        }
        Ok(())
    }

    /// Takes the keys of the chosen successors of the state recalled last.
    pub fn take_keys(&mut self, buffer: &SuccessorBuffer, chosen: &[usize]) -> Result<(), StoreFull> {
        self.keys.clear();
        for &number in chosen {
            if let Some(state) = buffer.get(number).and_then(|successor| successor.state) {
                self.session.key(state, &mut self.keys)?;
            }
        }
        Ok(())
    }

    /// What is known of the states whose keys were taken.
    #[inline]
    pub fn seen_of_taken(&mut self, mut look: impl FnMut(&mut dyn Session, Key<'_>) -> Seen) -> &[Seen] {
        let Cursor { session, keys, seen, .. } = self;
        seen.clear();
        for position in 0..keys.len() {
            if let Some(key) = keys.key(position) {
                seen.push(look(&mut **session, key));
            }
        }
        seen
    }

    /// Pushes the keys that were taken, so that the first one is on top. `note` is given their
    /// positions.
    pub fn push_taken(&self, stack: &mut Stack, note: impl Fn(usize) -> Note) {
        for position in (0..self.keys.len()).rev() {
            if let Some(key) = self.keys.key(position) {
                stack.push(key, note(position));
            }
        }
    }

    /// The trace along states with these keys, the first of which is the initial one, and on by the
    /// transition with the number `last`.
    pub fn trace<'k>(
        &mut self,
        system: &dyn Successors,
        keys: impl IntoIterator<Item = Key<'k>>,
        last: Option<usize>,
    ) -> Trace {
        let states = keys.into_iter().map(|key| {
            self.recall(key);
            self.state.clone()
        });
        trace_along(system, states, last)
    }

    /// What was seen in the state with this key, at the end of the path, with the way there.
    pub fn found(&mut self, system: &dyn Successors, path: &Stack, key: Key<'_>, sighting: Sighting) -> Found {
        let trace = self.trace(system, open_keys(path).chain([key]), sighting.successor);
        Found::new(sighting.fault, trace)
    }

    /// The trace along `path`, along `second` and back to the open state of the path at `position`,
    /// over and over.
    pub fn cycle(&mut self, system: &dyn Successors, path: &Stack, second: &Stack, position: usize) -> Trace {
        let keys = open_keys(path).chain(open_keys(second)).chain(path.open_key(position));
        let mut trace = self.trace(system, keys, None);
        // A state that nothing leaves is repeated without a move.
        trace.cycle = Some(position.min(trace.transitions.len()));
        trace
    }

    pub fn memory(&self) -> usize {
        self.state.capacity() + self.keys.memory() + self.notes.capacity() * size_of::<Note>()
    }
}

/// The note on states that a run must visit again and again.
pub(crate) const ACCEPTING: Note = 1;

/// The note on a state, for a search that wants to know whether it is accepting.
pub(crate) fn acceptance(accepting: &dyn Accepting, state: &[u8]) -> Note {
    if accepting.is_accepting(state) { ACCEPTING } else { 0 }
}

/// The keys of the open states of a stack, in order.
fn open_keys(stack: &Stack) -> impl Iterator<Item = Key<'_>> {
    (0..stack.depth()).filter_map(|number| stack.open_key(number))
}

/// Which states of a path were open, found when somebody asks: as long as nobody does, it costs
/// nothing.
#[derive(Default)]
pub(crate) struct PathIndex {
    numbers: KeyIndex,
    /// How many of the open states, from the bottom, were entered.
    entered: usize,
}

impl PathIndex {
    /// The number of the open state with this key.
    pub fn find(&mut self, key: Key<'_>, path: &Stack) -> Option<usize> {
        while let Some(open) = path.open_key(self.entered) {
            self.numbers.insert(open, self.entered);
            self.entered += 1;
        }
        self.numbers.find(key, |number| path.open_key(number))
    }

    /// To be called before the open state on top goes.
    pub fn leave(&mut self, path: &Stack) {
        if let Some(last) = path.last_open()
            && last < self.entered
            && let Some(key) = path.open_key(last)
        {
            self.numbers.remove(key, last);
            self.entered = last;
        }
    }

    pub fn memory(&self) -> usize {
        self.numbers.memory()
    }
}
