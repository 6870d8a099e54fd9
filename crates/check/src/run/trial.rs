//! One search by the best plan: the plan as it is, or if reductions are left to us, the one that
//! promises to be over soonest ([`weigh`]).

use ample_search::{Ended, SearchOutcome};

use super::context::{Answered, SearchContext};
use super::weigh::{self, Searched};
use crate::layers::foreseen;
use crate::layers::pool::KnownTypical;
use crate::options::Options;
use crate::plan::{self, Plan, automatic};
use crate::question::Question;

/// Answers a question as the plan has it, without the foresights that have nothing to say; if
/// reductions are left to us, with one where that is worth it.
pub(crate) fn answer(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
) -> Answered {
    if plan.foresights.is_empty() {
        return answer_as_planned(context, options, question, plan);
    }
    let typical = KnownTypical::default();
    let plan = plan.with_foresights(foreseen::useful(plan, context.system, &typical));
    answer_as_planned(&mut context.knowing(&typical), options, question, &plan)
}

fn answer_as_planned(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
) -> Answered {
    let known = context.system.reducible.filter(|_| automatic::may_reduce(options));
    let weighed = known.and_then(|known| weigh::search(context, options, question, plan, known));
    let Searched { plan, outcome, weighed } = match weighed {
        // An assumption of a reduction has failed.
        Some(searched) if searched.outcome.ended == Ended::AssumptionFailed => {
            let plan = searched.plan.without_reduction();
            Searched { outcome: context.search(&plan, &question.goal), plan, ..searched }
        }
        Some(searched) => searched,
        None => {
            let (plan, outcome) = context.search_surely(plan, &question.goal);
            Searched { plan, outcome, weighed: Vec::new() }
        }
    };
    let (plan, outcome) = find_nearer(context, options, question, &plan, &outcome).unwrap_or((plan, outcome));
    Answered { weighed, ..Answered::of(plan, outcome) }
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
    let nearer = context.within(automatic::nearby(&context.limits)).search(&plan, &question.goal);
    (!nearer.violations.is_empty()).then_some((plan, nearer))
}
