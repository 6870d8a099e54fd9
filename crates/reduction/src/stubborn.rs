//! Strong stubborn sets (Valmari: Stubborn sets for reduced state space generation), found as
//! strongly connected components of a graph.
//!
//! A set of transitions is stubborn in a state if one of its transitions is enabled and, for each
//! of its transitions t:
//!
//! - if t is enabled, all transitions that do not accord with t are in the set;
//! - if t is disabled, a necessary enabling set of t is in the set, that is, transitions of which
//!   one must occur before t is enabled: if a participant of t is not where it must be, the
//!   transitions by which it leaves its place; else those that may make a false part of the guard
//!   true.
//!
//! Transitions that a process can take only after it has left its place are represented by those by
//! which it leaves: if all of these are in the set, none of the later ones occurs before one of
//! them. So only transitions at the current places of processes are visited.
//!
//! "If this transition is in the set, then so is that" is a graph. The smallest stubborn sets are
//! its strongly connected components that have an enabled transition and from which no other such
//! component is reached; all of them are found in one pass (Tarjan). Those with the fewest enabled
//! transitions are offered first.
//!
//! All enabled transitions of the set are *key* transitions here (no transition outside the set
//! disables them), so these are strong stubborn sets; weak ones do not preserve stutter traces
//! (Neele, Valmari, Willemse: The inconsistent labelling problem of stutter-preserving
//! partial-order reduction).

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, TypedId};
use ample_transition::{Candidate, Expander, ProcessViews, SuccessorBuffer, View};

use crate::StaticAmple;
use crate::seen::{OfSeen, Seen};
use crate::state_view::{OfState, Scratch, Source, StateView, memoized};
use crate::static_ample::{SeenMoves, choose_safe};
use crate::tables::{Interference, NOWHERE, PlaceId, Tables, Waits, existing};
use crate::views::Numbered;

/// Strong stubborn sets.
pub static STUBBORN: Part = Part {
    name: "stubborn",
    kind: PartKind::Expander,
    summary: "the smallest sets of transitions that nothing outside can disturb, in each state",
    paper: Some("Valmari: Stubborn sets for reduced state space generation (1989)"),
    guarantee: Guarantee::STUTTERING,
};

/// Offers the candidates of [`StaticAmple`], which are stubborn sets that cost nothing to find,
/// then the smallest stubborn sets, those with the fewest enabled transitions first.
pub struct StubbornSets<'n> {
    safe: StaticAmple<'n>,
    tables: Tables<'n>,
    /// What was seen of processes.
    seen: Numbered<(SeenMoves, Seen)>,
}

impl<'n> StubbornSets<'n> {
    /// Prepares the tables for a network.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        StubbornSets {
            safe: StaticAmple::new(network, facts),
            tables: Tables::new(network, facts),
            seen: Numbered::new(),
        }
    }

    pub(crate) fn tables(&self) -> &Tables<'n> {
        &self.tables
    }
}

impl Expander for StubbornSets<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if successors.len() < 2 {
            return false;
        }
        if self.safe.candidate(state, successors, number, candidate) {
            return true;
        }
        let before =
            (0..number).take_while(|number| self.safe.candidate(state, successors, *number, candidate)).count();
        let source = OfState { tables: &self.tables, state, successors };
        self.smallest(&source, number - before, candidate)
    }

    fn has_failed(&self) -> bool {
        false
    }

    fn process_views(&self) -> Option<&dyn ProcessViews> {
        Some(self)
    }
}

impl ProcessViews for StubbornSets<'_> {
    fn view(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<u16> {
        let safe = self.safe.see(process, state, moves)?;
        let seen = Seen::of(&self.tables, process, state, moves)?;
        self.seen.number((safe, seen))
    }

    fn choose(&self, views: &[View], number: usize, candidate: &mut Candidate) -> bool {
        if views.iter().map(|view| usize::from(view.moves)).sum::<usize>() < 2 {
            return false;
        }
        let safe = |number| self.seen.get(number).map(|(safe, _)| safe);
        if choose_safe(views, safe, number, candidate) {
            return true;
        }
        let before = (0..number).take_while(|number| choose_safe(views, safe, *number, candidate)).count();
        let source = OfSeen { tables: &self.tables, views, seen: |number| self.seen.get(number).map(|(_, seen)| seen) };
        self.smallest(&source, number - before, candidate)
    }
}

impl StubbornSets<'_> {
    /// Writes the stubborn set with this number, the smallest first.
    fn smallest(&self, source: &dyn Source, number: usize, candidate: &mut Candidate) -> bool {
        memoized(&self.tables, number as u32, source, candidate, |view, scratch, transitions| {
            let mut search = Search::new(view, scratch, number);
            search.run();
            search.choose(number, transitions)
        })
    }
}

/// What a search knows of a node of the graph, in one word: the search that it belongs to, so that
/// what an earlier one left there does not count; and the index of Tarjan's algorithm, or one of
/// two values for a component that is complete.
#[derive(Copy, Clone)]
struct Mark {
    epoch: u32,
    index: u32,
}

impl Mark {
    /// Its component is complete, and no transition is enabled in it or in those it reaches.
    const DISABLED: u32 = u32::MAX;
    /// Its component is complete, and some transition is.
    const ENABLED: u32 = u32::MAX - 1;

    fn of(word: u64) -> Mark {
        Mark { epoch: (word >> 32) as u32, index: word as u32 }
    }

    fn word(self) -> u64 {
        u64::from(self.epoch) << 32 | u64::from(self.index)
    }
}

/// A search for components (Tarjan). The nodes are the processes, each of which stands for the set
/// of transitions by which it leaves its place, and after them the transitions.
struct Search<'s, 'n> {
    view: StateView<'s, 'n>,
    tables: &'s Tables<'n>,
    places: &'s [u32],
    /// Whether some process does not exist.
    is_anyone_missing: bool,
    /// The enabled transitions.
    enabled: &'s [u32],
    /// What is known of each node.
    marks: &'s mut [u64],
    /// The number of this search.
    epoch: u32,
    /// The next index.
    next: u32,
    stack: &'s mut Vec<u32>,
    /// The enabled transitions of each stubborn set that was found, one set after the other, and
    /// where each set ends.
    found: &'s mut Vec<u32>,
    ends: &'s mut Vec<u32>,
    /// The number of the set that is asked for. If it is the first, the search is over as soon as a
    /// set with a single enabled transition is found: none is smaller.
    wanted: usize,
    is_done: bool,
}

/// What the search has found below a node.
#[derive(Copy, Clone)]
struct Below {
    /// The least index of a node that is reached and whose component is not complete.
    low: u32,
    /// Whether a complete component is reached in which some transition is enabled, or which
    /// reaches one.
    has_enabled: bool,
}

impl<'s, 'n> Search<'s, 'n> {
    fn new(view: StateView<'s, 'n>, scratch: Scratch<'s>, wanted: usize) -> Self {
        let Scratch { words, lists } = scratch;
        let (tables, places, enabled) = (view.tables, view.places, view.enabled);
        let is_anyone_missing = places.contains(&NOWHERE);
        let nodes = tables.instances() + tables.facts().transitions().len();
        // The first word is the number of the last search, the others are the marks.
        if words.len() != nodes + 1 || words[0] >= u64::from(u32::MAX) {
            words.clear();
            words.resize(nodes + 1, 0);
        }
        words[0] += 1;
        let epoch = words[0] as u32;
        lists.iter_mut().for_each(Vec::clear);
        let [stack, found, ends] = lists;
        let marks = &mut words[1..];
        Search {
            view,
            tables,
            places,
            is_anyone_missing,
            enabled,
            marks,
            epoch,
            next: 0,
            stack,
            found,
            ends,
            wanted,
            is_done: false,
        }
    }

    /// Searches from every enabled transition.
    fn run(&mut self) {
        let enabled = self.enabled;
        for name in enabled {
            if self.is_done {
                return;
            }
            let node = self.tables.instances() + *name as usize;
            if self.index(node).is_none() {
                self.visit(node);
            }
        }
    }

    /// Writes the numbers of the successors of the set with this number, where the smallest set is
    /// the first. Whether there is such a set, and it is a proper subset.
    fn choose(&self, number: usize, transitions: &mut Vec<usize>) -> bool {
        let begin = |set: usize| if set == 0 { 0 } else { self.ends[set - 1] };
        let rank = |set: usize| (self.ends[set] - begin(set), set);
        let is_wanted = |set: &usize| (0..self.ends.len()).filter(|other| rank(*other) < rank(*set)).count() == number;
        let Some(set) = (0..self.ends.len()).find(is_wanted) else { return false };
        let chosen = &self.found[begin(set) as usize..self.ends[set] as usize];
        transitions.clear();
        let numbered = self.enabled.iter().enumerate();
        transitions.extend(numbered.filter(|(_, name)| chosen.contains(name)).map(|(number, _)| number));
        transitions.len() < self.enabled.len()
    }

    fn index(&self, node: usize) -> Option<u32> {
        let mark = Mark::of(self.marks[node]);
        (mark.epoch == self.epoch).then_some(mark.index)
    }

    fn mark(&mut self, node: usize, index: u32) {
        self.marks[node] = Mark { epoch: self.epoch, index }.word();
    }

    /// Visits a node for the first time, and all nodes that it demands.
    fn visit(&mut self, node: usize) -> Below {
        let index = self.next;
        self.next += 1;
        self.mark(node, index);
        self.stack.push(node as u32);
        let mut below = Below { low: index, has_enabled: false };
        match node.checked_sub(self.tables.instances()) {
            None => self.visit_process(node, &mut below),
            Some(transition) => self.visit_transition(TransitionId::from_index(transition), &mut below),
        }
        if below.low == index && !self.is_done {
            below.has_enabled = self.complete(node, below.has_enabled);
        }
        below
    }

    /// Follows an edge: if the last visited node is in a stubborn set, then so is this one.
    fn demand(&mut self, node: usize, below: &mut Below) {
        match self.index(node) {
            _ if self.is_done => {}
            Some(Mark::DISABLED) => {}
            Some(Mark::ENABLED) => below.has_enabled = true,
            Some(index) => below.low = below.low.min(index),
            None => {
                let seen = self.visit(node);
                below.low = below.low.min(seen.low);
                below.has_enabled |= seen.has_enabled;
            }
        }
    }

    fn demand_transition(&mut self, id: TransitionId, below: &mut Below) {
        self.demand(self.tables.instances() + id.index(), below);
    }

    /// The node of a process demands all transitions by which the process leaves its place.
    fn visit_process(&mut self, process: usize, below: &mut Below) {
        let tables = self.tables;
        for id in &tables.place(PlaceId::from_index(self.places[process] as usize)).leaving {
            self.demand_transition(*id, below);
        }
    }

    /// An enabled transition demands all that do not accord with it, a disabled one a necessary
    /// enabling set.
    fn visit_transition(&mut self, id: TransitionId, below: &mut Below) {
        let row = self.tables.row(id);
        if self.view.is_enabled(id) {
            return self.demand_all(&row.conflicts, below);
        }
        match self.tables.waits(row, self.places) {
            Waits::Forever => {}
            Waits::ForProcess(process) => self.demand_leaving(process, below),
            Waits::ForGuard => {
                let necessary = self.view.necessary(id, row);
                self.demand_all(necessary, below);
            }
        }
    }

    /// Demands the transitions by which a process leaves its place; if it does not exist, those by
    /// which others create it.
    fn demand_leaving(&mut self, process: InstanceId, below: &mut Below) {
        let places = self.places;
        if existing(places).any(|(other, _)| other == process.index()) {
            return self.demand(process.index(), below);
        }
        self.demand_creators(&BitSet::from_iter([process]), below);
    }

    /// Demands, of every process that may create one of these, the transitions that create
    /// processes at its place and those by which it leaves.
    fn demand_creators(&mut self, uncreated: &BitSet<InstanceId>, below: &mut Below) {
        let (tables, places) = (self.tables, self.places);
        tables.creators(uncreated, places, |creator| {
            self.demand(creator, below);
            for id in &tables.place(PlaceId::from_index(places[creator] as usize)).here {
                if !tables.facts().transitions()[*id].creates().is_empty() {
                    self.demand_transition(*id, below);
                }
            }
        });
    }

    /// Demands these transitions: those that begin where processes are now; and for those that a
    /// process may take later, the transitions by which it leaves its place.
    fn demand_all(&mut self, interference: &'s Interference, below: &mut Below) {
        let (tables, places) = (self.tables, self.places);
        for (process, place) in existing(places) {
            if !interference.places_now.contains(place) {
                continue;
            }
            if interference.places_later.contains(place) {
                self.demand(process, below);
            }
            for id in &tables.place(place).here {
                if interference.transitions.contains(*id) {
                    self.demand_transition(*id, below);
                }
            }
        }
        if self.is_anyone_missing {
            self.demand_creators(&interference.uncreated, below);
        }
    }

    /// Takes the complete component of a node off the stack. It is a smallest stubborn set if it
    /// has enabled transitions and reaches no component that has. Whether it has, or reaches, one.
    fn complete(&mut self, root: usize, is_enabled_below: bool) -> bool {
        let before = self.found.len();
        let start = self.stack.iter().rposition(|node| *node == root as u32);
        debug_assert!(start.is_some(), "the root of a component is on the stack until the component is complete");
        let start = start.unwrap_or(0);
        for &node in &self.stack[start..] {
            let name = node.checked_sub(self.tables.instances() as u32);
            self.found.extend(name.filter(|name| self.enabled.contains(name)));
        }
        let has_enabled = is_enabled_below || self.found.len() > before;
        let index = if has_enabled { Mark::ENABLED } else { Mark::DISABLED };
        while self.stack.len() > start {
            if let Some(node) = self.stack.pop() {
                self.mark(node as usize, index);
            }
        }
        if is_enabled_below || self.found.len() == before {
            self.found.truncate(before);
        } else {
            self.ends.push(self.found.len() as u32);
            self.is_done = self.wanted == 0 && self.found.len() == before + 1;
        }
        has_enabled
    }
}
