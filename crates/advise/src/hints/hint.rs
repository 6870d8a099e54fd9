//! A hint, and what it is found by.

use ample_model::Expr;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_source::Span;

/// Something that the author could change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where.
    pub span: Span,
    /// What, and what for, as a sentence.
    pub text: String,
}

/// No more hints of a kind are given: the first ones tell what to look for.
pub(super) const MOST: usize = 3;

/// What is known of a model.
pub(super) struct Subject<'a> {
    pub network: &'a Network<'a>,
    pub facts: &'a Facts,
    /// What the properties look at.
    pub propositions: &'a [Expr],
}
