//! What chooses among the transitions that leave a state, put together as the plan and the property demand.

use ample_network::facts::TransitionId;
use ample_product::Fairness;
use ample_reduction::{According, Avoiding, CycleConditionEntry, ForRuns, WhileItFits, changing_others, sticky};
use ample_replay::Forbids;
use ample_stdx::BitSet;
use ample_transition::{CycleCondition, Expander, Independence};

use crate::Claim;
use crate::audit::Watched;
use crate::job::Reducible;
use crate::plan::Planned;

/// For a search for faults, with what the search has to look at.
pub(crate) fn for_faults<'a>(
    planned: &Planned,
    reducible: Option<Reducible<'a>>,
) -> Option<(Box<dyn Expander + 'a>, CycleCondition)> {
    let ((entry, condition), known) = planned.reduction.zip(reducible)?;
    let expander = (entry.make)(known.network, known.facts());
    Some((guarded(expander, condition, known, BitSet::new()), condition.for_faults))
}

/// By what transitions sleep in a search for faults, if they do.
pub(crate) fn independence<'a>(
    planned: &Planned,
    reducible: Option<Reducible<'a>>,
) -> Option<Box<dyn Independence + 'a>> {
    let known = reducible.filter(|_| planned.has_sleep)?;
    Some(Box::new(According::new(known.network, known.facts())))
}

/// For the runs of a claim; with the condition of the first pass if there are two.
pub(crate) fn for_runs<'a>(
    planned: &Planned,
    reducible: Option<Reducible<'a>>,
    claim: &Claim,
) -> Option<(Box<dyn Expander + 'a>, Option<CycleCondition>)> {
    let ((entry, condition), known) = planned.reduction.zip(reducible)?;
    let expander = (entry.make)(known.network, known.facts());
    let first_pass = match condition.for_runs? {
        ForRuns::OnTheFly => None,
        ForRuns::TwoPasses(condition) => Some(condition),
    };
    Some((guarded(expander, condition, known, visible(known, claim)), first_pass))
}

/// The transitions that the claim can see.
fn visible(known: Reducible<'_>, claim: &Claim) -> BitSet<TransitionId> {
    let facts = known.facts();
    let mut visible = match claim.fairness {
        Fairness::None => BitSet::new(),
        Fairness::Weak => changing_others(facts),
    };
    for proposition in facts.visible(known.network, claim.propositions()) {
        visible.union_with(&proposition);
    }
    visible
}

/// The expander without what it must not choose, and for as long as it applies.
fn guarded<'a>(
    expander: Box<dyn Expander + 'a>,
    condition: &CycleConditionEntry,
    known: Reducible<'a>,
    visible: BitSet<TransitionId>,
) -> Box<dyn Expander + 'a> {
    let (network, facts) = (known.network, known.facts());
    let avoided = if condition.is_sticky { sticky(network, facts, visible) } else { visible };
    let expander: Box<dyn Expander + 'a> =
        if avoided.is_empty() { expander } else { Box::new(Avoiding::new(expander, network, facts, avoided)) };
    let expander = if network.is_guessed { Box::new(WhileItFits::new(expander, network)) } else { expander };
    match known.watch {
        Some(watch) => Box::new(Watched { expander, watch }),
        None => expander,
    }
}
