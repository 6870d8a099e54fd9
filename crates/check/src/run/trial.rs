//! `--reduce auto`: a search without a reduction, and if the space is large, another one with the
//! reduction that is worth it (see [`automatic`](crate::plan::automatic)).

use ample_reduction::{CanonizerEntry, ExpanderEntry};
use ample_search::{Ended, Limit, SearchOutcome};

use super::context::{Answered, SearchContext};
use super::weigh::{self, Weighed};
use crate::layers::reduction;
use crate::options::Options;
use crate::plan::{self, Plan, automatic, canonizers};
use crate::question::Question;
use crate::system::Reducible;

/// Answers a question as the plan has it; if reductions are left to us, with one where that is
/// worth it.
pub(crate) fn answer(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
) -> Answered {
    let (plan, tried) = try_full(context, options, question, plan);
    let (plan, outcome) = match tried {
        Some(outcome) => (plan, outcome),
        None => context.search_surely(&plan, &question.goal),
    };
    let (plan, outcome) = find_nearer(context, options, question, &plan, &outcome).unwrap_or((plan, outcome));
    Answered { plan, outcome, refinement: Vec::new() }
}

/// The plan to go by; if reductions are left to us, with what comes of a search without one, unless
/// the space is large.
fn try_full(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
) -> (Plan, Option<SearchOutcome>) {
    let Some(known) = context.system.reducible.filter(|_| automatic::may_reduce(options)) else {
        return (plan.clone(), None);
    };
    let outcome = context.within(automatic::trial(&context.limits)).search(plan, &question.goal);
    if outcome.ended != Ended::Limit(Limit::States(automatic::TRIAL_STATES)) {
        return (plan.clone(), Some(outcome));
    }
    let full = Weighed::of(plan, &outcome);
    (plan_reduced(context, options, question, &full, known).unwrap_or_else(|| plan.clone()), None)
}

/// A plan with a reduction that is sound for the question and worth it, if there is one.
fn plan_reduced(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    full: &Weighed,
    known: Reducible<'_>,
) -> Option<Plan> {
    // What a reduction needs to know may take longer to find out than there is time, or than a
    // reduction saves.
    if !automatic::is_small_enough(known.network) {
        return None;
    }
    known.find_out(&context.limits.stop().share(2)).ok()?;
    let system = context.system;
    let sound = |expander: &'static ExpanderEntry| {
        let plan = automatic::reduced(&full.plan, options, expander)?;
        let plan = plan::checked(plan, system, question).ok()?;
        let expander = reduction::configured(&plan, Some(known), &question.goal)?.expander;
        automatic::leaves_something_out(&*expander, system.successors, known).then_some(plan)
    };
    let considered = options.techniques.expanders.iter().filter(|entry| entry.is_automatic);
    let plans: Vec<Plan> = considered.filter_map(sound).collect();
    let reduced = plans.first().map(Plan::without_reduction).and_then(|alike| {
        let alike = Weighed::by_slice(context, &alike, &question.goal);
        let slices = plans.iter().map(|plan| Weighed::by_slice(context, plan, &question.goal)).collect();
        weigh::best(full, &alike, slices)
    });
    let plan = reduced.unwrap_or_else(|| full.plan.clone());
    let applies =
        |entry: &CanonizerEntry| canonizers::applies(entry, known, &question.goal).is_ok_and(|applies| applies);
    Some(automatic::with_canonizers(plan, options, &question.property, applies))
}

/// If the order was left to us and something was found depth first: the same nearer to the
/// beginning.
fn find_nearer(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
    outcome: &SearchOutcome,
) -> Option<(Plan, SearchOutcome)> {
    let plan = automatic::nearer(plan, options).filter(|_| !outcome.violations.is_empty())?;
    let plan = plan::checked(plan, context.system, question).ok()?;
    // No longer than the search for a reduction took.
    let nearer = context.within(automatic::trial(&context.limits)).search(&plan, &question.goal);
    (!nearer.violations.is_empty()).then_some((plan, nearer))
}
