//! Reading variables: what never changes is known now, an element of an array is found at run time.
//!
//! Of an array that a process indexes, either all elements never change or none. A property may
//! index any array, so here each element may be of its own kind: known now, or somewhere in the
//! state.

use ample_model::{Place, Scope, SlotId};
use ample_network::{InstanceId, SlotPlace};
use ample_stdx::{IndexVec, TypedId};
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Switch;

use crate::code::TableName;
use crate::generate::Generator;
use crate::not_compiled::{Generated, NotCompiled};
use crate::value::{At, Known};

/// If some elements of an array never change and others do, there is code for each; not for more
/// than this.
const MOST_CASES: usize = 1000;

/// Whose variables.
#[derive(Copy, Clone)]
pub(crate) enum Owner {
    /// Those of the system.
    System,
    /// Those of an instance.
    Process(InstanceId),
}

/// An index that is known at run time. It is in range.
struct Step {
    index: Value,
    length: u32,
    stride: u32,
}

impl<'n> Generator<'n, '_> {
    /// The value of a place that the process which evaluates can name.
    pub(crate) fn read(&mut self, place: &Place, at: At) -> Generated<Known> {
        let owner = match place.scope {
            Scope::Global => Owner::System,
            Scope::Local if self.outside => return self.trace_variable(place),
            Scope::Local => Owner::Process(at.instance),
        };
        self.read_of(owner, place, at)
    }

    /// The value of a place among the variables of an owner who exists. Indices are about the
    /// process that evaluates.
    pub(crate) fn read_of(&mut self, owner: Owner, place: &Place, at: At) -> Generated<Known> {
        let mut first = place.first.index();
        let mut steps: Vec<Step> = Vec::new();
        for index in &place.indices {
            match self.index(index, at)? {
                Known::Constant(value) => first += value as usize * index.stride as usize,
                Known::Value(value) => steps.push(Step { index: value, length: index.length, stride: index.stride }),
            }
        }
        if steps.is_empty() {
            return Ok(self.slot(owner, SlotId::from_index(first), at.state));
        }
        let constants = self.constants_of(owner);
        let strides: Vec<u32> = steps.iter().map(|step| step.stride).collect();
        let slots = elements(first, &steps, &strides);
        if slots.iter().all(|slot| constants[SlotId::from_index(*slot)].is_some()) {
            return Ok(self.look_up_element(owner, first, &steps));
        }
        if let Some(bytes) = self.even(owner, &slots, &steps) {
            let wide: Vec<Value> = steps.iter().map(|step| self.widened(step.index)).collect();
            let distance = self.distance(&wide, &bytes);
            let base = self.builder.ins().iadd(at.state, distance);
            return Ok(self.load(base, self.places_of(owner)[SlotId::from_index(first)]));
        }
        self.one_of_slots(owner, &slots, &steps, at.state)
    }

    /// The value of one variable.
    fn slot(&mut self, owner: Owner, slot: SlotId, state: Value) -> Known {
        match self.constants_of(owner)[slot] {
            Some(constant) => Known::Constant(constant),
            None => self.load(state, self.places_of(owner)[slot]),
        }
    }

    /// The variables that never change, with their values.
    pub(crate) fn constants_of(&self, owner: Owner) -> &'n IndexVec<SlotId, Option<i64>> {
        match owner {
            Owner::System => &self.network.constants,
            Owner::Process(instance) => &self.network.instances[instance].constants,
        }
    }

    /// Where the others lie.
    fn places_of(&self, owner: Owner) -> &'n IndexVec<SlotId, SlotPlace> {
        match owner {
            Owner::System => &self.network.layout.globals,
            Owner::Process(instance) => &self.network.layout.frames[instance].locals,
        }
    }

    /// The sum of all indices, each times its unit.
    fn distance(&mut self, indices: &[Value], units: &[u32]) -> Value {
        let mut sum: Option<Value> = None;
        for (index, unit) in indices.iter().zip(units) {
            let distance = self.builder.ins().imul_imm_s(*index, i64::from(*unit));
            sum = Some(match sum {
                Some(sum) => self.builder.ins().iadd(sum, distance),
                None => distance,
            });
        }
        sum.unwrap_or_else(|| self.builder.ins().iconst(self.word, 0))
    }

    /// How many slots the element that is meant lies behind the first one.
    fn slots_behind(&mut self, steps: &[Step]) -> Value {
        let indices: Vec<Value> = steps.iter().map(|step| step.index).collect();
        let strides: Vec<u32> = steps.iter().map(|step| step.stride).collect();
        self.distance(&indices, &strides)
    }

    /// An element of an array that never changes.
    fn look_up_element(&mut self, owner: Owner, first: usize, steps: &[Step]) -> Known {
        let table = match owner {
            Owner::System => TableName::Globals,
            Owner::Process(instance) => TableName::Locals(instance),
        };
        let behind = self.slots_behind(steps);
        let slot = self.builder.ins().iadd_imm_s(behind, first as i64);
        Known::Value(self.look_up(table, slot))
    }

    /// How many bytes one more of each index is, if the elements lie evenly in the state.
    fn even(&self, owner: Owner, slots: &[usize], steps: &[Step]) -> Option<Vec<u32>> {
        let (constants, places) = (self.constants_of(owner), self.places_of(owner));
        let first = slots.first().copied().unwrap_or_default();
        let place = places[SlotId::from_index(first)];
        let start = place.offset;
        let unit = |step: &Step| match step.length {
            0 | 1 => Some(0),
            _ => places[SlotId::from_index(first + step.stride as usize)].offset.checked_sub(start),
        };
        let units: Vec<u32> = steps.iter().map(unit).collect::<Option<_>>()?;
        let offsets = elements(start as usize, steps, &units);
        let fits = |(slot, offset): (&usize, &usize)| {
            let slot = SlotId::from_index(*slot);
            constants[slot].is_none() && places[slot] == SlotPlace { offset: *offset as u32, ..place }
        };
        slots.iter().zip(&offsets).all(fits).then_some(units)
    }

    /// One of several variables that have nothing in common.
    fn one_of_slots(&mut self, owner: Owner, slots: &[usize], steps: &[Step], state: Value) -> Generated<Known> {
        if slots.len() > MOST_CASES {
            return Err(NotCompiled("a large array of which only a part changes is interpreted".to_owned()));
        }
        let first = slots.first().copied().unwrap_or_default();
        let behind = self.slots_behind(steps);
        let (none, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, self.word);
        let mut switch = Switch::new();
        let mut cases = Vec::new();
        for slot in slots {
            let block = self.builder.create_block();
            switch.set_entry((slot - first) as u128, block);
            cases.push((*slot, block));
        }
        switch.emit(&mut self.builder, behind, none);
        for (slot, block) in cases {
            self.builder.switch_to_block(block);
            let value = self.slot(owner, SlotId::from_index(slot), state);
            let value = self.value(value);
            self.builder.ins().jump(done, &[value.into()]);
        }
        // Every index is in range, so this is never reached.
        self.builder.switch_to_block(none);
        Ok(self.or_nothing(done))
    }
}

/// Where all elements are if the first one is at `first`, and the next one by an index is so many
/// units behind.
fn elements(first: usize, steps: &[Step], units: &[u32]) -> Vec<usize> {
    let mut found = vec![first];
    for (step, unit) in steps.iter().zip(units) {
        let indices = 0..step.length as usize;
        let from = |start: &usize| {
            let start = *start;
            indices.clone().map(move |index| start + index * *unit as usize)
        };
        found = found.iter().flat_map(from).collect();
    }
    found
}
