//! What a search found, replayed: each run is a violation, a candidate that decides nothing, or a
//! false error.

use ample_guarantee::{ErrorFound, Guarantee};
use ample_replay::{Forbids, Replayed};
use ample_search::{Ended, Found, Untraced};
use ample_transition::Trace;

use super::outcome::{Violation, Worth};
use crate::claim::Claim;
use crate::error::CheckError;
use crate::question::Question;
use crate::system::System;

/// What was found.
#[derive(Default)]
pub(crate) struct Judged {
    /// What is wrong.
    pub violations: Vec<Violation>,
    /// Runs that only the closure of a claim accepts.
    pub candidates: Vec<Violation>,
    /// How many errors are false ones.
    pub rejected: usize,
}

/// Replays what was found. A run that is nothing of what it should be is an error of ours.
pub(crate) fn replay(
    found: Vec<Found>,
    system: &System<'_>,
    claim: Option<&Claim>,
    question: &Question,
    meaning: ErrorFound,
) -> Result<Judged, CheckError> {
    let mut judged = Judged::default();
    for Found { fault, trace, longer } in found {
        let replay = |trace: &Trace| system.replayer.replay(trace, &fault, claim);
        let (trace, replayed) = match (replay(&trace), longer) {
            // The shorter run decides nothing; the one that the search has found may.
            (Err(_), Some(longer)) => {
                debug_assert!(meaning == ErrorFound::Candidate || replay_closure(system, &trace, claim).is_some());
                let replayed = replay(&longer);
                (longer, replayed)
            }
            (replayed, _) => (trace, replayed),
        };
        match replayed {
            Ok(replayed) => judged.violations.push(Violation { fault, trace, replayed }),
            Err(_) if let Some(replayed) = replay_closure(system, &trace, claim) => {
                judged.candidates.push(Violation { fault: replayed.fault.clone(), trace, replayed });
            }
            Err(_) if meaning == ErrorFound::Candidate => judged.rejected += 1,
            Err(reason) => {
                let property = question.property.name.to_string();
                return Err(CheckError::ReplayFailed { property, fault: fault.message, reason });
            }
        }
    }
    Ok(judged)
}

impl Judged {
    /// What an answer is worth: nothing, if the search stopped at a run that decides nothing, or
    /// found an error that cannot be shown; and if it stopped at a violation, no more than that.
    pub fn guarantee(&self, untraced: &[Untraced], ended: Ended, guarantee: Guarantee) -> Worth {
        match (&self.violations[..], &self.candidates[..], untraced) {
            ([], [], []) => Worth::Guarantee(guarantee),
            ([], [], _) => Worth::Untraced,
            ([], ..) => Worth::Candidate,
            _ if ended == Ended::FirstViolation => Worth::FirstViolation,
            _ => Worth::Guarantee(guarantee),
        }
    }
}

/// A run that a claim does not forbid, replayed as one that its closure under stuttering forbids,
/// if it does.
fn replay_closure(system: &System<'_>, trace: &Trace, claim: Option<&Claim>) -> Option<Replayed> {
    let closure = claim?.closure()?;
    system.replayer.replay(trace, closure.fault(), Some(&closure)).ok()
}
