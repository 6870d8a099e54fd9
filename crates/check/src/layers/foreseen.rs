//! What is known to lie ahead of states, between the ground and what stands on it.

use ample_replay::Forbids;
use ample_search::SearchOutcome;
use ample_transition::{Foreseen, Foresight, IsError, Outlook};

use super::ground::Ground;
use super::joined::taken_apart;
use super::pool::KnownTypical;
use crate::plan::{Plan, PlannedForesight};
use crate::question::Goal;
use crate::system::System;

/// Those foresights of a plan that may have something to say of a typical state of the system. The
/// others would be asked in each state, for nothing.
pub(crate) fn useful(plan: &Plan, system: &System<'_>, typical: &KnownTypical) -> Vec<PlannedForesight> {
    let states = typical.of(system.successors);
    let has_something_to_say = |planned: &&PlannedForesight| {
        let foresight = system.reducible.and_then(|reducible| planned.on(reducible));
        // Where no state is typical, nothing is known of that.
        foresight.is_some_and(|one| states.is_empty() || states.iter().any(|state| one.may_say(state)))
    };
    plan.foresights.iter().filter(has_something_to_say).cloned().collect()
}

/// Calls `search` with the system in which what lies ahead is known, if there is somebody who knows
/// it, and takes the ways to errors apart in what it finds. A run that is none of the ground stays
/// as it is: the judge will not find it.
pub(crate) fn on_foreseen(
    system: &System<'_>,
    ground: Ground<'_>,
    foresights: &[Box<dyn Foresight + '_>],
    goal: &Goal,
    search: impl FnOnce(Ground<'_>) -> SearchOutcome,
) -> SearchOutcome {
    if foresights.is_empty() {
        return search(ground);
    }
    let claim = match goal {
        Goal::Violation(_) => None,
        Goal::AcceptedRun(claim) => Some(claim),
    };
    let propositions = claim.map(|claim| system.propositions.make(claim.propositions()));
    let forbidden = claim.and_then(|claim| claim.forbidden_states()).unwrap_or_default();
    let is_forbidden = |state: &[u8]| {
        let letter = propositions.as_ref().and_then(|propositions| propositions.letter(state).ok());
        letter.is_some_and(|letter| forbidden.iter().any(|cube| cube.accepts(letter)))
    };
    let is_error: Option<IsError<'_>> = if claim.is_some() { Some(&is_forbidden) } else { None };
    let outlook = Outlook { system: ground.successors, is_error };
    let foreseen = Foreseen { outlook, foresights };
    let outcome = search(Ground { successors: &foreseen, ..ground });
    taken_apart(outcome, ground.successors)
}
