//! What a choice may depend on of each process apart: where it is, which of its transitions are
//! enabled, and which parts of guards are false where it is. Together this is all that a
//! [`StateView`](crate::state_view::StateView) shows of a state.

use ample_network::facts::{InstanceId, TransitionId};
use ample_stdx::TypedId;
use ample_transition::{Pid, SuccessorBuffer, View};

use crate::state_view::Source;
use crate::tables::{NOWHERE, Tables};

/// What is to be seen of a process.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    /// Which instance has the number of the process, if it exists, and its place.
    place: Option<(u32, u32)>,
    /// The transitions that are enabled.
    names: Vec<u32>,
    /// Of the guards of its transitions there whose other participants are where they must be, the
    /// parts that are known to be false, in order.
    false_parts: Vec<(u32, u32)>,
}

impl Seen {
    /// What is to be seen of a process whose moves these are; nothing if one is not known to the
    /// facts.
    pub fn of(tables: &Tables<'_>, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<Seen> {
        let mut names = Vec::new();
        if !tables.read_names(state, moves, &mut names) {
            return None;
        }
        let instance = tables.lookup.instance(state, process as Pid);
        let placed = instance.and_then(|instance| Some((instance, tables.place_of(state, instance)?)));
        let mut false_parts = Vec::new();
        if let Some((instance, place)) = placed {
            let begins = |id: &&TransitionId| tables.facts().transitions()[**id].identity.first.instance == instance;
            let is_there = |id: &&TransitionId| {
                let mut sources = tables.row(**id).sources.iter();
                sources.all(|source| tables.lookup.location(state, source.process) == Some(source.location))
            };
            for id in tables.place(place).here.iter().filter(begins).filter(is_there) {
                let parts = (0..tables.row(*id).parts()).filter(|part| tables.is_false(*id, *part, state));
                false_parts.extend(parts.map(|part| (id.index() as u32, part as u32)));
            }
        }
        false_parts.sort_unstable();
        let place = placed.map(|(instance, place)| (instance.index() as u32, place.index() as u32));
        Some(Seen { place, names, false_parts })
    }
}

/// All processes, by the numbers of their views.
pub(crate) struct OfSeen<'s, 'n, F> {
    pub tables: &'s Tables<'n>,
    pub views: &'s [View],
    pub seen: F,
}

impl<'s, F: Fn(u16) -> Option<&'s Seen>> OfSeen<'s, '_, F> {
    fn all(&self) -> impl Iterator<Item = &'s Seen> {
        self.views.iter().filter_map(|view| (self.seen)(view.number))
    }
}

impl<'s, F: Fn(u16) -> Option<&'s Seen>> Source for OfSeen<'s, '_, F> {
    fn read_names(&self, names: &mut Vec<u32>) -> bool {
        names.clear();
        self.all().for_each(|seen| names.extend_from_slice(&seen.names));
        true
    }

    fn read_places(&self, places: &mut Vec<u32>) {
        places.clear();
        places.resize(self.tables.instances(), NOWHERE);
        for (instance, place) in self.all().filter_map(|seen| seen.place) {
            places[instance as usize] = place;
        }
    }

    fn is_false(&self, id: TransitionId, part: usize) -> bool {
        let first: InstanceId = self.tables.facts().transitions()[id].identity.first.instance;
        let is_first = |seen: &&Seen| seen.place.is_some_and(|(instance, _)| instance as usize == first.index());
        let wanted = (id.index() as u32, part as u32);
        self.all().find(is_first).is_some_and(|seen| seen.false_parts.binary_search(&wanted).is_ok())
    }
}
