//! Equivalent values: those of a variable that no test can tell apart, now or later, become the
//! least of them (Pelánek, section 3.2.2).
//!
//! A variable of which somebody only asks whether it is 3 has two values that count; a counter of
//! which somebody asks whether it has come to 5, and which does not grow beyond what its type
//! holds, has six. Which values count depends on where a process is: on what it may still ask.
//!
//! - [`function`]: expressions that depend on one variable; [`uses`]: which of them are evaluated
//!   where, and where their values go, as a [`graph`];
//! - [`counters`]: those that have a largest value, since they only grow, and by additions that are
//!   not on a cycle of control;
//! - [`classes`]: which values can be told apart.
//!
//! Of other counters nothing is assumed: that a `byte` wraps around at 255 is one of the flows of
//! its values. The least value stands for a class, so that a counter never has more than it has in
//! the system, and its largest value is not exceeded. An expression that depends on two variables
//! looks at both values themselves.
//!
//! States that differ by equivalent values have the same transitions, to states that differ by
//! equivalent values: each evaluation has the same result, and what is stored is equivalent.

mod classes;
mod counters;
mod function;
mod graph;
mod report;
mod uses;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{Arithmetic, LocationId};
use ample_network::facts::{Facts, InstanceId};
use ample_network::{Network, SlotPlace};
use ample_stdx::{IndexVec, Stop, TypedId};
use ample_transition::{Canonizer, Scratch};

use self::classes::{Classes, classes};
use self::graph::{Graph, NodeId};
use self::uses::Uses;
use super::cells::{Names, get, put};
use super::entry::CanonizerEntry;
use crate::{NotHere, Visible};

pub use report::EquivalentValues;

/// One value for all that cannot be told apart.
pub static VALUES: Part = Part {
    name: "values",
    kind: PartKind::Canonizer,
    summary: "values of a variable that no test can tell apart are one",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.2.2"),
    guarantee: Guarantee::EXACT,
};

pub(super) const ENTRY: CanonizerEntry = CanonizerEntry { part: &VALUES, is_automatic: false, make, close: None };

fn make<'n>(
    network: &'n Network<'n>,
    facts: &'n Facts,
    visible: &Visible<'_>,
    stop: &Stop,
) -> Result<Option<Box<dyn Canonizer + 'n>>, NotHere> {
    if network.model.arithmetic == Arithmetic::Exact {
        return Err(NotHere("its integers are exact: values that cannot be stored tell others apart".to_owned()));
    }
    let names = Names::new(network, facts);
    let graph = Uses::of(&names, visible).graph;
    let Some(classes) = classes(&graph, stop) else {
        return Err(NotHere("its variables have too many values to compare".to_owned()));
    };
    let least = Least::new(&names, &graph, &classes);
    if least.is_identity() {
        return Err(NotHere("all values that its variables may have can be told apart".to_owned()));
    }
    Ok(Some(Box::new(least)))
}

/// Gives each variable the least of the values that cannot be told apart from its own.
struct Least<'n> {
    network: &'n Network<'n>,
    globals: Vec<(SlotPlace, Replacements)>,
    locals: Vec<OfProcess>,
    fields: Vec<Field>,
}

/// The variables of a process.
struct OfProcess {
    instance: InstanceId,
    /// At each location.
    at: IndexVec<LocationId, Vec<(SlotPlace, Replacements)>>,
}

/// A field of the messages of a channel.
struct Field {
    length: SlotPlace,
    /// In the first message.
    place: SlotPlace,
    message_size: u32,
    replacements: Replacements,
}

/// By which value another one is replaced, as they are stored.
enum Replacements {
    /// All values by zero.
    Zero,
    /// Of one byte: for each value.
    Bytes(Box<[u8; 256]>),
    /// Those that change, in the order of the first.
    Sorted(Vec<(u32, u32)>),
}

impl Replacements {
    fn new(classes: &Classes, place: SlotPlace) -> Option<Replacements> {
        if classes.is_dead {
            return Some(Replacements::Zero);
        }
        let mask = u32::MAX >> (32 - 8 * u32::from(place.width.min(4)));
        let mut replaced: Vec<(u32, u32)> =
            classes.represented().map(|(value, least)| (value as u32 & mask, least as u32 & mask)).collect();
        replaced.sort_unstable();
        if place.width == 1 {
            let mut bytes: Box<[u8; 256]> = Box::new(std::array::from_fn(|byte| byte as u8));
            replaced.iter().for_each(|(from, to)| bytes[*from as usize] = *to as u8);
            return (!replaced.is_empty()).then_some(Replacements::Bytes(bytes));
        }
        (!replaced.is_empty()).then_some(Replacements::Sorted(replaced))
    }

    #[inline]
    fn apply(&self, state: &mut [u8], place: SlotPlace) -> bool {
        match self {
            Replacements::Zero => {
                let is_changed = get(state, place) != 0;
                put(state, place, 0);
                is_changed
            }
            Replacements::Bytes(bytes) => {
                let byte = &mut state[place.offset as usize];
                let before = std::mem::replace(byte, bytes[usize::from(*byte)]);
                before != *byte
            }
            Replacements::Sorted(replaced) => {
                let value = get(state, place);
                let Ok(at) = replaced.binary_search_by_key(&value, |(from, _)| *from) else { return false };
                put(state, place, replaced[at].1);
                true
            }
        }
    }
}

impl<'n> Least<'n> {
    fn new(names: &Names<'n>, graph: &Graph, classes: &IndexVec<NodeId, Classes>) -> Least<'n> {
        let network = names.network;
        let replacements = |cell: usize, point: usize| {
            let place = names.cells.list[cell].place;
            let node = graph.node(names, cell, point)?;
            Some((place, Replacements::new(&classes[node], place)?))
        };
        let globals = network.model.globals.slots.ids();
        let globals = globals.filter_map(|slot| replacements(names.cells.variable(None, slot.index()), 0)).collect();
        let of_process = |instance: InstanceId| {
            let template = network.template(instance);
            let at = |location: LocationId| {
                let cells = template.frame.slots.ids().map(|slot| names.cells.variable(Some(instance), slot.index()));
                cells.filter_map(|cell| replacements(cell, location.index())).collect()
            };
            OfProcess { instance, at: template.locations.ids().map(at).collect() }
        };
        let locals = network.instances.ids().map(of_process);
        let locals = locals.filter(|process| process.at.iter().any(|replaced| !replaced.is_empty())).collect();
        let mut fields = Vec::new();
        for (number, channel) in network.layout.channels.iter().enumerate().filter(|(_, place)| place.capacity > 0) {
            for (field, place) in channel.fields.iter().enumerate() {
                if let Some((_, replacements)) = replacements(names.cells.field(number, field), 0) {
                    let place = SlotPlace { offset: channel.messages + place.offset, ..*place };
                    let (length, message_size) = (channel.length, channel.message_size);
                    fields.push(Field { length, place, message_size, replacements });
                }
            }
        }
        Least { network, globals, locals, fields }
    }

    fn is_identity(&self) -> bool {
        self.globals.is_empty() && self.locals.is_empty() && self.fields.is_empty()
    }
}

impl Canonizer for Least<'_> {
    fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
        let mut changed = false;
        for (place, replacements) in &self.globals {
            changed |= replacements.apply(state, *place);
        }
        for process in &self.locals {
            let Some(location) = self.network.location_in(state, process.instance) else { continue };
            for (place, replacements) in &process.at[location] {
                changed |= replacements.apply(state, *place);
            }
        }
        for field in &self.fields {
            for message in 0..get(state, field.length) {
                let offset = field.place.offset + message * field.message_size;
                changed |= field.replacements.apply(state, SlotPlace { offset, ..field.place });
            }
        }
        changed
    }

    fn keeps_moves(&self) -> bool {
        true
    }
}
