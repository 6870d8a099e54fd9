//! Formulas and claims beside a model: read once, over the vocabulary that a front end gives.

use ample_property::{ClaimFormat, HoaAutomaton, Lowered, OuterAutomaton, OuterProperties, ParsedText, read_hoa};
use ample_source::{ClaimText, Diagnostic, FormulaText, Request, Span, filled_lines};

/// Reads what the request gives beside the text, and makes the model with all properties.
pub(crate) fn read(mut text: impl ParsedText, request: &Request<'_>) -> Lowered {
    let read = OuterProperties { formulas: text.own_formulas(), ..OuterProperties::default() };
    let mut outer = Outer { text: &mut text, read };
    for FormulaText { name, text } in request.formulas {
        let span = outer.text.notes().0.add_text(format!("<{name}>"), text);
        outer.add_formula(name, text, span);
    }
    for claim in request.claims {
        outer.add_claim(claim);
    }
    for value in request.values {
        let span = outer.text.notes().0.add_text("<value>".to_owned(), value);
        let value = outer.text.proposition(value, span);
        outer.read.values.extend(value);
    }
    let read = outer.read;
    text.lower(&read)
}

/// What is being read about a text.
struct Outer<'t, T: ParsedText> {
    text: &'t mut T,
    read: OuterProperties<T::Proposition>,
}

impl<T: ParsedText> Outer<'_, T> {
    fn report(&mut self, error: Diagnostic) {
        let (_, diagnostics) = self.text.notes();
        diagnostics.push(error);
    }

    fn add_formula(&mut self, name: &str, formula: &str, span: Span) {
        self.read.formulas.extend(self.text.formula(name, formula, span));
    }

    fn add_claim(&mut self, claim: &ClaimText) {
        match ClaimFormat::of(&claim.path) {
            ClaimFormat::Hoa => self.add_automaton(claim),
            ClaimFormat::Ltl => self.add_formula_file(claim),
            ClaimFormat::Never => self.text.add_claim(claim),
        }
    }

    /// Registers the file of a claim, so that messages can show it.
    fn add_file(&mut self, claim: &ClaimText) -> Span {
        self.text.notes().0.add_text(claim.path.display().to_string(), &claim.text)
    }

    /// The only automaton of a file in HOA format.
    fn add_automaton(&mut self, claim: &ClaimText) {
        let span = self.add_file(claim);
        let mut read = read_hoa(&claim.text, span);
        match (read.len(), read.pop()) {
            (1, Some(Ok(automaton))) => self.add_hoa(claim, automaton, span),
            (1, Some(Err(error))) => self.report(error),
            (count, _) => {
                let message = format!("there are {count} automata in {}, and a claim is one", claim.path.display());
                let error = Diagnostic::error(None, message);
                self.report(error.help("put the one that is meant into a file of its own"));
            }
        }
    }

    fn add_hoa(&mut self, claim: &ClaimText, read: HoaAutomaton, span: Span) {
        let mut propositions = Vec::new();
        for (proposition, place) in read.propositions.iter().zip(&read.places) {
            // What was written with backslashes stands nowhere as it is meant.
            let (sources, _) = self.text.notes();
            let is_as_written = sources.text(*place) == proposition;
            let place = if is_as_written { *place } else { sources.add_text("<proposition>", proposition) };
            propositions.extend(self.text.proposition(proposition, place));
        }
        let (name, span) = (claim.name.clone(), Span { end: span.start, ..span });
        self.read.automata.push(OuterAutomaton { name, automaton: read.automaton, propositions, span });
    }

    /// The formulas of a file in the language's own form, or else the only formula; lines that
    /// begin with `#` are remarks.
    fn add_formula_file(&mut self, claim: &ClaimText) {
        let span = self.add_file(claim);
        if let Some(formulas) = self.text.formulas_of_file(claim, span) {
            self.read.formulas.extend(formulas);
            return;
        }
        let mut formulas = filled_lines(&claim.text, span.file);
        formulas.retain(|(formula, _)| !formula.starts_with('#'));
        match formulas[..] {
            [(formula, span)] => self.add_formula(&claim.name, formula, span),
            _ => {
                let count = formulas.len();
                let message = format!("there are {count} formulas in {}, and one is checked", claim.path.display());
                let error = Diagnostic::error(formulas.get(1).map(|(_, span)| *span), message);
                self.report(error.help(T::SEVERAL_FORMULAS));
            }
        }
    }
}
