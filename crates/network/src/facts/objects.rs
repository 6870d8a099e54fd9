//! What statements read and write: variables, control locations, channel ends, the pool of process
//! numbers.

use ample_model::{LocationId, SlotId, TemplateKind};
use ample_stdx::{BitSet, IndexVec, TypedId, typed_id};

use crate::Network;
use crate::facts::{ChannelId, InstanceId};

typed_id! {
    /// Something that a transition may read or write.
    pub struct ObjectId;
}

/// What an [`ObjectId`] stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// A global variable, or one element of a global array.
    Global(SlotId),
    /// A variable of a process: others can read it by a remote reference, and so can a property.
    Local(InstanceId, SlotId),
    /// Whether a process is at this location.
    At(InstanceId, LocationId),
    /// The messages of a channel as its receivers change them.
    Head(ChannelId),
    /// The messages of a channel as its senders change them.
    Tail(ChannelId),
    /// How many messages a channel holds: what every send and receive changes, and every test asks.
    Length(ChannelId),
    /// Which process numbers are taken.
    PidPool,
    /// Where the `trace` assertion is.
    Trace,
}

/// All objects of a network, numbered.
#[derive(Clone, Debug)]
pub struct Objects {
    list: IndexVec<ObjectId, Object>,
    /// The first variable, and the first location, of each instance.
    locals: IndexVec<InstanceId, usize>,
    locations: IndexVec<InstanceId, usize>,
    channels: usize,
    pool: ObjectId,
    trace: ObjectId,
}

impl Objects {
    pub(crate) fn new(network: &Network<'_>) -> Objects {
        let mut list: IndexVec<ObjectId, Object> =
            network.model.globals.slots.ids().map(Object::Global).collect::<Vec<_>>().into_iter().collect();
        let (mut locals, mut locations) = (IndexVec::new(), IndexVec::new());
        for (id, instance) in network.instances.iter_enumerated() {
            let template = &network.model.templates[instance.template];
            locals.push(list.len());
            template.frame.slots.ids().for_each(|slot| {
                list.push(Object::Local(id, slot));
            });
            locations.push(list.len());
            template.locations.ids().for_each(|location| {
                list.push(Object::At(id, location));
            });
        }
        let channels = list.len();
        for channel in (0..network.layout.channels.len()).map(ChannelId::from_index) {
            list.push(Object::Head(channel));
            list.push(Object::Tail(channel));
            list.push(Object::Length(channel));
        }
        let pool = list.push(Object::PidPool);
        let trace = list.push(Object::Trace);
        Objects { list, locals, locations, channels, pool, trace }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none. There always is one: the pool of process numbers.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What an id stands for.
    pub fn get(&self, id: ObjectId) -> Object {
        self.list[id]
    }

    /// The id of an object of this network.
    pub fn id(&self, object: Object) -> ObjectId {
        ObjectId::from_index(match object {
            Object::Global(slot) => slot.index(),
            Object::Local(instance, slot) => self.locals[instance] + slot.index(),
            Object::At(instance, location) => self.locations[instance] + location.index(),
            Object::Head(channel) => self.channels + 3 * channel.index(),
            Object::Tail(channel) => self.channels + 3 * channel.index() + 1,
            Object::Length(channel) => self.channels + 3 * channel.index() + 2,
            Object::PidPool => self.pool.index(),
            Object::Trace => self.trace.index(),
        })
    }

    /// Everything that comes into being with an instance and goes with it, apart from its location.
    pub(crate) fn belongings(&self, network: &Network<'_>, instance: InstanceId) -> BitSet<ObjectId> {
        let owner = &network.instances[instance];
        let slots = network.model.templates[owner.template].frame.slots.ids();
        let mut all: BitSet<ObjectId> = slots.map(|slot| self.id(Object::Local(instance, slot))).collect();
        for (number, channel) in network.layout.channels.iter().enumerate() {
            if channel.owner == Some(owner.pid) {
                let channel = ChannelId::from_index(number);
                all.extend([Object::Head(channel), Object::Tail(channel), Object::Length(channel)].map(|o| self.id(o)));
            }
        }
        all
    }

    /// The name of an object, for people.
    pub fn name(&self, network: &Network<'_>, id: ObjectId) -> String {
        match self.get(id) {
            Object::Global(slot) => network.model.globals.slots[slot].name.clone(),
            Object::Local(instance, slot) => {
                let template = network.instances[instance].template;
                let name = &network.model.templates[template].frame.slots[slot].name;
                format!("{}:{name}", instance_name(network, instance))
            }
            Object::At(instance, location) => {
                let template = network.instances[instance].template;
                let labels = &network.model.templates[template].locations[location].labels;
                match labels.first() {
                    Some(label) => format!("{}@{label}", instance_name(network, instance)),
                    None => format!("where {} is", instance_name(network, instance)),
                }
            }
            Object::Head(channel) => format!("{}?", channel_name(network, channel)),
            Object::Tail(channel) => format!("{}!", channel_name(network, channel)),
            Object::Length(channel) => format!("len({})", channel_name(network, channel)),
            Object::PidPool => "the number of processes".to_owned(),
            Object::Trace => "the trace assertion".to_owned(),
        }
    }
}

/// The name of an instance: its template and its process number.
pub fn instance_name(network: &Network<'_>, instance: InstanceId) -> String {
    let instance = &network.instances[instance];
    let template = &network.model.templates[instance.template];
    match template.kind {
        TemplateKind::Init => template.name.clone(),
        _ => format!("{}[{}]", template.name, instance.pid),
    }
}

/// The name of a channel; one that a process declares carries the name of the process.
pub fn channel_name(network: &Network<'_>, channel: ChannelId) -> String {
    let place = &network.layout.channels[channel.index()];
    let name = &network.model.channels[place.kind].name;
    let owner = place.owner.and_then(|pid| network.numbered(pid).next());
    match owner {
        Some(owner) => format!("{}.{name}", instance_name(network, owner)),
        None => name.clone(),
    }
}
