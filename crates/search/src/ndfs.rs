//! Nested depth-first search: is there a cycle through an accepting state?
//!
//! The first search visits every state. When it is done with the successors of an accepting state, a second one starts from there and
//! looks for a way back to the path of the first (Courcoubetis, Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the
//! verification of temporal properties; post-order and the test against the whole path: Holzmann, Peled, Yannakakis: On nested
//! depth first search). Cycles that the first search closes itself are noticed at once (Schwoon, Esparza: A note on on-the-fly
//! verification algorithms). A state is visited at most twice, once by each search.

use std::hash::BuildHasher;

use ample_transition::{Accepting, Fault, Inserted, Session, SuccessorBuffer};
use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::explorer::{Common, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::path::trace_along;
use crate::stack::{Stack, Top};
use crate::{Acceptance, Emptiness, SearchOutcome};

/// Looks for an accepted run, on one thread.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an accepted run if there is one, unless
/// it ended early.
pub fn ndfs(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    let Emptiness { mut search, acceptance, make_store, fault, .. } = emptiness;
    let Acceptance::States(accepting) = acceptance else { return SearchOutcome::not_begun() };
    let Some(second) = make_store(search.system.state_length()) else { return SearchOutcome::not_begun() };
    let common = Common::new(&mut search);
    let mut nested = Nested {
        explorer: Explorer::new(&common),
        accepting,
        fault,
        first: search.store.session(),
        second: second.session(),
        path: Stack::default(),
        on_path: OnPath::default(),
        second_path: Stack::default(),
        second_buffer: SuccessorBuffer::new(),
        found: Vec::new(),
    };
    if let Err(ended) = nested.run() {
        common.end(ended);
    }
    let Nested { found, explorer, .. } = nested;
    drop(explorer);
    let mut facts = StoreFacts::of(&*search.store);
    facts.add(&*second);
    common.finish(found, Vec::new(), Vec::new()).with(facts)
}

struct Nested<'n, 'a> {
    explorer: Explorer<'n, 'a>,
    accepting: &'n dyn Accepting,
    /// What an accepted run is called.
    fault: Fault,
    /// The states that the first and the second search have visited.
    first: Box<dyn Session + Send + 'n>,
    second: Box<dyn Session + Send + 'n>,
    /// The path of the first search, and what waits beside it.
    path: Stack,
    on_path: OnPath,
    /// The same for the second search; empty between two of them. Its successors, without bounds: a cut would hide a cycle.
    second_path: Stack,
    second_buffer: SuccessorBuffer,
    found: Vec<Found>,
}

impl Nested<'_, '_> {
    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        let initial = self.explorer.initial(&mut self.found)?;
        self.path.push(&initial);
        loop {
            match self.path.top() {
                None => return Ok(()),
                Some(Top::Open) => {
                    self.close()?;
                    self.path.pop_open();
                }
                Some(Top::Waiting(state)) => match insert(&mut *self.first, state, self.explorer.common)? {
                    Inserted::Old => {
                        self.look_for_cycle()?;
                        self.path.pop_waiting();
                    }
                    Inserted::New => self.open()?,
                },
            }
        }
    }

    /// Whether the waiting state, which was visited before, closes a cycle with an accepting state at one of the ends of the last step.
    fn look_for_cycle(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(state)) = self.path.top() else { return Ok(()) };
        let Some(position) = self.on_path.find(state, &self.path) else { return Ok(()) };
        let parent = self.path.last_open().and_then(|last| self.path.open_state(last));
        if self.accepting.is_accepting(state) || parent.is_some_and(|parent| self.accepting.is_accepting(parent)) {
            return self.found_cycle(position);
        }
        Ok(())
    }

    /// Opens the waiting state, which is new.
    fn open(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(state)) = self.path.top() else { return Ok(()) };
        let depth = self.path.depth();
        self.explorer.count_state(depth)?;
        let common = self.explorer.common;
        if let Some(sighting) = self.explorer.expand(state, depth)?.into_iter().next() {
            let path = self.path.open_states().chain([state]);
            let trace = trace_along(common.system, path, sighting.successor);
            self.found.push(Found { fault: sighting.fault, trace });
            return Err(Ended::FirstViolation);
        }
        self.on_path.insert(state, self.path.depth() as usize, &self.path);
        self.path.open();
        self.path.push_all(&self.explorer.buffer);
        self.charge()?;
        self.explorer.tick(1)
    }

    fn charge(&mut self) -> Result<(), Ended> {
        let first = self.path.memory() + self.on_path.memory() + self.explorer.buffer.memory();
        self.explorer.charge(first + self.second_path.memory() + self.second_buffer.memory())
    }

    /// The successors of the open state on top are done: if it is accepting, the second search starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let Some(last) = self.path.last_open() else { return Ok(()) };
        let Some(state) = self.path.open_state(last) else { return Ok(()) };
        if self.accepting.is_accepting(state) {
            self.search_again(last)?;
        }
        if let Some(state) = self.path.open_state(last) {
            self.on_path.remove(state, last);
        }
        Ok(())
    }

    /// The second search, from the open state with this number: for a way to any state of the path.
    fn search_again(&mut self, seed: usize) -> Result<(), Ended> {
        let common = self.explorer.common;
        if let Some(state) = self.path.open_state(seed) {
            self.second_buffer.clear();
            common.system.expand_all(state, &mut self.second_buffer);
            self.second_path.push_all(&self.second_buffer);
        }
        loop {
            match self.second_path.top() {
                None => return Ok(()),
                Some(Top::Open) => self.second_path.pop_open(),
                Some(Top::Waiting(state)) => {
                    if let Some(position) = self.on_path.find(state, &self.path) {
                        return self.found_cycle(position);
                    }
                    if insert(&mut *self.second, state, common)? == Inserted::Old {
                        self.second_path.pop_waiting();
                        continue;
                    }
                    self.second_buffer.clear();
                    common.system.expand_all(state, &mut self.second_buffer);
                    if common.is_interrupted() {
                        return Err(Ended::Interrupted);
                    }
                    self.second_path.open();
                    self.second_path.push_all(&self.second_buffer);
                    self.charge()?;
                    self.explorer.tick(1)?;
                }
            }
        }
    }

    /// The run along the path, along the path of the second search, and back to the open state at `position`, over and over.
    fn found_cycle(&mut self, position: usize) -> Result<(), Ended> {
        let back = self.path.open_state(position);
        let states = self.path.open_states().chain(self.second_path.open_states()).chain(back);
        let mut trace = trace_along(self.explorer.common.system, states, None);
        // A state that nothing leaves is repeated without a move.
        trace.cycle = Some(position.min(trace.transitions.len()));
        self.found.push(Found { fault: self.fault.clone(), trace });
        Err(Ended::FirstViolation)
    }
}

fn insert(session: &mut dyn Session, state: &[u8], common: &Common<'_>) -> Result<Inserted, Ended> {
    session.insert(state).map_err(|full| common.full(full))
}

/// The states of a path, by their hashes: numbers of open states.
#[derive(Default)]
struct OnPath {
    numbers: HashTable<u32>,
}

impl OnPath {
    fn hash(state: &[u8]) -> u64 {
        FixedState::default().hash_one(state)
    }

    /// Adds the state that will be the open one with this number.
    fn insert(&mut self, state: &[u8], number: usize, path: &Stack) {
        let hash_of = |number: &u32| path.open_state(*number as usize).map_or(0, OnPath::hash);
        self.numbers.insert_unique(OnPath::hash(state), number as u32, hash_of);
    }

    fn find(&self, state: &[u8], path: &Stack) -> Option<usize> {
        let is_it = |number: &u32| path.open_state(*number as usize) == Some(state);
        self.numbers.find(OnPath::hash(state), is_it).map(|number| *number as usize)
    }

    fn remove(&mut self, state: &[u8], number: usize) {
        if let Ok(entry) = self.numbers.find_entry(OnPath::hash(state), |known| *known as usize == number) {
            entry.remove();
        }
    }

    fn memory(&self) -> usize {
        self.numbers.capacity() * (size_of::<u32>() + 1)
    }
}
