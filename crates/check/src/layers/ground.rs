//! The innermost layers: the successors of the system, as they are or in canonical form.

use ample_network::Network;
use ample_reduction::SpeculativeCanonizer;
use ample_replay::{concretize, concretize_fault};
use ample_search::{Found, SearchOutcome};
use ample_stdx::Stop;
use ample_transition::{Canonized, Canonizer, Chain, Cover, Expander, Successors, Trace};

use crate::plan::{Plan, canonizers};
use crate::question::Goal;
use crate::system::{Reducible, System};

/// What canonizes the states of a search, if the plan has it so and there is something to do.
pub(crate) fn canonizer<'a>(
    plan: &Plan,
    reducible: Option<Reducible<'a>>,
    goal: &Goal,
    stop: &Stop,
) -> Option<Box<dyn Canonizer + 'a>> {
    let known = reducible.filter(|_| !plan.canonizers.is_empty())?;
    let mut canonizers = canonizers::made(plan, known, goal, stop);
    let last = canonizers.pop()?;
    if canonizers.is_empty() {
        return Some(speculative(last, known.network));
    }
    canonizers.push(last);
    Some(speculative(Box::new(Chain { canonizers }), known.network))
}

fn speculative<'a>(canonizer: Box<dyn Canonizer + 'a>, network: &'a Network<'a>) -> Box<dyn Canonizer + 'a> {
    if network.is_guessed { Box::new(SpeculativeCanonizer::new(canonizer, network)) } else { canonizer }
}

/// What a reduction and a product stand on.
#[derive(Copy, Clone)]
pub(crate) struct Ground<'g> {
    pub successors: &'g dyn Successors,
    /// What stands for its states, if not they themselves do.
    pub canonizer: Option<&'g dyn Canonizer>,
    /// What covers the states of a search on it.
    pub cover: Option<&'g dyn Cover>,
    /// What joins transitions, on assumptions that may fail.
    pub assumptions: Option<&'g dyn Expander>,
}

/// Calls `search` with the system in the forms that the canonizer gives it, and rebuilds what it
/// finds as runs of the system itself. A run that cannot be rebuilt stays as it is: the judge will
/// not find it.
pub(crate) fn on_ground(
    system: &System<'_>,
    canonizer: Option<&dyn Canonizer>,
    cover: Option<&dyn Cover>,
    search: impl FnOnce(Ground<'_>) -> SearchOutcome,
) -> SearchOutcome {
    let successors = system.successors;
    let Some(canonizer) = canonizer else {
        return search(Ground { successors, canonizer: None, cover, assumptions: None });
    };
    let canonized = Canonized { system: successors, canonizer };
    let outcome = search(Ground { successors: &canonized, canonizer: Some(canonizer), cover, assumptions: None });
    let rebuilt = |trace: Trace| concretize(system.successors, canonizer, &trace).unwrap_or(trace);
    let rebuild = |Found { fault, trace, longer }| {
        let met = concretize_fault(system.successors, canonizer, &trace, &fault);
        let (trace, fault) = met.unwrap_or((trace, fault));
        Found { fault, trace, longer: longer.map(rebuilt) }
    };
    SearchOutcome { violations: outcome.violations.into_iter().map(rebuild).collect(), ..outcome }
}
