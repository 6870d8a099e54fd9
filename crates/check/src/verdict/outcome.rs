//! What came out, per property and in all.

use std::fmt;
use std::sync::Arc;

use ample_guarantee::{Guarantee, Part, parts};
use ample_product::Fairness;
use ample_property::Formula;
use ample_replay::Replayed;
use ample_search::{Counts, Ended, Untraced, WorkerTime};
use ample_transition::{ClassCounts, Fault, Trace};

use crate::claim::Claim;
use crate::coverage::Coverage;
use crate::run::iteration::Iteration;
use crate::run::weighed::WeighedPlan;
use crate::system::{LeftOver, System};

/// The answer to a property.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It holds, under the guarantee that goes with it.
    Holds,
    /// Not settled, for the reason that goes with it.
    Unknown,
    /// It is violated; a replayed trace goes with it.
    Violated,
}

impl Verdict {
    /// The worse of two: violated, then unknown, then holds.
    #[must_use]
    pub fn combine(self, other: Verdict) -> Verdict {
        self.max(other)
    }

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Unknown => "unknown",
            Verdict::Violated => "violated",
        }
    }
}

/// A violation that was replayed on the reference semantics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What went wrong.
    pub fault: Fault,
    /// How to get there.
    pub trace: Trace,
    /// What the replay met.
    pub replayed: Replayed,
}

/// How a search was made.
#[derive(Clone, Debug)]
pub struct Run {
    /// The order, or how infinite runs were looked for.
    pub order: &'static str,
    /// Whether infinite runs were looked for, not only beginnings.
    pub is_for_infinite_runs: bool,
    /// The store.
    pub store: &'static str,
    /// How many threads there were.
    pub threads: usize,
    /// How they spent their time, if there were several and enough to do.
    pub workers: Vec<WorkerTime>,
    /// The bytes that store, stack and buffers held at most.
    pub memory: u64,
    /// The bytes that the store held in the end.
    pub store_memory: u64,
    /// How often the store laid out keys anew.
    pub relayouts: u64,
    /// The probability for a state to be missed, if the store may confuse states.
    pub omission_probability: Option<f64>,
    /// How many states machine code has left to the interpreter.
    pub interpreted_states: u64,
    /// The classes of states, if it computed some.
    pub classes: Option<ClassCounts>,
}

/// What an answer is worth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// What the parts of the plan preserve, and the bounds that were reached.
    Guarantee(Guarantee),
    /// The violation that was found, and no more: there may be others.
    FirstViolation,
    /// Nothing: the search stopped at a run that decides nothing.
    Candidate,
    /// Nothing: an error was found that cannot be shown.
    Untraced,
    /// Nothing: there was no search.
    NotChecked,
}

/// In short, for programs and for who knows the classes of properties.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Guarantee(guarantee) => guarantee.fmt(f),
            Worth::FirstViolation => {
                f.write_str("errors may be missed: the search stopped at the first one; no false error")
            }
            Worth::Candidate => f.write_str("none, the search stopped at this run"),
            Worth::Untraced => f.write_str("none, since an error was found that cannot be shown"),
            Worth::NotChecked => f.write_str("not checked"),
        }
    }
}

/// The answer to one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// Its name.
    pub name: String,
    /// What it is: `safety`, `progress` or `accept` for the built-in sets, else `ltl`, `never` or
    /// `claim`.
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// What went wrong, or why nothing is known.
    pub reason: Option<String>,
    /// What the answer is worth.
    pub guarantee: Worth,
    /// How the search ended; `None` if there was none.
    pub ended: Option<Ended>,
    /// How the search was made; `None` if there was none.
    pub run: Option<Run>,
    /// What a reader of the answer should know besides.
    pub notes: Vec<String>,
    /// If it is a formula that holds: the left sides of its implications that are true in no state
    /// that can be reached.
    pub never_true: Vec<Formula>,
    /// What would help, if memory ran out or a claim is not closed under stuttering.
    pub advice: Option<String>,
    /// How much was explored.
    pub counts: Counts,
    /// How long the search took.
    pub seconds: f64,
    /// The most memory that the process had in use so far.
    pub peak_memory_bytes: u64,
    /// The reductions that were used, each cycle condition after the reduction that it is for.
    pub reductions: Vec<&'static Part>,
    /// What was found.
    pub violations: Vec<Violation>,
    /// Which infinite runs counted.
    pub fairness: Fairness,
    /// Runs that were found and replayed, and decide nothing: only the closure of the claim accepts
    /// them.
    pub candidates: Vec<Violation>,
    /// What was found besides, without a way to it that could be shown.
    pub untraced: Vec<Untraced>,
    /// A move that was not taken because its value is beyond 64 bits.
    pub value_limit: Option<Box<Fault>>,
    /// The runs that it forbids as a whole, if it does.
    pub claim: Option<Arc<Claim>>,
    /// Which edges were taken, if asked for.
    pub coverage: Option<Coverage>,
    /// The runs of an under-approximation loop, the last one included; none if there was no loop.
    pub refinement: Vec<Iteration>,
    /// The plans that were weighed against each other, in the order in which they were tried; none
    /// if there was no choice.
    pub weighed: Vec<WeighedPlan>,
}

impl PropertyOutcome {
    /// Of a property that no search was made for.
    pub fn not_checked(name: String, kind: &'static str, reason: String) -> Self {
        PropertyOutcome {
            name,
            kind,
            verdict: Verdict::Unknown,
            reason: Some(reason),
            guarantee: Worth::NotChecked,
            ended: None,
            run: None,
            notes: Vec::new(),
            never_true: Vec::new(),
            advice: None,
            counts: Counts::default(),
            seconds: 0.0,
            peak_memory_bytes: 0,
            reductions: Vec::new(),
            violations: Vec::new(),
            fairness: Fairness::None,
            candidates: Vec::new(),
            untraced: Vec::new(),
            value_limit: None,
            claim: None,
            coverage: None,
            refinement: Vec::new(),
            weighed: Vec::new(),
        }
    }
}

/// The answer to a job.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answers, in the order of checking.
    pub properties: Vec<PropertyOutcome>,
    /// The worst of them.
    pub verdict: Verdict,
    /// How the model was executed: `jit` or `interpret`.
    pub execution: &'static str,
    /// Why it was interpreted although it was to be compiled.
    pub why_interpreted: Option<String>,
    /// What machine code has left to the interpreter, in all searches.
    pub left_over: Vec<LeftOver>,
}

impl Outcome {
    pub(crate) fn new(properties: Vec<PropertyOutcome>, system: &System<'_>) -> Self {
        let verdict = properties.iter().map(|property| property.verdict).fold(Verdict::Holds, Verdict::combine);
        let late = system.late_code.and_then(|code| code.why_none());
        Outcome {
            properties,
            verdict,
            execution: if late.is_some() { parts::INTERPRETER.name } else { system.execution.name },
            why_interpreted: late.or(system.why_interpreted.map(str::to_owned)),
            left_over: system.late_code.map(|code| code.left_over()).unwrap_or_default(),
        }
    }

    /// The first property with the verdict of all: its reason is the reason.
    pub fn decisive(&self) -> Option<&PropertyOutcome> {
        self.properties.iter().find(|property| property.verdict == self.verdict)
    }

    /// The property whose search ran last: its totals are the totals.
    pub fn last_run(&self) -> Option<&PropertyOutcome> {
        self.properties.iter().rev().find(|property| property.ended.is_some())
    }
}
