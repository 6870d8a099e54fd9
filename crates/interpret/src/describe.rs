//! Names and values for people.

use std::fmt::Write as _;

use ample_model::{Arithmetic, Expr, ExprKind, Frame, MtypeSet, Place, Scope, Shown, TemplateKind};
use ample_transition::Pid;

use crate::Interpreter;
use crate::eval::{Context, Error};
use crate::state::State;
use crate::trial::{Log, When};

/// Something that a move changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What: `x`, `user[1].i`, `toR`.
    pub name: String,
    /// Its new value; a channel's is its contents.
    pub value: String,
}

impl Interpreter<'_> {
    /// The name of a process: `user[1]`; the number is the process number.
    pub fn process_name(&self, state: &State, pid: Pid) -> String {
        match state.processes.get(usize::from(pid)) {
            Some(process) => self.process_name_of(process.template, pid),
            None => format!("process {pid}"),
        }
    }

    /// The name of a process that runs this template.
    pub fn process_name_of(&self, template: ample_model::TemplateId, pid: Pid) -> String {
        let template = &self.model.templates[template];
        match template.kind {
            TemplateKind::Init => template.name.clone(),
            _ => format!("{}[{pid}]", template.name),
        }
    }

    /// The name of a channel by its position; those of a process carry its name.
    pub fn channel_name(&self, state: &State, position: usize) -> String {
        let Some(channel) = state.channels.get(position) else { return format!("channel {}", position + 1) };
        let name = &self.model.channels[channel.kind].name;
        match self.channel_owner(state, position) {
            Some(pid) => format!("{}.{name}", self.process_name(state, pid)),
            None => name.clone(),
        }
    }

    fn channel_owner(&self, state: &State, position: usize) -> Option<Pid> {
        let mut first = crate::layout::channels_of(&self.model.globals).count();
        for (pid, process) in state.processes.iter().enumerate() {
            let own = crate::layout::channels_of(&self.model.templates[process.template].frame).count();
            if (first..first + own).contains(&position) {
                return Some(pid as Pid);
            }
            first += own;
        }
        None
    }

    /// A value as its variable's type shows it.
    pub fn show(&self, state: &State, shown: Shown, value: i64) -> String {
        match shown {
            Shown::Number => value.to_string(),
            Shown::Truth => match value {
                0 => "false".to_owned(),
                1 => "true".to_owned(),
                _ => value.to_string(),
            },
            Shown::Mtype(set) => self.model.mtypes[set].name_of(value).map_or(value.to_string(), str::to_owned),
            Shown::Channel if value == 0 => "no channel".to_owned(),
            Shown::Channel => self.channel_name(state, value as usize - 1),
        }
    }

    /// The messages of a channel: `[msg(1), ack]`.
    pub fn show_channel(&self, state: &State, position: usize) -> String {
        let channel = &state.channels[position];
        let fields = &self.model.channels[channel.kind].fields;
        let message = |message: &[i64]| {
            let shown: Vec<String> =
                message.iter().zip(fields).map(|(value, field)| self.show(state, field.1, *value)).collect();
            if shown.len() == 1 { shown.concat() } else { format!("({})", shown.join(", ")) }
        };
        format!("[{}]", state.messages(position).map(message).collect::<Vec<_>>().join(", "))
    }

    /// What differs between two states, in the order globals, channels, processes.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let mut changes = Vec::new();
        self.frame_changes("", &self.model.globals, before.globals(), after.globals(), after, &mut changes);
        for position in 0..after.channels.len() {
            let exists = position < before.channels.len();
            if exists && !before.messages(position).eq(after.messages(position)) {
                let name = self.channel_name(after, position);
                changes.push(Change { name, value: self.show_channel(after, position) });
            }
        }
        for (pid, process) in after.processes.iter().enumerate() {
            let Some(old) = before.processes.get(pid).filter(|old| old.template == process.template) else { continue };
            let name = format!("{}.", self.process_name(after, pid as Pid));
            let frame = &self.model.templates[process.template].frame;
            self.frame_changes(&name, frame, before.locals(pid as Pid), after.locals(pid as Pid), after, &mut changes);
            if old.priority != process.priority {
                changes.push(Change { name: format!("{name}_priority"), value: process.priority.to_string() });
            }
        }
        changes
    }

    fn frame_changes(
        &self,
        prefix: &str,
        frame: &Frame,
        before: &[i64],
        after: &[i64],
        state: &State,
        changes: &mut Vec<Change>,
    ) {
        for ((slot, old), new) in frame.slots.iter().zip(before.iter()).zip(after.iter()) {
            if old != new {
                let name = format!("{prefix}{}", slot.name);
                changes.push(Change { name, value: self.show(state, slot.shown, *new) });
            }
        }
    }

    /// All variables and channels of a state, with their values. A variable that names the channel
    /// it was declared with is left out: the channel itself has the same name.
    pub fn describe(&self, state: &State) -> Vec<Change> {
        let mut all = Vec::new();
        let mut add = |prefix: &str, frame: &Frame, values: &[i64]| {
            for (slot, value) in frame.slots.iter().zip(values.iter()) {
                let (name, value) = (format!("{prefix}{}", slot.name), self.show(state, slot.shown, *value));
                if slot.shown != Shown::Channel || value != name {
                    all.push(Change { name, value });
                }
            }
        };
        add("", &self.model.globals, state.globals());
        for (pid, process) in state.processes.iter().enumerate() {
            let name = format!("{}.", self.process_name(state, pid as Pid));
            add(&name, &self.model.templates[process.template].frame, state.locals(pid as Pid));
        }
        for position in 0..state.channels.len() {
            let name = self.channel_name(state, position);
            all.push(Change { name, value: self.show_channel(state, position) });
        }
        all
    }

    /// Where a process waits, for the notes of a fault: `user[1] waits for: x > 0`.
    pub(crate) fn describe_waiting(&self, state: &State, pid: Pid) -> String {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let mut texts: Vec<&str> = Vec::new();
        for id in &template.locations[process.location].edges {
            let text = template.edges[*id].text.as_str();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        format!("{} waits at: {}", self.process_name(state, pid), texts.join(" | "))
    }

    /// The values of the variables that an expression reads.
    pub(crate) fn describe_operands(&self, state: &State, pid: Pid, expr: &Expr, when: When) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        expr.walk(&mut |part| {
            if let ExprKind::Read(place) = &part.kind
                && let Ok(note) = self.describe_place(state, pid, place, when)
                && !notes.contains(&note)
            {
                notes.push(note);
            }
        });
        notes
    }

    fn describe_place(&self, state: &State, pid: Pid, place: &Place, when: When) -> Result<String, Error> {
        let slot = Context::of(self, state, pid, when.timeout).slot(place)?;
        let process = &state.processes[usize::from(pid)];
        let (frame, value) = match place.scope {
            Scope::Global => (&self.model.globals, state.global(slot)),
            Scope::Local => (&self.model.templates[process.template].frame, state.local(pid, slot)),
        };
        let slot = &frame.slots[slot];
        Ok(format!("{} is {}", slot.name, self.show(state, slot.shown, value)))
    }

    /// `printf`: the conversions of C that make sense for integers, and `%e` for symbolic names.
    #[inline(never)]
    pub(crate) fn print(
        &self,
        state: &State,
        pid: Pid,
        format: &str,
        arguments: &[Expr],
        when: When,
        log: &mut Log,
    ) -> Result<(), Error> {
        let mut arguments = arguments.iter();
        let mut rest = format.chars();
        while let Some(c) = rest.next() {
            if c != '%' {
                log.printed.push(c);
                continue;
            }
            let conversion =
                rest.find(|c| !c.is_ascii_digit() && !matches!(c, '-' | '+' | ' ' | '#' | '.' | 'l' | 'h'));
            if conversion == Some('%') || conversion.is_none() {
                log.printed.push('%');
                continue;
            }
            let Some(argument) = arguments.next() else { continue };
            let value = Context::of(self, state, pid, when.timeout).eval(argument)?;
            // Writing to a string cannot fail.
            let _ = match conversion {
                Some('c') => write!(log.printed, "{}", value as u8 as char),
                Some('x') => write!(log.printed, "{:x}", self.unsigned(value)),
                Some('o') => write!(log.printed, "{:o}", self.unsigned(value)),
                Some('u') => write!(log.printed, "{}", self.unsigned(value)),
                Some('e') => write!(log.printed, "{}", self.symbolic(state, pid, argument, value)),
                _ => write!(log.printed, "{value}"),
            };
        }
        Ok(())
    }

    /// The bits of a value as a number without sign.
    fn unsigned(&self, value: i64) -> u64 {
        match self.model.arithmetic {
            Arithmetic::Wrapping32 => u64::from(value as u32),
            Arithmetic::Exact => value as u64,
        }
    }

    #[inline(never)]
    pub(crate) fn print_name(
        &self,
        state: &State,
        pid: Pid,
        value: &Expr,
        when: When,
        log: &mut Log,
    ) -> Result<(), Error> {
        let number = Context::of(self, state, pid, when.timeout).eval(value)?;
        log.printed.push_str(&self.symbolic(state, pid, value, number));
        Ok(())
    }

    /// The symbolic name of a value: in the set of the variable it was read from, else in the
    /// unnamed one.
    fn symbolic(&self, state: &State, pid: Pid, expr: &Expr, value: i64) -> String {
        let declared = match &expr.kind {
            ExprKind::Read(place) => {
                let frame = match place.scope {
                    Scope::Global => &self.model.globals,
                    Scope::Local => &self.model.templates[state.processes[usize::from(pid)].template].frame,
                };
                match frame.slots[place.first].shown {
                    Shown::Mtype(set) => Some(&self.model.mtypes[set]),
                    _ => None,
                }
            }
            _ => None,
        };
        let unnamed = || self.model.mtypes.iter().find(|set| set.name.is_none());
        let name = |set: &MtypeSet| set.name_of(value).map(str::to_owned);
        declared.or_else(unnamed).and_then(name).unwrap_or_else(|| value.to_string())
    }
}
