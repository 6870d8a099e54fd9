//! Whether a formula holds only because what it is about never happens.
//!
//! A search for a run that violates `[](p -> f)` looks at every state that can be reached, if it
//! finds none: its automaton accepts `<>(p && !f)`, so that every beginning of a word can go on to
//! one that is accepted (unless there is no such word at all), and the product follows every
//! beginning of a run. A reduction that is sound for the formula leaves, for every run, one on
//! which the same propositions are true in the same order; `p` is one of them. So a `p` that was
//! never seen to be true after such a search is true in no state.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_product::Propositions;
use ample_property::{Condition, Formula, Letter};
use ample_transition::Fault;

/// The left sides of a formula's implications, and whether each was seen to be true.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    list: Vec<(Condition, AtomicBool)>,
    /// Whether all of them were, so that there is nothing left to note.
    is_settled: AtomicBool,
}

impl Conditions {
    pub fn new(conditions: Vec<Condition>) -> Self {
        let is_settled = AtomicBool::new(conditions.is_empty());
        Conditions { list: conditions.into_iter().map(|one| (one, AtomicBool::new(false))).collect(), is_settled }
    }

    /// Those that were never seen to be true.
    pub fn never_true(&self) -> Vec<Formula> {
        let is_new = |(_, seen): &&(Condition, AtomicBool)| !seen.load(Ordering::Relaxed);
        self.list.iter().filter(is_new).map(|(condition, _)| condition.formula.clone()).collect()
    }

    /// Notes what is true in a state.
    fn note(&self, letter: Letter) {
        if self.is_settled.load(Ordering::Relaxed) {
            return;
        }
        let mut all = true;
        for (condition, seen) in &self.list {
            if !seen.load(Ordering::Relaxed) {
                let is_true = condition.is_true(letter);
                seen.fetch_or(is_true, Ordering::Relaxed);
                all &= is_true;
            }
        }
        self.is_settled.fetch_or(all, Ordering::Relaxed);
    }
}

/// Propositions of which it is noted what was true.
pub(crate) struct Noted<'a> {
    pub propositions: &'a dyn Propositions,
    pub conditions: &'a Conditions,
}

impl Propositions for Noted<'_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        let letter = self.propositions.letter(state)?;
        self.conditions.note(letter);
        Ok(letter)
    }

    // A letter that is taken from known moves was read when they became known.
    fn read_bits(&self) -> Option<Vec<u64>> {
        self.propositions.read_bits()
    }
}
