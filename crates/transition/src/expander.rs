//! The seam of partial order reduction: which of the transitions that leave a state are taken, and may that choice stand?

use crate::SuccessorBuffer;

/// Chooses among the transitions that leave a state.
///
/// Each candidate is a set of transitions that is enough as far as the order of independent transitions goes (C0 and C1 of
/// Clarke, Grumberg and Peled, and what else the expander declares). Whether it may stand where a cycle could put the others off
/// for ever is for the [`CycleCondition`] to say. What is offered depends on the state alone.
pub trait Expander: Sync {
    /// Writes the numbers of the transitions of the candidate with this number over `chosen`, in ascending order: at least one of
    /// those in `successors`, which are all that leave `state`, and not all. `false` if there is no such candidate.
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, chosen: &mut Vec<usize>) -> bool;
}

/// When a candidate may stand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CycleCondition {
    /// Always: the candidates themselves see to it that nothing is put off for ever.
    None,
    /// When this expansion has added at least one of its states to the store.
    ///
    /// The order in which states are added is well founded, so that from every state a fully expanded one can be reached: enough for
    /// safety, in any order of search and on any number of threads.
    New,
    /// When not all of its states are on the path of the search: enough for safety. One thread, depth first.
    NotAllOnStack,
    /// When none of its states is on the path of the search: also enough for liveness, if nothing but the system is looked at.
    NoneOnStack,
}

/// An expander with its cycle condition.
#[derive(Copy, Clone)]
pub struct Reduction<'a> {
    /// Which transitions may be enough.
    pub expander: &'a dyn Expander,
    /// When they are.
    pub condition: CycleCondition,
}
