//! States: as structured data for the interpreter, as packed bytes for everybody else.
//!
//! The packed form is: the number of processes; the process that moved last and the location of the
//! trace assertion, where the model needs them; the globals; each process (template, location,
//! priority where used, locals); each channel (number of messages, messages). Which channels exist
//! follows from the processes: first those of the globals, then those of each process, so their
//! kinds are not packed.

use ample_model::{ChannelTypeId, Frame, InitValue, LocationId, Model, Scalar, SlotId, TemplateId};
use ample_stdx::{IndexVec, Shared, TypedId};
use ample_transition::Pid;

/// A state of a model. A successor shares with it whatever a move does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The values of the global variables.
    pub globals: Shared<IndexVec<SlotId, i32>>,
    /// The processes; the position is the process number.
    pub processes: Vec<Shared<Process>>,
    /// The channels; channel number 1 is the first.
    pub channels: Vec<Shared<Channel>>,
    /// The process that moved last, where the model asks for it.
    pub last: Pid,
    /// Where the trace assertion is, if there is one.
    pub event: LocationId,
}

/// A process of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// What it runs.
    pub template: TemplateId,
    /// Where it is.
    pub location: LocationId,
    /// Its priority.
    pub priority: u8,
    /// The values of its variables.
    pub locals: IndexVec<SlotId, i32>,
}

/// A channel of a state: its messages, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its declaration.
    pub kind: ChannelTypeId,
    /// The messages.
    pub messages: Vec<Vec<i32>>,
}

impl State {
    /// A state without processes and channels, all globals zero.
    pub(crate) fn empty(model: &Model) -> State {
        State {
            globals: Shared::new(model.globals.slots.iter().map(|_| 0).collect()),
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            event: model.trace.map(|trace| model.templates[trace].entry).unwrap_or(LocationId::from_index(0)),
        }
    }

    /// Adds an empty channel; gives its number.
    pub(crate) fn add_channel(&mut self, kind: ChannelTypeId) -> i32 {
        self.channels.push(Shared::new(Channel { kind, messages: Vec::new() }));
        self.channels.len() as i32
    }
}

/// The channels that come into being with a frame.
pub(crate) fn channels_of(frame: &Frame) -> impl Iterator<Item = ChannelTypeId> + '_ {
    frame.init.iter().filter_map(|init| match init.value {
        InitValue::Channel(kind) => Some(kind),
        InitValue::Expr(_) => None,
    })
}

/// How many bytes each thing takes in the packed form.
pub(crate) struct Layout {
    pid: usize,
    template: usize,
    location: usize,
    channel_numbers: usize,
}

impl Layout {
    pub(crate) fn new(model: &Model, max_processes: u16) -> Layout {
        let most_locations = model.templates.iter().map(|template| template.locations.len()).max().unwrap_or(0);
        Layout {
            pid: if max_processes > 255 { 2 } else { 1 },
            template: width(model.templates.len()),
            location: width(most_locations),
            channel_numbers: if max_processes > 255 { 2 } else { 1 },
        }
    }

    /// The value that remains when `value` is stored. More than 255 processes need wider process
    /// and channel numbers.
    pub(crate) fn truncate(&self, scalar: Scalar, value: i32) -> i32 {
        match scalar {
            Scalar::Pid if self.pid == 1 => value & 0xff,
            Scalar::Channel if self.channel_numbers == 2 => value & 0xffff,
            _ => scalar.truncate(value),
        }
    }

    fn scalar_width(&self, scalar: Scalar) -> usize {
        match scalar {
            Scalar::Bit | Scalar::Byte => 1,
            Scalar::Pid => self.pid,
            Scalar::Channel => self.channel_numbers,
            Scalar::Short => 2,
            Scalar::Int => 4,
            Scalar::Unsigned(bits) => usize::from(bits).div_ceil(8).max(1),
        }
    }

    pub(crate) fn encode(&self, model: &Model, state: &State, bytes: &mut Vec<u8>) {
        let out = &mut Writer(bytes);
        out.put(state.processes.len() as u32, self.pid);
        if model.uses.last {
            out.put(u32::from(state.last), self.pid);
        }
        if let Some(trace) = model.trace {
            out.put(state.event.index() as u32, width(model.templates[trace].locations.len()));
        }
        self.encode_frame(&model.globals, &state.globals, out);
        for process in &state.processes {
            out.put(process.template.index() as u32, self.template);
            out.put(process.location.index() as u32, self.location);
            if model.uses.priorities {
                out.put(u32::from(process.priority), 1);
            }
            self.encode_frame(&model.templates[process.template].frame, &process.locals, out);
        }
        for channel in &state.channels {
            let kind = &model.channels[channel.kind];
            out.put(channel.messages.len() as u32, width(kind.capacity as usize + 1));
            for (field, value) in channel.messages.iter().flat_map(|message| kind.fields.iter().zip(message)) {
                out.put(*value as u32, self.scalar_width(field.0));
            }
        }
    }

    fn encode_frame(&self, frame: &Frame, values: &IndexVec<SlotId, i32>, out: &mut Writer<'_>) {
        for (slot, value) in frame.slots.iter().zip(values.iter()) {
            if !slot.hidden {
                out.put(*value as u32, self.scalar_width(slot.scalar));
            }
        }
    }

    pub(crate) fn decode(&self, model: &Model, bytes: &[u8]) -> State {
        let input = &mut Reader(bytes);
        let mut state = State::empty(model);
        let processes = input.get(self.pid);
        if model.uses.last {
            state.last = input.get(self.pid) as Pid;
        }
        if let Some(trace) = model.trace {
            state.event = LocationId::from_index(input.get(width(model.templates[trace].locations.len())) as usize);
        }
        state.globals = self.decode_frame(&model.globals, input).into();
        for _ in 0..processes {
            let template = TemplateId::from_index(input.get(self.template) as usize);
            let location = LocationId::from_index(input.get(self.location) as usize);
            let priority = if model.uses.priorities { input.get(1) as u8 } else { 1 };
            let locals = self.decode_frame(&model.templates[template].frame, input);
            state.processes.push(Shared::new(Process { template, location, priority, locals }));
        }
        let frames = state.processes.iter().map(|process| &model.templates[process.template].frame);
        for kind in std::iter::once(&model.globals).chain(frames).flat_map(channels_of) {
            let fields = &model.channels[kind].fields;
            let messages = (0..input.get(width(model.channels[kind].capacity as usize + 1)))
                .map(|_| fields.iter().map(|field| self.decode_scalar(field.0, input)).collect())
                .collect();
            state.channels.push(Shared::new(Channel { kind, messages }));
        }
        state
    }

    fn decode_frame(&self, frame: &Frame, input: &mut Reader<'_>) -> IndexVec<SlotId, i32> {
        let value = |slot: &ample_model::Slot| if slot.hidden { 0 } else { self.decode_scalar(slot.scalar, input) };
        frame.slots.iter().map(value).collect()
    }

    fn decode_scalar(&self, scalar: Scalar, input: &mut Reader<'_>) -> i32 {
        let raw = input.get(self.scalar_width(scalar));
        match scalar {
            Scalar::Short => i32::from(raw as u16 as i16),
            _ => raw as i32,
        }
    }
}

/// Bytes needed to number `count` things from 0.
fn width(count: usize) -> usize {
    match count {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn put(&mut self, value: u32, width: usize) {
        match width {
            1 => self.0.push(value as u8),
            2 => self.0.extend_from_slice(&(value as u16).to_le_bytes()),
            _ => self.0.extend_from_slice(&value.to_le_bytes()[..width]),
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn get(&mut self, width: usize) -> u32 {
        let (head, tail) = self.0.split_at(width.min(self.0.len()));
        self.0 = tail;
        let mut raw = [0; 4];
        raw[..head.len()].copy_from_slice(head);
        u32::from_le_bytes(raw)
    }
}
