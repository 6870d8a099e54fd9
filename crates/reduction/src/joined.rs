//! Transitions of a system that follow each other, joined to one: the states between them are not
//! stored.
//!
//! What is joined are transitions of the system, in each state between them those of a candidate of
//! an expander. So a joined system is a reduced system in which some states are passed. Their
//! choices depend on the state that the whole transition leaves: a function of the state, as it
//! must be for a product.

use ample_transition::{Expander, Fault, Move, Successor, SuccessorBuffer, Successors};

/// Makes the system in which transitions are joined, out of the full one and an expander whose
/// candidates can stand wherever they are offered.
pub type Join = for<'a> fn(&'a dyn Successors, &'a dyn Expander) -> Box<dyn Successors + 'a>;

/// A transition on its way: its moves, and what went wrong.
#[derive(Default)]
pub(crate) struct JoinedMoves {
    moves: Vec<Move>,
    faults: Vec<Fault>,
}

/// How far a transition was at some time.
#[derive(Copy, Clone)]
pub(crate) struct Mark {
    moves: usize,
    faults: usize,
}

impl JoinedMoves {
    /// How far it is.
    pub fn mark(&self) -> Mark {
        Mark { moves: self.moves.len(), faults: self.faults.len() }
    }

    /// Goes on by a transition of the system.
    pub fn add(&mut self, step: &Successor<'_>) {
        self.moves.extend_from_slice(step.moves);
        self.faults.extend_from_slice(step.faults);
    }

    /// Takes back what came after a mark.
    pub fn back_to(&mut self, mark: Mark) {
        self.moves.truncate(mark.moves);
        self.faults.truncate(mark.faults);
    }

    /// Writes the transition, which ends in this state, or in no state after an error.
    pub fn write(&self, end: Option<&[u8]>, buffer: &mut SuccessorBuffer) {
        match end {
            Some(state) => buffer.push(&self.moves, &self.faults, Some(&mut |bytes| bytes.extend_from_slice(state))),
            None => buffer.push(&self.moves, &self.faults, None),
        }
    }
}
