//! Formulas over bare names: each distinct text is a proposition.

use ample_source::{Diagnostic, Span};

use super::{Vocabulary, parse_formula};
use crate::ltl::{Ltl, MAX_PROPOSITIONS, MAX_SIZE, size};

/// The propositions of a formula that is not about a model: their texts, in the order of
/// appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// The texts, by the numbers of the propositions.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl Vocabulary<Ltl> for Names {
    fn is_name(&self, _: &str) -> bool {
        false
    }

    fn proposition(&mut self, text: &str, span: Span) -> Result<Ltl, Box<Diagnostic>> {
        if let Some(index) = self.0.iter().position(|known| known == text) {
            return Ok(Ltl::proposition(index));
        }
        if self.0.len() == MAX_PROPOSITIONS {
            let message = format!("there are more than {MAX_PROPOSITIONS} propositions");
            return Err(Diagnostic::error(span, message).help("split the formula").into());
        }
        self.0.push(text.to_owned());
        Ok(Ltl::proposition(self.0.len() - 1))
    }

    fn constant(&mut self, value: bool, _: Span) -> Ltl {
        if value { Ltl::True } else { Ltl::False }
    }
}

/// Reads a formula that stands at `span`, over any names.
pub fn parse_ltl(text: &str, span: Span) -> Result<(Ltl, Names), Vec<Diagnostic>> {
    let mut names = Names::default();
    let formula = parse_formula(text, span, &mut names)?;
    if size(&formula) > MAX_SIZE {
        let error = Diagnostic::error(span, "the formula is too long to be translated");
        return Err(vec![
            error.note("an equivalence counts twice").help("split the formula, or check its parts one by one"),
        ]);
    }
    let identity = &mut |proposition: &Ltl| Ok::<Ltl, std::convert::Infallible>(proposition.clone());
    let formula = match Ltl::from_formula(&formula, identity) {
        Ok(formula) => formula,
        Err(never) => match never {},
    };
    Ok((formula, names))
}
