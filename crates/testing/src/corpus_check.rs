//! Whether we agree with Spin about a model of the corpus.

use std::time::Duration;

use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, SearchOutcome, StopAt};

use crate::corpus::{Entry, table};
use crate::explore::{self, Numbers};

/// How far to search where Spin's complete search did not end.
const MAX_STATES: u64 = 200_000;
const MAX_TIME: Duration = Duration::from_secs(60);

/// Models whose counts differ, or that only one of the two accepts, with the reason.
const DIFFERENCES: &str = include_str!("../corpus-differences.txt");

/// What was compared, and how much was explored.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The result.
    pub comparison: Comparison,
    /// Our states.
    pub states: u64,
    /// Our transitions.
    pub transitions: u64,
}

/// How far the two agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// States and transitions of the complete search are equal, and so is the verdict.
    Exact,
    /// The verdict is equal; the counts cannot be compared.
    Verdict,
    /// Spin did not finish; ours ran within a limit, and nothing contradicts what is known.
    Bounded,
    /// Both reject it, or it has embedded C and we say so.
    Rejected,
    /// A known difference, with its reason.
    Listed(String),
    /// Something is wrong.
    Differs(String),
}

/// Checks one model. A difference must be in the table, and what is in the table must be one.
pub fn check(entry: &Entry) -> Checked {
    let mut checked = compare(entry);
    let listed = table(DIFFERENCES).into_iter().find(|(model, _)| *model == entry.name);
    checked.comparison = match (checked.comparison, listed) {
        (Comparison::Differs(_), Some((_, reason))) => Comparison::Listed(reason.to_owned()),
        (Comparison::Differs(reason), None) => Comparison::Differs(reason),
        (_, Some(_)) => Comparison::Differs("agrees now: take it off corpus-differences.txt".to_owned()),
        (comparison, None) => comparison,
    };
    checked
}

/// The names in the table.
pub fn listed() -> Vec<&'static str> {
    table(DIFFERENCES).into_iter().map(|(model, _)| model).collect()
}

fn compare(entry: &Entry) -> Checked {
    let of = |comparison| Checked { comparison, states: 0, transitions: 0 };
    let loaded = match explore::load_file(&entry.path) {
        Ok(loaded) => loaded,
        Err(failure) => {
            let messages = explore::messages(&failure);
            return of(match () {
                () if entry.c_code && !messages.contains("c_") => {
                    Comparison::Differs(format!("embedded C is not named: {messages}"))
                }
                () if entry.c_code || !entry.accepted => Comparison::Rejected,
                () => Comparison::Differs(format!("we reject: {messages}")),
            });
        }
    };
    if entry.c_code {
        return of(Comparison::Differs("embedded C is not refused".to_owned()));
    }
    if !entry.accepted {
        return of(Comparison::Differs("Spin rejects it, we do not".to_owned()));
    }
    let interpreter = Interpreter::new(&loaded.model);
    let complete = entry.full.as_ref().is_some_and(|full| full.complete);
    let limits = match complete {
        true => Limits::default(),
        false => Limits { max_states: Some(MAX_STATES), max_time: Some(MAX_TIME), ..Limits::default() },
    };
    let outcome = explore::search(&interpreter, "dfs", StopAt::End, &limits);
    let comparison = judge(entry, &outcome);
    Checked { comparison, states: outcome.counts.states, transitions: outcome.counts.transitions }
}

fn judge(entry: &Entry, outcome: &SearchOutcome) -> Comparison {
    let ours = Numbers::from(outcome);
    let first = outcome.violations.first().map(|found| found.fault.message.as_str()).unwrap_or("no error");
    let is_complete = outcome.ended == Ended::Complete;
    let verdict = entry.safety.as_ref().and_then(|safety| match safety.errors {
        0 => safety.complete.then_some(false),
        _ => Some(true),
    });
    if let Some(theirs) = verdict {
        // A bounded search that found nothing does not contradict an error.
        let contradicts = ours.error != theirs && (ours.error || is_complete);
        if contradicts {
            let said = entry.safety.as_ref().and_then(|safety| safety.first_error.clone());
            return Comparison::Differs(format!(
                "verdict: ours {first}, Spin {}",
                said.unwrap_or("no error".to_owned())
            ));
        }
    }
    match &entry.full {
        Some(full) if full.is_comparable() => {
            if (ours.states, ours.transitions) == (full.states, full.transitions) {
                return Comparison::Exact;
            }
            let theirs = format!("Spin {} / {}", full.states, full.transitions);
            Comparison::Differs(format!("counts: ours {} / {} ({first}), {theirs}", ours.states, ours.transitions))
        }
        _ if verdict.is_some() && is_complete => Comparison::Verdict,
        _ => Comparison::Bounded,
    }
}
