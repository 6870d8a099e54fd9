//! From automata to text.

use std::fmt::Write;

use ample_stdx::TypedId;

use crate::automaton::{Automaton, Marks};
use crate::label::Notation;

const LABEL: Notation = Notation { and: "&", or: " | ", always: "t", never: "f", has_parentheses: false };

/// The automaton in HOA format, with the texts of the propositions; those that are missing are
/// called `p0`, `p1`, …
pub fn write_hoa(automaton: &Automaton, name: Option<&str>, propositions: &[String]) -> String {
    let mut text = String::from("HOA: v1\n");
    // Writing to a string cannot fail.
    let _ = header(&mut text, automaton, name, propositions);
    let _ = body(&mut text, automaton);
    text
}

fn header(text: &mut String, automaton: &Automaton, name: Option<&str>, propositions: &[String]) -> std::fmt::Result {
    if let Some(name) = name {
        writeln!(text, "name: {}", quoted(name))?;
    }
    writeln!(text, "States: {}", automaton.state_count())?;
    writeln!(text, "Start: {}", automaton.initial.index())?;
    write!(text, "AP: {}", automaton.propositions)?;
    for number in 0..automaton.propositions {
        match propositions.get(number) {
            Some(proposition) => write!(text, " {}", quoted(proposition))?,
            None => write!(text, " \"p{number}\"")?,
        }
    }
    text.push('\n');
    let count = automaton.mark_count;
    match count {
        0 => writeln!(text, "acc-name: all")?,
        1 => writeln!(text, "acc-name: Buchi")?,
        _ => writeln!(text, "acc-name: generalized-Buchi {count}")?,
    }
    let condition: Vec<String> = (0..count).map(|mark| format!("Inf({mark})")).collect();
    let condition = if count == 0 { "t".to_owned() } else { condition.join("&") };
    writeln!(text, "Acceptance: {count} {condition}")?;
    let acceptance = if automaton.is_state_based() { "state-acc" } else { "trans-acc" };
    let determinism = if automaton.is_deterministic() { " deterministic" } else { "" };
    writeln!(text, "properties: trans-labels explicit-labels {acceptance}{determinism}")
}

fn body(text: &mut String, automaton: &Automaton) -> std::fmt::Result {
    let mut labels = automaton.labels.clone();
    let is_state_based = automaton.is_state_based();
    writeln!(text, "--BODY--")?;
    for state in automaton.states() {
        let own = automaton.edges[state].first().map_or(Marks::NONE, |edge| edge.marks);
        write!(text, "State: {}", state.index())?;
        writeln!(text, "{}", if is_state_based { sets(own) } else { String::new() })?;
        for edge in &automaton.edges[state] {
            let marks = if is_state_based { Marks::NONE } else { edge.marks };
            writeln!(
                text,
                "[{}] {}{}",
                LABEL.write(&labels.cubes(edge.label), &|number| number.to_string()),
                edge.target.index(),
                sets(marks)
            )?;
        }
    }
    writeln!(text, "--END--")
}

fn sets(marks: Marks) -> String {
    if marks.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = marks.iter().map(|mark| mark.to_string()).collect();
    format!(" {{{}}}", numbers.join(" "))
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            result.push('\\');
        }
        result.push(c);
    }
    result.push('"');
    result
}
