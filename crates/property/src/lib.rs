//! Properties that speak about whole runs: formulas of linear temporal logic and never claims.

mod automaton;
mod bdd;
mod dot;
mod formula;
mod hoa;
mod lasso;
mod ltl;
mod never_claim;
mod parser;
mod propositions;
mod stutter;
mod terms;
mod translate;

use ample_model::Template;
use ample_source::Span;

pub use automaton::strength::Strength;
pub use automaton::{Automaton, Edge, Marks, StateId};
pub use bdd::{Bdd, Bdds, Cube};
pub use dot::write_dot;
pub use formula::{Binary, Formula, Unary};
pub use hoa::{HoaAutomaton, read_hoa, write_hoa};
pub use lasso::Lasso;
pub use ltl::{Letter, Ltl, MAX_PROPOSITIONS, MAX_SIZE, PropositionId};
pub use never_claim::write_never_claim;
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
}

impl PropertyKind {
    /// The name used in reports for machines.
    pub fn name(&self) -> &'static str {
        match self {
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Never(_) => "never",
        }
    }
}
