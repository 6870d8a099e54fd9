//! The second search after one with a reduction.
//!
//! Which states such a search visits may depend on the order in which it visits them, so that a
//! state at fault need not turn up a second time. But a fault of the same kind at the same place
//! does: that is what the reduction preserves. So the second search, breadth first and with
//! parents, looks for faults and not for states.

use ample_store::TreeStore;
use ample_transition::{
    Budget, Candidate, Fault, Inserted, Reduction, Seen, Session, States, Store, StoreConfig, StoreFull,
    SuccessorBuffer, Successors, Trace,
};

use crate::candidate::choose;
use crate::outcome::Found;
use crate::trace::trace_along;
use crate::typical::typical_states;

/// Traces to faults like these, and the faults of which none was found because memory or time ran
/// out or somebody lost patience.
///
/// `still_working` is called for each state; when it says no, the rest is not looked for.
pub(crate) fn find_again(
    system: &dyn Successors,
    reduction: &Reduction<'_>,
    budget: &Budget,
    faults: Vec<Fault>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    if faults.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let typical = typical_states(system);
    let config = StoreConfig { budget: budget.clone(), length: system.state_length(), typical };
    let Ok(store) = TreeStore::new(&config) else { return (Vec::new(), faults) };
    let mut search = FaultSearch {
        system,
        reduction,
        session: store.session(),
        budget,
        reached: States::default(),
        parents: Vec::new(),
        keys: States::default(),
        candidate: Candidate::default(),
        missing: faults,
        found: Vec::new(),
        charged: 0,
    };
    // If memory runs out, some may have been found all the same.
    let _ = search.run(still_working);
    (std::mem::take(&mut search.found), std::mem::take(&mut search.missing))
}

/// A visit of the states that the reduction leaves, in breadth-first order.
struct FaultSearch<'w> {
    system: &'w dyn Successors,
    reduction: &'w Reduction<'w>,
    session: Box<dyn Session + Send + 'w>,
    budget: &'w Budget,
    /// The states in the order in which they were reached, and the position of the one that each
    /// was reached from.
    reached: States,
    parents: Vec<u32>,
    keys: States,
    candidate: Candidate,
    /// The faults that were not found yet.
    missing: Vec<Fault>,
    found: Vec<Found>,
    charged: usize,
}

impl FaultSearch<'_> {
    fn run(&mut self, still_working: &mut dyn FnMut() -> bool) -> Result<(), StoreFull> {
        let Ok(mut state) = self.system.initial() else { return Ok(()) };
        self.session.key(&state, &mut self.keys)?;
        self.add(0)?;
        let mut buffer = SuccessorBuffer::new();
        let mut next = 0;
        while let Some(key) = self.reached.key(next).filter(|_| !self.missing.is_empty()) {
            self.session.recall(key, &mut state);
            buffer.clear();
            self.system.expand_all(&state, &mut buffer);
            self.look(&state, &buffer, next);
            self.follow(&state, &buffer, next)?;
            next += 1;
            if !still_working() {
                break;
            }
        }
        Ok(())
    }

    /// Looks for the faults in a state and on the transitions that leave it, also those that are
    /// left out.
    fn look(&mut self, state: &[u8], buffer: &SuccessorBuffer, position: usize) {
        if buffer.is_empty() {
            let fault = self.system.invalid_end(state);
            return fault.into_iter().for_each(|fault| self.meet(&fault, position, None));
        }
        if buffer.has_faults() {
            for (number, successor) in buffer.iter().enumerate() {
                successor.faults.iter().for_each(|fault| self.meet(fault, position, Some(number)));
            }
        }
    }

    fn meet(&mut self, fault: &Fault, position: usize, successor: Option<usize>) {
        let is_it = |missing: &mut Fault| missing.kind == fault.kind && missing.span == fault.span;
        if self.missing.extract_if(.., is_it).count() > 0 {
            let trace = self.trace(position, successor);
            self.found.push(Found::new(fault.clone(), trace));
        }
    }

    /// Adds what the first candidate that is accepted leads to. A condition that looks at the
    /// search is replaced: this one has no path and notes no beginnings, and asks for something new
    /// instead, which is enough for the same properties.
    fn follow(&mut self, state: &[u8], buffer: &SuccessorBuffer, position: usize) -> Result<(), StoreFull> {
        let condition = self.reduction.condition;
        let is_replaced = !condition.needs().is_nothing();
        for number in 0.. {
            let is_proper = choose(self.reduction, state, buffer, number, &mut self.candidate);
            for &transition in &self.candidate.transitions {
                if let Some(next) = buffer.get(transition).and_then(|successor| successor.state) {
                    self.session.key(next, &mut self.keys)?;
                }
            }
            let count = self.keys.len();
            let adds = self.add(position)?;
            let is_accepted = || if is_replaced { adds } else { condition.accepts(&vec![Seen::default(); count]) };
            if !is_proper || self.candidate.leads_on(buffer) && is_accepted() {
                break;
            }
        }
        Ok(())
    }

    /// Adds the states whose keys were taken, with their parent. Whether one is new.
    fn add(&mut self, parent: usize) -> Result<bool, StoreFull> {
        let parent = u32::try_from(parent).map_err(|_| StoreFull)?;
        let before = self.parents.len();
        for position in 0..self.keys.len() {
            if let Some(key) = self.keys.key(position)
                && self.session.add(key)? == Inserted::New
            {
                self.reached.push(key);
                self.parents.push(parent);
            }
        }
        self.keys.clear();
        let memory = self.reached.memory() + self.parents.capacity() * size_of::<u32>();
        if memory > self.charged {
            self.budget.take(memory - self.charged)?;
            self.charged = memory;
        }
        Ok(self.parents.len() > before)
    }

    /// The trace to the state at this position, and on by a transition.
    fn trace(&mut self, mut position: usize, last: Option<usize>) -> Trace {
        let mut positions = vec![position];
        while position > 0 {
            position = self.parents[position] as usize;
            positions.push(position);
        }
        let FaultSearch { session, reached, .. } = self;
        let states = positions.iter().rev().filter_map(|&position| {
            let mut state = Vec::new();
            session.recall(reached.key(position)?, &mut state);
            Some(state)
        });
        trace_along(self.system, states, last)
    }
}

impl Drop for FaultSearch<'_> {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}
