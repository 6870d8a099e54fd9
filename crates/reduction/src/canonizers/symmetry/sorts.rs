//! Sorts: which variables, message fields and constants hold values of one meaning.
//!
//! Two places belong to one sort if a value may come from one to the other, or is compared with it.
//! A sort that the model computes with, orders, or asks for truth is frozen: no renaming changes
//! its values. The others may hold process or channel numbers, and nothing else.

use ample_model::{EdgeId, Scalar, SlotId};
use ample_network::facts::{Facts, InstanceId};
use ample_network::{Network, SlotPlace};
use ample_stdx::{IndexVec, TypedId, typed_id};

typed_id! {
    /// A cell of the network, as a member of a sort. The first three are no cells.
    pub(super) struct SortId;
}

/// Where something was written: at an edge of an instance, or elsewhere in it; else in the
/// question.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub instance: Option<InstanceId>,
    pub edge: Option<EdgeId>,
}

/// Numbers that mean themselves.
pub(super) const PLAIN: usize = 0;
/// Process numbers.
pub(super) const PIDS: usize = 1;
/// Channel numbers.
pub(super) const CHANNELS: usize = 2;

/// A variable, or a field of the messages of a channel.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Whose variable; `None` for globals and fields.
    pub owner: Option<InstanceId>,
    pub slot: SlotId,
    pub scalar: Scalar,
    /// Its value, if it never changes.
    pub constant: Option<i32>,
    /// Where it lies; for a field, in a message.
    pub place: SlotPlace,
}

/// All cells of a network, by sort: the globals, then the variables of each instance.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub list: Vec<Cell>,
    /// The first variable of each instance.
    locals: IndexVec<InstanceId, usize>,
    /// The first field of each channel, by its number less one.
    fields: Vec<usize>,
    /// How many cells are variables; the rest are fields.
    pub variables: usize,
}

/// The sorts before the first cell.
const BEFORE: usize = 3;

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

/// A partition of all cells into sorts (union-find).
#[derive(Clone, Debug)]
pub(super) struct Sorts {
    parent: Vec<usize>,
    /// At roots: why the values of the sort mean themselves.
    frozen: Vec<Option<Origin>>,
}

impl Sorts {
    pub fn new(cells: &Cells) -> Sorts {
        let count = BEFORE + cells.list.len();
        let mut sorts = Sorts { parent: (0..count).collect(), frozen: vec![None; count] };
        sorts.frozen[PLAIN] = Some(Origin { instance: None, edge: None });
        sorts
    }

    /// The sort of a cell.
    pub fn of_cell(cell: usize) -> SortId {
        SortId::from_index(BEFORE + cell)
    }

    pub fn root(&self, sort: SortId) -> usize {
        let mut at = sort.index();
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// Makes two sorts one. What is joined with plain numbers is frozen.
    pub fn join(&mut self, a: SortId, b: SortId, origin: Origin) {
        let (a, b) = (self.root(a), self.root(b));
        match (a, b) {
            _ if a == b => {}
            (PLAIN, other) | (other, PLAIN) => {
                self.frozen[other].get_or_insert(origin);
            }
            _ => {
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high] = low;
                self.frozen[low] = self.frozen[low].or(self.frozen[high]);
            }
        }
    }

    /// Why the values of a sort mean themselves, if they do.
    pub fn frozen(&self, root: usize) -> Option<Origin> {
        self.frozen[root]
    }
}
