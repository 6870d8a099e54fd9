//! What is asked about: formulas, or automata of a file.

use std::fs;
use std::path::Path;

use ample_frontends::LoadFailure;
use ample_property::{HoaAutomaton, Ltl, Names, parse_ltl, read_hoa};
use ample_source::{Diagnostic, SourceMap, Span, filled_lines};

use crate::args::LtlArgs;
use crate::failure::Failure;
use crate::model::read_standard_input;

/// One thing that is asked about.
pub enum Subject {
    /// A formula, as it was written and as it was read.
    Formula { text: String, formula: Ltl, names: Names, span: Span },
    /// An automaton, and what to call it.
    Automaton { title: String, read: HoaAutomaton, span: Span },
}

/// All that is asked about, at least one, and the texts that it was read from.
pub struct Input {
    pub subjects: Vec<Subject>,
    pub sources: SourceMap,
}

impl Input {
    /// The failure that these diagnostics are.
    pub fn failure(self, diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Model(Box::new(LoadFailure { diagnostics, sources: self.sources }))
    }
}

/// Reads what the arguments name.
pub fn read(options: &LtlArgs) -> Result<Input, Failure> {
    if let Some(path) = &options.claim {
        return automata(path);
    }
    if let Some(path) = &options.file {
        return formulas(&path.display().to_string(), &read_file(path)?);
    }
    match options.formula.as_deref() {
        Some("-") => formulas("<stdin>", &read_standard_input()?),
        formula => one_formula(formula.unwrap_or_default()),
    }
}

fn read_file(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))
}

/// A formula of the command line. It may have several lines.
fn one_formula(text: &str) -> Result<Input, Failure> {
    let mut sources = SourceMap::new();
    let span = sources.add_text("<formula>", text);
    add_formulas(Input { subjects: Vec::new(), sources }, [(text, span)])
}

/// Formulas, one a line. Empty lines and lines that begin with `#` are passed over.
fn formulas(name: &str, text: &str) -> Result<Input, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text);
    let mut lines = filled_lines(text, file);
    lines.retain(|(line, _)| !line.starts_with('#'));
    if lines.is_empty() {
        return Err(Failure::Usage(format!("there is no formula in {name}")));
    }
    add_formulas(Input { subjects: Vec::new(), sources }, lines)
}

fn add_formulas<'t>(mut input: Input, formulas: impl IntoIterator<Item = (&'t str, Span)>) -> Result<Input, Failure> {
    let mut errors = Vec::new();
    for (text, span) in formulas {
        match parse_ltl(text, span) {
            Ok((formula, names)) => {
                input.subjects.push(Subject::Formula { text: text.to_owned(), formula, names, span });
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(input) } else { Err(input.failure(errors)) }
}

/// The automata of a file in HOA format.
fn automata(path: &Path) -> Result<Input, Failure> {
    let has_ending = |ending: &str| path.extension().is_some_and(|found| found == ending);
    if ["never", "pml", "prm", "promela"].into_iter().any(has_ending) {
        let message = "a never claim of Promela is about a model: `ample check MODEL --claim FILE` reads it; here automata in HOA format are read";
        return Err(Failure::Usage(message.to_owned()));
    }
    let text = read_file(path)?;
    let mut sources = SourceMap::new();
    let span = sources.add_text(path.display().to_string(), &text);
    let mut input = Input { subjects: Vec::new(), sources };
    let mut errors = Vec::new();
    for (number, result) in (1..).zip(read_hoa(&text, span)) {
        match result {
            Ok(read) => {
                let title = read.name.clone().unwrap_or_else(|| format!("automaton {number} of {}", path.display()));
                input.subjects.push(Subject::Automaton { title, read, span: Span { end: span.start, ..span } });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(input) } else { Err(input.failure(errors)) }
}
