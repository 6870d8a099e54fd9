//! A plan that is sound for its question.

use ample_guarantee::{Part, decide};
use ample_reduction::ForRuns;

use super::choose::Wanted;
use super::passes::rewritten;
use super::{Algorithm, LookingFor, Plan, automatic, choose, classes, covers, foresights, refuse};
use crate::error::CheckError;
use crate::options::{Choice, Options};
use crate::question::{Goal, Question};
use crate::system::System;

/// A sound plan for a question, or why there is none.
pub(crate) fn plan(options: &Options, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    let plan = checked(chosen(&Wanted::by(options), system, question)?, system, question)?;
    let plan = rewritten(automatic::with_passes(plan, options, &question.property), options, system, question)?;
    classes::check_system(&plan, options, system)?;
    Ok(plan)
}

/// A plan that explores all that the named reductions leave, in some order, and keeps what the
/// question sees, and the names of edges: they are the labels of a graph.
///
/// What is left must be the same in whatever order it is explored. So the cycle condition is the
/// one of searches for runs, where reduced sets are functions of the state.
pub(crate) fn for_graph(options: &Options, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    if let Some(sleep) = choose::sleep_sets(options) {
        return Err(CheckError::Conflict(format!(
            "--reduce {} is for searches: what sleeps depends on the way to a state",
            sleep.part.name
        )));
    }
    if let Some(cover) = covers::asked(options) {
        return Err(CheckError::Conflict(format!(
            "--reduce {} is for searches: which states are covered depends on their order",
            cover.part.name
        )));
    }
    if let Some(foresight) = foresights::asked(options).next() {
        return Err(CheckError::Conflict(format!(
            "--reduce {} is for searches: it looks for an error, and leaves out what leads to none",
            foresight.part.name
        )));
    }
    let plan = choose::for_violations(&Wanted::by(options), system.execution)?;
    let mut plan = Plan { names_are_labels: true, ..plan };
    if let Algorithm::Classes(entry) = plan.algorithm {
        let name = entry.part.name;
        let why = format!("--order {name} is for searches: which state stands for a class depends on the way to it");
        return Err(CheckError::Conflict(why));
    }
    if let Some((expander, condition)) = plan.reduction {
        let of_runs = choose::default_condition(options, plan.algorithm, LookingFor::Runs);
        let condition = of_runs.filter(|_| options.cycle_condition == Choice::Auto).unwrap_or(condition);
        if !matches!(condition.for_runs, Some(ForRuns::OnTheFly)) {
            let name = condition.part.name;
            let why = format!("--proviso {name} is for searches: what it accepts depends on their order; leave it out");
            return Err(CheckError::Conflict(why));
        }
        plan = plan.with_reduction(expander, condition);
    }
    if matches!(question.goal, Goal::AcceptedRun(_)) {
        plan = Plan { looking_for: LookingFor::Runs, ..plan }.assembled();
    }
    rewritten(checked(plan, system, question)?, options, system, question)
}

/// A plan for a question with a partial order reduction: this one, if the options name none.
/// Whether it is sound is still to be [checked].
pub(crate) fn plan_reduced_by(
    expander: &'static Part,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    chosen(&Wanted { options, expander: Some(expander) }, system, question)
}

/// The plan, if it is sound for the question and goes with the system; else why not.
pub(crate) fn checked(plan: Plan, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    decide(&plan.parts, &question.property)?;
    refuse::check_reduction(&plan, system)?;
    Ok(plan)
}

fn chosen(wanted: &Wanted<'_>, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    match &question.goal {
        Goal::Violation(_) => choose::for_violations(wanted, system.execution),
        Goal::AcceptedRun(claim) => choose::for_runs(wanted, system.execution, claim),
    }
}
