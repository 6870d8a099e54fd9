//! From what was found back to the initial state.
//!
//! Searches do not remember where a state was reached from. When there is something to show, a sure
//! way is looked for first: back through the blocks that led to it, or through what is stored,
//! since each state was reached by way of others that are. Only when there is one, a shorter one is
//! looked for: the states are visited once more, breadth first and with their parents, until the
//! ones at fault have turned up.

use std::collections::HashMap;
use std::sync::Arc;

use ample_store::TreeStore;
use ample_transition::{
    Budget, Fault, Session, States, Store, StoreConfig, StoreFull, SuccessorBuffer, Successors, Trace,
};
use foldhash::fast::FixedState;

use crate::block::{Block, way_back};
use crate::explorer::Common;
use crate::find_again::find_again;
use crate::outcome::{Found, Untraced};
use crate::path::trace_along;
use crate::patience::Patience;
use crate::typical::typical_states;

/// Where a violation was seen.
#[derive(Clone)]
pub(crate) struct Place {
    pub state: Vec<u8>,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
    pub fault: Fault,
    /// The blocks before the one with the state, as far as they were kept.
    pub before: Vec<Arc<Block>>,
}

/// A place with a way to it.
pub(crate) struct Traced {
    place: Place,
    trace: Trace,
}

/// What is known of the ways to the places that a search has found.
#[derive(Default)]
pub(crate) struct Ways {
    /// The places with a way.
    pub traced: Vec<Traced>,
    /// Those without one.
    pub rest: Vec<Place>,
}

impl Ways {
    /// To these places, none yet.
    pub fn to(places: Vec<Place>) -> Ways {
        Ways { traced: Vec::new(), rest: places }
    }

    /// Looks for ways back through the blocks that led there.
    pub fn through_blocks(mut self, common: &Common<'_>, store: &dyn Store) -> Ways {
        let mut patience = Patience::long(common);
        let mut session = store.session();
        for place in std::mem::take(&mut self.rest) {
            let (system, session) = (common.system, &mut *session);
            match way_back(&place.state, &place.before, system, session, &mut || patience.lasts()) {
                Some(way) => {
                    let trace = trace_along(system, way, place.successor);
                    self.traced.push(Traced { place, trace });
                }
                None => self.rest.push(place),
            }
        }
        self
    }

    /// Looks for ways among the states that are stored.
    pub fn through_store(mut self, common: &Common<'_>, store: &dyn Store) -> Ways {
        let mut patience = Patience::long(common);
        let places = std::mem::take(&mut self.rest);
        let more = retrace(common.system, common.budget, places, Some(store), &mut || patience.lasts());
        self.traced.extend(more.traced);
        Ways { rest: more.rest, ..self }
    }

    /// Looks for ways once more, in a search of its own; and for shorter ones than are known.
    pub fn shown(self, common: &Common<'_>) -> (Vec<Found>, Vec<Untraced>) {
        let mut patience = Patience::long(common);
        let (more, untraced) = search_again(common, self.rest, &mut || patience.lasts());
        let untraced = untraced.into_iter().map(|fault| Untraced { fault, why: common.shortage() }).collect();
        let mut found = shortened(common, self.traced);
        found.extend(more);
        (found, untraced)
    }
}

/// Ways to the places, and the faults to which there is none. After a search that left transitions
/// out, such a search looks for the faults.
fn search_again(
    common: &Common<'_>,
    places: Vec<Place>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    match &common.reduction {
        None => {
            let Ways { traced, rest } = retrace(common.system, common.budget, places, None, still_working);
            (traced.into_iter().map(found).collect(), rest.into_iter().map(|place| place.fault).collect())
        }
        Some(reduction) => {
            let faults = places.into_iter().map(|place| place.fault).collect();
            find_again(common.system, reduction, common.budget, faults, still_working)
        }
    }
}

/// The ways that are known, or others that are not longer: those do not depend on which worker was
/// where.
fn shortened(common: &Common<'_>, known: Vec<Traced>) -> Vec<Found> {
    let mut patience = Patience::brief(common, 10_000);
    let places = known.iter().map(|known| known.place.clone()).collect();
    let (mut shorter, _) = search_again(common, places, &mut || patience.lasts());
    let shorter_than = |known: Traced| {
        let (fault, length) = (&known.place.fault, known.trace.transitions.len());
        let is_one = |other: &mut Found| {
            let is_same = other.fault.kind == fault.kind && other.fault.span == fault.span;
            is_same && other.trace.transitions.len() <= length
        };
        let better = shorter.extract_if(.., is_one).next();
        better.unwrap_or_else(|| found(known))
    };
    known.into_iter().map(shorter_than).collect()
}

fn found(traced: Traced) -> Found {
    Found::new(traced.place.fault, traced.trace)
}

/// The ways to the places, as short as can be among the states of `within` if that is given. Memory
/// or time may run out, or somebody may lose patience, before all are found.
///
/// `still_working` is called for each state; when it says no, the rest is not looked for.
fn retrace(
    system: &dyn Successors,
    budget: &Budget,
    places: Vec<Place>,
    within: Option<&dyn Store>,
    still_working: &mut dyn FnMut() -> bool,
) -> Ways {
    if places.is_empty() {
        return Ways::default();
    }
    let typical = typical_states(system);
    let config = StoreConfig { budget: budget.clone(), length: system.state_length(), typical };
    let Ok(store) = TreeStore::new(&config) else { return Ways::to(places) };
    let sessions = (store.session(), within.map(|within| within.session()));
    let mut walk = Walk::new(system, sessions, budget, &places);
    // If memory runs out, some places may have been reached all the same.
    let _ = walk.run(still_working);
    let mut ways = Ways::default();
    for place in places {
        match walk.path_to(&place.state) {
            Some(path) => {
                let trace = trace_along(system, path, place.successor);
                ways.traced.push(Traced { place, trace });
            }
            None => ways.rest.push(place),
        }
    }
    ways
}

/// A visit of all states in breadth-first order.
struct Walk<'w> {
    system: &'w dyn Successors,
    session: Box<dyn Session + Send + 'w>,
    /// Where the states are that are visited; all are if there is none.
    within: Option<Box<dyn Session + Send + 'w>>,
    keys: States,
    budget: &'w Budget,
    /// The states in the order in which they were reached, and the position of the one that each
    /// was reached from.
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
