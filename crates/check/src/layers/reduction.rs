//! What chooses among the transitions that leave a state, put together as the plan and the property
//! demand.

use ample_network::facts::TransitionId;
use ample_product::Fairness;
use ample_reduction::{
    Always, Close, CountingExpander, CycleConditionEntry, ExpanderEntry, ForRuns, Join, Notes, SpeculativeExpander,
    VisibilityFilter, changing_others,
};
use ample_replay::Forbids;
use ample_stdx::BitSet;
use ample_transition::{CycleCondition, Expander, Independence};

use crate::plan::Plan;
use crate::question::Goal;
use crate::system::Reducible;

/// An expander and its cycle condition, configured for a question.
pub struct ConfiguredReduction<'a> {
    /// What offers candidates for the reduced set of a state.
    pub expander: Box<dyn Expander + 'a>,
    /// Which candidates are accepted. For runs of a claim a first pass over the system alone asks
    /// the condition, and what was settled there is repeated; one that needs to know nothing of the
    /// search needs no such pass.
    pub condition: &'static dyn CycleCondition,
    /// Where it is noted which transitions were offered.
    pub notes: Option<(Reducible<'a>, &'a Notes)>,
    /// Makes the system in which the transitions that it offers are joined, if they are. The
    /// condition needs to know nothing of the search then.
    pub join: Option<Join>,
}

impl<'a> ConfiguredReduction<'a> {
    /// The same, with notes on what it offers.
    pub(crate) fn counted<'n>(self, known: Reducible<'n>, notes: &'n Notes) -> ConfiguredReduction<'n>
    where
        'a: 'n,
    {
        ConfiguredReduction { notes: Some((known, notes)), ..self }
    }

    /// The expander, which counts what it offers if that is wanted, and the condition.
    pub(crate) fn counting(self) -> (Box<dyn Expander + 'a>, &'static dyn CycleCondition) {
        (counting(self.expander, self.notes), self.condition)
    }
}

/// An expander with notes on what it offers, if they are wanted.
pub(crate) fn counting<'a>(
    expander: Box<dyn Expander + 'a>,
    notes: Option<(Reducible<'a>, &'a Notes)>,
) -> Box<dyn Expander + 'a> {
    match notes {
        Some((known, notes)) => Box::new(CountingExpander::new(expander, known.network, known.facts(), notes)),
        None => expander,
    }
}

/// For a question, if the plan has a reduction.
pub(crate) fn configured<'a>(
    plan: &Plan,
    reducible: Option<Reducible<'a>>,
    goal: &Goal,
) -> Option<ConfiguredReduction<'a>> {
    let (reduction, known) = plan.reduction.zip(reducible)?;
    let closures: Vec<Close> = plan.canonizers.iter().filter_map(|entry| entry.close).collect();
    let mut seen = Seen::by(known, goal).by_any();
    if plan.names_are_labels {
        seen.union_with(&known.facts().named(known.network));
    }
    configured_closed(reduction, known, goal, seen, &closures)
}

/// For a question, with these transitions in no proper subset.
pub(crate) fn configured_besides<'a>(
    reduction: (&ExpanderEntry, &CycleConditionEntry),
    known: Reducible<'a>,
    goal: &Goal,
    avoided: BitSet<TransitionId>,
) -> Option<ConfiguredReduction<'a>> {
    configured_closed(reduction, known, goal, avoided, &[])
}

/// The same, with what is decided before the search decided alike for transitions that canonizers
/// may take for each other.
fn configured_closed<'a>(
    (entry, condition): (&ExpanderEntry, &CycleConditionEntry),
    known: Reducible<'a>,
    goal: &Goal,
    avoided: BitSet<TransitionId>,
    closures: &[Close],
) -> Option<ConfiguredReduction<'a>> {
    let (network, facts) = (known.network, known.facts());
    let avoided = match condition.avoid {
        Some(avoid) => avoid(network, facts, avoided),
        None => avoided,
    };
    let avoided = closures.iter().fold(avoided, |avoided, close| close(network, facts, avoided));
    let condition = match goal {
        Goal::Violation(_) => condition.for_faults,
        Goal::AcceptedRun(_) => match condition.for_runs? {
            ForRuns::OnTheFly => &Always,
            ForRuns::TwoPasses(condition) => condition,
        },
    };
    let expander = applied(avoiding((entry.make)(network, facts), known, avoided), known);
    Some(ConfiguredReduction { expander, condition, notes: None, join: entry.join })
}

/// By what transitions sleep in a search for faults, if they do.
pub(crate) fn independence<'a>(plan: &Plan, reducible: Option<Reducible<'a>>) -> Option<Box<dyn Independence + 'a>> {
    let (entry, known) = plan.sleep.zip(reducible)?;
    Some((entry.make)(known.network, known.facts()))
}

/// The transitions that a question can see.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    /// For each proposition, those that may change it.
    pub by_propositions: Vec<BitSet<TransitionId>>,
    /// Those that fairness depends on, if it counts.
    pub by_fairness: BitSet<TransitionId>,
}

impl Seen {
    /// By a question: a search for faults sees nothing, since single processes do the same in every
    /// order.
    pub fn by(known: Reducible<'_>, goal: &Goal) -> Seen {
        let Goal::AcceptedRun(claim) = goal else { return Seen::default() };
        let facts = known.facts();
        let by_fairness = match claim.fairness {
            Fairness::None => BitSet::new(),
            Fairness::Weak => changing_others(facts),
        };
        Seen { by_propositions: facts.visible(known.network, claim.propositions()), by_fairness }
    }

    /// All of them.
    pub fn by_any(&self) -> BitSet<TransitionId> {
        let mut all = self.by_fairness.clone();
        for seen in &self.by_propositions {
            all.union_with(seen);
        }
        all
    }
}

/// The expander without what it must not choose.
pub(crate) fn avoiding<'a>(
    expander: Box<dyn Expander + 'a>,
    known: Reducible<'a>,
    avoided: BitSet<TransitionId>,
) -> Box<dyn Expander + 'a> {
    if avoided.is_empty() {
        return expander;
    }
    Box::new(VisibilityFilter::new(expander, known.network, known.facts(), avoided))
}

/// The expander for as long as it applies.
pub(crate) fn applied<'a>(expander: Box<dyn Expander + 'a>, known: Reducible<'a>) -> Box<dyn Expander + 'a> {
    let network = known.network;
    if network.is_guessed { Box::new(SpeculativeExpander::new(expander, network)) } else { expander }
}
