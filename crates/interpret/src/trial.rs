//! Moves that are tried: who tries what and when, the memory for it, and what comes of it.

use ample_model::{Edge, EdgeId};
use ample_transition::{Fault, Move, Pid};

use crate::eval::Creation;
use crate::state::State;

/// One move and what came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move.
    pub step: Move,
    /// The state after it; `None` if an error ended the run.
    pub next: Option<State>,
    /// Who keeps control: the next move is this process's, if it can make one.
    pub control: Option<Pid>,
    /// What went wrong.
    pub faults: Vec<Fault>,
    /// What was printed.
    pub printed: String,
}

/// What a move leaves behind besides the new state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) faults: Vec<Fault>,
    pub(crate) printed: String,
    /// The processes that are to be created.
    pub(crate) creations: Vec<Creation>,
    /// Memory for the message that is sent or received.
    pub(crate) message: Vec<i64>,
}

impl Log {
    /// Forgets what happened after the first so many faults.
    #[inline]
    pub(crate) fn restart(&mut self, faults: usize) {
        if self.faults.len() > faults {
            self.faults.truncate(faults);
        }
        self.printed.clear();
    }
}

/// One move and what came of it, lent to whoever asks for moves.
pub(crate) struct Made<'t> {
    pub(crate) step: Move,
    /// The state after it, which may be taken away; `None` if an error ended the run.
    pub(crate) next: Option<&'t mut State>,
    pub(crate) control: Option<Pid>,
    pub(crate) log: &'t Log,
}

impl From<Made<'_>> for Outcome {
    fn from(made: Made<'_>) -> Outcome {
        let Made { step, next, control, log } = made;
        let next = next.map(std::mem::take);
        Outcome { step, next, control, faults: log.faults.clone(), printed: log.printed.clone() }
    }
}

/// Whoever asks for moves.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(Made<'_>);

/// A message that waits for a receiver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// The position of the channel.
    pub(crate) channel: usize,
    /// The message.
    pub(crate) message: Vec<i64>,
}

/// Memory for trying moves, one after the other, kept from one state to the next.
#[derive(Default)]
pub(crate) struct Trial {
    /// The state after a move.
    pub(crate) next: State,
    /// Whether it is a copy of the state in which moves are tried, that is, no move has changed it.
    /// If not, it comes from it, or from none.
    pub(crate) is_copy: bool,
    pub(crate) log: Log,
    /// For a joint move of two processes: what the sender offers, and the state in which it has
    /// moved.
    pub(crate) offer: Offer,
    pub(crate) sent: State,
}

impl Trial {
    /// The bytes of memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.next.bytes() + self.sent.bytes()
    }

    /// Begins with moves in another state.
    pub(crate) fn restart(&mut self) {
        self.next.forget_origin();
        self.is_copy = false;
    }

    /// Makes `next` a copy of `state`, if it is not one.
    pub(crate) fn copy(&mut self, state: &State) {
        if !self.is_copy {
            self.next.restore(state);
            self.is_copy = true;
        }
    }
}

/// The circumstances under which an edge is tried.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct When {
    /// An earlier edge of this location could be taken, so `else` cannot.
    pub(crate) moved: bool,
    /// Nothing else in the system can move.
    pub(crate) timeout: bool,
}

/// A process, and the edge that it takes or tries.
#[derive(Copy, Clone)]
pub(crate) struct Mover<'e> {
    pub(crate) pid: Pid,
    pub(crate) edge: &'e Edge,
}

/// An edge that is tried in a state.
#[derive(Copy, Clone)]
pub(crate) struct Attempt<'s> {
    pub(crate) state: &'s State,
    pub(crate) by: Mover<'s>,
    pub(crate) id: EdgeId,
    pub(crate) when: When,
}
