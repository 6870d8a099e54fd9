//! What every worker does, whatever the order: expands states, counts, notices faults, keeps within
//! the limits.

use std::time::{Duration, Instant};

use ample_transition::{Fault, FaultKind, Session, States, Successor, SuccessorBuffer, Tally, Trace, Unsettled};

use crate::Limit;
use crate::control::Control;
use crate::outcome::{Ended, Found};

/// How many states are expanded between two looks at the clock.
const CLOCK_INTERVAL: u64 = 64;

/// A wanted fault that was not seen before, at the state that was just expanded.
pub(crate) struct Sighting {
    pub fault: Fault,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
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
        Explorer {
            control,
            buffer: SuccessorBuffer::within(control.bounds()),
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
            if fault.kind == FaultKind::ValueLimit {
                self.control.note_value_limit(&fault);
                return Ended::Limit(Limit::Values);
            }
            violations.push(Found::new(*fault, Trace::default()));
            Ended::FirstViolation
        })
    }

    /// Counts a state that is about to be stored, unless that is one too many.
    pub fn count_state(&mut self, depth: u64) -> Result<(), Ended> {
        let states = self.control.stored();
        match self.control.limits.max_states {
            Some(max) if states >= max => Err(Ended::Limit(Limit::States(max))),
            _ => {
                self.count_states(1, depth);
                Ok(())
            }
        }
    }

    fn count_states(&mut self, states: u64, depth: u64) {
        if states == 0 {
            return;
        }
        self.control.count_states(states);
        if depth > self.deepest {
            self.deepest = depth;
            self.control.reach_depth(depth);
        }
    }

    /// Counts what leaves a state.
    #[inline]
    pub fn count_transitions(&mut self, tally: Tally) {
        self.counted.transitions += tally.transitions;
        self.counted.atomic_steps += tally.atomic_steps;
        self.counted.merged_states += tally.merged_states;
        self.counted.interpreted_states += tally.interpreted_states;
        self.counted.left_out += tally.left_out;
    }

    /// Expands a stored state at this depth into the buffer and looks for faults. At the greatest
    /// depth allowed, the successors are not taken: the buffer is empty again. The transitions are
    /// not counted.
    #[inline]
    pub fn expand(&mut self, state: &[u8], depth: u64) -> Result<Vec<Sighting>, Ended> {
        if self.expand_plainly(state, depth) { Ok(Vec::new()) } else { self.look_closer(state, depth) }
    }

    /// The same, except that who is told `false` must look closer: there is more to it than
    /// transitions.
    #[inline]
    pub fn expand_plainly(&mut self, state: &[u8], depth: u64) -> bool {
        let control = self.control;
        self.buffer.clear();
        control.system.expand_all(state, &mut self.buffer);
        if self.is_too_deep(depth)
            || self.buffer.is_empty()
            || self.buffer.has_faults()
            || self.buffer.cut().is_some()
            || control.limits.is_interrupted()
        {
            return false;
        }
        self.observe(state);
        true
    }

    #[inline]
    fn is_too_deep(&self, depth: u64) -> bool {
        self.control.limits.max_depth.is_some_and(|max| depth >= max)
    }

    /// Looks at what was expanded: the faults that are wanted and new.
    #[cold]
    #[inline(never)]
    pub fn look_closer(&mut self, state: &[u8], depth: u64) -> Result<Vec<Sighting>, Ended> {
        let control = self.control;
        if let Some(cut) = self.buffer.cut() {
            return Err(control.ended_by(cut));
        }
        if control.limits.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        if self.buffer.is_empty() {
            self.observe(state);
            return Ok(if self.buffer.is_terminal() { self.invalid_end(state) } else { Vec::new() });
        }
        if self.is_too_deep(depth) {
            control.cut_off_depth();
            // A fault of the state itself, and not of a move, is seen all the same.
            let sightings = self.sightings(|successor| successor.moves.is_empty());
            self.buffer.clear();
            return Ok(sightings);
        }
        let sightings = self.sightings(|_| true);
        self.observe(state);
        Ok(sightings)
    }

    /// Tells the observer of a state, whose successors are in the buffer.
    #[inline]
    fn observe(&self, state: &[u8]) {
        if let Some(observer) = self.control.observer {
            observer(state, &self.buffer);
        }
    }

    /// The fault of a state that nothing leaves, if it is wanted and new.
    fn invalid_end(&self, state: &[u8]) -> Vec<Sighting> {
        let control = self.control;
        let fault = if control.wants_end_states() { control.system.invalid_end(state) } else { None };
        let fresh = fault.filter(|fault| control.is_fresh(fault));
        fresh.map(|fault| Sighting { fault: *fault, successor: None }).into_iter().collect()
    }

    /// The faults on such transitions in the buffer that are wanted and new.
    fn sightings(&self, is_such: impl Fn(&Successor<'_>) -> bool) -> Vec<Sighting> {
        let mut sightings = Vec::new();
        for (number, successor) in self.buffer.iter().enumerate().filter(|(_, successor)| is_such(successor)) {
            let fresh = successor.faults.iter().filter(|fault| self.control.is_fresh(fault));
            sightings.extend(fresh.map(|fault| Sighting { fault: fault.clone(), successor: Some(number) }));
        }
        sightings
    }

    /// Expands a state another time: its faults were seen, and its transitions are not counted.
    pub fn expand_again(&mut self, state: &[u8]) -> Result<(), Ended> {
        self.buffer.clear();
        self.control.system.expand_all(state, &mut self.buffer);
        self.buffer.cut().map_or(Ok(()), |cut| Err(self.control.ended_by(cut)))
    }

    /// Adds the states that were offered to the store. New ones are appended to `new` and counted,
    /// with this depth. If their number is limited, no more are added than allowed.
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

    /// Tells how many bytes the worker's stack or queue and its buffers hold now. The difference is
    /// taken from the budget, or given back to it.
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
            _ => control.pass_border(),
        }
    }

    /// Reports progress, and keeps no limit: for what must be finished. Gives the time since the
    /// start if it looked at the clock.
    pub fn still_working(&mut self, expanded: u64) -> Option<Duration> {
        self.control.count_expanded(expanded);
        let before = self.expansions / CLOCK_INTERVAL;
        self.expansions += expanded;
        if self.expansions / CLOCK_INTERVAL == before {
            return None;
        }
        let now = Instant::now();
        self.control.report(now);
        Some(self.control.elapsed_at(now))
    }
}

impl Drop for Explorer<'_, '_> {
    fn drop(&mut self) {
        self.control.add(self.counted);
        self.control.budget.give(self.charged);
    }
}
