//! What does not go together.

use ample_guarantee::PropertyClass;
use ample_transition::Marks;

use super::{Algorithm, Plan, PlannedForesight};
use crate::error::CheckError;
use crate::options::{Choice, Options};
use crate::system::System;

/// Refuses options that nothing in these plans asks for.
pub(crate) fn check_all_apply(options: &Options, plans: &[&Plan], has_claims: bool) -> Result<(), CheckError> {
    let conflict = |what: String, why: &str| Err(CheckError::Conflict(format!("{what} does not apply: {why}")));
    let has_order = plans.iter().any(|plan| matches!(plan.algorithm, Algorithm::Order(_) | Algorithm::Classes(_)));
    let has_emptiness = plans.iter().any(|plan| matches!(plan.algorithm, Algorithm::Emptiness(_)));
    match (&options.order, &options.emptiness, options.fairness.name()) {
        (Choice::Named(name), _, _) if !has_order => {
            conflict(format!("--order {name}"), "no property asks for a search for faults")
        }
        (_, Choice::Named(name), _) if !has_emptiness => {
            conflict(format!("--emptiness {name}"), "no property is about infinite runs")
        }
        (_, _, Some(fair)) if !has_claims => conflict(format!("--fair {fair}"), "no property is about infinite runs"),
        _ => Ok(()),
    }
}

/// Refuses fairness where there may be more processes than can be told apart.
pub(crate) fn check_fairness(options: &Options, max_processes: u16) -> Result<(), CheckError> {
    match options.fairness.name() {
        Some(fair) if usize::from(max_processes) > Marks::MAX_PROCESSES => Err(CheckError::Conflict(format!(
            "--fair {fair} does not go with --max-processes {max_processes}: it looks after no more than {} processes",
            Marks::MAX_PROCESSES
        ))),
        _ => Ok(()),
    }
}

/// Refuses a reduction where the processes are not known.
pub(crate) fn check_reduction(plan: &Plan, system: &System<'_>) -> Result<(), CheckError> {
    let is_reduced = plan.is_reduced();
    match system.reducible {
        _ if !is_reduced => Ok(()),
        Some(known) if known.network.is_guessed => check_on_guess(plan),
        Some(_) => Ok(()),
        None => {
            let named = plan.sleep.map(|entry| entry.part).or(plan.canonizers.first().map(|entry| entry.part));
            let named = named.or(plan.cover.map(|entry| entry.part));
            let named = named.or(plan.foresights.first().map(PlannedForesight::part));
            let flag = match plan.reduction {
                Some((expander, _)) => format!("--por {}", expander.part.name),
                None => format!("--reduce {}", named.map_or("", |part| part.name)),
            };
            let why = system.why_not_reducible();
            Err(CheckError::Conflict(format!("{flag} cannot be used here: the processes are not known, since {why}")))
        }
    }
}

/// Refuses a reduction that need not notice that a guess of the processes is wrong: that is local
/// reachability, whatever the property needs
/// ([`SpeculativeExpander`](ample_reduction::SpeculativeExpander) has the argument).
fn check_on_guess(plan: &Plan) -> Result<(), CheckError> {
    let condition = match plan.reduction {
        Some((_, condition)) if !plan.parts.preserves(PropertyClass::LocalReachability) => condition.part.name,
        _ => return Ok(()),
    };
    Err(CheckError::Conflict(format!(
        "--proviso {condition} cannot be used here: the processes of this model are guessed, and what shows that the guess is wrong may \
         be put off for ever; use another --proviso, or leave it out"
    )))
}
