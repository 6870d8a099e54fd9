//! Automata as never claims of Promela.

use std::fmt::Write;

use ample_stdx::TypedId;

use crate::automaton::{Automaton, Edge, StateId};
use crate::bdd::Bdd;
use crate::label::Notation;

const LABEL: Notation = Notation { and: " && ", or: " || ", always: "true", never: "false", has_parentheses: true };

/// The state-based automaton as a never claim, with the texts of the propositions; `None` if
/// acceptance does not belong to the states.
///
/// `comment` stands at the head of the claim. A text that is more than a name is put in
/// parentheses. A proposition without a text is called `p0`, `p1`, …
pub fn write_never_claim(automaton: &Automaton, comment: &str, propositions: &[String]) -> Option<String> {
    if !automaton.is_state_based() {
        return None;
    }
    // A comment cannot hold the end of one.
    let mut text = format!("never {{ /* {} */\n", comment.replace("*/", "* /").replace('\n', " "));
    let mut order: Vec<StateId> = automaton.states().collect();
    // The claim begins with its first statement and ends behind its last.
    order.sort_by_key(|&state| (state != automaton.initial, is_accept_all(automaton, state)));
    let last = order.last().copied().filter(|&state| is_accept_all(automaton, state));
    let claim = Claim { automaton, propositions, accept_all: last };
    for state in order {
        claim.state(&mut text, state);
    }
    text.push_str("}\n");
    Some(text)
}

/// Whether the state is accepting and every letter leads back to it.
fn is_accept_all(automaton: &Automaton, state: StateId) -> bool {
    let returns = |edge: &Edge| edge.target == state && edge.label == Bdd::TRUE;
    automaton.is_accepting(state) && automaton.edges[state].iter().any(returns)
}

struct Claim<'a> {
    automaton: &'a Automaton,
    propositions: &'a [String],
    /// The state that ends the claim.
    accept_all: Option<StateId>,
}

impl Claim<'_> {
    fn state(&self, text: &mut String, state: StateId) {
        let _ = writeln!(text, "{}:", self.name(state));
        if self.accept_all == Some(state) {
            text.push_str("    skip\n");
        } else if self.automaton.edges[state].is_empty() {
            text.push_str("    false;\n");
        } else {
            text.push_str("    do\n");
            let mut labels = self.automaton.labels.clone();
            for edge in &self.automaton.edges[state] {
                let label = LABEL.write(&labels.cubes(edge.label), &|number| self.proposition(number));
                let _ = writeln!(text, "    :: ({label}) -> goto {}", self.name(edge.target));
            }
            text.push_str("    od;\n");
        }
    }

    fn name(&self, state: StateId) -> String {
        let prefix = if self.automaton.is_accepting(state) { "accept" } else { "T0" };
        match state {
            _ if state == self.automaton.initial => format!("{prefix}_init"),
            _ if self.accept_all == Some(state) => "accept_all".to_owned(),
            _ => format!("{prefix}_S{}", state.index()),
        }
    }

    fn proposition(&self, number: usize) -> String {
        let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match self.propositions.get(number) {
            None => format!("p{number}"),
            Some(text) if is_name(text) => text.clone(),
            Some(text) => format!("({text})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ample_source::Span;

    use super::*;
    use crate::{parse_ltl, translate};

    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let (ltl, names) = parse_ltl(formula, Span::default()).unwrap();
        let automaton = translate(&ltl).unwrap().ba;
        assert_eq!(write_never_claim(&automaton, formula, names.as_slice()).unwrap(), expected);
    }

    #[test]
    fn a_terminal_state_ends_the_claim() {
        check(
            "F {x == 3}",
            "\
never { /* F {x == 3} */
T0_init:
    do
    :: (!(x == 3)) -> goto T0_init
    :: ((x == 3)) -> goto accept_all
    od;
accept_all:
    skip
}
",
        );
    }

    #[test]
    fn accepting_states_have_accepting_labels() {
        check(
            "GFa",
            "\
never { /* GFa */
T0_init:
    do
    :: (!a) -> goto T0_init
    :: (a) -> goto accept_S1
    od;
accept_S1:
    do
    :: (!a) -> goto T0_init
    :: (a) -> goto accept_S1
    od;
}
",
        );
    }

    #[test]
    fn nothing_and_everything_have_claims_too() {
        check("false", "never { /* false */\nT0_init:\n    false;\n}\n");
        check("true", "never { /* true */\naccept_init:\n    skip\n}\n");
    }

    #[test]
    fn a_claim_goes_on_to_no_state_by_accident() {
        let text = "HOA: v1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
            State: 0\n[0] 1\n[!0] 2\nState: 1 {0}\n[t] 1\nState: 2\n[0] 2\n[0] 3\nState: 3 {0}\n[t] 3\n--END--\n";
        let read = crate::read_hoa(text, Span::default()).remove(0).unwrap();
        let claim = write_never_claim(&read.automaton, "two ends", &read.propositions).unwrap();
        let expected = "never { /* two ends */\nT0_init:\n    do\n    :: (a) -> goto accept_S1\n    :: (!a) -> goto T0_S2\n    od;\n\
            T0_S2:\n    do\n    :: (a) -> goto T0_S2\n    :: (a) -> goto accept_all\n    od;\n\
            accept_S1:\n    do\n    :: (true) -> goto accept_S1\n    od;\naccept_all:\n    skip\n}\n";
        assert_eq!(claim, expected);
    }
}
