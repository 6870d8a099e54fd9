//! The runs of an under-approximation loop, for the report.

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
    /// Why.
    pub reason: &'static str,
}
