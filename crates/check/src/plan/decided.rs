//! A plan that is sound for its question.

use ample_guarantee::{Part, decide};

use super::choose::Wanted;
use super::passes::rewritten;
use super::{Plan, automatic, choose, refuse};
use crate::error::CheckError;
use crate::options::Options;
use crate::question::{Goal, Question};
use crate::system::System;

/// A sound plan for a question, or why there is none.
pub(crate) fn plan(options: &Options, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    let plan = checked(chosen(&Wanted::by(options), system, question)?, system, question)?;
    rewritten(automatic::with_passes(plan, options, &question.property), options, system, question)
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
