//! Blocks of open states: the fastest order, on every core.
//!
//! A worker opens [`BLOCK`] states at a time, offers all their successors to the store and settles
//! them at once, so that the store can hash first, fetch from memory meanwhile and look later. The
//! new states are its next blocks. Who has none takes the shallowest of somebody else's.
//!
//! To go on with the newest states keeps the list of open ones short, and what is near in memory is
//! still in the caches; it finds errors that lie deep. But it may go down for ever and pass by an
//! error that is near. So the first states are visited breadth first, and after that one in
//! [`SHARE`]. A search with a reduction always goes on with the newest states: most cycle
//! conditions then accept more candidates.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_stdx::lock;
use ample_transition::{States, Store};
use crossbeam_utils::CachePadded;

use crate::block::{Block, BlockMemory};
use crate::block_expander::{BLOCK, BlockExpander};
use crate::control::Control;
use crate::open_blocks::OpenBlocks;
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::retrace::{FaultSite, Retrace};
use crate::{Search, SearchOutcome};

/// Blocks of open states.
pub static BLOCKS: Part = Part {
    name: "blocks",
    kind: PartKind::Order,
    summary: "many open states at a time, on every core; the fastest, in no particular order",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// When so many blocks wait, other workers are started.
const ENOUGH_FOR_ALL: usize = 8;
/// How often a worker without a block looks for one before it sleeps for a while.
const LOOKS: u32 = 64;
const NAP: Duration = Duration::from_micros(50);
/// So many states are visited breadth first.
const BREADTH_FIRST: u64 = 100_000;
/// After that, one state in so many is.
const SHARE: u64 = 8;
/// And so many of them one after the other: to go to and fro between parts of the space that are
/// far apart empties the caches each time.
const TURN: u64 = 32768;

/// Explores in no particular order, on several threads.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it
/// ended early. The number of states and transitions of a complete search does not depend on the
/// number of threads.
pub fn blocks(mut search: Search<'_>) -> SearchOutcome {
    debug_assert!(search.limits.max_depth.is_none(), "the plan limits the depth of orders that know it alone");
    let control = Control::new(&mut search);
    let sites = Mutex::new(Vec::new());
    let mut violations = Vec::new();
    let workers = run_all(&*search.store, search.threads.max(1), &control, &sites, &mut violations);
    let facts = StoreFacts::of(&*search.store);
    let mut sites = std::mem::take(&mut *lock(&sites));
    if control.stops_at_first() {
        // Several workers may have found one at the same time.
        sites.truncate(1);
    }
    let retrace = Retrace::of(sites).through_blocks(&control, &*search.store).through_store(&control, &*search.store);
    // There may be more memory without it.
    drop(search.store);
    let (found, untraced) = retrace.finish(&control);
    violations.extend(found);
    control.finish(violations, untraced, workers).with(facts)
}

fn run_all(
    store: &dyn Store,
    threads: usize,
    control: &Control<'_>,
    sites: &Mutex<Vec<FaultSite>>,
    violations: &mut Vec<Found>,
) -> Vec<WorkerTime> {
    let pool = Pool {
        open: (0..threads).map(|_| CachePadded::default()).collect(),
        memory: BlockMemory::new(control.budget),
        idle: AtomicUsize::new(threads - 1),
        is_started: AtomicBool::new(false),
    };
    let mut first = Worker::new(BlockExpander::new(control, store, sites), 0, &pool);
    match first.block_expander.start(violations) {
        Ok(states) => first.new = states,
        Err(ended) => {
            control.end(ended);
            return Vec::new();
        }
    }
    // Most models are small: the others are started when there is something to do for them. Until
    // then they are idle.
    first.work(|worker| threads > 1 && worker.open().len() >= ENOUGH_FOR_ALL);
    if threads == 1 || control.must_stop() || first.open().is_empty() {
        return Vec::new();
    }
    pool.idle.store(0, Ordering::SeqCst);
    pool.is_started.store(true, Ordering::SeqCst);
    thread::scope(|scope| {
        let spawn = |number| {
            let pool = &pool;
            scope.spawn(move || {
                let mut worker = Worker::new(BlockExpander::new(control, store, sites), number, pool);
                worker.work(|_| false);
                worker.time()
            })
        };
        let others: Vec<_> = (1..threads).map(spawn).collect();
        first.work(|_| false);
        let mut times = vec![first.time()];
        times.extend(others.into_iter().map(|other| other.join().unwrap_or_default()));
        times
    })
}

/// What the workers share: the blocks that wait.
struct Pool {
    /// The blocks that wait, those of each worker apart.
    open: Vec<CachePadded<Mutex<OpenBlocks>>>,
    /// Where the memory of blocks is counted.
    memory: Arc<BlockMemory>,
    /// How many workers have nothing to do. A worker is idle only while no block of its own waits;
    /// when all are, all is done.
    idle: AtomicUsize,
    /// Whether all workers were started; those that were not are idle, too.
    is_started: AtomicBool,
}

impl Pool {
    /// Whether a worker that was started waits for work.
    fn is_hungry(&self) -> bool {
        self.is_started.load(Ordering::Relaxed) && self.idle.load(Ordering::Relaxed) > 0
    }

    /// The shallowest block of all that wait, whoever they wait for. None if somebody else was
    /// quicker.
    fn shallowest(&self) -> Option<Block> {
        let depths = self.open.iter().filter_map(|open| Some((lock(open).least_depth()?, open)));
        let (_, open) = depths.min_by_key(|(depth, _)| *depth)?;
        lock(open).shallowest()
    }

    fn is_empty(&self) -> bool {
        self.open.iter().all(|open| lock(open).is_empty())
    }
}

/// One thread's part.
struct Worker<'w, 'a> {
    block_expander: BlockExpander<'w, 'a>,
    number: usize,
    pool: &'w Pool,
    memory: Arc<BlockMemory>,
    /// New states that do not fill a block yet, their depth, and the blocks before them.
    new: States,
    depth: u64,
    before: Vec<Arc<Block>>,
    /// How many states it has opened, and how many of them breadth first.
    opened: u64,
    shallow: u64,
    /// How many states are to be opened breadth first, now that it is their turn.
    turn: u64,
    /// Whether there are so few states that all are.
    is_at_start: bool,
    started: Instant,
    idle: Duration,
}

impl<'w, 'a> Worker<'w, 'a> {
    fn new(block_expander: BlockExpander<'w, 'a>, number: usize, pool: &'w Pool) -> Self {
        let (started, idle) = (Instant::now(), Duration::ZERO);
        let (new, before) = (States::default(), Vec::new());
        let (opened, shallow, turn, is_at_start) = (0, 0, 0, true);
        let depth = 0;
        Worker {
            block_expander,
            number,
            pool,
            memory: pool.memory.for_worker(),
            new,
            depth,
            before,
            opened,
            shallow,
            turn,
            is_at_start,
            started,
            idle,
        }
    }

    /// The blocks that wait for this worker.
    fn open(&self) -> MutexGuard<'w, OpenBlocks> {
        lock(&self.pool.open[self.number])
    }

    fn time(&self) -> WorkerTime {
        let idle = self.idle.as_secs_f64();
        WorkerTime { busy: self.started.elapsed().as_secs_f64() - idle, idle }
    }

    /// Works until nobody has anything to do, somebody ended the search, or `pause` says so.
    fn work(&mut self, pause: impl Fn(&Self) -> bool) {
        while !self.block_expander.control().must_stop() && !pause(self) {
            let done = match self.next() {
                Ok(Some(block)) => self.run(block),
                Ok(None) => return,
                Err(ended) => Err(ended),
            };
            if let Err(ended) = done {
                self.block_expander.control().end(ended);
            }
        }
    }

    fn next(&mut self) -> Result<Option<Block>, Ended> {
        let is_breadth_first = self.is_breadth_first();
        if !self.new.is_empty() {
            // The list stays, with its room.
            let states = self.new.split_off(0);
            let block = self.block(states)?;
            if !is_breadth_first {
                return Ok(Some(block));
            }
            self.open().push(block, BLOCK);
        }
        let shallowest = if is_breadth_first { self.pool.shallowest() } else { None };
        Ok(shallowest.or_else(|| self.open().deepest()).or_else(|| self.wait()))
    }

    /// Whether the next block is the shallowest of all, and not the newest.
    fn is_breadth_first(&mut self) -> bool {
        let control = self.block_expander.control();
        if control.reduction.is_some() {
            return false;
        }
        if self.turn == 0 && self.shallow * SHARE < self.opened {
            self.turn = TURN;
        }
        if self.is_at_start {
            self.is_at_start = control.stored() < BREADTH_FIRST;
        }
        self.turn > 0 || self.is_at_start
    }

    /// Counts states that are opened.
    fn count(&mut self, states: u64) {
        self.opened += states;
        if self.turn > 0 {
            self.shallow += states.min(self.turn);
            self.turn = self.turn.saturating_sub(states);
        }
    }

    /// A block of states that were found last.
    fn block(&self, states: States) -> Result<Block, Ended> {
        let block = Block::new(states, self.depth, self.before.clone(), &self.memory);
        block.map_err(|full| self.block_expander.control().full(full))
    }

    /// Looks for work elsewhere, until there is some or nobody has any.
    fn wait(&mut self) -> Option<Block> {
        let since = Instant::now();
        let block = self.look_around();
        self.idle += since.elapsed();
        block
    }

    fn look_around(&self) -> Option<Block> {
        let Pool { open, idle, .. } = self.pool;
        idle.fetch_add(1, Ordering::SeqCst);
        let mut looks = 0;
        loop {
            if !self.pool.is_empty() {
                // Not idle while it takes something, so that nobody believes that all is done.
                idle.fetch_sub(1, Ordering::SeqCst);
                if let Some(block) = self.pool.shallowest() {
                    return Some(block);
                }
                idle.fetch_add(1, Ordering::SeqCst);
            }
            let control = self.block_expander.control();
            if idle.load(Ordering::SeqCst) >= open.len() || control.must_stop() || control.pass_border().is_err() {
                return None;
            }
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { thread::sleep(NAP) }
        }
    }

    /// Expands a block.
    fn run(&mut self, mut block: Block) -> Result<(), Ended> {
        let states = block.states.len() as u64;
        self.count(states);
        self.block_expander.before = std::mem::take(&mut block.before);
        self.block_expander.expand(&block.states, block.depth, &mut self.new, |_| true)?;
        block.before = std::mem::take(&mut self.block_expander.before);
        self.depth = block.depth + 1;
        let is_kept = !self.new.is_empty() && block.is_worth_keeping();
        self.before = if is_kept { vec![Arc::new(block)] } else { Vec::new() };
        self.share()?;
        let explorer = &mut self.block_expander.explorer;
        explorer.charge(explorer.buffer.memory())?;
        explorer.tick(states)
    }

    /// Makes blocks of what is new, all but the last; smaller ones if somebody waits for work.
    fn share(&mut self) -> Result<(), Ended> {
        let size = if self.pool.is_hungry() { (self.new.len() / 2).clamp(1, BLOCK) } else { BLOCK };
        while self.new.len() > size {
            let states = self.new.split_off(self.new.len() - size);
            let block = self.block(states)?;
            self.open().push(block, size);
        }
        Ok(())
    }
}
