//! A loop on its way: run, look at what is missing, let some of it in, run again.

use std::time::Instant;

use ample_model::EdgeId;
use ample_network::facts::{Facts, InstanceId, instance_name};
use ample_reduction::Notes;
use ample_search::{Ended, SearchOutcome};

use super::approximation::{Approximation, Missing, Start, What};
use super::loops::{conflict, find};
use super::pick::Picker;
use crate::error::CheckError;
use crate::layers::pool::StorePool;
use crate::layers::reduction::ConfiguredReduction;
use crate::options::{Options, Under};
use crate::plan::Plan;
use crate::question::Question;
use crate::run::context::{Answered, SearchContext};
use crate::run::iteration::{Added, Iteration};
use crate::system::Reducible;

/// Runs a loop to its end.
pub(crate) fn answer(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    under: &Under,
    question: &Question,
    plan: &Plan,
) -> Result<Answered, CheckError> {
    let (entry, Some(known)) = (find(under)?, context.system.reducible) else {
        return Err(conflict(under, "cannot be used here: the processes are not known"));
    };
    if let Some(outcome) = context.stopped_before(plan) {
        return Ok(Answered { plan: plan.inexact(), outcome, refinement: Vec::new() });
    }
    let pool = StorePool::default();
    let start = Start { options, plan, known, goal: &question.goal };
    Ok(Refinement {
        context: context.sharing(&pool),
        pool: &pool,
        question,
        plan,
        known,
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
    approximation: Box<dyn Approximation<'a> + 'a>,
    picker: Picker,
    iterations: Vec<Iteration>,
    /// What was let in since the last run.
    added: Vec<Added>,
}

impl Refinement<'_, '_> {
    fn run(mut self) -> Answered {
        loop {
            let started = Instant::now();
            let notes = Notes::new(self.known.facts());
            let configured = self.approximation.chosen();
            let configured =
                configured.map(|chosen| ConfiguredReduction { notes: Some((self.known, &notes)), ..chosen });
            let outcome = self.context.search_with(configured, self.plan, &self.question.goal);
            if outcome.ended == Ended::AssumptionFailed {
                return self.in_full(started);
            }
            let is_over = outcome.ended != Ended::Complete || !outcome.violations.is_empty();
            let missing = self.approximation.missing(&self.picker.spared(&notes));
            let is_exact = !is_over && missing.is_empty();
            self.note(started, &outcome, is_exact);
            if is_over || is_exact || self.context.limits.is_interrupted() {
                let plan = if is_exact { self.plan.exact() } else { self.plan.inexact() };
                return Answered { plan, outcome, refinement: self.iterations };
            }
            self.pool.look_again_after(&outcome.counts);
            for missing in self.picker.pick(missing, |what| taken(&notes, self.known.facts(), what)) {
                self.approximation.add(missing.what);
                self.added.push(describe(self.known, &missing));
            }
        }
    }

    /// An assumption of the reduction has failed: one search without it is exact.
    fn in_full(mut self, started: Instant) -> Answered {
        let plan = self.plan.without_reduction();
        let outcome = self.context.search(&plan, &self.question.goal);
        self.note(started, &outcome, true);
        Answered { plan, outcome, refinement: self.iterations }
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

/// How often something was taken where others were left out.
fn taken(notes: &Notes, facts: &Facts, what: What) -> u64 {
    match what {
        What::Transition(id) => notes.taken(id),
        What::Location(instance, location) => facts.at(instance, location).iter().map(|id| notes.taken(*id)).sum(),
    }
}

fn describe(known: Reducible<'_>, missing: &Missing) -> Added {
    let (network, facts) = (known.network, known.facts());
    let template = |instance: InstanceId| &network.model.templates[network.instances[instance].template];
    let (instance, edge): (InstanceId, Option<EdgeId>) = match missing.what {
        What::Transition(id) => {
            let first = facts.transitions()[id].identity.first;
            (first.instance, Some(first.edge))
        }
        What::Location(instance, location) => (instance, template(instance).locations[location].edges.first().copied()),
    };
    let edge = edge.map(|edge| &template(instance).edges[edge]);
    Added {
        process: instance_name(network, instance),
        statement: edge.map(|edge| edge.text.clone()).unwrap_or_default(),
        span: edge.map(|edge| edge.span).unwrap_or_default(),
        reason: missing.reason,
    }
}
