//! What `--match` remembers of a state: the values of expressions.

use ample_product::Values;
use ample_store::Abstraction;
use ample_transition::StateLength;

/// The bytes of a value: whether there is one, and which.
const VALUE: usize = 1 + size_of::<i64>();

/// The values of expressions in a state of a system, and the state of the automaton if there is
/// one.
pub(crate) struct Valuation<'a> {
    values: Box<dyn Values + 'a>,
    /// How many bytes at the end of a state are the automaton's.
    tail: usize,
}

impl<'a> Valuation<'a> {
    /// For the states of a system.
    pub fn of_system(values: Box<dyn Values + 'a>) -> Self {
        Valuation { values, tail: 0 }
    }

    /// For the states of its product with an automaton.
    pub fn of_product(values: Box<dyn Values + 'a>) -> Self {
        Valuation { values, tail: ample_product::TAIL }
    }
}

impl Abstraction for Valuation<'_> {
    fn append(&self, state: &[u8], key: &mut Vec<u8>) {
        let (system, automaton) = state.split_at(state.len().saturating_sub(self.tail));
        self.values.each(system, &mut |value| {
            key.push(u8::from(value.is_some()));
            key.extend_from_slice(&value.unwrap_or_default().to_le_bytes());
        });
        key.extend_from_slice(automaton);
    }

    fn length(&self) -> StateLength {
        StateLength::Always(self.values.count() * VALUE + self.tail)
    }
}

/// What is remembered of the states of a system instead of them, by one who sees each that is
/// expanded.
pub trait Matching: Abstraction {
    /// A state was expanded.
    fn expanded(&self, state: &[u8]);
}

/// What is remembered of a state of a product: of the system's part what somebody else makes of
/// it, what the claim sees, and the state of the automaton.
pub(crate) struct MatchedProduct<'a> {
    pub matching: &'a dyn Matching,
    pub seen: Valuation<'a>,
}

impl Abstraction for MatchedProduct<'_> {
    fn append(&self, state: &[u8], key: &mut Vec<u8>) {
        self.seen.append(state, key);
        self.matching.append(ample_product::system_part(state), key);
    }

    fn length(&self) -> StateLength {
        match (self.seen.length(), self.matching.length()) {
            (StateLength::Always(seen), StateLength::Always(matching)) => StateLength::Always(seen + matching),
            (seen, matching) => match (seen.usual(), matching.usual()) {
                (Some(seen), Some(matching)) => StateLength::Usually(seen + matching),
                _ => StateLength::Any,
            },
        }
    }
}
