//! The abstract state of a state: which predicates hold, and all that is not abstracted.

use std::sync::Arc;

use ample_interpret::State;
use ample_stdx::TypedId;

use crate::cell::Cells;
use crate::normal::Atom;

/// What predicates make of states. It is the same for all of one round.
#[derive(Clone, Debug)]
pub struct Valuation {
    pub(crate) cells: Arc<Cells>,
    pub(crate) predicates: Arc<[Atom]>,
}

/// What stands for a predicate that cannot be evaluated: its number is beyond what is computed
/// with.
const NO_VALUE: u8 = 2;

impl Valuation {
    /// Appends the abstract state.
    pub fn append(&self, state: &State, key: &mut Vec<u8>) {
        let value = |cell| i128::from(self.cells.value(cell, state));
        key.extend(self.predicates.iter().map(|atom| atom.holds(&value).map_or(NO_VALUE, u8::from)));
        let mut push = |value: i64| key.extend_from_slice(&value.to_le_bytes());
        for (slot, value) in state.globals().iter().enumerate() {
            if !self.cells.is_abstract_global(slot) {
                push(*value);
            }
        }
        push(state.processes.len() as i64);
        for (pid, process) in state.processes.iter().enumerate() {
            push(process.template.index() as i64);
            push(process.location.index() as i64);
            push(process.priority.into());
            for (slot, value) in state.locals(pid.try_into().unwrap_or_default()).iter().enumerate() {
                if !self.cells.is_abstract_local(pid, slot) {
                    push(*value);
                }
            }
        }
        for channel in 0..state.channels.len() {
            push(state.channels[channel].len() as i64);
            state.values_in(channel).iter().for_each(|value| push(*value));
        }
        push(state.last.into());
        push(state.event.index() as i64);
    }
}
