//! The seam of cycle conditions: whether a reduced set of transitions may be all that is taken in a
//! state.

use std::fmt;

/// A cycle condition: decides whether a candidate is accepted where it could put the other
/// transitions off for ever (C3 of Clarke, Grumberg and Peled, or a weaker one).
///
/// It is asked once for each proper subset of the transitions that leave a state. It never sees
/// states, only what the search knows of them; so it goes with every search that can find out what
/// it [needs](CycleCondition::needs).
pub trait CycleCondition: fmt::Debug + Sync {
    /// What it looks at.
    fn needs(&self) -> Needs;

    /// Whether a candidate is accepted whose transitions lead to states of which this is known, one
    /// entry for each transition. What the condition did not ask for means nothing.
    fn accepts(&self, seen: &[Seen]) -> bool;
}

/// What a search knows of a state to which a candidate leads.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Whether it was not stored before this candidate: this expansion adds it.
    pub is_new: bool,
    /// Whether its expansion has begun. The expansion of the state whose candidate it is has.
    pub is_begun: bool,
    /// Whether it is on the path of the search.
    pub is_on_path: bool,
}

impl Seen {
    /// Whether it is still to be expanded.
    #[inline]
    pub const fn is_open(self) -> bool {
        !self.is_begun
    }
}

/// What a cycle condition looks at. The default is nothing: such a condition does not depend on the
/// search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Which states are new. Only to add them tells that, so that a candidate is added before it is
    /// asked about.
    pub new: bool,
    /// Which expansions have begun. Orders other than depth first need a store for these states.
    pub begun: bool,
    /// Which states are on the path. Only a depth-first search on one thread has one.
    pub path: bool,
    /// Whether a pass over the system alone that settles which candidates are taken goes depth
    /// first on one thread, although the condition holds in any order.
    pub settles_depth_first: bool,
}

impl Needs {
    /// Whether the answer depends on the candidate alone.
    #[inline]
    pub fn is_nothing(self) -> bool {
        !(self.new || self.begun || self.path)
    }

    /// Whether a pass over the system alone may go in any order and on any number of threads.
    pub fn settles_in_any_order(self) -> bool {
        !self.path && !self.settles_depth_first
    }
}
