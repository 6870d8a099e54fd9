//! Properties that speak about whole runs: formulas of linear temporal logic, automata on infinite
//! words, never claims.
//!
//! The way of a formula:
//!
//! - A front end makes a [`Formula`] over expressions of its model, or [`parse_formula`] reads one
//!   from a text, with a [`Vocabulary`] that knows what propositions are. [`parse_ltl`] reads one
//!   over bare names.
//! - [`number_propositions`] gives the propositions numbers, and an [`Ltl`] over these. From here
//!   on a letter is a set of numbers, one bit each: a [`Letter`].
//! - [`translate()`] makes two automata of it, one with generalised acceptance on transitions and
//!   one with accepting states, and says what is known about the property ([`Facts`]).
//!
//! Formulas and claims that are given beside a model are read once for all languages, by the crate
//! above the front ends: a front end gives a [`ParsedText`], a vocabulary that takes them in before
//! the model is made.
//!
//! [`conditions`] gives the left sides of implications: if one is never true, the formula says less
//! than its author thinks.
//!
//! An [`Automaton`] can also be read from a file in HOA format ([`read_hoa`]), and written as HOA,
//! as a never claim or as a graph ([`write_hoa`], [`write_never_claim`], [`write_dot`]). Products,
//! emptiness, words and complements of deterministic automata are its methods. All of this is for
//! small automata by themselves; the product with a system is made elsewhere, on the fly.
//!
//! [`stutter_closure`] and [`is_stutter_invariant`] are about words that differ in repetitions
//! only, which is all that partial order reduction may change.
//!
//! A [`Lasso`] is an infinite word with a finite description. It knows whether it satisfies a
//! formula, from the definition of the logic alone, and the tests of everything else stand on that.
//!
//! Invariants: no text makes a parser panic; nothing takes for ever, what is too large is refused
//! or left undecided; the order of hash tables reaches no result.
//!
//! ```
//! use ample_property::{Lasso, parse_ltl, translate, write_never_claim};
//! use ample_source::Span;
//!
//! let (formula, names) = parse_ltl("G(request -> F reply)", Span::default()).unwrap();
//! let bad = translate(&formula.negated()).unwrap();
//! assert_eq!(bad.ba.state_count(), 2);
//! // Letters are bits: 1 is a request, 2 is a reply.
//! let unanswered = Lasso::new(vec![0, 2, 1], vec![0]).unwrap();
//! assert!(bad.ba.accepts(&unanswered));
//! let claim = write_never_claim(&bad.ba, "no reply", names.as_slice()).unwrap();
//! assert!(claim.contains(":: (request && !reply) -> goto accept_S1"));
//! ```

mod automaton;
mod bdd;
mod claim;
mod claim_text;
mod conditions;
mod dot;
mod formula;
mod hoa;
mod label;
mod lasso;
mod ltl;
mod never_claim;
mod outer;
mod parser;
mod propositions;
#[cfg(test)]
mod random;
mod stutter;
mod terms;
mod translate;

use ample_model::Template;
use ample_source::Span;

pub use automaton::strength::Strength;
pub use automaton::{Automaton, Edge, Marks, StateId};
pub use bdd::{Bdd, Bdds, Cube};
pub use claim::{ClaimAutomaton, claim_automaton};
pub use claim_text::ClaimFormat;
pub use conditions::{Condition, conditions};
pub use dot::write_dot;
pub use formula::{Binary, Formula, Unary};
pub use hoa::{HoaAutomaton, read_hoa, write_hoa};
pub use lasso::Lasso;
pub use ltl::{Letter, Ltl, MAX_PROPOSITIONS, MAX_SIZE, PropositionId};
pub use never_claim::write_never_claim;
pub use outer::{Lowered, OuterAutomaton, OuterFormula, OuterProperties, ParsedText, parsed_proposition};
pub use parser::{Names, Vocabulary, parse_formula, parse_ltl};
pub use propositions::{NumberingError, number_propositions};
pub use stutter::{is_stutter_invariant, stutter_closure};
pub use translate::{Facts, TooLarge, Translated, translate};

/// A property with a name.
#[derive(Clone, Debug)]
pub struct Property {
    /// What the user calls it.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// Where it was written.
    pub span: Span,
}

/// What a property says.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// Every run satisfies this formula.
    Ltl(Formula),
    /// No run is matched by this claim.
    Never(Box<Template>),
    /// No run is accepted by this automaton, which was given beside the model.
    Claim(Box<ClaimAutomaton>),
}

impl PropertyKind {
    /// The name used in reports for machines.
    pub fn name(&self) -> &'static str {
        match self {
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Never(_) => "never",
            PropertyKind::Claim(_) => "claim",
        }
    }
}
