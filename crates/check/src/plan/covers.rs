//! Covers: what goes with them, and the one of a plan, made for a question.

use ample_reduction::{CoverEntry, NotHere};
use ample_transition::Cover;

use super::Plan;
use super::visible::visible;
use crate::error::CheckError;
use crate::options::{Choice, Options};
use crate::question::{Goal, Question};
use crate::system::{Reducible, System};

/// The cover that is asked for.
pub(super) fn asked(options: &Options) -> Option<&'static CoverEntry> {
    options.techniques.covers.iter().find(|entry| options.reduce.names(entry.part.name))
}

/// The cover that is asked for; refuses what does not go with it.
pub(super) fn check(options: &Options) -> Result<Option<&'static CoverEntry>, CheckError> {
    let Some(entry) = asked(options) else { return Ok(None) };
    let refuse = |what: &str, why: &str| {
        let name = entry.part.name;
        Err(CheckError::Conflict(format!("--reduce {name} does not go with {what}: {why}")))
    };
    if let Choice::Named(store) = &options.store {
        let why = "states are looked for by what they have in common with those that may cover them; leave --store out";
        return refuse(&format!("--store {store}"), why);
    }
    if options.limits.max_depth.is_some() {
        return refuse("--max-depth", "a state may be covered by one that lies deeper");
    }
    Ok(Some(entry))
}

/// What covers the states of a search, if the plan has it so.
pub(crate) fn made<'a>(plan: &Plan, known: Option<Reducible<'a>>, goal: &Goal) -> Option<Box<dyn Cover + 'a>> {
    make(plan.cover?, known?, goal).ok()
}

fn make<'a>(entry: &CoverEntry, known: Reducible<'a>, goal: &Goal) -> Result<Box<dyn Cover + 'a>, NotHere> {
    (entry.make)(known.network, known.facts(), &visible(goal))
}

/// Refuses a cover that does not apply to the model that is searched. If there is no time to find
/// out, there will be none to search.
pub(super) fn check_applies(
    plan: &Plan,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<(), CheckError> {
    let Some(entry) = plan.cover else { return Ok(()) };
    let mut result = Ok(());
    let mut check = |known: Reducible<'_>| {
        if known.find_out(&options.limits.stop()).is_ok()
            && let Err(NotHere(reason)) = make(entry, known, &question.goal)
        {
            result = Err(CheckError::not_here(entry.part.name, &reason));
        }
    };
    plan.analyse(system, &mut check);
    result
}
