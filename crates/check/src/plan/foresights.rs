//! Foresights: what goes with them, and those of a plan, made for a question.

use ample_property::Cube;
use ample_reduction::{ForesightEntry, LooksFor, NotHere, Visible};
use ample_search::StopAt;
use ample_transition::Foresight;

use super::Plan;
use super::visible::visible;
use crate::error::CheckError;
use crate::options::Options;
use crate::question::{Goal, Question};
use crate::system::{Reducible, System};

/// The foresights that are asked for.
pub(super) fn asked(options: &Options) -> impl Iterator<Item = &'static ForesightEntry> {
    options.techniques.foresights.iter().filter(|entry| options.reduce.names(entry.part.name))
}

/// The foresights that are asked for; refuses what does not go with them.
pub(super) fn check(options: &Options) -> Result<Vec<&'static ForesightEntry>, CheckError> {
    let found: Vec<_> = asked(options).collect();
    for entry in &found {
        let name = entry.part.name;
        let refuse = |what: &str, why: &str| {
            Err(CheckError::Conflict(format!("--reduce {name} does not go with {what}: {why}; leave one of them out")))
        };
        if entry.joins && options.stop_at == StopAt::End {
            return refuse("--keep-going", "of all errors that lie ahead of a state it takes one");
        }
        if options.coverage {
            return refuse("--coverage", "it leaves out what need not be executed to find an error");
        }
        if entry.joins && options.limits.max_depth.is_some() {
            return refuse("--max-depth", "several transitions are taken as one, so that depth is not what it was");
        }
    }
    Ok(found)
}

/// The foresights of a plan, for the searches of a question.
pub(crate) fn made<'a>(plan: &Plan, known: Option<Reducible<'a>>, goal: &Goal) -> Vec<Box<dyn Foresight + 'a>> {
    let Some(known) = known.filter(|_| !plan.foresights.is_empty()) else { return Vec::new() };
    plan.foresights.iter().filter_map(|entry| make(entry, known, goal).ok()).collect()
}

fn make<'a>(entry: &ForesightEntry, known: Reducible<'a>, goal: &Goal) -> Result<Box<dyn Foresight + 'a>, NotHere> {
    let states = match goal {
        Goal::Violation(_) => Vec::new(),
        Goal::AcceptedRun(claim) => {
            let cubes = claim.forbidden_states().unwrap_or_default();
            cubes.into_iter().map(|cube| values(cube, visible(goal).propositions.len())).collect()
        }
    };
    let visible = Visible { one_is_enough: true, ..visible(goal) };
    (entry.make)(known.network, known.facts(), &LooksFor { visible: &visible, states: &states })
}

/// The values that a cube asks for, by the numbers of propositions.
fn values(cube: Cube, propositions: usize) -> Vec<(usize, bool)> {
    let is_set = |bits: u64, number: usize| bits >> number & 1 == 1;
    let asked = (0..propositions).filter(|number| is_set(cube.positive | cube.negative, *number));
    asked.map(|number| (number, is_set(cube.positive, number))).collect()
}

/// Refuses foresights that do not apply to the model that is searched. If there is no time to find
/// out, there will be none to search.
pub(super) fn check_applies(
    plan: &Plan,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<(), CheckError> {
    let mut result = Ok(());
    let mut check = |known: Reducible<'_>| {
        if known.find_out(&options.limits.stop()).is_err() {
            return;
        }
        for entry in &plan.foresights {
            if let Err(NotHere(reason)) = make(entry, known, &question.goal) {
                result = Err(CheckError::not_here(entry.part.name, &reason));
            }
        }
    };
    match (&plan.rewriting, system.prepare, system.reducible) {
        _ if plan.foresights.is_empty() => {}
        (Some(rewriting), Some(prepare), _) => prepare.analyse(&rewriting.model, &mut check),
        (_, _, Some(known)) => check(known),
        _ => {}
    }
    result
}
