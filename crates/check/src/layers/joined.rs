//! Transitions that follow each other, joined to one, between the ground and what stands on it.

use ample_replay::regroup;
use ample_search::{Found, SearchOutcome};
use ample_transition::{Fault, Move, Stretch, Successors, Trace};

use super::ground::Ground;
use super::reduction::ConfiguredReduction;

/// Calls `search` with the system in which transitions are joined, if the reduction joins them, and
/// takes the transitions of what it finds apart. A run that is none of the ground stays as it is:
/// the judge will not find it.
pub(crate) fn on_joined(
    ground: Ground<'_>,
    configured: Option<ConfiguredReduction<'_>>,
    search: impl FnOnce(Ground<'_>, Option<ConfiguredReduction<'_>>) -> SearchOutcome,
) -> SearchOutcome {
    let Some(join) = configured.as_ref().and_then(|configured| configured.join) else {
        return search(ground, configured);
    };
    let expander = configured.map(|configured| configured.counting().0);
    let Some(expander) = expander.as_deref() else { return search(ground, None) };
    let joined = join(ground.successors, expander);
    let outcome = search(Ground { successors: &*joined, assumptions: Some(expander), ..ground }, None);
    taken_apart(outcome, ground.successors)
}

/// What was found, each transition that stands for several of the ground taken apart. A run that is
/// none of the ground stays as it is.
pub(super) fn taken_apart(outcome: SearchOutcome, ground: &dyn Successors) -> SearchOutcome {
    let apart = |trace: Trace, fault: &Fault| {
        let moves_of = |_: &[u8], moves: &[Move]| moves.iter().copied().map(Stretch::Once).collect();
        regroup(ground, &trace, fault, &moves_of).unwrap_or(trace)
    };
    let of_found = |Found { fault, trace, longer }| {
        let (trace, longer) = (apart(trace, &fault), longer.map(|longer| apart(longer, &fault)));
        Found { fault, trace, longer }
    };
    SearchOutcome { violations: outcome.violations.into_iter().map(of_found).collect(), ..outcome }
}
