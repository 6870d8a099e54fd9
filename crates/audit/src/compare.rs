//! Whether plans say the same.

use std::collections::{BTreeMap, BTreeSet};

use ample_guarantee::PartKind;
use ample_search::{Counts, Ended};
use ample_source::{FileId, Span};
use ample_transition::{Fault, FaultKind};

use ample_check::{Outcome, PropertyOutcome, Verdict};

use crate::combination::Combination;
use crate::likeness::Likeness;
use crate::outcome::{PlanResult, Standing};

/// A fault by its kind and place.
type Place = (FaultKind, FileId, u32, u32);

/// What is settled so far, each with the plan that settled it.
#[derive(Default)]
pub(crate) struct Agreed {
    /// Whether an invalid end state has a place: it is that of the process with the least number.
    /// Where numbers make no difference, plans may name another one of those that wait.
    has_numbers: bool,
    verdict: Option<(Verdict, Combination)>,
    faults: Option<(BTreeSet<Place>, Combination)>,
    /// How much there is to explore without a reduction; ways that go through different spaces
    /// apart.
    counts: BTreeMap<&'static str, (Counts, Combination)>,
}

impl Agreed {
    /// Nothing yet, about a model whose states are compared in this way.
    pub fn new(likeness: &Likeness<'_>) -> Agreed {
        Agreed { has_numbers: likeness.is_exact(), ..Agreed::default() }
    }

    /// What all say that came to an answer.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict.as_ref().map(|(verdict, _)| *verdict)
    }

    /// Compares what a plan came to with what is settled, and settles what it is the first to say.
    pub fn compare(&mut self, plan: &Combination, outcome: Outcome) -> PlanResult {
        let Some(property) = outcome.properties.into_iter().next() else {
            return PlanResult::refused(plan.clone(), "there is nothing to check".to_owned());
        };
        let is_lossy = plan.is_lossy();
        let difference = self
            .compare_verdict(plan, &property, is_lossy)
            .and_then(|()| self.compare_faults(plan, &property, is_lossy))
            .and_then(|()| self.compare_counts(plan, &property, is_lossy))
            .err();
        let is_complete = property.ended == Some(Ended::Complete);
        let standing = match (&difference, property.verdict) {
            (Some(_), _) => Standing::Differs,
            (None, Verdict::Unknown) if !(is_lossy && is_complete) => Standing::Unsettled,
            (None, _) => Standing::Agrees,
        };
        PlanResult {
            plan: plan.clone(),
            standing,
            verdict: Some(property.verdict),
            reason: difference.or(property.reason),
            counts: property.counts,
            seconds: property.seconds,
        }
    }

    fn compare_verdict(
        &mut self,
        plan: &Combination,
        property: &PropertyOutcome,
        is_lossy: bool,
    ) -> Result<(), String> {
        let said = property.verdict;
        if said == Verdict::Unknown {
            return Ok(());
        }
        if is_lossy && said == Verdict::Holds {
            return Err("a store that may miss states says that the property holds".to_owned());
        }
        match &self.verdict {
            None => self.verdict = Some((said, plan.clone())),
            Some((known, by)) if *known != said => {
                let (said, known) = (said.name(), known.name());
                return Err(format!("the verdict is {said}, but {known} with {}", by.flags()));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// A complete search finds all faults, and no search finds another one. Those count, too, to
    /// which there was no time to find the way.
    fn compare_faults(&mut self, plan: &Combination, property: &PropertyOutcome, is_lossy: bool) -> Result<(), String> {
        let shown = property.violations.iter().map(|found| &found.fault);
        let faults = shown.chain(property.untraced.iter().map(|untraced| &untraced.fault));
        let own: BTreeSet<Place> = faults.map(|fault| self.place(fault)).collect();
        let finds_all = property.ended == Some(Ended::Complete) && !is_lossy && property.claim.is_none();
        match &self.faults {
            None if finds_all => self.faults = Some((own, plan.clone())),
            None => {}
            Some((known, by)) => {
                let more = if property.claim.is_none() { own.difference(known).count() } else { 0 };
                let fewer = if finds_all { known.difference(&own).count() } else { 0 };
                if more + fewer > 0 {
                    let with = by.flags();
                    return Err(format!(
                        "{more} faults that are not found, and {fewer} faults less than found, with {with}"
                    ));
                }
            }
        }
        Ok(())
    }

    fn place(&self, fault: &Fault) -> Place {
        let Fault { kind, span, .. } = *fault;
        let is_known = self.has_numbers || kind != FaultKind::InvalidEndState;
        let span = if is_known { span } else { Span::default() };
        (kind, span.file, span.start, span.end)
    }

    fn compare_counts(&mut self, plan: &Combination, property: &PropertyOutcome, is_lossy: bool) -> Result<(), String> {
        if property.ended != Some(Ended::Complete) || is_lossy || !plan.is_full() {
            return Ok(());
        }
        // Those that look for infinite runs go through a product of their own.
        let space = if plan.algorithm.kind == PartKind::Emptiness { plan.algorithm.name } else { "orders" };
        let own = property.counts;
        let (known, by) = self.counts.entry(space).or_insert_with(|| (own, plan.clone()));
        let numbers = |counts: &Counts| (counts.states, counts.transitions, counts.atomic_steps);
        if numbers(&own) == numbers(known) {
            return Ok(());
        }
        Err(format!(
            "{} states, {} transitions and {} steps inside atomic sequences, but {}, {} and {} with {}",
            own.states,
            own.transitions,
            own.atomic_steps,
            known.states,
            known.transitions,
            known.atomic_steps,
            by.flags()
        ))
    }
}

#[cfg(test)]
mod tests {
    use ample_product::Fairness;
    use ample_replay::Replayed;
    use ample_search::{Limit, Untraced};
    use ample_transition::Fault;

    use ample_check::{Goal, Violation};

    use super::*;
    use crate::combinations;

    fn fault() -> Fault {
        let (kind, message) = (FaultKind::Assertion, "assertion violated".to_owned());
        Fault { kind, message, process: None, span: Span::default(), notes: Vec::new() }
    }

    /// A complete search that found one fault, and showed it if it could.
    fn outcome(verdict: Verdict, is_shown: bool) -> Outcome {
        let why = Ended::Limit(Limit::Time(std::time::Duration::from_secs(1)));
        let violation = Violation { fault: fault(), trace: Default::default(), replayed: Replayed::at_once(fault()) };
        let property = PropertyOutcome {
            verdict,
            ended: Some(Ended::Complete),
            violations: if is_shown { vec![violation] } else { Vec::new() },
            untraced: if is_shown { Vec::new() } else { vec![Untraced { fault: fault(), why }] },
            ..PropertyOutcome::not_checked("safety".to_owned(), "safety", String::new())
        };
        Outcome {
            properties: vec![property],
            verdict,
            execution: "interpret",
            why_interpreted: None,
            left_over: Vec::new(),
        }
    }

    #[test]
    fn a_budget_that_ends_while_a_trace_is_looked_for_is_no_difference() {
        let plan = combinations::references(&Goal::Violation(Vec::new()), Fairness::None).remove(0);
        let mut agreed = Agreed::default();
        assert_eq!(agreed.compare(&plan, outcome(Verdict::Violated, true)).standing, Standing::Agrees);
        let late = agreed.compare(&plan, outcome(Verdict::Unknown, false));
        assert_eq!((late.standing, late.verdict), (Standing::Unsettled, Some(Verdict::Unknown)));
        // Nor the other way round.
        let mut agreed = Agreed::default();
        assert_eq!(agreed.compare(&plan, outcome(Verdict::Unknown, false)).standing, Standing::Unsettled);
        assert_eq!(agreed.compare(&plan, outcome(Verdict::Violated, true)).standing, Standing::Agrees);
    }
}
