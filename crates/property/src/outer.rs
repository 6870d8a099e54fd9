//! Properties from outside of a text: formulas, claims and automata that are given beside a model.
//!
//! They are about the model, but are read before it is made, because what they look at may change
//! it: a location that is looked at from outside must be kept. A front end therefore gives what it
//! has parsed as a [`ParsedText`], which is asked for propositions in the syntax of the language
//! and at last makes the model and all its properties.

use ample_model::{Expr, Model};
use ample_source::{ClaimText, Diagnostic, Diagnostics, Severity, SourceMap, Span};

use crate::{Automaton, ClaimAutomaton, Formula, Property, PropertyKind, Vocabulary, parse_formula};

/// A text that was parsed, before its model is made.
pub trait ParsedText: Sized {
    /// A proposition: an expression in the syntax of the language.
    type Proposition;

    /// How several formulas are given, for who gives a file with more than one: "give several with
    /// …".
    const SEVERAL_FORMULAS: &'static str;

    /// What propositions are.
    fn vocabulary(&mut self) -> &mut dyn Vocabulary<Self::Proposition>;

    /// The texts that spans point into, and what there is to say.
    fn notes(&mut self) -> (&mut SourceMap, &mut Diagnostics);

    /// Formulas that the text or a file beside it has in this form. None by default.
    fn own_formulas(&mut self) -> Vec<OuterFormula<Self::Proposition>> {
        Vec::new()
    }

    /// The formulas of a file that has a form of the language's own, an error among the diagnostics
    /// included. By default, and for every file with plain formulas, there is no such form.
    fn formulas_of_file(&mut self, claim: &ClaimText, span: Span) -> Option<Vec<OuterFormula<Self::Proposition>>> {
        let _ = (claim, span);
        None
    }

    /// Takes in a claim that is written in the language of the model, or says why there are none.
    fn add_claim(&mut self, claim: &ClaimText);

    /// Makes the model and its properties, which are to be used only if the diagnostics have no
    /// errors afterwards.
    fn lower(self, outer: &OuterProperties<Self::Proposition>) -> Lowered;

    /// Parses a formula that stands at `span`. If it is none, that is among the diagnostics.
    fn formula(&mut self, name: &str, formula: &str, span: Span) -> Option<OuterFormula<Self::Proposition>> {
        match parse_formula(formula, span, self.vocabulary()) {
            Ok(formula) => Some(OuterFormula { name: name.to_owned(), formula, span }),
            Err(errors) => {
                self.notes().1.extend(errors);
                None
            }
        }
    }

    /// Parses a proposition that stands at `span`. If it is none, that is among the diagnostics.
    fn proposition(&mut self, text: &str, span: Span) -> Option<Self::Proposition> {
        match self.vocabulary().proposition(text, span) {
            Ok(proposition) => Some(proposition),
            Err(error) => {
                self.notes().1.push(*error);
                None
            }
        }
    }

    /// The model with the properties of its text, and no others.
    fn lower_alone(mut self) -> (Model, Vec<Property>) {
        let outer = OuterProperties { formulas: self.own_formulas(), ..OuterProperties::default() };
        let Lowered { model, properties, .. } = self.lower(&outer);
        (model, properties)
    }
}

/// What becomes of a text.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    /// Its properties: those of the text, then those from outside.
    pub properties: Vec<Property>,
    /// The values from outside, in their order.
    pub values: Vec<Expr>,
}

/// What came of parsing the proposition at `span`: the first error of `found`, if there is one.
/// Warnings are kept.
pub fn parsed_proposition<P>(
    parsed: Option<P>,
    span: Span,
    found: Diagnostics,
    kept: &mut Diagnostics,
) -> Result<P, Box<Diagnostic>> {
    let (errors, warnings): (Vec<_>, Vec<_>) =
        found.into_vec().into_iter().partition(|entry| entry.severity == Severity::Error);
    kept.extend(warnings);
    match (errors.into_iter().next(), parsed) {
        (None, Some(proposition)) => Ok(proposition),
        (None, None) => Err(Diagnostic::error(span, "this is not an expression of the model").into()),
        (Some(error), _) => Err(error.into()),
    }
}

/// A formula with a name, cut into propositions.
#[derive(Clone, Debug)]
pub struct OuterFormula<P> {
    /// What its property is to be called.
    pub name: String,
    /// What every run is to satisfy.
    pub formula: Formula<P>,
    /// Where it was written.
    pub span: Span,
}

/// An automaton with a name, which accepts what is forbidden.
#[derive(Clone, Debug)]
pub struct OuterAutomaton<P> {
    /// What its property is to be called.
    pub name: String,
    /// The automaton.
    pub automaton: Automaton,
    /// What it looks at, by number.
    pub propositions: Vec<P>,
    /// Where it was written.
    pub span: Span,
}

/// The formulas and automata from outside of a text, and other expressions.
#[derive(Clone, Debug)]
pub struct OuterProperties<P> {
    /// The formulas.
    pub formulas: Vec<OuterFormula<P>>,
    /// The automata.
    pub automata: Vec<OuterAutomaton<P>>,
    /// Expressions whose values are asked for.
    pub values: Vec<P>,
}

// Not derived: there need not be a default proposition.
impl<P> Default for OuterProperties<P> {
    fn default() -> OuterProperties<P> {
        OuterProperties { formulas: Vec::new(), automata: Vec::new(), values: Vec::new() }
    }
}

impl<P> OuterProperties<P> {
    /// Adds these properties to those of the text, with `proposition` to resolve each of their
    /// propositions.
    pub fn lower(&self, properties: &mut Vec<Property>, proposition: &mut dyn FnMut(&P) -> Expr) {
        for OuterFormula { name, formula, span } in &self.formulas {
            let kind = PropertyKind::Ltl(formula.map(proposition));
            Property::add_renamed(properties, name, kind, *span);
        }
        for OuterAutomaton { name, automaton, propositions, span } in &self.automata {
            let propositions = propositions.iter().map(&mut *proposition).collect();
            let claim = ClaimAutomaton { automaton: automaton.clone(), propositions };
            Property::add_renamed(properties, name, PropertyKind::Claim(Box::new(claim)), *span);
        }
    }
}

impl Property {
    /// Adds a property; its name gets a number if there is a property of that name.
    pub fn add_renamed(properties: &mut Vec<Property>, wanted: &str, kind: PropertyKind, span: Span) {
        let is_free = |name: &str| properties.iter().all(|property| property.name != name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let name = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default();
        properties.push(Property { name, kind, span });
    }
}
