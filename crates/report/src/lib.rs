//! Outcomes for people and for machines: text, JSON, coverage, graphs. Nothing here prints or
//! decides anything.
//!
//! - [`text`]: what `ample check` says; [`lanes`]: a run with one lane per process; [`list`]: a run
//!   as a list;
//! - [`json`]: the same for programs;
//! - [`state`]: one state, with where each process is;
//! - [`refinement`]: the runs of an under-approximation loop;
//! - [`coverage`]: which statements were never executed;
//! - [`advise`], [`audit`], [`compare`], [`inspect`], [`ltl`]: what the commands of these names
//!   say, as text and JSON;
//! - [`graph`]: the state space as dot and aut; [`svg`]: a drawing of a small one.
//!
//! An outcome that has a violation is shown as it was replayed, never as the search described it. A
//! run may have millions of steps: they are made again one by one wherever they are written, and
//! never held all at once.

pub mod advise;
mod asked;
pub mod audit;
pub mod compare;
pub mod coverage;
mod document;
pub mod graph;
mod guarantee;
pub mod inspect;
mod interpreted;
pub mod json;
pub mod lanes;
mod layers;
pub mod list;
pub mod ltl;
mod notes;
pub mod numbers;
mod paint;
pub mod refinement;
mod rows;
mod shown;
pub mod state;
pub mod svg;
pub mod text;
mod weighed;
mod wrap;

use ample_check::{Outcome, PropertyOutcome, Violation};
use ample_interpret::Interpreter;
use ample_replay::Replayed;
use ample_source::{SourceMap, Span};
use ample_transition::Trace;

pub use asked::Asked;
pub use document::Document;
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

/// A run that can be shown: a trace that was replayed.
#[derive(Copy, Clone)]
pub struct ReplayedRun<'a> {
    /// Its moves.
    pub trace: &'a Trace,
    /// What the replay met.
    pub replayed: &'a Replayed,
}

impl<'a> From<&'a Violation> for ReplayedRun<'a> {
    fn from(violation: &'a Violation) -> Self {
        ReplayedRun { trace: &violation.trace, replayed: &violation.replayed }
    }
}

/// A violation as it was replayed, or a run that decides nothing.
pub struct Shown<'o> {
    /// The property that is violated or not settled.
    pub property: &'o PropertyOutcome,
    /// What the search found and the replay met.
    pub violation: &'o Violation,
}

impl Shown<'_> {
    /// Whether it is a violation.
    pub fn decides(&self) -> bool {
        self.property.violations.iter().any(|violation| std::ptr::eq(violation, self.violation))
    }
}

/// Every violation of an outcome, and every run that decides nothing, in the order of the
/// properties.
pub fn all_shown(outcome: &Outcome) -> Vec<Shown<'_>> {
    let mut all = Vec::new();
    for property in &outcome.properties {
        let runs = property.violations.iter().chain(&property.candidates);
        all.extend(runs.map(|violation| Shown { property, violation }));
    }
    all
}
