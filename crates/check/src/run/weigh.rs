//! Which of several plans answers a question soonest, as far as the beginnings of their searches
//! tell.
//!
//! Each plan is tried for a slice of its search, counted in states. What a state costs is measured;
//! how many there will be is guessed from how many transitions leave a state: a reduction that
//! leaves out a share of them, in the same order of search, leaves out more than that of the
//! states, since what is left out leads on. The square is a guess that fits most of the models that
//! `ample bench spin` measures; no beginning of a search tells for sure.

use ample_search::{Ended, Limits, SearchOutcome};

use super::context::SearchContext;
use crate::plan::Plan;
use crate::question::Goal;

/// So many states are stored to see what a plan costs.
const SLICE: u64 = 20_000;

/// A reduction that leaves less than this share of the transitions out is not worth a thought.
const WORTHWHILE: f64 = 0.03;

/// What is known of a plan.
pub(super) struct Weighed {
    pub(super) plan: Plan,
    /// What a state costs, in seconds.
    seconds: f64,
    /// How many transitions leave a state.
    transitions: f64,
    /// Whether the slice was all, or has found something.
    is_over: bool,
}

impl Weighed {
    /// What a search that was cut off tells of its plan.
    pub(super) fn of(plan: &Plan, outcome: &SearchOutcome) -> Weighed {
        let states = outcome.counts.states.max(1) as f64;
        let (seconds, transitions) = (outcome.seconds / states, outcome.counts.transitions as f64 / states);
        let is_over = matches!(outcome.ended, Ended::Complete | Ended::FirstViolation);
        Weighed { plan: plan.clone(), seconds, transitions, is_over }
    }

    /// What the first slice of a search tells of its plan.
    pub(super) fn by_slice(context: &mut SearchContext<'_, '_>, plan: &Plan, goal: &Goal) -> Weighed {
        let limits = Limits { max_states: Some(SLICE), ..context.limits.clone() };
        let outcome = context.within(limits).search(plan, goal);
        Weighed::of(plan, &outcome)
    }

    /// The cost of the search for each state of the full one, if that has so many transitions a
    /// state in the same order.
    fn cost(&self, full: f64) -> f64 {
        let left = self.transitions / full.max(f64::MIN_POSITIVE);
        match self.is_over {
            true => 0.0,
            false if left > 1.0 - WORTHWHILE => f64::INFINITY,
            false => self.seconds * left * left,
        }
    }
}

/// The reduced plan that is worth it, if one is. `full` is the full search as it would go on, and
/// `alike` the full search in the order of the reduced ones.
pub(super) fn best(full: &Weighed, alike: &Weighed, reduced: Vec<Weighed>) -> Option<Plan> {
    let cost = |weighed: &Weighed| weighed.cost(alike.transitions);
    let best = reduced.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
    (cost(&best) < full.seconds).then_some(best.plan)
}
