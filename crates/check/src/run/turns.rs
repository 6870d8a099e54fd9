//! Searches for one answer that take turns.
//!
//! Each runs on a thread of its own, and is held at the end of its slice until it is told to go on
//! or is given up: only then is its memory free. What they share is counted once: the budget, the
//! time, and who is told how far the search is.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope, ScopedJoinHandle};

use ample_search::{Holder, Limits, Next, Progress, Sample, SearchOutcome, Slices, Snapshot, StopAt};
use ample_stdx::lock;
use ample_transition::Budget;

use super::context::SearchContext;
use super::estimate::STEP;
use crate::layers::pool::KnownTypical;
use crate::plan::Plan;
use crate::question::Goal;
use crate::system::System;

/// As much as the thread has that would search if none took turns: what is not used costs nothing.
const STACK_BYTES: usize = 256 << 20;

/// What searches that take turns have in common.
pub(super) struct Turns<'a, 'p> {
    system: &'a System<'a>,
    goal: &'a Goal,
    stop_at: StopAt,
    limits: Limits,
    progress: Mutex<Option<&'p mut (dyn Progress + 'p)>>,
    budget: Budget,
    typical: KnownTypical,
}

impl<'a, 'p> Turns<'a, 'p> {
    /// For searches as this one, of whose transitions nobody is told.
    pub fn of<'c: 'a>(context: &'p mut SearchContext<'c, '_>, goal: &'a Goal) -> Turns<'a, 'p> {
        let (system, stop_at, limits, budget) =
            (context.system, context.stop_at, context.limits.clone(), context.budget());
        let progress = Mutex::new(context.progress.as_mut().map(|progress| &mut **progress as &mut dyn Progress));
        Turns { system, goal, stop_at, limits, progress, budget, typical: KnownTypical::default() }
    }

    /// Begins a search, which runs until it has expanded so many states. None if there is no thread
    /// for it.
    pub fn begin<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        plan: Plan,
        until: u64,
    ) -> Option<Turn<'scope>> {
        let (reporting, reports) = mpsc::channel();
        let (orders, ordered) = mpsc::channel();
        let slice = Mutex::new(Slice { until, samples: Vec::new(), reporting, ordered });
        let searched = plan.clone();
        let search = move || self.search(&searched, &HeldInTurn { slice });
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, search).ok()?;
        Some(Turn { plan, samples: Vec::new(), thread, orders, reports })
    }

    fn search(&self, plan: &Plan, holder: &HeldInTurn) -> SearchOutcome {
        let mut progress = SharedProgress { to: &self.progress };
        let mut context = SearchContext {
            system: self.system,
            stop_at: self.stop_at,
            limits: self.limits.clone(),
            progress: Some(&mut progress),
            observer: None,
            pool: None,
            typical: Some(&self.typical),
            first_pass: None,
            budget: Some(self.budget.clone()),
            slices: Some(Slices { first: STEP, holder }),
        };
        context.search(plan, self.goal)
    }
}

/// A search that takes turns with others.
pub(super) struct Turn<'scope> {
    pub plan: Plan,
    /// How far it was each time it had expanded [`STEP`] states more.
    pub samples: Vec<Sample>,
    thread: ScopedJoinHandle<'scope, SearchOutcome>,
    orders: Sender<Next>,
    reports: Receiver<Vec<Sample>>,
}

impl Turn<'_> {
    /// Waits for the end of its slice. False if the search is over.
    pub fn wait(&mut self) -> bool {
        let report = self.reports.recv();
        let is_held = report.is_ok();
        self.samples.extend(report.unwrap_or_default());
        is_held
    }

    /// Lets it run until it has expanded so many states, and waits for that. False if the search is
    /// over.
    pub fn go_on(&mut self, until: u64) -> bool {
        self.orders.send(Next::Until(until)).is_ok() && self.wait()
    }

    /// Lets it run to its end. What came of it.
    pub fn finish(self) -> SearchOutcome {
        self.end(Next::ToTheEnd)
    }

    /// Ends it. Its memory is free then.
    pub fn give_up(self) {
        self.end(Next::GiveUp);
    }

    fn end(self, order: Next) -> SearchOutcome {
        // Nobody listens if it is over.
        self.orders.send(order).ok();
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Holds a search at the end of its slice.
struct HeldInTurn {
    slice: Mutex<Slice>,
}

/// The slice that a search is in.
struct Slice {
    /// It ends when so many states are expanded.
    until: u64,
    /// Those that were not reported yet.
    samples: Vec<Sample>,
    reporting: Sender<Vec<Sample>>,
    ordered: Receiver<Next>,
}

impl Holder for HeldInTurn {
    fn hold(&self, sample: &Sample) -> Next {
        let mut slice = lock(&self.slice);
        slice.samples.push(*sample);
        let step = sample.expanded + STEP;
        if sample.expanded < slice.until {
            return Next::Until(step.min(slice.until));
        }
        let samples = std::mem::take(&mut slice.samples);
        // Who would answer may be gone.
        let next = slice.reporting.send(samples).ok().and_then(|()| slice.ordered.recv().ok());
        match next {
            Some(Next::Until(until)) => {
                slice.until = until;
                Next::Until(step.min(until))
            }
            Some(next) => next,
            None => Next::GiveUp,
        }
    }
}

/// Tells of whichever search has its turn.
struct SharedProgress<'t, 'p> {
    to: &'t Mutex<Option<&'p mut (dyn Progress + 'p)>>,
}

impl Progress for SharedProgress<'_, '_> {
    fn report(&mut self, snapshot: &Snapshot) {
        if let Some(progress) = &mut *lock(self.to) {
            progress.report(snapshot);
        }
    }
}
