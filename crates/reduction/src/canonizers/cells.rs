//! Cells: the variables of a network and the fields of its messages, and what the names in an
//! expression mean to the process that evaluates it.

use ample_model::{EdgeId, Expr, ExprKind, Place, RemoteRead, Scalar, Scope, SlotId};
use ample_network::facts::{ChannelId, Facts, InstanceId, channel_name, instance_name};
use ample_network::{Network, SlotPlace};
use ample_stdx::{IndexVec, TypedId};

/// Where something was written: at an edge of an instance, or elsewhere in it; else in the
/// question.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub instance: Option<InstanceId>,
    pub edge: Option<EdgeId>,
}

/// A variable, or a field of the messages of a channel.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Whose variable; `None` for globals and fields.
    pub owner: Option<InstanceId>,
    pub slot: SlotId,
    pub scalar: Scalar,
    /// Its value, if it never changes.
    pub constant: Option<i64>,
    /// Where it lies; for a field, in a message.
    pub place: SlotPlace,
}

/// All cells of a network, by sort: the globals, then the variables of each instance.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub list: Vec<Cell>,
    /// The first variable of each instance.
    locals: IndexVec<InstanceId, usize>,
    /// The first field of each channel, by its number less one.
    fields: Vec<usize>,
    /// How many cells are variables; the rest are fields.
    pub variables: usize,
}

impl Cells {
    pub fn new(network: &Network<'_>, facts: &Facts) -> Cells {
        let mut cells = Cells { list: Vec::new(), locals: IndexVec::new(), fields: Vec::new(), variables: 0 };
        for (slot, variable) in network.model.globals.slots.iter_enumerated() {
            let constant = facts.constant_slot(network, None, slot);
            let (scalar, place) = (variable.scalar, network.layout.globals[slot]);
            cells.list.push(Cell { owner: None, slot, scalar, constant, place });
        }
        for instance in network.instances.ids() {
            cells.locals.push(cells.list.len());
            for (slot, variable) in network.template(instance).frame.slots.iter_enumerated() {
                let constant = facts.constant_slot(network, Some(instance), slot);
                let (scalar, place) = (variable.scalar, network.layout.frames[instance].locals[slot]);
                cells.list.push(Cell { owner: Some(instance), slot, scalar, constant, place });
            }
        }
        cells.variables = cells.list.len();
        for channel in &network.layout.channels {
            cells.fields.push(cells.list.len());
            let fields = &network.model.channels[channel.kind].fields;
            for (number, ((scalar, _), place)) in fields.iter().zip(&channel.fields).enumerate() {
                let slot = SlotId::from_index(number);
                cells.list.push(Cell { owner: None, slot, scalar: *scalar, constant: None, place: *place });
            }
        }
        cells
    }

    /// The position of a variable.
    pub fn variable(&self, owner: Option<InstanceId>, slot: usize) -> usize {
        owner.map_or(0, |owner| self.locals[owner]) + slot
    }

    /// The position of a field of the messages of a channel.
    pub fn field(&self, channel: usize, field: usize) -> usize {
        self.fields[channel] + field
    }
}

/// The cells of a network, and what names mean to its processes.
pub(crate) struct Names<'n> {
    pub network: &'n Network<'n>,
    pub facts: &'n Facts,
    pub cells: Cells,
}

impl<'n> Names<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Names<'n> {
        Names { network, facts, cells: Cells::new(network, facts) }
    }

    /// The value of an expression that is the same in every state, to a process or to the question.
    pub fn constant(&self, expr: &Expr, asker: Option<InstanceId>) -> Option<i64> {
        self.facts.constant(self.network, expr, asker)
    }

    /// The variables that a place may be.
    pub fn variables(&self, place: &Place, asker: Option<InstanceId>) -> Vec<usize> {
        match (place.scope, asker) {
            (Scope::Global, _) => self.elements(place, None, asker),
            (Scope::Local, Some(owner)) => self.elements(place, Some(owner), asker),
            (Scope::Local, None) => Vec::new(),
        }
    }

    /// The variables that a remote reference may mean.
    pub fn remote(&self, remote: &RemoteRead, asker: Option<InstanceId>) -> Vec<usize> {
        let number = remote.pid.as_ref().and_then(|pid| self.constant(pid, asker));
        let instances = self.network.instances.iter_enumerated();
        let meant = instances.filter(|(_, instance)| {
            instance.template == remote.template && number.is_none_or(|number| number == i64::from(instance.pid))
        });
        meant.flat_map(|(owner, _)| self.elements(&remote.place, Some(owner), asker)).collect()
    }

    fn elements(&self, place: &Place, owner: Option<InstanceId>, asker: Option<InstanceId>) -> Vec<usize> {
        let mut slots = vec![place.first.index()];
        for index in &place.indices {
            let known = self.constant(&index.value, asker).and_then(|value| u32::try_from(value).ok());
            let steps = known.map_or(0..index.length, |value| value..value.saturating_add(1).min(index.length));
            slots = slots
                .iter()
                .flat_map(|first| steps.clone().map(move |step| first + (step * index.stride) as usize))
                .collect();
        }
        slots.into_iter().map(|slot| self.cells.variable(owner, slot)).collect()
    }

    /// The channels, by their numbers less one, that an expression may mean.
    pub fn channels(&self, channel: &Expr, asker: Option<InstanceId>) -> Vec<usize> {
        let count = self.network.layout.channels.len();
        let known: Option<Vec<i64>> = match (&channel.kind, self.constant(channel, asker)) {
            (_, Some(number)) => Some(vec![number]),
            (ExprKind::Read(place), None) => {
                self.variables(place, asker).into_iter().map(|cell| self.cells.list[cell].constant).collect()
            }
            _ => None,
        };
        let position = |number: i64| usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < count);
        known.map_or((0..count).collect(), |known| known.into_iter().filter_map(position).collect())
    }

    /// A field of the messages of the channels that an expression may mean.
    pub fn fields(&self, channel: &Expr, asker: Option<InstanceId>, field: usize) -> Vec<usize> {
        let has_it = |channel: &usize| field < self.network.layout.channels[*channel].fields.len();
        let channels = self.channels(channel, asker).into_iter().filter(has_it);
        channels.map(|channel| self.cells.field(channel, field)).collect()
    }

    /// What a cell is called.
    pub fn name(&self, cell: usize) -> String {
        let Cell { owner, slot, .. } = self.cells.list[cell];
        match owner {
            Some(owner) => {
                let name = &self.network.template(owner).frame.slots[slot].name;
                format!("{}:{name}", instance_name(self.network, owner))
            }
            None if cell < self.cells.variables => self.network.model.globals.slots[slot].name.clone(),
            None => {
                let channel = self.cells.fields.partition_point(|first| *first <= cell) - 1;
                let name = channel_name(self.network, ChannelId::from_index(channel));
                format!("field {} of {name}", slot.index() + 1)
            }
        }
    }
}

/// An edge, with whose it is.
pub(crate) fn at(network: &Network<'_>, origin: Origin) -> String {
    let Some(instance) = origin.instance else { return "the property".to_owned() };
    let name = instance_name(network, instance);
    match origin.edge {
        Some(edge) => format!("`{}` of {name}", network.template(instance).edges[edge].text),
        None => name,
    }
}

/// A number of a state as it is stored, without its sign. Most have one byte, and canonizers read
/// several for each successor.
#[inline]
pub(crate) fn get(state: &[u8], place: SlotPlace) -> u32 {
    if place.width == 1 { u32::from(state[place.offset as usize]) } else { get_other(state, place) }
}

/// One that does not have one byte.
fn get_other(state: &[u8], place: SlotPlace) -> u32 {
    let at = place.offset as usize;
    match place.width {
        0 => 0,
        1 => u32::from(state[at]),
        2 => u32::from(u16::from_le_bytes([state[at], state[at + 1]])),
        _ => u32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]]),
    }
}

/// Stores a number without its sign.
#[inline]
pub(crate) fn put(state: &mut [u8], place: SlotPlace, value: u32) {
    let (start, width) = (place.offset as usize, usize::from(place.width));
    state[start..start + width].copy_from_slice(&value.to_le_bytes()[..width]);
}
