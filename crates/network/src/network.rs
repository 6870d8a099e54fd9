//! A model with its processes.

use ample_interpret::State;
use ample_model::{LocationId, Model, SlotId, Template, TemplateId};
use ample_stdx::IndexVec;
use ample_transition::Pid;

use crate::{Instance, InstanceId, Layout, layout};

/// How many messages a channel holds.
#[derive(Copy, Clone, Debug)]
pub struct Fill {
    /// The number of messages.
    pub length: u32,
    /// The largest number of messages; 0 for a rendezvous channel.
    pub capacity: u32,
}

impl Fill {
    /// Whether there is no message.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Whether there is no room for another message.
    pub fn is_full(self) -> bool {
        self.length >= self.capacity
    }
}

/// A model with its processes.
pub struct Network<'m> {
    /// The model.
    pub model: &'m Model,
    /// The processes that there may be, in the order of their numbers. Several may have the same
    /// number, each with another template: then at most one of them exists at a time.
    pub instances: IndexVec<InstanceId, Instance>,
    /// Whether the processes are guessed, so that there may be states that do not fit.
    pub is_guessed: bool,
    /// How many process numbers there are.
    pub numbers: usize,
    /// How many processes there may be at a time before creating one fails.
    pub max_processes: u16,
    /// The global variables that never change, with their values.
    pub constants: IndexVec<SlotId, Option<i64>>,
    /// Where everything lies in a state.
    pub layout: Layout,
}

impl<'m> Network<'m> {
    /// What an instance runs.
    pub fn template(&self, instance: InstanceId) -> &'m Template {
        &self.model.templates[self.instances[instance].template]
    }

    /// Packs a state of the interpreter. `None` if it does not fit: a process is not what was
    /// expected at its number.
    pub fn pack(&self, state: &State) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.pack_into(state, &mut bytes).then_some(bytes)
    }

    /// Appends a state of the interpreter in packed form; false, and nothing is appended, if it
    /// does not fit.
    pub fn pack_into(&self, state: &State, bytes: &mut Vec<u8>) -> bool {
        self.layout.pack(self.instances.as_slice(), state, bytes)
    }

    /// Unpacks a state for the interpreter.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let mut state = State::default();
        self.unpack_into(bytes, &mut state);
        state
    }

    /// The same over a state whose memory is used again.
    pub fn unpack_into(&self, bytes: &[u8], state: &mut State) {
        debug_assert!(self.fits(bytes), "a state that does not fit has another form");
        self.layout.unpack(self.instances.as_slice(), &self.constants, bytes, state);
    }

    /// What runs the first process of a state that is not one of the instances.
    pub fn first_unexpected(&self, state: &State) -> Option<TemplateId> {
        self.layout.first_unexpected(self.instances.as_slice(), state)
    }

    /// Whether a packed state has the form of the network.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        bytes.len() == self.layout.size as usize
    }

    /// Where an instance is in a packed state, if it exists there.
    #[inline]
    pub fn location_in(&self, bytes: &[u8], instance: InstanceId) -> Option<LocationId> {
        debug_assert!(self.fits(bytes), "a state that does not fit has another form");
        let frame = self.layout.frames.get(instance)?;
        self.instances[instance].location_at(layout::get(bytes, frame.location))
    }

    /// How many messages a channel holds in a packed state; `None` if the channel does not exist,
    /// or its process does not.
    pub fn messages_in(&self, bytes: &[u8], channel: usize) -> Option<Fill> {
        let place = self.layout.channels.get(channel)?;
        let exists = |owner: Pid| self.numbered(owner).any(|instance| self.location_in(bytes, instance).is_some());
        if !place.owner.is_none_or(exists) {
            return None;
        }
        Some(Fill { length: layout::get(bytes, place.length) as u32, capacity: place.capacity })
    }

    /// The instances with this process number.
    pub fn numbered(&self, pid: Pid) -> impl Iterator<Item = InstanceId> + Clone + '_ {
        self.instances.ids().filter(move |instance| self.instances[*instance].pid == pid)
    }

    /// Whether an instance is the only one with its number.
    pub fn is_alone(&self, instance: InstanceId) -> bool {
        self.numbered(self.instances[instance].pid).nth(1).is_none()
    }
}
