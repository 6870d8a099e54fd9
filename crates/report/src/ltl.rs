//! What there is to say about formulas and automata by themselves.

use ample_property::{Automaton, Facts, write_dot, write_hoa, write_never_claim};
use serde_json::{Value, json};

use crate::numbers;

/// The version of the JSON objects.
const FORMAT: u32 = 1;

/// An automaton, and what is known about the runs that it accepts. What is `None` is not decided.
pub struct Answer {
    /// Whether this is about a `formula` or a `claim`.
    pub kind: &'static str,
    /// The text or name of it.
    pub title: String,
    /// The texts of the propositions.
    pub propositions: Vec<String>,
    /// The automaton.
    pub automaton: Automaton,
    /// What is known.
    pub facts: Facts,
}

/// Whether repetitions matter, and to what.
pub struct Stuttering {
    /// Whether this is about a `formula` or a `claim`.
    pub kind: &'static str,
    /// The text or name of it.
    pub title: String,
    /// Whether it cannot tell how often a state is repeated; `None` if that is not decided.
    pub is_invariant: Option<bool>,
}

/// How an automaton is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AutomatonFormat {
    /// HOA format.
    Hoa,
    /// A never claim of Promela.
    Never,
    /// A graph for Graphviz.
    Dot,
}

impl AutomatonFormat {
    /// The name in JSON.
    fn name(self) -> &'static str {
        match self {
            AutomatonFormat::Hoa => "hoa",
            AutomatonFormat::Never => "never",
            AutomatonFormat::Dot => "dot",
        }
    }
}

/// The automaton in a format; `None` if it has no accepting states and a never claim is wanted.
pub fn automaton(answer: &Answer, format: AutomatonFormat) -> Option<String> {
    let Answer { title, propositions, automaton, .. } = answer;
    match format {
        AutomatonFormat::Hoa => Some(write_hoa(automaton, Some(title), propositions)),
        AutomatonFormat::Dot => Some(write_dot(automaton, title, propositions)),
        AutomatonFormat::Never => write_never_claim(automaton, title, propositions),
    }
}

/// What is known about each, and the automaton as it is written.
pub fn text(texts: &[(&Answer, String)]) -> String {
    let parts: Vec<String> = texts.iter().map(|(answer, text)| format!("{}\n{text}", summary(answer))).collect();
    parts.join("\n")
}

/// What is known, a line each.
fn summary(answer: &Answer) -> String {
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
            format.name(): text,
        })
    };
    let results: Vec<Value> = texts.iter().map(one).collect();
    format!("{}\n", json!({"format": FORMAT, "results": results}))
}
