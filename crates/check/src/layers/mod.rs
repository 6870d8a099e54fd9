//! What a search explores, built in one place: the product of a claim with what a reduction leaves
//! of the system.
//!
//! From the inside: the successors of the system; [`Reduced`], if a reduction settles beforehand
//! what is taken; [`Product`], if the question is about whole runs. A reduction of a search for
//! faults is applied by the search itself, which sees whether states are new.

pub(crate) mod pool;
pub(crate) mod reduction;

use ample_product::{Fairness, Product};
use ample_reduction::Reduced;
use ample_replay::Forbids;
use ample_search::Acceptance;
use ample_transition::{CycleCondition, DecisionLog, Expander, FaultKind, Independence, Successors};

use crate::claim::Claim;
use crate::claim::vacuity::Noted;
use crate::system::System;

/// What one search is about.
pub(crate) struct SearchSpec<'s> {
    /// The outermost layer.
    pub system: &'s dyn Successors,
    /// The faults that count.
    pub wanted: &'s [FaultKind],
    /// What the search itself leaves out.
    pub reduction: Option<(&'s dyn Expander, &'s dyn CycleCondition)>,
    /// Told what the search settles for.
    pub log: Option<&'s dyn DecisionLog>,
    /// What leaves something out, in a layer or in the search, on assumptions that may fail.
    pub assumptions: Option<&'s dyn Expander>,
    /// By what transitions sleep. That may fail, too.
    pub sleep: Option<&'s dyn Independence>,
}

impl<'s> SearchSpec<'s> {
    /// A search for these faults in which everything is taken.
    pub fn new(system: &'s dyn Successors, wanted: &'s [FaultKind]) -> Self {
        SearchSpec { system, wanted, reduction: None, log: None, assumptions: None, sleep: None }
    }

    /// Whether the search rests on assumptions.
    pub fn has_assumptions(&self) -> bool {
        self.assumptions.is_some() || self.sleep.is_some()
    }

    /// Whether one of them has failed.
    pub fn has_failed(&self) -> bool {
        self.assumptions.is_some_and(|expander| expander.has_failed())
            || self.sleep.is_some_and(|sleep| sleep.has_failed())
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
    pub claim: &'a Claim,
    /// What chooses among the transitions; all are taken if nothing does.
    pub expander: Option<&'a dyn Expander>,
}

impl Layers<'_> {
    /// Builds the product in which the beginning of a run that is forbidden however it goes on is a
    /// fault, and searches it.
    pub fn search_prefixes<R>(&self, search: impl FnOnce(&SearchSpec<'_>) -> R) -> R {
        let claim = self.claim;
        let propositions = &*self.system.propositions.make(claim.propositions());
        let noted = Noted { propositions, conditions: &claim.conditions };
        let reduced = self.reduced();
        let system = reduced.as_ref().map_or(self.system.successors, |reduced| reduced);
        let product = Product::new(system, &claim.automaton, &noted, claim.finite)
            .until_bad_prefix(claim.sinks().unwrap_or_default(), claim.prefix_fault());
        // A proposition that has no value is no answer either.
        let wanted = [FaultKind::BadPrefix, FaultKind::RuntimeError];
        search(&SearchSpec { assumptions: self.expander, ..SearchSpec::new(&product, &wanted) })
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
        let system = reduced.as_ref().map_or(self.system.successors, |reduced| reduced);
        let automaton = if is_generalised { claim.generalised() } else { &claim.automaton };
        let product = Product::new(system, automaton, &noted, claim.finite);
        let product = if is_generalised { product.with_marks(claim.fairness) } else { product };
        let acceptance = match is_generalised {
            true => Acceptance::Marks(product.marks()),
            false => Acceptance::States(&product),
        };
        let is_weak = claim.fairness == Fairness::None && automaton.is_weak();
        let spec = SearchSpec { assumptions: self.expander, ..SearchSpec::new(&product, &[FaultKind::RuntimeError]) };
        search(&spec, AcceptedRuns { acceptance, is_weak })
    }

    fn reduced(&self) -> Option<Reduced<'_>> {
        self.expander.map(|expander| Reduced { system: self.system.successors, expander })
    }
}
