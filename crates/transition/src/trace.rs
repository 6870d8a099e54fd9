//! Moves and traces.

use ample_model::EdgeId;

/// The number of a process: its position in the list of processes.
pub type Pid = u16;

/// One move: a process takes an edge, at a rendezvous together with a partner.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Who moves; at a rendezvous the sender.
    pub process: Pid,
    /// Along which edge of its template.
    pub edge: EdgeId,
    /// At a rendezvous the receiver and its edge.
    pub partner: Option<(Pid, EdgeId)>,
}

/// A run from the initial state: the moves of each transition, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The transitions, each a sequence of at least one move.
    pub transitions: Vec<Vec<Move>>,
    /// For an infinite run: how many transitions there are before those that are repeated for ever.
    /// If there are no others, the run ends in a state that nothing leaves and stays in it.
    pub cycle: Option<usize>,
}

impl Trace {
    /// All moves in order.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.transitions.iter().flatten().copied()
    }
}
