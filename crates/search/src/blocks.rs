//! Blocks of open states: the fastest order, on every core.
//!
//! A worker opens [`BLOCK`] states at a time, offers all their successors to the store and settles them at once, so that the store
//! can hash first, fetch from memory meanwhile and look later. The new states are its next blocks. Who has none takes the oldest of
//! somebody else's.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ample_transition::{States, Store};
use crossbeam_deque::{Steal, Stealer, Worker as Deque};

use crate::block::{Block, Room};
use crate::explorer::{Common, lock};
use crate::opener::{BLOCK, Opener};
use crate::outcome::{Ended, Found, StoreFacts, WorkerTime};
use crate::retrace::{Place, Ways};
use crate::{Search, SearchOutcome};

/// When so many blocks wait, other workers are started.
const ENOUGH_FOR_ALL: usize = 8;
/// How often a worker without work looks for some before it sleeps for a while.
const LOOKS: u32 = 64;
const NAP: Duration = Duration::from_micros(50);

/// Explores in no particular order, on several threads.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it ended early. The number of
/// states and transitions of a complete search does not depend on the number of threads.
pub fn blocks(mut search: Search<'_>) -> SearchOutcome {
    let common = Common::new(&mut search);
    let places = Mutex::new(Vec::new());
    let mut violations = Vec::new();
    let workers = run_all(&*search.store, search.threads.max(1), &common, &places, &mut violations);
    let facts = StoreFacts::of(&*search.store);
    let mut places = std::mem::take(&mut *lock(&places));
    if common.stops_at_first() {
        // Several workers may have found one at the same time.
        places.truncate(1);
    }
    let ways = Ways::to(places).through_blocks(&common, &*search.store).through_store(&common, &*search.store);
    // There may be more memory without it.
    drop(search.store);
    let (found, untraced) = ways.shown(&common);
    violations.extend(found);
    common.finish(violations, untraced, workers).with(facts)
}

fn run_all(
    store: &dyn Store,
    threads: usize,
    common: &Common<'_>,
    places: &Mutex<Vec<Place>>,
    violations: &mut Vec<Found>,
) -> Vec<WorkerTime> {
    let deques: Vec<Deque<Block>> = (0..threads).map(|_| Deque::new_lifo()).collect();
    let pool = Pool {
        stealers: deques.iter().map(Deque::stealer).collect(),
        room: Room::new(common.budget),
        idle: AtomicUsize::new(threads - 1),
        is_started: AtomicBool::new(false),
    };
    let mut deques = deques.into_iter();
    let Some(deque) = deques.next() else { return Vec::new() };
    let mut first = Worker::new(Opener::new(common, store, places), deque, &pool);
    match first.opener.start(violations) {
        Ok(states) => first.new = states,
        Err(ended) => {
            common.end(ended);
            return Vec::new();
        }
    }
    // Most models are small: the others are started when there is something to do for them. Until then they are idle.
    first.work(|worker| threads > 1 && worker.deque.len() >= ENOUGH_FOR_ALL);
    if threads == 1 || common.must_stop() || first.deque.is_empty() {
        return Vec::new();
    }
    pool.idle.store(0, Ordering::SeqCst);
    pool.is_started.store(true, Ordering::SeqCst);
    let rest: Vec<Deque<Block>> = deques.collect();
    thread::scope(|scope| {
        let spawn = |deque| {
            let pool = &pool;
            scope.spawn(move || {
                let mut worker = Worker::new(Opener::new(common, store, places), deque, pool);
                worker.work(|_| false);
                worker.time()
            })
        };
        let others: Vec<_> = rest.into_iter().map(spawn).collect();
        first.work(|_| false);
        let mut times = vec![first.time()];
        times.extend(others.into_iter().map(|other| other.join().unwrap_or_default()));
        times
    })
}

/// What the workers have in common: where to look for work.
struct Pool {
    stealers: Vec<Stealer<Block>>,
    /// Where the memory of blocks is counted.
    room: Arc<Room>,
    /// How many workers have nothing to do. A worker is idle only while its own deque is empty; when all are, all is done.
    idle: AtomicUsize,
    /// Whether all workers were started; those that were not are idle, too.
    is_started: AtomicBool,
}

impl Pool {
    /// Whether a worker that was started waits for work.
    fn is_hungry(&self) -> bool {
        self.is_started.load(Ordering::Relaxed) && self.idle.load(Ordering::Relaxed) > 0
    }

    fn steal(&self) -> Option<Block> {
        self.stealers.iter().find_map(|stealer| {
            loop {
                match stealer.steal() {
                    Steal::Success(block) => return Some(block),
                    Steal::Empty => return None,
                    Steal::Retry => {}
                }
            }
        })
    }
}

/// One thread's part.
struct Worker<'w, 'a> {
    opener: Opener<'w, 'a>,
    deque: Deque<Block>,
    pool: &'w Pool,
    /// New states that do not fill a block yet, their depth, and the blocks before them.
    new: States,
    depth: u64,
    before: Vec<Arc<Block>>,
    started: Instant,
    idle: Duration,
}

impl<'w, 'a> Worker<'w, 'a> {
    fn new(opener: Opener<'w, 'a>, deque: Deque<Block>, pool: &'w Pool) -> Self {
        let (started, idle) = (Instant::now(), Duration::ZERO);
        Worker { opener, deque, pool, new: States::default(), depth: 0, before: Vec::new(), started, idle }
    }

    fn time(&self) -> WorkerTime {
        let idle = self.idle.as_secs_f64();
        WorkerTime { busy: self.started.elapsed().as_secs_f64() - idle, idle }
    }

    /// Works until nobody has anything to do, somebody ended the search, or `pause` says so.
    fn work(&mut self, pause: impl Fn(&Self) -> bool) {
        while !self.opener.common().must_stop() && !pause(self) {
            let done = match self.next() {
                Ok(Some(block)) => self.run(block),
                Ok(None) => return,
                Err(ended) => Err(ended),
            };
            if let Err(ended) = done {
                self.opener.common().end(ended);
            }
        }
    }

    fn next(&mut self) -> Result<Option<Block>, Ended> {
        if self.new.is_empty() {
            return Ok(self.deque.pop().or_else(|| self.wait()));
        }
        let states = std::mem::take(&mut self.new);
        self.block(states).map(Some)
    }

    /// A block of states that were found last.
    fn block(&self, states: States) -> Result<Block, Ended> {
        let block = Block::new(states, self.depth, self.before.clone(), &self.pool.room);
        block.map_err(|full| self.opener.common().full(full))
    }

    /// Looks for work elsewhere, until there is some or nobody has any.
    fn wait(&mut self) -> Option<Block> {
        let since = Instant::now();
        let block = self.look_around();
        self.idle += since.elapsed();
        block
    }

    fn look_around(&self) -> Option<Block> {
        let Pool { stealers, idle, .. } = self.pool;
        idle.fetch_add(1, Ordering::SeqCst);
        let mut looks = 0;
        loop {
            if stealers.iter().any(|stealer| !stealer.is_empty()) {
                // Not idle while it takes something, so that nobody believes that all is done.
                idle.fetch_sub(1, Ordering::SeqCst);
                if let Some(block) = self.pool.steal() {
                    return Some(block);
                }
                idle.fetch_add(1, Ordering::SeqCst);
            }
            if idle.load(Ordering::SeqCst) >= stealers.len() || self.opener.common().must_stop() {
                return None;
            }
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { thread::sleep(NAP) }
        }
    }

    /// Expands a block.
    fn run(&mut self, mut block: Block) -> Result<(), Ended> {
        let count = block.states.len() as u64;
        self.opener.before = std::mem::take(&mut block.before);
        self.opener.expand(&block.states, block.depth, &mut self.new, |_| true)?;
        block.before = std::mem::take(&mut self.opener.before);
        self.depth = block.depth + 1;
        let is_kept = !self.new.is_empty() && block.is_worth_keeping();
        self.before = if is_kept { vec![Arc::new(block)] } else { Vec::new() };
        self.share()?;
        let explorer = &mut self.opener.explorer;
        explorer.charge(explorer.buffer.memory())?;
        explorer.tick(count)
    }

    /// Makes blocks of what is new, all but the last; smaller ones if somebody waits for work.
    fn share(&mut self) -> Result<(), Ended> {
        let size = if self.pool.is_hungry() { (self.new.len() / 2).clamp(1, BLOCK) } else { BLOCK };
        while self.new.len() > size {
            let states = self.new.split_off(self.new.len() - size);
            self.deque.push(self.block(states)?);
        }
        Ok(())
    }
}
