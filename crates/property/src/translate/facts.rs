//! What is known about a formula once its automata are there.

use crate::automaton::Automaton;
use crate::automaton::strength::Strength;
use crate::ltl::Ltl;
use crate::stutter::is_stutter_invariant;

/// What is known about a formula.
///
/// Questions that need the automaton of the negation have no answer if that one is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Some word satisfies it.
    pub satisfiable: bool,
    /// Every word satisfies it.
    pub valid: Option<bool>,
    /// A word that violates it has a prefix after which nothing helps.
    pub safety: Option<bool>,
    /// It cannot tell how often a letter is repeated.
    pub stutter_invariant: Option<bool>,
    /// The kind of the state-based automaton.
    pub strength: Strength,
    /// Whether the state-based automaton is deterministic.
    pub deterministic: bool,
}

impl Facts {
    pub(super) fn of(formula: &Ltl, tgba: &Automaton, ba: &Automaton, complement: Option<&Automaton>) -> Facts {
        let stutter_invariant = match formula.has_next() {
            false => Some(true),
            true => complement.and_then(|complement| is_stutter_invariant(tgba, complement)),
        };
        Facts {
            satisfiable: !tgba.is_empty(),
            valid: complement.map(Automaton::is_empty),
            safety: complement.and_then(|complement| is_safety(tgba, complement)),
            stutter_invariant,
            strength: ba.strength(),
            deterministic: ba.is_deterministic(),
        }
    }
}

/// Whether the language is the set of words all of whose prefixes can be continued to a word of it:
/// whether that set, which the automaton accepts when it is trimmed and its marks are dropped, has
/// no word of the complement.
fn is_safety(automaton: &Automaton, complement: &Automaton) -> Option<bool> {
    let mut closure = automaton.clone();
    closure.trim();
    closure.mark_count = 0;
    Some(!closure.intersects(complement)?)
}
