//! The parsed text as formulas and claims from outside see it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ample_property::{Lowered, OuterFormula, OuterProperties, ParsedText, Vocabulary, parsed_proposition};
use ample_source::{ClaimText, Diagnostic, Diagnostics, Request, SourceMap, Span};

use crate::lexer::lex;
use crate::lower;
use crate::parser::parse_expression;
use crate::syntax::{Declaration, Expr, ExprKind, Program};

/// Names for expressions, which a property may use.
pub(crate) type Aliases = HashMap<Arc<str>, Expr>;

/// A text that was parsed, and what its properties may name.
pub(crate) struct Text<'a> {
    pub(crate) request: Request<'a>,
    program: Program,
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The names of the processes.
    processes: HashSet<Arc<str>>,
    /// The names that are declared: they are no operators.
    names: HashSet<Arc<str>>,
    /// The names of the text for expressions, and those of the file that is being read.
    pub(crate) aliases: Aliases,
}

impl<'a> Text<'a> {
    pub(crate) fn new(
        request: Request<'a>,
        program: Program,
        sources: &'a mut SourceMap,
        diagnostics: &'a mut Diagnostics,
    ) -> Text<'a> {
        let processes: HashSet<Arc<str>> = program.processes.iter().map(|process| process.name.text.clone()).collect();
        let mut names = processes.clone();
        for declaration in &program.declarations {
            match declaration {
                Declaration::Variables(variables) => {
                    names.extend(variables.declarators.iter().map(|declarator| declarator.name.text.clone()));
                }
                Declaration::Channels(channels) => {
                    names.extend(channels.channels.iter().map(|(name, _)| name.text.clone()));
                }
            }
        }
        let mut aliases = Aliases::new();
        for (name, expr) in &program.expressions {
            let expr = substituted(expr, &aliases);
            aliases.insert(name.text.clone(), expr);
        }
        Text { request, program, sources, diagnostics, processes, names, aliases }
    }

    /// Reads something with `aliases` for the names of expressions.
    pub(crate) fn with_aliases<T>(&mut self, aliases: Aliases, read: impl FnOnce(&mut Text<'a>) -> T) -> T {
        let own = std::mem::replace(&mut self.aliases, aliases);
        let result = read(self);
        self.aliases = own;
        result
    }
}

impl ParsedText for Text<'_> {
    type Proposition = Expr;

    const SEVERAL_FORMULAS: &'static str = "write `#property` before each of several formulas";

    fn vocabulary(&mut self) -> &mut dyn Vocabulary<Expr> {
        self
    }

    fn notes(&mut self) -> (&mut SourceMap, &mut Diagnostics) {
        (self.sources, self.diagnostics)
    }

    /// The formulas of the text, `property ltl name "formula"`, and those of BEEM that somebody
    /// asks for.
    fn own_formulas(&mut self) -> Vec<OuterFormula<Expr>> {
        let texts = self.program.formulas.clone();
        let mut formulas: Vec<_> =
            texts.iter().filter_map(|own| self.formula(&own.name.text, &own.text, own.span)).collect();
        formulas.extend(self.beem());
        formulas
    }

    fn formulas_of_file(&mut self, claim: &ClaimText, span: Span) -> Option<Vec<OuterFormula<Expr>>> {
        self.formula_file(claim, span.file)
    }

    fn add_claim(&mut self, claim: &ClaimText) {
        let message = format!("{}: never claims are claims of Promela", claim.path.display());
        let help = "give an automaton (.hoa) or formulas (.ltl), or write a process into the model and \
                    name it: `system async property P;`";
        self.diagnostics.push(Diagnostic::error(None, message).help(help));
    }

    fn lower(self, outer: &OuterProperties<Expr>) -> Lowered {
        let name = self.request.root.display().to_string();
        lower::lower(&name, &self.program, outer, self.request.defines, self.diagnostics)
    }
}

/// A proposition is an expression of the model, or a name for one.
impl Vocabulary<Expr> for Text<'_> {
    fn is_name(&self, name: &str) -> bool {
        self.names.contains(name) || self.aliases.contains_key(name)
    }

    fn prepared<'t>(&self, formula: &'t str) -> Cow<'t, str> {
        Cow::Owned(joined(formula, &self.processes))
    }

    fn proposition(&mut self, text: &str, span: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut found = Diagnostics::new();
        let tokens = lex(text, span.file, span.start, &mut found);
        let expr = parse_expression(&tokens, &self.processes, &mut found);
        let expr = expr.ok().map(|expr| substituted(&expr, &self.aliases));
        parsed_proposition(expr, span, found, self.diagnostics)
    }

    fn constant(&mut self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(i32::from(value)), span, height: 1 }
    }
}

/// The expression with names for expressions replaced. An alias holds no other, so that this is
/// done once.
fn substituted(expr: &Expr, aliases: &Aliases) -> Expr {
    let again = |inner: &Expr| Box::new(substituted(inner, aliases));
    let kind = match &expr.kind {
        ExprKind::Variable(variable) if variable.owner.is_none() && variable.index.is_none() => {
            match aliases.get(&variable.name.text) {
                Some(alias) => return alias.clone(),
                None => expr.kind.clone(),
            }
        }
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, again(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, again(a), again(b)),
        ExprKind::Imply(a, b) => ExprKind::Imply(again(a), again(b)),
        ExprKind::Int(_) | ExprKind::Variable(_) => expr.kind.clone(),
    };
    Expr { kind, span: expr.span, height: expr.height }
}

/// The formula with `P->x` written as `P :x` if `P` is a process: in formulas an arrow is an
/// implication.
fn joined(formula: &str, processes: &HashSet<Arc<str>>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = formula.to_owned();
    for (at, _) in formula.match_indices("->") {
        let mut before = formula[..at].trim_end();
        if before.ends_with(')') {
            before = before.rfind('(').map_or("", |open| before[..open].trim_end());
        }
        let name = &before[before.trim_end_matches(is_part).len()..];
        if processes.contains(name) && formula[at + 2..].trim_start().starts_with(is_part) {
            text.replace_range(at..at + 2, " :");
        }
    }
    text
}
