//! Foresights: what goes with them, and those of a plan, made for a question.

use std::sync::Arc;

use ample_property::Cube;
use ample_reduction::{Foreknowledge, ForesightEntry, LooksFor, NotHere, Visible};
use ample_search::StopAt;
use ample_transition::Foresight;

use super::Plan;
use super::planned_foresight::PlannedForesight;
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
pub(super) fn check(options: &Options) -> Result<Vec<PlannedForesight>, CheckError> {
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
    Ok(found.into_iter().map(|entry| PlannedForesight { entry, known: None }).collect())
}

/// The foresights of a plan, for a search.
pub(crate) fn made<'a>(plan: &Plan, reducible: Option<Reducible<'a>>) -> Vec<Box<dyn Foresight + 'a>> {
    let Some(reducible) = reducible else { return Vec::new() };
    plan.foresights.iter().filter_map(|planned| planned.on(reducible)).collect()
}

fn find_out(entry: &ForesightEntry, known: Reducible<'_>, goal: &Goal) -> Result<Arc<dyn Foreknowledge>, NotHere> {
    let states = match goal {
        Goal::Violation(_) => Vec::new(),
        Goal::AcceptedRun(claim) => {
            let cubes = claim.forbidden_states().unwrap_or_default();
            cubes.into_iter().map(|cube| values(cube, visible(goal).propositions.len())).collect()
        }
    };
    let visible = Visible { one_is_enough: true, ..visible(goal) };
    (entry.find_out)(known.network, known.facts(), &LooksFor { visible: &visible, states: &states })
}

/// The values that a cube asks for, by the numbers of propositions.
fn values(cube: Cube, propositions: usize) -> Vec<(usize, bool)> {
    let is_set = |bits: u64, number: usize| bits >> number & 1 == 1;
    let asked = (0..propositions).filter(|number| is_set(cube.positive | cube.negative, *number));
    asked.map(|number| (number, is_set(cube.positive, number))).collect()
}

/// The plan with what its foresights know of the model that is searched; refuses those that do not
/// apply. If there is no time to find out, there will be none to search.
pub(super) fn found_out(
    plan: Plan,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    let mut result = Ok(());
    let mut foresights = plan.foresights.clone();
    let mut find = |known: Reducible<'_>| {
        if known.find_out(&options.limits.stop()).is_err() {
            return;
        }
        for planned in &mut foresights {
            match find_out(planned.entry, known, &question.goal) {
                Ok(found) => planned.known = Some(found),
                Err(NotHere(reason)) => result = Err(CheckError::not_here(planned.entry.part.name, &reason)),
            }
        }
    };
    if !plan.foresights.is_empty() {
        plan.analyse(system, &mut find);
    }
    result.map(|()| Plan { foresights, ..plan })
}
