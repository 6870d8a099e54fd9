//! Linear transformations: states in which the values of a set of variables are shifted by one
//! number are one (Pelánek, section 3.2.2 and Lemma 3.3).
//!
//! A set of variables and message fields can be shifted if all that is done with their values is to
//! copy them, to add constants, and to ask whether two of them are equal. What is computed modulo n
//! stays so, if all values are below n; what wraps around in its type is modulo the size of the
//! type. Only equality is kept by the shift: `<` and `<=`, comparisons with constants and constants
//! that are assigned take a set out, and so does whatever else looks at a value.
//!
//! - [`forms`]: which expressions are such values; [`uses`]: what each process does with them;
//! - [`sets`]: the sets that can be shifted.
//!
//! The canonical form has zero in the first variable of each set that is there and may still be
//! read. What may not be read is zero, so that it does not tell shifted states apart. As long as
//! processes are still created, whose variables begin with constants, nothing is shifted. In the
//! shifted states the same transitions are enabled, and they lead to states that are shifted alike.

mod forms;
mod report;
mod sets;
mod uses;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{Arithmetic, LocationId};
use ample_network::facts::{Facts, InstanceId};
use ample_network::{Network, SlotPlace};
use ample_stdx::{BitSet, Stop};
use ample_transition::{Canonizer, Scratch};

use self::sets::Ring;
use self::uses::Uses;
use super::cells::{Names, get, put};
use super::entry::CanonizerEntry;
use crate::{NotHere, Visible};

pub use report::LinearSets;

/// One state for all that differ by a shift.
pub static LINEAR: Part = Part {
    name: "linear",
    kind: PartKind::Canonizer,
    summary: "states in which variables that are only copied, compared with each other and counted are shifted are one",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.2.2 and Lemma 3.3"),
    guarantee: Guarantee::EXACT,
};

pub(super) const ENTRY: CanonizerEntry = CanonizerEntry { part: &LINEAR, is_automatic: false, make, close: None };

fn make<'n>(
    network: &'n Network<'n>,
    facts: &'n Facts,
    visible: &Visible<'_>,
    stop: &Stop,
) -> Result<Option<Box<dyn Canonizer + 'n>>, NotHere> {
    let names = Names::new(network, facts);
    if network.model.arithmetic == Arithmetic::Exact {
        return Err(NotHere("its integers are exact: they do not wrap around".to_owned()));
    }
    if network.model.trace.is_some() {
        return Err(NotHere("the trace assertion looks at messages".to_owned()));
    }
    let Some(uses) = Uses::of(&names, visible, stop) else {
        return Err(NotHere("there was no time to look at it".to_owned()));
    };
    let sets: Vec<(Ring, Vec<usize>)> = uses.shifted().collect();
    if sets.is_empty() {
        return Err(NotHere(report::why_not(&names, &uses)));
    }
    Ok(Some(Box::new(Shifts::new(&names, &uses, &sets))))
}

/// Shifts states.
struct Shifts<'n> {
    network: &'n Network<'n>,
    sets: Vec<ShiftedSet>,
    /// What becomes zero where it is not live.
    forgotten: Vec<Local>,
    /// The processes that create others, and where they still may: there nothing is shifted.
    creators: Vec<(InstanceId, BitSet<LocationId>)>,
}

/// Cells that are shifted together.
struct ShiftedSet {
    ring: Ring,
    globals: Vec<SlotPlace>,
    locals: Vec<Local>,
    fields: Vec<Field>,
}

/// A variable of a process, and where it may still be read.
struct Local {
    owner: InstanceId,
    place: SlotPlace,
    live: BitSet<LocationId>,
}

/// A field of the messages of a channel.
struct Field {
    length: SlotPlace,
    /// In the first message.
    place: SlotPlace,
    message_size: u32,
}

impl<'n> Shifts<'n> {
    fn new(names: &Names<'n>, uses: &Uses<'_>, sets: &[(Ring, Vec<usize>)]) -> Shifts<'n> {
        let network = names.network;
        let local = |cell: usize| {
            let known = &names.cells.list[cell];
            let owner = known.owner?;
            let live = uses.live[owner].iter_enumerated().filter(|(_, live)| live.contains(known.slot));
            let live = live.map(|(location, _)| location).collect();
            Some(Local { owner, place: known.place, live }).filter(|local| local.place.width > 0)
        };
        let set = |(ring, cells): &(Ring, Vec<usize>)| {
            let is_global = |cell: &&usize| **cell < names.cells.variables && names.cells.list[**cell].owner.is_none();
            let globals = cells.iter().filter(is_global).map(|cell| names.cells.list[*cell].place).collect();
            let locals = cells.iter().filter_map(|cell| local(*cell)).collect();
            ShiftedSet { ring: *ring, globals, locals, fields: fields(names, cells) }
        };
        let members = sets.iter().flat_map(|(_, cells)| cells.iter().copied());
        let mut forgotten: Vec<usize> = members.chain(uses.forgotten.iter().copied()).collect();
        forgotten.sort_unstable();
        forgotten.dedup();
        let forgotten = forgotten.into_iter().filter_map(local).collect();
        Shifts { network, sets: sets.iter().map(set).collect(), forgotten, creators: uses.creators.clone() }
    }

    /// Whether all processes exist that will ever be there.
    fn applies(&self, state: &[u8]) -> bool {
        self.creators.iter().all(|(creator, creating)| {
            !self.network.location_in(state, *creator).is_some_and(|location| creating.contains(location))
        })
    }
}

/// The fields among some cells that lie in a state.
fn fields(names: &Names<'_>, cells: &[usize]) -> Vec<Field> {
    let mut found = Vec::new();
    for (number, channel) in names.network.layout.channels.iter().enumerate().filter(|(_, place)| place.capacity > 0) {
        for (field, place) in channel.fields.iter().enumerate() {
            if cells.binary_search(&names.cells.field(number, field)).is_ok() {
                let place = SlotPlace { offset: channel.messages + place.offset, ..*place };
                found.push(Field { length: channel.length, place, message_size: channel.message_size });
            }
        }
    }
    found
}

impl ShiftedSet {
    /// Calls `visit` with the members that are there and may be read, as long as it says so.
    fn each(&self, network: &Network<'_>, state: &mut [u8], visit: &mut impl FnMut(&mut [u8], SlotPlace) -> bool) {
        for place in &self.globals {
            if !visit(state, *place) {
                return;
            }
        }
        for local in &self.locals {
            let location = network.location_in(state, local.owner);
            if location.is_some_and(|location| local.live.contains(location)) && !visit(state, local.place) {
                return;
            }
        }
        for field in &self.fields {
            for message in 0..get(state, field.length) {
                let offset = field.place.offset + message * field.message_size;
                if !visit(state, SlotPlace { offset, ..field.place }) {
                    return;
                }
            }
        }
    }

    /// Shifts the set so that its first member is zero, unless a value is outside of the ring.
    fn shift(&self, network: &Network<'_>, state: &mut [u8]) -> bool {
        let (mut first, mut is_inside) = (None, true);
        self.each(network, state, &mut |state, place| {
            let value = get(state, place);
            first.get_or_insert(value);
            is_inside = self.ring.has(value);
            is_inside
        });
        let Some(first) = first.filter(|first| is_inside && *first != 0) else { return false };
        self.each(network, state, &mut |state, place| {
            put(state, place, self.ring.minus(get(state, place), first));
            true
        });
        true
    }
}

impl Ring {
    /// Whether a number, as it is stored without its sign, belongs to it.
    fn has(self, value: u32) -> bool {
        match self {
            Ring::Below(n) => value < n,
            Ring::Wrapping(_) => true,
        }
    }

    /// The difference of two numbers as they are stored: of one that wraps around, as many bytes
    /// are kept as it has.
    fn minus(self, value: u32, shift: u32) -> u32 {
        match self {
            Ring::Below(_) if value >= shift => value - shift,
            Ring::Below(n) => value + (n - shift),
            Ring::Wrapping(_) => value.wrapping_sub(shift),
        }
    }
}

impl Canonizer for Shifts<'_> {
    fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
        if !self.applies(state) {
            return false;
        }
        let mut changed = false;
        for local in &self.forgotten {
            let location = self.network.location_in(state, local.owner);
            if location.is_some_and(|location| !local.live.contains(location)) && get(state, local.place) != 0 {
                put(state, local.place, 0);
                changed = true;
            }
        }
        self.sets.iter().fold(changed, |changed, set| set.shift(self.network, state) | changed)
    }
    fn keeps_moves(&self) -> bool {
        true
    }
}
