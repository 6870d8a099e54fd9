//! The seam of foresight: below which states is it known, before they are explored, whether there
//! is an error?

use crate::{Fault, StateLength, SuccessorBuffer, Successors};

/// Says of a state whether it is itself an error.
pub type IsError<'a> = &'a (dyn Fn(&[u8]) -> bool + Sync);

/// What somebody who looks ahead may ask.
#[derive(Copy, Clone)]
pub struct Outlook<'a> {
    /// Which transitions leave a state.
    pub system: &'a dyn Successors,
    /// Whether a state is itself an error, if states can be.
    pub is_error: Option<IsError<'a>>,
}

/// Says of states what lies ahead (Pelánek: Reduction and abstraction techniques for model
/// checking, section 3.4).
///
/// The contract: what it says is a function of the state alone, and true of every state, whether it
/// can be reached or not. It may stop to say anything, for the sake of speed.
pub trait Foresight: Send + Sync {
    /// Whether it may have something to say of a state. It costs less to ask than
    /// [`look_ahead`](Foresight::look_ahead), and goes no way ahead: a `true` may come to nothing.
    fn may_say(&self, state: &[u8]) -> bool;

    /// Fills the empty buffer with what is to be explored of a state in place of all its
    /// transitions: nothing at all, with [`SuccessorBuffer::set_pruned`], if no error lies ahead;
    /// or a single transition that stands for several, one after the other, which lead to an
    /// error. `false`, and an empty buffer, if it has nothing to say.
    fn look_ahead(&self, outlook: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool;
}

/// A system in which what lies ahead of some states is known.
pub struct Foreseen<'a> {
    /// The system, and what is an error in it.
    pub outlook: Outlook<'a>,
    /// Who is asked, one after the other.
    pub foresights: &'a [Box<dyn Foresight + 'a>],
}

impl Successors for Foreseen<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.outlook.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        if !self.foresights.iter().any(|foresight| foresight.look_ahead(&self.outlook, state, buffer)) {
            self.outlook.system.expand_all(state, buffer);
        }
    }

    fn expand_for_walk(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.outlook.system.expand_for_walk(state, buffer);
    }

    fn state_length(&self) -> StateLength {
        self.outlook.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.outlook.system.invalid_end(state)
    }
}
