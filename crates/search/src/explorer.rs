//! What all orders share: expanding a state, counting, noticing faults, keeping within the limits.
//!
//! One [`Control`] belongs to a search, one [`Explorer`] to each worker.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ample_source::Span;
use ample_transition::{
    Bounds, Budget, Cut, Fault, FaultKind, Reduction, Session, States, StoreFull, SuccessorBuffer, Successors, Tally,
    Trace, Unsettled,
};

use crate::outcome::{Counts, Ended, Found, SearchOutcome, Untraced, WorkerTime};
use crate::{Limit, Limits, Observer, Progress, Search, Snapshot, StopAt};

/// How many states are expanded between two looks at the clock.
const CLOCK_INTERVAL: u64 = 64;
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Of the time, one part in so many is kept for the way to what was found, and for showing it.
const SHARE_OF_WAYS: u32 = 16;

/// What the workers of a search share.
pub(crate) struct Control<'a> {
    pub system: &'a dyn Successors,
    pub budget: &'a Budget,
    wanted: &'a [FaultKind],
    stop_at: StopAt,
    limits: &'a Limits,
    observer: Option<Observer<'a>>,
    pub reduction: Option<Reduction<'a>>,
    has_assumption_failed: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// What the workers have counted, up to their last block.
    states: AtomicU64,
    /// States expanded, those that were expanded more than once as often.
    expanded: AtomicU64,
    transitions: AtomicU64,
    atomic_steps: AtomicU64,
    merged_states: AtomicU64,
    depth: AtomicU64,
    /// Set when the search is to end, whoever found that out.
    stop: AtomicBool,
    ended: Mutex<Option<Ended>>,
    seen: Mutex<Vec<(FaultKind, Span)>>,
    /// Held while states are added, if their number is limited.
    adding: Mutex<()>,
    reached_max_depth: AtomicBool,
    progress: Mutex<Option<Reporting<'a>>>,
    started: Instant,
}

/// Who is told of the progress, and when that was.
struct Reporting<'a> {
    to: &'a mut dyn Progress,
    last: Instant,
}

/// A wanted fault that was not seen before, at the state that was just expanded.
pub(crate) struct Sighting {
    pub fault: Fault,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
}

impl<'a> Control<'a> {
    /// Starts the clock.
    pub fn new(search: &mut Search<'a>) -> Self {
        let started = Instant::now();
        let progress = search.progress.take().map(|to| Reporting { to, last: started });
        Control {
            system: search.system,
            budget: search.budget,
            wanted: search.wanted,
            stop_at: search.stop_at,
            limits: search.limits,
            observer: search.observer,
            reduction: search.reduction,
            has_assumption_failed: search.has_assumption_failed,
            states: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            atomic_steps: AtomicU64::new(0),
            merged_states: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            ended: Mutex::new(None),
            seen: Mutex::new(Vec::new()),
            adding: Mutex::new(()),
            reached_max_depth: AtomicBool::new(false),
            progress: Mutex::new(progress),
            started,
        }
    }

    /// Whether one violation is enough.
    pub fn stops_at_first(&self) -> bool {
        self.stop_at == StopAt::FirstViolation
    }

    /// Whether states that nothing leaves can be violations.
    pub fn wants_end_states(&self) -> bool {
        self.wanted.contains(&FaultKind::InvalidEndState)
    }

    /// Ends the search for all workers. The first reason counts, but that a violation was found
    /// outweighs any limit.
    pub fn end(&self, reason: Ended) {
        let mut ended = lock(&self.ended);
        if ended.is_none() || reason == Ended::FirstViolation {
            *ended = Some(reason);
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the user asked for an end.
    pub fn is_interrupted(&self) -> bool {
        self.limits.is_interrupted()
    }

    /// How long the search has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Set when the user asks for an end.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.limits.interrupt.clone()
    }

    /// Whether what the search rests on is wrong.
    fn has_assumption_failed(&self) -> bool {
        self.has_assumption_failed.is_some_and(|has_assumption_failed| has_assumption_failed())
    }

    /// How long the search may take before it has found something: a share of the time is kept for
    /// what comes then.
    fn search_time(&self) -> Option<Duration> {
        self.limits.max_time.map(|time| time - time / SHARE_OF_WAYS)
    }

    /// When the time is over, for the search and for all that follows from it.
    pub fn end_of_time(&self) -> Option<Instant> {
        self.limits.max_time.and_then(|time| self.started.checked_add(time))
    }

    /// Why something that there is was not found: what has run out.
    pub fn shortage(&self) -> Ended {
        let is_late = self.end_of_time().is_some_and(|end| Instant::now() >= end);
        match self.limits.max_time.filter(|_| is_late) {
            _ if self.is_interrupted() => Ended::Interrupted,
            Some(max) => Ended::Limit(Limit::Time(max)),
            None => self.out_of_memory(),
        }
    }

    /// Whether the search is to end.
    pub fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether a fault is wanted and the first of its kind at its place. If so it will not be fresh
    /// again.
    fn is_fresh(&self, fault: &Fault) -> bool {
        if !self.wanted.contains(&fault.kind) {
            return false;
        }
        let key = (fault.kind, fault.span);
        // A list: a model has few places where it can go wrong, and most states have no fault at
        // all.
        let mut seen = lock(&self.seen);
        let fresh = !seen.contains(&key);
        if fresh {
            seen.push(key);
        }
        fresh
    }

    /// How many states may still be stored, and the right to store them.
    fn allowance(&self) -> (u64, Option<MutexGuard<'_, ()>>) {
        match self.limits.max_states {
            None => (u64::MAX, None),
            Some(max) => {
                let guard = lock(&self.adding);
                (max.saturating_sub(self.states.load(Ordering::Relaxed)), Some(guard))
            }
        }
    }

    /// What a cut of the buffer means: the buffer keeps the limits within one expansion.
    fn ended_by(&self, cut: Cut) -> Ended {
        match (cut, self.limits.max_time) {
            (Cut::Time, Some(max)) => Ended::Limit(Limit::Time(max)),
            (Cut::Memory, _) => self.out_of_memory(),
            _ => Ended::Interrupted,
        }
    }

    /// What it means that the store takes no more.
    pub fn full(&self, StoreFull: StoreFull) -> Ended {
        self.out_of_memory()
    }

    fn out_of_memory(&self) -> Ended {
        self.limits.max_memory.map_or(Ended::StoreFull, |max| Ended::Limit(Limit::Memory(max)))
    }

    /// The result, when all workers are done.
    pub fn finish(&self, violations: Vec<Found>, untraced: Vec<Untraced>, workers: Vec<WorkerTime>) -> SearchOutcome {
        let ended = match (*lock(&self.ended), self.limits.max_depth) {
            (Some(Ended::FirstViolation), _) => Ended::FirstViolation,
            _ if self.has_assumption_failed() => Ended::AssumptionFailed,
            (Some(ended), _) => ended,
            (None, Some(max)) if self.reached_max_depth.load(Ordering::Relaxed) => Ended::Limit(Limit::Depth(max)),
            (None, _) => Ended::Complete,
        };
        SearchOutcome {
            counts: self.counts(),
            ended,
            violations,
            untraced,
            seconds: self.started.elapsed().as_secs_f64(),
            memory: self.budget.peak() as u64,
            store_memory: 0,
            omission_probability: None,
            workers,
        }
    }

    fn add(&self, counted: Tally) {
        self.transitions.fetch_add(counted.transitions, Ordering::Relaxed);
        self.atomic_steps.fetch_add(counted.atomic_steps, Ordering::Relaxed);
        self.merged_states.fetch_add(counted.merged_states, Ordering::Relaxed);
    }

    /// How many states were stored.
    pub fn stored(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    fn counts(&self) -> Counts {
        Counts {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            atomic_steps: self.atomic_steps.load(Ordering::Relaxed),
            merged_states: self.merged_states.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
        }
    }

    /// Tells how far the search is, unless that was told a moment ago or somebody does so now.
    fn report(&self, now: Instant) {
        if let Ok(mut progress) = self.progress.try_lock()
            && let Some(reporting) = &mut *progress
            && now - reporting.last >= PROGRESS_INTERVAL
        {
            reporting.last = now;
            reporting.to.report(&self.snapshot());
        }
    }

    fn snapshot(&self) -> Snapshot {
        let Counts { states, transitions, depth, .. } = self.counts();
        let seconds = self.started.elapsed().as_secs_f64();
        let memory = self.budget.used() as u64;
        let max_memory = self.budget.limit().map(|limit| limit as u64);
        let open = states.saturating_sub(self.expanded.load(Ordering::Relaxed));
        Snapshot { states, open, transitions, depth, seconds, memory, max_memory, rate: states as f64 / seconds }
    }
}

/// A worker's part of a search, apart from its stack or queue.
pub(crate) struct Explorer<'s, 'a> {
    pub control: &'s Control<'a>,
    /// The successors of the state expanded last.
    pub buffer: SuccessorBuffer,
    /// Counted since the last look at the limits.
    counted: Tally,
    expansions: u64,
    /// The depth of the deepest state that this worker has counted.
    deepest: u64,
    /// The bytes that stacks and queues of this worker have taken from the budget.
    charged: usize,
    /// How many states were expanded since the last look at the limits, for those that come one by
    /// one.
    since_look: u64,
}

impl<'s, 'a> Explorer<'s, 'a> {
    /// A worker.
    pub fn new(control: &'s Control<'a>) -> Self {
        let bounds = Bounds {
            stop: Some(control.interrupt()),
            deadline: control.search_time().and_then(|time| control.started.checked_add(time)),
            max_bytes: Some(control.budget.left()),
        };
        Explorer {
            control,
            buffer: SuccessorBuffer::within(bounds),
            counted: Tally::default(),
            expansions: 0,
            deepest: 0,
            charged: 0,
            since_look: 0,
        }
    }

    /// The initial state. If there is none, that is a violation whatever is wanted: no other answer
    /// would mean anything.
    pub fn initial(&mut self, violations: &mut Vec<Found>) -> Result<Vec<u8>, Ended> {
        self.control.system.initial().map_err(|fault| {
            violations.push(Found::new(*fault, Trace::default()));
            Ended::FirstViolation
        })
    }

    /// Counts a state that is about to be stored, unless that is one too many.
    pub fn count_state(&mut self, depth: u64) -> Result<(), Ended> {
        let states = self.control.states.load(Ordering::Relaxed);
        match self.control.limits.max_states {
            Some(max) if states >= max => Err(Ended::Limit(Limit::States(max))),
            _ => {
                self.count_states(1, depth);
                Ok(())
            }
        }
    }

    fn count_states(&mut self, states: u64, depth: u64) {
        if states > 0 {
            self.control.states.fetch_add(states, Ordering::Relaxed);
        }
        if states > 0 && depth > self.deepest {
            self.deepest = depth;
            self.control.depth.fetch_max(depth, Ordering::Relaxed);
        }
    }

    /// Expands a stored state at this depth into the buffer and looks for faults. At the greatest
    /// depth allowed, the successors are not taken: the buffer is empty again.
    pub fn expand(&mut self, state: &[u8], depth: u64) -> Result<Vec<Sighting>, Ended> {
        let sightings = self.expand_uncounted(state, depth)?;
        self.count_transitions(self.buffer.tally());
        Ok(sightings)
    }

    /// Counts what leaves a state.
    pub fn count_transitions(&mut self, tally: Tally) {
        self.counted.transitions += tally.transitions;
        self.counted.atomic_steps += tally.atomic_steps;
        self.counted.merged_states += tally.merged_states;
    }

    /// Expands a state that somebody else may expand as well.
    #[inline]
    pub fn expand_uncounted(&mut self, state: &[u8], depth: u64) -> Result<Vec<Sighting>, Ended> {
        let control = self.control;
        self.buffer.clear();
        control.system.expand_all(state, &mut self.buffer);
        if let Some(cut) = self.buffer.cut() {
            return Err(control.ended_by(cut));
        }
        if control.limits.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let mut sightings = Vec::new();
        if self.buffer.is_empty() {
            if control.wants_end_states() {
                let fault = control.system.invalid_end(state);
                sightings.extend(fault.filter(|fault| control.is_fresh(fault)).map(|fault| sighting(*fault, None)));
            }
            return Ok(sightings);
        }
        if control.limits.max_depth.is_some_and(|max| depth >= max) {
            control.reached_max_depth.store(true, Ordering::Relaxed);
            // What is wrong with the state itself, and not with a move, is seen all the same.
            let of_state = self.buffer.iter().enumerate().filter(|(_, successor)| successor.moves.is_empty());
            for (number, successor) in of_state {
                let fresh = successor.faults.iter().filter(|fault| control.is_fresh(fault));
                sightings.extend(fresh.map(|fault| sighting(fault.clone(), Some(number))));
            }
            self.buffer.clear();
            return Ok(sightings);
        }
        if self.buffer.has_faults() {
            for (number, successor) in self.buffer.iter().enumerate() {
                let fresh = successor.faults.iter().filter(|fault| control.is_fresh(fault));
                sightings.extend(fresh.map(|fault| sighting(fault.clone(), Some(number))));
            }
        }
        if let Some(observer) = control.observer {
            self.buffer.iter().chain(self.buffer.passed()).for_each(|successor| observer(state, &successor));
        }
        Ok(sightings)
    }

    /// Expands once more a state that was looked at before.
    pub fn expand_again(&mut self, state: &[u8]) -> Result<(), Ended> {
        self.buffer.clear();
        self.control.system.expand_all(state, &mut self.buffer);
        self.buffer.cut().map_or(Ok(()), |cut| Err(self.control.ended_by(cut)))
    }

    /// Settles what was offered: new states are appended to `new` and counted, with this depth.
    pub fn settle(&mut self, session: &mut dyn Session, depth: u64, new: &mut States) -> Result<(), Ended> {
        let before = new.len();
        let (most, guard) = self.control.allowance();
        let result = session.settle(most, new);
        self.count_states((new.len() - before) as u64, depth);
        drop(guard);
        result.map_err(|unsettled| match (unsettled, self.control.limits.max_states) {
            (Unsettled::Limit, Some(max)) => Ended::Limit(Limit::States(max)),
            _ => self.control.out_of_memory(),
        })
    }

    /// The bytes that the worker's stack or queue and its buffers hold: taken from the budget, or
    /// given back to it.
    pub fn charge(&mut self, memory: usize) -> Result<(), Ended> {
        let budget = self.control.budget;
        if memory > self.charged {
            budget.take(memory - self.charged).map_err(|_| self.control.out_of_memory())?;
        } else {
            budget.give(self.charged - memory);
        }
        self.charged = memory;
        Ok(())
    }

    /// To be called for each state expanded by those that expand one at a time: keeps the limits
    /// once in a while. `memory` gives the bytes to be charged.
    #[inline]
    pub fn step(&mut self, memory: impl FnOnce(&Self) -> usize) -> Result<(), Ended> {
        self.since_look += 1;
        if self.since_look < CLOCK_INTERVAL {
            return Ok(());
        }
        self.charge(memory(self))?;
        let expanded = std::mem::take(&mut self.since_look);
        self.tick(expanded)
    }

    /// To be called for each block of states expanded, with how many there were: keeps the limits
    /// and reports progress.
    pub fn tick(&mut self, expanded: u64) -> Result<(), Ended> {
        let control = self.control;
        control.add(std::mem::take(&mut self.counted));
        if control.has_assumption_failed() {
            return Err(Ended::AssumptionFailed);
        }
        match (control.search_time().zip(control.limits.max_time), self.still_working(expanded)) {
            (Some((own, max)), Some(elapsed)) if elapsed >= own => Err(Ended::Limit(Limit::Time(max))),
            _ => Ok(()),
        }
    }

    /// Reports progress without a limit, for what must be finished. Gives the time if it looked at
    /// the clock.
    pub fn still_working(&mut self, expanded: u64) -> Option<Duration> {
        self.control.expanded.fetch_add(expanded, Ordering::Relaxed);
        let before = self.expansions / CLOCK_INTERVAL;
        self.expansions += expanded;
        if self.expansions / CLOCK_INTERVAL == before {
            return None;
        }
        let now = Instant::now();
        self.control.report(now);
        Some(now - self.control.started)
    }
}

impl Drop for Explorer<'_, '_> {
    fn drop(&mut self) {
        self.control.add(self.counted);
        self.control.budget.give(self.charged);
    }
}

fn sighting(fault: Fault, successor: Option<usize>) -> Sighting {
    Sighting { fault, successor }
}

/// What a mutex guards is whole after every statement here, so that a panic elsewhere leaves
/// nothing half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
