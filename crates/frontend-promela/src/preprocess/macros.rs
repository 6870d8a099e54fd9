//! Macros and their bodies.

use ample_source::Span;

use super::interner::Symbol;
use super::token::PpToken;

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    /// Where its name is defined.
    pub(super) definition: Span,
    /// The parameters; none for a macro that is called without parentheses.
    pub(super) parameters: Option<Vec<Symbol>>,
    /// What a call becomes.
    pub(super) body: Vec<Part>,
}

/// A piece of the body of a macro.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A token that stands for itself.
    Token(PpToken),
    /// The argument for the parameter with this number.
    Argument(usize, PpToken),
    /// `#`: the argument as a string.
    Stringise(usize, PpToken),
    /// `##`: what stands before and what stands after become one token.
    Paste(PpToken),
}

impl Part {
    /// Two bodies are the same if their parts are; blanks do not matter.
    fn is_same(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::Token(left), Part::Token(right)) => left.lexeme == right.lexeme && left.text == right.text,
            (Part::Argument(left, _), Part::Argument(right, _)) => left == right,
            (Part::Stringise(left, _), Part::Stringise(right, _)) => left == right,
            (Part::Paste(_), Part::Paste(_)) => true,
            _ => false,
        }
    }
}

impl Macro {
    /// Whether a second definition says the same.
    pub(super) fn is_same(&self, other: &Macro) -> bool {
        self.parameters == other.parameters
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(left, right)| left.is_same(right))
    }
}
