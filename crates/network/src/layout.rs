//! States of fixed length: where each variable, channel and process lies.
//!
//! A state is made of components: what belongs to all (the number of processes, the process that
//! moved last, the globals), each channel (its length, then its messages) and one frame per
//! process, all zero while the process does not exist. Location 0 is no location, so a frame that
//! begins with zero is a process that does not exist. What never changes takes no room.
//!
//! Stores cut states into words of four bytes and remember each word once, so the components are
//! packed such that few words are used and a component that fits into a word lies in one. They
//! compare four words at a time, so the size is a multiple of sixteen.

use ample_interpret::State;
use ample_model::{ChannelTypeId, Frame, LocationId, Model, Scalar, SlotId, TemplateId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::Pid;

use crate::constants::channels_of;
use crate::interval::Interval;
use crate::intervals::Intervals;
use crate::lanes::Lanes;
use crate::{Instance, InstanceId};

/// Where a scalar lies: its first byte, how many there are, and whether the highest bit is a sign.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotPlace {
    /// The first byte, from the start of the state; in a message, from the start of the message.
    pub offset: u32,
    /// 1, 2, 4 or 8 bytes; 0 if it takes no room, because it never changes or nobody reads it.
    pub width: u8,
    /// Whether a value below the full width is negative.
    pub signed: bool,
}

impl SlotPlace {
    /// The value that a packed state has here.
    #[inline]
    pub fn value_in(self, state: &[u8]) -> i64 {
        get(state, self)
    }

    /// Changes the value that a packed state has here to one that fits.
    pub fn set_in(self, state: &mut [u8], value: i64) {
        put(state, self, value);
    }

    /// Its bytes in a state.
    pub fn range(self) -> std::ops::Range<usize> {
        let start = self.offset as usize;
        start..start + usize::from(self.width)
    }
}

/// Where a channel lies: a length, then room for all messages it can hold.
#[derive(Clone, Debug)]
pub struct ChannelPlace {
    /// Its declaration; of several that may stand here, the first. All have the same form.
    pub kind: ChannelTypeId,
    /// The number of messages. Without room for messages it is always 0.
    pub length: SlotPlace,
    /// The first message.
    pub messages: u32,
    /// How many bytes a message takes.
    pub message_size: u32,
    /// Where the fields lie inside a message, and how they are stored.
    pub fields: Vec<SlotPlace>,
    /// How many messages it holds.
    pub capacity: u32,
    /// Which process it comes and goes with.
    pub owner: Option<Pid>,
}

impl ChannelPlace {
    /// Its bytes.
    pub fn range(&self) -> (u32, u32) {
        (self.length.offset, self.messages + self.capacity * self.message_size)
    }
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// How many bytes a state has: a multiple of eight. Bytes that belong to nothing are always
    /// zero.
    pub size: u32,
    /// The number of processes; no room if it never changes.
    pub process_count: SlotPlace,
    /// The process that moved last.
    pub last: Option<SlotPlace>,
    /// Where the `trace` assertion is, if there is one.
    pub event: Option<SlotPlace>,
    /// The globals.
    pub globals: IndexVec<SlotId, SlotPlace>,
    /// The channels, by number less one.
    pub channels: Vec<ChannelPlace>,
    /// The frames, by instance.
    pub frames: IndexVec<InstanceId, FramePlace>,
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
    /// Its priority; no room if that never changes.
    pub priority: SlotPlace,
    /// Its variables.
    pub locals: IndexVec<SlotId, SlotPlace>,
    /// The declarations of its channels.
    pub channels: Vec<ChannelTypeId>,
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

    /// A variable whose values are in this interval.
    fn scalar(&mut self, scalar: Scalar, values: Interval) -> SlotPlace {
        let (width, signed) = match scalar {
            Scalar::Bit | Scalar::Byte | Scalar::Pid | Scalar::Channel => (1, false),
            Scalar::Short => (2, true),
            Scalar::Int => (4, true),
            Scalar::Unsigned(0..=8) => (1, false),
            Scalar::Unsigned(9..=16) => (2, false),
            Scalar::Unsigned(_) => (4, false),
            Scalar::Integer | Scalar::Range { .. } => range_width(values),
        };
        self.take(width, signed)
    }

    /// The variables of a frame; those that never change and those that nobody reads take no room.
    fn frame(
        &mut self,
        frame: &Frame,
        constants: &IndexVec<SlotId, Option<i64>>,
        intervals: &IndexVec<SlotId, Interval>,
    ) -> IndexVec<SlotId, SlotPlace> {
        let place = |((slot, constant), values): ((&ample_model::Slot, &Option<i64>), &Interval)| match constant {
            None if !slot.hidden => self.scalar(slot.scalar, *values),
            _ => self.take(0, false),
        };
        frame.slots.iter().zip(constants.iter()).zip(intervals.iter()).map(place).collect()
    }
}

/// How many bytes the numbers of an interval take, and whether the highest bit is a sign.
fn range_width(Interval { low, high }: Interval) -> (u8, bool) {
    let signed = low < 0;
    let greatest = if signed { high.max(-(low + 1)) } else { high };
    let bits = i64::BITS - greatest.leading_zeros() + u32::from(signed);
    let width = match bits {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    };
    (width, signed)
}

/// The size of a state is a multiple of this, and never 0.
const SIZE_STEP: u32 = 16;

fn count_width(most: usize) -> u8 {
    match most {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

/// The components, each laid out from 0; then each is moved to its place.
impl Layout {
    pub(crate) fn new(
        model: &Model,
        instances: &[Instance],
        constants: &IndexVec<SlotId, Option<i64>>,
        intervals: &Intervals,
        count_changes: bool,
    ) -> Layout {
        let mut cursor = Cursor::default();
        let process_count = cursor.take(u8::from(count_changes), false);
        let last = model.uses.last.then(|| cursor.take(1, false));
        let locations = model.trace.map(|trace| model.templates[trace].locations.len());
        let event = locations.map(|locations| cursor.take(count_width(locations), false));
        let globals = cursor.frame(&model.globals, constants, &intervals.globals);
        let mut layout =
            Layout { size: 0, process_count, last, event, globals, channels: Vec::new(), frames: IndexVec::new() };
        let mut lanes = Lanes::default();
        lanes.add(cursor.offset);
        // Instances with the same number declare channels of the same form: one of them speaks for
        // all.
        let by_number: Vec<&[Instance]> = instances.chunk_by(|a, b| a.pid == b.pid).collect();
        let frames = by_number.iter().map(|same| (Some(same[0].pid), &model.templates[same[0].template].frame));
        for (owner, frame) in std::iter::once((None, &model.globals)).chain(frames) {
            for (_, kind) in channels_of(frame) {
                let channel = channel(model, kind, owner);
                lanes.add(channel.range().1);
                layout.channels.push(channel);
            }
        }
        for same in &by_number {
            let frames: Vec<FramePlace> = same.iter().map(|instance| frame(model, instance, same, intervals)).collect();
            lanes.add(frames.iter().map(|frame| frame.end).max().unwrap_or_default());
            layout.frames.extend(frames);
        }
        let (starts, size) = lanes.pack();
        layout.relocate(instances, &starts, size.next_multiple_of(SIZE_STEP).max(SIZE_STEP));
        layout
    }

    fn relocate(&mut self, instances: &[Instance], starts: &[u32], size: u32) {
        self.size = size;
        let mut starts = starts.iter().copied();
        let mut next = || {
            let start = starts.next();
            debug_assert!(start.is_some(), "every component was packed");
            start.unwrap_or_default()
        };
        let start = next();
        self.process_count.offset += start;
        self.last
            .iter_mut()
            .chain(&mut self.event)
            .chain(self.globals.iter_mut())
            .for_each(|place| place.offset += start);
        for channel in &mut self.channels {
            let start = next();
            channel.length.offset += start;
            channel.messages += start;
        }
        let mut start = 0;
        for (number, frame) in self.frames.iter_mut().enumerate() {
            if number == 0 || instances[number - 1].pid != instances[number].pid {
                start = next();
            }
            (frame.start, frame.end) = (start, start + frame.end);
            frame.location.offset += start;
            frame.priority.offset += start;
            frame.locals.iter_mut().for_each(|place| place.offset += start);
        }
    }

    /// Writes a state of the interpreter, in packed form, over bytes that are all zero. `None` if
    /// it does not fit: then the model is not this network, and what was written means nothing.
    fn write(&self, instances: &[Instance], state: &State, bytes: &mut [u8]) -> Option<()> {
        put(bytes, self.process_count, state.processes.len() as i64);
        if let Some(last) = self.last {
            put(bytes, last, i64::from(state.last));
        }
        if let Some(event) = self.event {
            put(bytes, event, state.event.index() as i64);
        }
        for (place, value) in self.globals.iter().zip(state.globals()) {
            put(bytes, *place, *value);
        }
        let mut expected = instances.iter().zip(&self.frames);
        for (pid, process) in state.processes.iter().enumerate() {
            let is_this = |instance: &Instance| usize::from(instance.pid) == pid && fits(instance, state);
            let (instance, frame) = expected.find(|(instance, _)| is_this(instance))?;
            let location = process.location.index() as u32 + instance.first_location;
            put(bytes, frame.location, location as i64);
            put(bytes, frame.priority, i64::from(process.priority));
            for (place, value) in frame.locals.iter().zip(state.locals(pid as Pid)) {
                put(bytes, *place, *value);
            }
        }
        for ((position, channel), place) in state.channels.iter().enumerate().zip(&self.channels) {
            put(bytes, place.length, channel.len() as i64);
            for (number, message) in state.messages(position).enumerate() {
                let start = place.messages + number as u32 * place.message_size;
                for (field, value) in place.fields.iter().zip(message) {
                    put(bytes, SlotPlace { offset: start + field.offset, ..*field }, *value);
                }
            }
        }
        Some(())
    }

    /// Appends a state of the interpreter in packed form. False if it does not fit: then nothing is
    /// appended.
    pub fn pack(&self, instances: &[Instance], state: &State, bytes: &mut Vec<u8>) -> bool {
        let start = bytes.len();
        bytes.resize(start + self.size as usize, 0);
        let fits = self.write(instances, state, &mut bytes[start..]).is_some();
        if !fits {
            bytes.truncate(start);
        }
        fits
    }

    /// What runs the first process of a state that is not one of the instances.
    pub(crate) fn first_unexpected(&self, instances: &[Instance], state: &State) -> Option<TemplateId> {
        let is_expected = |pid: usize| {
            let is_this = |instance: &Instance| usize::from(instance.pid) == pid && fits(instance, state);
            instances.iter().any(is_this)
        };
        let mut processes = state.processes.iter().enumerate();
        processes.find(|(pid, _)| !is_expected(*pid)).map(|(_, process)| process.template)
    }

    /// Unpacks a state for the interpreter, over a state whose memory is used again.
    pub fn unpack(
        &self,
        instances: &[Instance],
        globals: &IndexVec<SlotId, Option<i64>>,
        bytes: &[u8],
        state: &mut State,
    ) {
        let numbers = instances.last().map_or(0, |instance| usize::from(instance.pid) + 1);
        let count = match self.process_count.width {
            0 => numbers,
            _ => (get(bytes, self.process_count) as usize).min(numbers),
        };
        state.restart(|all| all.extend(values(&self.globals, globals, bytes)));
        state.last = self.last.map_or(0, |place| get(bytes, place) as Pid);
        state.event = LocationId::from_index(self.event.map_or(0, |place| get(bytes, place) as usize));
        let existing = || {
            let known =
                instances.iter().zip(&self.frames).take_while(|(instance, _)| usize::from(instance.pid) < count);
            known.filter_map(|(instance, frame)| {
                Some((instance, frame, instance.location_at(get(bytes, frame.location))?))
            })
        };
        for (instance, frame, location) in existing() {
            let priority = instance.priority.unwrap_or_else(|| get(bytes, frame.priority) as u8);
            let locals = values(&frame.locals, &instance.constants, bytes);
            state.add_process(instance.template, location, priority, |all| all.extend(locals));
        }
        let own = existing().flat_map(|(_, frame, _)| frame.channels.iter().copied());
        let of_all = self.channels.iter().filter(|place| place.owner.is_none()).map(|place| place.kind);
        let alive = |place: &&ChannelPlace| place.owner.is_none_or(|owner| usize::from(owner) < count);
        for (place, kind) in self.channels.iter().filter(alive).zip(of_all.chain(own)) {
            unpack_channel(place, kind, bytes, state);
        }
    }
}

/// The variables of a frame: those that never change have the value that is known.
fn values<'a>(
    places: &'a IndexVec<SlotId, SlotPlace>,
    constants: &'a IndexVec<SlotId, Option<i64>>,
    bytes: &'a [u8],
) -> impl Iterator<Item = i64> + 'a {
    let known = places.iter().zip(constants.iter());
    known.map(|(place, constant)| constant.unwrap_or_else(|| get(bytes, *place)))
}

fn channel(model: &Model, kind: ChannelTypeId, owner: Option<Pid>) -> ChannelPlace {
    let declared = &model.channels[kind];
    let mut cursor = Cursor::default();
    let width = if declared.capacity == 0 { 0 } else { count_width(declared.capacity as usize) };
    let length = cursor.take(width, false);
    let mut inside = Cursor::default();
    let fields: Vec<SlotPlace> =
        declared.fields.iter().map(|field| inside.scalar(field.0, Interval::of_type(field.0))).collect();
    let (message_size, capacity) = (inside.offset, declared.capacity);
    ChannelPlace { kind, length, messages: cursor.offset, message_size, fields, capacity, owner }
}

/// The frame of an instance. The location is as wide as all instances with this number need.
fn frame(model: &Model, instance: &Instance, same: &[Instance], intervals: &Intervals) -> FramePlace {
    let template = &model.templates[instance.template];
    let mut cursor = Cursor::default();
    let last = same.iter().map(|instance| instance.first_location + instance.locations - 1).max().unwrap_or_default();
    let location = cursor.take(count_width(last as usize), false);
    let priority = cursor.take(u8::from(instance.priority.is_none()), false);
    let locals = cursor.frame(&template.frame, &instance.constants, &intervals.locals[instance.template]);
    let channels = channels_of(&template.frame).map(|(_, kind)| kind).collect();
    FramePlace { start: 0, end: cursor.offset, location, priority, locals, channels }
}

fn unpack_channel(place: &ChannelPlace, kind: ChannelTypeId, bytes: &[u8], state: &mut State) {
    let length = get(bytes, place.length) as u32;
    let starts = (0..length).map(|number| place.messages + number * place.message_size);
    let fields = starts.flat_map(|start| place.fields.iter().map(move |field| (start + field.offset, field)));
    let values = fields.map(|(offset, field)| get(bytes, SlotPlace { offset, ..*field }));
    state.add_channel(kind, place.fields.len(), length as usize, |all| all.extend(values));
}

/// Whether the process with its number runs what an instance runs, and has what never changes in
/// it.
fn fits(instance: &Instance, state: &State) -> bool {
    let process = &state.processes[usize::from(instance.pid)];
    let mut values = instance.constants.iter().zip(state.locals(instance.pid));
    instance.template == process.template
        && instance.priority.is_none_or(|priority| priority == process.priority)
        && values.all(|(constant, value)| constant.is_none_or(|constant| constant == *value))
}

fn put(bytes: &mut [u8], place: SlotPlace, value: i64) {
    let (start, width) = (place.offset as usize, usize::from(place.width));
    bytes[start..start + width].copy_from_slice(&value.to_le_bytes()[..width]);
    debug_assert!(width == 0 || get(bytes, place) == value, "{value} does not fit into {width} bytes");
}

/// So many bytes from `at` on.
#[inline]
fn array<const COUNT: usize>(bytes: &[u8], at: usize) -> [u8; COUNT] {
    std::array::from_fn(|byte| bytes[at + byte])
}

#[inline]
pub(crate) fn get(bytes: &[u8], place: SlotPlace) -> i64 {
    let at = place.offset as usize;
    match (place.width, place.signed) {
        (0, _) => 0,
        (1, false) => i64::from(bytes[at]),
        (1, true) => i64::from(bytes[at] as i8),
        (2, false) => i64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        (2, true) => i64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
        (4, false) => i64::from(u32::from_le_bytes(array(bytes, at))),
        (4, true) => i64::from(i32::from_le_bytes(array(bytes, at))),
        _ => i64::from_le_bytes(array(bytes, at)),
    }
}
