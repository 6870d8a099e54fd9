//! A loop on its way: search, tell what was seen, look at what is missing, take some of it in,
//! search again.

use std::time::Instant;

use ample_guarantee::{ErrorFound, decide};
use ample_reduction::Notes;
use ample_search::{Ended, Found, SearchOutcome, StopAt};

use super::approximation::{Approximation, LeavesOut, Loop, Missing, Saw, Start, StatesStart, Takes};
use super::loops::{conflict, find};
use super::pick::Picker;
use crate::error::CheckError;
use crate::layers::pool::StorePool;
use crate::options::{Options, Under};
use crate::plan::Plan;
use crate::question::{Goal, Question};
use crate::run::context::{Answered, SearchContext};
use crate::run::iteration::{Added, Iteration};
use crate::system::Reducible;

/// Runs a loop to its end.
pub(crate) fn answer(
    context: &mut SearchContext<'_, '_>,
    loops: &'static [Loop],
    options: &Options,
    under: &Under,
    question: &Question,
    plan: &Plan,
) -> Result<Answered, CheckError> {
    let entry = find(loops, under)?;
    if let Some(outcome) = context.stopped_before(plan) {
        return Ok(Answered::of(plan.inexact(), outcome));
    }
    let (goal, system) = (&question.goal, context.system);
    let (known, approximation) = match entry.leaves_out {
        LeavesOut::States { begin, .. } => (None, begin(StatesStart { options, system, goal })?),
        LeavesOut::Transitions { begin, .. } => {
            let unknown = || conflict(under, "cannot be used here: the processes are not known");
            let known = system.reducible.ok_or_else(unknown)?;
            (Some(known), begin(Start { options, plan, known, goal }))
        }
    };
    let pool = StorePool::default();
    Refinement {
        context: context.sharing(&pool),
        pool: &pool,
        question,
        plan,
        known,
        may_be_false: decide(&plan.parts, &question.property)?.error_found == ErrorFound::Candidate,
        approximation,
        picker: Picker::new(under.pick),
        most: options.max_rounds,
        iterations: Vec::new(),
        added: Vec::new(),
    }
    .run()
}

/// A loop on its way.
struct Refinement<'r, 'a> {
    context: SearchContext<'r, 'r>,
    pool: &'r StorePool,
    question: &'r Question,
    /// The plan of the exact approximation.
    plan: &'r Plan,
    /// The processes, if they have to be known.
    known: Option<Reducible<'a>>,
    /// Whether what is found may be no run of the system.
    may_be_false: bool,
    approximation: Box<dyn Approximation<'a> + 'a>,
    picker: Picker,
    /// How many searches there may be.
    most: Option<u64>,
    iterations: Vec<Iteration>,
    /// What was taken in since the last search.
    added: Vec<Added>,
}

impl Refinement<'_, '_> {
    fn run(mut self) -> Result<Answered, CheckError> {
        loop {
            let started = Instant::now();
            let notes = self.known.map(|known| Notes::new(known.facts()));
            let (goal, stop) = (&self.question.goal, self.context.limits.stop());
            let layers = self.approximation.layers();
            let layers = match (self.known, &notes) {
                (Some(known), Some(notes)) => layers.besides(self.plan, known, goal, &stop).counted(known, notes),
                _ => layers,
            };
            let outcome = self.context.search_with(layers, self.plan, &self.question.goal);
            if let Some(failure) = self.approximation.failure() {
                return Err(failure);
            }
            if outcome.ended == Ended::AssumptionFailed {
                return Ok(self.in_full(started));
            }
            let spurious = self.spurious(&outcome);
            let is_over = is_over(&outcome, &spurious, self.context.stop_at);
            let spared = notes.as_ref().map(|notes| self.picker.spared(notes)).unwrap_or_default();
            self.approximation.saw(&Saw { spared, notes: notes.as_ref(), spurious: &spurious });
            let missing = self.approximation.missing();
            let is_exact = !is_over && self.approximation.is_exact(&missing);
            self.note(started, &outcome, is_exact);
            let was_last = self.most.is_some_and(|most| self.iterations.len() as u64 >= most);
            if is_over || is_exact || was_last || missing.is_empty() || self.context.limits.is_interrupted() {
                let plan = if is_exact { self.plan.exact() } else { self.plan.inexact() };
                return Ok(Answered { refinement: self.iterations, ..Answered::of(plan, outcome) });
            }
            self.pool.look_again_after(&outcome.counts);
            self.take_in(missing);
        }
    }

    /// Takes in some of what is missing.
    fn take_in(&mut self, missing: Vec<Missing>) {
        let taken = match self.approximation.takes() {
            Takes::Picked => self.picker.pick(missing),
            Takes::All => missing,
        };
        for missing in taken {
            self.added.push(self.approximation.describe(&missing));
            self.approximation.add(missing.what);
        }
    }

    /// The runs that were found and that the system does not have.
    fn spurious(&self, outcome: &SearchOutcome) -> Vec<Found> {
        if !self.may_be_false {
            return Vec::new();
        }
        let claim = match &self.question.goal {
            Goal::Violation(_) => None,
            Goal::AcceptedRun(claim) => Some(&**claim),
        };
        let replayer = self.context.system.replayer;
        let is_spurious = |found: &&Found| replayer.replay(&found.trace, &found.fault, claim).is_err();
        outcome.violations.iter().filter(is_spurious).cloned().collect()
    }

    /// An assumption of the reduction has failed: one search without it is exact.
    fn in_full(mut self, started: Instant) -> Answered {
        let plan = self.plan.without_reduction();
        let outcome = self.context.search(&plan, &self.question.goal);
        self.note(started, &outcome, true);
        Answered { refinement: self.iterations, ..Answered::of(plan, outcome) }
    }

    fn note(&mut self, started: Instant, outcome: &SearchOutcome, is_exact: bool) {
        self.iterations.push(Iteration {
            added: std::mem::take(&mut self.added),
            counts: outcome.counts,
            first_pass: self.context.first_pass.take(),
            seconds: started.elapsed().as_secs_f64(),
            ended: outcome.ended,
            is_exact,
            round: self.approximation.round(),
        });
    }
}

/// Whether there is nothing to refine: a violation was found, or a limit reached. A search that was
/// ended by spurious runs alone is no reason to stop, nor is a violation if all are wanted.
fn is_over(outcome: &SearchOutcome, spurious: &[Found], stop_at: StopAt) -> bool {
    let found = outcome.violations.len() + outcome.untraced.len();
    match outcome.ended {
        Ended::Complete if stop_at == StopAt::End => false,
        Ended::Complete => found > spurious.len(),
        Ended::FirstViolation => found == 0 || found > spurious.len(),
        _ => true,
    }
}
