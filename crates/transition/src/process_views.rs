//! What a reduction looks at of each process apart: so that it can choose among moves that are
//! known, without the state.

use crate::{Candidate, SuccessorBuffer};

/// Candidates by processes: those of an [`Expander`](crate::Expander), from what it looks at of
/// each process.
pub trait ProcessViews: Sync {
    /// A number for all that the candidates depend on of a process in this state, whose moves are
    /// in the buffer. It is the same in all states that agree in what the moves depend on. `None`
    /// if there is no such number.
    fn view(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<u16>;

    /// Writes the candidate with this number, as
    /// [`Expander::candidate`](crate::Expander::candidate) does, in a state of which these are the
    /// views, one for each process in the order in which their moves follow each other.
    fn choose(&self, views: &[View], number: usize, candidate: &mut Candidate) -> bool;
}

/// What is to be seen of a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number that was given to it.
    pub number: u16,
    /// How many moves the process has.
    pub moves: u16,
}
