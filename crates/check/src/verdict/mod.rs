//! From what a search found to a verdict: replayed, and worth what the plan allows.

mod advice;
pub(crate) mod outcome;
mod replay;

use ample_guarantee::{Decision, NoErrorFound, Part, decide, parts};
use ample_product::Fairness;
use ample_property::Formula;
use ample_search::{Ended, Limit, Limits, SearchOutcome, Untraced};
use ample_transition::Fault;

use crate::claim::Claim;
use crate::error::CheckError;
use crate::memory::process_peak_bytes;
use crate::options::Options;
use crate::plan::{Algorithm, Plan, classes};
use crate::question::{Goal, Question};
use crate::run::Answered;
use crate::system::System;
use outcome::{PropertyOutcome, Run, Verdict, Worth};
use replay::Judged;

/// Turns what a search found into a verdict. The bounds that were reached join the plan; the
/// decision does the rest.
pub(crate) fn judge(
    system: &System<'_>,
    options: &Options,
    question: &Question,
    answered: Answered,
) -> Result<PropertyOutcome, CheckError> {
    let Answered { plan, mut outcome, refinement, weighed } = answered;
    let claim = match &question.goal {
        Goal::Violation(_) => None,
        Goal::AcceptedRun(claim) => Some(claim.clone()),
    };
    let bound = bound_reached(outcome.ended, &options.limits);
    let parts = match bound {
        Some((part, _)) => plan.parts.clone().with(part),
        None => plan.parts.clone(),
    };
    let parts = if outcome.value_limit.is_some() { parts.with(&parts::VALUES) } else { parts };
    let decision = decide(&parts, &question.property)?;
    let run = how_it_ran(&plan, &outcome);
    let found = std::mem::take(&mut outcome.violations);
    let judged = replay::replay(found, system, claim.as_deref(), question, decision.error_found)?;
    let guarantee = judged.guarantee(&outcome.untraced, outcome.ended, decision.guarantee);
    let value_limit = outcome.value_limit.as_deref();
    let reached = Reached { bound, value_limit, untraced: &outcome.untraced, limits: &options.limits, run: &run };
    let (verdict, reason) = reached.verdict(&judged, decision);
    let advice = what_would_help(&outcome, &run, &judged);
    Ok(PropertyOutcome {
        verdict,
        reason,
        guarantee,
        ended: Some(outcome.ended),
        run: Some(run),
        notes: question.notes.iter().cloned().chain(classes::given_up(options, &plan)).collect(),
        never_true: never_true(options, verdict, claim.as_deref()),
        advice,
        counts: outcome.counts,
        seconds: outcome.seconds,
        peak_memory_bytes: process_peak_bytes().unwrap_or(outcome.memory),
        reductions: parts.reductions(),
        violations: judged.violations,
        fairness: claim.as_ref().map_or(Fairness::None, |claim| claim.fairness),
        candidates: judged.candidates,
        untraced: outcome.untraced,
        value_limit: outcome.value_limit,
        claim,
        refinement,
        weighed,
        ..PropertyOutcome::not_checked(question.property.name.to_string(), question.kind, String::new())
    })
}

/// What would help, if memory ran out or a claim is not closed under stuttering.
fn what_would_help(outcome: &SearchOutcome, run: &Run, judged: &Judged) -> Option<String> {
    match outcome.ended {
        Ended::StoreFull | Ended::Limit(Limit::Memory(_)) => Some(advice::out_of_memory(run, &outcome.counts)),
        _ => (!judged.candidates.is_empty()).then(|| advice::NOT_CLOSED.to_owned()),
    }
}

/// The answer to a question about something that the model does not have.
pub(crate) fn without_search(plan: &Plan, question: &Question) -> Result<PropertyOutcome, CheckError> {
    let guarantee = decide(&plan.without_reduction().parts, &question.property)?.guarantee;
    Ok(PropertyOutcome {
        verdict: Verdict::Holds,
        reason: None,
        guarantee: Worth::Guarantee(guarantee),
        notes: question.notes.clone(),
        ..PropertyOutcome::not_checked(question.property.name.to_string(), question.kind, String::new())
    })
}

/// How far a search came.
struct Reached<'r> {
    /// What cut it off.
    bound: Option<(&'static Part, Option<Limit>)>,
    /// A move that was not taken because its value is beyond 64 bits.
    value_limit: Option<&'r Fault>,
    untraced: &'r [Untraced],
    limits: &'r Limits,
    run: &'r Run,
}

impl Reached<'_> {
    /// The move that was not taken, if nothing else cut the search off.
    fn only_values(&self) -> Option<&Fault> {
        self.value_limit.filter(|_| self.bound.is_some_and(|(part, _)| *part == parts::VALUES))
    }

    /// The verdict, and the reason for it.
    fn verdict(&self, judged: &Judged, decision: Decision) -> (Verdict, Option<String>) {
        if let Some(violation) = judged.violations.first() {
            return (Verdict::Violated, Some(violation.fault.message.clone()));
        }
        let reason = match decision.no_error_found {
            _ if let Some(candidate) = judged.candidates.first() => {
                format!("{}; {}", candidate.fault.message, advice::NOT_CLOSED)
            }
            _ if judged.rejected > 0 => "every error found is a false one".to_owned(),
            _ if let Some(untraced) = self.untraced.first() => advice::without_a_way(untraced, self.limits),
            NoErrorFound::Holds => return (Verdict::Holds, None),
            NoErrorFound::Unknown(_) if let Some(limit) = self.only_values() => limit.message.clone(),
            NoErrorFound::Unknown(reason) => {
                let limit = self.bound.and_then(|(_, limit)| limit).map(|limit| format!(" ({limit})"));
                let probability = self.run.omission_probability.filter(|_| self.bound.is_none());
                let probability =
                    probability.map(|p| format!(" (each state is missed with a probability of at most {p:.1e})"));
                reason + &limit.or(probability).unwrap_or_default()
            }
        };
        (Verdict::Unknown, Some(reason))
    }
}

/// What was never seen to be true, if that means something: an under-approximation may have left it
/// out.
fn never_true(options: &Options, verdict: Verdict, claim: Option<&Claim>) -> Vec<Formula> {
    let claim = claim.filter(|_| verdict == Verdict::Holds && options.under.is_none());
    claim.map(|claim| claim.conditions.never_true()).unwrap_or_default()
}

fn how_it_ran(plan: &Plan, outcome: &SearchOutcome) -> Run {
    Run {
        order: plan.algorithm.part().name,
        is_for_infinite_runs: matches!(plan.algorithm, Algorithm::Emptiness(_)),
        store: plan.store_part().name,
        threads: plan.threads,
        workers: outcome.workers.clone(),
        memory: outcome.memory,
        store_memory: outcome.store_memory,
        relayouts: outcome.relayouts,
        omission_probability: outcome.omission_probability,
        interpreted_states: outcome.interpreted_states,
        classes: outcome.classes,
    }
}

/// The bound that cut a search off, and its value if it has one.
fn bound_reached(ended: Ended, limits: &Limits) -> Option<(&'static Part, Option<Limit>)> {
    match ended {
        Ended::Complete | Ended::FirstViolation => None,
        Ended::Limit(limit @ Limit::States(_)) => Some((&parts::MAX_STATES, Some(limit))),
        Ended::Limit(limit @ Limit::Depth(_)) => Some((&parts::MAX_DEPTH, Some(limit))),
        // The search was given what was left of the time.
        Ended::Limit(Limit::Time(left)) => Some((&parts::MAX_TIME, Some(Limit::Time(limits.max_time.unwrap_or(left))))),
        Ended::Limit(limit @ Limit::Memory(_)) => Some((&parts::MAX_MEMORY, Some(limit))),
        Ended::Limit(Limit::Values) => Some((&parts::VALUES, None)),
        Ended::Limit(Limit::Classes) => Some((&parts::CLASSES_FULL, None)),
        // A search that was given up is done again without a reduction; none of them is judged.
        Ended::Interrupted | Ended::AssumptionFailed => Some((&parts::INTERRUPTED, None)),
        Ended::StoreFull => Some(match limits.max_memory {
            Some(bytes) => (&parts::MAX_MEMORY, Some(Limit::Memory(bytes))),
            None => (&parts::STORE_FULL, None),
        }),
    }
}
