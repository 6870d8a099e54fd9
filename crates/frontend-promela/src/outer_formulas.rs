//! Formulas from outside of the text: the dialect of the command line, over the expressions of the model.
//!
//! Where a proposition begins and ends is found by the parser of that dialect. The text in between is Promela, with the
//! macros of the model, and goes the way of the model's own expressions.

use std::collections::HashSet;
use std::sync::Arc;

use ample_property::{Vocabulary, parse_formula};
use ample_source::{Diagnostic, Diagnostics, FormulaText, Severity, SourceMap, Span};

use crate::parser;
use crate::preprocess::Definitions;
use crate::syntax::{Expr, ExprKind, OuterFormula, Program};

/// A model, and what is to be added to it from outside of its text.
pub(crate) struct Outer<'a> {
    pub(crate) program: &'a mut Program,
    /// The macros at the end of the model.
    pub(crate) definitions: &'a mut Definitions,
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl Outer<'_> {
    /// Parses the formulas and adds them to the program.
    pub(crate) fn add_formulas(&mut self, formulas: &[FormulaText]) {
        for FormulaText { name, text } in formulas {
            let file = self.sources.add_file(format!("<{name}>"), text.as_str());
            self.add_formula(name, text, Span::new(file, 0, u32::try_from(text.len()).unwrap_or(u32::MAX)));
        }
    }

    /// Parses a formula whose text stands at `span`, and adds it to the program.
    pub(crate) fn add_formula(&mut self, name: &str, text: &str, span: Span) {
        let parsed = self.with_propositions(|vocabulary| parse_formula(text, span, vocabulary));
        match parsed {
            Ok(formula) => self.program.formulas.push(OuterFormula { name: name.to_owned(), formula, span }),
            Err(errors) => self.diagnostics.extend(errors),
        }
    }

    /// Gives `parse` what knows the expressions of the model.
    pub(crate) fn with_propositions<T>(&mut self, parse: impl FnOnce(&mut Propositions<'_>) -> T) -> T {
        let names: HashSet<Arc<str>> = self.program.global_names().cloned().collect();
        let mut vocabulary = Propositions {
            names: &names,
            program: self.program,
            definitions: self.definitions,
            sources: self.sources,
            warnings: Vec::new(),
        };
        let parsed = parse(&mut vocabulary);
        self.diagnostics.extend(vocabulary.warnings);
        parsed
    }
}

/// What a proposition is: an expression of the model.
pub(crate) struct Propositions<'a> {
    names: &'a HashSet<Arc<str>>,
    program: &'a mut Program,
    definitions: &'a mut Definitions,
    sources: &'a mut SourceMap,
    warnings: Vec<Diagnostic>,
}

impl Vocabulary<Expr> for Propositions<'_> {
    fn is_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn proposition(&mut self, _: &str, span: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut diagnostics = Diagnostics::new();
        let tokens = self.definitions.expand(span, self.sources, &mut diagnostics);
        let expr = parser::parse_expression(tokens, self.program, self.sources, &mut diagnostics);
        let (mut errors, warnings): (Vec<_>, Vec<_>) =
            diagnostics.into_vec().into_iter().partition(|entry| entry.severity == Severity::Error);
        self.warnings.extend(warnings);
        match expr {
            Ok(expr) if errors.is_empty() => Ok(expr),
            _ if errors.is_empty() => Err(Diagnostic::error(span, "this is not an expression of the model").into()),
            _ => Err(self.explain(errors.swap_remove(0)).into()),
        }
    }

    fn constant(&mut self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(i32::from(value)), span, height: 1 }
    }
}

impl Propositions<'_> {
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
