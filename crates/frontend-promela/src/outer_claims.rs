//! Claims in files of their own: automata in HOA format, never claims of Promela, formulas.
//!
//! All of them speak about the model: its variables, macros, processes and labels.

use std::sync::Arc;

use ample_property::{ClaimFormat, HoaAutomaton, Vocabulary, read_hoa};
use ample_source::{ClaimText, Diagnostic, FileId, FileLoader, Span};

use crate::outer_formulas::Outer;
use crate::parser;
use crate::syntax::{Expr, OuterAutomaton, Process, ProcessKind, Unit};

impl Outer<'_> {
    /// Reads the claims and adds them to the program.
    pub(crate) fn add_claims(&mut self, claims: &[ClaimText], loader: &dyn FileLoader) {
        for claim in claims {
            match ClaimFormat::of(&claim.path) {
                ClaimFormat::Hoa => self.add_automaton(claim),
                ClaimFormat::Ltl => self.add_formula_of_file(claim),
                ClaimFormat::Never => self.add_never_claim(claim, loader),
            }
        }
    }

    fn add_file(&mut self, claim: &ClaimText) -> FileId {
        self.sources.add_file(claim.path.display().to_string(), claim.text.as_str())
    }

    /// The only automaton of a file in HOA format.
    fn add_automaton(&mut self, claim: &ClaimText) {
        let file = self.add_file(claim);
        let mut read = read_hoa(&claim.text, Span::new(file, 0, offset(claim.text.len())));
        match (read.len(), read.pop()) {
            (1, Some(Ok(automaton))) => self.add_hoa(claim, automaton, file),
            (1, Some(Err(error))) => self.diagnostics.push(error),
            (count, _) => {
                let message = format!("there are {count} automata in {}, and a claim is one", claim.path.display());
                let error = Diagnostic::error(None, message);
                self.diagnostics.push(error.help("put the one that is meant into a file of its own"));
            }
        }
    }

    fn add_hoa(&mut self, claim: &ClaimText, read: HoaAutomaton, file: FileId) {
        let mut propositions = Vec::new();
        for (text, place) in read.propositions.iter().zip(&read.places) {
            match self.proposition(text, *place) {
                Ok(expr) => propositions.push(expr),
                Err(error) => self.diagnostics.push(*error),
            }
        }
        let (name, span) = (claim.name.clone(), Span::new(file, 0, 0));
        self.program.automata.push(OuterAutomaton { name, automaton: read.automaton, propositions, span });
    }

    /// A proposition of an automaton: an expression of the model.
    fn proposition(&mut self, text: &str, place: Span) -> Result<Expr, Box<Diagnostic>> {
        let is_as_written = self.sources.text(place) == text;
        let place = if is_as_written {
            place
        } else {
            // What was written with backslashes stands nowhere as it is meant.
            let file = self.sources.add_file("<proposition>", text);
            Span::new(file, 0, offset(text.len()))
        };
        self.with_propositions(|vocabulary| vocabulary.proposition(text, place))
    }

    /// The only formula of a file; lines that begin with `#` are comments.
    fn add_formula_of_file(&mut self, claim: &ClaimText) {
        let file = self.add_file(claim);
        let mut formulas = Vec::new();
        let mut start = 0;
        for line in claim.text.split_inclusive('\n') {
            let begin = start + (line.len() - line.trim_start().len());
            let formula = line.trim();
            if !formula.is_empty() && !formula.starts_with('#') {
                formulas.push((formula, Span::new(file, offset(begin), offset(begin + formula.len()))));
            }
            start += line.len();
        }
        match formulas[..] {
            [(formula, span)] => self.add_formula(&claim.name, formula, span),
            _ => {
                let count = formulas.len();
                let message = format!("there are {count} formulas in {}, and one is checked", claim.path.display());
                let error = Diagnostic::error(formulas.get(1).map(|(_, span)| *span), message);
                self.diagnostics.push(error.help("give several with --ltl; a formula stands on one line"));
            }
        }
    }

    /// The only never claim of a file, which may hold macros besides.
    fn add_never_claim(&mut self, claim: &ClaimText, loader: &dyn FileLoader) {
        if claim.text.trim_start().starts_with("HOA:") {
            let message = format!("{} is an automaton in HOA format", claim.path.display());
            let error = Diagnostic::error(None, message);
            self.diagnostics.push(error.help("give the file the ending .hoa"));
            return;
        }
        let preprocessed =
            self.definitions.preprocess(&claim.path, &claim.text, loader, self.sources, self.diagnostics);
        if self.diagnostics.has_errors() {
            return;
        }
        let units = parser::parse_behind(preprocessed.tokens, self.program, self.sources, self.diagnostics);
        if self.diagnostics.has_errors() {
            return;
        }
        match only_claim(units, claim) {
            Ok(mut process) => {
                process.kind = ProcessKind::OuterNever;
                process.name.text = Arc::from(claim.name.as_str());
                self.program.units.push(Unit::Process(process));
            }
            Err(error) => self.diagnostics.push(*error),
        }
    }
}

/// The never claim among the units of a text, if that is all there is.
fn only_claim(units: Vec<Unit>, claim: &ClaimText) -> Result<Process, Box<Diagnostic>> {
    let mut claims = Vec::new();
    for unit in units {
        match unit {
            Unit::Process(process) if process.kind == ProcessKind::Never => claims.push(process),
            other => return Err(not_a_claim(&other)),
        }
    }
    let count = claims.len();
    match (count, claims.pop()) {
        (1, Some(process)) => Ok(process),
        (0, _) => {
            let error = Diagnostic::error(None, format!("there is no never claim in {}", claim.path.display()));
            Err(error.help("write `never { … }`; files with automata end with .hoa, with a formula .ltl").into())
        }
        (_, last) => {
            let message = format!("there are {count} never claims in {}, and one is checked", claim.path.display());
            let error = Diagnostic::error(last.map(|process| process.name.span), message);
            Err(error.help("leave one, or put it into a file of its own").into())
        }
    }
}

fn not_a_claim(unit: &Unit) -> Box<Diagnostic> {
    let help = match unit {
        Unit::Ltl(_) => "give a formula with --ltl, or in a file with the ending .ltl",
        _ => "a never claim may use what the model declares",
    };
    let error = Diagnostic::error(place(unit), "a file with a claim has a never claim and macros, nothing else");
    error.help(help).into()
}

fn place(unit: &Unit) -> Option<Span> {
    match unit {
        Unit::Process(process) => Some(process.name.span),
        Unit::Typedef(typedef) => Some(typedef.name.span),
        Unit::Declaration(declaration) => declaration.variables.first().map(|variable| variable.name.span),
        Unit::Mtype(mtype) => mtype.names.first().map(|name| name.span),
        Unit::Ltl(ltl) => Some(ltl.span),
    }
}

/// Spans are 32 bits wide; a text beyond that is no claim.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
