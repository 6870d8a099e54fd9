//! Answers as text and as JSON.

use ample_property::{Automaton, write_dot, write_hoa, write_never_claim};
use ample_report::numbers;
use serde_json::{Value, json};

use super::answer::{Answer, Stuttering};
use crate::args::AutomatonFormat;
use crate::failure::Failure;

/// The version of the JSON objects.
const FORMAT: u32 = 1;

/// The automaton in a format.
pub fn automaton(answer: &Answer, format: AutomatonFormat) -> Result<String, Failure> {
    let Answer { title, propositions, automaton, .. } = answer;
    match format {
        AutomatonFormat::Hoa => Ok(write_hoa(automaton, Some(title), propositions)),
        AutomatonFormat::Dot => Ok(write_dot(automaton, title, propositions)),
        AutomatonFormat::Never => write_never_claim(automaton, title, propositions).ok_or_else(|| {
            let message = "a never claim has accepting states, but here acceptance is on transitions";
            Failure::Usage(format!("{title}: {message}; use --format hoa"))
        }),
    }
}

/// What is known, a line each.
pub fn summary(answer: &Answer) -> String {
    let automaton = &answer.automaton;
    let size = format!(
        "{}, {}",
        numbers::count(automaton.state_count() as u64, "state"),
        numbers::count(automaton.edge_count() as u64, "edge")
    );
    let determinism = if answer.facts.deterministic { "deterministic" } else { "not deterministic" };
    let mut lines = vec![
        (answer.kind, answer.title.clone()),
        ("automaton", format!("{size}; {}; {determinism}", acceptance(automaton))),
        ("strength", answer.facts.strength.name().to_owned()),
        ("safety", decided(answer.facts.safety).to_owned()),
        ("stutter invariant", decided(answer.facts.stutter_invariant).to_owned()),
    ];
    if !answer.facts.satisfiable {
        lines.push(("note", "no run satisfies it".to_owned()));
    } else if answer.facts.valid == Some(true) {
        lines.push(("note", "every run satisfies it".to_owned()));
    }
    lines.into_iter().map(|(what, value)| format!("{what:18} {value}\n")).collect()
}

fn acceptance(automaton: &Automaton) -> String {
    match automaton.mark_count {
        0 => "accepts every infinite run".to_owned(),
        _ if automaton.is_state_based() => "accepting states".to_owned(),
        count => format!("{} on transitions", numbers::count(count as u64, "mark")),
    }
}

fn decided(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    }
}

/// Yes or no, and for a single formula why it matters.
pub fn stuttering(found: &[Stuttering]) -> String {
    let [only] = found else {
        return found.iter().map(|one| format!("{:11}  {}\n", decided(one.is_invariant), one.title)).collect();
    };
    let why = match only.is_invariant {
        Some(true) => "It cannot tell how often a state is repeated, so partial order reduction preserves it.",
        Some(false) => {
            "It can tell how often a state is repeated, so it must be checked without partial order reduction."
        }
        None => {
            "It is too large, or its automaton is not deterministic; without partial order reduction it can be checked."
        }
    };
    format!("{}\n{why}\n", decided(only.is_invariant))
}

/// The same for programs.
pub fn stuttering_json(found: &[Stuttering]) -> String {
    let one = |one: &Stuttering| json!({one.kind: one.title, "stutter_invariant": one.is_invariant});
    let results: Vec<Value> = found.iter().map(one).collect();
    format!("{}\n", json!({"format": FORMAT, "results": results}))
}

/// Everything for programs, each automaton also in a format.
pub fn json(texts: &[(&Answer, String)], format: AutomatonFormat) -> String {
    let name = match format {
        AutomatonFormat::Hoa => "hoa",
        AutomatonFormat::Never => "never",
        AutomatonFormat::Dot => "dot",
    };
    let one = |(answer, text): &(&Answer, String)| {
        json!({
            answer.kind: answer.title,
            "propositions": answer.propositions,
            "states": answer.automaton.state_count(),
            "edges": answer.automaton.edge_count(),
            "marks": answer.automaton.mark_count,
            "acceptance": if answer.automaton.is_state_based() { "states" } else { "transitions" },
            "deterministic": answer.facts.deterministic,
            "strength": answer.facts.strength.name(),
            "satisfiable": answer.facts.satisfiable,
            "valid": answer.facts.valid,
            "safety": answer.facts.safety,
            "stutter_invariant": answer.facts.stutter_invariant,
            name: text,
        })
    };
    let results: Vec<Value> = texts.iter().map(one).collect();
    format!("{}\n", json!({"format": FORMAT, "results": results}))
}
