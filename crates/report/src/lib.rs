//! Outcomes for people and for machines: text, JSON, coverage, graphs. Nothing here prints or decides anything.
//!
//! - [`text`]: what `ample check` says; [`lanes`]: a run with one lane per process; [`list`]: a run as a list;
//! - [`json`]: the same for programs;
//! - [`refinement`]: the runs of an under-approximation loop;
//! - [`coverage`]: which statements were never executed;
//! - [`graph`]: the state space as dot and aut.
//!
//! An outcome that has a violation is shown as it was replayed, never as the search described it.

pub mod coverage;
pub mod graph;
pub mod json;
pub mod lanes;
pub mod list;
pub mod numbers;
mod paint;
pub mod refinement;
mod shown;
pub mod text;
mod wrap;

use ample_check::{Claim, Outcome, PropertyOutcome, Violation};
use ample_interpret::Interpreter;
use ample_replay::{Forbids, Mismatch, Replayed, judge};
use ample_source::{SourceMap, Span};

pub use paint::{Colour, Paint};

/// What the report is about: the model, as something that runs, and its text.
#[derive(Copy, Clone)]
pub struct Subject<'a> {
    /// Runs the model.
    pub interpreter: &'a Interpreter<'a>,
    /// The text of the model.
    pub sources: &'a SourceMap,
}

/// How to lay text out.
#[derive(Copy, Clone, Debug)]
pub struct Look {
    /// How many columns a line may have.
    pub width: usize,
    /// Whether colours are wanted.
    pub colour: Colour,
}

impl Subject<'_> {
    /// `file:line`, as a reader looks for it.
    pub fn place(&self, span: Span) -> String {
        let location = self.sources.location(span);
        format!("{}:{}", location.file, location.line)
    }

    /// `:line` in the model's own file, `file:line` in an included one.
    pub(crate) fn short_place(&self, span: Span) -> String {
        let location = self.sources.location(span);
        let main = self.sources.files().next().map(|(_, file)| file.name.as_str());
        if main == Some(location.file) { format!(":{}", location.line) } else { self.place(span) }
    }
}

/// A violation as it was replayed, or a run that decides nothing.
pub struct Shown<'o> {
    /// The property that is violated or not settled.
    pub property: &'o PropertyOutcome,
    /// What the search found.
    pub violation: &'o Violation,
    /// What the replay met.
    pub replayed: Replayed,
}

impl Shown<'_> {
    /// Whether it is a violation.
    pub fn decides(&self) -> bool {
        self.property.violations.iter().any(|violation| std::ptr::eq(violation, self.violation))
    }

    /// The name of the process at fault.
    pub fn culprit(&self) -> Option<&str> {
        culprit(&self.replayed)
    }
}

/// Replays every violation of an outcome, and every run that decides nothing, in the order of the properties.
pub fn replay_all<'o>(subject: &Subject<'_>, outcome: &'o Outcome) -> Result<Vec<Shown<'o>>, Mismatch> {
    let mut all = Vec::new();
    for property in &outcome.properties {
        let claim = property.claim.as_deref();
        let closure = claim.and_then(Claim::closure);
        let violations = property.violations.iter().map(|violation| (violation, claim));
        let candidates = property.candidates.iter().map(|candidate| (candidate, closure.as_ref()));
        for (violation, claim) in violations.chain(candidates) {
            let claim = claim.map(|claim| claim as &dyn Forbids);
            let replayed = judge(subject.interpreter, &violation.trace, &violation.fault, claim)?;
            all.push(Shown { property, violation, replayed });
        }
    }
    Ok(all)
}

/// The name of the process at fault.
pub fn culprit(replayed: &Replayed) -> Option<&str> {
    let pid = replayed.fault.process?;
    let step = replayed.fault_at.and_then(|at| replayed.steps.get(at));
    let participants = step.into_iter().flat_map(|step| std::iter::once(&step.mover).chain(&step.partner));
    let moving = participants.filter(|participant| participant.pid == pid).map(|participant| participant.name.as_str());
    let waiting = replayed.waiting.iter().filter(|waiting| waiting.pid == pid).map(|waiting| waiting.name.as_str());
    moving.chain(waiting).next()
}
