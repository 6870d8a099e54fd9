//! `--under visibility`: algorithm A (Brim, Černá, Moravec, Šimša 2005, Figure 1; line 3 means the
//! *sensitive* transitions).
//!
//! The sensitive transitions are none at first and grow inside the visible ones, under C0 to C3:
//! the real cycle condition, which looks at the system alone (theory.md 1.2). The approximation is
//! exact when every visible transition is sensitive, or was never in a proper subset: then the run
//! was one with C2. That takes at most one run for each visible transition, and one more.
//!
//! A search for faults sees no transition: assertions, run-time errors and end states are preserved
//! without C2, whatever is sensitive. So the first run is exact already, and is the one that
//! `--por` makes.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::facts::TransitionId;
use ample_reduction::{CycleConditionEntry, ExpanderEntry};
use ample_stdx::{BitSet, TypedId};

use super::approximation::{
    self, Approximation, BRIM, Ends, LeavesOut, Loop, Missing, Recent, Saw, Start, What, describe_transition,
};
use crate::error::CheckError;
use crate::layers::SearchLayers;
use crate::layers::reduction::{self, Seen};
use crate::options::{Begin, Options};
use crate::question::Goal;
use crate::run::iteration::Added;
use crate::system::Reducible;

/// Why a visible transition becomes sensitive.
const CHANGES: &str = "the property sees it";
const UNFAIR: &str = "it decides whether others can move";

/// Under-approximation by visibility: algorithm A.
pub static VISIBILITY: Part = Part {
    name: "visibility",
    kind: PartKind::Under,
    summary: "what the property sees is kept apart transition by transition, until all of it is",
    paper: Some(BRIM),
    guarantee: Guarantee::NOT_EXACT_YET,
};

/// The reduction of the exact approximation is that of the last one.
pub(super) const LOOP: Loop = Loop {
    part: &VISIBILITY,
    refuse,
    leaves_out: LeavesOut::Transitions { expander: &ample_reduction::STUBBORN, ends: Ends::AsAsked, begin },
};

fn refuse(options: &Options) -> Result<(), CheckError> {
    if approximation::begin(options) == Some(Begin::Visible) {
        let why =
            "--under visibility does not go with --begin visible: nothing is left to let in then; use --por alone";
        return Err(CheckError::Conflict(why.to_owned()));
    }
    Ok(())
}

fn begin<'a>(start: Start<'_, 'a>) -> Box<dyn Approximation<'a> + 'a> {
    let Start { plan, known, goal, .. } = start;
    let seen = Seen::by(known, goal);
    let goal = goal.clone();
    let (sensitive, recent) = (BitSet::new(), Recent::default());
    Box::new(Visibility { reduction: plan.reduction, known, goal, seen, sensitive, recent })
}

struct Visibility<'a> {
    reduction: Option<(&'static ExpanderEntry, &'static CycleConditionEntry)>,
    known: Reducible<'a>,
    goal: Goal,
    seen: Seen,
    sensitive: BitSet<TransitionId>,
    recent: Recent,
}

impl<'a> Approximation<'a> for Visibility<'a> {
    fn layers(&self) -> SearchLayers<'a> {
        let configured = self.reduction.and_then(|reduction| {
            reduction::configured_besides(reduction, self.known, &self.goal, self.sensitive.clone())
        });
        SearchLayers::reduced(configured)
    }

    fn saw(&mut self, seen: &Saw<'_>) {
        self.recent = Recent::of(self.known, seen);
    }

    fn missing(&self) -> Vec<Missing> {
        missing_visible(&self.seen, &self.sensitive, &self.recent)
    }

    fn describe(&self, missing: &Missing) -> Added {
        describe_transition(self.known, TransitionId::from_index(missing.what.0), missing.reason)
    }

    fn add(&mut self, What(number): What) {
        self.sensitive.insert(TransitionId::from_index(number));
    }
}

/// The visible transitions that are neither sensitive nor spared.
pub(super) fn missing_visible(seen: &Seen, sensitive: &BitSet<TransitionId>, recent: &Recent) -> Vec<Missing> {
    let mut rest = seen.by_any();
    rest.subtract(sensitive);
    rest.subtract(&recent.spared);
    let missing = |id: TransitionId| {
        let weight = seen.by_propositions.iter().filter(|changing| changing.contains(id)).count();
        let reason = if weight > 0 { CHANGES } else { UNFAIR };
        Missing { what: What(id.index()), reason, is_needed: true, weight, taken: recent.taken(id) }
    };
    rest.iter().map(missing).collect()
}
