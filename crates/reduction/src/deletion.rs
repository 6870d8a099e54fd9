//! Stubborn sets by deletion (Valmari; Varpaaniemi: On the stubborn set method in reduced state space generation, 1998): from the set of
//! all transitions, which is stubborn, one after the other of those that can happen is taken out, with everything that cannot be in a
//! stubborn set without it, as long as something that can happen is left.
//!
//! What is taken out takes along
//!
//! - each transition that can happen and does not accord with it, and
//! - each transition that cannot happen, if every necessary enabling set of it has lost a member.
//!
//! So all reasons why a transition has to wait are weighed, where [`crate::StubbornSets`] decides for one, and no smaller set of what can
//! happen is left inside the one that is found. It takes longer: sets of one transition are looked for in the other way first.

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::StubbornSets;
use crate::tables::{NOWHERE, PlaceId, Row, Tables};

/// With more transitions, nothing is deleted.
const MOST_TRANSITIONS: usize = 1_000;

/// Chooses what is left when nothing more can be deleted.
pub struct Deletion<'n> {
    closure: StubbornSets<'n>,
    /// For each transition, those that it may take along.
    takes_along: IndexVec<TransitionId, BitSet<TransitionId>>,
}

impl<'n> Deletion<'n> {
    /// Prepares the choice.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let closure = StubbornSets::new(network, facts);
        let can_delete = facts.transitions().len() <= MOST_TRANSITIONS && !facts.is_guessed();
        let takes_along = if can_delete { takes_along(closure.tables()) } else { IndexVec::new() };
        Deletion { closure, takes_along }
    }
}

impl Expander for Deletion<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_found = self.closure.candidate(state, successors, 0, candidate);
        let size = if is_found { candidate.transitions.len() } else { successors.len() };
        if size < 2 || self.takes_along.is_empty() {
            return number == 0 && is_found || self.closure.candidate(state, successors, number, candidate);
        }
        let tables = self.closure.tables();
        let Candidate { transitions, memory } = candidate;
        if !tables.read_names(state, successors, &mut memory.names) {
            return false;
        }
        tables.read_places(state, &mut memory.places);
        let enabled = &memory.names;
        let kept = self.deleted(&mut Looking::new(tables, state, &memory.places, enabled));
        let is_smaller = kept.len() < size;
        if !is_smaller || number > 0 {
            let number = number - usize::from(is_smaller);
            return self.closure.candidate(state, successors, number, candidate);
        }
        transitions.clear();
        let numbered = enabled.iter().enumerate();
        transitions.extend(numbered.filter(|(_, name)| kept.contains(name)).map(|(number, _)| number));
        true
    }
}

impl Deletion<'_> {
    /// What can happen and is left.
    fn deleted(&self, looking: &mut Looking<'_, '_>) -> Vec<u32> {
        let mut out = BitSet::new();
        for name in looking.enabled {
            let id = TransitionId::from_index(*name as usize);
            if out.contains(id) {
                continue;
            }
            let mut trial = out.clone();
            self.take_out(id, &mut trial, looking);
            if looking.enabled.iter().any(|name| !trial.contains(TransitionId::from_index(*name as usize))) {
                out = trial;
            }
        }
        let is_left = |name: &u32| !out.contains(TransitionId::from_index(*name as usize));
        looking.enabled.iter().copied().filter(is_left).collect()
    }

    /// Takes a transition out, and what it takes along.
    fn take_out(&self, id: TransitionId, out: &mut BitSet<TransitionId>, looking: &mut Looking<'_, '_>) {
        out.insert(id);
        let mut open = vec![id];
        while let Some(gone) = open.pop() {
            for other in self.takes_along[gone].iter() {
                if !out.contains(other) && looking.must_go(other, out) {
                    out.insert(other);
                    open.push(other);
                }
            }
        }
    }
}

/// A state that is looked at.
struct Looking<'s, 'n> {
    tables: &'s Tables<'n>,
    state: &'s [u8],
    places: &'s [u32],
    /// The transitions that can happen.
    enabled: &'s [u32],
    /// What was found out about each transition.
    known: IndexVec<TransitionId, Known>,
}

/// What is known about a transition in this state.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    CanHappen,
    /// A participant never comes to where it must be.
    NeverHappens,
    /// Which parts of its guard are false: a bit for each of the first.
    Wrong(u64),
}

impl<'s, 'n> Looking<'s, 'n> {
    fn new(tables: &'s Tables<'n>, state: &'s [u8], places: &'s [u32], enabled: &'s [u32]) -> Self {
        let mut known = IndexVec::from_elem(Known::Nothing, tables.facts().transitions().len());
        enabled.iter().for_each(|name| known[TransitionId::from_index(*name as usize)] = Known::CanHappen);
        Looking { tables, state, places, enabled, known }
    }

    /// Whether a transition cannot be in a stubborn set without those that were taken out.
    fn must_go(&mut self, id: TransitionId, out: &BitSet<TransitionId>) -> bool {
        let row = self.tables.row(id);
        let wrong = match self.look_at(id, row) {
            Known::CanHappen => return row.conflicts.transitions.intersects(out),
            Known::NeverHappens | Known::Nothing => return false,
            Known::Wrong(parts) => parts,
        };
        let mut is_missing = false;
        for (process, location) in self.tables.missing(row, self.places) {
            is_missing = true;
            let entering = self.tables.facts().entering(process, location);
            if !entering.iter().any(|id| out.contains(*id)) || !self.loses_leaving(process.index(), out) {
                return false;
            }
        }
        if wrong == 0 && !is_missing {
            return row.otherwise.transitions.intersects(out);
        }
        let is_wrong = |part: &usize| wrong >> part & 1 == 1;
        (0..row.parts().min(64)).filter(is_wrong).all(|part| row.helpers_of(part).transitions.intersects(out))
    }

    fn look_at(&mut self, id: TransitionId, row: &Row) -> Known {
        if matches!(self.known[id], Known::Nothing) {
            self.known[id] = if self.tables.is_lost(row, self.places) {
                Known::NeverHappens
            } else {
                let parts = row.false_parts(self.tables.view.network, self.state).filter(|part| *part < 64);
                Known::Wrong(parts.fold(0, |bits, part| bits | 1 << part))
            };
        }
        self.known[id]
    }

    /// Whether one of the ways in which a process leaves its place was taken out.
    fn loses_leaving(&self, process: usize, out: &BitSet<TransitionId>) -> bool {
        let place = self.places[process];
        place == NOWHERE || {
            let place = self.tables.place(PlaceId::from_index(place as usize));
            place.leaving.iter().any(|id| out.contains(*id))
        }
    }
}

/// For each transition, those in whose necessary enabling sets it is, those it does not accord with, and those that wait for a process to
/// leave by it.
fn takes_along(tables: &Tables<'_>) -> IndexVec<TransitionId, BitSet<TransitionId>> {
    let facts = tables.facts();
    let ids = || facts.transitions().ids();
    let mut found = IndexVec::from_elem(BitSet::new(), facts.transitions().len());
    let mut note = |members: &BitSet<TransitionId>, by: TransitionId| {
        members.iter().for_each(|member| {
            found[member].insert(by);
        });
    };
    for id in ids() {
        let row = tables.row(id);
        note(&row.conflicts.transitions, id);
        note(&row.otherwise.transitions, id);
        (0..row.parts()).for_each(|part| note(&row.helpers_of(part).transitions, id));
        for (process, location) in &row.sources {
            note(&facts.entering(*process, *location).iter().copied().collect(), id);
            note(facts.of_instance(*process), id);
        }
    }
    found
}
