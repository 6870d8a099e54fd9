//! Automata as graphs for Graphviz.

use std::fmt::Write;

use ample_stdx::TypedId;

use crate::automaton::{Automaton, Marks};
use crate::label::Notation;

const LABEL: Notation = Notation { and: " & ", or: " | ", always: "true", never: "false", has_parentheses: false };

/// The automaton as a graph in the language of Graphviz, with the texts of the propositions; those
/// that are missing are called `p0`, `p1`, … Accepting states have two circles; other marks are
/// numbers at the edges.
pub fn write_dot(automaton: &Automaton, name: &str, propositions: &[String]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_graph(&mut text, automaton, name, propositions);
    text
}

fn write_graph(text: &mut String, automaton: &Automaton, title: &str, propositions: &[String]) -> std::fmt::Result {
    let mut labels = automaton.labels.clone();
    let name = |number: usize| propositions.get(number).cloned().unwrap_or_else(|| format!("p{number}"));
    let is_state_based = automaton.is_state_based();
    writeln!(text, "digraph {} {{", quoted(title))?;
    writeln!(text, "  rankdir=LR")?;
    writeln!(text, "  node [shape=circle]")?;
    writeln!(text, "  start [shape=point, label=\"\"]")?;
    writeln!(text, "  start -> {}", automaton.initial.index())?;
    for state in automaton.states() {
        let shape = if is_state_based && automaton.is_accepting(state) { " [shape=doublecircle]" } else { "" };
        writeln!(text, "  {}{shape}", state.index())?;
        for edge in &automaton.edges[state] {
            let marks = if is_state_based { Marks::NONE } else { edge.marks };
            let marks: Vec<String> = marks.iter().map(|mark| mark.to_string()).collect();
            let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
            let label = LABEL.write(&labels.cubes(edge.label), &name) + &marks;
            writeln!(text, "  {} -> {} [label={}]", state.index(), edge.target.index(), quoted(&label))?;
        }
    }
    writeln!(text, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use ample_source::Span;

    use super::*;
    use crate::{parse_ltl, translate};

    #[test]
    fn a_graph_has_states_edges_and_a_start() {
        let (ltl, names) = parse_ltl("a U \"b \\ c\"", Span::default()).unwrap();
        let expected = "\
digraph \"a U b\" {
  rankdir=LR
  node [shape=circle]
  start [shape=point, label=\"\"]
  start -> 0
  0
  0 -> 0 [label=\"a & !b \\\\ c\"]
  0 -> 1 [label=\"b \\\\ c\"]
  1 [shape=doublecircle]
  1 -> 1 [label=\"true\"]
}
";
        assert_eq!(write_dot(&translate(&ltl).unwrap().ba, "a U b", names.as_slice()), expected);
        let (ltl, names) = parse_ltl("GFa & GFb", Span::default()).unwrap();
        assert!(write_dot(&translate(&ltl).unwrap().tgba, "", names.as_slice()).contains("[label=\"a & b {0 1}\"]"));
    }
}
