//! The seam of partial order reduction: which of the transitions that leave a state are taken, and may that choice stand?

use crate::{Candidate, Store, SuccessorBuffer};

/// Chooses among the transitions that leave a state.
///
/// Each candidate is a set of transitions that is enough as far as the order of independent transitions goes (C0 and C1 of
/// Clarke, Grumberg and Peled, and what else the expander declares). Whether it may stand where a cycle could put the others off
/// for ever is for the [`CycleCondition`] to say. What is offered depends on the state alone.
pub trait Expander: Sync {
    /// Writes the candidate with this number: of those in `successors`, which are all that leave `state`, at least one and not all.
    /// `false` if there is no such candidate; then what was written means nothing.
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool;

    /// Told that the search has settled for the candidate with this number, or for all transitions if there is none, because those before
    /// it could not stand. It is not told if the first stands. If it is told several numbers for a state, the last one counts.
    fn settled(&self, _state: &[u8], _number: usize) {}

    /// Whether something was met that the expander does not apply to, so that what was left out should not have been: the search is to be
    /// given up, and done without a reduction.
    fn has_failed(&self) -> bool {
        false
    }
}

impl Candidate {
    /// Whether every transition leads to a state. One that ends the run in a fault ends everything else with it, so that nothing is
    /// independent of it: a candidate with such a one cannot stand.
    pub fn leads_on(&self, successors: &SuccessorBuffer) -> bool {
        let leads_on = |number: &usize| successors.get(*number).is_some_and(|successor| successor.state.is_some());
        !successors.has_faults() || self.transitions.iter().all(leads_on)
    }
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
    /// When not all of its states are such that their expansion has begun. To expand one is noted before the test, so that in the order in
    /// which expansions begin one of them comes later: enough for safety, in any order and on any number of threads.
    NotAllBegun,
    /// When none of its states is such that its expansion has begun: on every cycle, the state whose expansion begins last is expanded
    /// fully. Also enough for liveness, if nothing but the system is looked at.
    NoneBegun,
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
    /// For the states whose expansion has begun, if the condition asks for that and the order does not know it itself; empty.
    pub begun: Option<&'a dyn Store>,
}

impl CycleCondition {
    /// Whether it asks which expansions have begun.
    pub fn asks_begun(self) -> bool {
        matches!(self, CycleCondition::NotAllBegun | CycleCondition::NoneBegun)
    }
}
