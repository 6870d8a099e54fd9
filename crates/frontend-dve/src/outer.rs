//! Properties from outside of the text: formulas in the dialect of the command line, claims in files of their own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ample_property::{ClaimFormat, HoaAutomaton, Vocabulary, parse_formula, read_hoa};
use ample_source::{ClaimText, Diagnostic, Diagnostics, FormulaText, Severity, SourceMap, Span};

use crate::lexer::lex;
use crate::parser::parse_expression;
use crate::syntax::{Declaration, Expr, ExprKind, NamedAutomaton, NamedFormula, Program};

/// Names for expressions, which a property may use.
pub(crate) type Aliases = HashMap<Arc<str>, Expr>;

/// The properties that were read, cut into propositions.
#[derive(Debug, Default)]
pub(crate) struct OuterProperties {
    pub(crate) formulas: Vec<NamedFormula>,
    pub(crate) automata: Vec<NamedAutomaton>,
}

/// Reads properties about a program.
pub(crate) struct Outer<'a> {
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The names of the processes.
    pub(crate) processes: HashSet<Arc<str>>,
    /// The names that are declared: they are no operators.
    names: HashSet<Arc<str>>,
    /// The names of the text for expressions.
    pub(crate) aliases: Aliases,
    pub(crate) read: OuterProperties,
}

impl<'a> Outer<'a> {
    pub(crate) fn new(program: &Program, sources: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Outer<'a> {
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
        Outer { sources, diagnostics, processes, names, aliases, read: OuterProperties::default() }
    }

    /// The formulas of the text: `property ltl name "formula"`.
    pub(crate) fn add_own(&mut self, program: &Program) {
        let aliases = self.aliases.clone();
        for formula in &program.formulas {
            self.add_formula(&formula.name.text, &formula.text, formula.span, &aliases);
        }
    }

    pub(crate) fn add_formulas(&mut self, formulas: &[FormulaText]) {
        let aliases = self.aliases.clone();
        for FormulaText { name, text } in formulas {
            let span = self.place(&format!("<{name}>"), text);
            self.add_formula(name, text, span, &aliases);
        }
    }

    /// Registers a text, so that messages can show it.
    pub(crate) fn place(&mut self, name: &str, text: &str) -> Span {
        let file = self.sources.add_file(name, text);
        Span::new(file, 0, offset(text.len()))
    }

    /// Parses a formula whose text stands at `span`.
    pub(crate) fn add_formula(&mut self, name: &str, text: &str, span: Span, aliases: &Aliases) {
        let text = joined(text, &self.processes);
        let parsed = self.with_propositions(aliases, |vocabulary| parse_formula(&text, span, vocabulary));
        match parsed {
            Ok(formula) => self.read.formulas.push(NamedFormula { name: name.to_owned(), formula, span }),
            Err(errors) => self.diagnostics.extend(errors),
        }
    }

    fn with_propositions<T>(&mut self, aliases: &Aliases, parse: impl FnOnce(&mut Propositions<'_>) -> T) -> T {
        let mut vocabulary =
            Propositions { names: &self.names, processes: &self.processes, aliases, warnings: Vec::new() };
        let parsed = parse(&mut vocabulary);
        self.diagnostics.extend(vocabulary.warnings);
        parsed
    }

    /// An expression of the model.
    pub(crate) fn expression(&mut self, text: &str, span: Span, aliases: &Aliases) -> Option<Expr> {
        match self.with_propositions(aliases, |vocabulary| vocabulary.proposition(text, span)) {
            Ok(expr) => Some(expr),
            Err(error) => {
                self.diagnostics.push(*error);
                None
            }
        }
    }

    pub(crate) fn add_claims(&mut self, claims: &[ClaimText]) {
        for claim in claims {
            match ClaimFormat::of(&claim.path) {
                ClaimFormat::Hoa => self.add_automaton(claim),
                ClaimFormat::Ltl => self.add_formula_file(claim),
                ClaimFormat::Never => {
                    let message = format!("{}: never claims are claims of Promela", claim.path.display());
                    let help = "give an automaton (.hoa) or formulas (.ltl), or write a process into the model and \
                                name it: `system async property P;`";
                    self.diagnostics.push(Diagnostic::error(None, message).help(help));
                }
            }
        }
    }

    /// The only automaton of a file in HOA format.
    fn add_automaton(&mut self, claim: &ClaimText) {
        let span = self.place(&claim.path.display().to_string(), &claim.text);
        let mut read = read_hoa(&claim.text, span);
        match (read.len(), read.pop()) {
            (1, Some(Ok(automaton))) => self.add_hoa(claim, automaton, span),
            (1, Some(Err(error))) => self.diagnostics.push(error),
            (count, _) => {
                let message = format!("there are {count} automata in {}, and a claim is one", claim.path.display());
                let error = Diagnostic::error(None, message);
                self.diagnostics.push(error.help("put the one that is meant into a file of its own"));
            }
        }
    }

    fn add_hoa(&mut self, claim: &ClaimText, read: HoaAutomaton, span: Span) {
        let aliases = self.aliases.clone();
        let mut propositions = Vec::new();
        for (text, place) in read.propositions.iter().zip(&read.places) {
            // What was written with backslashes stands nowhere as it is meant.
            let is_as_written = self.sources.text(*place) == text;
            let place = if is_as_written { *place } else { self.place("<proposition>", text) };
            propositions.extend(self.expression(text, place, &aliases));
        }
        let span = Span { end: span.start, ..span };
        let name = claim.name.clone();
        self.read.automata.push(NamedAutomaton { name, automaton: read.automaton, propositions, span });
    }
}

/// What a proposition is: an expression of the model, or a name for one.
pub(crate) struct Propositions<'a> {
    names: &'a HashSet<Arc<str>>,
    processes: &'a HashSet<Arc<str>>,
    aliases: &'a Aliases,
    warnings: Vec<Diagnostic>,
}

impl Vocabulary<Expr> for Propositions<'_> {
    fn is_name(&self, name: &str) -> bool {
        self.names.contains(name) || self.aliases.contains_key(name)
    }

    fn proposition(&mut self, text: &str, span: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(text, span.file, span.start, &mut diagnostics);
        let expr = parse_expression(&tokens, self.processes, &mut diagnostics);
        let (mut errors, warnings): (Vec<_>, Vec<_>) =
            diagnostics.into_vec().into_iter().partition(|entry| entry.severity == Severity::Error);
        self.warnings.extend(warnings);
        match expr {
            Ok(expr) if errors.is_empty() => Ok(substituted(&expr, self.aliases)),
            _ if errors.is_empty() => Err(Diagnostic::error(span, "this is not an expression of the model").into()),
            _ => Err(errors.swap_remove(0).into()),
        }
    }

    fn constant(&mut self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(i32::from(value)), span, height: 1 }
    }
}

/// The expression with names for expressions replaced. An alias holds no other, so that this is done once.
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

/// The formula with `P->x` written as `P :x` if `P` is a process: in formulas an arrow is an implication.
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

/// Spans are 32 bits wide; a text beyond that is no claim.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
