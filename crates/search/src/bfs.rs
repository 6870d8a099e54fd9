//! Breadth-first search: level by level, each level in blocks, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use ample_transition::{Fault, Session, States};

use crate::blocks::{BLOCK, retrace_places};
use crate::explorer::{Common, Explorer, lock};
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::retrace::Place;
use crate::{Search, SearchOutcome};

/// A level with fewer blocks for each worker is left to the first one.
const BLOCKS_PER_WORKER: usize = 8;

/// Explores level by level.
///
/// Parents are not stored: if there are violations, a second search finds the ways to them. Gives: every reachable state, unless
/// it ended early; and traces with the least possible number of transitions, whatever the number of threads.
pub fn bfs(mut search: Search<'_>) -> SearchOutcome {
    let common = Common::new(&mut search);
    let places = Mutex::new(Vec::new());
    let mut violations = Vec::new();
    let workers = {
        let new = |_| Worker::new(Explorer::new(&common), search.store.session(), &places);
        let mut workers: Vec<Worker<'_, '_>> = (0..search.threads.max(1)).map(new).collect();
        if let Err(ended) = run(&mut workers, &places, &mut violations) {
            common.end(ended);
        }
        times(&workers)
    };
    let facts = StoreFacts::of(&*search.store);
    drop(search.store);
    let places = std::mem::take(&mut *lock(&places));
    let (found, untraced): (Vec<Found>, Vec<Fault>) = retrace_places(&common, chosen(&common, places));
    violations.extend(found);
    common.finish(violations, untraced, workers).with(facts)
}

/// The places to show: of several that were found where one is enough, the nearest.
fn chosen(common: &Common<'_>, mut places: Vec<Place>) -> Vec<Place> {
    if common.stops_at_first() {
        // All are on one level; a transition out of it is one step longer than a state in it. The rest is for a definite choice.
        places.sort_by(|a, b| (a.successor.is_some(), &a.state).cmp(&(b.successor.is_some(), &b.state)));
        places.truncate(1);
    }
    places
}

fn run(workers: &mut [Worker<'_, '_>], places: &Mutex<Vec<Place>>, violations: &mut Vec<Found>) -> Result<(), Ended> {
    let Some(first) = workers.first_mut() else { return Ok(()) };
    let common = first.explorer.common;
    let mut level = Level { blocks: vec![first.start(violations)?], next: AtomicUsize::new(0), depth: 0 };
    while !level.blocks.is_empty() {
        run_level(workers, &level);
        for block in &level.blocks {
            common.budget.give(block.memory());
        }
        if common.stops_at_first() && !lock(places).is_empty() {
            // Also if a limit was reached on the way to the end of the level.
            return Err(Ended::FirstViolation);
        }
        if common.must_stop() {
            return Ok(());
        }
        workers.iter_mut().try_for_each(Worker::close)?;
        let blocks = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.blocks)).collect();
        level = Level { blocks, next: AtomicUsize::new(0), depth: level.depth + 1 };
    }
    Ok(())
}

fn run_level(workers: &mut [Worker<'_, '_>], level: &Level) {
    let is_large = level.blocks.len() >= BLOCKS_PER_WORKER * workers.len();
    let Some((first, rest)) = workers.split_first_mut() else { return };
    if rest.is_empty() || !is_large {
        return first.run(level);
    }
    let since = Instant::now();
    thread::scope(|scope| {
        for worker in rest {
            scope.spawn(|| worker.run_timed(level));
        }
        first.run_timed(level);
    });
    let wall = since.elapsed().as_secs_f64();
    for worker in workers {
        worker.time.idle += wall - std::mem::take(&mut worker.busy);
    }
}

fn times(workers: &[Worker<'_, '_>]) -> Vec<WorkerTime> {
    if workers.len() > 1 { workers.iter().map(|worker| worker.time).collect() } else { Vec::new() }
}

/// The states at one depth.
struct Level {
    blocks: Vec<States>,
    /// The block that is taken next.
    next: AtomicUsize,
    depth: u64,
}

/// One thread's part.
struct Worker<'w, 'a> {
    explorer: Explorer<'w, 'a>,
    session: Box<dyn Session + Send + 'w>,
    places: &'w Mutex<Vec<Place>>,
    /// What it found for the next level: full blocks, and the rest.
    blocks: Vec<States>,
    new: States,
    state: Vec<u8>,
    busy: f64,
    time: WorkerTime,
}

impl<'w, 'a> Worker<'w, 'a> {
    fn new(explorer: Explorer<'w, 'a>, session: Box<dyn Session + Send + 'w>, places: &'w Mutex<Vec<Place>>) -> Self {
        Worker {
            explorer,
            session,
            places,
            blocks: Vec::new(),
            new: States::default(),
            state: Vec::new(),
            busy: 0.0,
            time: WorkerTime::default(),
        }
    }

    /// Stores the initial state.
    fn start(&mut self, violations: &mut Vec<Found>) -> Result<States, Ended> {
        let initial = self.explorer.initial(violations)?;
        self.session.offer(&initial);
        let mut states = States::default();
        self.explorer.settle(&mut *self.session, 0, &mut states)?;
        let memory = states.memory();
        self.explorer.common.budget.take(memory).map_err(|full| self.explorer.common.full(full))?;
        Ok(states)
    }

    fn run_timed(&mut self, level: &Level) {
        let since = Instant::now();
        self.run(level);
        self.busy = since.elapsed().as_secs_f64();
        self.time.busy += self.busy;
    }

    /// Takes blocks of a level until none is left.
    fn run(&mut self, level: &Level) {
        while !self.explorer.common.must_stop() {
            let Some(block) = level.blocks.get(level.next.fetch_add(1, Ordering::Relaxed)) else { return };
            if let Err(ended) = self.run_block(block, level.depth) {
                self.explorer.common.end(ended);
            }
        }
    }

    fn run_block(&mut self, block: &States, depth: u64) -> Result<(), Ended> {
        let mut state = std::mem::take(&mut self.state);
        for index in 0..block.len() {
            self.session.open(block, index, &mut state);
            self.expand(&state, depth)?;
        }
        self.state = state;
        self.explorer.settle(&mut *self.session, depth + 1, &mut self.new)?;
        while self.new.len() >= BLOCK {
            let block = self.new.split_off(self.new.len() - BLOCK);
            self.push(block)?;
        }
        self.explorer.charge(self.explorer.buffer.memory() + self.blocks.capacity() * size_of::<States>())?;
        self.explorer.tick(block.len() as u64)
    }

    /// A violation ends the search at once if there is none nearer; a fault on a transition out of this level is one step longer
    /// than an invalid end state in it, and such a one may be yet to come.
    fn expand(&mut self, state: &[u8], depth: u64) -> Result<(), Ended> {
        let common = self.explorer.common;
        for sighting in self.explorer.expand(state, depth)? {
            let is_nearest = sighting.successor.is_none() || !common.wants_end_states();
            lock(self.places).push(Place {
                state: state.to_vec(),
                successor: sighting.successor,
                fault: sighting.fault,
            });
            if common.stops_at_first() && is_nearest {
                return Err(Ended::FirstViolation);
            }
        }
        for successor in self.explorer.buffer.iter().filter_map(|successor| successor.state) {
            self.session.offer(successor);
        }
        Ok(())
    }

    /// Adds a block to the next level.
    fn push(&mut self, block: States) -> Result<(), Ended> {
        let common = self.explorer.common;
        common.budget.take(block.memory()).map_err(|full| common.full(full))?;
        self.blocks.push(block);
        Ok(())
    }

    /// Makes a block of what does not fill one: the level is at its end.
    fn close(&mut self) -> Result<(), Ended> {
        if self.new.is_empty() {
            return Ok(());
        }
        let rest = self.new.split_off(0);
        self.push(rest)
    }
}

/// The second search needs the memory of blocks that will never be opened.
impl Drop for Worker<'_, '_> {
    fn drop(&mut self) {
        for block in &self.blocks {
            self.explorer.common.budget.give(block.memory());
        }
    }
}
