//! Whether plans say the same.

use std::collections::{BTreeMap, BTreeSet};

use ample_guarantee::PartKind;
use ample_search::{Counts, Ended};
use ample_source::{FileId, Span};
use ample_transition::FaultKind;

use crate::{Outcome, PropertyOutcome, Verdict};

use super::{AuditPlan, PlanResult, Standing};

/// A fault by its kind and place.
type Place = (FaultKind, FileId, u32, u32);

/// What is settled so far, each with the plan that settled it.
#[derive(Default)]
pub(super) struct Agreed {
    verdict: Option<(Verdict, AuditPlan)>,
    faults: Option<(BTreeSet<Place>, AuditPlan)>,
    /// How much there is to explore without a reduction; ways that go through different spaces apart.
    counts: BTreeMap<&'static str, (Counts, AuditPlan)>,
}

impl Agreed {
    /// What all say that came to an answer.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict.as_ref().map(|(verdict, _)| *verdict)
    }

    /// Compares what a plan came to with what is settled, and settles what it is the first to say.
    pub fn compare(&mut self, plan: &AuditPlan, outcome: Outcome) -> PlanResult {
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

    fn compare_verdict(&mut self, plan: &AuditPlan, property: &PropertyOutcome, is_lossy: bool) -> Result<(), String> {
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

    /// A complete search finds all faults, and no search finds another one.
    fn compare_faults(&mut self, plan: &AuditPlan, property: &PropertyOutcome, is_lossy: bool) -> Result<(), String> {
        let own: BTreeSet<Place> =
            property.violations.iter().map(|found| place(found.fault.kind, found.fault.span)).collect();
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

    fn compare_counts(&mut self, plan: &AuditPlan, property: &PropertyOutcome, is_lossy: bool) -> Result<(), String> {
        if property.ended != Some(Ended::Complete) || is_lossy || !plan.is_full() {
            return Ok(());
        }
        // Those that look for endless runs go through a product of their own.
        let space = if plan.way.kind == PartKind::Emptiness { plan.way.name } else { "orders" };
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

fn place(kind: FaultKind, span: Span) -> Place {
    (kind, span.file, span.start, span.end)
}
