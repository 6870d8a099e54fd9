//! Breadth-first search: level by level, each level in blocks, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use ample_transition::States;

use crate::explorer::{Common, Sighting, lock};
use crate::opener::{BLOCK, Opener};
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::retrace::{Place, retrace_places};
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
        let new = |_| Worker::new(Opener::new(&common, &*search.store, &places));
        let mut workers: Vec<Worker<'_, '_>> = (0..search.threads.max(1)).map(new).collect();
        if let Err(ended) = run(&mut workers, &places, &mut violations) {
            common.end(ended);
        }
        times(&workers)
    };
    let facts = StoreFacts::of(&*search.store);
    drop(search.store);
    let places = std::mem::take(&mut *lock(&places));
    let (found, untraced) = retrace_places(&common, chosen(&common, places));
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
    let common = first.opener.common();
    let initial = first.opener.start(violations)?;
    first.opener.take_memory(initial.memory())?;
    let mut level = Level { blocks: vec![initial], next: AtomicUsize::new(0), depth: 0 };
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
    opener: Opener<'w, 'a>,
    /// What it found for the next level: full blocks, and the rest.
    blocks: Vec<States>,
    new: States,
    busy: f64,
    time: WorkerTime,
}

impl<'w, 'a> Worker<'w, 'a> {
    fn new(opener: Opener<'w, 'a>) -> Self {
        let (blocks, new) = (Vec::new(), States::default());
        Worker { opener, blocks, new, busy: 0.0, time: WorkerTime::default() }
    }

    fn run_timed(&mut self, level: &Level) {
        let since = Instant::now();
        self.run(level);
        self.busy = since.elapsed().as_secs_f64();
        self.time.busy += self.busy;
    }

    /// Takes blocks of a level until none is left.
    fn run(&mut self, level: &Level) {
        while !self.opener.common().must_stop() {
            let Some(block) = level.blocks.get(level.next.fetch_add(1, Ordering::Relaxed)) else { return };
            if let Err(ended) = self.run_block(block, level.depth) {
                self.opener.common().end(ended);
            }
        }
    }

    /// A violation ends the search at once if there is none nearer; a fault on a transition out of this level is one step longer
    /// than an invalid end state in it, and such a one may be yet to come.
    fn run_block(&mut self, block: &States, depth: u64) -> Result<(), Ended> {
        let wants_end_states = self.opener.common().wants_end_states();
        let is_nearest = |sighting: &Sighting| sighting.successor.is_none() || !wants_end_states;
        self.opener.expand(block, depth, &mut self.new, is_nearest)?;
        while self.new.len() >= BLOCK {
            let block = self.new.split_off(self.new.len() - BLOCK);
            self.push(block)?;
        }
        let explorer = &mut self.opener.explorer;
        explorer.charge(explorer.buffer.memory() + self.blocks.capacity() * size_of::<States>())?;
        explorer.tick(block.len() as u64)
    }

    /// Adds a block to the next level.
    fn push(&mut self, block: States) -> Result<(), Ended> {
        self.opener.take_memory(block.memory())?;
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
            self.opener.give_memory(block.memory());
        }
    }
}
