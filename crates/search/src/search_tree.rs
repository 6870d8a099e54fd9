//! The tree of a breadth-first search: each state with the one it was reached from.
//!
//! Searches do not keep parents. Only a second search, for a trace to a violation, does.

use ample_transition::{Budget, Opened, Session, States, Store, StoreFull, SuccessorBuffer};

use crate::control::Control;

/// States in the order in which they were reached. A position is a number in that order; the
/// initial state has the position 0.
pub(crate) struct SearchTree<'t> {
    session: Box<dyn Session + Send + 't>,
    budget: &'t Budget,
    states: States,
    /// For each state the position of the state from which it was reached first.
    parents: Vec<u32>,
    /// The bytes that were taken from the budget.
    charged: usize,
}

impl<'t> SearchTree<'t> {
    /// An empty tree. The store, which must not confuse states, is empty, too.
    pub fn new(store: &'t dyn Store, budget: &'t Budget) -> Self {
        debug_assert!(store.omission_probability().is_none(), "the plan gives an exact store to a second search");
        SearchTree { session: store.session(), budget, states: States::default(), parents: Vec::new(), charged: 0 }
    }

    /// Visits states breadth first, from the initial one on, but for those that others cover, until
    /// there is none left, memory runs out, or `visit` says no. It is given each state with its
    /// successors and position, and adds the successors that are to be visited.
    pub fn grow(
        &mut self,
        control: &Control<'_>,
        mut visit: impl FnMut(&mut Self, Visit<'_>) -> Result<bool, StoreFull>,
    ) -> Result<(), StoreFull> {
        let Ok(mut state) = control.system.initial() else { return Ok(()) };
        self.add([&state[..]], 0)?;
        // Without bounds: an expansion that is cut off has other successors.
        let mut successors = SuccessorBuffer::new();
        let mut position = 0;
        while position < self.states.len() {
            let opened = self.session.open(&self.states, position, &mut state);
            position += 1;
            if opened == Opened::Covered {
                continue;
            }
            successors.clear();
            control.system.expand_all(&state, &mut successors);
            if !visit(self, Visit { state: &state, successors: &successors, position: position - 1 })? {
                break;
            }
        }
        Ok(())
    }

    /// Adds states that were reached from the one at `parent`. Whether one of them is new.
    pub fn add<'s>(&mut self, states: impl IntoIterator<Item = &'s [u8]>, parent: usize) -> Result<bool, StoreFull> {
        let parent = u32::try_from(parent).map_err(|_| StoreFull)?;
        let memory = self.states.memory() + self.parents.capacity() * size_of::<u32>();
        if memory > self.charged {
            self.budget.take(memory - self.charged)?;
            self.charged = memory;
        }
        states.into_iter().for_each(|state| self.session.offer(state));
        self.session.settle(u64::MAX, &mut self.states).map_err(|_| StoreFull)?;
        let is_larger = self.states.len() > self.parents.len();
        self.parents.resize(self.states.len(), parent);
        Ok(is_larger)
    }

    /// The states from the initial one to the one at this position.
    pub fn path_to(&mut self, mut position: usize) -> Vec<Vec<u8>> {
        let mut path = Vec::new();
        loop {
            let mut state = Vec::new();
            self.session.open(&self.states, position, &mut state);
            path.push(state);
            if position == 0 {
                break;
            }
            position = self.parents[position] as usize;
        }
        path.reverse();
        path
    }
}

/// A state that is visited.
#[derive(Copy, Clone)]
pub(crate) struct Visit<'v> {
    pub state: &'v [u8],
    pub successors: &'v SuccessorBuffer,
    pub position: usize,
}

impl Drop for SearchTree<'_> {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}
