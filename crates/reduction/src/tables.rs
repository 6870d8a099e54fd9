//! Tables for expanders that decide in each state: for each transition, which others interfere with
//! it, and at which places a process may come to take part in these.

use std::sync::OnceLock;

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{self, Facts, Futures, InstanceId, Necessary, Object, Place, Test, TransitionId};
use ample_stdx::{BitSet, IndexVec, TypedId, typed_id};
use ample_transition::{ScratchOwner, SuccessorBuffer};

use crate::lookup::Lookup;

typed_id! {
    /// A process at a location.
    pub(crate) struct PlaceId;
}

/// What stands for the place of a process that does not exist.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A process and a location.
#[derive(Copy, Clone)]
pub(crate) struct Position {
    pub process: InstanceId,
    pub location: LocationId,
}

/// Tables over transitions and places. The row of a transition is made when it is first asked for.
pub(crate) struct Tables<'n> {
    pub lookup: Lookup<'n>,
    /// The owner of the scratch memory that expanders with these tables keep.
    pub owner: ScratchOwner,
    /// The number of the first place of each process.
    first: IndexVec<InstanceId, usize>,
    places: IndexVec<PlaceId, Place>,
    positions: IndexVec<PlaceId, Position>,
    /// The transitions that each process may take part in once it is created.
    lives: IndexVec<InstanceId, BitSet<TransitionId>>,
    rows: IndexVec<TransitionId, OnceLock<Row>>,
}

/// What is known of one transition before the search.
pub(crate) struct Row {
    /// Where its participants must be.
    pub sources: Vec<Position>,
    /// Whether it is never enabled, because it receives at a rendezvous without a partner.
    is_unpaired_rendezvous: bool,
    /// The transitions that do not accord with it: for a state in which it is enabled.
    pub conflicts: Interference,
    /// The parts of its guard that can be tested: for a state in which it is disabled although its
    /// participants are where they must be.
    parts: Vec<GuardPart>,
    /// The transitions that may enable it if no part of its guard is known to be false.
    pub otherwise: Interference,
}

/// A part of a guard, with the transitions that may make it true: a necessary enabling set where it
/// is false.
struct GuardPart {
    test: Test,
    enabling: Interference,
}

/// Transitions that interfere with another one, and where processes are that may take part in them.
pub(crate) struct Interference {
    pub transitions: BitSet<TransitionId>,
    /// The places from which a process may take part in one of the transitions, at once or later.
    pub places_now: BitSet<PlaceId>,
    /// Those of them from which it takes part in some only after it has left the place.
    pub places_later: BitSet<PlaceId>,
    /// The processes that may take part in one of the transitions once they are created.
    pub uncreated: BitSet<InstanceId>,
}

/// What a disabled transition waits for.
pub(crate) enum Waits {
    /// It is never enabled again: a participant cannot come to where it must be, or there is none.
    Forever,
    /// This participant is not where it must be. If several are not, it is the first of them.
    ForProcess(InstanceId),
    /// All participants are where they must be: its guard is false.
    ForGuard,
}

/// Whether a participant of a transition may leave its place before that transition occurs.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Meanwhile {
    /// The transition is disabled: its participants may do something else.
    MayLeave,
    /// The transition is enabled, and nothing in conflict with it occurs: the ways to leave are in
    /// conflict with it, or never enabled together with it.
    Stays,
}

impl Row {
    /// How many parts of its guard can be tested.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The transitions that may make a part of its guard true.
    pub fn enabling(&self, part: usize) -> &Interference {
        &self.parts[part].enabling
    }
}

impl<'n> Tables<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let Futures { places: of_processes, lives } = Futures::new(network, facts);
        let (mut first, mut places, mut positions) = (IndexVec::new(), IndexVec::new(), IndexVec::new());
        for (process, locations) in of_processes.into_iter().enumerate() {
            first.push(places.len());
            let process = InstanceId::from_index(process);
            positions.extend(locations.ids().map(|location| Position { process, location }));
            places.extend(locations);
        }
        let rows = facts.transitions().iter().map(|_| OnceLock::new()).collect();
        Tables {
            lookup: Lookup::new(network, facts),
            owner: ScratchOwner::default(),
            first,
            places,
            positions,
            lives,
            rows,
        }
    }

    pub fn facts(&self) -> &'n Facts {
        self.lookup.facts
    }

    /// How many processes there may be.
    pub fn instances(&self) -> usize {
        self.first.len()
    }

    /// A process at a location.
    #[inline]
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id]
    }

    /// Every place, with the process that may be there.
    pub fn all_places(&self) -> impl Iterator<Item = (InstanceId, &Place)> {
        self.positions.iter().map(|position| position.process).zip(self.places.iter())
    }

    /// Where the process is at this place.
    pub fn location(&self, id: PlaceId) -> LocationId {
        self.positions[id].location
    }

    /// Writes the place of each process, or [`NOWHERE`].
    pub fn read_places(&self, state: &[u8], places: &mut Vec<u32>) {
        places.clear();
        let place = |instance| self.place_of(state, instance).map_or(NOWHERE, |place| place.index() as u32);
        places.extend(self.first.ids().map(place));
    }

    /// The place of a process in a state, if it exists there.
    #[inline]
    pub fn place_of(&self, state: &[u8], instance: InstanceId) -> Option<PlaceId> {
        let location = self.lookup.location(state, instance)?;
        Some(PlaceId::from_index(self.first[instance] + location.index()))
    }

    /// Writes the transition that leads to each successor; `false` if one is not known to the
    /// facts.
    pub fn read_names(&self, state: &[u8], successors: &SuccessorBuffer, names: &mut Vec<u32>) -> bool {
        names.clear();
        for successor in successors.iter() {
            let step = successor.moves.first();
            let Some(id) = step.and_then(|step| self.lookup.transition(state, *step)) else { return false };
            names.push(id.index() as u32);
        }
        true
    }

    #[inline]
    pub fn row(&self, id: TransitionId) -> &Row {
        self.rows[id].get_or_init(|| self.make_row(id))
    }

    fn make_row(&self, id: TransitionId) -> Row {
        let facts = self.facts();
        let source = |object: &_| match facts.objects().get(*object) {
            Object::At(process, location) => Some(Position { process, location }),
            _ => None,
        };
        let is_location = |object: &_| matches!(facts.objects().get(*object), Object::At(..));
        debug_assert!(facts.transitions()[id].sources().iter().all(is_location), "a source is a location");
        let Necessary { parts, otherwise } = facts.necessary(self.lookup.network, id);
        let while_disabled = |transitions| self.interference(id, transitions, Meanwhile::MayLeave);
        let part = |part: facts::GuardPart| GuardPart { test: part.test, enabling: while_disabled(part.enabling) };
        Row {
            sources: facts.transitions()[id].sources().iter().filter_map(source).collect(),
            is_unpaired_rendezvous: facts.transitions()[id].is_unpaired_rendezvous(),
            conflicts: self.interference(id, facts.conflicts(id).clone(), Meanwhile::Stays),
            parts: parts.into_iter().map(part).collect(),
            otherwise: while_disabled(otherwise),
        }
    }

    /// Whether a part of the guard of a transition is known to be false in a state.
    #[inline]
    pub fn is_false(&self, id: TransitionId, part: usize, state: &[u8]) -> bool {
        self.row(id).parts[part].test.is_false(self.lookup.network, state)
    }

    /// Where processes are that may take part in `transitions`, which interfere with the one with
    /// this id.
    ///
    /// Transitions in which a participant of that one takes part do not occur before the
    /// participant moves, so that for them only the place of the participant counts, not the places
    /// of others; and if the participant stays at its place meanwhile, only its transitions there.
    fn interference(&self, id: TransitionId, transitions: BitSet<TransitionId>, meanwhile: Meanwhile) -> Interference {
        let participants: Vec<InstanceId> =
            self.facts().transitions()[id].identity.participants().map(|taken| taken.instance).collect();
        let mut others = transitions.clone();
        participants.iter().for_each(|participant| others.subtract(self.facts().of_instance(*participant)));
        let (mut places_now, mut places_later) = (BitSet::new(), BitSet::new());
        for (place_id, place) in self.places.iter_enumerated() {
            let takes_part = participants.contains(&self.positions[place_id].process);
            let asked = if takes_part { &transitions } else { &others };
            if !place.future.intersects(asked) {
                continue;
            }
            places_now.insert(place_id);
            if takes_part && meanwhile == Meanwhile::Stays {
                continue;
            }
            let mut later = place.future.clone();
            later.intersect_with(asked);
            place.here.iter().for_each(|here| {
                later.remove(*here);
            });
            if !later.is_empty() {
                places_later.insert(place_id);
            }
        }
        let instances = (0..self.instances()).map(InstanceId::from_index);
        let uncreated = instances.filter(|instance| self.lives[*instance].intersects(&others)).collect();
        Interference { transitions, places_now, places_later, uncreated }
    }

    /// What a transition waits for that is disabled while the processes are at these places.
    pub fn waits(&self, row: &Row, places: &[u32]) -> Waits {
        if row.is_unpaired_rendezvous {
            return Waits::Forever;
        }
        match row.sources.iter().find(|source| !self.is_at(**source, places)) {
            None => Waits::ForGuard,
            Some(_) if self.is_dead(row, places) => Waits::Forever,
            Some(source) => Waits::ForProcess(source.process),
        }
    }

    /// Whether a transition is never enabled from these places on: a participant cannot come to
    /// where it must be, or has no partner.
    pub fn is_dead(&self, row: &Row, places: &[u32]) -> bool {
        row.is_unpaired_rendezvous
            || row.sources.iter().any(|source| {
                let place = places[source.process.index()];
                place != NOWHERE && !self.place(PlaceId::from_index(place as usize)).reachable.contains(source.location)
            })
    }

    /// Whether the process is at the location. One that does not exist is nowhere.
    pub fn is_at(&self, position: Position, places: &[u32]) -> bool {
        let place = places[position.process.index()];
        place != NOWHERE && self.location(PlaceId::from_index(place as usize)) == position.location
    }

    /// Calls `each` with every process that may create, sooner or later, one of these that do not
    /// exist.
    pub fn creators(&self, uncreated: &BitSet<InstanceId>, places: &[u32], mut each: impl FnMut(usize)) {
        for created in uncreated.iter().filter(|instance| places[instance.index()] == NOWHERE) {
            for (process, place) in existing(places) {
                if self.place(place).creates.contains(created) {
                    each(process);
                }
            }
        }
    }
}

/// The processes that exist, by number, with their places.
pub(crate) fn existing(places: &[u32]) -> impl Iterator<Item = (usize, PlaceId)> + '_ {
    let numbered = places.iter().enumerate().filter(|(_, place)| **place != NOWHERE);
    numbered.map(|(instance, place)| (instance, PlaceId::from_index(*place as usize)))
}
