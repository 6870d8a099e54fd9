//! What a renaming does to packed states.

use std::collections::BTreeMap;

use ample_network::facts::InstanceId;
use ample_network::{Network, SlotPlace};
use ample_stdx::TypedId;

use super::lowering::Lowered;
use super::renaming::{Permutation, Renaming};
use crate::canonizers::cells::get;

/// When a piece of a state is more than zeros that stand for nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Always,
    /// Where this location is not 0: the process exists.
    Exists(SlotPlace),
    /// Where the channel has more messages than this.
    Message(SlotPlace, u32),
}

impl Presence {
    #[inline]
    pub fn holds(self, state: &[u8]) -> bool {
        match self {
            Presence::Always => true,
            Presence::Exists(location) => get(state, location) != 0,
            Presence::Message(length, number) => get(state, length) > number,
        }
    }
}

/// A number in a state: a variable, a location, a field of a message, or the length of a channel.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub place: SlotPlace,
    pub presence: Presence,
}

/// All numbers of a state.
pub(super) struct Atoms {
    pub list: Vec<Atom>,
    /// Those of variables that have room, by cell.
    of_cell: BTreeMap<usize, usize>,
    /// The locations, by instance.
    of_instance: Vec<usize>,
    /// The length of each channel; its messages follow, field by field.
    of_channel: Vec<usize>,
}

impl Atoms {
    pub fn new(lowered: &Lowered<'_>) -> Atoms {
        let network = lowered.network;
        let mut atoms =
            Atoms { list: Vec::new(), of_cell: BTreeMap::new(), of_instance: Vec::new(), of_channel: Vec::new() };
        for (cell, variable) in lowered.cells.list[..lowered.cells.variables].iter().enumerate() {
            let location = |owner: InstanceId| Presence::Exists(network.layout.frames[owner].location);
            let presence = variable.owner.map_or(Presence::Always, location);
            if variable.place.width > 0 {
                atoms.of_cell.insert(cell, atoms.list.len());
                atoms.list.push(Atom { place: variable.place, presence });
            }
        }
        for frame in &network.layout.frames {
            atoms.of_instance.push(atoms.list.len());
            atoms.list.push(Atom { place: frame.location, presence: Presence::Always });
        }
        atoms.add_channels(network);
        atoms
    }

    /// Where an instance is.
    pub fn location(&self, instance: InstanceId) -> usize {
        self.of_instance[instance.index()]
    }

    fn add_channels(&mut self, network: &Network<'_>) {
        for channel in &network.layout.channels {
            self.of_channel.push(self.list.len());
            self.list.push(Atom { place: channel.length, presence: Presence::Always });
            for number in 0..channel.capacity {
                for field in &channel.fields {
                    let offset = channel.messages + number * channel.message_size + field.offset;
                    let presence = Presence::Message(channel.length, number);
                    self.list.push(Atom { place: SlotPlace { offset, ..*field }, presence });
                }
            }
        }
    }
}

/// Permutations of values, each once; the first changes nothing.
#[derive(Debug)]
pub(super) struct Permutations {
    pub list: Vec<Permutation>,
}

impl Permutations {
    pub fn new() -> Permutations {
        Permutations { list: vec![Permutation::new()] }
    }

    fn number(&mut self, permutation: Permutation) -> usize {
        match self.list.iter().position(|known| *known == permutation) {
            Some(number) => number,
            None => {
                self.list.push(permutation);
                self.list.len() - 1
            }
        }
    }

    /// First the one, then the other.
    fn composed(&mut self, one: usize, other: usize) -> usize {
        let (first, second) = (&self.list[one], &self.list[other]);
        let after = |permutation: &Permutation, value: i64| permutation.get(&value).copied().unwrap_or(value);
        let values = first.keys().chain(second.keys());
        let pairs = values.map(|value| (*value, after(second, after(first, *value))));
        let composed = pairs.filter(|(from, to)| from != to).collect();
        self.number(composed)
    }
}

/// Where a number of a state goes, and what becomes of its value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    pub atom: usize,
    pub values: usize,
}

/// What a renaming does to the numbers of a state. The composition of two that were proved needs no
/// proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub images: Vec<Image>,
}

impl Action {
    pub fn identity(atoms: &Atoms) -> Action {
        Action { images: (0..atoms.list.len()).map(|atom| Image { atom, values: 0 }).collect() }
    }

    /// Of a renaming that was proved.
    pub fn new(lowered: &Lowered<'_>, atoms: &Atoms, renaming: &Renaming, values: &mut Permutations) -> Action {
        let mut action = Action::identity(atoms);
        for (cell, atom) in &atoms.of_cell {
            let Some(target) = atoms.of_cell.get(&renaming.variables[*cell]) else { continue };
            let values = values.number(renaming.of_cell(*cell).cloned().unwrap_or_default());
            action.images[*atom] = Image { atom: *target, values };
        }
        for (from, to) in renaming.instances.iter_enumerated() {
            action.images[atoms.location(from)].atom = atoms.location(*to);
        }
        for (position, channel) in lowered.network.layout.channels.iter().enumerate() {
            let target = renaming.channel(position).unwrap_or(position);
            let (from, to) = (atoms.of_channel[position], atoms.of_channel[target]);
            action.images[from].atom = to;
            let fields = channel.fields.len();
            for message in 0..channel.capacity as usize * fields {
                let field = renaming.of_cell(lowered.cells.field(position, message % fields));
                let values = values.number(field.cloned().unwrap_or_default());
                action.images[from + 1 + message] = Image { atom: to + 1 + message, values };
            }
        }
        action
    }

    /// This one, then another.
    pub fn then(&self, other: &Action, values: &mut Permutations) -> Action {
        let image = |first: &Image| {
            let second = other.images[first.atom];
            Image { atom: second.atom, values: values.composed(first.values, second.values) }
        };
        Action { images: self.images.iter().map(image).collect() }
    }

    /// Whether a number of the state stays where it is with its value.
    pub fn fixes(&self, atom: usize) -> bool {
        self.images[atom] == Image { atom, values: 0 }
    }
}
