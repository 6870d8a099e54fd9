//! From a violation back to the initial state.
//!
//! Searches in blocks do not remember where a state was reached from. When there is a violation to
//! show, a path that must be there is looked for first: back through the blocks that led to it, or
//! among the states that are stored, since each was reached by way of others that are. Only then a
//! shorter one is looked for: the states are visited once more, breadth first and with their
//! parents, until the states at fault have turned up.

use std::collections::HashMap;
use std::sync::Arc;

use ample_transition::{Fault, Session, States, Store, Trace};
use foldhash::fast::FixedState;

use crate::block::{Block, path_back};
use crate::control::Control;
use crate::find_again::find_again;
use crate::outcome::{Found, Untraced};
use crate::patience::Patience;
use crate::search_tree::SearchTree;
use crate::trace::trace_along;

/// A state with a violation.
#[derive(Clone)]
pub(crate) struct FaultSite {
    pub state: Vec<u8>,
    /// The number of the transition at fault; `None` if it is the state itself.
    pub successor: Option<usize>,
    pub fault: Fault,
    /// The blocks before the one with the state, as far as they were kept.
    pub before: Vec<Arc<Block>>,
}

/// A violation with a trace to it.
pub(crate) struct Traced {
    site: FaultSite,
    trace: Trace,
}

/// The violations of a search, and the traces to them that are known.
#[derive(Default)]
pub(crate) struct Retrace {
    /// The violations with a trace.
    traced: Vec<Traced>,
    /// Those without one.
    rest: Vec<FaultSite>,
}

impl Retrace {
    /// For violations without a trace.
    pub fn of(sites: Vec<FaultSite>) -> Retrace {
        Retrace { traced: Vec::new(), rest: sites }
    }

    /// Looks for paths back through the blocks that led to the violations.
    pub fn through_blocks(mut self, control: &Control<'_>, store: &dyn Store) -> Retrace {
        let mut patience = Patience::long(control);
        let mut session = store.session();
        for site in std::mem::take(&mut self.rest) {
            let (system, session) = (control.system, &mut *session);
            match path_back(&site.state, &site.before, system, session, &mut || patience.lasts()) {
                Some(path) => {
                    let trace = trace_along(system, path, site.successor);
                    self.traced.push(Traced { site, trace });
                }
                None => self.rest.push(site),
            }
        }
        self
    }

    /// Looks for paths among the states that are stored.
    pub fn through_store(mut self, control: &Control<'_>, store: &dyn Store) -> Retrace {
        let mut patience = Patience::long(control);
        let sites = std::mem::take(&mut self.rest);
        let more = find_states(control, sites, Some(store), &mut || patience.lasts());
        self.traced.extend(more.traced);
        Retrace { rest: more.rest, ..self }
    }

    /// Looks for traces that are still missing in a second search, and for traces that are shorter
    /// than those that are known.
    pub fn finish(self, control: &Control<'_>) -> (Vec<Found>, Vec<Untraced>) {
        let mut patience = Patience::long(control);
        let (more, untraced) = search_again(control, self.rest, &mut || patience.lasts());
        let untraced = untraced.into_iter().map(|fault| Untraced { fault, why: control.shortage() }).collect();
        let mut found = shortened(control, self.traced);
        found.extend(more);
        (found, untraced)
    }
}

/// The second search: traces to the violations, and the faults to which there is none. After a
/// search with a reduction or a cover it looks for faults, else for states.
fn search_again(
    control: &Control<'_>,
    sites: Vec<FaultSite>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    match control.reduction.is_some() || control.subsumes {
        false => {
            let Retrace { traced, rest } = find_states(control, sites, None, still_working);
            (traced.into_iter().map(found).collect(), rest.into_iter().map(|site| site.fault).collect())
        }
        true => {
            let faults = sites.into_iter().map(|site| site.fault).collect();
            find_again(control, faults, still_working)
        }
    }
}

/// For each violation the trace that is known, or one that is not longer and does not depend on
/// which worker was where.
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

/// Traces to the states of the violations, shortest among the states of `within` if that is given.
/// Memory or time may run out before all are found, and the rest is not looked for when
/// `still_working`, which is asked for each state, says no.
fn find_states(
    control: &Control<'_>,
    sites: Vec<FaultSite>,
    within: Option<&dyn Store>,
    still_working: &mut dyn FnMut() -> bool,
) -> Retrace {
    if sites.is_empty() {
        return Retrace::default();
    }
    let Some(store) = (control.make_exact_store)() else { return Retrace::of(sites) };
    let mut tree = SearchTree::new(&*store, control.budget);
    let mut targets = Targets::of(&sites);
    let mut within = within.map(Within::new);
    if let Ok(initial) = control.system.initial() {
        targets.meet(&initial, None);
    }
    // If memory runs out, some states may have been reached all the same.
    let _ = tree.grow(control, |tree, visit| {
        let states = || visit.successors.iter().filter_map(|successor| successor.state);
        states().for_each(|state| targets.meet(state, Some(visit.position)));
        match &mut within {
            None => tree.add(states(), visit.position)?,
            Some(within) => tree.add(states().filter(|state| within.contains(state)), visit.position)?,
        };
        Ok(!targets.are_reached() && still_working())
    });
    let mut retrace = Retrace::default();
    for site in sites {
        match targets.path_to(&site.state, &mut tree) {
            Some(path) => {
                let trace = trace_along(control.system, path, site.successor);
                retrace.traced.push(Traced { site, trace });
            }
            None => retrace.rest.push(site),
        }
    }
    retrace
}

/// The states that are looked for.
struct Targets {
    /// For each how it was reached, if it was.
    reached: HashMap<Vec<u8>, Option<Reached>, FixedState>,
}

/// How a state was reached: from the state at this position of a tree; the initial state from none.
#[derive(Copy, Clone)]
struct Reached {
    from: Option<usize>,
}

impl Targets {
    fn of(sites: &[FaultSite]) -> Self {
        Targets { reached: sites.iter().map(|site| (site.state.clone(), None)).collect() }
    }

    /// A state was reached. The first time counts.
    fn meet(&mut self, state: &[u8], from: Option<usize>) {
        if let Some(target @ None) = self.reached.get_mut(state) {
            *target = Some(Reached { from });
        }
    }

    fn are_reached(&self) -> bool {
        self.reached.values().all(Option::is_some)
    }

    /// The states from the initial one to a target, if it was reached.
    fn path_to(&self, target: &[u8], tree: &mut SearchTree<'_>) -> Option<Vec<Vec<u8>>> {
        let reached = (*self.reached.get(target)?)?;
        let mut path = reached.from.map_or(Vec::new(), |position| tree.path_to(position));
        path.push(target.to_vec());
        Some(path)
    }
}

/// The states of a store that was filled.
struct Within<'s> {
    session: Box<dyn Session + Send + 's>,
    key: States,
}

impl<'s> Within<'s> {
    fn new(store: &'s dyn Store) -> Self {
        Within { session: store.session(), key: States::default() }
    }

    fn contains(&mut self, state: &[u8]) -> bool {
        self.key.clear();
        self.session.key(state, &mut self.key).is_ok() && self.key.key(0).is_some_and(|key| self.session.contains(key))
    }
}
