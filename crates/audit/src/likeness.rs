//! When two states, or two transitions, count as the same.
//!
//! Where process numbers make no difference to a model, a reduction preserves what it preserves up
//! to these numbers (`ample_network::facts::Numbering`).

use ample_check::Prepared;
use ample_network::facts::{moves_without_numbers, without_numbers};
use ample_transition::Move;

/// How states and transitions are compared.
pub(crate) enum Likeness<'a> {
    /// Byte by byte and move by move.
    Exact,
    /// Without the numbers of processes, and without processes at their end.
    WithoutNumbers(&'a Prepared<'a>),
}

impl<'a> Likeness<'a> {
    /// What goes with what the facts say of a model.
    pub fn of(prepared: &'a Prepared<'a>) -> Likeness<'a> {
        let reducible = prepared.system().reducible;
        let is_anonymous = reducible.is_some_and(|known| known.facts().numbering().is_anonymous());
        if is_anonymous { Likeness::WithoutNumbers(prepared) } else { Likeness::Exact }
    }

    /// Whether the numbers of processes count.
    pub fn is_exact(&self) -> bool {
        matches!(self, Likeness::Exact)
    }

    /// A state, so that those that count as the same are equal.
    pub fn state(&self, state: &[u8]) -> Vec<u8> {
        let Likeness::WithoutNumbers(prepared) = self else { return state.to_vec() };
        let Some(known) = prepared.system().reducible else { return state.to_vec() };
        let values = without_numbers(known.network, &prepared.unpack(state));
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// The name of a transition of a state; `None` if it makes no difference whether it occurs.
    pub fn name(&self, state: &[u8], moves: &[Move]) -> Option<String> {
        let Likeness::WithoutNumbers(prepared) = self else { return Some(format!("{moves:?}")) };
        let known = prepared.system().reducible?;
        moves_without_numbers(known.network, &prepared.unpack(state), moves).map(|found| format!("{found:?}"))
    }
}
