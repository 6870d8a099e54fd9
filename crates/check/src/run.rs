//! Running a job: plan, search, replay, judge; property after property.

use std::time::Instant;

use ample_guarantee::{ErrorFound, NoErrorFound, decide};
use ample_search::{Counts, Found, Observer, Progress, Search, SearchOutcome, StopAt};
use ample_transition::{FaultKind, Successor};

use crate::plan::{self, Planned};
use crate::select::{self, Question, Selected};
use crate::{
    CheckError, Coverage, Job, Options, Outcome, PropertyOutcome, System, Verdict, Violation, default_max_memory,
    process_peak_bytes,
};

/// Checks what the job asks for.
pub fn check(job: Job<'_>) -> Result<Outcome, CheckError> {
    let Job { system, select, options, mut progress } = job;
    let selected = select::select(&system, &select)?;
    let mut runner = Runner::new(&system, options)?;
    let mut properties = Vec::new();
    for selected in selected {
        properties.push(match selected {
            Selected::Later { name, kind } => not_supported_yet(name, kind.name()),
            Selected::Search(question) => {
                let progress: Option<&mut dyn Progress> = match &mut progress {
                    Some(progress) => Some(&mut **progress),
                    None => None,
                };
                runner.answer(&question, progress)?
            }
        });
    }
    Ok(Outcome::new(properties, &system))
}

/// Explores the whole space within the limits and shows every transition to `observer`. Looks for nothing.
pub fn explore(
    system: &System<'_>,
    options: Options,
    progress: Option<&mut dyn Progress>,
    observer: Observer<'_>,
) -> Result<SearchOutcome, CheckError> {
    let mut runner = Runner::new(system, options)?;
    runner.options.stop_at = StopAt::End;
    Ok(runner.search(&[], progress, Some(observer)))
}

struct Runner<'a> {
    system: &'a System<'a>,
    options: Options,
    planned: Planned,
    started: Instant,
}

impl<'a> Runner<'a> {
    fn new(system: &'a System<'a>, mut options: Options) -> Result<Self, CheckError> {
        let planned = plan::make(&options, system.execution)?;
        options.limits.max_memory = options.limits.max_memory.or_else(default_max_memory);
        Ok(Runner { system, options, planned, started: Instant::now() })
    }

    fn answer(
        &mut self,
        question: &Question,
        progress: Option<&mut dyn Progress>,
    ) -> Result<PropertyOutcome, CheckError> {
        // Before the search: an unsound plan is refused, whatever it would find.
        decide(&self.planned.plan, &question.property)?;
        let mut coverage = self.options.coverage.then(Coverage::default);
        let template_of = self.system.template_of;
        let outcome = match &mut coverage {
            Some(coverage) => {
                let mut note = |state: &[u8], successor: &Successor<'_>| coverage.note(state, successor, template_of);
                self.search(&question.faults, progress, Some(&mut note))
            }
            None => self.search(&question.faults, progress, None),
        };
        let mut property = self.judge(question, outcome)?;
        property.coverage = coverage;
        Ok(property)
    }

    fn search(
        &self,
        wanted: &[FaultKind],
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        let mut limits = self.options.limits.clone();
        limits.max_time = limits.max_time.map(|time| time.saturating_sub(self.started.elapsed()));
        let budget = limits.max_memory.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let mut store = (self.planned.store.make)(budget);
        (self.planned.order.run)(Search {
            system: self.system.successors,
            store: &mut *store,
            wanted,
            stop_at: self.options.stop_at,
            limits: &limits,
            // The casts shorten the life of the trait objects to that of the limits and the store.
            progress: progress.map(|progress| progress as &mut dyn Progress),
            observer: observer.map(|observer| observer as Observer<'_>),
        })
    }

    /// Turns what a search found into a verdict. The bounds that were reached join the plan; the decision does the rest.
    fn judge(&self, question: &Question, outcome: SearchOutcome) -> Result<PropertyOutcome, CheckError> {
        let bound = plan::bound_reached(outcome.ended, &self.options.limits);
        let plan = match bound {
            Some((part, _)) => self.planned.plan.clone().with(part),
            None => self.planned.plan.clone(),
        };
        let decision = decide(&plan, &question.property)?;
        let mut rejected = 0;
        let mut violations = Vec::new();
        for Found { fault, trace } in outcome.violations {
            match self.system.replayer.replay(&trace, &fault) {
                Ok(()) => violations.push(Violation { fault, trace }),
                Err(_) if decision.error_found == ErrorFound::Candidate => rejected += 1,
                Err(reason) => {
                    let property = question.property.name.to_string();
                    return Err(CheckError::ReplayFailed { property, fault: fault.message, reason });
                }
            }
        }
        let (verdict, reason) = match (violations.first(), decision.no_error_found) {
            (Some(violation), _) => (Verdict::Violated, Some(violation.fault.message.clone())),
            (None, _) if rejected > 0 => (Verdict::Unknown, Some("every error found is a false one".to_owned())),
            (None, NoErrorFound::Holds) => (Verdict::Holds, None),
            (None, NoErrorFound::Unknown(reason)) => {
                let value = bound.and_then(|(_, limit)| limit).map(|limit| format!(" ({limit})"));
                (Verdict::Unknown, Some(reason + &value.unwrap_or_default()))
            }
        };
        Ok(PropertyOutcome {
            name: question.property.name.to_string(),
            kind: "safety",
            verdict,
            reason,
            guarantee: decision.guarantee.to_string(),
            ended: Some(outcome.ended),
            counts: outcome.counts,
            seconds: outcome.seconds,
            peak_memory_bytes: process_peak_bytes().unwrap_or(outcome.memory),
            reductions: plan.reductions(),
            violations,
            coverage: None,
        })
    }
}

fn not_supported_yet(name: String, kind: &'static str) -> PropertyOutcome {
    PropertyOutcome {
        name,
        kind,
        verdict: Verdict::Unknown,
        reason: Some("not supported yet".to_owned()),
        guarantee: "not checked".to_owned(),
        ended: None,
        counts: Counts::default(),
        seconds: 0.0,
        peak_memory_bytes: 0,
        reductions: Vec::new(),
        violations: Vec::new(),
        coverage: None,
    }
}
