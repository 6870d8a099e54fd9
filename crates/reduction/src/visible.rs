//! What a question looks at.

use ample_model::Expr;
use ample_transition::FaultKind;

/// What a question looks at, and a technique must therefore keep.
#[derive(Copy, Clone, Debug)]
pub struct Visible<'q> {
    /// The propositions, which are evaluated in states.
    pub propositions: &'q [Expr],
    /// The faults that are looked for.
    pub faults: &'q [FaultKind],
    /// Whether one of them is enough: the search ends with the first.
    pub one_is_enough: bool,
    /// Whether it counts which processes are enabled and which move, as for fairness.
    pub processes: bool,
    /// Whether the names of edges are seen, as in graphs.
    pub names: bool,
}

/// Why a technique does not apply to a model or to a question: a clause that names what hinders it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHere(pub String);
