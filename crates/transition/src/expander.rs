//! The seam of partial order reduction: which of the transitions that leave a state are taken?

use crate::{Candidate, CycleCondition, ProcessViews, Store, SuccessorBuffer};

/// Chooses among the transitions that leave a state.
///
/// Each candidate is a set of transitions that is enough as far as the order of independent
/// transitions goes (C0 and C1 of Clarke, Grumberg and Peled, and what else the expander declares).
/// Whether it is accepted where a cycle could put the others off for ever is for the
/// [`CycleCondition`] to say. What is offered depends on the state alone.
pub trait Expander: Sync {
    /// Writes the candidate with this number: of those in `successors`, which are all that leave
    /// `state`, at least one and not all. `false` if there is no such candidate; then what was
    /// written means nothing.
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool;

    /// Whether something was met that the expander does not apply to, so that what was left out
    /// should not have been: the search is to be given up, and done without a reduction.
    fn has_failed(&self) -> bool;

    /// The same candidates from what is to be seen of each process apart, if they depend on nothing
    /// else.
    fn process_views(&self) -> Option<&dyn ProcessViews> {
        None
    }
}

/// An expander that chooses among what another one offers, or looks on. It fails when the other one
/// does, without doing anything for it.
pub trait Decorator: Sync {
    /// The other expander, if there is one.
    fn inner(&self) -> Option<&dyn Expander>;

    /// Writes the candidate with this number, as [`Expander::candidate`] does.
    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool;

    /// Whether it has met something that it does not apply to itself.
    fn has_failed_itself(&self) -> bool {
        false
    }
}

impl<D: Decorator> Expander for D {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        self.choose(state, successors, number, candidate)
    }

    fn has_failed(&self) -> bool {
        self.has_failed_itself() || self.inner().is_some_and(|inner| inner.has_failed())
    }
}

/// Told by a search which candidates it settles for, by the numbers of the expander that the search
/// itself asks.
pub trait DecisionLog: Sync {
    /// The search has settled for the candidate with this number, or for all transitions if there
    /// is none, because those before it were not accepted. It says nothing if the first is. If it
    /// says several numbers for a state, the last one counts.
    fn settled(&self, state: &[u8], number: usize);
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
    /// Told what is settled for, if somebody wants to know.
    pub log: Option<&'a dyn DecisionLog>,
}
