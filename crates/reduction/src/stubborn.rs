//! Strong stubborn sets (Valmari: Stubborn sets for reduced state space generation), found as
//! closed parts of a graph.
//!
//! A set of transitions is stubborn in a state if one of it can happen and, for each of its
//! transitions t:
//!
//! - if t can happen, everything that does not accord with t is in the set;
//! - if t cannot happen, everything is in the set of which something must happen before t can (a
//!   necessary enabling set): if a participant is not where it must be, the transitions by which it
//!   leaves its place; else those that may change what the guard asks.
//!
//! Of what processes do later only the beginning counts: if something that a process may do after
//! it has left its place belongs in the set, it is enough that all transitions by which it leaves
//! are in it, for then it does not come to the other before one of these. So only the transitions
//! at the places where processes are now have to be looked at.
//!
//! "If this is in the set, then that" is a graph. The smallest stubborn sets are its strongly
//! connected components in which something can happen and from which no other such component is
//! reached; all of them are found in one pass (Tarjan). Those with the fewest transitions that can
//! happen are offered first.
//!
//! All of the set that can happen are *key* transitions here (nothing outside the set disables
//! them), so these are strong stubborn sets; weak ones do not preserve stutter traces (Neele,
//! Valmari, Willemse: The inconsistent labelling problem of stutter-preserving partial-order
//! reduction).

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, TypedId};
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::StaticAmple;
use crate::remembered::{Room, Sight, remembered};
use crate::tables::{Concerned, NOWHERE, PlaceId, Tables, existing};

/// Strong stubborn sets.
pub static STUBBORN: Part = Part {
    name: "stubborn",
    kind: PartKind::Expander,
    summary: "the smallest sets of transitions that nothing outside can disturb, in each state",
    paper: Some("Valmari: Stubborn sets for reduced state space generation (1989)"),
    guarantee: Guarantee::STUTTERING,
};

/// Chooses processes that may always move first, then the smallest stubborn sets.
pub struct StubbornSets<'n> {
    first: StaticAmple<'n>,
    tables: Tables<'n>,
}

impl<'n> StubbornSets<'n> {
    /// Prepares the choice.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        StubbornSets { first: StaticAmple::new(network, facts), tables: Tables::new(network, facts) }
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
        if self.first.candidate(state, successors, number, candidate) {
            return true;
        }
        let before =
            (0..number).take_while(|number| self.first.candidate(state, successors, *number, candidate)).count();
        let number = number - before;
        remembered(&self.tables, number as u32, state, successors, candidate, |sight, room, transitions| {
            let mut search = Search::new(sight, room, number);
            search.run();
            search.choose(number, transitions)
        })
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// What is noted of a node of the graph, in one word: in which search, when it was met, and what
/// became of it.
#[derive(Copy, Clone)]
struct Note {
    epoch: u32,
    index: u32,
}

impl Note {
    /// Its component is complete, and nothing can happen in it or after it.
    const DEAD: u32 = u32::MAX;
    /// Its component is complete, and something can.
    const ALIVE: u32 = u32::MAX - 1;

    fn of(word: u64) -> Note {
        Note { epoch: (word >> 32) as u32, index: word as u32 }
    }

    fn word(self) -> u64 {
        u64::from(self.epoch) << 32 | u64::from(self.index)
    }
}

/// A search for components. Nodes are processes, which stand for all transitions by which they
/// leave their place, and transitions.
struct Search<'s, 'n> {
    sight: Sight<'s, 'n>,
    tables: &'s Tables<'n>,
    places: &'s [u32],
    /// Whether some process does not exist.
    is_anyone_missing: bool,
    /// The transitions that can happen.
    enabled: &'s [u32],
    /// For each node, and one before all: the number of this search.
    notes: &'s mut [u64],
    epoch: u32,
    next: u32,
    stack: &'s mut Vec<u32>,
    /// The transitions that can happen of each set that was found, one after the other, and where
    /// each set ends.
    found: &'s mut Vec<u32>,
    ends: &'s mut Vec<u32>,
    /// How many sets are passed over. If none is, one with a single transition is enough.
    wanted: usize,
    is_done: bool,
}

/// What a node has seen below it.
#[derive(Copy, Clone)]
struct Below {
    /// The earliest node that can be reached and whose component is not complete.
    low: u32,
    /// Whether something can happen in a complete component below.
    is_alive: bool,
}

impl<'s, 'n> Search<'s, 'n> {
    fn new(sight: Sight<'s, 'n>, room: Room<'s>, wanted: usize) -> Self {
        let Room { words, lists } = room;
        let (tables, places, enabled) = (sight.tables, sight.places, sight.enabled);
        let is_anyone_missing = places.contains(&NOWHERE);
        let nodes = tables.instances() + tables.facts().transitions().len();
        if words.len() != nodes + 1 || words[0] >= u64::from(u32::MAX) {
            words.clear();
            words.resize(nodes + 1, 0);
        }
        words[0] += 1;
        let epoch = words[0] as u32;
        lists.iter_mut().for_each(Vec::clear);
        let [stack, found, ends] = lists;
        let notes = &mut words[1..];
        Search {
            sight,
            tables,
            places,
            is_anyone_missing,
            enabled,
            notes,
            epoch,
            next: 0,
            stack,
            found,
            ends,
            wanted,
            is_done: false,
        }
    }

    /// Looks from every transition that can happen.
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

    /// Writes the numbers of the successors in the set with this number, the smallest first.
    /// Whether there is such a set.
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
        let note = Note::of(self.notes[node]);
        (note.epoch == self.epoch).then_some(note.index)
    }

    fn note(&mut self, node: usize, index: u32) {
        self.notes[node] = Note { epoch: self.epoch, index }.word();
    }

    /// Visits a node for the first time, and everything that it demands.
    fn visit(&mut self, node: usize) -> Below {
        let index = self.next;
        self.next += 1;
        self.note(node, index);
        self.stack.push(node as u32);
        let mut below = Below { low: index, is_alive: false };
        match node.checked_sub(self.tables.instances()) {
            None => self.visit_process(node, &mut below),
            Some(transition) => self.visit_transition(TransitionId::from_index(transition), &mut below),
        }
        if below.low == index && !self.is_done {
            below.is_alive = self.complete(node, below.is_alive);
        }
        below
    }

    /// Follows an edge.
    fn demand(&mut self, node: usize, below: &mut Below) {
        match self.index(node) {
            _ if self.is_done => {}
            Some(Note::DEAD) => {}
            Some(Note::ALIVE) => below.is_alive = true,
            Some(index) => below.low = below.low.min(index),
            None => {
                let seen = self.visit(node);
                below.low = below.low.min(seen.low);
                below.is_alive |= seen.is_alive;
            }
        }
    }

    fn demand_transition(&mut self, id: TransitionId, below: &mut Below) {
        self.demand(self.tables.instances() + id.index(), below);
    }

    /// A process stands for the transitions by which it leaves its place.
    fn visit_process(&mut self, process: usize, below: &mut Below) {
        let tables = self.tables;
        for id in &tables.place(PlaceId::from_index(self.places[process] as usize)).leaving {
            self.demand_transition(*id, below);
        }
    }

    fn visit_transition(&mut self, id: TransitionId, below: &mut Below) {
        let row = self.tables.row(id);
        if self.sight.is_enabled(id) {
            return self.demand_all(&row.conflicts, below);
        }
        match self.tables.must_come(row, self.places) {
            Some(Some(process)) => self.demand_coming(process, below),
            Some(None) => {}
            None => {
                let helpers = self.sight.helpers(id, row);
                self.demand_all(helpers, below);
            }
        }
    }

    /// A process must leave its place first; if it does not exist, somebody must create it.
    fn demand_coming(&mut self, process: InstanceId, below: &mut Below) {
        let places = self.places;
        if existing(places).any(|(other, _)| other == process.index()) {
            return self.demand(process.index(), below);
        }
        self.demand_creators(&BitSet::from_iter([process]), below);
    }

    /// Whoever may create one of these processes must do so here, or leave its place first.
    fn demand_creators(&mut self, unborn: &BitSet<InstanceId>, below: &mut Below) {
        let (tables, places) = (self.tables, self.places);
        tables.creators(unborn, places, |creator| {
            self.demand(creator, below);
            for id in &tables.place(PlaceId::from_index(places[creator] as usize)).here {
                if !tables.facts().transitions()[*id].creates().is_empty() {
                    self.demand_transition(*id, below);
                }
            }
        });
    }

    /// Demands these transitions: those that begin where processes are now; for the others, that a
    /// process leaves its place.
    fn demand_all(&mut self, concerned: &'s Concerned, below: &mut Below) {
        let (tables, places) = (self.tables, self.places);
        for (process, place) in existing(places) {
            if !concerned.from.contains(place) {
                continue;
            }
            if concerned.far.contains(place) {
                self.demand(process, below);
            }
            for id in &tables.place(place).here {
                if concerned.transitions.contains(*id) {
                    self.demand_transition(*id, below);
                }
            }
        }
        if self.is_anyone_missing {
            self.demand_creators(&concerned.unborn, below);
        }
    }

    /// The component of a node is complete. Whether something can happen in it or after it.
    fn complete(&mut self, root: usize, is_alive_below: bool) -> bool {
        let before = self.found.len();
        let start = self.stack.iter().rposition(|node| *node == root as u32).unwrap_or(0);
        for &node in &self.stack[start..] {
            let name = node.checked_sub(self.tables.instances() as u32);
            self.found.extend(name.filter(|name| self.enabled.contains(name)));
        }
        let is_alive = is_alive_below || self.found.len() > before;
        let index = if is_alive { Note::ALIVE } else { Note::DEAD };
        while self.stack.len() > start {
            if let Some(node) = self.stack.pop() {
                self.note(node as usize, index);
            }
        }
        if is_alive_below || self.found.len() == before {
            self.found.truncate(before);
        } else {
            self.ends.push(self.found.len() as u32);
            self.is_done = self.wanted == 0 && self.found.len() == before + 1;
        }
        is_alive
    }
}
