//! The runs of an under-approximation loop, for the report.

use ample_abstraction::{Open, QuestionCounts};
use ample_search::{Counts, Ended};
use ample_source::Span;

/// One run of a loop.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// What was let in since the run before.
    pub added: Vec<Added>,
    /// How much was explored.
    pub counts: Counts,
    /// How much was explored before, of the system alone, if there was a first pass that came to
    /// its end.
    pub first_pass: Option<Counts>,
    /// How long it took, a first pass over the system alone included.
    pub seconds: f64,
    /// How it ended.
    pub ended: Ended,
    /// Whether nothing was missing.
    pub is_exact: bool,
    /// What is to be told besides, if predicates decided which states are told apart.
    pub round: Option<Round>,
}

/// What is told of a run in which predicates decided which states are told apart.
#[derive(Clone, Debug)]
pub struct Round {
    /// How many predicates there were.
    pub predicates: usize,
    /// How the questions whether the abstraction is exact were answered.
    pub questions: QuestionCounts,
    /// The commands that were not proved to be exact.
    pub open: Vec<Open>,
}

/// What was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The process.
    pub process: String,
    /// The statement: the transition's first, or the first that begins at the location.
    pub statement: String,
    /// Where it stands.
    pub span: Span,
    /// The predicate, if it is one; the statement is then the one that asked for it.
    pub predicate: Option<String>,
    /// Why.
    pub reason: &'static str,
}
