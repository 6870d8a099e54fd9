//! What there is to say about a formula or an automaton.

use ample_property::{Automaton, Facts, Ltl, is_stutter_invariant, stutter_closure, translate};
use ample_report::ltl::{Answer, Stuttering};
use ample_source::{Diagnostic, Span};

use super::input::Subject;
use crate::args::LtlArgs;

impl Subject {
    fn title(&self, options: &LtlArgs) -> String {
        let (Subject::Formula { text: title, .. } | Subject::Automaton { title, .. }) = self;
        if options.negate { format!("!({title})") } else { title.clone() }
    }

    fn kind(&self) -> &'static str {
        match self {
            Subject::Formula { .. } => "formula",
            Subject::Automaton { .. } => "claim",
        }
    }

    /// The automaton that was asked for.
    pub fn answer(&self, options: &LtlArgs) -> Result<Answer, Box<Diagnostic>> {
        let title = self.title(options);
        let (answer, span) = match self {
            Subject::Formula { formula, names, span, .. } => {
                let answer = of_formula(&wanted(formula, options), title, names.as_slice(), options, *span)?;
                (answer, *span)
            }
            Subject::Automaton { read, span, .. } => {
                let automaton = wanted_automaton(&read.automaton, options, *span)?;
                (of_automaton(automaton, title, &read.propositions), *span)
            }
        };
        if options.stutter_closure { closed(answer, span) } else { Ok(answer) }
    }

    /// Whether repetitions matter.
    pub fn stuttering(&self, options: &LtlArgs) -> Result<Stuttering, Box<Diagnostic>> {
        let is_invariant = match self {
            Subject::Formula { formula, .. } if !formula.has_next() => Some(true),
            Subject::Formula { formula, .. } => {
                translate(formula).ok().and_then(|translated| translated.facts.stutter_invariant)
            }
            Subject::Automaton { read, span, .. } => {
                let automaton = wanted_automaton(&read.automaton, options, *span)?;
                automaton.complement().and_then(|complement| is_stutter_invariant(&automaton, &complement))
            }
        };
        Ok(Stuttering { kind: self.kind(), title: self.title(options), is_invariant })
    }
}

fn wanted(formula: &Ltl, options: &LtlArgs) -> Ltl {
    if options.negate { formula.clone().negated() } else { formula.clone() }
}

fn wanted_automaton(automaton: &Automaton, options: &LtlArgs, span: Span) -> Result<Automaton, Box<Diagnostic>> {
    if !options.negate {
        return Ok(automaton.clone());
    }
    automaton.complement().ok_or_else(|| {
        Diagnostic::error(span, "this automaton is not deterministic, and only such are negated")
            .help("negate the formula that it was made of")
            .into()
    })
}

fn of_formula(
    formula: &Ltl,
    title: String,
    propositions: &[String],
    options: &LtlArgs,
    span: Span,
) -> Result<Answer, Box<Diagnostic>> {
    let translated = translate(formula).map_err(|error| Box::new(Diagnostic::error(span, error.to_string())))?;
    let automaton = if options.tgba { translated.tgba } else { translated.ba };
    let (strength, deterministic) = (automaton.strength(), automaton.is_deterministic());
    let facts = Facts { strength, deterministic, ..translated.facts };
    Ok(Answer { kind: "formula", title, propositions: propositions.to_vec(), automaton, facts })
}

fn of_automaton(automaton: Automaton, title: String, propositions: &[String]) -> Answer {
    let complement = automaton.complement();
    let facts = Facts {
        satisfiable: !automaton.is_empty(),
        valid: complement.as_ref().map(Automaton::is_empty),
        // Without marks every run is accepted, so a word is refused only where all runs of a prefix
        // end.
        safety: (automaton.mark_count == 0).then_some(true),
        stutter_invariant: complement.as_ref().and_then(|complement| is_stutter_invariant(&automaton, complement)),
        strength: automaton.strength(),
        deterministic: automaton.is_deterministic(),
    };
    Answer { kind: "claim", title, propositions: propositions.to_vec(), automaton, facts }
}

/// The closure under stuttering. What is known of the automaton is known of it only if nothing
/// changes.
fn closed(answer: Answer, span: Span) -> Result<Answer, Box<Diagnostic>> {
    let closure = stutter_closure(&answer.automaton)
        .ok_or_else(|| Box::new(Diagnostic::error(span, "the automaton is too large to be closed under stuttering")))?;
    let is_same = answer.facts.stutter_invariant == Some(true);
    let facts = Facts {
        valid: answer.facts.valid.filter(|valid| *valid || is_same),
        safety: answer.facts.safety.filter(|_| is_same),
        stutter_invariant: Some(true),
        strength: closure.strength(),
        deterministic: closure.is_deterministic(),
        ..answer.facts
    };
    Ok(Answer { title: format!("closure of {}", answer.title), automaton: closure, facts, ..answer })
}
