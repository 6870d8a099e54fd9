//! States by their keys, as depth-first searches need them.

use ample_transition::{
    Key, ProcessMoves, ProcessViews, Seen, Session, States, Store, StoreFull, SuccessorBuffer, Successors, Tally,
    Trace, Viewed,
};

use crate::explorer::Sighting;
use crate::outcome::Found;
use crate::path::Path;
use crate::stack::{Note, Stack};
use crate::trace::trace_along;

/// Turns the keys of a stack into states, and the successors of a state into keys.
pub(crate) struct Cursor<'w> {
    pub session: Box<dyn Session + Send + 'w>,
    /// The state recalled last.
    pub state: Vec<u8>,
    /// The keys of its successors, the notes that the search keeps with them, and what a cycle
    /// condition is told of them.
    keys: States,
    notes: Vec<Note>,
    seen: Vec<Seen>,
    /// Which of the keys are stored.
    found: Vec<bool>,
    /// All successors of a state whose candidates are chosen from what is known.
    pub viewed: Viewed,
}

impl<'w> Cursor<'w> {
    pub fn new(store: &'w dyn Store) -> Self {
        Cursor {
            session: store.session(),
            state: Vec::new(),
            keys: States::default(),
            notes: Vec::new(),
            seen: Vec::new(),
            found: Vec::new(),
            viewed: Viewed::default(),
        }
    }

    /// Makes the state with this key the current one.
    pub fn recall(&mut self, key: Key<'_>) {
        self.session.recall(key, &mut self.state);
    }

    /// Pushes a state that waits to be visited.
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
        self.make_noted(buffer, note)?;
        self.push_noted_from(0, stack);
        Ok(())
    }

    /// Makes the keys of the successors of the state recalled last, with notes.
    pub fn make_noted(
        &mut self,
        buffer: &SuccessorBuffer,
        mut note: impl FnMut(usize, &[u8]) -> Note,
    ) -> Result<(), StoreFull> {
        self.keys.clear();
        self.session.keys(buffer, &mut self.keys)?;
        let states = buffer.iter().enumerate().filter_map(|(number, successor)| Some((number, successor.state?)));
        self.notes.clear();
        self.notes.extend(states.map(|(number, state)| note(number, state)));
        Ok(())
    }

    /// Pushes those successors of the state recalled last that are not stored, so that the first
    /// one is on top; of those that are, the ones on the path whose note `matters`. All others
    /// would be found in the store when it is their turn, and left.
    pub fn push_unstored(
        &mut self,
        buffer: &SuccessorBuffer,
        path: &mut Path,
        mut note: impl FnMut(&[u8]) -> Note,
        matters: impl Fn(Note) -> bool,
    ) -> Result<(), StoreFull> {
        let Cursor { session, keys, notes, .. } = self;
        keys.clear();
        session.keys(buffer, keys)?;
        notes.clear();
        buffer.for_each_state(|state| notes.push(note(state)));
        self.push_noted_unstored(path, matters);
        Ok(())
    }

    /// Makes the keys and the notes of the successors of the state with this key from what is known
    /// of the moves of processes, and says what there is; nothing if that is not enough. No state
    /// is recalled then. `buffer` is overwritten.
    #[inline]
    pub fn make_known(
        &mut self,
        key: Key<'_>,
        moves: &dyn ProcessMoves,
        note: &dyn Fn(&[u8]) -> Note,
        buffer: &mut SuccessorBuffer,
    ) -> Option<Tally> {
        self.keys.clear();
        self.notes.clear();
        self.session.keys_known(key, moves, note, buffer, &mut self.keys, &mut self.notes)
    }

    /// Makes the keys of the successors of the state with this key with what is to be seen of its
    /// processes, and says what there is; nothing if what is known is not enough. No state is
    /// recalled then. `buffer` is overwritten.
    #[inline]
    pub fn make_viewed(
        &mut self,
        key: Key<'_>,
        moves: &dyn ProcessMoves,
        views: &dyn ProcessViews,
        buffer: &mut SuccessorBuffer,
    ) -> Option<Tally> {
        self.session.keys_viewed(key, moves, views, buffer, &mut self.viewed)
    }

    /// Takes the keys of these successors in place of the keys made before.
    pub fn choose_viewed(&mut self, chosen: &[usize]) {
        self.keys.clear();
        chosen.iter().filter_map(|number| self.viewed.keys.key(*number)).for_each(|key| self.keys.push(key));
    }

    /// Pushes all successors that are not stored, so that the first one is on top.
    pub fn push_viewed_unstored(&mut self, stack: &mut Stack) {
        let Cursor { session, viewed, found, .. } = self;
        found.clear();
        session.contains_all(&viewed.keys, found);
        for position in (0..found.len()).rev().filter(|position| !found[*position]) {
            if let Some(key) = viewed.keys.key(position) {
                stack.push(key, 0);
            }
        }
    }

    /// Pushes the keys that were made last and were looked at, those that are new, so that the
    /// first one is on top.
    pub fn push_new(&self, stack: &mut Stack) {
        for position in (0..self.keys.len()).rev().filter(|position| self.seen[*position].is_new) {
            if let Some(key) = self.keys.key(position) {
                stack.push(key, 0);
            }
        }
    }

    /// How many keys with notes were made last.
    pub fn noted(&self) -> usize {
        self.notes.len()
    }

    /// Pushes the keys that were made last with their notes, so that the one at the position
    /// `first` is on top, and those before it come after the last.
    pub fn push_noted_from(&self, first: usize, stack: &mut Stack) {
        let count = self.notes.len();
        let first = first.min(count);
        for position in (0..first).rev().chain((first..count).rev()) {
            if let Some(key) = self.keys.key(position) {
                stack.push(key, self.notes[position]);
            }
        }
    }

    /// The same for those that are not stored, and of those that are, the ones on the path whose
    /// note `matters`.
    pub fn push_noted_unstored(&mut self, path: &mut Path, matters: impl Fn(Note) -> bool) {
        let Cursor { session, keys, notes, found, .. } = self;
        found.clear();
        session.contains_all(keys, found);
        for position in (0..notes.len()).rev() {
            let (Some(key), note) = (keys.key(position), notes[position]) else { continue };
            if !found[position] || matters(note) && path.position(key).is_some() {
                path.stack.push(key, note);
            }
        }
    }

    /// Makes the keys of these successors of the state recalled last, in place of the keys made
    /// before.
    pub fn make_keys(&mut self, buffer: &SuccessorBuffer, chosen: &[usize]) -> Result<(), StoreFull> {
        self.keys.clear();
        for &number in chosen {
            if let Some(state) = buffer.get(number).and_then(|successor| successor.state) {
                self.session.key(state, &mut self.keys)?;
            }
        }
        Ok(())
    }

    /// What `look` finds of the states whose keys were made last, one by one.
    #[inline]
    pub fn look_at_made(&mut self, mut look: impl FnMut(&mut dyn Session, Key<'_>) -> Seen) -> &[Seen] {
        let Cursor { session, keys, seen, .. } = self;
        seen.clear();
        for position in 0..keys.len() {
            if let Some(key) = keys.key(position) {
                seen.push(look(&mut **session, key));
            }
        }
        seen
    }

    /// Pushes the keys that were made last, so that the first one is on top. `note` is given their
    /// positions.
    pub fn push_made(&self, stack: &mut Stack, note: impl Fn(usize) -> Note) {
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

    /// The violation that was seen in the state with this key, to which the open states of `path`
    /// lead.
    pub fn found(&mut self, system: &dyn Successors, path: &Stack, key: Key<'_>, sighting: Sighting) -> Found {
        let trace = self.trace(system, open_keys(path).chain([key]), sighting.successor);
        Found::new(sighting.fault, trace)
    }

    /// The lasso along `path`, along `second` and back to the open state of the path at `position`.
    pub fn cycle(&mut self, system: &dyn Successors, path: &Stack, second: &Stack, position: usize) -> Trace {
        let keys = open_keys(path).chain(open_keys(second)).chain(path.open_key(position));
        let mut trace = self.trace(system, keys, None);
        // A state that nothing leaves is repeated without a move.
        trace.cycle = Some(position.min(trace.transitions.len()));
        trace
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        let (lists, notes) = (self.keys.memory() + self.viewed.memory(), self.notes.capacity() * size_of::<Note>());
        self.state.capacity() + lists + notes + self.found.capacity()
    }
}

/// The keys of the open states of a stack, in order.
fn open_keys(stack: &Stack) -> impl Iterator<Item = Key<'_>> {
    (0..stack.depth()).filter_map(|number| stack.open_key(number))
}
