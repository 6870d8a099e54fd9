//! Stuttering: words that differ only in how often letters are repeated.
//!
//! Partial order reduction preserves properties that cannot tell such words apart.
//! [`stutter_closure`] makes any property such a one (Holzmann and Kupferman, SPIN 1996);
//! [`is_stutter_invariant`] tells whether it is one already (Michaud and Duret-Lutz, SPIN 2015).

mod alphabet;
mod closure;
mod system;

use crate::automaton::Automaton;
use alphabet::Alphabet;
use system::System;

/// More states of a transition system than can be closed in reasonable time.
const LARGEST: usize = 3_000;

/// The closure under stuttering: an automaton that accepts the words that stutter some word of the
/// automaton's language, in Holzmann and Kupferman's sense: one word is the other with blocks of
/// equal letters made longer or shorter.
///
/// Letters are valuations of the automaton's propositions. Where these are too many, letters that
/// no label tells apart count as one. The result is closed under stuttering then as well, and equal
/// to the automaton if that one is closed, but may have words that the closure has not.
///
/// `None` if the automaton is too large for either.
pub fn stutter_closure(automaton: &Automaton) -> Option<Automaton> {
    let closure = closure_over(automaton, Alphabet::valuations);
    let mut closure = closure.or_else(|| closure_over(automaton, Alphabet::classes))?;
    closure.trim();
    closure.reduce_by_simulation();
    Some(closure.compact())
}

/// The closure, where a block is a sequence of letters in one part of the alphabet.
fn closure_over(automaton: &Automaton, alphabet: fn(&Automaton) -> Option<Alphabet>) -> Option<Automaton> {
    let mut trimmed = automaton.clone();
    trimmed.trim();
    let order: Vec<usize> = (0..trimmed.mark_count).collect();
    let automaton = trimmed.degeneralised(&order);
    let alphabet = alphabet(&automaton)?;
    if automaton.state_count() * alphabet.len() > LARGEST || alphabet.bdds.has_overflowed() {
        return None;
    }
    Some(System::of(&automaton, &alphabet).closed().automaton(&alphabet, automaton.propositions))
}

/// Whether the language is closed under stuttering: whether the closure has no word of the
/// complement.
///
/// `None` if the automaton is too large.
pub fn is_stutter_invariant(automaton: &Automaton, complement: &Automaton) -> Option<bool> {
    // A language that does not tell two letters apart is closed if and only if it is when they
    // count as one.
    let closure = closure_over(automaton, Alphabet::classes)?;
    Some(!closure.intersects(complement)?)
}
