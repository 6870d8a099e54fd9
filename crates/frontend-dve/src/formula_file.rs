//! Files with several formulas and names for their propositions, as DiVinE has them.
//!
//! `#define name expression` names an expression, `#property formula` is a property, and every
//! other line is a remark.

use std::sync::Arc;

use ample_property::{OuterFormula, ParsedText};
use ample_source::{ClaimText, Diagnostic, FileId, Span, filled_lines};

use crate::syntax::Expr;
use crate::text::{Aliases, Text};

/// A line that is not empty, without the blanks around it, and where it stands.
type Line<'t> = (&'t str, Span);

impl Text<'_> {
    /// The formulas of a file with `#property`; none if it is not of this form.
    pub(crate) fn formula_file(&mut self, claim: &ClaimText, file: FileId) -> Option<Vec<OuterFormula<Expr>>> {
        let lines = filled_lines(&claim.text, file);
        if lines.iter().any(|(line, _)| line.starts_with("#property")) {
            return Some(self.with_aliases(self.aliases.clone(), |text| text.properties(claim, &lines)));
        }
        let mut formulas = lines.iter().filter(|(line, _)| !line.starts_with('#'));
        match (formulas.next(), formulas.next()) {
            (Some((first, span)), Some(_)) if first.starts_with("never") => {
                let error = Diagnostic::error(*span, "never claims are claims of Promela");
                self.diagnostics.push(error.help("give an automaton (.hoa) or formulas (.ltl)"));
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn properties(&mut self, claim: &ClaimText, lines: &[Line<'_>]) -> Vec<OuterFormula<Expr>> {
        let mut formulas = Vec::new();
        for (line, span) in lines {
            if let Some(rest) = line.strip_prefix("#define") {
                self.define(rest, *span);
            } else if let Some(formula) = line.strip_prefix("#property") {
                let text = separated(formula, &self.aliases);
                let span = self.sources.add_text(format!("<{}>", claim.name), &text);
                formulas.extend(self.formula(&claim.name, &text, span));
            }
        }
        formulas
    }

    /// Names an expression: `rest` is the end of a line that stands at `line`.
    fn define(&mut self, rest: &str, line: Span) {
        let name: &str = rest.split_whitespace().next().unwrap_or_default();
        let Some(start) = rest.find(name).map(|at| at + name.len()) else { return };
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        if !is_name {
            let error = Diagnostic::error(line, "this defines no name for an expression");
            self.diagnostics.push(error.help("write `#define name expression`"));
            return;
        }
        let text = &rest[start..];
        let end = line.end as usize;
        if let Some(expr) = self.proposition(text, Span::of_bytes(line.file, end - text.len()..end)) {
            self.aliases.insert(Arc::from(name), expr);
        }
    }
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
