//! States of fixed length: where each variable, channel and process lies.
//!
//! A state is: the number of processes (if it ever changes), the process that moved last (if anybody asks), the globals,
//! the channels, then one frame per instance, all zero while the process does not exist. Location 0 is no location, so a
//! frame that begins with zero is a process that does not exist.

use ample_interpret::{Channel, Process, State};
use ample_model::{ChannelTypeId, Frame, InitValue, LocationId, Model, Scalar, SlotId, TemplateId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::Pid;

use crate::Instance;

/// Where a scalar lies: its first byte, how many there are, and whether the highest bit is a sign.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SlotPlace {
    /// The first byte; in a frame, from the start of the state.
    pub offset: u32,
    /// 1, 2 or 4 bytes.
    pub width: u8,
    /// Whether a value below the full width is negative.
    pub signed: bool,
}

/// Where a channel lies: a length, then room for all messages it can hold.
#[derive(Clone, Debug)]
pub struct ChannelPlace {
    /// Its declaration.
    pub kind: ChannelTypeId,
    /// The number of messages.
    pub length: SlotPlace,
    /// The first message.
    pub messages: u32,
    /// How many bytes a message takes.
    pub message_size: u32,
    /// Where the fields lie inside a message, and how they are stored.
    pub fields: Vec<SlotPlace>,
    /// How many messages it holds.
    pub capacity: u32,
    /// Which instance it comes and goes with.
    pub owner: Option<Pid>,
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// How many bytes a state has.
    pub size: u32,
    /// The number of processes.
    pub process_count: SlotPlace,
    /// The process that moved last.
    pub last: Option<SlotPlace>,
    /// The globals.
    pub globals: IndexVec<SlotId, SlotPlace>,
    /// The channels, by number less one.
    pub channels: Vec<ChannelPlace>,
    /// The frames, by process number.
    pub frames: Vec<FramePlace>,
}

/// Where a process lies.
#[derive(Clone, Debug, Default)]
pub struct FramePlace {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// Its location; 0 if it does not exist.
    pub location: SlotPlace,
    /// Its variables.
    pub locals: IndexVec<SlotId, SlotPlace>,
}

impl Default for SlotPlace {
    fn default() -> Self {
        SlotPlace { offset: 0, width: 1, signed: false }
    }
}

/// Lays things out one after the other.
#[derive(Default)]
struct Cursor {
    offset: u32,
}

impl Cursor {
    fn take(&mut self, width: u8, signed: bool) -> SlotPlace {
        let place = SlotPlace { offset: self.offset, width, signed };
        self.offset += u32::from(width);
        place
    }

    fn scalar(&mut self, scalar: Scalar) -> SlotPlace {
        let (width, signed) = match scalar {
            Scalar::Bit | Scalar::Byte | Scalar::Pid | Scalar::Channel => (1, false),
            Scalar::Short => (2, true),
            Scalar::Int => (4, true),
            Scalar::Unsigned(bits @ 1..=8) => (u8::from(bits > 0), false),
            Scalar::Unsigned(9..=16) => (2, false),
            Scalar::Unsigned(_) => (4, false),
        };
        self.take(width, signed)
    }

    fn frame(&mut self, frame: &Frame) -> IndexVec<SlotId, SlotPlace> {
        frame.slots.iter().map(|slot| self.scalar(slot.scalar)).collect()
    }
}

fn count_width(most: usize) -> u8 {
    match most {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

impl Layout {
    pub(crate) fn new(model: &Model, instances: &[Instance]) -> Layout {
        let mut cursor = Cursor::default();
        let process_count = cursor.take(1, false);
        let last = model.uses.last.then(|| cursor.take(1, false));
        let globals = cursor.frame(&model.globals);
        let frames_of = std::iter::once((None, &model.globals))
            .chain(instances.iter().map(|instance| (Some(instance.pid), &model.templates[instance.template].frame)));
        let mut channels = Vec::new();
        for (owner, frame) in frames_of {
            for init in &frame.init {
                if let InitValue::Channel(kind) = init.value {
                    channels.push(channel(&mut cursor, model, kind, owner));
                }
            }
        }
        let frames = instances.iter().map(|instance| frame(&mut cursor, model, instance.template)).collect();
        Layout { size: cursor.offset, process_count, last, globals, channels, frames }
    }

    /// Packs a state of the interpreter. `None` if it does not fit: then the model is not this network.
    pub fn pack(&self, instances: &[Instance], state: &State) -> Option<Vec<u8>> {
        let mut bytes = vec![0; self.size as usize];
        if state.processes.len() > instances.len() {
            return None;
        }
        put(&mut bytes, self.process_count, state.processes.len() as i32);
        if let Some(last) = self.last {
            put(&mut bytes, last, i32::from(state.last));
        }
        for (place, value) in self.globals.iter().zip(state.globals.iter()) {
            put(&mut bytes, *place, *value);
        }
        for ((process, frame), instance) in state.processes.iter().zip(&self.frames).zip(instances) {
            if process.template != instance.template {
                return None;
            }
            put(&mut bytes, frame.location, process.location.index() as i32);
            for (place, value) in frame.locals.iter().zip(process.locals.iter()) {
                put(&mut bytes, *place, *value);
            }
        }
        for (channel, place) in state.channels.iter().zip(&self.channels) {
            put(&mut bytes, place.length, channel.messages.len() as i32);
            for (number, message) in channel.messages.iter().enumerate() {
                let start = place.messages + number as u32 * place.message_size;
                for (field, value) in place.fields.iter().zip(message) {
                    put(&mut bytes, SlotPlace { offset: start + field.offset, ..*field }, *value);
                }
            }
        }
        Some(bytes)
    }

    /// Unpacks a state for the interpreter.
    pub fn unpack(&self, instances: &[Instance], bytes: &[u8]) -> State {
        let count = get(bytes, self.process_count) as usize;
        let processes: Vec<Process> = instances[..count.min(instances.len())]
            .iter()
            .zip(&self.frames)
            .map(|(instance, frame)| Process {
                template: instance.template,
                location: LocationId::from_index(get(bytes, frame.location) as usize),
                priority: 1,
                locals: frame.locals.iter().map(|place| get(bytes, *place)).collect(),
            })
            .collect();
        let alive = |place: &&ChannelPlace| place.owner.is_none_or(|owner| usize::from(owner) < count);
        let channels = self.channels.iter().filter(alive).map(|place| unpack_channel(place, bytes)).collect();
        State {
            globals: self.globals.iter().map(|place| get(bytes, *place)).collect(),
            processes,
            channels,
            last: self.last.map_or(0, |place| get(bytes, place) as Pid),
            event: LocationId::from_index(0),
        }
    }
}

fn channel(cursor: &mut Cursor, model: &Model, kind: ChannelTypeId, owner: Option<Pid>) -> ChannelPlace {
    let declared = &model.channels[kind];
    let length = cursor.take(count_width(declared.capacity as usize), false);
    let mut inside = Cursor::default();
    let fields: Vec<SlotPlace> = declared.fields.iter().map(|field| inside.scalar(field.0)).collect();
    let messages = cursor.offset;
    cursor.offset += inside.offset * declared.capacity;
    let (message_size, capacity) = (inside.offset, declared.capacity);
    ChannelPlace { kind, length, messages, message_size, fields, capacity, owner }
}

fn frame(cursor: &mut Cursor, model: &Model, template: TemplateId) -> FramePlace {
    let start = cursor.offset;
    let location = cursor.take(count_width(model.templates[template].locations.len() - 1), false);
    let locals = cursor.frame(&model.templates[template].frame);
    FramePlace { start, end: cursor.offset, location, locals }
}

fn unpack_channel(place: &ChannelPlace, bytes: &[u8]) -> Channel {
    let message = |number: u32| {
        let start = place.messages + number * place.message_size;
        place.fields.iter().map(|field| get(bytes, SlotPlace { offset: start + field.offset, ..*field })).collect()
    };
    Channel { kind: place.kind, messages: (0..get(bytes, place.length) as u32).map(message).collect() }
}

fn put(bytes: &mut [u8], place: SlotPlace, value: i32) {
    let (start, width) = (place.offset as usize, usize::from(place.width));
    bytes[start..start + width].copy_from_slice(&value.to_le_bytes()[..width]);
}

fn get(bytes: &[u8], place: SlotPlace) -> i32 {
    let (start, width) = (place.offset as usize, usize::from(place.width));
    let mut raw = [0; 4];
    raw[..width].copy_from_slice(&bytes[start..start + width]);
    let value = i32::from_le_bytes(raw);
    if place.signed && width < 4 {
        let shift = 32 - 8 * width as u32;
        return (value << shift) >> shift;
    }
    value
}
