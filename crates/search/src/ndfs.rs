//! Nested depth-first search: is there a cycle through an accepting state?
//!
//! The first search visits every state. When it is done with the successors of an accepting state,
//! a second one starts from there and looks for a way back to the path of the first (Courcoubetis,
//! Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the verification of temporal
//! properties; post-order and the test against the whole path: Holzmann, Peled, Yannakakis: On
//! nested depth first search). Cycles that the first search closes itself are noticed at once
//! (Schwoon, Esparza: A note on on-the-fly verification algorithms). A state is visited at most
//! twice, once by each search.
//!
//! If the automaton is weak, a cycle is accepting in all its states or in none. The first search
//! closes a cycle in every component that has one, so that there is no second search (Černá,
//! Pelánek: Relating hierarchy of temporal properties to model checking).

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Accepting, Fault, Inserted, Session, SuccessorBuffer};

use crate::cursor::{ACCEPTING, Cursor, PathIndex, acceptance};
use crate::explorer::{Control, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::shorten::shortened;
use crate::stack::{Stack, Top};
use crate::{Acceptance, Emptiness, SearchOutcome};

/// Nested depth-first order, for infinite runs.
pub static NDFS: Part = Part {
    name: "ndfs",
    kind: PartKind::Emptiness,
    summary: "nested depth-first search for cycles through accepting states",
    paper: Some("Schwoon and Esparza: A note on on-the-fly verification algorithms (2005)"),
    guarantee: Guarantee::EXACT,
};

/// Looks for an accepted run, on one thread.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an
/// accepted run if there is one, unless it ended early.
pub fn ndfs(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    let Emptiness { mut search, acceptance: runs, is_weak, make_store, fault } = emptiness;
    let Acceptance::States(accepting) = runs else { return SearchOutcome::not_begun() };
    let second = if is_weak { None } else { make_store(search.store.key_length(search.system.state_length())) };
    if second.is_none() && !is_weak {
        return SearchOutcome::not_begun();
    }
    let control = Control::new(&mut search);
    let mut nested = NestedSearch {
        explorer: Explorer::new(&control),
        accepting,
        fault,
        cursor: Cursor::new(&*search.store),
        second: second.as_deref().map(|store| store.session()),
        path: Stack::default(),
        path_index: PathIndex::default(),
        second_path: Stack::default(),
        second_buffer: SuccessorBuffer::new(),
        found: Vec::new(),
    };
    if let Err(ended) = nested.run() {
        control.end(ended);
    }
    let NestedSearch { found, explorer, .. } = nested;
    drop(explorer);
    let found = shortened(found, runs, &control);
    let facts = StoreFacts::of_all([Some(&*search.store), second.as_deref()].into_iter().flatten());
    control.finish(found, Vec::new(), Vec::new()).with(facts)
}

struct NestedSearch<'n, 'a> {
    explorer: Explorer<'n, 'a>,
    accepting: &'n dyn Accepting,
    /// What an accepted run is called.
    fault: Fault,
    /// Visits states, and remembers those that the first search has visited.
    cursor: Cursor<'n>,
    /// The keys of those that the second search has visited; `None` if it is not needed.
    second: Option<Box<dyn Session + Send + 'n>>,
    /// The path of the first search, and what waits beside it.
    path: Stack,
    path_index: PathIndex,
    /// The same for the second search; empty between two of them. Its successors, without bounds: a
    /// cut would hide a cycle.
    second_path: Stack,
    second_buffer: SuccessorBuffer,
    found: Vec<Found>,
}

impl NestedSearch<'_, '_> {
    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        let control = self.explorer.control;
        let initial = self.explorer.initial(&mut self.found)?;
        let note = acceptance(self.accepting, &initial);
        self.cursor.push(&initial, note, &mut self.path).map_err(|full| control.full(full))?;
        loop {
            match self.path.top() {
                None => return Ok(()),
                Some(Top::Open) => {
                    self.close()?;
                    self.path.pop_open();
                }
                Some(Top::Waiting(key, _)) => match self.cursor.session.add(key).map_err(|full| control.full(full))? {
                    Inserted::Old => {
                        self.look_for_cycle()?;
                        self.path.pop_waiting();
                    }
                    Inserted::New => self.open()?,
                },
            }
        }
    }

    /// Whether the waiting state, which was visited before, closes a cycle with an accepting state
    /// at one of the ends of the last step.
    fn look_for_cycle(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(key, note)) = self.path.top() else { return Ok(()) };
        let before = self.path.last_open().and_then(|last| self.path.open_note(last));
        if note != ACCEPTING && before != Some(ACCEPTING) {
            return Ok(());
        }
        match self.path_index.find(key, &self.path) {
            Some(position) => self.found_cycle(position),
            None => Ok(()),
        }
    }

    /// Opens the waiting state, which is new.
    fn open(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(key, _)) = self.path.top() else { return Ok(()) };
        let depth = self.path.depth() as u64;
        self.explorer.count_state(depth)?;
        let control = self.explorer.control;
        self.cursor.recall(key);
        if let Some(sighting) = self.explorer.expand(&self.cursor.state, depth)?.into_iter().next() {
            self.found.push(self.cursor.found(control.system, &self.path, key, sighting));
            return Err(Ended::FirstViolation);
        }
        self.path.open();
        let accepting = self.accepting;
        self.cursor
            .push_all(&self.explorer.buffer, &mut self.path, |_, state| acceptance(accepting, state))
            .map_err(|full| control.full(full))?;
        self.step()
    }

    fn step(&mut self) -> Result<(), Ended> {
        let NestedSearch { explorer, path, path_index, cursor, second_path, second_buffer, .. } = self;
        explorer.step(|explorer| {
            let first = path.memory() + path_index.memory() + explorer.buffer.memory() + cursor.memory();
            first + second_path.memory() + second_buffer.memory()
        })
    }

    /// The successors of the open state on top are done: if it is accepting, the second search
    /// starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let last = self.path.last_open();
        if last.and_then(|last| self.path.open_note(last)) == Some(ACCEPTING) && self.second.is_some() {
            self.search_again()?;
        }
        self.path_index.leave(&self.path);
        Ok(())
    }

    /// The second search, from the open state on top: for a way to any state of the path.
    fn search_again(&mut self) -> Result<(), Ended> {
        if let Some(key) = self.path.last_open().and_then(|last| self.path.open_key(last)) {
            self.cursor.recall(key);
            self.push_second()?;
        }
        let control = self.explorer.control;
        loop {
            match self.second_path.top() {
                None => return Ok(()),
                Some(Top::Open) => self.second_path.pop_open(),
                Some(Top::Waiting(key, _)) => {
                    if let Some(position) = self.path_index.find(key, &self.path) {
                        return self.found_cycle(position);
                    }
                    let Some(second) = &mut self.second else { return Ok(()) };
                    let answer = key.with_bytes(|bytes| second.insert(bytes)).map_err(|full| control.full(full))?;
                    if answer == Inserted::Old {
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
    }

    /// Pushes the successors of the state recalled last for the second search.
    fn push_second(&mut self) -> Result<(), Ended> {
        let control = self.explorer.control;
        self.second_buffer.clear();
        control.system.expand_all(&self.cursor.state, &mut self.second_buffer);
        if control.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let pushed = self.cursor.push_all(&self.second_buffer, &mut self.second_path, |_, _| 0);
        pushed.map_err(|full| control.full(full))
    }

    /// The run along the path, along the path of the second search, and back to the open state at
    /// `position`, over and over.
    fn found_cycle(&mut self, position: usize) -> Result<(), Ended> {
        let trace = self.cursor.cycle(self.explorer.control.system, &self.path, &self.second_path, position);
        self.found.push(Found::new(self.fault.clone(), trace));
        Err(Ended::FirstViolation)
    }
}
