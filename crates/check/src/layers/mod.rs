//! What a search explores, built in one place: the product of a claim with what a reduction leaves
//! of the system.
//!
//! From the inside: the successors of the system; their canonical forms ([`ground`]); what is known
//! to lie ahead of them ([`foreseen`]); [`Reduced`],
//! if a reduction settles beforehand what is taken, or transitions that are [`joined`];
//! [`Product`], if the question is about whole runs. A reduction of a search for faults is applied
//! by the search itself, which sees whether states are new.

pub(crate) mod foreseen;
pub(crate) mod ground;
pub(crate) mod joined;
pub(crate) mod pool;
pub(crate) mod reduction;
pub(crate) mod valuation;

use ample_model::Expr;
use ample_product::{Fairness, Product};
use ample_reduction::{Notes, Reduced};
use ample_replay::Forbids;
use ample_search::Acceptance;
use ample_stdx::Stop;
use ample_store::Abstraction;
use ample_transition::{
    Canonizer, Cover, CycleCondition, DecisionLog, Expander, FaultKind, Foresight, Independence, Successors,
};

use self::ground::Ground;
use self::reduction::ConfiguredReduction;
pub use self::valuation::Matching;
use self::valuation::{MatchedProduct, Valuation};
use crate::claim::Claim;
use crate::claim::vacuity::Noted;
use crate::plan::{Plan, covers, foresights};
use crate::question::Goal;
use crate::system::{Reducible, System};

/// What is put between the system and a search for a question.
#[derive(Default)]
pub struct SearchLayers<'a> {
    /// What chooses among transitions; all are taken if nothing does.
    pub reduction: Option<ConfiguredReduction<'a>>,
    /// What canonizes states.
    pub canonizer: Option<Box<dyn Canonizer + 'a>>,
    /// What covers states.
    pub cover: Option<Box<dyn Cover + 'a>>,
    /// Who knows what lies ahead of states.
    pub foresights: Vec<Box<dyn Foresight + 'a>>,
    /// What is remembered of states instead of them.
    pub matching: Option<Box<dyn Matching + 'a>>,
}

impl<'a> SearchLayers<'a> {
    /// As a plan has it.
    pub(crate) fn of(plan: &Plan, reducible: Option<Reducible<'a>>, goal: &Goal, stop: &Stop) -> SearchLayers<'a> {
        let reduction = reduction::configured(plan, reducible, goal);
        let (canonizer, cover) = (ground::canonizer(plan, reducible, goal, stop), covers::made(plan, reducible, goal));
        let foresights = foresights::made(plan, reducible);
        SearchLayers { reduction, canonizer, cover, foresights, matching: None }
    }

    /// A reduction alone.
    pub fn reduced(reduction: Option<ConfiguredReduction<'a>>) -> SearchLayers<'a> {
        SearchLayers { reduction, ..SearchLayers::default() }
    }

    /// What states are matched by alone.
    pub fn matched(matching: Box<dyn Matching + 'a>) -> SearchLayers<'a> {
        SearchLayers { matching: Some(matching), ..SearchLayers::default() }
    }

    /// The same, with the canonizers of a plan if there are none.
    pub(crate) fn besides(self, plan: &Plan, known: Reducible<'a>, goal: &Goal, stop: &Stop) -> SearchLayers<'a> {
        let canonizer = self.canonizer.or_else(|| ground::canonizer(plan, Some(known), goal, stop));
        SearchLayers { canonizer, ..self }
    }

    /// The same, with notes on what the reduction offers.
    pub(crate) fn counted<'n>(self, known: Reducible<'n>, notes: &'n Notes) -> SearchLayers<'n>
    where
        'a: 'n,
    {
        let reduction = self.reduction.map(|reduction| reduction.counted(known, notes));
        SearchLayers {
            reduction,
            canonizer: self.canonizer,
            cover: self.cover,
            foresights: self.foresights,
            matching: self.matching,
        }
    }
}

/// What one search is about.
pub(crate) struct SearchSpec<'s> {
    /// The outermost layer.
    pub system: &'s dyn Successors,
    /// The faults that count.
    pub wanted: &'s [FaultKind],
    /// What chooses among transitions in the search, and its cycle condition.
    pub reduction: Option<(&'s dyn Expander, &'s dyn CycleCondition)>,
    /// Told what the search settles for.
    pub log: Option<&'s dyn DecisionLog>,
    /// What leaves something out, in a layer or in the search, on assumptions that may fail.
    pub assumptions: Option<&'s dyn Expander>,
    /// By what transitions sleep. That may fail, too.
    pub sleep: Option<&'s dyn Independence>,
    /// What canonizes states. That may fail, too.
    pub canonizer: Option<&'s dyn Canonizer>,
    /// What covers states, so that they need not be explored.
    pub cover: Option<&'s dyn Cover>,
    /// What is remembered of a state instead of it.
    pub abstraction: Option<&'s dyn Abstraction>,
}

impl<'s> SearchSpec<'s> {
    /// A search for these faults in which everything is taken.
    pub fn new(system: &'s dyn Successors, wanted: &'s [FaultKind]) -> Self {
        SearchSpec {
            system,
            wanted,
            reduction: None,
            log: None,
            assumptions: None,
            sleep: None,
            canonizer: None,
            cover: None,
            abstraction: None,
        }
    }

    /// Whether the search rests on assumptions.
    pub fn has_assumptions(&self) -> bool {
        self.assumptions.is_some() || self.sleep.is_some() || self.canonizer.is_some()
    }

    /// Whether one of them has failed.
    pub fn has_failed(&self) -> bool {
        self.assumptions.is_some_and(|expander| expander.has_failed())
            || self.sleep.is_some_and(|sleep| sleep.has_failed())
            || self.canonizer.is_some_and(|canonizer| canonizer.has_failed())
    }
}

/// Which runs of a product are looked for.
pub(crate) struct AcceptedRuns<'s> {
    pub acceptance: Acceptance<'s>,
    /// Whether every cycle has accepting states only or none of them.
    pub is_weak: bool,
}

/// The layers of a search for runs that a claim forbids.
pub(crate) struct Layers<'a> {
    pub system: &'a System<'a>,
    /// What the others stand on.
    pub ground: Ground<'a>,
    pub claim: &'a Claim,
    /// What chooses among the transitions; all are taken if nothing does.
    pub expander: Option<&'a dyn Expander>,
    /// What is remembered of a state of the system instead of it.
    pub matching: Option<&'a dyn Matching>,
}

impl Layers<'_> {
    /// Builds the product in which the beginning of a run that is forbidden however it goes on is a
    /// fault, and searches it.
    ///
    /// Of the expressions of `matching`, if there are any, the values are remembered, with what the
    /// claim sees: so that every state that is reached is judged.
    pub fn search_prefixes<R>(&self, matching: &[Expr], search: impl FnOnce(&SearchSpec<'_>) -> R) -> R {
        let claim = self.claim;
        let propositions = &*self.system.propositions.make(claim.propositions());
        let noted = Noted { propositions, conditions: &claim.conditions };
        let reduced = self.reduced();
        let system = reduced.as_ref().map_or(self.ground.successors, |reduced| reduced);
        let product = Product::new(system, &claim.automaton, &noted, claim.finite)
            .until_bad_prefix(claim.sinks().unwrap_or_default(), claim.prefix_fault());
        // A proposition that has no value is no answer either.
        let wanted = [FaultKind::BadPrefix, FaultKind::RuntimeError];
        if let Some(matching) = self.matching {
            let values = self.system.propositions.values(claim.propositions());
            let seen = MatchedProduct { matching, seen: Valuation::of_product(values) };
            return search(&SearchSpec { abstraction: Some(&seen), ..self.spec(&product, &wanted) });
        }
        if matching.is_empty() {
            return search(&self.spec(&product, &wanted));
        }
        let seen: Vec<Expr> = matching.iter().chain(claim.propositions()).cloned().collect();
        let valuation = Valuation::of_product(self.system.propositions.values(&seen));
        search(&SearchSpec { abstraction: Some(&valuation), ..self.spec(&product, &wanted) })
    }

    /// Builds the product whose accepted runs are forbidden, with marks on transitions or accepting
    /// states, and searches it.
    pub fn search_runs<R>(
        &self,
        is_generalised: bool,
        search: impl FnOnce(&SearchSpec<'_>, AcceptedRuns<'_>) -> R,
    ) -> R {
        let claim = self.claim;
        let propositions = &*self.system.propositions.make(claim.propositions());
        let noted = Noted { propositions, conditions: &claim.conditions };
        let reduced = self.reduced();
        let system = reduced.as_ref().map_or(self.ground.successors, |reduced| reduced);
        let automaton = if is_generalised { claim.generalised() } else { &claim.automaton };
        let product = Product::new(system, automaton, &noted, claim.finite);
        let product = if is_generalised { product.with_marks(claim.fairness) } else { product };
        let acceptance = match is_generalised {
            true => Acceptance::Marks(product.marks()),
            false => Acceptance::States(&product),
        };
        let is_weak = claim.fairness == Fairness::None && automaton.is_weak();
        search(&self.spec(&product, &[FaultKind::RuntimeError]), AcceptedRuns { acceptance, is_weak })
    }

    /// A search of the outermost layer for these faults.
    fn spec<'s>(&'s self, product: &'s dyn Successors, wanted: &'s [FaultKind]) -> SearchSpec<'s> {
        let (assumptions, canonizer) = (self.expander.or(self.ground.assumptions), self.ground.canonizer);
        SearchSpec { assumptions, canonizer, cover: self.ground.cover, ..SearchSpec::new(product, wanted) }
    }

    fn reduced(&self) -> Option<Reduced<'_>> {
        self.expander.map(|expander| Reduced { system: self.ground.successors, expander })
    }
}
