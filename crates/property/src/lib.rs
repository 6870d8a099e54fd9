//! Properties that speak about whole runs: formulas of linear temporal logic and never claims.

mod formula;

use ample_model::Template;
use ample_source::Span;

pub use formula::{Binary, Formula, Unary};

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
