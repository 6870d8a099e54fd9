//! What single transitions mean for processes at their places, looked up by numbers: for expanders
//! that decide in each state.

use std::sync::OnceLock;

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, Futures, InstanceId, Necessary, Object, Place, Test, TransitionId};
use ample_stdx::{BitSet, IndexVec, TypedId, typed_id};
use ample_transition::{ScratchOwner, SuccessorBuffer};

use crate::view::View;

typed_id! {
    /// A process at a location.
    pub(crate) struct PlaceId;
}

/// The place of a process that does not exist.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Tables over transitions and places. The rows are made when they are first asked for.
pub(crate) struct Tables<'n> {
    pub view: View<'n>,
    /// Whose the scratch is that expanders with these tables keep.
    pub owner: ScratchOwner,
    /// The number of the first place of each process.
    first: IndexVec<InstanceId, usize>,
    places: IndexVec<PlaceId, Place>,
    /// The process and the location that each place is.
    located: IndexVec<PlaceId, (InstanceId, LocationId)>,
    /// What each process may take part in once it is created.
    lives: IndexVec<InstanceId, BitSet<TransitionId>>,
    rows: IndexVec<TransitionId, OnceLock<Row>>,
}

/// What a transition means for the processes at each place.
pub(crate) struct Row {
    /// Where its participants must be.
    pub sources: Vec<(InstanceId, LocationId)>,
    /// Whether it never happens, because it is half of a rendezvous.
    is_half: bool,
    /// If it can happen: who does not accord with it.
    pub conflicts: Concerned,
    /// What may be false if it cannot happen although its participants are where they must be, and
    /// who may make it true.
    parts: Vec<(Test, Concerned)>,
    /// Who may make it possible if nothing is known to be false.
    pub otherwise: Concerned,
}

/// Some transitions, and the places from which processes may come to take part in them.
pub(crate) struct Concerned {
    /// The transitions.
    pub transitions: BitSet<TransitionId>,
    /// The places from whose future some of them are.
    pub from: BitSet<PlaceId>,
    /// Those of these places that the process must leave first.
    pub far: BitSet<PlaceId>,
    /// The processes that take part in some of them once they are created.
    pub unborn: BitSet<InstanceId>,
}

impl Row {
    /// How many parts of its guard can be tested.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Who may make a part of its guard true.
    pub fn helpers_of(&self, part: usize) -> &Concerned {
        &self.parts[part].1
    }
}

impl<'n> Tables<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let Futures { places: of_processes, lives } = Futures::new(network, facts);
        let (mut first, mut places, mut located) = (IndexVec::new(), IndexVec::new(), IndexVec::new());
        for (process, locations) in of_processes.into_iter().enumerate() {
            first.push(places.len());
            located.extend(locations.ids().map(|location| (InstanceId::from_index(process), location)));
            places.extend(locations);
        }
        let rows = facts.transitions().iter().map(|_| OnceLock::new()).collect();
        Tables { view: View::new(network, facts), owner: ScratchOwner::default(), first, places, located, lives, rows }
    }

    pub fn facts(&self) -> &'n Facts {
        self.view.facts
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
        self.located.iter().map(|(process, _)| *process).zip(self.places.iter())
    }

    /// Where the process is at this place.
    pub fn location(&self, id: PlaceId) -> LocationId {
        self.located[id].1
    }

    /// Writes the place of each process, or [`NOWHERE`].
    pub fn read_places(&self, state: &[u8], places: &mut Vec<u32>) {
        places.clear();
        places.extend(self.first.iter_enumerated().map(|(instance, first)| {
            self.view.location(state, instance).map_or(NOWHERE, |location| (first + location.index()) as u32)
        }));
    }

    /// Writes which transition each successor is; `false` if that is not known of one.
    pub fn read_names(&self, state: &[u8], successors: &SuccessorBuffer, names: &mut Vec<u32>) -> bool {
        names.clear();
        for successor in successors.iter() {
            let step = successor.moves.first();
            let Some(id) = step.and_then(|step| self.view.transition(state, *step)) else { return false };
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
            Object::At(instance, location) => Some((instance, location)),
            _ => None,
        };
        let Necessary { parts, otherwise } = facts.necessary(self.view.network, id);
        let concerned = |transitions| self.concerned(id, transitions, true);
        Row {
            sources: facts.transitions()[id].sources().iter().filter_map(source).collect(),
            is_half: facts.transitions()[id].is_half(),
            conflicts: self.concerned(id, facts.conflicts(id).clone(), false),
            parts: parts.into_iter().map(|(test, who)| (test, concerned(who))).collect(),
            otherwise: concerned(otherwise),
        }
    }

    /// Whether a part of the guard of a transition is known to be false in a state.
    #[inline]
    pub fn is_false(&self, id: TransitionId, part: usize, state: &[u8]) -> bool {
        self.row(id).parts[part].0.is_false(self.view.network, state)
    }

    /// From where processes may come to take part in these transitions, which concern the one with
    /// this id. Those in which a participant of that one takes part do not happen before it moves,
    /// so that only its own place counts for them; and only what it does there, unless it
    /// `may_leave` before the one with this id happens. While that one is possible and nothing in
    /// conflict with it happens, it may not: the ways to leave are in conflict with it, or never
    /// possible together with it.
    fn concerned(&self, id: TransitionId, transitions: BitSet<TransitionId>, may_leave: bool) -> Concerned {
        let participants: Vec<InstanceId> =
            self.facts().transitions()[id].identity.participants().map(|taken| taken.instance).collect();
        let mut others = transitions.clone();
        participants.iter().for_each(|participant| others.subtract(self.facts().of_instance(*participant)));
        let (mut from, mut far) = (BitSet::new(), BitSet::new());
        for (place_id, place) in self.places.iter_enumerated() {
            let takes_part = participants.contains(&self.located[place_id].0);
            let asked = if takes_part { &transitions } else { &others };
            if !place.future.intersects(asked) {
                continue;
            }
            from.insert(place_id);
            if takes_part && !may_leave {
                continue;
            }
            let mut later = place.future.clone();
            later.intersect_with(asked);
            place.here.iter().for_each(|here| {
                later.remove(*here);
            });
            if !later.is_empty() {
                far.insert(place_id);
            }
        }
        let instances = (0..self.instances()).map(InstanceId::from_index);
        let unborn = instances.filter(|instance| self.lives[*instance].intersects(&others)).collect();
        Concerned { transitions, from, far, unborn }
    }

    /// Whether a transition that is not possible now can only become so if this process moves
    /// first: it takes part, and is elsewhere. Of several such processes it is the first.
    /// `Some(None)` if it never becomes possible.
    pub fn must_come(&self, row: &Row, places: &[u32]) -> Option<Option<InstanceId>> {
        if row.is_half {
            return Some(None);
        }
        let (coming, _) = self.missing(row, places).next()?;
        Some((!self.is_lost(row, places)).then_some(coming))
    }

    /// Whether it never happens: a participant never comes to where it must be, or it would take
    /// another.
    pub fn is_lost(&self, row: &Row, places: &[u32]) -> bool {
        row.is_half
            || row.sources.iter().any(|(instance, source)| {
                let place = places[instance.index()];
                place != NOWHERE && !self.place(PlaceId::from_index(place as usize)).reachable.contains(*source)
            })
    }

    /// The participants that are not where they must be, and where that is.
    pub fn missing<'r>(&self, row: &'r Row, places: &[u32]) -> impl Iterator<Item = (InstanceId, LocationId)> {
        let is_missing = |(instance, source): &&'r (InstanceId, LocationId)| {
            let place = places[instance.index()];
            place == NOWHERE || self.location(PlaceId::from_index(place as usize)) != *source
        };
        row.sources.iter().filter(is_missing).copied()
    }

    /// Calls `each` with every process that may create, sooner or later, one of these that do not
    /// exist.
    pub fn creators(&self, unborn: &BitSet<InstanceId>, places: &[u32], mut each: impl FnMut(usize)) {
        for created in unborn.iter().filter(|instance| places[instance.index()] == NOWHERE) {
            for (process, place) in existing(places) {
                if self.place(place).creates.contains(created) {
                    each(process);
                }
            }
        }
    }
}

/// The places of the processes that exist.
pub(crate) fn existing(places: &[u32]) -> impl Iterator<Item = (usize, PlaceId)> + '_ {
    let numbered = places.iter().enumerate().filter(|(_, place)| **place != NOWHERE);
    numbered.map(|(instance, place)| (instance, PlaceId::from_index(*place as usize)))
}
