//! Nested depth-first search on several threads.
//!
//! Every worker runs a nested depth-first search of its own, each in another order, over what the
//! others have left: states that one worker is done with, in its first search or in its second, are
//! passed by all (Evangelista, Laarman, Petrucci, van de Pol: Improved multi-core nested
//! depth-first search). Two workers may be inside the same part at the same time; that costs work
//! and no answer.
//!
//! If the automaton is weak, there is no second search (see `ndfs`): of a component whose states
//! are all accepting, take the state that is published first. Its successors in the component were
//! not published when they were looked at; none was visited and left before, or it would have been
//! published first; so one of them was on the path, which is a cycle.
//!
//! A second search notes what it visits by itself and publishes it at its end. It must first wait
//! until other workers have published the accepting states that it met and that are not its own:
//! those are on the path of somebody who has not judged them yet.

use std::thread;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Accepting, Fault, Inserted, Key, Session, States, Store, SuccessorBuffer, Tally};

use crate::cursor::{ACCEPTING, Cursor, PathIndex, acceptance};
use crate::explorer::{Control, Explorer, lock};
use crate::key_index::KeyIndex;
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::shorten::shortened;
use crate::stack::{Note, Stack, Top};
use crate::{Acceptance, Emptiness, SearchOutcome};

/// Nested depth-first order on several threads, for infinite runs.
pub static CNDFS: Part = Part {
    name: "cndfs",
    kind: PartKind::Emptiness,
    summary: "nested depth-first search on several threads, which share what they have settled",
    paper: Some(
        "Evangelista, Laarman, Petrucci, van de Pol: Improved multi-core nested depth-first search (ATVA 2012)",
    ),
    guarantee: Guarantee::EXACT,
};

/// Looks for an accepted run, on all threads.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an
/// accepted run if there is one, unless it ended early.
pub fn cndfs(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    let Emptiness { mut search, acceptance: runs, is_weak, make_store, fault } = emptiness;
    let Acceptance::States(accepting) = runs else { return SearchOutcome::not_begun() };
    let second = if is_weak { None } else { make_store(search.store.key_length(search.system.state_length())) };
    if second.is_none() && !is_weak {
        return SearchOutcome::not_begun();
    }
    let threads = search.threads.max(1);
    let control = Control::new(&mut search);
    let shared = Shared { control: &control, accepting, fault, first: &*search.store, second: second.as_deref() };
    let mut found = std::sync::Mutex::new(Vec::new());
    thread::scope(|scope| {
        for number in 0..threads {
            let (shared, found) = (&shared, &found);
            scope.spawn(move || {
                let mut worker = Worker::new(shared, number);
                if let Err(ended) = worker.run() {
                    shared.control.end(ended);
                }
                lock(found).append(&mut worker.found);
            });
        }
    });
    let mut found = std::mem::take(found.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()));
    found.truncate(1);
    let found = shortened(found, runs, &control);
    let facts = StoreFacts::of_all([Some(&*search.store), second.as_deref()].into_iter().flatten());
    control.finish(found, Vec::new(), Vec::<WorkerTime>::new()).with(facts)
}

/// What the workers share.
struct Shared<'n, 'a> {
    control: &'n Control<'a>,
    accepting: &'n dyn Accepting,
    /// What an accepted run is called.
    fault: Fault,
    /// The states with which some worker's first search is done.
    first: &'n dyn Store,
    /// The keys of those that need no second search any more; `None` if there is no second search.
    second: Option<&'n dyn Store>,
}

struct Worker<'n, 'a> {
    shared: &'n Shared<'n, 'a>,
    explorer: Explorer<'n, 'a>,
    cursor: Cursor<'n>,
    second: Option<Box<dyn Session + Send + 'n>>,
    /// Where this worker begins among the successors of a state.
    turn: Turn,
    /// The path of the first search, and what waits beside it; what leaves each open state.
    path: Stack,
    tallies: Vec<Tally>,
    path_index: PathIndex,
    /// The same for the second search, and what it has visited.
    second_path: Stack,
    second_buffer: SuccessorBuffer,
    visited: Visited,
    found: Vec<Found>,
}

/// Chooses an order of successors that differs from worker to worker.
struct Turn(u64);

impl Turn {
    /// The first worker takes them as they are.
    fn next(&mut self, count: usize) -> usize {
        if self.0 == 0 || count < 2 {
            return 0;
        }
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % count
    }
}

/// The states that a second search has visited.
#[derive(Default)]
struct Visited {
    states: States,
    numbers: KeyIndex,
    accepting: Vec<bool>,
}

impl Visited {
    /// Adds a state. Whether it is new.
    fn add(&mut self, key: Key<'_>, note: Note) -> bool {
        let Visited { states, numbers, accepting } = self;
        if numbers.find(key, |number| states.key(number)).is_some() {
            return false;
        }
        numbers.insert(key, accepting.len());
        states.push(key);
        accepting.push(note == ACCEPTING);
        true
    }

    fn clear(&mut self) {
        self.states.clear();
        self.numbers.clear();
        self.accepting.clear();
    }

    fn keys(&self) -> impl Iterator<Item = (Key<'_>, bool)> {
        let keys = (0..self.accepting.len()).filter_map(|number| self.states.key(number));
        keys.zip(self.accepting.iter().copied())
    }

    fn memory(&self) -> usize {
        self.states.memory() + self.numbers.memory() + self.accepting.capacity()
    }
}

impl<'n, 'a> Worker<'n, 'a> {
    fn new(shared: &'n Shared<'n, 'a>, number: usize) -> Self {
        Worker {
            shared,
            explorer: Explorer::new(shared.control),
            cursor: Cursor::new(shared.first),
            second: shared.second.map(|store| store.session()),
            turn: Turn(number as u64),
            path: Stack::default(),
            tallies: Vec::new(),
            path_index: PathIndex::default(),
            second_path: Stack::default(),
            second_buffer: SuccessorBuffer::new(),
            visited: Visited::default(),
            found: Vec::new(),
        }
    }

    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        let Shared { control, accepting, .. } = *self.shared;
        let initial = self.explorer.initial(&mut self.found)?;
        self.cursor
            .push(&initial, acceptance(accepting, &initial), &mut self.path)
            .map_err(|full| control.full(full))?;
        while !control.must_stop() {
            match self.path.top() {
                None => return Ok(()),
                Some(Top::Open) => self.close()?,
                Some(Top::Waiting(key, note)) => {
                    if self.cursor.session.contains(key) {
                        self.path.pop_waiting();
                    } else if let Some(position) = self.path_index.find(key, &self.path) {
                        let before = self.path.last_open().and_then(|last| self.path.open_note(last));
                        if note == ACCEPTING || before == Some(ACCEPTING) {
                            return self.found_cycle(position);
                        }
                        self.path.pop_waiting();
                    } else {
                        self.open()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Opens the waiting state, with which nobody is done.
    fn open(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(key, _)) = self.path.top() else { return Ok(()) };
        let Shared { control, accepting, .. } = *self.shared;
        self.cursor.recall(key);
        let sightings = self.explorer.expand_uncounted(&self.cursor.state, self.path.depth() as u64)?;
        if let Some(sighting) = sightings.into_iter().next() {
            self.found.push(self.cursor.found(control.system, &self.path, key, sighting));
            self.count_path();
            return Err(Ended::FirstViolation);
        }
        self.path.open();
        self.tallies.push(self.explorer.buffer.tally());
        let first = self.turn.next(self.explorer.buffer.len());
        self.cursor
            .push_all_from(first, &self.explorer.buffer, &mut self.path, |_, state| acceptance(accepting, state))
            .map_err(|full| control.full(full))?;
        self.step()
    }

    fn step(&mut self) -> Result<(), Ended> {
        let Worker { explorer, path, tallies, path_index, cursor, second_path, second_buffer, visited, .. } = self;
        explorer.step(|explorer| {
            let first = path.memory() + path_index.memory() + explorer.buffer.memory() + cursor.memory();
            let second = second_path.memory() + second_buffer.memory() + visited.memory();
            first + second + tallies.capacity() * size_of::<Tally>()
        })
    }

    /// The successors of the open state on top are done: it is published, and if it is accepting,
    /// the second search starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let control = self.shared.control;
        let (last, tally) = (self.path.last_open(), self.tallies.pop());
        let (Some(last), Some(tally)) = (last, tally) else { return Ok(()) };
        if let Some(key) = self.path.open_key(last)
            && self.cursor.session.add(key).map_err(|full| control.full(full))? == Inserted::New
        {
            self.explorer.count_state(last as u64)?;
            self.explorer.count_transitions(tally);
        }
        if self.path.open_note(last) == Some(ACCEPTING) && self.second.is_some() {
            self.search_again(last)?;
            self.publish()?;
        }
        self.path_index.leave(&self.path);
        self.path.pop_open();
        Ok(())
    }

    /// The second search, from the open state on top: for a way to any state of the path.
    fn search_again(&mut self, seed: usize) -> Result<(), Ended> {
        self.visited.clear();
        let Some(key) = self.path.open_key(seed) else { return Ok(()) };
        // Not as an accepting one: for this state nobody has to wait.
        self.visited.add(key, 0);
        self.cursor.recall(key);
        self.push_second()?;
        while !self.shared.control.must_stop() {
            match self.second_path.top() {
                None => return Ok(()),
                Some(Top::Open) => self.second_path.pop_open(),
                Some(Top::Waiting(key, note)) => {
                    if let Some(position) = self.path_index.find(key, &self.path) {
                        return self.found_cycle(position);
                    }
                    let Some(second) = &mut self.second else { return Ok(()) };
                    let is_settled = key.with_bytes(|bytes| second.contains(Key::InFull(bytes)));
                    if is_settled || !self.visited.add(key, note) {
                        self.second_path.pop_waiting();
                        continue;
                    }
                    self.cursor.recall(key);
                    self.second_path.open();
                    self.push_second()?;
                    self.step()?;
                }
            }
        }
        Ok(())
    }

    /// Pushes the successors of the state recalled last for the second search.
    fn push_second(&mut self) -> Result<(), Ended> {
        let Shared { control, accepting, .. } = *self.shared;
        self.second_buffer.clear();
        control.system.expand_all(&self.cursor.state, &mut self.second_buffer);
        if control.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let pushed =
            self.cursor.push_all(&self.second_buffer, &mut self.second_path, |_, state| acceptance(accepting, state));
        pushed.map_err(|full| control.full(full))
    }

    /// Publishes what the second search has visited, when others have settled the accepting states
    /// there.
    fn publish(&mut self) -> Result<(), Ended> {
        let Worker { shared, explorer, visited, second: Some(second), .. } = self else { return Ok(()) };
        for (key, _) in visited.keys().filter(|(_, is_accepting)| *is_accepting) {
            while !key.with_bytes(|bytes| second.contains(Key::InFull(bytes))) {
                if shared.control.must_stop() {
                    return Ok(());
                }
                if shared.control.is_interrupted() {
                    return Err(Ended::Interrupted);
                }
                thread::yield_now();
                explorer.tick(1)?;
            }
        }
        for (key, _) in visited.keys() {
            key.with_bytes(|bytes| second.insert(bytes)).map_err(|full| shared.control.full(full))?;
        }
        Ok(())
    }

    /// Counts what is on the path and will not be published any more.
    fn count_path(&mut self) {
        for (depth, tally) in std::mem::take(&mut self.tallies).into_iter().enumerate() {
            // A limit on states does not matter any more.
            let _ = self.explorer.count_state(depth as u64);
            self.explorer.count_transitions(tally);
        }
    }

    /// The run along the path, along the path of the second search, and back to the open state at
    /// `position`, over and over.
    fn found_cycle(&mut self, position: usize) -> Result<(), Ended> {
        self.count_path();
        let trace = self.cursor.cycle(self.shared.control.system, &self.path, &self.second_path, position);
        self.found.push(Found::new(self.shared.fault.clone(), trace));
        Err(Ended::FirstViolation)
    }
}
