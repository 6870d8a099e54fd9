//! A loop on its way: search, tell what was seen, look at what is missing, take some of it in,
//! search again.

use std::time::Instant;

use ample_guarantee::{ErrorFound, decide};
use ample_reduction::Notes;
use ample_search::{Ended, Found, SearchOutcome};

use super::approximation::{Approximation, Loop, Missing, Saw, Start};
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
    let (entry, Some(known)) = (find(loops, under)?, context.system.reducible) else {
        return Err(conflict(under, "cannot be used here: the processes are not known"));
    };
    if let Some(outcome) = context.stopped_before(plan) {
        return Ok(Answered::of(plan.inexact(), outcome));
    }
    let pool = StorePool::default();
    let start = Start { options, plan, known, goal: &question.goal };
    Ok(Refinement {
        context: context.sharing(&pool),
        pool: &pool,
        question,
        plan,
        known,
        may_be_false: decide(&plan.parts, &question.property)?.error_found == ErrorFound::Candidate,
        approximation: (entry.begin)(start),
        picker: Picker::new(under.pick),
        iterations: Vec::new(),
        added: Vec::new(),
    }
    .run())
}

/// A loop on its way.
struct Refinement<'r, 'a> {
    context: SearchContext<'r, 'r>,
    pool: &'r StorePool,
    question: &'r Question,
    /// The plan of the exact approximation.
    plan: &'r Plan,
    known: Reducible<'a>,
    /// Whether what is found may be no run of the system.
    may_be_false: bool,
    approximation: Box<dyn Approximation<'a> + 'a>,
    picker: Picker,
    iterations: Vec<Iteration>,
    /// What was taken in since the last search.
    added: Vec<Added>,
}

impl Refinement<'_, '_> {
    fn run(mut self) -> Answered {
        loop {
            let started = Instant::now();
            let notes = Notes::new(self.known.facts());
            let (goal, stop) = (&self.question.goal, self.context.limits.stop());
            let layers = self.approximation.layers().besides(self.plan, self.known, goal, &stop);
            let layers = layers.counted(self.known, &notes);
            let outcome = self.context.search_with(layers, self.plan, &self.question.goal);
            if outcome.ended == Ended::AssumptionFailed {
                return self.in_full(started);
            }
            let spurious = self.spurious(&outcome);
            let is_over = is_over(&outcome, &spurious);
            self.approximation.saw(&Saw { spared: self.picker.spared(&notes), notes: &notes, spurious: &spurious });
            let missing = self.approximation.missing();
            let is_exact = !is_over && missing.is_empty();
            self.note(started, &outcome, is_exact);
            if is_over || is_exact || self.context.limits.is_interrupted() {
                let plan = if is_exact { self.plan.exact() } else { self.plan.inexact() };
                return Answered { refinement: self.iterations, ..Answered::of(plan, outcome) };
            }
            self.pool.look_again_after(&outcome.counts);
            self.take_in(missing);
        }
    }

    /// Takes in some of what is missing.
    fn take_in(&mut self, missing: Vec<Missing>) {
        for missing in self.picker.pick(missing) {
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
        });
    }
}

/// Whether there is nothing to refine: a violation was found, or a limit reached. A search that was
/// ended by spurious runs alone is no reason to stop.
fn is_over(outcome: &SearchOutcome, spurious: &[Found]) -> bool {
    let found = outcome.violations.len() + outcome.untraced.len();
    match outcome.ended {
        Ended::Complete => found > spurious.len(),
        Ended::FirstViolation => found == 0 || found > spurious.len(),
        _ => true,
    }
}
