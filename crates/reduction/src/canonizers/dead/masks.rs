//! What is live, as one word for each process and location, and what is reset where nobody has it
//! in its word.

use std::collections::BTreeMap;

use ample_model::{LocationId, Scalar, SlotId};
use ample_network::facts::Facts;
use ample_network::{ChannelPlace, InstanceId, Network, SlotPlace};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Canonizer, Pid, Scratch};

use super::globals::{LiveGlobals, live_globals};
use super::messages::{Fields, FieldsAhead, fields_ahead};
use crate::Visible;
use crate::control::{can_end, reachable};

/// So many groups of things that are dead together fit into a word. Others stay as they are.
const MOST_GROUPS: usize = 64;

/// Something that may be dead.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Thing {
    Global(SlotId),
    /// A field of the messages in a channel.
    Field {
        channel: usize,
        field: usize,
    },
}

/// What is live where.
struct LiveThings<'n> {
    network: &'n Network<'n>,
    globals: LiveGlobals,
    fields: Fields,
    ahead: Option<FieldsAhead>,
    /// The locations that each process can reach.
    reachable: IndexVec<InstanceId, BitSet<LocationId>>,
}

impl<'n> LiveThings<'n> {
    fn new(network: &'n Network<'n>, facts: &Facts, visible: &Visible<'_>) -> Self {
        let fields = Fields::of(network);
        let ahead = fields_ahead(network, facts, visible, &fields);
        let globals = live_globals(network.model, visible);
        let reachable = network.instances.ids().map(|instance| reachable(network.template(instance))).collect();
        LiveThings { network, globals, fields, ahead, reachable }
    }

    /// What takes room in a state and may be reset.
    fn candidates(&self) -> Vec<Thing> {
        let (model, layout) = (self.network.model, &self.network.layout);
        let slots = model.globals.slots.iter_enumerated();
        let is_plain =
            |(slot, of): &(SlotId, &ample_model::Slot)| of.scalar != Scalar::Channel && layout.globals[*slot].width > 0;
        let globals = slots.filter(is_plain).map(|(slot, _)| Thing::Global(slot));
        let of_channel = |(channel, place): (usize, &ChannelPlace)| {
            let kinds = model.channels[place.kind].fields.clone();
            let is_plain = |scalar: Scalar| scalar != Scalar::Channel && scalar.initial() == 0;
            let plain = kinds.into_iter().enumerate().filter(move |(_, (scalar, _))| is_plain(*scalar));
            plain.map(move |(field, _)| Thing::Field { channel, field })
        };
        let with_room = layout.channels.iter().enumerate().filter(|(_, place)| place.capacity > 0);
        let fields = with_room.filter(|_| self.ahead.is_some()).flat_map(of_channel);
        globals.chain(fields).collect()
    }

    /// Whether a process at a location may read something before it is written.
    fn is_live(&self, thing: Thing, instance: InstanceId, location: LocationId) -> bool {
        match thing {
            Thing::Global(slot) => self.globals[self.network.instances[instance].template][location].contains(slot),
            Thing::Field { channel, field } => {
                let id = self.fields.id(channel, field);
                self.ahead.as_ref().is_none_or(|ahead| ahead[instance][location].contains(id))
            }
        }
    }

    /// Whether something may be dead in a state from which processes go on: each process can be
    /// where it has no more use for it, and one of them not at its end.
    fn may_be_dead(&self, thing: Thing) -> bool {
        let network = self.network;
        let is_dead_at = |instance: InstanceId, goes_on: bool| {
            let leaves = |location: LocationId| {
                let edges = &network.template(instance).locations[location].edges;
                let is_end = |edge| matches!(network.template(instance).edges[edge].action, ample_model::Action::End);
                edges.iter().any(|edge| !is_end(*edge))
            };
            let is_dead = |at: &LocationId| !self.is_live(thing, instance, *at) && (!goes_on || leaves(*at));
            self.reachable[instance].iter().any(|at| is_dead(&at))
        };
        let may_be_absent = |instance: InstanceId| {
            usize::from(network.instances[instance].pid) >= network.model.active.len()
                || can_end(network.template(instance))
        };
        let can_agree =
            |pid: Pid| network.numbered(pid).any(|instance| may_be_absent(instance) || is_dead_at(instance, false));
        (0..network.numbers).all(|pid| can_agree(pid as Pid))
            && network.instances.ids().any(|instance| is_dead_at(instance, true))
    }

    /// Where something is live, as one bit for each location of each process.
    fn column(&self, thing: Thing) -> Vec<bool> {
        let of_instance = |instance: InstanceId| {
            let locations = self.network.template(instance).locations.ids();
            locations.map(move |location| self.is_live(thing, instance, location)).collect::<Vec<_>>()
        };
        self.network.instances.ids().flat_map(of_instance).collect()
    }

    /// What may be dead, things that are dead together in one group.
    fn groups(&self) -> Vec<Vec<Thing>> {
        let mut groups: BTreeMap<Vec<bool>, Vec<Thing>> = BTreeMap::new();
        for thing in self.candidates().into_iter().filter(|thing| self.may_be_dead(*thing)) {
            groups.entry(self.column(thing)).or_default().push(thing);
        }
        groups.into_values().take(MOST_GROUPS).collect()
    }
}

/// The names of what may be dead, for people.
pub struct DeadThings;

impl DeadThings {
    /// Global variables, and fields of messages as `channel, field 2`.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Vec<String> {
        let live = LiveThings::new(network, facts, visible);
        let name = |thing: Thing| match thing {
            Thing::Global(slot) => network.model.globals.slots[slot].name.clone(),
            Thing::Field { channel, field } => {
                let kind = network.layout.channels[channel].kind;
                format!("field {} of the messages in {}", field + 1, network.model.channels[kind].name)
            }
        };
        let things = live.candidates().into_iter().filter(|thing| live.may_be_dead(*thing));
        let mut names: Vec<String> = things.map(name).collect();
        names.dedup();
        names
    }
}

/// The canonizer.
pub(super) struct Masks {
    processes: Vec<Process>,
    /// A bit for each group.
    all: u64,
    groups: Vec<Group>,
}

/// The processes with one number.
struct Process {
    location: SlotPlace,
    /// For each location as it is stored, the groups that are live there.
    live: Vec<u64>,
}

/// What is dead together.
#[derive(Default)]
struct Group {
    /// The bytes of global variables that become zero: the first, and the one after the last.
    bytes: Vec<(usize, usize)>,
    /// The variables whose type does not hold zero: the first byte, and what they become.
    others: Vec<(usize, Vec<u8>)>,
    fields: Vec<FieldPlace>,
}

/// A field of the messages in a channel.
struct FieldPlace {
    length: SlotPlace,
    first: usize,
    message_size: usize,
    capacity: usize,
    width: usize,
}

impl Masks {
    /// The masks of a network; `None` if nothing is ever dead.
    pub(super) fn new(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Option<Masks> {
        let live = LiveThings::new(network, facts, visible);
        let things = live.groups();
        if things.is_empty() {
            return None;
        }
        let by_number = network.instances.as_slice().chunk_by(|a, b| a.pid == b.pid);
        let mut ids = network.instances.ids();
        let processes = by_number.map(|same| process(&live, &things, ids.by_ref().take(same.len()))).collect();
        let groups: Vec<Group> = things.iter().map(|things| Group::new(network, things)).collect();
        let all = if groups.len() == MOST_GROUPS { u64::MAX } else { (1 << groups.len()) - 1 };
        Some(Masks { processes, all, groups })
    }
}

/// The masks of the instances with one number: at most one of them exists at a time.
fn process(live: &LiveThings<'_>, groups: &[Vec<Thing>], same: impl Iterator<Item = InstanceId>) -> Process {
    let network = live.network;
    let mut process = Process { location: SlotPlace::default(), live: vec![0] };
    for instance in same {
        process.location = network.layout.frames[instance].location;
        for location in network.template(instance).locations.ids() {
            let stored = network.instances[instance].stored(location) as usize;
            let bits = groups
                .iter()
                .enumerate()
                .filter(|(_, group)| group.first().is_some_and(|thing| live.is_live(*thing, instance, location)));
            if process.live.len() <= stored {
                process.live.resize(stored + 1, 0);
            }
            // Location 0 is none, and is that of no process.
            if network.instances[instance].location_at(stored as i64).is_some() {
                process.live[stored] = bits.fold(0, |mask, (bit, _)| mask | 1 << bit);
            }
        }
    }
    process
}

impl Group {
    fn new(network: &Network<'_>, things: &[Thing]) -> Group {
        let mut group = Group::default();
        for thing in things {
            match *thing {
                Thing::Global(slot) => {
                    let SlotPlace { offset, width, .. } = network.layout.globals[slot];
                    let (start, width) = (offset as usize, usize::from(width));
                    match network.model.globals.slots[slot].scalar.initial() {
                        0 => group.bytes.push((start, start + width)),
                        value => group.others.push((start, value.to_le_bytes()[..width].to_vec())),
                    }
                }
                Thing::Field { channel, field } => {
                    let place = &network.layout.channels[channel];
                    group.fields.push(FieldPlace {
                        length: place.length,
                        first: (place.messages + place.fields[field].offset) as usize,
                        message_size: place.message_size as usize,
                        capacity: place.capacity as usize,
                        width: usize::from(place.fields[field].width),
                    });
                }
            }
        }
        group.bytes.sort_unstable();
        group.bytes.dedup_by(|next, run| {
            let is_next = run.1 == next.0;
            run.1 = if is_next { next.1 } else { run.1 };
            is_next
        });
        group
    }

    /// Resets all of it; whether that has changed something.
    fn reset(&self, state: &mut [u8]) -> bool {
        let mut has_changed = false;
        for (start, end) in &self.bytes {
            has_changed |= reset(&mut state[*start..*end]);
        }
        for (start, value) in &self.others {
            let stored = &mut state[*start..*start + value.len()];
            has_changed |= *stored != value[..];
            stored.copy_from_slice(value);
        }
        for field in &self.fields {
            let length = (unsigned(state, field.length) as usize).min(field.capacity);
            for start in (0..length).map(|number| field.first + number * field.message_size) {
                has_changed |= reset(&mut state[start..start + field.width]);
            }
        }
        has_changed
    }
}

#[inline]
fn reset(bytes: &mut [u8]) -> bool {
    let has_changed = bytes.iter().any(|byte| *byte != 0);
    bytes.fill(0);
    has_changed
}

/// A number without sign.
#[inline]
fn unsigned(state: &[u8], place: SlotPlace) -> u32 {
    let at = place.offset as usize;
    match place.width {
        0 => 0,
        1 => u32::from(state[at]),
        2 => u32::from(u16::from_le_bytes([state[at], state[at + 1]])),
        _ => u32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]]),
    }
}

impl Canonizer for Masks {
    #[inline]
    fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
        let mut live = 0;
        for process in &self.processes {
            live |= process.live.get(unsigned(state, process.location) as usize).copied().unwrap_or(u64::MAX);
        }
        let mut dead = self.all & !live;
        let mut has_changed = false;
        while dead != 0 {
            has_changed |= self.groups[dead.trailing_zeros() as usize].reset(state);
            dead &= dead - 1;
        }
        has_changed
    }

    fn keeps_moves(&self) -> bool {
        true
    }
}
