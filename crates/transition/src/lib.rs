//! The vocabulary of a search: states, moves, successors, faults, traces and stores.
//!
//! A state is a packed byte vector; only the part that made it can read it. A *transition* leads
//! from one stored state to the next and consists of one or more *moves*: the states inside an
//! `atomic` sequence and the half-step of a rendezvous are passed through, not stored.

mod bounds;
mod budget;
mod buffer;
mod candidate;
mod canonizer;
mod classes;
mod condition;
mod cover;
mod expander;
mod fault;
mod foresight;
mod graph;
mod independence;
mod marks;
mod process_moves;
mod process_views;
mod store;
mod stretch;
mod trace;

pub use bounds::{Bounds, Cut};
pub use budget::{Budget, StoreFull};
pub use buffer::{Iter, RecordHeader, Scratch, Successor, SuccessorBuffer, Tally, WriteState};
pub use candidate::{Candidate, ExpanderScratch, ScratchMemory, ScratchOwner};
pub use canonizer::{Canonized, Canonizer, Chain};
pub use classes::{Below, ClassCounts, ClassId, Classes, ClassesFull};
pub use condition::{CycleCondition, Needs, Seen};
pub use cover::Cover;
pub use expander::{DecisionLog, Decorator, Expander, Reduction};
pub use fault::{Fault, FaultKind};
pub use foresight::{Foreseen, Foresight, IsError, Outlook};
pub use graph::{Graph, GraphEdge, NodeId};
pub use independence::{Independence, TransitionName};
pub use marks::Marks;
pub use process_moves::ProcessMoves;
pub use process_views::{ProcessViews, View};
pub use store::{
    Inserted, Key, KeyUse, Opened, Session, StateLength, StateRef, States, Store, StoreConfig, TypicalStates,
    Unsettled, Viewed,
};
pub use stretch::{Route, Stretch};
pub use trace::{Move, Pid, Trace};

/// A system whose states can be enumerated: which transitions leave a state?
///
/// Implementations are immutable and shared between threads; scratch space is the caller's buffer.
pub trait Successors: Sync {
    /// The initial state, or why there is none (an initialiser may fail).
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>>;

    /// Writes every transition that leaves `state` into `buffer`, always in the same order.
    ///
    /// Stops early, leaving the buffer incomplete, only if [`SuccessorBuffer::should_stop`] says
    /// so. Where nothing is written although transitions leave the state, because it is known that
    /// none of them matters, [`SuccessorBuffer::set_pruned`] tells that from a state which nothing
    /// leaves.
    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer);

    /// Writes states that are much like the successors of `state` into `buffer`, for random walks
    /// that look for typical states. By default they are the successors. A system with an observer
    /// goes on where the observer would end the run: walks that end early see little.
    fn expand_for_walk(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.expand_all(state, buffer);
    }

    /// The moves of each process apart, if the transitions of a state are those of its processes
    /// and it is known what each depends on.
    fn process_moves(&self) -> Option<&dyn ProcessMoves> {
        None
    }

    /// What is known of the length of states.
    fn state_length(&self) -> StateLength {
        StateLength::Any
    }

    /// Judges a state that no transition leaves: `None` if the system may end there.
    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>>;
}

/// Which states a run must visit again and again to be accepted.
pub trait Accepting: Sync {
    /// Whether this is one of them.
    fn is_accepting(&self, state: &[u8]) -> bool;
}
