//! What all orders share: expanding a state, counting, noticing faults, keeping within the limits.

use std::time::{Duration, Instant};

use ample_source::Span;
use ample_transition::{Bounds, Cut, Fault, FaultKind, Store, SuccessorBuffer, Successors};

use crate::outcome::{Counts, Ended, Found, SearchOutcome};
use crate::{Limit, Limits, Observer, Progress, Search, Snapshot, StopAt};

/// How many states are expanded between two looks at the clock.
const CLOCK_INTERVAL: u64 = 64;
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The state of a search, apart from its stack or queue.
pub(crate) struct Explorer<'a> {
    pub system: &'a dyn Successors,
    wanted: &'a [FaultKind],
    stop_at: StopAt,
    limits: &'a Limits,
    progress: Option<&'a mut dyn Progress>,
    observer: Option<Observer<'a>>,
    counts: Counts,
    seen: Vec<(FaultKind, Span)>,
    violations: Vec<Found>,
    reached_max_depth: bool,
    expansions: u64,
    started: Instant,
    reported: Instant,
    memory: u64,
}

/// A wanted fault that was not seen before, at the state that was just expanded.
pub(crate) struct Sighting {
    pub fault: Fault,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
}

impl<'a> Explorer<'a> {
    /// Starts the clock. The store stays with the order.
    pub fn new(search: Search<'a>) -> (Self, &'a mut dyn Store) {
        let now = Instant::now();
        let explorer = Explorer {
            system: search.system,
            wanted: search.wanted,
            stop_at: search.stop_at,
            limits: search.limits,
            progress: search.progress,
            observer: search.observer,
            counts: Counts::default(),
            seen: Vec::new(),
            violations: Vec::new(),
            reached_max_depth: false,
            expansions: 0,
            started: now,
            reported: now,
            memory: 0,
        };
        (explorer, search.store)
    }

    /// The buffer for expansions that count.
    pub fn buffer(&self) -> SuccessorBuffer {
        SuccessorBuffer::within(Bounds {
            stop: Some(self.limits.interrupt.clone()),
            deadline: self.limits.max_time.and_then(|time| self.started.checked_add(time)),
            max_bytes: self.limits.max_memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
        })
    }

    /// The initial state. If there is none, that is a violation whatever is wanted: no other answer would mean anything.
    pub fn initial(&mut self) -> Result<Vec<u8>, Ended> {
        self.system.initial().map_err(|fault| {
            self.violations.push(Found { fault: *fault, trace: Default::default() });
            Ended::FirstViolation
        })
    }

    /// Counts a state that is new in the store, unless that is one too many.
    pub fn count_state(&mut self, depth: u64) -> Result<(), Ended> {
        match self.limits.max_states {
            Some(max) if self.counts.states >= max => Err(Ended::Limit(Limit::States(max))),
            _ => {
                self.counts.states += 1;
                self.counts.depth = self.counts.depth.max(depth);
                Ok(())
            }
        }
    }

    /// Expands a stored state at this depth into `buffer` and looks for faults. At the greatest depth allowed, the
    /// successors are not taken: the buffer is empty again.
    pub fn expand(&mut self, state: &[u8], depth: u64, buffer: &mut SuccessorBuffer) -> Result<Vec<Sighting>, Ended> {
        buffer.clear();
        self.system.expand_all(state, buffer);
        if let Some(cut) = buffer.cut() {
            return Err(self.ended_by(cut));
        }
        if self.limits.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let mut sightings = Vec::new();
        if buffer.is_empty() {
            if self.wanted.contains(&FaultKind::InvalidEndState) {
                let fault = self.system.invalid_end(state);
                sightings.extend(fault.filter(|fault| self.is_fresh(fault)).map(|fault| sighting(*fault, None)));
            }
            return Ok(sightings);
        }
        if self.limits.max_depth.is_some_and(|max| depth >= max) {
            self.reached_max_depth = true;
            buffer.clear();
            return Ok(sightings);
        }
        for (number, successor) in buffer.iter().enumerate() {
            if successor.state.is_some() {
                self.counts.transitions += 1;
                self.counts.atomic_steps += successor.atomic_steps();
            }
            for fault in successor.faults {
                if self.is_fresh(fault) {
                    sightings.push(sighting(fault.clone(), Some(number)));
                }
            }
            if let Some(observer) = &mut self.observer {
                observer(state, &successor);
            }
        }
        Ok(sightings)
    }

    /// What a cut of the buffer means: the buffer keeps the limits within one expansion.
    fn ended_by(&self, cut: Cut) -> Ended {
        match (cut, self.limits.max_time, self.limits.max_memory) {
            (Cut::Time, Some(max), _) => Ended::Limit(Limit::Time(max)),
            (Cut::Memory, _, Some(max)) => Ended::Limit(Limit::Memory(max)),
            _ => Ended::Interrupted,
        }
    }

    /// Whether a fault is wanted and the first of its kind at its place. If so it will not be fresh again.
    fn is_fresh(&mut self, fault: &Fault) -> bool {
        let key = (fault.kind, fault.span);
        // A list: a model has few places where it can go wrong, and most states have no fault at all.
        let fresh = self.wanted.contains(&fault.kind) && !self.seen.contains(&key);
        if fresh {
            self.seen.push(key);
        }
        fresh
    }

    /// Whether one violation is enough.
    pub fn stops_at_first(&self) -> bool {
        self.stop_at == StopAt::FirstViolation
    }

    /// Whether states that nothing leaves can be violations.
    pub fn wants_end_states(&self) -> bool {
        self.wanted.contains(&FaultKind::InvalidEndState)
    }

    /// Keeps a violation.
    pub fn found(&mut self, found: Found) {
        self.violations.push(found);
    }

    /// To be called for each state expanded, with the bytes in use: keeps the limits and reports progress.
    pub fn tick(&mut self, memory: usize) -> Result<(), Ended> {
        if let Some(max) = self.limits.max_memory.filter(|&max| memory as u64 > max) {
            return Err(Ended::Limit(Limit::Memory(max)));
        }
        let elapsed = self.still_working(memory);
        match (self.limits.max_time, elapsed) {
            (Some(max), Some(elapsed)) if elapsed >= max => Err(Ended::Limit(Limit::Time(max))),
            _ => Ok(()),
        }
    }

    /// Reports progress without a limit, for what must be finished. Gives the time if it looked at the clock.
    pub fn still_working(&mut self, memory: usize) -> Option<Duration> {
        self.memory = self.memory.max(memory as u64);
        self.expansions += 1;
        if !self.expansions.is_multiple_of(CLOCK_INTERVAL) {
            return None;
        }
        let now = Instant::now();
        if now - self.reported >= PROGRESS_INTERVAL {
            self.reported = now;
            self.report((now - self.started).as_secs_f64(), memory as u64);
        }
        Some(now - self.started)
    }

    fn report(&mut self, seconds: f64, memory: u64) {
        let Counts { states, transitions, depth, .. } = self.counts;
        if let Some(progress) = &mut self.progress {
            progress.report(&Snapshot { states, transitions, depth, seconds, memory, rate: states as f64 / seconds });
        }
    }

    /// The result.
    pub fn finish(self, result: Result<(), Ended>) -> SearchOutcome {
        let ended = match (result, self.limits.max_depth) {
            (Err(ended), _) => ended,
            (Ok(()), Some(max)) if self.reached_max_depth => Ended::Limit(Limit::Depth(max)),
            (Ok(()), _) => Ended::Complete,
        };
        SearchOutcome {
            counts: self.counts,
            ended,
            violations: self.violations,
            seconds: self.started.elapsed().as_secs_f64(),
            memory: self.memory,
        }
    }
}

fn sighting(fault: Fault, successor: Option<usize>) -> Sighting {
    Sighting { fault, successor }
}
