//! The parts chosen for a search: from options to a plan, or why there is none.

pub(crate) mod automatic;
pub(crate) mod canonizers;
mod choose;
pub(crate) mod classes;
pub(crate) mod covers;
mod decided;
pub(crate) mod foresights;
mod matching;
mod passes;
mod planned_foresight;
mod refuse;
mod rewriting;
pub(crate) mod visible;

use std::sync::Arc;

use ample_guarantee::{Guarantee, Part, Parts};
use ample_model::Expr;
use ample_reduction::{
    CanonizerEntry, ClassesEntry, CoverEntry, CycleConditionEntry, ExpanderEntry, PassEntry, SleepEntry,
};
use ample_search::{EmptinessEntry, ORDERS, OrderEntry, Search, SearchOutcome, dfs};
use ample_store::{STORES, SUBSUMING, StoreEntry};
use ample_transition::CycleCondition;

use crate::system::{Reducible, System};

pub(crate) use choose::{cycle_condition, sleep_sets};
pub(crate) use decided::{checked, for_graph, plan, plan_reduced_by};
pub(crate) use passes::rewritten;
pub(crate) use planned_foresight::PlannedForesight;
pub(crate) use refuse::{check_all_apply, check_fairness};
pub(crate) use rewriting::Rewriting;

/// The parts chosen for a search, with what is needed to run it.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The parts, for the decision.
    pub parts: Parts,
    pub execution: &'static Part,
    pub looking_for: LookingFor,
    pub algorithm: Algorithm,
    pub store: &'static StoreEntry,
    pub threads: usize,
    pub reduction: Option<(&'static ExpanderEntry, &'static CycleConditionEntry)>,
    /// By what transitions sleep, if they do.
    pub sleep: Option<&'static SleepEntry>,
    /// What rewrites the model, in this order.
    pub passes: Vec<&'static PassEntry>,
    /// The model that these passes have made, if they found something to rewrite.
    pub rewriting: Option<Arc<Rewriting>>,
    /// What gives states their canonical forms, in this order.
    pub canonizers: Vec<&'static CanonizerEntry>,
    /// By what states need not be explored because others cover them.
    pub cover: Option<&'static CoverEntry>,
    /// Who knows what lies ahead of states, in the order in which they are asked.
    pub foresights: Vec<PlannedForesight>,
    /// The values of these expressions are remembered of a state, if there are any.
    pub matching: Arc<[Expr]>,
    /// Whether the names of edges are seen: it is made for a graph.
    pub names_are_labels: bool,
}

impl Plan {
    /// Whether it has a reduction, a canonizer, a cover or a foresight, for which processes must be
    /// known.
    pub fn is_reduced(&self) -> bool {
        self.uses_facts() || !self.foresights.is_empty()
    }

    /// Whether something in its search is made of static facts. Foresights have used them before.
    fn uses_facts(&self) -> bool {
        self.reduction.is_some() || self.sleep.is_some() || !self.canonizers.is_empty() || self.cover.is_some()
    }

    /// The store of a second search, which finds a trace to a violation: that of the plan if it
    /// never confuses states, else the default one. A second search with a store that misses states
    /// might not find what the first one has found.
    pub fn exact_store(&self) -> &'static StoreEntry {
        if self.store.part.guarantee == Guarantee::EXACT { self.store } else { &STORES[0] }
    }

    /// What remembers states.
    pub fn store_part(&self) -> &'static Part {
        if self.cover.is_some() { &SUBSUMING } else { self.store.part }
    }

    /// Whether its search needs static facts.
    pub fn needs_facts(&self) -> bool {
        self.uses_facts() || matches!(self.algorithm, Algorithm::Classes(_))
    }

    /// Calls `then` with what is known of the model that is searched: the one that passes have
    /// made, if they have made one. `false` if there is nobody to ask.
    fn analyse(&self, system: &System<'_>, then: &mut dyn FnMut(Reducible<'_>)) -> bool {
        match (&self.rewriting, system.prepare, system.reducible) {
            (Some(rewriting), Some(prepare), _) => prepare.analyse(&rewriting.model, then),
            (_, _, Some(known)) => then(known),
            _ => return false,
        }
        true
    }

    /// Puts the parts together for the decision.
    fn assembled(self) -> Plan {
        let mut parts = Parts::new(self.execution, self.store_part(), self.algorithm.part());
        if let Some((expander, condition)) = self.reduction {
            parts = parts.with(expander.part).with(condition.part);
        }
        if self.looking_for == LookingFor::Faults {
            parts = parts.for_faults();
        }
        let sleep = self.sleep.map(|entry| entry.part);
        let passes = self.passes.iter().map(|entry| entry.part);
        let canonizers = self.canonizers.iter().map(|entry| entry.part);
        let matching = (!self.matching.is_empty()).then_some(&ample_store::MATCH);
        let cover = self.cover.map(|entry| entry.part);
        let foresights = self.foresights.iter().map(PlannedForesight::part);
        let more = sleep.into_iter().chain(passes).chain(canonizers).chain(cover).chain(foresights).chain(matching);
        let parts = more.fold(parts, Parts::with);
        Plan { parts, ..self }
    }

    /// The same search with this reduction.
    pub fn with_reduction(&self, expander: &'static ExpanderEntry, condition: &'static CycleConditionEntry) -> Plan {
        Plan { reduction: Some((expander, condition)), ..self.clone() }.assembled()
    }

    /// The same search of a model that this pass, too, rewrites.
    pub fn with_pass(&self, pass: &'static PassEntry) -> Plan {
        let passes = self.passes.iter().copied().chain([pass]).collect();
        Plan { passes, ..self.clone() }.assembled()
    }

    /// The same search of states in canonical form.
    pub fn with_canonizers(&self, canonizers: Vec<&'static CanonizerEntry>) -> Plan {
        Plan { canonizers, ..self.clone() }.assembled()
    }

    /// The same search with these foresights alone.
    pub fn with_foresights(&self, foresights: Vec<PlannedForesight>) -> Plan {
        Plan { foresights, ..self.clone() }.assembled()
    }

    /// The same search with another algorithm, on so many threads.
    pub fn with_algorithm(&self, algorithm: Algorithm, threads: usize) -> Plan {
        Plan { algorithm, threads, ..self.clone() }.assembled()
    }

    /// The same search with all transitions, of states as they are.
    pub fn without_reduction(&self) -> Plan {
        let algorithm = match self.algorithm {
            Algorithm::Classes(_) => ORDERS.first().map_or(self.algorithm, Algorithm::Order),
            other => other,
        };
        let parts = self.parts.clone().with_all_transitions().without_canonizers().with(algorithm.part());
        debug_assert!(self.cover.is_none(), "a cover rests on no assumption that may fail");
        Plan { parts, algorithm, reduction: None, sleep: None, canonizers: Vec::new(), ..self.clone() }
    }

    /// The search of an under-approximation that is exact.
    pub fn exact(&self) -> Plan {
        Plan { parts: self.parts.clone().exact(), ..self.clone() }
    }

    /// The search of one that is not: the cycle condition is that of the exact one.
    pub fn inexact(&self) -> Plan {
        Plan { parts: self.parts.clone().without_cycle_condition(), ..self.clone() }
    }
}

impl Plan {
    /// In which order, and on how many threads, the system alone is visited to settle which
    /// transitions are taken: as the plan has it if the condition goes with any order, else depth
    /// first.
    pub fn first_pass(&self, condition: &dyn CycleCondition) -> (fn(Search<'_>) -> SearchOutcome, usize) {
        let any_order = condition.needs().settles_in_any_order();
        match (self.algorithm, ORDERS.first()) {
            (Algorithm::Order(order), _) if any_order => (order.run, self.threads),
            (Algorithm::Emptiness(_), Some(order)) if any_order && self.threads > 1 => (order.run, self.threads),
            _ => (dfs, 1),
        }
    }
}

/// What a search is for: a reduction of runs must see what they show.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum LookingFor {
    Faults,
    Runs,
}

/// How states are searched.
#[derive(Copy, Clone)]
pub(crate) enum Algorithm {
    /// For faults, in some order.
    Order(&'static OrderEntry),
    /// For faults, depth first, with the class of each state.
    Classes(&'static ClassesEntry),
    /// For accepted runs.
    Emptiness(&'static EmptinessEntry),
}

impl Algorithm {
    pub fn part(self) -> &'static Part {
        match self {
            Algorithm::Order(entry) => entry.part,
            Algorithm::Classes(entry) => entry.part,
            Algorithm::Emptiness(entry) => entry.part,
        }
    }
}
