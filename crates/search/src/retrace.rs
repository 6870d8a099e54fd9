//! The second search: from the states at fault back to the initial one.
//!
//! Searches do not remember where a state was reached from. When there is something to show, the states are visited once more,
//! breadth first and with their parents, until the ones at fault have turned up.

use std::collections::HashMap;
use std::time::Instant;

use ample_store::TreeStore;
use ample_transition::{Budget, Fault, Session, States, Store, StoreConfig, StoreFull, SuccessorBuffer, Successors};
use foldhash::fast::FixedState;

use crate::explorer::{Common, Explorer};
use crate::find_again::find_again;
use crate::outcome::Found;
use crate::path::trace_along;
use crate::typical::typical_states;

/// Where a violation was seen.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub state: Vec<u8>,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
    pub fault: Fault,
}

/// Finds the ways to the places. What was found is shown even if the search was interrupted, unless somebody loses patience now; and
/// it may take as long again as the search was allowed to take.
pub(crate) fn retrace_places(common: &Common<'_>, places: Vec<Place>) -> (Vec<Found>, Vec<Fault>) {
    let mut still_working = patience(common);
    match &common.reduction {
        None => retrace(common.system, common.budget, places, None, &mut still_working),
        Some(reduction) => {
            let faults = places.into_iter().map(|place| place.fault).collect();
            find_again(common.system, reduction, common.budget, faults, &mut still_working)
        }
    }
}

/// The same for a search that went deep early and whose store is still there. The shortest ways are looked for as long as that takes not
/// much more than the search did. Then, since each state of the store was reached by way of others of them, only these are visited. Gives
/// also the places to which no way was found.
pub(crate) fn retrace_within(
    common: &Common<'_>,
    places: Vec<Place>,
    store: &dyn Store,
    states: u64,
) -> (Vec<Found>, Vec<Place>) {
    let (mut patience, mut left) = (patience(common), states.saturating_mul(4).saturating_add(10_000));
    let mut briefly = || {
        left = left.saturating_sub(1);
        left > 0 && patience()
    };
    let (mut found, rest) = match &common.reduction {
        None => ways(retrace(common.system, common.budget, places.clone(), None, &mut briefly), places),
        Some(_) => (Vec::new(), places),
    };
    let traced = retrace(common.system, common.budget, rest.clone(), Some(store), &mut patience);
    let (more, rest) = ways(traced, rest);
    found.extend(more);
    (found, rest)
}

/// What was found, and the places to which no way was.
fn ways((found, untraced): (Vec<Found>, Vec<Fault>), places: Vec<Place>) -> (Vec<Found>, Vec<Place>) {
    let rest = places.into_iter().filter(|place| untraced.contains(&place.fault)).collect();
    (found, rest)
}

/// Whether to go on, to be asked for each state.
fn patience<'c>(common: &'c Common<'_>) -> impl FnMut() -> bool + 'c {
    let mut explorer = Explorer::new(common);
    let was_interrupted = common.is_interrupted();
    let deadline = common.max_time().and_then(|time| Instant::now().checked_add(time));
    move || {
        let looked_at_clock = explorer.still_working(1).is_some();
        let is_late = looked_at_clock && deadline.is_some_and(|deadline| Instant::now() >= deadline);
        !is_late && (was_interrupted || !common.is_interrupted())
    }
}

/// The traces to the places, as short as can be among the states of `within` if that is given, and the faults to which no way was found because memory or time ran out or somebody lost patience.
///
/// `still_working` is called for each state; when it says no, the rest is not looked for.
fn retrace(
    system: &dyn Successors,
    budget: &Budget,
    places: Vec<Place>,
    within: Option<&dyn Store>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    if places.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let typical = typical_states(system);
    let config = StoreConfig { budget: budget.clone(), length: system.state_length(), typical };
    let mut paths = vec![None; places.len()];
    if let Ok(store) = TreeStore::new(&config) {
        let sessions = (store.session(), within.map(|within| within.session()));
        let mut walk = Walk::new(system, sessions, budget, &places);
        // If memory runs out, some places may have been reached all the same.
        let _ = walk.run(still_working);
        paths = places.iter().map(|place| walk.path_to(&place.state)).collect();
    }
    let (mut found, mut untraced) = (Vec::new(), Vec::new());
    for (place, path) in places.into_iter().zip(paths) {
        match path {
            Some(path) => {
                let trace = trace_along(system, path.iter().map(Vec::as_slice), place.successor);
                found.push(Found { fault: place.fault, trace });
            }
            None => untraced.push(place.fault),
        }
    }
    (found, untraced)
}

/// A visit of all states in breadth-first order.
struct Walk<'w> {
    system: &'w dyn Successors,
    session: Box<dyn Session + Send + 'w>,
    /// Where the states are that are visited; all are if there is none.
    within: Option<Box<dyn Session + Send + 'w>>,
    keys: States,
    budget: &'w Budget,
    /// The states in the order in which they were reached, and the position of the one that each was reached from.
    reached: States,
    parents: Vec<u32>,
    /// The states looked for, and from where they were reached.
    targets: HashMap<Vec<u8>, Option<Way>, FixedState>,
    charged: usize,
}

/// How a target was reached.
#[derive(Copy, Clone)]
enum Way {
    IsInitial,
    From(usize),
}

impl<'w> Walk<'w> {
    fn new(
        system: &'w dyn Successors,
        (session, within): (Box<dyn Session + Send + 'w>, Option<Box<dyn Session + Send + 'w>>),
        budget: &'w Budget,
        places: &[Place],
    ) -> Self {
        let targets = places.iter().map(|place| (place.state.clone(), None)).collect();
        let (keys, reached) = (States::default(), States::default());
        Walk { system, session, within, keys, budget, reached, parents: Vec::new(), targets, charged: 0 }
    }

    /// Visits states until all targets are reached.
    fn run(&mut self, still_working: &mut dyn FnMut() -> bool) -> Result<(), StoreFull> {
        let Ok(mut state) = self.system.initial() else { return Ok(()) };
        self.meet(&state, Way::IsInitial);
        self.session.offer(&state);
        self.settle(0)?;
        let mut buffer = SuccessorBuffer::new();
        let mut next = 0;
        while next < self.reached.len() && self.targets.values().any(Option::is_none) {
            self.session.open(&self.reached, next, &mut state);
            buffer.clear();
            self.system.expand_all(&state, &mut buffer);
            for successor in buffer.iter().filter_map(|successor| successor.state) {
                self.meet(successor, Way::From(next));
                if self.is_within(successor) {
                    self.session.offer(successor);
                }
            }
            self.settle(next)?;
            next += 1;
            if !still_working() {
                break;
            }
        }
        Ok(())
    }

    fn is_within(&mut self, state: &[u8]) -> bool {
        let Some(within) = &mut self.within else { return true };
        self.keys.clear();
        within.key(state, &mut self.keys).is_ok() && self.keys.key(0).is_some_and(|key| within.contains(key))
    }

    fn meet(&mut self, state: &[u8], way: Way) {
        if let Some(target @ None) = self.targets.get_mut(state) {
            *target = Some(way);
        }
    }

    /// Notes the new ones among what was offered, with their parent.
    fn settle(&mut self, parent: usize) -> Result<(), StoreFull> {
        let parent = u32::try_from(parent).map_err(|_| StoreFull)?;
        let memory = self.reached.memory() + self.parents.capacity() * size_of::<u32>();
        if memory > self.charged {
            self.budget.take(memory - self.charged)?;
            self.charged = memory;
        }
        self.session.settle(u64::MAX, &mut self.reached).map_err(|_| StoreFull)?;
        self.parents.resize(self.reached.len(), parent);
        Ok(())
    }

    /// The states from the initial one to a target, if it was reached.
    fn path_to(&mut self, target: &[u8]) -> Option<Vec<Vec<u8>>> {
        let way = *self.targets.get(target)?;
        let mut path = vec![target.to_vec()];
        if let Way::From(mut position) = way? {
            loop {
                let mut state = Vec::new();
                self.session.open(&self.reached, position, &mut state);
                path.push(state);
                if position == 0 {
                    break;
                }
                position = self.parents[position] as usize;
            }
        }
        path.reverse();
        Some(path)
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}
