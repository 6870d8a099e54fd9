//! The parsed text as formulas and claims from outside see it.
//!
//! Where a proposition begins and ends is found by the parser of formulas. The text in between is
//! Promela, with the macros of the model, and goes the way of the model's own expressions.

use std::path::Path;

use ample_property::{Lowered, OuterProperties, ParsedText, Vocabulary, parsed_proposition};
use ample_source::{ClaimText, Diagnostic, Diagnostics, FileLoader, SourceMap, Span};

use crate::preprocess::Definitions;
use crate::syntax::{Expr, ExprKind, Program};
use crate::{lower, parser};

/// A text that was parsed, and what is to be added to it from outside.
pub(crate) struct Text<'a> {
    pub(crate) program: Program,
    /// The macros at the end of the text.
    pub(crate) definitions: Definitions,
    pub(crate) root: &'a Path,
    pub(crate) loader: &'a dyn FileLoader,
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl ParsedText for Text<'_> {
    type Proposition = Expr;

    const SEVERAL_FORMULAS: &'static str = "give several with --ltl; a formula stands on one line";

    fn vocabulary(&mut self) -> &mut dyn Vocabulary<Expr> {
        self
    }

    fn notes(&mut self) -> (&mut SourceMap, &mut Diagnostics) {
        (self.sources, self.diagnostics)
    }

    fn add_claim(&mut self, claim: &ClaimText) {
        self.add_never_claim(claim);
    }

    fn lower(self, outer: &OuterProperties<Expr>) -> Lowered {
        lower::lower(&self.root.display().to_string(), &self.program, outer, self.sources, self.diagnostics)
    }
}

impl Vocabulary<Expr> for Text<'_> {
    fn is_name(&self, name: &str) -> bool {
        self.program.global_names().any(|known| &**known == name)
    }

    fn proposition(&mut self, _: &str, span: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut found = Diagnostics::new();
        let tokens = self.definitions.expand(span, self.sources, &mut found);
        let expr = parser::parse_expression(tokens, &mut self.program, self.sources, &mut found);
        let parsed = parsed_proposition(expr.ok(), span, found, self.diagnostics);
        parsed.map_err(|error| self.explain(*error).into())
    }

    fn constant(&mut self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(i32::from(value)), span, height: 1 }
    }
}

impl Text<'_> {
    /// A macro may hold what can stand in the text of a model but not here.
    fn explain(&self, error: Diagnostic) -> Diagnostic {
        let inside = error.primary.as_ref().and_then(|label| self.sources.expansions_of(label.span).last());
        match inside {
            Some((_, expansion)) => {
                let note = format!("macro `{}` must be an expression without temporal operators here", expansion.name);
                error.note(note)
            }
            None => error,
        }
    }
}
