//! `--under cycles`: algorithm B (Brim, Černá, Moravec, Šimša 2005, Figure 2; line 2 means the
//! *visible* transitions, line 3 the *sensitive* ones, and line 8 picks from those that are visible
//! and not sensitive).
//!
//! As algorithm A, but C3 is replaced by the weaker C3~: from every state a fully expanded one can
//! be reached. In depth-first order that is so if not all successors are on the stack (Figure 3,
//! which lacks a `pop` after the recursive call); in any order and on any number of threads if one
//! of them is new, or still to be expanded. C3~ speaks of the system, not of its product with an
//! automaton: what is taken is settled in a first pass over the system alone.
//!
//! With `--begin visible` they are from the beginning, as in the paper's Table 2: what remains is
//! the influence of C3~ alone.
//!
//! When all visible transitions are sensitive, those follow that are on insensitive cycles of some
//! process's control flow. The approximation is exact when there is no such cycle left. Then the
//! sensitive transitions are sticky, C3 holds by itself, and what is taken is a function of the
//! state: no first pass is needed. It is exact as well if there is no such cycle among the
//! transitions that were in proper subsets: a cycle of states that are all expanded in part would
//! have gone through one.
//!
//! For faults C3~ is all that is needed, so that the first run is exact already.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::facts::TransitionId;
use ample_reduction::{Always, CYCLE_CONDITIONS, ExpanderEntry, SomeNew, on_insensitive_cycles};
use ample_stdx::{BitSet, TypedId};
use ample_transition::CycleCondition;

use super::approximation::{
    self, Approximation, BRIM, Ends, LeavesOut, Loop, Missing, Recent, Saw, Start, What, describe_transition,
};
use super::visibility::missing_visible;
use crate::error::CheckError;
use crate::layers::SearchLayers;
use crate::layers::reduction::{self, ConfiguredReduction, Seen};
use crate::options::{Begin, Choice, Options};
use crate::plan::Plan;
use crate::question::Goal;
use crate::run::iteration::Added;
use crate::system::Reducible;

/// Why a transition on a cycle becomes sensitive.
const CYCLE: &str = "it closes a cycle of its process";

/// The cycle conditions that are C3~ and no more.
const WEAK: [&str; 3] = [ample_reduction::STACK.name, ample_reduction::NEW.name, ample_reduction::OPEN.name];

/// Under-approximation by the cycle condition: algorithm B.
pub static CYCLES: Part = Part {
    name: "cycles",
    kind: PartKind::Under,
    summary: "the same, with a weaker cycle condition; then transitions on cycles, until every cycle has one",
    paper: Some(BRIM),
    guarantee: Guarantee::NOT_EXACT_YET,
};

/// In the end sensitive transitions are sticky. For faults the condition stays what it is.
pub(super) const LOOP: Loop = Loop {
    part: &CYCLES,
    refuse,
    leaves_out: LeavesOut::Transitions { expander: &ample_reduction::STUBBORN, ends: Ends::StickyForRuns, begin },
};

fn refuse(options: &Options) -> Result<(), CheckError> {
    if let Choice::Named(name) = &options.cycle_condition
        && !WEAK.contains(&name.as_str())
    {
        let why = format!(
            "--under cycles does not go with --proviso {name}: it begins with a weaker condition; use {}",
            WEAK.join(", ")
        );
        return Err(CheckError::Conflict(why));
    }
    Ok(())
}

fn begin<'a>(start: Start<'_, 'a>) -> Box<dyn Approximation<'a> + 'a> {
    let Start { options, plan, known, goal } = start;
    if let Goal::Violation(_) = goal {
        return Box::new(Exact { plan: plan.clone(), known, goal: goal.clone() });
    }
    let seen = Seen::by(known, goal);
    Box::new(Cycles {
        expander: plan.reduction.map(|(expander, _)| expander),
        condition: condition(options, plan),
        known,
        sensitive: match approximation::begin(options) {
            Some(Begin::Visible) => seen.by_any(),
            Some(Begin::None) | None => BitSet::new(),
        },
        seen,
        recent: Recent::default(),
    })
}

/// C3~ as it is asked for; else as in the paper, unless there are several threads.
fn condition(options: &Options, plan: &Plan) -> &'static dyn CycleCondition {
    let name = match &options.cycle_condition {
        Choice::Named(name) => name,
        Choice::Auto if plan.threads > 1 => ample_reduction::NEW.name,
        Choice::Auto => ample_reduction::STACK.name,
    };
    let entry = CYCLE_CONDITIONS.iter().find(|entry| entry.part.name == name);
    entry.map_or(&SomeNew, |entry| entry.for_faults)
}

struct Cycles<'a> {
    expander: Option<&'static ExpanderEntry>,
    condition: &'static dyn CycleCondition,
    known: Reducible<'a>,
    seen: Seen,
    sensitive: BitSet<TransitionId>,
    recent: Recent,
}

impl Cycles<'_> {
    /// The transitions on cycles without one of these; those that are enough to break them all are
    /// needed.
    fn missing_cycles(&self, kept_apart: &BitSet<TransitionId>) -> Vec<Missing> {
        let (network, facts) = (self.known.network, self.known.facts());
        let breaking = ample_reduction::sticky(network, facts, kept_apart.clone());
        let missing = |id: TransitionId| Missing {
            what: What(id.index()),
            reason: CYCLE,
            is_needed: breaking.contains(id),
            weight: 0,
            taken: self.recent.taken(id),
        };
        on_insensitive_cycles(network, facts, kept_apart).iter().map(missing).collect()
    }
}

impl<'a> Approximation<'a> for Cycles<'a> {
    fn layers(&self) -> SearchLayers<'a> {
        let (network, facts) = (self.known.network, self.known.facts());
        let is_sticky = on_insensitive_cycles(network, facts, &self.sensitive).is_empty();
        let condition = if is_sticky { &Always } else { self.condition };
        SearchLayers::reduced(self.expander.map(|entry| {
            let expander = reduction::avoiding((entry.make)(network, facts), self.known, self.sensitive.clone());
            ConfiguredReduction {
                expander: reduction::applied(expander, self.known),
                condition,
                notes: None,
                join: None,
            }
        }))
    }

    fn saw(&mut self, seen: &Saw<'_>) {
        self.recent = Recent::of(self.known, seen);
    }

    fn missing(&self) -> Vec<Missing> {
        let visible = missing_visible(&self.seen, &self.sensitive, &self.recent);
        if !visible.is_empty() {
            return visible;
        }
        let mut kept_apart = self.sensitive.clone();
        kept_apart.union_with(&self.recent.spared);
        self.missing_cycles(&kept_apart)
    }

    fn describe(&self, missing: &Missing) -> Added {
        describe_transition(self.known, TransitionId::from_index(missing.what.0), missing.reason)
    }

    fn add(&mut self, What(number): What) {
        self.sensitive.insert(TransitionId::from_index(number));
    }
}

/// For faults: the reduced search as it is planned. Nothing is missing.
struct Exact<'a> {
    plan: Plan,
    known: Reducible<'a>,
    goal: Goal,
}

impl<'a> Approximation<'a> for Exact<'a> {
    fn layers(&self) -> SearchLayers<'a> {
        SearchLayers::reduced(reduction::configured(&self.plan, Some(self.known), &self.goal))
    }

    fn saw(&mut self, _: &Saw<'_>) {}

    fn missing(&self) -> Vec<Missing> {
        Vec::new()
    }

    fn describe(&self, missing: &Missing) -> Added {
        describe_transition(self.known, TransitionId::from_index(missing.what.0), missing.reason)
    }

    fn add(&mut self, _: What) {}
}
