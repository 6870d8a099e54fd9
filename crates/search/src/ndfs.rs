//! Nested depth-first search: is there a cycle through an accepting state?
//!
//! The first search visits every state. When it is done with the successors of an accepting state, a second one starts from there and
//! looks for a way back to the path of the first (Courcoubetis, Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the
//! verification of temporal properties; post-order and the test against the whole path: Holzmann, Peled, Yannakakis: On nested
//! depth first search). Cycles that the first search closes itself are noticed at once (Schwoon, Esparza: A note on on-the-fly
//! verification algorithms). A state is visited at most twice, once by each search.

use std::hash::BuildHasher;

use ample_transition::{Inserted, Session, SuccessorBuffer, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::explorer::{Common, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::path::trace_along;
use crate::stack::{Stack, Top};
use crate::{Emptiness, SearchOutcome};

/// Looks for an accepted run, on one thread.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an accepted run if there is one, unless
/// it ended early.
pub fn ndfs(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    let Emptiness { mut search, accepting, second, fault } = emptiness;
    let common = Common::new(&mut search);
    let mut nested = Nested {
        explorer: Explorer::new(&common),
        is_accepting: &|state| accepting.is_accepting(state),
        first: search.store.session(),
        second: second.session(),
        path: Stack::default(),
        on_path: OnPath::default(),
        found: Vec::new(),
    };
    if let Err(ended) = nested.run() {
        common.end(ended);
    }
    let Nested { found, explorer, .. } = nested;
    drop(explorer);
    let violations = found.into_iter().map(|found| match found {
        Seen::Fault(found) => found,
        Seen::Cycle(trace) => Found { fault: fault.clone(), trace },
    });
    let mut facts = StoreFacts::of(&*search.store);
    facts.add(&*second);
    common.finish(violations.collect(), Vec::new(), Vec::new()).with(facts)
}

enum Seen {
    Fault(Found),
    Cycle(Trace),
}

struct Nested<'n, 'a> {
    explorer: Explorer<'n, 'a>,
    is_accepting: &'n dyn Fn(&[u8]) -> bool,
    /// The states that the first and the second search have visited.
    first: Box<dyn Session + Send + 'n>,
    second: Box<dyn Session + Send + 'n>,
    /// The path of the first search, and what waits beside it.
    path: Stack,
    on_path: OnPath,
    found: Vec<Seen>,
}

impl Nested<'_, '_> {
    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        let mut violations = Vec::new();
        let initial = self.explorer.initial(&mut violations);
        self.found.extend(violations.into_iter().map(Seen::Fault));
        self.path.push(&initial?);
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
        if (self.is_accepting)(state) || parent.is_some_and(self.is_accepting) {
            return self.found_cycle(position, &Stack::default());
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
            self.found.push(Seen::Fault(Found { fault: sighting.fault, trace }));
            return Err(Ended::FirstViolation);
        }
        self.on_path.insert(state, self.path.depth() as usize, &self.path);
        self.path.open();
        push_all(&mut self.path, &self.explorer.buffer);
        self.charge(0)?;
        self.explorer.tick(1)
    }

    fn charge(&mut self, more: usize) -> Result<(), Ended> {
        let memory = self.path.memory() + self.on_path.memory() + self.explorer.buffer.memory();
        self.explorer.charge(memory + more)
    }

    /// The successors of the open state on top are done: if it is accepting, the second search starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let Some(last) = self.path.last_open() else { return Ok(()) };
        let Some(state) = self.path.open_state(last) else { return Ok(()) };
        if (self.is_accepting)(state) {
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
        let mut buffer = SuccessorBuffer::new();
        let mut stack = Stack::default();
        if let Some(state) = self.path.open_state(seed) {
            common.system.expand_all(state, &mut buffer);
            push_all(&mut stack, &buffer);
        }
        loop {
            match stack.top() {
                None => return Ok(()),
                Some(Top::Open) => stack.pop_open(),
                Some(Top::Waiting(state)) => {
                    if let Some(position) = self.on_path.find(state, &self.path) {
                        return self.found_cycle(position, &stack);
                    }
                    if insert(&mut *self.second, state, common)? == Inserted::Old {
                        stack.pop_waiting();
                        continue;
                    }
                    buffer.clear();
                    common.system.expand_all(state, &mut buffer);
                    if common.is_interrupted() {
                        return Err(Ended::Interrupted);
                    }
                    stack.open();
                    push_all(&mut stack, &buffer);
                    self.charge(stack.memory() + buffer.memory())?;
                    self.explorer.tick(1)?;
                }
            }
        }
    }

    /// The run along the path, along the path of the second search, and back to the open state at `position`, over and over.
    fn found_cycle(&mut self, position: usize, second: &Stack) -> Result<(), Ended> {
        let back = self.path.open_state(position);
        let states = self.path.open_states().chain(second.open_states()).chain(back);
        let mut trace = trace_along(self.explorer.common.system, states, None);
        // A state that nothing leaves is repeated without a move.
        let stays = trace.transitions.iter().position(Vec::is_empty);
        trace.transitions.truncate(stays.unwrap_or(trace.transitions.len()));
        trace.cycle = Some(position.min(trace.transitions.len()));
        self.found.push(Seen::Cycle(trace));
        Err(Ended::FirstViolation)
    }
}

fn insert(session: &mut dyn Session, state: &[u8], common: &Common<'_>) -> Result<Inserted, Ended> {
    session.insert(state).map_err(|full| common.full(full))
}

/// The last one pushed is visited first.
fn push_all(stack: &mut Stack, buffer: &SuccessorBuffer) {
    for number in (0..buffer.len()).rev() {
        if let Some(next) = buffer.get(number).and_then(|successor| successor.state) {
            stack.push(next);
        }
    }
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
