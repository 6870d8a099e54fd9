//! The loops, one line each, and the plans that they come to in the end.

use ample_guarantee::Part;
use ample_search::StopAt;

use super::approximation::Loop;
use super::{cycles, interleaving, visibility};
use crate::error::CheckError;
use crate::options::{Choice, Options, Reduce, Under};
use crate::plan::{self, Plan};
use crate::question::Question;
use crate::system::System;

/// All loops. The first is the default: it explores least until an error on the violated formulas
/// of BEEM (`ample bench under`).
static LOOPS: &[Loop] = &[visibility::LOOP, cycles::LOOP, interleaving::LOOP];

/// The loops as parts.
pub(crate) fn parts() -> impl Iterator<Item = &'static Part> {
    LOOPS.iter().map(|entry| entry.part)
}

pub(super) fn find(under: &Under) -> Result<&'static Loop, CheckError> {
    let found = match under.name.as_str() {
        "auto" => LOOPS.first(),
        name => LOOPS.iter().find(|entry| entry.part.name == name),
    };
    let known = LOOPS.iter().map(|entry| entry.part.name);
    found.ok_or_else(|| CheckError::unknown_name("under-approximation", &under.name, known))
}

/// The plan that a loop comes to in the end, if it is sound for the question.
pub(crate) fn plan(
    options: &Options,
    under: &Under,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    let entry = find(under)?;
    check_options(options, under)?;
    if system.reducible.is_none() {
        let why = system.why_interpreted.unwrap_or("the model is interpreted");
        return Err(conflict(under, &format!("cannot be used here: the processes are not known, since {why}")));
    }
    (entry.refuse)(options)?;
    let plan = plan::plan_reduced_by(entry.expander, options, system, question)?;
    let plan = plan::checked((entry.exact)(options, plan)?, system, question)?;
    Ok(Plan { parts: plan.parts.with(entry.part), ..plan })
}

/// Refuses what does not go with any loop.
fn check_options(options: &Options, under: &Under) -> Result<(), CheckError> {
    let refuse = |what: &str| Err(conflict(under, &format!("does not go with {what}")));
    match (&options.reduce, &options.store) {
        (Reduce::None, _) => refuse("--reduce none: it is a partial order reduction"),
        _ if plan::sleep_sets(options).is_some() => refuse("--reduce sleep: leave one of them out"),
        (_, Choice::Named(name))
            if [ample_store::COMPACT.name, ample_store::BITSTATE.name].contains(&name.as_str()) =>
        {
            refuse(&format!("--store {name}: where states may be missed it never comes to an answer"))
        }
        _ if options.stop_at == StopAt::End => refuse("--keep-going: the first violation ends the loop"),
        _ if options.coverage => refuse("--coverage: what is left out changes from run to run"),
        _ => Ok(()),
    }
}

pub(super) fn conflict(under: &Under, what: &str) -> CheckError {
    CheckError::Conflict(format!("--under {} {what}", under.name))
}
