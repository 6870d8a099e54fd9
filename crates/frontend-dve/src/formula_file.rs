//! Files with formulas: one formula, or several with names for their propositions, as DiVinE has them.
//!
//! In DiVinE's files `#define name expression` names an expression, `#property formula` is a property, and every other line
//! is a remark.

use std::sync::Arc;

use ample_source::{ClaimText, Diagnostic, FileId, Span};

use crate::outer::{Aliases, Outer, offset};

/// A line that is not empty, without the blanks around it.
struct Line<'t> {
    text: &'t str,
    at: usize,
}

impl Outer<'_> {
    pub(crate) fn add_formula_file(&mut self, claim: &ClaimText) {
        let file = self.place(&claim.path.display().to_string(), &claim.text).file;
        let lines = lines(&claim.text);
        if lines.iter().any(|line| line.text.starts_with("#property")) {
            self.add_properties(claim, &lines, file);
        } else {
            self.add_only_formula(claim, &lines, file);
        }
    }

    fn add_properties(&mut self, claim: &ClaimText, lines: &[Line<'_>], file: FileId) {
        let mut aliases = self.aliases.clone();
        for line in lines {
            if let Some(rest) = line.text.strip_prefix("#define") {
                self.define(rest, line, file, &mut aliases);
            } else if let Some(formula) = line.text.strip_prefix("#property") {
                let text = separated(formula, &aliases);
                let span = self.place(&format!("<{}>", claim.name), &text);
                self.add_formula(&claim.name, &text, span, &aliases);
            }
        }
    }

    fn define(&mut self, rest: &str, line: &Line<'_>, file: FileId, aliases: &mut Aliases) {
        let name: &str = rest.split_whitespace().next().unwrap_or_default();
        let Some(start) = rest.find(name).map(|at| at + name.len()) else { return };
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        let end = line.at + line.text.len();
        if !is_name {
            let span = Span::new(file, offset(line.at), offset(end));
            let error = Diagnostic::error(span, "this defines no name for an expression");
            self.diagnostics.push(error.help("write `#define name expression`"));
            return;
        }
        let text = &rest[start..];
        let expr = self.expression(text, Span::new(file, offset(end - text.len()), offset(end)), aliases);
        if let Some(expr) = expr {
            aliases.insert(Arc::from(name), expr);
        }
    }

    fn add_only_formula(&mut self, claim: &ClaimText, lines: &[Line<'_>], file: FileId) {
        let formulas: Vec<&Line<'_>> = lines.iter().filter(|line| !line.text.starts_with('#')).collect();
        let place = |line: &Line<'_>| Span::new(file, offset(line.at), offset(line.at + line.text.len()));
        match formulas[..] {
            [line] => {
                let aliases = self.aliases.clone();
                self.add_formula(&claim.name, line.text, place(line), &aliases);
            }
            [first, ..] if first.text.starts_with("never") => {
                let error = Diagnostic::error(place(first), "never claims are claims of Promela");
                self.diagnostics.push(error.help("give an automaton (.hoa) or formulas (.ltl)"));
            }
            _ => {
                let count = formulas.len();
                let message = format!("there are {count} formulas in {}, and one is checked", claim.path.display());
                let error = Diagnostic::error(formulas.get(1).map(|line| place(line)), message);
                self.diagnostics.push(error.help("write `#property` before each of several formulas"));
            }
        }
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start + (line.len() - line.trim_start().len());
        if !line.trim().is_empty() {
            lines.push(Line { text: line.trim(), at });
        }
        start += line.len();
    }
    lines
}

/// The formula with a blank before an operator that is glued to a name: `p1U(…)` is `p1 U(…)`.
pub(crate) fn separated(formula: &str, aliases: &Aliases) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for character in formula.chars().chain(std::iter::once(' ')) {
        if character.is_ascii_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        let split = word.len().saturating_sub(1);
        let is_glued = word.ends_with(['U', 'W', 'R', 'V'])
            && !aliases.contains_key(word.as_str())
            && aliases.contains_key(&word[..split]);
        if is_glued {
            word.insert(split, ' ');
        }
        text.push_str(&word);
        text.push(character);
        word.clear();
    }
    text.pop();
    text
}
