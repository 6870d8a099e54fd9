//! The packed form of states, for everybody but the interpreter.
//!
//! It is: the number of processes; the process that moved last and the location of the trace
//! assertion, where the model needs them; the globals; each process (template, location, priority
//! where used, locals); each channel (number of messages, messages). Which channels exist follows
//! from the processes: first those of the globals, then those of each process, so their kinds are
//! not packed.

use ample_model::{ChannelTypeId, Frame, InitValue, LocationId, Model, Scalar, TemplateId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::Pid;

use crate::state::State;

/// The channels that come into being with a frame.
pub(crate) fn channels_of(frame: &Frame) -> impl Iterator<Item = ChannelTypeId> + '_ {
    frame.init.iter().filter_map(|init| match init.value {
        InitValue::Channel(kind) => Some(kind),
        InitValue::Expr(_) => None,
    })
}

/// How many bytes a value takes, and whether the highest bit is a sign.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Width {
    /// Not packed: nobody reads it.
    None,
    One,
    Two,
    TwoSigned,
    Three,
    Four,
}

impl Width {
    fn bytes(self) -> usize {
        match self {
            Width::None => 0,
            Width::One => 1,
            Width::Two | Width::TwoSigned => 2,
            Width::Three => 3,
            Width::Four => 4,
        }
    }
}

/// So many values of the same width.
struct Run {
    width: Width,
    count: usize,
}

/// The packed form of values that lie side by side.
struct Values {
    runs: Vec<Run>,
    count: usize,
    bytes: usize,
}

/// The packed form of the variables of one scope.
struct FrameLayout {
    slots: Values,
    /// The channels that it declares.
    channels: Vec<ChannelTypeId>,
}

/// The packed form of a channel.
struct ChannelLayout {
    length: Width,
    message: Values,
}

/// The packed form of the states of one model.
pub(crate) struct Layout {
    pid: Width,
    /// The process that moved last.
    last: Width,
    /// The location of the trace assertion.
    event: Width,
    template: Width,
    location: Width,
    priority: Width,
    /// How many bytes come before the globals.
    head_bytes: usize,
    /// How many bytes of a process come before its variables.
    process_bytes: usize,
    globals: FrameLayout,
    templates: IndexVec<TemplateId, FrameLayout>,
    channels: IndexVec<ChannelTypeId, ChannelLayout>,
}

impl Layout {
    pub(crate) fn new(model: &Model, max_processes: u16) -> Layout {
        let most_locations = model.templates.iter().map(|template| template.locations.len()).max().unwrap_or(0);
        let pid = if max_processes > 255 { Width::Two } else { Width::One };
        let channel = |kind: &ample_model::ChannelType| ChannelLayout {
            length: width(kind.capacity as usize + 1),
            message: Values::new(kind.fields.iter().map(|field| scalar_width(field.0, pid))),
        };
        let last = if model.uses.last { pid } else { Width::None };
        let event = model.trace.map_or(Width::None, |trace| width(model.templates[trace].locations.len()));
        let (template, location) = (width(model.templates.len()), width(most_locations));
        let priority = if model.uses.priorities { Width::One } else { Width::None };
        Layout {
            pid,
            last,
            event,
            template,
            location,
            priority,
            head_bytes: pid.bytes() + last.bytes() + event.bytes(),
            process_bytes: template.bytes() + location.bytes() + priority.bytes(),
            globals: frame_layout(&model.globals, pid),
            templates: model.templates.iter().map(|template| frame_layout(&template.frame, pid)).collect(),
            channels: model.channels.iter().map(channel).collect(),
        }
    }

    /// The value that remains when `value` is stored. More than 255 processes need wider process
    /// and channel numbers.
    #[inline]
    pub(crate) fn truncate(&self, scalar: Scalar, value: i32) -> i32 {
        match scalar {
            Scalar::Pid if self.pid == Width::One => value & 0xff,
            Scalar::Channel if self.pid == Width::Two => value & 0xffff,
            _ => scalar.truncate(value),
        }
    }

    pub(crate) fn encode(&self, state: &State, bytes: &mut Vec<u8>) {
        self.put_head(state, bytes);
        self.globals.slots.put(state.globals(), bytes);
        for pid in 0..state.processes.len() {
            self.put_process(state, pid, bytes);
        }
        for channel in 0..state.channels.len() {
            self.put_channel(state, channel, bytes);
        }
    }

    /// The same for a state that comes from another one, whose packed form is known: what did not
    /// change is copied.
    pub(crate) fn encode_after(&self, before: &State, packed: &[u8], state: &State, bytes: &mut Vec<u8>) {
        let changes = state.changes();
        if changes.everything {
            return self.encode(state, bytes);
        }
        self.put_head(state, bytes);
        let mut copier = Copier { packed, copied: self.head_bytes, at: self.head_bytes, bytes };
        if let Some(bytes) = copier.pass(self.globals.slots.bytes, changes.globals) {
            self.globals.slots.put(state.globals(), bytes);
        }
        for (pid, process) in before.processes.iter().enumerate() {
            let size = self.process_bytes + self.templates[process.template].slots.bytes;
            if let Some(bytes) = copier.pass(size, changes.has_process(pid)) {
                self.put_process(state, pid, bytes);
            }
        }
        if changes.channels != 0 {
            self.encode_channels_after(before, state, &mut copier);
        }
        copier.finish();
    }

    fn encode_channels_after(&self, before: &State, state: &State, copier: &mut Copier<'_>) {
        let mut changed = state.changes().channels;
        for (position, channel) in before.channels.iter().enumerate() {
            if changed == 0 {
                return;
            }
            let layout = &self.channels[channel.kind];
            let size = layout.length.bytes() + channel.len() * layout.message.bytes;
            if let Some(bytes) = copier.pass(size, changed & 1 != 0) {
                self.put_channel(state, position, bytes);
            }
            changed >>= 1;
        }
    }

    fn put_head(&self, state: &State, bytes: &mut Vec<u8>) {
        put(bytes, state.processes.len() as i32, self.pid);
        put(bytes, i32::from(state.last), self.last);
        put(bytes, state.event.index() as i32, self.event);
    }

    fn put_process(&self, state: &State, pid: usize, bytes: &mut Vec<u8>) {
        let process = &state.processes[pid];
        put(bytes, process.template.index() as i32, self.template);
        put(bytes, process.location.index() as i32, self.location);
        put(bytes, i32::from(process.priority), self.priority);
        self.templates[process.template].slots.put(state.locals(pid as Pid), bytes);
    }

    fn put_channel(&self, state: &State, position: usize, bytes: &mut Vec<u8>) {
        let channel = &state.channels[position];
        let layout = &self.channels[channel.kind];
        put(bytes, channel.len() as i32, layout.length);
        state.messages(position).for_each(|message| layout.message.put(message, bytes));
    }

    /// Unpacks a state over another one, whose memory is used again.
    pub(crate) fn decode(&self, bytes: &[u8], state: &mut State) {
        let input = &mut Reader(bytes);
        let processes = input.get(self.pid);
        let (last, event) = (input.get(self.last), input.get(self.event));
        state.restart(|values| self.globals.slots.get(input, values));
        (state.last, state.event) = (last as Pid, LocationId::from_index(event as usize));
        for _ in 0..processes {
            let template = TemplateId::from_index(input.get(self.template) as usize);
            let location = LocationId::from_index(input.get(self.location) as usize);
            let priority = if self.priority == Width::None { 1 } else { input.get(self.priority) as u8 };
            let locals = &self.templates[template].slots;
            state.add_process(template, location, priority, |values| locals.get(input, values));
        }
        self.decode_channels(&self.globals, input, state);
        for pid in 0..state.processes.len() {
            self.decode_channels(&self.templates[state.processes[pid].template], input, state);
        }
        state.set_unpacked();
    }

    fn decode_channels(&self, frame: &FrameLayout, input: &mut Reader<'_>, state: &mut State) {
        for &kind in &frame.channels {
            let ChannelLayout { length, message } = &self.channels[kind];
            let length = input.get(*length) as usize;
            state.add_channel(kind, message.count, length, |values| {
                (0..length).for_each(|_| message.get(input, values));
            });
        }
    }
}

/// Copies those parts of a packed state that did not change.
struct Copier<'a> {
    packed: &'a [u8],
    /// What comes before was copied.
    copied: usize,
    /// What comes before was passed.
    at: usize,
    bytes: &'a mut Vec<u8>,
}

impl Copier<'_> {
    /// Passes a part of so many bytes. One that has changed is left out: the new one is to be
    /// written.
    #[inline]
    fn pass(&mut self, size: usize, has_changed: bool) -> Option<&mut Vec<u8>> {
        let start = self.at;
        self.at += size;
        if !has_changed {
            return None;
        }
        self.bytes.extend_from_slice(&self.packed[self.copied..start]);
        self.copied = self.at;
        Some(self.bytes)
    }

    fn finish(self) {
        self.bytes.extend_from_slice(&self.packed[self.copied..]);
    }
}

impl Values {
    fn new(widths: impl Iterator<Item = Width>) -> Values {
        let widths: Vec<Width> = widths.collect();
        let run = |same: &[Width]| Run { width: same[0], count: same.len() };
        Values {
            runs: widths.chunk_by(|a, b| a == b).map(run).collect(),
            count: widths.len(),
            bytes: widths.iter().map(|width| width.bytes()).sum(),
        }
    }

    fn put(&self, mut values: &[i32], bytes: &mut Vec<u8>) {
        for Run { width, count } in &self.runs {
            let (these, rest) = values.split_at(*count);
            values = rest;
            match width {
                Width::None => {}
                Width::One => bytes.extend(these.iter().map(|value| *value as u8)),
                _ => these.iter().for_each(|value| put(bytes, *value, *width)),
            }
        }
    }

    fn get(&self, input: &mut Reader<'_>, values: &mut Vec<i32>) {
        for Run { width, count } in &self.runs {
            match width {
                Width::One if *count <= input.0.len() => {
                    let (these, rest) = input.0.split_at(*count);
                    input.0 = rest;
                    values.extend(these.iter().map(|byte| i32::from(*byte)));
                }
                _ => values.extend((0..*count).map(|_| input.get(*width))),
            }
        }
    }
}

fn frame_layout(frame: &Frame, pid: Width) -> FrameLayout {
    let slot = |slot: &ample_model::Slot| if slot.hidden { Width::None } else { scalar_width(slot.scalar, pid) };
    FrameLayout { slots: Values::new(frame.slots.iter().map(slot)), channels: channels_of(frame).collect() }
}

fn scalar_width(scalar: Scalar, pid: Width) -> Width {
    match scalar {
        Scalar::Bit | Scalar::Byte | Scalar::Unsigned(0..=8) => Width::One,
        Scalar::Pid | Scalar::Channel => pid,
        Scalar::Short => Width::TwoSigned,
        Scalar::Unsigned(9..=16) => Width::Two,
        Scalar::Unsigned(17..=24) => Width::Three,
        Scalar::Int | Scalar::Unsigned(_) => Width::Four,
    }
}

/// The width of numbers below `count`.
fn width(count: usize) -> Width {
    match count {
        0..=0x100 => Width::One,
        0x101..=0x1_0000 => Width::Two,
        _ => Width::Four,
    }
}

#[inline]
fn put(bytes: &mut Vec<u8>, value: i32, width: Width) {
    let [a, b, c, d] = value.to_le_bytes();
    match width {
        Width::None => {}
        Width::One => bytes.push(a),
        Width::Two | Width::TwoSigned => bytes.extend_from_slice(&[a, b]),
        Width::Three => bytes.extend_from_slice(&[a, b, c]),
        Width::Four => bytes.extend_from_slice(&[a, b, c, d]),
    }
}

/// The bytes that are left. After the last there are zeros.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    #[inline]
    fn get(&mut self, width: Width) -> i32 {
        match width {
            Width::None => 0,
            Width::One => i32::from(self.take::<1>()[0]),
            Width::Two => i32::from(u16::from_le_bytes(self.take())),
            Width::TwoSigned => i32::from(i16::from_le_bytes(self.take())),
            Width::Three => {
                let [a, b, c] = self.take();
                i32::from_le_bytes([a, b, c, 0])
            }
            Width::Four => i32::from_le_bytes(self.take()),
        }
    }

    #[inline]
    fn take<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let Some((head, tail)) = self.0.split_first_chunk() else { return [0; COUNT] };
        self.0 = tail;
        *head
    }
}
