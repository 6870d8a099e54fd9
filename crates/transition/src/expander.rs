//! The seam of partial order reduction: which of the transitions that leave a state are taken, and
//! may that choice stand?

use crate::{Candidate, CycleCondition, Store, SuccessorBuffer};

/// Chooses among the transitions that leave a state.
///
/// Each candidate is a set of transitions that is enough as far as the order of independent
/// transitions goes (C0 and C1 of Clarke, Grumberg and Peled, and what else the expander declares).
/// Whether it may stand where a cycle could put the others off for ever is for the
/// [`CycleCondition`] to say. What is offered depends on the state alone.
pub trait Expander: Sync {
    /// Writes the candidate with this number: of those in `successors`, which are all that leave
    /// `state`, at least one and not all. `false` if there is no such candidate; then what was
    /// written means nothing.
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool;

    /// Told that the search has settled for the candidate with this number, or for all transitions
    /// if there is none, because those before it could not stand. It is not told if the first
    /// stands. If it is told several numbers for a state, the last one counts.
    fn settled(&self, _state: &[u8], _number: usize) {}

    /// Whether something was met that the expander does not apply to, so that what was left out
    /// should not have been: the search is to be given up, and done without a reduction.
    fn has_failed(&self) -> bool {
        false
    }
}

impl Candidate {
    /// Whether every transition leads to a state. One that ends the run in a fault ends everything
    /// else with it, so that nothing is independent of it: a candidate with such a one cannot
    /// stand.
    pub fn leads_on(&self, successors: &SuccessorBuffer) -> bool {
        let leads_on = |number: &usize| successors.get(*number).is_some_and(|successor| successor.state.is_some());
        !successors.has_faults() || self.transitions.iter().all(leads_on)
    }
}

/// An expander with its cycle condition.
#[derive(Copy, Clone)]
pub struct Reduction<'a> {
    /// Which transitions may be enough.
    pub expander: &'a dyn Expander,
    /// When they are.
    pub condition: &'a dyn CycleCondition,
    /// For the states whose expansion has begun, if the condition asks for that and the order does
    /// not know it itself; empty.
    pub begun: Option<&'a dyn Store>,
}
