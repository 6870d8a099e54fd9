//! What nested depth-first searches share, on one thread or on several: their stores, and the
//! second search.

use ample_transition::{Accepting, Fault, Inserted, Key, Session, Store, StoreFull, SuccessorBuffer};

use crate::control::Control;
use crate::cursor::Cursor;
use crate::depth_first::DepthFirst;
use crate::emptiness::{Acceptance, Emptiness};
use crate::outcome::{Ended, Found, SearchOutcome, StoreFacts};
use crate::shorten::shortened;
use crate::stack::{Note, Stack, Top};

/// The note on accepting states.
pub(crate) const ACCEPTING: Note = 1;

/// A nested depth-first search, as all its workers see it.
pub(crate) struct Nested<'n, 'a> {
    pub control: &'n Control<'a>,
    pub accepting: &'n dyn Accepting,
    /// What an accepted run is called.
    pub fault: &'n Fault,
    /// The states of the first search.
    pub first: &'n dyn Store,
    /// The keys, in the first store, of the states of the second search; `None` if there is no
    /// second search, because the automaton is weak.
    pub second: Option<&'n dyn Store>,
    pub threads: usize,
}

/// Makes the stores of a nested search, runs it, and shortens the accepted run that it gives. A
/// fault of a wanted kind ends the search as well, and is given in the same way.
pub(crate) fn run(emptiness: Emptiness<'_, '_>, run: impl FnOnce(&Nested<'_, '_>) -> Vec<Found>) -> SearchOutcome {
    let Emptiness { mut search, acceptance, is_weak, make_store, fault } = emptiness;
    let Acceptance::States(accepting) = acceptance else {
        debug_assert!(false, "the plan gives acceptance by marks to algorithms for generalised acceptance alone");
        return SearchOutcome::not_begun();
    };
    debug_assert!(search.reduction.is_none(), "the plan reduces the system of a search for accepted runs");
    let second = if is_weak { None } else { make_store(search.store.key_length(search.system.state_length())) };
    if second.is_none() && !is_weak {
        return SearchOutcome::not_begun();
    }
    let threads = search.threads.max(1);
    let control = Control::new(&mut search);
    let (first, second) = (&*search.store, second.as_deref());
    let found = run(&Nested { control: &control, accepting, fault: &fault, first, second, threads });
    let found = shortened(found, acceptance, &control);
    let facts = StoreFacts::of_all([Some(first), second].into_iter().flatten());
    control.finish(found, Vec::new(), Vec::new()).with(facts)
}

impl Nested<'_, '_> {
    /// The note on a state: whether it is accepting.
    pub fn acceptance(&self, state: &[u8]) -> Note {
        if self.accepting.is_accepting(state) { ACCEPTING } else { 0 }
    }

    /// Whether the waiting state on top, which is on the path, closes a cycle with an accepting
    /// state at one of the ends of the last transition.
    pub fn closes_accepting_cycle(stack: &Stack, note: Note) -> bool {
        let before = stack.last_open().and_then(|last| stack.open_note(last));
        note == ACCEPTING || before == Some(ACCEPTING)
    }
}

/// The states that a second search has visited.
pub(crate) trait Visited {
    /// Adds a state with its note. Whether it is to be visited: not if it was, or need not be.
    fn visit(&mut self, key: Key<'_>, note: Note) -> Result<bool, StoreFull>;

    /// The bytes that are held besides those of the store.
    fn memory(&self) -> usize;
}

/// The keys of states that all second searches have visited.
impl Visited for Box<dyn Session + Send + '_> {
    fn visit(&mut self, key: Key<'_>, _: Note) -> Result<bool, StoreFull> {
        Ok(key.with_bytes(|bytes| self.insert(bytes))? == Inserted::New)
    }

    fn memory(&self) -> usize {
        0
    }
}

/// The second search: from an accepting state, for a path to any state on the path of the first.
#[derive(Default)]
pub(crate) struct SecondSearch {
    /// The path from the accepting state on, and what waits beside it; empty between two searches.
    pub path: Stack,
    /// Successors, without bounds: a cut would hide a cycle.
    buffer: SuccessorBuffer,
}

impl SecondSearch {
    /// Searches from the open state on top of the first search's path. Gives the position there of
    /// the state that closes a cycle; none if there is no cycle, or if another worker ended the
    /// search. `more` are the bytes that the caller holds besides.
    pub fn run(
        &mut self,
        first: &mut DepthFirst<'_, '_>,
        visited: &mut impl Visited,
        note: &dyn Fn(&[u8]) -> Note,
        more: usize,
    ) -> Result<Option<usize>, Ended> {
        let control = first.control();
        let stack = &first.path.stack;
        if let Some(key) = stack.last_open().and_then(|last| stack.open_key(last)) {
            make_successors(control, &mut first.cursor, key, &mut self.buffer, note)?;
            first.cursor.push_noted_from(0, &mut self.path);
        }
        while !control.must_stop() {
            match self.path.top() {
                None => return Ok(None),
                Some(Top::Open) => self.path.pop_open(),
                Some(Top::Waiting(key, key_note)) => {
                    if let Some(position) = first.path.position(key) {
                        return Ok(Some(position));
                    }
                    if !visited.visit(key, key_note).map_err(|full| control.full(full))? {
                        self.path.pop_waiting();
                        continue;
                    }
                    make_successors(control, &mut first.cursor, key, &mut self.buffer, note)?;
                    self.path.open();
                    first.cursor.push_noted_from(0, &mut self.path);
                    first.step(|| self.memory() + visited.memory() + more)?;
                }
            }
        }
        Ok(None)
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.path.memory() + self.buffer.memory()
    }
}

/// Makes the keys and notes of the successors of the state with this key.
fn make_successors(
    control: &Control<'_>,
    cursor: &mut Cursor<'_>,
    key: Key<'_>,
    buffer: &mut SuccessorBuffer,
    note: &dyn Fn(&[u8]) -> Note,
) -> Result<(), Ended> {
    if control.is_interrupted() {
        return Err(Ended::Interrupted);
    }
    if control.known_moves().and_then(|moves| cursor.make_known(key, moves, note, buffer)).is_some() {
        return Ok(());
    }
    cursor.recall(key);
    buffer.clear();
    control.system.expand_all(&cursor.state, buffer);
    cursor.make_noted(buffer, |_, state| note(state)).map_err(|full| control.full(full))
}
