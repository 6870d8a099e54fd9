//! Stubborn sets by deletion (Valmari; Varpaaniemi: On the stubborn set method in reduced state
//! space generation, 1998).
//!
//! Start from the set of all transitions, which is stubborn. Delete enabled transitions one by one;
//! deleting t also deletes every transition whose stubbornness needs t:
//!
//! - each enabled transition that does not accord with t, and
//! - each disabled transition of which every necessary enabling set has lost a member.
//!
//! A deletion that leaves no enabled transition is undone. In the end no stubborn set with fewer
//! enabled transitions is left inside the one that is found: all necessary enabling sets of a
//! disabled transition are considered, where [`crate::StubbornSets`] commits itself to one. Since
//! this takes longer, it is done only where the other way finds no set of one enabled transition.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::StubbornSets;
use crate::state_view::{OfState, StateView, memoized};
use crate::tables::{NOWHERE, PlaceId, Position, Row, Tables};

/// Strong stubborn sets from which nothing more can be deleted.
pub static DELETION: Part = Part {
    name: "deletion",
    kind: PartKind::Expander,
    summary: "stubborn sets from which no transition can be taken out: often smaller, and slower to find",
    paper: Some("Varpaaniemi: On the stubborn set method in reduced state space generation (1998)"),
    guarantee: Guarantee::STUTTERING,
};

/// With more transitions, nothing is deleted.
const MOST_TRANSITIONS: usize = 1_000;

/// The set that deletion finds is memoized under this number; other numbers are those of the
/// candidates of [`StubbornSets`].
const DELETING: u32 = u32::MAX;

/// Offers the set that deletion leaves, if it is smaller than the first candidate of
/// [`StubbornSets`]; then the candidates of these. In a large network, or one whose processes are
/// guessed, it offers only these.
pub struct Deletion<'n> {
    closure: StubbornSets<'n>,
    /// For each transition, those whose stubbornness may need it: they do not accord with it, or it
    /// is in one of their necessary enabling sets. The set of transitions by which a process leaves
    /// its place depends on the state and is not among these. Empty if nothing is deleted.
    dependents: IndexVec<TransitionId, BitSet<TransitionId>>,
    /// For each transition and each of its participants, the transitions by which the participant
    /// may come to where it must be.
    entering: IndexVec<TransitionId, Vec<BitSet<TransitionId>>>,
    /// For each transition, the processes that may leave a place by it.
    moved: IndexVec<TransitionId, Vec<InstanceId>>,
}

impl<'n> Deletion<'n> {
    /// Prepares the tables for a network.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let closure = StubbornSets::new(network, facts);
        let can_delete = facts.transitions().len() <= MOST_TRANSITIONS && !facts.is_guessed();
        let dependents = if can_delete { dependents(closure.tables()) } else { IndexVec::new() };
        let entering = if can_delete { entering(closure.tables()) } else { IndexVec::new() };
        let moved = if can_delete { moved(closure.tables()) } else { IndexVec::new() };
        Deletion { closure, dependents, entering, moved }
    }
}

impl Expander for Deletion<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let is_found = self.closure.candidate(state, successors, 0, candidate);
        let size = if is_found { candidate.transitions.len() } else { successors.len() };
        if size < 2 || self.dependents.is_empty() {
            return number == 0 && is_found || self.closure.candidate(state, successors, number, candidate);
        }
        let tables = self.closure.tables();
        let source = OfState { tables, state, successors };
        memoized(tables, DELETING, &source, candidate, |view, _, transitions| {
            let enabled = view.enabled;
            let kept = self.remaining(&mut Analysis::new(self, view));
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
    /// The enabled transitions that are left when nothing more can be deleted.
    fn remaining(&self, analysis: &mut Analysis<'_, '_>) -> Vec<u32> {
        let mut deleted = BitSet::new();
        for id in analysis.enabled.clone() {
            if deleted.contains(id) {
                continue;
            }
            let mut trial = deleted.clone();
            if self.delete(id, &mut trial, analysis) {
                deleted = trial;
            }
        }
        let is_left = |name: &u32| !deleted.contains(TransitionId::from_index(*name as usize));
        analysis.view.enabled.iter().copied().filter(is_left).collect()
    }

    /// Deletes a transition, and every other one whose stubbornness needs a deleted one. Whether an
    /// enabled transition is left.
    fn delete(&self, id: TransitionId, deleted: &mut BitSet<TransitionId>, analysis: &mut Analysis<'_, '_>) -> bool {
        deleted.insert(id);
        let mut left = analysis.enabled.iter().filter(|id| !deleted.contains(**id)).count();
        let mut open = vec![id];
        while let Some(gone) = open.pop() {
            let leaving: Vec<InstanceId> = analysis.leaving_by(gone).collect();
            let mut delete_from = |others: &BitSet<TransitionId>| {
                for other in others.iter() {
                    if left > 0 && !deleted.contains(other) && analysis.must_be_deleted(other, deleted) {
                        deleted.insert(other);
                        open.push(other);
                        left -= usize::from(matches!(analysis.status[other], Status::Enabled));
                    }
                }
            };
            delete_from(&self.dependents[gone]);
            for process in leaving {
                delete_from(self.closure.tables().facts().of_instance(process));
            }
            if left == 0 {
                return false;
            }
        }
        true
    }
}

/// The status of transitions in one state, found out when it is needed.
struct Analysis<'s, 'n> {
    view: StateView<'s, 'n>,
    tables: &'s Tables<'n>,
    deletion: &'s Deletion<'n>,
    places: &'s [u32],
    /// The enabled transitions, each once: one with choices inside may have several successors.
    enabled: Vec<TransitionId>,
    status: IndexVec<TransitionId, Status>,
}

/// What is known about a transition in this state.
#[derive(Clone, Copy)]
enum Status {
    Unknown,
    Enabled,
    /// It is never enabled from this state on.
    Dead,
    /// It is disabled, and these parts of its guard are false: a bit for each of the first.
    Disabled {
        false_parts: u64,
    },
}

/// As many parts of a guard are tested.
const MOST_PARTS: usize = u64::BITS as usize;

impl<'s, 'n> Analysis<'s, 'n> {
    fn new(deletion: &'s Deletion<'n>, view: StateView<'s, 'n>) -> Self {
        let (tables, places) = (view.tables, view.places);
        let mut status = IndexVec::from_elem(Status::Unknown, tables.facts().transitions().len());
        let mut enabled: Vec<TransitionId> =
            view.enabled.iter().map(|name| TransitionId::from_index(*name as usize)).collect();
        enabled.sort_unstable();
        enabled.dedup();
        enabled.iter().for_each(|id| status[*id] = Status::Enabled);
        Analysis { view, tables, deletion, places, enabled, status }
    }

    /// Whether a transition cannot be in a stubborn set without the deleted ones.
    fn must_be_deleted(&mut self, id: TransitionId, deleted: &BitSet<TransitionId>) -> bool {
        let row = self.tables.row(id);
        let false_parts = match self.status(id, row) {
            Status::Enabled => return row.conflicts.transitions.intersects(deleted),
            Status::Dead => return false,
            Status::Unknown => {
                debug_assert!(false, "the status was just found out");
                return false;
            }
            Status::Disabled { false_parts } => false_parts,
        };
        let mut is_missing = false;
        for (source, entering) in row.sources.iter().zip(&self.deletion.entering[id]) {
            if self.tables.is_at(*source, self.places) {
                continue;
            }
            is_missing = true;
            if !entering.intersects(deleted) || !self.loses_leaving(source.process, deleted) {
                return false;
            }
        }
        if false_parts == 0 && !is_missing {
            return row.otherwise.transitions.intersects(deleted);
        }
        let is_false = |part: &usize| false_parts >> part & 1 == 1;
        (0..row.parts().min(MOST_PARTS)).filter(is_false).all(|part| row.enabling(part).transitions.intersects(deleted))
    }

    fn status(&mut self, id: TransitionId, row: &Row) -> Status {
        if matches!(self.status[id], Status::Unknown) {
            self.status[id] = if self.tables.is_dead(row, self.places) {
                Status::Dead
            } else {
                let parts = (0..row.parts().min(MOST_PARTS)).filter(|part| self.view.is_false(id, *part));
                Status::Disabled { false_parts: parts.fold(0, |bits, part| bits | 1 << part) }
            };
        }
        self.status[id]
    }

    /// The processes that may leave their places by a transition: its participants, and those that
    /// its chain may take along.
    fn leaving_by(&self, id: TransitionId) -> impl Iterator<Item = InstanceId> {
        let leaves = move |process: &InstanceId| self.leaving(*process).is_some_and(|all| all.contains(&id));
        self.deletion.moved[id].iter().copied().filter(leaves)
    }

    /// The transitions by which a process leaves its place, if it exists.
    fn leaving(&self, process: InstanceId) -> Option<&'s [TransitionId]> {
        let place = Some(self.places[process.index()]).filter(|place| *place != NOWHERE)?;
        Some(&self.tables.place(PlaceId::from_index(place as usize)).leaving)
    }

    /// Whether one of the transitions by which a process leaves its place is deleted, or the
    /// process does not exist.
    fn loses_leaving(&self, process: InstanceId, deleted: &BitSet<TransitionId>) -> bool {
        self.leaving(process).is_none_or(|leaving| leaving.iter().any(|id| deleted.contains(*id)))
    }
}

/// For each transition, those in whose necessary enabling sets it is, and those it does not accord
/// with.
fn dependents(tables: &Tables<'_>) -> IndexVec<TransitionId, BitSet<TransitionId>> {
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
        (0..row.parts()).for_each(|part| note(&row.enabling(part).transitions, id));
        entering[id].iter().for_each(|members| note(members, id));
    }
    found
}

/// For each transition and each of its participants, the transitions by which the participant may
/// come to where it must be.
fn entering(tables: &Tables<'_>) -> IndexVec<TransitionId, Vec<BitSet<TransitionId>>> {
    let facts = tables.facts();
    let of_source = |source: &Position| facts.entering(source.process, source.location).iter().copied().collect();
    facts.transitions().ids().map(|id| tables.row(id).sources.iter().map(of_source).collect()).collect()
}

/// For each transition, the processes that may leave a place by it.
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
