//! What each reduction chooses, recorded and held against its definition.

use std::sync::Arc;

use ample_check::{Goal, Options, Prepared, explore_reduced};
use ample_guarantee::{ClassSet, PropertyClass};
use ample_product::Propositions;
use ample_replay::Forbids;
use ample_search::{Ended, Limits};

use crate::clock::Clock;
use crate::combination::{Combination, Execution};
use crate::combinations::{algorithms, each_reduction};
use crate::conditions::{self, Breach};
use crate::definition::Definition;
use crate::graph::Graph;
use crate::likeness::Likeness;
use crate::outcome::{Audited, Difference, Structure};
use crate::record::{Choices, Recorder, Recording};
use crate::relations::Unequal;
use crate::subject::Auditor;
use crate::{relations, show};

/// Systems with more states are not compared as a whole.
const SMALL: usize = 5_000;
/// A recorded search ends after so many states.
const RECORDED: u64 = 20_000;
/// The numbers of threads to record.
const THREADS: [usize; 2] = [1, 8];
/// One part in so many of what is left is for all this.
const PART: u32 = 3;

/// What a reduced search has chosen.
struct Recorded {
    choices: Choices,
    /// Whether it came to its end.
    is_complete: bool,
}

/// Records each reduction in each order, and looks at what it chose.
pub(crate) fn look_at_structures(auditor: &Auditor<'_>, audited: &mut Audited) {
    Structures { auditor }.look_at_all(audited);
}

struct Structures<'s> {
    auditor: &'s Auditor<'s>,
}

impl Structures<'_> {
    fn look_at_all(&self, audited: &mut Audited) {
        let clock = self.auditor.clock.part(PART);
        let Ok(prepared) = self.auditor.executions.get(Execution::Packed) else { return };
        let mut full = None;
        for plan in self.recordable() {
            if clock.is_over() || self.auditor.audit.limits.is_interrupted() {
                return;
            }
            let Some(recorded) = self.record(&plan, prepared, clock) else { continue };
            let full = full.get_or_insert_with(|| Graph::explore(prepared.system().successors, &Choices::new(), SMALL));
            self.look_at(&plan, prepared, (full, &recorded), clock, audited);
        }
    }

    /// A plan for each reduction, each order and few or many threads.
    fn recordable(&self) -> Vec<Combination> {
        let (execution, store) = (Execution::Packed, &ample_store::EXACT);
        let mut plans = Vec::new();
        for (algorithm, is_parallel) in algorithms(&self.auditor.question.goal) {
            for reduction in each_reduction(&self.auditor.audit.techniques).filter(Option::is_some) {
                let counts = THREADS.into_iter().filter(|threads| is_parallel || *threads == 1);
                let plan =
                    |threads| Combination { execution, reduction, also: None, under: None, algorithm, store, threads };
                plans.extend(counts.map(plan));
            }
        }
        plans
    }

    /// Runs a reduced search; nothing if the plan is not sound, or the reduction does not apply.
    fn record(&self, plan: &Combination, prepared: &Prepared<'_>, clock: Clock) -> Option<Recorded> {
        let recorder = Arc::new(Recorder::default());
        let max_states = self.auditor.audit.limits.max_states.map_or(RECORDED, |most| most.min(RECORDED));
        let options = self.auditor.options(plan, clock);
        let limits = Limits { max_states: Some(max_states), ..options.limits.clone() };
        let options = Options { limits, ..options };
        let property = &self.auditor.question.property.name;
        // What is chosen while a way to an error is looked for is something else: faults are not
        // looked for.
        let outcome = explore_reduced(&prepared.system(), property, options, &|expander| {
            Box::new(Recording { expander, recorder: recorder.clone() })
        });
        let outcome = outcome.ok().filter(|outcome| outcome.ended != Ended::AssumptionFailed)?;
        let is_complete = outcome.ended == Ended::Complete && outcome.violations.is_empty();
        let choices = recorder.take();
        (!choices.is_empty()).then_some(Recorded { choices, is_complete })
    }

    /// Compares the reduced system with the full one, and its choices with the conditions.
    fn look_at(
        &self,
        plan: &Combination,
        prepared: &Prepared<'_>,
        (full, recorded): (&Graph, &Recorded),
        clock: Clock,
        audited: &mut Audited,
    ) {
        let system = prepared.system();
        let reduced = Graph::explore(system.successors, &recorded.choices, RECORDED as usize);
        let claim = match &self.auditor.question.goal {
            Goal::Violation(_) => None,
            Goal::AcceptedRun(claim) => Some(claim.clone()),
        };
        let propositions = claim.as_ref().map(|claim| system.propositions.make(claim.propositions()));
        let preserved = preserved(plan);
        let sees = propositions.as_deref().filter(|_| preserved.contains(PropertyClass::Invariants));
        let mut differences = Vec::new();
        let likeness = Likeness::of(prepared);
        let is_small = full.is_complete && reduced.is_complete && recorded.is_complete;
        let mut relations = Vec::new();
        if is_small {
            for comparison in relations::compare((full, &reduced), &likeness, preserved, propositions.as_deref()) {
                relations.push(comparison.name);
                differences.extend(comparison.difference.map(|unequal| self.unequal(plan, prepared, unequal)));
            }
        }
        let mut definition = Definition::new(system.successors, &likeness);
        let mut breaches = self.cycle_breach(&reduced, recorded, preserved, sees);
        let sampled =
            conditions::sample(&mut definition, &recorded.choices, sees, self.auditor.audit.seed, &|| clock.is_over());
        breaches.extend(sampled.breaches);
        let shown = breaches.iter().map(|breach| self.shown(plan, prepared, &mut definition, breach));
        differences.extend(shown);
        audited.differences.extend(differences);
        audited.structures.push(Structure {
            plan: plan.clone(),
            states: recorded.choices.len(),
            reduced: recorded.choices.values().filter(|chosen| chosen.is_some()).count(),
            full_states: is_small.then_some(full.states.len()),
            relations,
            samples: sampled.samples,
            visited: sampled.visited,
            has_cycle_check: recorded.is_complete,
        });
    }

    /// What two systems differ in, with the transition that only one of them has.
    fn unequal(&self, plan: &Combination, prepared: &Prepared<'_>, unequal: Unequal) -> Difference {
        let difference = Difference::of_plan(plan.clone(), unequal.what);
        let Some((state, moves)) = unequal.transition else { return difference };
        let state = prepared.unpack(&state);
        let interpreter = self.auditor.audit.interpreter;
        Difference {
            conflicting: vec![show::transition(interpreter, &state, &moves)],
            state: show::state(interpreter, &state),
            ..difference
        }
    }

    /// C3, in the form that goes with what is preserved.
    fn cycle_breach(
        &self,
        reduced: &Graph,
        recorded: &Recorded,
        preserved: ClassSet,
        sees: Option<&dyn Propositions>,
    ) -> Vec<Breach> {
        if !recorded.is_complete || !preserved.contains(PropertyClass::LocalReachability) {
            return Vec::new();
        }
        let is_strong = preserved.contains(PropertyClass::StutterInvariantLtl) && sees.is_some();
        let never = "C3: from this state no state is reachable in which nothing is left out";
        let cycle = "C3: this state is on a cycle on which something is left out in every state";
        let found = conditions::never_full(reduced).map(|state| (state, never));
        let found =
            found.or_else(|| conditions::reduced_cycle(reduced).filter(|_| is_strong).map(|state| (state, cycle)));
        let breach = |(number, what): (usize, &str)| {
            let state = reduced.states[number].clone();
            let chosen = recorded.choices.get(&state).cloned().flatten().unwrap_or_default();
            Breach { what: what.to_owned(), state, chosen, dependent: None }
        };
        found.map(breach).into_iter().collect()
    }

    /// Everything that is needed to see a breach.
    fn shown(
        &self,
        plan: &Combination,
        prepared: &Prepared<'_>,
        definition: &mut Definition<'_>,
        breach: &Breach,
    ) -> Difference {
        let interpreter = self.auditor.audit.interpreter;
        let all = definition.expand(&breach.state);
        let state = prepared.unpack(&breach.state);
        let transition = |moves: &[ample_transition::Move]| show::transition(interpreter, &state, moves);
        let chosen = breach.chosen.iter().filter_map(|number| Some(transition(&all.get(*number)?.moves)));
        let dependent = breach.dependent.as_ref();
        let path = dependent.iter().flat_map(|dependent| &dependent.path);
        let conflicting = dependent.iter().flat_map(|dependent| [&dependent.transition, &dependent.chosen]);
        Difference {
            chosen: chosen.collect(),
            path: path.map(|moves| transition(moves)).collect(),
            conflicting: conflicting.map(|moves| transition(moves)).collect(),
            state: show::state(interpreter, &state),
            ..Difference::of_plan(plan.clone(), breach.what.clone())
        }
    }
}

/// What the expander and the cycle condition of a plan declare to preserve together.
fn preserved(plan: &Combination) -> ClassSet {
    plan.reduction.map_or(ClassSet::ALL, |(expander, condition)| {
        expander.guarantee.no_missed.intersection(condition.guarantee.no_missed)
    })
}
