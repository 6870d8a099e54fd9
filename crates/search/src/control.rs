//! What the workers of a search share: what is asked, what is counted, when to end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ample_source::Span;
use ample_stdx::lock;
use ample_transition::{
    Bounds, Budget, Cut, Fault, FaultKind, ProcessMoves, ProcessViews, Reduction, StoreFull, Successors, Tally,
};
use crossbeam_utils::CachePadded;

use crate::outcome::{Counts, Ended, Found, SearchOutcome, Untraced, WorkerTime};
use crate::slices::{Border, Sample};
use crate::{Limit, Limits, MakeStore, Observer, Progress, Search, Snapshot, StopAt};

/// How often progress is reported.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Where there are so many states, the moves of processes are remembered.
const MANY_STATES: u64 = 2_000;

/// The same where a reduction chooses among the moves: it takes longer to see what it looks at, and
/// saves less, since fewer of them are taken.
const MANY_REDUCED: u64 = 8_000;

/// One part in so many of the time is kept for finding a trace to a violation and for showing it.
const TRACE_SHARE: u32 = 16;

/// What the workers of a search share.
pub(crate) struct Control<'a> {
    pub system: &'a dyn Successors,
    pub budget: &'a Budget,
    /// Makes the store of a second search.
    pub make_exact_store: MakeStore<'a>,
    wanted: &'a [FaultKind],
    pub stop_at: StopAt,
    pub limits: &'a Limits,
    pub observer: Option<Observer<'a>>,
    pub reduction: Option<Reduction<'a>>,
    /// Whether a state may stand for others that it covers.
    pub subsumes: bool,
    has_assumption_failed: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// What the workers have counted, up to their last block. They all write to it: what they only
    /// read lies elsewhere.
    counted: CachePadded<Counted>,
    /// Set when the search is to end, whoever found that out.
    stop: AtomicBool,
    ended: Mutex<Option<Ended>>,
    seen: Mutex<Vec<(FaultKind, Span)>>,
    /// What is told of the moves that were not taken because a value is beyond 64 bits.
    value_limit: Mutex<Option<Box<Fault>>>,
    /// Held while states are added, if their number is limited.
    adding: Mutex<()>,
    reached_max_depth: AtomicBool,
    border: Border<'a>,
    progress: Option<Mutex<Reporting<'a>>>,
    started: Instant,
}

/// What the workers have counted.
#[derive(Default)]
struct Counted {
    states: AtomicU64,
    /// States expanded, those that were expanded more than once as often.
    expanded: AtomicU64,
    transitions: AtomicU64,
    /// Transitions that a reduction left out.
    left_out: AtomicU64,
    atomic_steps: AtomicU64,
    merged_states: AtomicU64,
    interpreted_states: AtomicU64,
    depth: AtomicU64,
}

/// Who is told of the progress, and when that was.
struct Reporting<'a> {
    to: &'a mut dyn Progress,
    last: Instant,
}

impl<'a> Control<'a> {
    /// Starts the clock.
    pub fn new(search: &mut Search<'a>) -> Self {
        let started = Instant::now();
        let progress = search.progress.take().map(|to| Reporting { to, last: started });
        Control {
            system: search.system,
            budget: search.budget,
            make_exact_store: search.make_exact_store,
            wanted: search.wanted,
            stop_at: search.stop_at,
            limits: search.limits,
            observer: search.observer,
            reduction: search.reduction,
            subsumes: search.store.subsumes(),
            has_assumption_failed: search.has_assumption_failed,
            counted: CachePadded::default(),
            stop: AtomicBool::new(false),
            ended: Mutex::new(None),
            seen: Mutex::new(Vec::new()),
            value_limit: Mutex::new(None),
            adding: Mutex::new(()),
            reached_max_depth: AtomicBool::new(false),
            border: Border::of(search.slices),
            progress: progress.map(Mutex::new),
            started,
        }
    }

    /// The moves of processes apart, where nobody looks at the transitions one by one and there are
    /// so many states that it is worth it to remember what each process does.
    #[inline]
    pub fn known_moves(&self) -> Option<&'a dyn ProcessMoves> {
        let is_plain = self.observer.is_none() && self.limits.max_depth.is_none();
        if is_plain && self.stored() >= MANY_STATES { self.system.process_moves() } else { None }
    }

    /// The same with what a reduction sees of each process, if its candidates follow from that and
    /// nobody is told of them.
    #[inline]
    pub fn known_views(&self) -> Option<(&'a dyn ProcessMoves, &'a dyn ProcessViews)> {
        let reduction = self.reduction.filter(|reduction| reduction.log.is_none())?;
        let views = reduction.expander.process_views().filter(|_| self.stored() >= MANY_REDUCED)?;
        self.known_moves().map(|moves| (moves, views))
    }

    /// Whether one violation is enough.
    pub fn stops_at_first(&self) -> bool {
        self.stop_at == StopAt::FirstViolation
    }

    /// Whether states that nothing leaves can be violations.
    pub fn wants_end_states(&self) -> bool {
        self.wanted.contains(&FaultKind::InvalidEndState)
    }

    /// Ends the search for all workers. The first reason is the one that is reported; but a
    /// violation outweighs any limit.
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
        self.elapsed_at(Instant::now())
    }

    /// How long it had taken at some time.
    pub fn elapsed_at(&self, now: Instant) -> Duration {
        now.duration_since(self.started)
    }

    /// Set when the user asks for an end.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.limits.interrupt.clone()
    }

    /// Whether an assumption of the search has turned out to be wrong.
    pub fn has_assumption_failed(&self) -> bool {
        self.has_assumption_failed.is_some_and(|has_assumption_failed| has_assumption_failed())
    }

    /// How long the search may take until a violation is found: the rest of the time is for its
    /// trace.
    pub fn search_time(&self) -> Option<Duration> {
        self.limits.max_time.map(|time| time - time / TRACE_SHARE)
    }

    /// When the time of the search and of finding traces is over.
    pub fn end_of_time(&self) -> Option<Instant> {
        self.limits.max_time.and_then(|time| self.started.checked_add(time))
    }

    /// Why no path was found to a violation although there is one: time, memory, or an interrupt.
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

    /// Whether a fault is wanted and was not seen before, by kind and place. From now on it was.
    pub fn is_fresh(&self, fault: &Fault) -> bool {
        if fault.kind == FaultKind::ValueLimit {
            self.note_value_limit(fault);
        }
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

    /// A move was not taken because its value is beyond 64 bits.
    pub fn note_value_limit(&self, fault: &Fault) {
        let key = |fault: &Fault| (fault.span.file, fault.span.start, fault.message.clone());
        let mut noted = lock(&self.value_limit);
        if noted.as_ref().is_none_or(|noted| key(fault) < key(noted)) {
            *noted = Some(Box::new(fault.clone()));
        }
    }

    /// How many states may still be stored, and, if their number is limited, the right to store
    /// them: no other worker adds any while the guard is held.
    pub fn allowance(&self) -> (u64, Option<MutexGuard<'_, ()>>) {
        match self.limits.max_states {
            None => (u64::MAX, None),
            Some(max) => {
                let guard = lock(&self.adding);
                (max.saturating_sub(self.counted.states.load(Ordering::Relaxed)), Some(guard))
            }
        }
    }

    /// Why the search ends when an expansion was cut off: the buffer keeps the limits within one
    /// expansion.
    pub fn ended_by(&self, cut: Cut) -> Ended {
        match (cut, self.limits.max_time) {
            (Cut::Time, Some(max)) => Ended::Limit(Limit::Time(max)),
            (Cut::Memory, _) => self.out_of_memory(),
            _ => Ended::Interrupted,
        }
    }

    /// Why the search ends when the store takes no more.
    pub fn full(&self, StoreFull: StoreFull) -> Ended {
        self.out_of_memory()
    }

    /// Why the search ends when memory is used up: at the limit, if there is one.
    pub fn out_of_memory(&self) -> Ended {
        self.limits.max_memory.map_or(Ended::StoreFull, |max| Ended::Limit(Limit::Memory(max)))
    }

    /// The result, when all workers are done.
    pub fn finish(&self, violations: Vec<Found>, untraced: Vec<Untraced>, workers: Vec<WorkerTime>) -> SearchOutcome {
        let value_limit = lock(&self.value_limit).clone();
        let ended = match (*lock(&self.ended), self.limits.max_depth) {
            (Some(Ended::FirstViolation), _) => Ended::FirstViolation,
            _ if self.has_assumption_failed() => Ended::AssumptionFailed,
            (Some(ended), _) => ended,
            (None, Some(max)) if self.reached_max_depth.load(Ordering::Relaxed) => Ended::Limit(Limit::Depth(max)),
            (None, _) if value_limit.is_some() => Ended::Limit(Limit::Values),
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
            relayouts: 0,
            omission_probability: None,
            interpreted_states: self.counted.interpreted_states.load(Ordering::Relaxed),
            classes: None,
            value_limit,
            workers,
        }
    }

    /// Counts transitions.
    pub fn add(&self, counted: Tally) {
        let all = &*self.counted;
        let pairs = [
            (&all.transitions, counted.transitions),
            (&all.atomic_steps, counted.atomic_steps),
            (&all.merged_states, counted.merged_states),
            (&all.interpreted_states, counted.interpreted_states),
            (&all.left_out, counted.left_out),
        ];
        for (all, more) in pairs.into_iter().filter(|(_, more)| *more > 0) {
            all.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Counts states that were stored.
    pub fn count_states(&self, states: u64) {
        self.counted.states.fetch_add(states, Ordering::Relaxed);
    }

    /// Counts states that were expanded.
    pub fn count_expanded(&self, states: u64) {
        self.counted.expanded.fetch_add(states, Ordering::Relaxed);
    }

    /// To be called where nothing is half done: waits at the end of a slice until it is known how
    /// to go on. An error if the search is given up.
    #[inline]
    pub fn pass_border(&self) -> Result<(), Ended> {
        let is_reached = self.border.is_reached(self.counted.expanded.load(Ordering::Relaxed));
        if is_reached && !self.must_stop() { self.wait_at_border() } else { Ok(()) }
    }

    #[cold]
    fn wait_at_border(&self) -> Result<(), Ended> {
        let sample = || {
            let Counts { states, transitions, depth, .. } = self.counts();
            let (expanded, left_out) =
                (self.counted.expanded.load(Ordering::Relaxed), self.counted.left_out.load(Ordering::Relaxed));
            Sample { expanded, states, transitions, left_out, depth, seconds: 0.0 }
        };
        let passed = self.border.pass(sample, || self.started.elapsed().as_secs_f64());
        if let Err(ended) = passed {
            self.end(ended);
        }
        passed
    }

    /// A state of this depth was stored.
    pub fn reach_depth(&self, depth: u64) {
        self.counted.depth.fetch_max(depth, Ordering::Relaxed);
    }

    /// A state at the greatest depth allowed has successors, which are not visited.
    pub fn cut_off_depth(&self) {
        self.reached_max_depth.store(true, Ordering::Relaxed);
    }

    /// The bounds of a single expansion: it ends where the search would.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            stop: Some(self.interrupt()),
            deadline: self.search_time().and_then(|time| self.started.checked_add(time)),
            max_bytes: Some(self.budget.left()),
        }
    }

    /// How many states were stored.
    pub fn stored(&self) -> u64 {
        self.counted.states.load(Ordering::Relaxed)
    }

    fn counts(&self) -> Counts {
        Counts {
            covered: 0,
            states: self.counted.states.load(Ordering::Relaxed),
            transitions: self.counted.transitions.load(Ordering::Relaxed),
            atomic_steps: self.counted.atomic_steps.load(Ordering::Relaxed),
            merged_states: self.counted.merged_states.load(Ordering::Relaxed),
            depth: self.counted.depth.load(Ordering::Relaxed),
        }
    }

    /// Tells how far the search is, unless that was told a moment ago or somebody does so now.
    pub fn report(&self, now: Instant) {
        if let Some(progress) = &self.progress
            && let Ok(mut reporting) = progress.try_lock()
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
        let open = states.saturating_sub(self.counted.expanded.load(Ordering::Relaxed));
        let (interpreted, rate) = (self.counted.interpreted_states.load(Ordering::Relaxed), states as f64 / seconds);
        Snapshot { states, open, transitions, depth, seconds, memory, max_memory, interpreted, rate }
    }
}
