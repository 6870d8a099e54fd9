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

use std::sync::Mutex;
use std::thread;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_stdx::{Random, lock};
use ample_transition::{Inserted, Key, Session, States, StoreFull, Tally};

use crate::depth_first::DepthFirst;
use crate::key_index::KeyIndex;
use crate::nested::{self, ACCEPTING, Nested, SecondSearch, Visited};
use crate::outcome::Ended;
use crate::search::StopAt;
use crate::stack::{Note, Top};
use crate::{Emptiness, SearchOutcome};

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
    nested::run(emptiness, |nested| {
        let found = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for number in 0..nested.threads {
                let found = &found;
                scope.spawn(move || {
                    let first = DepthFirst::new(nested.control, nested.first);
                    let more = first.run(
                        |initial| nested.acceptance(initial),
                        |first| NestedWorker::new(nested, first, number).run(),
                    );
                    lock(found).extend(more);
                });
            }
        });
        let mut found = std::mem::take(&mut *lock(&found));
        found.truncate(1);
        found
    })
}

/// One thread's part.
struct NestedWorker<'n, 's, 'a> {
    nested: &'n Nested<'n, 'a>,
    first: &'s mut DepthFirst<'n, 'a>,
    second: SecondSearch,
    /// What the second search has visited; `None` if there is none.
    visited: Option<OwnVisits<'n>>,
    /// Where this worker begins among the successors of a state.
    turn: Turn,
    /// What leaves each open state of the first search, to be counted when it is published.
    tallies: Vec<Tally>,
}

/// Chooses an order of successors that differs from worker to worker. The first worker takes them
/// as they are.
struct Turn(Option<Random>);

impl Turn {
    fn of_worker(number: usize) -> Turn {
        Turn((number > 0).then(|| Random::new(number as u64)))
    }

    /// With which of so many successors to begin.
    fn next(&mut self, count: usize) -> usize {
        match &mut self.0 {
            Some(random) if count > 1 => random.below(count),
            _ => 0,
        }
    }
}

/// The states that a worker's second search has visited and not published yet.
struct OwnVisits<'n> {
    /// The keys of the states that need no second search any more, whoever has published them.
    published: Box<dyn Session + Send + 'n>,
    states: States,
    numbers: KeyIndex,
    accepting: Vec<bool>,
}

impl<'n> OwnVisits<'n> {
    fn new(published: Box<dyn Session + Send + 'n>) -> Self {
        OwnVisits { published, states: States::default(), numbers: KeyIndex::default(), accepting: Vec::new() }
    }

    /// Adds a state. Whether it is new here.
    fn insert(&mut self, key: Key<'_>, note: Note) -> bool {
        let OwnVisits { states, numbers, accepting, .. } = self;
        if numbers.find(key, |number| states.key(number)).is_some() {
            return false;
        }
        numbers.insert(key, accepting.len());
        states.push(key);
        accepting.push(note == ACCEPTING);
        true
    }

    fn is_published(&mut self, key: Key<'_>) -> bool {
        key.with_bytes(|bytes| self.published.contains(Key::InFull(bytes)))
    }

    fn clear(&mut self) {
        self.states.clear();
        self.numbers.clear();
        self.accepting.clear();
    }
}

impl Visited for OwnVisits<'_> {
    fn visit(&mut self, key: Key<'_>, note: Note) -> Result<bool, StoreFull> {
        Ok(!self.is_published(key) && self.insert(key, note))
    }

    fn memory(&self) -> usize {
        self.states.memory() + self.numbers.memory() + self.accepting.capacity()
    }
}

impl<'n, 's, 'a> NestedWorker<'n, 's, 'a> {
    fn new(nested: &'n Nested<'n, 'a>, first: &'s mut DepthFirst<'n, 'a>, number: usize) -> Self {
        NestedWorker {
            nested,
            first,
            second: SecondSearch::default(),
            visited: nested.second.map(|store| OwnVisits::new(store.session())),
            turn: Turn::of_worker(number),
            tallies: Vec::new(),
        }
    }

    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        while !self.nested.control.must_stop() {
            match self.first.path.stack.top() {
                None => return Ok(()),
                Some(Top::Open) => self.close()?,
                Some(Top::Waiting(key, note)) => {
                    if self.first.cursor.session.contains(key) {
                        self.first.path.stack.pop_waiting();
                    } else if let Some(position) = self.first.path.position_of_top() {
                        if Nested::closes_accepting_cycle(&self.first.path.stack, note) {
                            return self.found_cycle(position);
                        }
                        self.first.path.stack.pop_waiting();
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
        let nested = self.nested;
        let tally = match self.first.make_known(&|state| nested.acceptance(state))? {
            Some(tally) => tally,
            None => {
                let sightings = self.first.expand_top()?;
                if !sightings.is_empty() {
                    self.count_path();
                    return self.first.note(sightings, StopAt::FirstViolation);
                }
                let DepthFirst { explorer, cursor, .. } = &mut *self.first;
                let made = cursor.make_noted(&explorer.buffer, |_, state| nested.acceptance(state));
                made.map_err(|full| nested.control.full(full))?;
                explorer.buffer.tally()
            }
        };
        let DepthFirst { cursor, path, .. } = &mut *self.first;
        path.stack.open();
        self.tallies.push(tally);
        cursor.push_noted_from(self.turn.next(cursor.noted()), &mut path.stack);
        let visited = self.visited.as_ref();
        let tallies = self.tallies.capacity() * size_of::<Tally>();
        self.first.step(|| self.second.memory() + visited.map_or(0, Visited::memory) + tallies)
    }

    /// The successors of the open state on top are done: it is published, and if it is accepting,
    /// the second search starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let control = self.nested.control;
        let DepthFirst { explorer, cursor, path, .. } = &mut *self.first;
        let (last, tally) = (path.stack.last_open(), self.tallies.pop());
        let (Some(last), Some(tally)) = (last, tally) else { return Ok(()) };
        if let Some(key) = path.stack.open_key(last)
            && cursor.session.add(key).map_err(|full| control.full(full))? == Inserted::New
        {
            explorer.count_state(last as u64)?;
            explorer.count_transitions(tally);
        }
        if path.stack.open_note(last) == Some(ACCEPTING) {
            self.search_again(last)?;
        }
        self.first.path.pop_open();
        Ok(())
    }

    /// The second search, from the open state on top, which has this number.
    fn search_again(&mut self, seed: usize) -> Result<(), Ended> {
        let Some(visited) = &mut self.visited else { return Ok(()) };
        visited.clear();
        if let Some(key) = self.first.path.stack.open_key(seed) {
            // Not as an accepting one: for this state nobody has to wait.
            visited.insert(key, 0);
        }
        let tallies = self.tallies.capacity() * size_of::<Tally>();
        let nested = self.nested;
        match self.second.run(self.first, visited, &|state| nested.acceptance(state), tallies)? {
            Some(position) => self.found_cycle(position),
            None => self.publish(),
        }
    }

    /// Publishes what the second search has visited, when others have settled the accepting states
    /// there.
    fn publish(&mut self) -> Result<(), Ended> {
        let NestedWorker { nested, first, visited: Some(visited), .. } = self else { return Ok(()) };
        let OwnVisits { published, states, accepting, .. } = visited;
        let keys = || (0..accepting.len()).filter_map(|number| Some((states.key(number)?, accepting[number])));
        for (key, _) in keys().filter(|(_, is_accepting)| *is_accepting) {
            while !key.with_bytes(|bytes| published.contains(Key::InFull(bytes))) {
                if nested.control.must_stop() {
                    return Ok(());
                }
                if nested.control.is_interrupted() {
                    return Err(Ended::Interrupted);
                }
                thread::yield_now();
                first.explorer.tick(1)?;
            }
        }
        for (key, _) in keys() {
            key.with_bytes(|bytes| published.insert(bytes)).map_err(|full| nested.control.full(full))?;
        }
        Ok(())
    }

    /// Counts what is on the path and will not be published any more.
    fn count_path(&mut self) {
        for (depth, tally) in std::mem::take(&mut self.tallies).into_iter().enumerate() {
            // A limit on states does not matter any more.
            let _ = self.first.explorer.count_state(depth as u64);
            self.first.explorer.count_transitions(tally);
        }
    }

    /// A cycle leads back to the open state at this position.
    fn found_cycle(&mut self, position: usize) -> Result<(), Ended> {
        self.count_path();
        self.first.found_cycle(&self.second.path, position, self.nested.fault)
    }
}
