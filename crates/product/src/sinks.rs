//! Automata for which it is enough to reach a state: those of the negations of safety properties.

use ample_property::{Automaton, Bdd, StateId};
use ample_stdx::BitSet;

/// The states from which an automaton accepts every word and shows it: all edges have all marks,
/// and whatever is read, there is an edge to such a state again. Only if all words that are
/// accepted lead to such a state: then a run of a system is accepted just if it has a finite
/// beginning that leads there.
pub fn sinks(automaton: &Automaton) -> Option<BitSet<StateId>> {
    let mut labels = automaton.labels.clone();
    let mut sinks: BitSet<StateId> =
        automaton.states().filter(|&state| automaton.is_accepting(state) || is_free(automaton, state)).collect();
    loop {
        let leaks = |&state: &StateId| {
            let inside = automaton.edges[state].iter().filter(|edge| sinks.contains(edge.target));
            inside.fold(Bdd::FALSE, |all, edge| labels.or(all, edge.label)) != Bdd::TRUE
        };
        let leaking: Vec<StateId> = automaton.states().filter(|&state| sinks.contains(state)).filter(leaks).collect();
        if leaking.is_empty() {
            break;
        }
        for state in leaking {
            sinks.remove(state);
        }
    }
    let mut rest = automaton.clone();
    for edges in rest.edges.iter_mut() {
        edges.retain(|edge| !sinks.contains(edge.target));
    }
    (rest.is_empty() || sinks.contains(automaton.initial)).then_some(sinks)
}

/// An automaton without marks accepts every infinite run.
fn is_free(automaton: &Automaton, state: StateId) -> bool {
    automaton.mark_count == 0 && !automaton.edges[state].is_empty()
}

#[cfg(test)]
mod tests {
    use ample_property::{parse_ltl, translate};
    use ample_source::Span;

    use super::sinks;

    #[track_caller]
    fn check(property: &str, is_enough: bool) {
        let (formula, _) = parse_ltl(property, Span::default()).unwrap();
        let translated = translate(&formula.negated()).unwrap();
        assert_eq!(sinks(&translated.ba).is_some(), is_enough, "{property}");
    }

    #[test]
    fn it_is_enough_to_reach_a_state_for_safety_properties() {
        for safety in ["G a", "a W b", "G(a -> X b)", "G(a -> b W c)", "a R b", "X X a", "false", "a"] {
            check(safety, true);
        }
        for other in ["F a", "G F a", "F G a", "a U b", "G(a -> F b)", "G a & F b"] {
            check(other, false);
        }
    }

    #[test]
    fn what_always_holds_has_no_bad_prefix() {
        check("true", true);
        check("a | !a", true);
    }
}
