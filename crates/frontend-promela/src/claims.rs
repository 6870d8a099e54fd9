//! Never claims in files of their own. They speak about the model: its variables, macros, processes
//! and labels.

use std::sync::Arc;

use ample_source::{ClaimText, Diagnostic, Span};

use crate::parser;
use crate::syntax::{Process, ProcessKind, Unit};
use crate::text::Text;

impl Text<'_> {
    /// The only never claim of a file, which may hold macros besides.
    pub(crate) fn add_never_claim(&mut self, claim: &ClaimText) {
        if claim.text.trim_start().starts_with("HOA:") {
            let message = format!("{} is an automaton in HOA format", claim.path.display());
            let error = Diagnostic::error(None, message);
            self.diagnostics.push(error.help("give the file the ending .hoa"));
            return;
        }
        let preprocessed =
            self.definitions.preprocess(&claim.path, &claim.text, self.loader, self.sources, self.diagnostics);
        if self.diagnostics.has_errors() {
            return;
        }
        let units = parser::parse_behind(preprocessed.tokens, &mut self.program, self.sources, self.diagnostics);
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
