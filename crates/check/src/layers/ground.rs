//! The innermost layers: the successors of the system, as they are or in canonical form.

use ample_network::Network;
use ample_reduction::{CanonizerEntry, NotHere, SpeculativeCanonizer, Visible};
use ample_replay::concretize;
use ample_search::{Found, SearchOutcome};
use ample_transition::{Canonized, Canonizer, Chain, Successors};

use crate::plan::Plan;
use crate::plan::visible::visible;
use crate::question::Goal;
use crate::system::{Reducible, System};

/// What canonizes the states of a search, if the plan has it so and there is something to do.
pub(crate) fn canonizer<'a>(
    plan: &Plan,
    reducible: Option<Reducible<'a>>,
    goal: &Goal,
) -> Option<Box<dyn Canonizer + 'a>> {
    let known = reducible.filter(|_| !plan.canonizers.is_empty())?;
    let visible = visible(goal);
    let made = |entry: &&'static CanonizerEntry| make(entry, known, &visible).ok().flatten();
    let canonizers: Vec<_> = plan.canonizers.iter().filter_map(made).collect();
    if canonizers.is_empty() {
        return None;
    }
    Some(speculative(Box::new(Chain { canonizers }), known.network))
}

/// Whether a canonizer has something to do for a question, or why it does not apply.
pub(crate) fn applies(entry: &CanonizerEntry, known: Reducible<'_>, goal: &Goal) -> Result<bool, NotHere> {
    Ok(make(entry, known, &visible(goal))?.is_some())
}

fn make<'a>(
    entry: &CanonizerEntry,
    known: Reducible<'a>,
    visible: &Visible<'_>,
) -> Result<Option<Box<dyn Canonizer + 'a>>, NotHere> {
    (entry.make)(known.network, known.facts(), visible)
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
}

/// Calls `search` with the system in the forms that the canonizer gives it, and rebuilds what it
/// finds as runs of the system itself. A run that cannot be rebuilt stays as it is: the judge will
/// not find it.
pub(crate) fn on_ground(
    system: &System<'_>,
    canonizer: Option<&dyn Canonizer>,
    search: impl FnOnce(Ground<'_>) -> SearchOutcome,
) -> SearchOutcome {
    let Some(canonizer) = canonizer else {
        return search(Ground { successors: system.successors, canonizer: None });
    };
    let canonized = Canonized { system: system.successors, canonizer };
    let outcome = search(Ground { successors: &canonized, canonizer: Some(canonizer) });
    let rebuilt = |trace| concretize(system.successors, canonizer, &trace).unwrap_or(trace);
    let rebuild = |Found { fault, trace, longer }| Found { fault, trace: rebuilt(trace), longer: longer.map(rebuilt) };
    SearchOutcome { violations: outcome.violations.into_iter().map(rebuild).collect(), ..outcome }
}
