//! The parsed text as formulas and claims from outside see it.

use std::collections::HashSet;
use std::sync::Arc;

use ample_property::{
    Formula, Lowered, OuterFormula, OuterProperties, ParsedText, Unary, Vocabulary, parsed_proposition,
};
use ample_source::{ClaimText, Diagnostic, Diagnostics, Request, SourceMap, Span};

use crate::lexer::lex;
use crate::lower;
use crate::parser::parse_expression;
use crate::syntax::{Expr, ExprKind, Item, Program};

/// A text that was parsed, and what its properties may name.
pub(crate) struct Text<'a> {
    request: Request<'a>,
    program: Program,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    /// The names that are declared outside of processes: they are no operators.
    names: HashSet<Arc<str>>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(
        request: Request<'a>,
        program: Program,
        sources: &'a mut SourceMap,
        diagnostics: &'a mut Diagnostics,
    ) -> Text<'a> {
        let mut names: HashSet<Arc<str>> = HashSet::new();
        for item in &program.items {
            match item {
                Item::Constants(constants) => names.extend(constants.iter().map(|(name, _)| name.text.clone())),
                Item::Variables(variables) => {
                    names.extend(variables.declarators.iter().map(|declarator| declarator.name.text.clone()));
                }
                Item::Process(process) => {
                    names.insert(process.name.text.clone());
                }
                _ => {}
            }
        }
        Text { request, program, sources, diagnostics, names }
    }

    /// The name of a property, unless there is one of that name.
    fn claim_name(&mut self, name: &str, span: Span, taken: &mut Vec<(String, Span)>) {
        if let Some((_, first)) = taken.iter().find(|(other, _)| other == name) {
            let error = Diagnostic::error(span, format!("there are two properties called `{name}`"));
            self.diagnostics.push(error.secondary(*first, "the first one"));
        }
        taken.push((name.to_owned(), span));
    }
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

    /// `error name: e`, which must never be true, and `ltl name { … }`, in the order of the text.
    fn own_formulas(&mut self) -> Vec<OuterFormula<Expr>> {
        let items = std::mem::take(&mut self.program.items);
        let (mut formulas, mut taken, mut unnamed) = (Vec::new(), Vec::new(), 0);
        for item in &items {
            match item {
                Item::Error(name, expr) => {
                    self.claim_name(&name.text, name.span, &mut taken);
                    let never = Formula::Unary(Unary::Not, Box::new(Formula::Proposition(expr.clone())));
                    let formula = Formula::Unary(Unary::Always, Box::new(never));
                    formulas.push(OuterFormula { name: name.text.to_string(), formula, span: name.span });
                }
                Item::Formula(own) => {
                    let (name, span) = match &own.name {
                        Some(name) => (name.text.to_string(), name.span),
                        None => {
                            unnamed += 1;
                            (format!("ltl_{}", unnamed - 1), own.span)
                        }
                    };
                    self.claim_name(&name, span, &mut taken);
                    formulas.extend(self.formula(&name, &own.text, own.span));
                }
                _ => {}
            }
        }
        self.program.items = items;
        formulas
    }

    fn add_claim(&mut self, claim: &ClaimText) {
        let message = format!("{}: never claims are claims of Promela", claim.path.display());
        let help = "give an automaton (.hoa) or a formula (.ltl), or write `ltl name { … }` or \
                    `error name: …;` into the model";
        self.diagnostics.push(Diagnostic::error(None, message).help(help));
    }

    fn lower(self, outer: &OuterProperties<Expr>) -> Lowered {
        lower::lower(&self.request, &self.program, outer, self.diagnostics)
    }
}

/// A proposition is an expression of the program.
impl Vocabulary<Expr> for Text<'_> {
    fn is_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn proposition(&mut self, text: &str, span: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut found = Diagnostics::new();
        let tokens = lex(text, span.file, span.start, &mut found);
        let expr = parse_expression(&tokens, &mut found);
        parsed_proposition(expr.ok(), span, found, self.diagnostics)
    }

    fn constant(&mut self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Bool(value), span, height: 1 }
    }
}
