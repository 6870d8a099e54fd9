//! Stubborn sets by deletion (Valmari; Varpaaniemi: On the stubborn set method in reduced state
//! space generation, 1998): from the set of all transitions, which is stubborn, one after the other
//! of those that can happen is taken out, with everything that cannot be in a stubborn set without
//! it, as long as something that can happen is left.
//!
//! What is taken out takes along
//!
//! - each transition that can happen and does not accord with it, and
//! - each transition that cannot happen, if every necessary enabling set of it has lost a member.
//!
//! So all reasons why a transition has to wait are weighed, where [`crate::StubbornSets`] decides
//! for one, and no smaller set of what can happen is left inside the one that is found. It takes
//! longer: sets of one transition are looked for in the other way first.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::StubbornSets;
use crate::remembered::{Sight, remembered};
use crate::tables::{NOWHERE, PlaceId, Row, Tables};

/// Strong stubborn sets from which nothing more can be taken out.
pub static DELETION: Part = Part {
    name: "deletion",
    kind: PartKind::Expander,
    summary: "stubborn sets from which no transition can be taken out: often smaller, and slower to find",
    paper: Some("Varpaaniemi: On the stubborn set method in reduced state space generation (1998)"),
    guarantee: Guarantee::STUTTERING,
};

/// With more transitions, nothing is deleted.
const MOST_TRANSITIONS: usize = 1_000;

/// What is remembered under this number is what was deleted; other numbers are those of candidates.
const DELETING: u32 = u32::MAX;

/// Chooses what is left when nothing more can be deleted.
pub struct Deletion<'n> {
    closure: StubbornSets<'n>,
    /// For each transition, those that it may take along, apart from those that wait for a process
    /// to leave by it.
    takes_along: IndexVec<TransitionId, BitSet<TransitionId>>,
    /// For each transition and each of its participants, by what that one may come to where it must
    /// be.
    entering: IndexVec<TransitionId, Vec<BitSet<TransitionId>>>,
    /// For each transition, the processes that may leave a place by it.
    moved: IndexVec<TransitionId, Vec<InstanceId>>,
}

impl<'n> Deletion<'n> {
    /// Prepares the choice.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let closure = StubbornSets::new(network, facts);
        let can_delete = facts.transitions().len() <= MOST_TRANSITIONS && !facts.is_guessed();
        let takes_along = if can_delete { takes_along(closure.tables()) } else { IndexVec::new() };
        let entering = if can_delete { entering(closure.tables()) } else { IndexVec::new() };
        let moved = if can_delete { moved(closure.tables()) } else { IndexVec::new() };
        Deletion { closure, takes_along, entering, moved }
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
        remembered(tables, DELETING, state, successors, candidate, |sight, _, transitions| {
            let enabled = sight.enabled;
            let kept = self.deleted(&mut Looking::new(self, sight));
            let numbered = enabled.iter().enumerate();
            transitions.extend(numbered.filter(|(_, name)| kept.contains(name)).map(|(number, _)| number));
            true
        });
        let is_smaller = !candidate.transitions.is_empty() && candidate.transitions.len() < size;
        if is_smaller && number == 0 {
            return true;
        }
        self.closure.candidate(state, successors, number - usize::from(is_smaller), candidate)
    }

    fn has_failed(&self) -> bool {
        false
    }
}

impl Deletion<'_> {
    /// What can happen and is left.
    fn deleted(&self, looking: &mut Looking<'_, '_>) -> Vec<u32> {
        let mut out = BitSet::new();
        for id in looking.possible.clone() {
            if out.contains(id) {
                continue;
            }
            let mut trial = out.clone();
            if self.take_out(id, &mut trial, looking) {
                out = trial;
            }
        }
        let is_left = |name: &u32| !out.contains(TransitionId::from_index(*name as usize));
        looking.sight.enabled.iter().copied().filter(is_left).collect()
    }

    /// Takes a transition out, and what it takes along. Whether something that can happen is left.
    fn take_out(&self, id: TransitionId, out: &mut BitSet<TransitionId>, looking: &mut Looking<'_, '_>) -> bool {
        out.insert(id);
        let mut left = looking.possible.iter().filter(|id| !out.contains(**id)).count();
        let mut open = vec![id];
        while let Some(gone) = open.pop() {
            let leaving: Vec<InstanceId> = looking.leaving_by(gone).collect();
            let mut take = |others: &BitSet<TransitionId>| {
                for other in others.iter() {
                    if left > 0 && !out.contains(other) && looking.must_go(other, out) {
                        out.insert(other);
                        open.push(other);
                        left -= usize::from(matches!(looking.known[other], Known::CanHappen));
                    }
                }
            };
            take(&self.takes_along[gone]);
            for process in leaving {
                take(self.closure.tables().facts().of_instance(process));
            }
            if left == 0 {
                return false;
            }
        }
        true
    }
}

/// A state that is looked at.
struct Looking<'s, 'n> {
    sight: Sight<'s, 'n>,
    tables: &'s Tables<'n>,
    deletion: &'s Deletion<'n>,
    places: &'s [u32],
    /// The transitions that can happen, each once: one may happen in several ways.
    possible: Vec<TransitionId>,
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
    fn new(deletion: &'s Deletion<'n>, sight: Sight<'s, 'n>) -> Self {
        let (tables, places, enabled) = (sight.tables, sight.places, sight.enabled);
        let mut known = IndexVec::from_elem(Known::Nothing, tables.facts().transitions().len());
        let mut possible: Vec<TransitionId> =
            enabled.iter().map(|name| TransitionId::from_index(*name as usize)).collect();
        possible.sort_unstable();
        possible.dedup();
        possible.iter().for_each(|id| known[*id] = Known::CanHappen);
        Looking { sight, tables, deletion, places, possible, known }
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
        for ((process, location), entering) in row.sources.iter().zip(&self.deletion.entering[id]) {
            if self.is_at(process.index(), *location) {
                continue;
            }
            is_missing = true;
            if !entering.intersects(out) || !self.loses_leaving(process.index(), out) {
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
                let parts = (0..row.parts().min(64)).filter(|part| self.sight.is_false(id, *part));
                Known::Wrong(parts.fold(0, |bits, part| bits | 1 << part))
            };
        }
        self.known[id]
    }

    fn is_at(&self, process: usize, location: LocationId) -> bool {
        let place = self.places[process];
        place != NOWHERE && self.tables.location(PlaceId::from_index(place as usize)) == location
    }

    /// The processes that may leave their places by a transition: those that take part, and those
    /// that it takes along.
    fn leaving_by(&self, id: TransitionId) -> impl Iterator<Item = InstanceId> {
        let leaves = move |process: &InstanceId| self.leaving(process.index()).is_some_and(|all| all.contains(&id));
        self.deletion.moved[id].iter().copied().filter(leaves)
    }

    /// The ways in which a process leaves its place, if it exists.
    fn leaving(&self, process: usize) -> Option<&'s [TransitionId]> {
        let place = Some(self.places[process]).filter(|place| *place != NOWHERE)?;
        Some(&self.tables.place(PlaceId::from_index(place as usize)).leaving)
    }

    /// Whether one of the ways in which a process leaves its place was taken out.
    fn loses_leaving(&self, process: usize, out: &BitSet<TransitionId>) -> bool {
        self.leaving(process).is_none_or(|leaving| leaving.iter().any(|id| out.contains(*id)))
    }
}

/// For each transition, those in whose necessary enabling sets it is, and those it does not accord
/// with.
fn takes_along(tables: &Tables<'_>) -> IndexVec<TransitionId, BitSet<TransitionId>> {
    let facts = tables.facts();
    let mut found = IndexVec::from_elem(BitSet::new(), facts.transitions().len());
    let mut note = |members: &BitSet<TransitionId>, by: TransitionId| {
        members.iter().for_each(|member| {
            found[member].insert(by);
        });
    };
    let entering = entering(tables);
    for id in facts.transitions().ids() {
        let row = tables.row(id);
        note(&row.conflicts.transitions, id);
        note(&row.otherwise.transitions, id);
        (0..row.parts()).for_each(|part| note(&row.helpers_of(part).transitions, id));
        entering[id].iter().for_each(|members| note(members, id));
    }
    found
}

fn entering(tables: &Tables<'_>) -> IndexVec<TransitionId, Vec<BitSet<TransitionId>>> {
    let facts = tables.facts();
    let of_source =
        |(process, location): &(InstanceId, LocationId)| facts.entering(*process, *location).iter().copied().collect();
    facts.transitions().ids().map(|id| tables.row(id).sources.iter().map(of_source).collect()).collect()
}

fn moved(tables: &Tables<'_>) -> IndexVec<TransitionId, Vec<InstanceId>> {
    let mut found: IndexVec<TransitionId, Vec<InstanceId>> =
        IndexVec::from_elem(Vec::new(), tables.facts().transitions().len());
    for (process, place) in tables.all_places() {
        for id in &place.leaving {
            if !found[*id].contains(&process) {
                found[*id].push(process);
            }
        }
    }
    found
}
