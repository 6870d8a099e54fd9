//! States: flat vectors of values, so that a copy is a few moves of memory.
//!
//! Processes are created and end like the levels of a stack, and their channels with them. So the
//! variables of all lie one after the other in one vector, and so do the messages of all channels;
//! a process and a channel know where theirs begin.

use ample_model::{ChannelTypeId, LocationId, Model, SlotId, TemplateId};
use ample_stdx::TypedId;
use ample_transition::Pid;

/// A state of a model.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    /// The processes; the position is the process number.
    pub processes: Vec<Process>,
    /// The channels; channel number 1 is the first.
    pub channels: Vec<Channel>,
    /// The process that moved last, where the model asks for it.
    pub last: Pid,
    /// Where the trace assertion is, if there is one.
    pub event: LocationId,
    /// The globals, then the variables of each process.
    variables: Vec<i64>,
    /// How many of the variables are globals.
    globals: usize,
    /// The messages of each channel, oldest first.
    messages: Vec<i64>,
    changes: Changes,
}

/// What may differ from the state that was unpacked: what is not named here is the same.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Anything, because processes were created or ended, or have numbers that are not noted.
    pub(crate) everything: bool,
    pub(crate) globals: bool,
    /// A bit for each process that may be elsewhere, or have another priority.
    pub(crate) processes: u64,
    /// A bit for each process whose variables may have other values.
    pub(crate) locals: u64,
    /// A bit for each channel.
    pub(crate) channels: u64,
}

impl Changes {
    /// The bit of a process or channel. There are bits for the first of them only.
    #[inline]
    fn bit(&mut self, position: usize) -> u64 {
        self.everything |= position >= u64::BITS as usize;
        1_u64.wrapping_shl(position as u32)
    }

    #[inline]
    fn note_process(&mut self, pid: Pid) {
        self.processes |= self.bit(usize::from(pid));
    }

    #[inline]
    fn note_locals(&mut self, pid: Pid) {
        self.locals |= self.bit(usize::from(pid));
    }

    #[inline]
    fn note_channel(&mut self, channel: usize) {
        self.channels |= self.bit(channel);
    }
}

/// States are equal or not whatever happened on the way.
impl PartialEq for Changes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Changes {}

/// A process of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// What it runs.
    pub template: TemplateId,
    /// Where it is.
    pub location: LocationId,
    /// Its priority.
    pub priority: u8,
    /// The first of its variables.
    first: u32,
}

/// A channel of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its declaration.
    pub kind: ChannelTypeId,
    /// How many messages it holds.
    length: u32,
    /// How many values a message has.
    fields: u32,
    /// The first value of its first message.
    first: u32,
}

impl Channel {
    /// How many messages it holds.
    #[inline]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether it holds no message.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Where the values of the message at a position begin.
    #[inline]
    fn start_of(&self, position: usize) -> usize {
        self.first as usize + position * self.fields as usize
    }
}

impl Default for State {
    /// A state without variables, processes and channels.
    fn default() -> Self {
        State {
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            event: LocationId::from_index(0),
            variables: Vec::new(),
            globals: 0,
            messages: Vec::new(),
            changes: Changes { everything: true, ..Changes::default() },
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    /// Copies a state over this one, whose memory is used again.
    fn clone_from(&mut self, source: &Self) {
        let State { processes, channels, last, event, variables, globals, messages, changes } = source;
        self.processes.clone_from(processes);
        self.channels.clone_from(channels);
        self.variables.clone_from(variables);
        self.messages.clone_from(messages);
        (self.last, self.event, self.globals, self.changes) = (*last, *event, *globals, *changes);
    }
}

impl State {
    /// A state without processes and channels, the globals as nobody has written them.
    pub(crate) fn empty(model: &Model) -> State {
        let mut state = State::default();
        state.restart(|values| values.extend(model.globals.slots.iter().map(|slot| slot.scalar.initial())));
        state.event = model.trace.map_or(state.event, |trace| model.templates[trace].entry);
        state
    }

    /// Forgets everything; `push` appends the values of the globals. Processes and channels are to
    /// be added.
    pub fn restart(&mut self, push: impl FnOnce(&mut Vec<i64>)) {
        self.processes.clear();
        self.channels.clear();
        self.messages.clear();
        self.variables.clear();
        push(&mut self.variables);
        self.globals = self.variables.len();
        (self.last, self.event, self.changes) = (0, LocationId::from_index(0), Changes::default());
    }

    /// What may differ from the state that was unpacked.
    pub(crate) fn changes(&self) -> Changes {
        self.changes
    }

    /// Says that it was unpacked: there are no changes.
    pub(crate) fn set_unpacked(&mut self) {
        self.changes = Changes::default();
    }

    /// Says that it comes from no state: all may differ.
    pub(crate) fn forget_origin(&mut self) {
        self.changes.everything = true;
    }

    /// Makes it a copy of the state that it comes from: what did not change since need not be
    /// copied.
    pub(crate) fn restore(&mut self, origin: &State) {
        let changes = self.changes;
        if changes.everything {
            return self.clone_from(origin);
        }
        (self.last, self.event, self.changes) = (origin.last, origin.event, origin.changes);
        if changes.globals {
            self.variables[..origin.globals].copy_from_slice(origin.globals());
        }
        let mut left = changes.processes | changes.locals;
        while left != 0 {
            let pid = left.trailing_zeros() as usize;
            left &= left - 1;
            self.processes[pid] = origin.processes[pid];
            if changes.locals >> pid & 1 != 0 {
                let (first, locals) = (origin.processes[pid].first as usize, origin.locals(pid as Pid));
                self.variables[first..first + locals.len()].copy_from_slice(locals);
            }
        }
        if changes.channels != 0 {
            self.channels.clone_from(&origin.channels);
            self.messages.clone_from(&origin.messages);
        }
    }

    /// Adds a process; `push` appends the values of its variables.
    pub fn add_process(
        &mut self,
        template: TemplateId,
        location: LocationId,
        priority: u8,
        push: impl FnOnce(&mut Vec<i64>),
    ) {
        let first = self.variables.len() as u32;
        push(&mut self.variables);
        self.processes.push(Process { template, location, priority, first });
        self.changes.everything = true;
    }

    /// Adds a channel with so many messages of so many values each; `push` appends the values of
    /// all messages.
    pub fn add_channel(&mut self, kind: ChannelTypeId, fields: usize, length: usize, push: impl FnOnce(&mut Vec<i64>)) {
        let first = self.messages.len();
        push(&mut self.messages);
        debug_assert_eq!(self.messages.len() - first, length * fields, "every value of every message");
        self.channels.push(Channel { kind, length: length as u32, fields: fields as u32, first: first as u32 });
    }

    /// Removes the youngest process and so many channels, those that it created.
    pub(crate) fn remove_process(&mut self, channels: usize) {
        self.changes.everything = true;
        if let Some(process) = self.processes.pop() {
            self.variables.truncate(process.first as usize);
        }
        let left = self.channels.len() - channels;
        if let Some(first) = self.channels.get(left) {
            self.messages.truncate(first.first as usize);
        }
        self.channels.truncate(left);
    }

    /// The bytes of memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        let values = self.variables.capacity() + self.messages.capacity();
        self.processes.capacity() * size_of::<Process>()
            + self.channels.capacity() * size_of::<Channel>()
            + values * size_of::<i64>()
    }

    /// The values of the global variables.
    #[inline]
    pub fn globals(&self) -> &[i64] {
        &self.variables[..self.globals]
    }

    /// The value of a global variable.
    #[inline]
    pub fn global(&self, slot: SlotId) -> i64 {
        debug_assert!(slot.index() < self.globals);
        self.variables[slot.index()]
    }

    /// The values of the variables of a process.
    #[inline]
    pub fn locals(&self, pid: Pid) -> &[i64] {
        let next = self.processes.get(usize::from(pid) + 1);
        let end = next.map_or(self.variables.len(), |next| next.first as usize);
        &self.variables[self.processes[usize::from(pid)].first as usize..end]
    }

    /// The value of a variable of a process.
    #[inline]
    pub fn local(&self, pid: Pid, slot: SlotId) -> i64 {
        self.variables[self.processes[usize::from(pid)].first as usize + slot.index()]
    }

    #[inline]
    pub(crate) fn set_global(&mut self, slot: SlotId, value: i64) {
        debug_assert!(slot.index() < self.globals);
        self.changes.globals = true;
        self.variables[slot.index()] = value;
    }

    #[inline]
    pub(crate) fn set_local(&mut self, pid: Pid, slot: SlotId, value: i64) {
        self.changes.note_locals(pid);
        self.variables[self.processes[usize::from(pid)].first as usize + slot.index()] = value;
    }

    #[inline]
    pub(crate) fn location(&self, pid: Pid) -> LocationId {
        self.processes[usize::from(pid)].location
    }

    #[inline]
    pub(crate) fn set_location(&mut self, pid: Pid, location: LocationId) {
        self.changes.note_process(pid);
        self.processes[usize::from(pid)].location = location;
    }

    pub(crate) fn set_priority(&mut self, pid: Pid, priority: u8) {
        self.changes.note_process(pid);
        self.processes[usize::from(pid)].priority = priority;
    }

    /// The values of all messages of a channel, oldest first.
    #[inline]
    pub fn values_in(&self, channel: usize) -> &[i64] {
        let channel = &self.channels[channel];
        &self.messages[channel.first as usize..channel.start_of(channel.len())]
    }

    /// The message of a channel at a position.
    #[inline]
    pub fn message(&self, channel: usize, position: usize) -> &[i64] {
        let channel = &self.channels[channel];
        &self.messages[channel.start_of(position)..channel.start_of(position + 1)]
    }

    /// The messages of a channel, oldest first.
    pub fn messages(&self, channel: usize) -> impl ExactSizeIterator<Item = &[i64]> {
        (0..self.channels[channel].len()).map(move |position| self.message(channel, position))
    }

    /// Puts a message at a position of a channel, before those that are there.
    pub(crate) fn insert_message(&mut self, channel: usize, position: usize, message: &[i64]) {
        self.changes.note_channel(channel);
        let (start, end) = (self.channels[channel].start_of(position), self.messages.len());
        self.messages.extend_from_slice(message);
        self.messages.copy_within(start..end, start + message.len());
        self.messages[start..start + message.len()].copy_from_slice(message);
        self.channels[channel].length += 1;
        self.channels[channel + 1..].iter_mut().for_each(|later| later.first += message.len() as u32);
    }

    /// Takes the message at a position out of a channel.
    pub(crate) fn remove_message(&mut self, channel: usize, position: usize) {
        let Channel { fields, .. } = self.channels[channel];
        self.changes.note_channel(channel);
        let (start, end) = (self.channels[channel].start_of(position), self.messages.len());
        self.messages.copy_within(start + fields as usize..end, start);
        self.messages.truncate(end - fields as usize);
        self.channels[channel].length -= 1;
        self.channels[channel + 1..].iter_mut().for_each(|later| later.first -= fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two globals, a process with one variable, and three channels, the second with two messages.
    fn state() -> State {
        let mut state = State::default();
        state.restart(|values| values.extend([1, 2]));
        let (template, location) = (TemplateId::from_index(0), LocationId::from_index(0));
        state.add_process(template, location, 1, |values| values.push(3));
        state.add_channel(ChannelTypeId::from_index(0), 1, 1, |values| values.push(4));
        state.add_channel(ChannelTypeId::from_index(0), 2, 2, |values| values.extend([5, 6, 7, 8]));
        state.add_channel(ChannelTypeId::from_index(0), 1, 1, |values| values.push(9));
        state.set_unpacked();
        state
    }

    #[test]
    fn a_message_comes_and_goes_between_others() {
        let mut changed = state();
        changed.insert_message(1, 1, &[10, 11]);
        assert_eq!(changed.values_in(1), [5, 6, 10, 11, 7, 8]);
        assert_eq!((changed.values_in(0), changed.values_in(2)), (&[4][..], &[9][..]));
        changed.remove_message(1, 1);
        assert_eq!(changed, state());
    }

    #[test]
    fn what_changed_is_taken_back() {
        let before = state();
        let mut changed = before.clone();
        changed.set_global(SlotId::from_index(1), 20);
        changed.set_local(0, SlotId::from_index(0), 21);
        changed.set_location(0, LocationId::from_index(7));
        changed.remove_message(1, 0);
        changed.last = 1;
        assert_ne!(changed, before);
        changed.restore(&before);
        assert_eq!(changed, before);
        changed.remove_process(2);
        assert_eq!((changed.processes.len(), changed.channels.len()), (0, 1));
        changed.restore(&before);
        assert_eq!(changed, before);
    }

    #[test]
    fn a_process_that_has_no_bit_counts_as_all() {
        let mut before = state();
        let (template, location) = (TemplateId::from_index(0), LocationId::from_index(0));
        (1..70).for_each(|_| before.add_process(template, location, 1, |values| values.push(3)));
        before.set_unpacked();
        let mut changed = before.clone();
        changed.set_local(63, SlotId::from_index(0), 4);
        assert!(!changed.changes().everything);
        changed.set_local(64, SlotId::from_index(0), 4);
        assert!(changed.changes().everything);
        changed.restore(&before);
        assert_eq!(changed, before);
    }
}
