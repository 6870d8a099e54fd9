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

use crate::state::{Changes, Channel, Process, State};

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
    Eight,
}

impl Width {
    #[inline]
    fn bytes(self) -> usize {
        match self {
            Width::None => 0,
            Width::One => 1,
            Width::Two | Width::TwoSigned => 2,
            Width::Three => 3,
            Width::Four => 4,
            Width::Eight => 8,
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
    pub(crate) fn truncate(&self, scalar: Scalar, value: i64) -> i64 {
        match scalar {
            Scalar::Pid if self.pid == Width::One => value & 0xff,
            Scalar::Channel if self.pid == Width::Two => value & 0xffff,
            _ => scalar.truncate(value),
        }
    }

    pub(crate) fn encode(&self, state: &State, bytes: &mut Vec<u8>) {
        let processes = state.processes.iter().map(|process| self.bytes_of(process.template)).sum::<usize>();
        let start = bytes.len();
        bytes.resize(start + self.head_bytes + self.globals.slots.bytes + processes, 0);
        let mut out = self.write_head(state, &mut bytes[start..]);
        out = self.globals.slots.write(state.globals(), out);
        for (pid, process) in state.processes.iter().enumerate() {
            out = self.write_process(process, out);
            out = self.templates[process.template].slots.write(state.locals(pid as Pid), out);
        }
        for channel in 0..state.channels.len() {
            self.push_channel(state, channel, bytes);
        }
    }

    /// The same for a state that comes from another one, whose packed form is known: what did not
    /// change is copied.
    pub(crate) fn encode_after(&self, before: &State, packed: &[u8], state: &State, bytes: &mut Vec<u8>) {
        let changes = state.changes();
        if changes.everything {
            return self.encode(state, bytes);
        }
        let start = bytes.len();
        bytes.extend_from_slice(packed);
        self.write_changes(state, changes, &mut bytes[start..]);
        if changes.channels != 0 {
            // Messages make channels longer or shorter: those that come later lie elsewhere.
            let first = changes.channels.trailing_zeros() as usize;
            let later = before.channels[first..].iter().map(|channel| self.bytes_of_channel(channel)).sum::<usize>();
            bytes.truncate(bytes.len() - later);
            for channel in first..state.channels.len() {
                self.push_channel(state, channel, bytes);
            }
        }
    }

    /// Writes what has changed, but for channels.
    #[inline]
    fn write_changes(&self, state: &State, changes: Changes, out: &mut [u8]) {
        if self.has_head() {
            self.write_head(state, out);
        }
        if changes.globals {
            self.globals.slots.write(state.globals(), &mut out[self.head_bytes..]);
        }
        let mut at = self.head_bytes + self.globals.slots.bytes;
        let (mut moved, mut written) = (changes.processes, changes.locals);
        for (pid, process) in state.processes.iter().enumerate() {
            if moved | written == 0 {
                return;
            }
            if moved & 1 != 0 {
                self.write_process(process, &mut out[at..]);
            }
            let slots = &self.templates[process.template].slots;
            if written & 1 != 0 {
                slots.write(state.locals(pid as Pid), &mut out[at + self.process_bytes..]);
            }
            at += self.process_bytes + slots.bytes;
            (moved, written) = (moved >> 1, written >> 1);
        }
    }

    /// Whether more than the number of processes comes before the globals.
    #[inline]
    fn has_head(&self) -> bool {
        (self.last, self.event) != (Width::None, Width::None)
    }

    /// How many bytes a process takes.
    #[inline]
    fn bytes_of(&self, template: TemplateId) -> usize {
        self.process_bytes + self.templates[template].slots.bytes
    }

    fn bytes_of_channel(&self, channel: &Channel) -> usize {
        let layout = &self.channels[channel.kind];
        layout.length.bytes() + channel.len() * layout.message.bytes
    }

    fn write_head<'o>(&self, state: &State, out: &'o mut [u8]) -> &'o mut [u8] {
        let out = write(out, state.processes.len() as i64, self.pid);
        let out = write(out, i64::from(state.last), self.last);
        write(out, state.event.index() as i64, self.event)
    }

    /// Writes what comes before the variables of a process; gives the bytes after it.
    #[inline]
    fn write_process<'o>(&self, process: &Process, out: &'o mut [u8]) -> &'o mut [u8] {
        let out = write(out, process.template.index() as i64, self.template);
        let out = write(out, process.location.index() as i64, self.location);
        if self.priority == Width::None { out } else { write(out, i64::from(process.priority), self.priority) }
    }

    fn push_channel(&self, state: &State, position: usize, bytes: &mut Vec<u8>) {
        let channel = &state.channels[position];
        let layout = &self.channels[channel.kind];
        let start = bytes.len();
        bytes.resize(start + self.bytes_of_channel(channel), 0);
        let mut out = write(&mut bytes[start..], channel.len() as i64, layout.length);
        for message in state.messages(position) {
            out = layout.message.write(message, out);
        }
    }

    /// Unpacks a state over another one, whose memory is used again.
    pub(crate) fn decode(&self, bytes: &[u8], state: &mut State) {
        let input = &mut Reader(bytes);
        let processes = input.get(self.pid);
        let (last, event) = if self.has_head() { (input.get(self.last), input.get(self.event)) } else { (0, 0) };
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

    /// Writes values over as many bytes as they take; gives the bytes after them.
    fn write<'o>(&self, mut values: &[i64], mut out: &'o mut [u8]) -> &'o mut [u8] {
        for Run { width, count } in &self.runs {
            let (these, later) = values.split_at(*count);
            values = later;
            if *width == Width::One {
                let (bytes, rest) = out.split_at_mut(*count);
                bytes.iter_mut().zip(these).for_each(|(byte, value)| *byte = *value as u8);
                out = rest;
            } else {
                out = these.iter().fold(out, |out, value| write(out, *value, *width));
            }
        }
        out
    }

    fn get(&self, input: &mut Reader<'_>, values: &mut Vec<i64>) {
        for Run { width, count } in &self.runs {
            match width {
                Width::One if *count <= input.0.len() => {
                    let (these, rest) = input.0.split_at(*count);
                    input.0 = rest;
                    values.extend(these.iter().map(|byte| i64::from(*byte)));
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
        Scalar::Integer => Width::Eight,
        Scalar::Range { low: 0.., high } => match high {
            ..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            0x1_0000..=0xff_ffff => Width::Three,
            0x100_0000..=0x7fff_ffff => Width::Four,
            _ => Width::Eight,
        },
        Scalar::Range { low, high } => match low.min(-high - 1) {
            -0x8000.. => Width::TwoSigned,
            -0x8000_0000..=-0x8001 => Width::Four,
            _ => Width::Eight,
        },
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

/// Writes a value over the first bytes; gives the others. Most take one byte.
#[inline(always)]
fn write(out: &mut [u8], value: i64, width: Width) -> &mut [u8] {
    match (width, out) {
        (Width::One, [byte, rest @ ..]) => {
            *byte = value as u8;
            rest
        }
        (_, out) => write_wide(out, value, width),
    }
}

#[inline(never)]
fn write_wide(out: &mut [u8], value: i64, width: Width) -> &mut [u8] {
    let (these, rest) = out.split_at_mut(width.bytes());
    these.copy_from_slice(&value.to_le_bytes()[..these.len()]);
    rest
}

/// The bytes that are left. After the last there are zeros.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// The next value. Most take one byte.
    #[inline(always)]
    fn get(&mut self, width: Width) -> i64 {
        match (width, self.0) {
            (Width::One, [byte, rest @ ..]) => {
                self.0 = rest;
                i64::from(*byte)
            }
            _ => self.get_wide(width),
        }
    }

    #[inline(never)]
    fn get_wide(&mut self, width: Width) -> i64 {
        match width {
            Width::None => 0,
            Width::One => i64::from(u8::from_le_bytes(self.take())),
            Width::Two => i64::from(u16::from_le_bytes(self.take())),
            Width::TwoSigned => i64::from(i16::from_le_bytes(self.take())),
            Width::Three => {
                let [a, b, c] = self.take();
                i64::from(u32::from_le_bytes([a, b, c, 0]))
            }
            Width::Four => i64::from(i32::from_le_bytes(self.take())),
            Width::Eight => i64::from_le_bytes(self.take()),
        }
    }

    #[inline]
    fn take<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let Some((head, tail)) = self.0.split_first_chunk() else { return [0; COUNT] };
        self.0 = tail;
        *head
    }
}
