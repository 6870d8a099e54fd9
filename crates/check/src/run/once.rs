//! One search for what a question asks, with the reduction of the plan.

use ample_product::system_part;
use ample_reduction::ClassesEntry;
use ample_search::{Emptiness, EmptinessEntry, Ended, Limit, SearchOutcome, acyclic, dfs_with_sleep_sets};
use ample_stdx::Stopped;
use ample_store::Abstraction;
use ample_transition::{FaultKind, SuccessorBuffer};

use super::context::{SearchContext, StateObserver};
use crate::claim::Claim;
use crate::coverage::TemplateOf;
use crate::layers::ground::{self, Ground};
use crate::layers::reduction::{self, ConfiguredReduction};
use crate::layers::valuation::Valuation;
use crate::layers::{Layers, Matching, SearchLayers, SearchSpec};
use crate::layers::{foreseen, joined};
use crate::plan::{Algorithm, Plan};
use crate::question::Goal;

impl SearchContext<'_, '_> {
    /// Searches as the plan has it.
    pub fn search(&mut self, plan: &Plan, goal: &Goal) -> SearchOutcome {
        if let Some(stopped) = self.stopped_before(plan) {
            return stopped;
        }
        let layers = SearchLayers::of(plan, self.system.reducible, goal, &self.limits.stop());
        self.search_with(layers, plan, goal)
    }

    /// The same; if an assumption of a reduction fails on the way, once more without one.
    pub fn search_surely(&mut self, plan: &Plan, goal: &Goal) -> (Plan, SearchOutcome) {
        let outcome = self.search(plan, goal);
        if outcome.ended != Ended::AssumptionFailed {
            return (plan.clone(), outcome);
        }
        let full = plan.without_reduction();
        let outcome = self.search(&full, goal);
        (full, outcome)
    }

    /// Finds out what a reduction must know, if the plan has one. If it is time to stop before that
    /// is done, what comes of the search.
    pub fn stopped_before(&self, plan: &Plan) -> Option<SearchOutcome> {
        let known = self.system.reducible.filter(|_| plan.needs_facts())?;
        let ended = match known.find_out(&self.limits.stop()).err()? {
            Stopped::Interrupted => Ended::Interrupted,
            Stopped::OutOfTime => Ended::Limit(Limit::Time(self.limits.max_time.unwrap_or_default())),
        };
        Some(SearchOutcome { ended, ..SearchOutcome::not_begun() })
    }

    /// Searches with these layers.
    pub fn search_with(&mut self, layers: SearchLayers<'_>, plan: &Plan, goal: &Goal) -> SearchOutcome {
        let SearchLayers { reduction: configured, canonizer, cover, foresights, matching } = layers;
        if let Some(matching) = matching.as_deref() {
            return self.search_matched(matching, plan, goal);
        }
        ground::on_ground(self.system, canonizer.as_deref(), cover.as_deref(), |ground| {
            foreseen::on_foreseen(self.system, ground, &foresights, goal, |ground| {
                joined::on_joined(ground, configured, |ground, configured| match goal {
                    Goal::Violation(wanted) => self.search_faults(ground, configured, plan, wanted),
                    Goal::AcceptedRun(claim) => self.search_runs(ground, configured, None, plan, claim),
                })
            })
        })
    }

    /// Searches the system as it is, and remembers of its states what somebody makes of them who
    /// sees each that is expanded.
    fn search_matched(&mut self, matching: &dyn Matching, plan: &Plan, goal: &Goal) -> SearchOutcome {
        let see = |_: TemplateOf<'_>, state: &[u8], _: &SuccessorBuffer| matching.expanded(state);
        let limits = self.limits.clone();
        let mut context = SearchContext { observer: Some(&see), ..self.within(limits) };
        ground::on_ground(context.system, None, None, |ground| match (goal, plan.algorithm) {
            (Goal::Violation(wanted), Algorithm::Order(order)) => {
                let abstraction: Option<&dyn Abstraction> = Some(matching);
                let spec = SearchSpec { abstraction, ..SearchSpec::new(ground.successors, wanted) };
                context.run(plan, &spec, |search, _| (order.run)(search))
            }
            (Goal::Violation(_), _) => SearchOutcome::not_begun(),
            (Goal::AcceptedRun(claim), _) => context.search_runs(ground, None, Some(matching), plan, claim),
        })
    }

    fn search_faults(
        &mut self,
        ground: Ground<'_>,
        configured: Option<ConfiguredReduction<'_>>,
        plan: &Plan,
        wanted: &[FaultKind],
    ) -> SearchOutcome {
        let order = match plan.algorithm {
            Algorithm::Order(order) => order,
            Algorithm::Classes(entry) => return self.search_by_classes(ground, entry, plan, wanted),
            Algorithm::Emptiness(_) => return SearchOutcome::not_begun(),
        };
        let (expander, condition) = configured.map(ConfiguredReduction::counting).unzip();
        let sleep = reduction::independence(plan, self.system.reducible);
        let valuation =
            (!plan.matching.is_empty()).then(|| Valuation::of_system(self.system.propositions.values(&plan.matching)));
        let spec = SearchSpec {
            abstraction: valuation.as_ref().map(|valuation| valuation as &dyn Abstraction),
            reduction: expander.as_deref().zip(condition),
            assumptions: expander.as_deref().or(ground.assumptions),
            sleep: sleep.as_deref(),
            canonizer: ground.canonizer,
            cover: ground.cover,
            ..SearchSpec::new(ground.successors, wanted)
        };
        self.run(plan, &spec, |search, _| match spec.sleep {
            Some(sleep) => dfs_with_sleep_sets(search, sleep),
            None => (order.run)(search),
        })
    }

    /// Searches with the class of each state. What classes do not apply to is searched without.
    fn search_by_classes(
        &mut self,
        ground: Ground<'_>,
        entry: &ClassesEntry,
        plan: &Plan,
        wanted: &[FaultKind],
    ) -> SearchOutcome {
        let known = self.system.reducible.filter(|known| !known.network.is_guessed);
        match known.map(|known| (entry.make)(known.network, known.facts())) {
            Some(Ok(classes)) => {
                let spec = SearchSpec::new(ground.successors, wanted);
                self.run(plan, &spec, |search, _| acyclic(search, classes))
            }
            _ => SearchOutcome { ended: Ended::AssumptionFailed, ..SearchOutcome::not_begun() },
        }
    }

    /// Looks for a run that a claim forbids, in the product of the claim with the system or with
    /// what a reduction leaves of it.
    fn search_runs(
        &mut self,
        ground: Ground<'_>,
        configured: Option<ConfiguredReduction<'_>>,
        matching: Option<&dyn Matching>,
        plan: &Plan,
        claim: &Claim,
    ) -> SearchOutcome {
        let settled = match configured.map(|configured| self.settle(ground, plan, configured)).transpose() {
            Ok(settled) => settled,
            Err(ended_early) => return *ended_early,
        };
        let layers = Layers { system: self.system, ground, claim, expander: settled.as_deref(), matching };
        let outer = self.observer;
        let note = |template_of: TemplateOf<'_>, state: &[u8], successors: &SuccessorBuffer| {
            if let Some(observer) = outer {
                observer(template_of, system_part(state), successors);
            }
        };
        let observer: Option<StateObserver<'_>> = if outer.is_some() { Some(&note) } else { None };
        let limits = self.limits.clone();
        let mut context = SearchContext { observer, ..self.within(limits) };
        match plan.algorithm {
            Algorithm::Order(order) => {
                layers.search_prefixes(&plan.matching, |spec| context.run(plan, spec, |search, _| (order.run)(search)))
            }
            Algorithm::Emptiness(emptiness) => search_run(&mut context, plan, emptiness, &layers),
            // No plan for runs is sound with classes: they do not see propositions.
            Algorithm::Classes(_) => SearchOutcome::not_begun(),
        }
    }
}

/// Looks for an infinite run that is forbidden.
fn search_run(
    context: &mut SearchContext<'_, '_>,
    plan: &Plan,
    emptiness: &EmptinessEntry,
    layers: &Layers<'_>,
) -> SearchOutcome {
    layers.search_runs(emptiness.is_generalised, |spec, runs| {
        context.run(plan, spec, |search, make_store| {
            (emptiness.run)(Emptiness {
                search,
                acceptance: runs.acceptance,
                is_weak: runs.is_weak,
                make_store,
                fault: layers.claim.fault.clone(),
            })
        })
    })
}
