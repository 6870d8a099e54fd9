//! Breadth-first search: level by level, each level in blocks, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_stdx::lock;
use ample_transition::States;

use crate::block::{Block, BlockMemory};
use crate::block_expander::{BLOCK, BlockExpander};
use crate::control::Control;
use crate::explorer::Sighting;
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::retrace::{FaultSite, Retrace};
use crate::{Search, SearchOutcome};

/// Breadth-first order.
pub static BFS: Part = Part {
    name: "bfs",
    kind: PartKind::Order,
    summary: "breadth first: counterexamples are shortest",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// A level with fewer blocks for each worker is left to the first worker: to start the others would
/// take longer.
const BLOCKS_PER_WORKER: usize = 8;

/// Explores level by level, on several threads.
///
/// Parents are not stored: the path to a violation is found back through the blocks of each level,
/// and if there is time, a second search finds a trace that does not depend on which worker was
/// where. Needs of the system: finitely many successors per state. Gives: every reachable state,
/// unless it ended early; and traces with the least possible number of transitions, whatever the
/// number of threads.
pub fn bfs(mut search: Search<'_>) -> SearchOutcome {
    let control = Control::new(&mut search);
    let sites = Mutex::new(Vec::new());
    let mut violations = Vec::new();
    let workers = {
        let memory = BlockMemory::new(control.budget);
        let new = |_| LevelWorker::new(BlockExpander::new(&control, &*search.store, &sites), memory.for_worker());
        let mut workers: Vec<LevelWorker<'_, '_>> = (0..search.threads.max(1)).map(new).collect();
        if let Err(ended) = run(&mut workers, &sites, &mut violations) {
            control.end(ended);
        }
        times(&workers)
    };
    let facts = StoreFacts::of(&*search.store);
    let sites = std::mem::take(&mut *lock(&sites));
    let retrace = Retrace::of(chosen(&control, sites)).through_blocks(&control, &*search.store);
    drop(search.store);
    let (found, untraced) = retrace.finish(&control);
    violations.extend(found);
    control.finish(violations, untraced, workers).with(facts)
}

/// The violations to show: all, or if one is enough, the one nearest to the initial state.
fn chosen(control: &Control<'_>, mut sites: Vec<FaultSite>) -> Vec<FaultSite> {
    if control.stops_at_first() {
        // All are on one level; a transition out of it is one step longer than a state in it. The
        // rest is for a definite choice.
        sites.sort_by(|a, b| (a.successor.is_some(), &a.state).cmp(&(b.successor.is_some(), &b.state)));
        sites.truncate(1);
    }
    sites
}

fn run(
    workers: &mut [LevelWorker<'_, '_>],
    sites: &Mutex<Vec<FaultSite>>,
    violations: &mut Vec<Found>,
) -> Result<(), Ended> {
    let Some(first) = workers.first_mut() else { return Ok(()) };
    let control = first.block_expander.control();
    let initial = first.block_expander.start(violations)?;
    let initial = first.block(initial, 0)?;
    let mut level = Level { blocks: vec![initial], next: AtomicUsize::new(0), depth: 0 };
    while !level.blocks.is_empty() {
        run_level(workers, &level);
        if control.stops_at_first() && !lock(sites).is_empty() {
            // Also if a limit was reached before the end of the level.
            return Err(Ended::FirstViolation);
        }
        if control.must_stop() {
            return Ok(());
        }
        workers.iter_mut().try_for_each(|worker| worker.close(level.depth + 1))?;
        let blocks = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.blocks)).collect();
        level = Level { blocks, next: AtomicUsize::new(0), depth: level.depth + 1 };
    }
    Ok(())
}

fn run_level(workers: &mut [LevelWorker<'_, '_>], level: &Level) {
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

fn times(workers: &[LevelWorker<'_, '_>]) -> Vec<WorkerTime> {
    if workers.len() > 1 { workers.iter().map(|worker| worker.time).collect() } else { Vec::new() }
}

/// The states at one depth.
struct Level {
    blocks: Vec<Arc<Block>>,
    /// The block that is taken next.
    next: AtomicUsize,
    depth: u64,
}

/// One thread's part.
struct LevelWorker<'w, 'a> {
    block_expander: BlockExpander<'w, 'a>,
    memory: Arc<BlockMemory>,
    /// What it found for the next level: full blocks, the states that do not fill one, and the
    /// blocks before these.
    blocks: Vec<Arc<Block>>,
    new: States,
    before: Vec<Arc<Block>>,
    busy: f64,
    time: WorkerTime,
}

impl<'w, 'a> LevelWorker<'w, 'a> {
    fn new(block_expander: BlockExpander<'w, 'a>, memory: Arc<BlockMemory>) -> Self {
        let (blocks, new, before) = (Vec::new(), States::default(), Vec::new());
        LevelWorker { block_expander, memory, blocks, new, before, busy: 0.0, time: WorkerTime::default() }
    }

    fn run_timed(&mut self, level: &Level) {
        let since = Instant::now();
        self.run(level);
        self.busy = since.elapsed().as_secs_f64();
        self.time.busy += self.busy;
    }

    /// Takes blocks of a level until none is left.
    fn run(&mut self, level: &Level) {
        while !self.block_expander.control().must_stop() {
            let Some(block) = level.blocks.get(level.next.fetch_add(1, Ordering::Relaxed)) else { return };
            if let Err(ended) = self.run_block(block, level.depth) {
                self.block_expander.control().end(ended);
            }
        }
    }

    /// Expands a block. A violation ends the search at once if there can be none nearer: the trace
    /// to a fault of a transition is one step longer than the trace to an invalid end state of the
    /// same level, which may be yet to come.
    fn run_block(&mut self, block: &Arc<Block>, depth: u64) -> Result<(), Ended> {
        let wants_end_states = self.block_expander.control().wants_end_states();
        let is_nearest = |sighting: &Sighting| sighting.successor.is_none() || !wants_end_states;
        let before = self.new.len();
        self.block_expander.before.clone_from(&block.before);
        self.block_expander.expand(&block.states, depth, &mut self.new, is_nearest)?;
        if self.new.len() > before && block.is_worth_keeping() {
            self.before.push(block.clone());
        }
        self.share(depth + 1)?;
        let explorer = &mut self.block_expander.explorer;
        explorer.charge(explorer.buffer.memory() + self.blocks.capacity() * size_of::<Arc<Block>>())?;
        explorer.tick(block.states.len() as u64)
    }

    /// Makes full blocks of what is new. What does not fill one was found in the block that was
    /// opened last.
    fn share(&mut self, depth: u64) -> Result<(), Ended> {
        if self.new.len() < BLOCK {
            return Ok(());
        }
        let rest = self.new.split_off(self.new.len() / BLOCK * BLOCK);
        while !self.new.is_empty() {
            let states = self.new.split_off(self.new.len() - BLOCK);
            let block = self.block(states, depth)?;
            self.blocks.push(block);
        }
        let last = self.before.len().saturating_sub(1);
        self.before.drain(..last);
        self.new = rest;
        Ok(())
    }

    /// A block of the next level.
    fn block(&self, states: States, depth: u64) -> Result<Arc<Block>, Ended> {
        let block = Block::new(states, depth, self.before.clone(), &self.memory);
        block.map(Arc::new).map_err(|full| self.block_expander.control().full(full))
    }

    /// Makes a block of what does not fill one: the level is at its end.
    fn close(&mut self, depth: u64) -> Result<(), Ended> {
        if !self.new.is_empty() {
            let states = std::mem::take(&mut self.new);
            let block = self.block(states, depth)?;
            self.blocks.push(block);
        }
        self.before.clear();
        Ok(())
    }
}
