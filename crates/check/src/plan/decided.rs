//! A plan that is sound for its question.

use ample_guarantee::decide;

use super::{Plan, choose, refuse};
use crate::error::CheckError;
use crate::options::Options;
use crate::question::{Goal, Question};
use crate::system::System;

/// A sound plan for a question, or why there is none.
pub(crate) fn plan(options: &Options, system: &System<'_>, question: &Question) -> Result<Plan, CheckError> {
    let plan = match &question.goal {
        Goal::Violation(_) => choose::for_faults(options, system.execution)?,
        Goal::AcceptedRun(claim) => choose::for_runs(options, system.execution, claim)?,
    };
    decide(&plan.parts, &question.property)?;
    refuse::check_reduction(&plan, system)?;
    Ok(plan)
}
