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
use crate::control::Control;
use crate::find_again::find_again;
use crate::outcome::{Found, Untraced};
use crate::patience::Patience;
use crate::trace::trace_along;
use crate::typical::typical_states;

/// Where a violation was seen.
#[derive(Clone)]
pub(crate) struct FaultSite {
    pub state: Vec<u8>,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
    pub fault: Fault,
    /// The blocks before the one with the state, as far as they were kept.
    pub before: Vec<Arc<Block>>,
}

/// A site with a way to it.
pub(crate) struct Traced {
    site: FaultSite,
    trace: Trace,
}

/// What is known of the ways to the sites that a search has found.
#[derive(Default)]
pub(crate) struct Retrace {
    /// The sites with a way.
    pub traced: Vec<Traced>,
    /// Those without one.
    pub rest: Vec<FaultSite>,
}

impl Retrace {
    /// To these sites, none yet.
    pub fn to(sites: Vec<FaultSite>) -> Retrace {
        Retrace { traced: Vec::new(), rest: sites }
    }

    /// Looks for ways back through the blocks that led there.
    pub fn through_blocks(mut self, control: &Control<'_>, store: &dyn Store) -> Retrace {
        let mut patience = Patience::long(control);
        let mut session = store.session();
        for site in std::mem::take(&mut self.rest) {
            let (system, session) = (control.system, &mut *session);
            match way_back(&site.state, &site.before, system, session, &mut || patience.lasts()) {
                Some(way) => {
                    let trace = trace_along(system, way, site.successor);
                    self.traced.push(Traced { site, trace });
                }
                None => self.rest.push(site),
            }
        }
        self
    }

    /// Looks for ways among the states that are stored.
    pub fn through_store(mut self, control: &Control<'_>, store: &dyn Store) -> Retrace {
        let mut patience = Patience::long(control);
        let sites = std::mem::take(&mut self.rest);
        let more = retrace(control.system, control.budget, sites, Some(store), &mut || patience.lasts());
        self.traced.extend(more.traced);
        Retrace { rest: more.rest, ..self }
    }

    /// Looks for ways once more, in a search of its own; and for shorter ones than are known.
    pub fn shown(self, control: &Control<'_>) -> (Vec<Found>, Vec<Untraced>) {
        let mut patience = Patience::long(control);
        let (more, untraced) = search_again(control, self.rest, &mut || patience.lasts());
        let untraced = untraced.into_iter().map(|fault| Untraced { fault, why: control.shortage() }).collect();
        let mut found = shortened(control, self.traced);
        found.extend(more);
        (found, untraced)
    }
}

/// Traces to the sites, and the faults to which there is none. After a search that left transitions
/// out, such a search looks for the faults.
fn search_again(
    control: &Control<'_>,
    sites: Vec<FaultSite>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    match &control.reduction {
        None => {
            let Retrace { traced, rest } = retrace(control.system, control.budget, sites, None, still_working);
            (traced.into_iter().map(found).collect(), rest.into_iter().map(|site| site.fault).collect())
        }
        Some(reduction) => {
            let faults = sites.into_iter().map(|site| site.fault).collect();
            find_again(control.system, reduction, control.budget, faults, still_working)
        }
    }
}

/// The ways that are known, or others that are not longer: those do not depend on which worker was
/// where.
fn shortened(control: &Control<'_>, known: Vec<Traced>) -> Vec<Found> {
    let mut patience = Patience::brief(control, 10_000);
    let sites = known.iter().map(|known| known.site.clone()).collect();
    let (mut shorter, _) = search_again(control, sites, &mut || patience.lasts());
    let shorter_than = |known: Traced| {
        let (fault, length) = (&known.site.fault, known.trace.transitions.len());
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
    Found::new(traced.site.fault, traced.trace)
}

/// The ways to the sites, as short as can be among the states of `within` if that is given. Memory
/// or time may run out, or somebody may lose patience, before all are found.
///
/// `still_working` is called for each state; when it says no, the rest is not looked for.
fn retrace(
    system: &dyn Successors,
    budget: &Budget,
    sites: Vec<FaultSite>,
    within: Option<&dyn Store>,
    still_working: &mut dyn FnMut() -> bool,
) -> Retrace {
    if sites.is_empty() {
        return Retrace::default();
    }
    let typical = typical_states(system);
    let config = StoreConfig { budget: budget.clone(), length: system.state_length(), typical };
    let Ok(store) = TreeStore::new(&config) else { return Retrace::to(sites) };
    let sessions = (store.session(), within.map(|within| within.session()));
    let mut search = StateSearch::new(system, sessions, budget, &sites);
    // If memory runs out, some sites may have been reached all the same.
    let _ = search.run(still_working);
    let mut ways = Retrace::default();
    for site in sites {
        match search.path_to(&site.state) {
            Some(path) => {
                let trace = trace_along(system, path, site.successor);
                ways.traced.push(Traced { site, trace });
            }
            None => ways.rest.push(site),
        }
    }
    ways
}

/// A visit of all states in breadth-first order.
struct StateSearch<'w> {
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

impl<'w> StateSearch<'w> {
    fn new(
        system: &'w dyn Successors,
        (session, within): (Box<dyn Session + Send + 'w>, Option<Box<dyn Session + Send + 'w>>),
        budget: &'w Budget,
        sites: &[FaultSite],
    ) -> Self {
        let targets = sites.iter().map(|site| (site.state.clone(), None)).collect();
        let (keys, reached) = (States::default(), States::default());
        StateSearch { system, session, within, keys, budget, reached, parents: Vec::new(), targets, charged: 0 }
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

impl Drop for StateSearch<'_> {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}
