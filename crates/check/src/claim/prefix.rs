//! What the beginning of a run says of all its continuations.

use ample_product::sinks;
use ample_property::{Automaton, Lasso, Letter, Ltl, StateId, translate};
use ample_stdx::BitSet;

/// Whether the automaton accepts every word that begins so, because it has come to where it accepts
/// everything.
pub(crate) fn is_sure(automaton: &Automaton, beginning: &[Letter]) -> bool {
    sinks(automaton).is_some_and(|sinks| sinks.intersects(&read(automaton, beginning)))
}

/// Whether no word that begins so satisfies the formula. This is asked of the formula's own
/// automaton, so that it does not depend on that of the negation; if the formula has none, nothing
/// speaks against it.
pub(crate) fn is_hopeless(formula: &Ltl, beginning: &[Letter]) -> bool {
    let Ok(translated) = translate(formula) else { return true };
    let mut automaton = translated.tgba;
    read(&automaton, beginning).iter().all(|state| {
        automaton.initial = state;
        automaton.is_empty()
    })
}

/// Some words that begin so: the last letter is repeated, everything is true, nothing is, they
/// alternate, and one after the other is.
pub(crate) fn continuations(beginning: &[Letter], propositions: usize) -> Vec<Lasso> {
    let all = Letter::MAX.checked_shr(Letter::BITS - propositions as u32).unwrap_or(0);
    let one_by_one = (0..propositions).map(|number| 1 << number).chain([0]).collect();
    let last = beginning.last().copied().unwrap_or(0);
    let cycles = [vec![last], vec![0], vec![all], vec![0, all], vec![all, 0, last], one_by_one];
    cycles.into_iter().filter_map(|cycle| Lasso::new(beginning.to_vec(), cycle)).collect()
}

/// The states in which the automaton can be when it has read the letters.
fn read(automaton: &Automaton, letters: &[Letter]) -> BitSet<StateId> {
    let mut states: BitSet<StateId> = [automaton.initial].into_iter().collect();
    for &letter in letters {
        states = states.iter().flat_map(|state| automaton.successors(state, letter)).map(|(_, state)| state).collect();
    }
    states
}

#[cfg(test)]
mod tests {
    use ample_property::parse_ltl;
    use ample_source::Span;

    use super::*;

    #[track_caller]
    fn check(property: &str, beginning: &[Letter], is_bad: bool) {
        let (formula, names) = parse_ltl(property, Span::default()).unwrap();
        let negation = translate(&formula.clone().negated()).unwrap();
        assert_eq!(is_sure(&negation.ba, beginning), is_bad, "{property} {beginning:?}");
        assert_eq!(is_hopeless(&formula, beginning), is_bad, "{property} {beginning:?}");
        let words = continuations(beginning, names.as_slice().len());
        assert_eq!(words.iter().all(|word| !word.satisfies(&formula)), is_bad, "{property} {beginning:?}");
    }

    #[test]
    fn a_bad_prefix_is_one_that_nothing_repairs() {
        check("G a", &[1, 1, 0], true);
        check("G a", &[1, 1], false);
        check("a W b", &[1, 0], true);
        check("a W b", &[1, 2, 0], false);
        check("G(a -> X b)", &[1, 1], true);
        check("G(a -> X b)", &[0, 1, 3], false);
        check("G(a -> X b)", &[0, 1, 3, 2, 0], false);
        check("false", &[0], true);
    }
}
