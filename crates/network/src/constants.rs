//! What never changes: variables that nothing writes, so that their values are part of the code and
//! not of the state.

use ample_interpret::State;
use ample_model::{
    Action, ChannelTypeId, Edge, Expr, ExprKind, Frame, InitValue, Model, Place, Scalarset, Scope, SlotId, Template,
    TemplateId,
};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::Pid;

use crate::Instance;
use crate::writes::Writes;

/// The slots that never change once they exist.
pub(crate) struct ConstantSlots {
    globals: BitSet<SlotId>,
    locals: IndexVec<TemplateId, BitSet<SlotId>>,
    /// The places with an index among the variables of each template.
    local_places: IndexVec<TemplateId, Vec<Place>>,
    /// The priority of all processes that run each template, if it never changes.
    priorities: IndexVec<TemplateId, Option<u8>>,
}

impl ConstantSlots {
    pub(crate) fn new(model: &Model) -> ConstantSlots {
        let writes: IndexVec<TemplateId, Writes> = model.templates.iter().map(Writes::of).collect();
        let written = |slot: SlotId| writes.iter().any(|writes| writes.globals.contains(slot));
        let globals = model.globals.slots.ids().filter(|slot| !written(*slot)).collect();
        let locals = model.templates.iter_enumerated().map(|(id, template)| unwritten(template, &writes[id])).collect();
        let local_places = model.templates.iter().map(|_| Vec::new()).collect();
        let priorities = priorities(model);
        let mut constants = ConstantSlots { globals, locals, local_places, priorities };
        constants.keep_arrays_whole(model);
        constants
    }

    /// An array whose elements are chosen at run time is a constant as a whole or not at all, with
    /// whatever lies between its elements.
    fn keep_arrays_whole(&mut self, model: &Model) {
        let mut global_places: Vec<&Place> = Vec::new();
        for (id, template) in model.templates.iter_enumerated() {
            each_place(template, &mut |of, place| match (place.scope, of) {
                (Scope::Global, _) => global_places.push(place),
                (Scope::Local, of) => self.local_places[of.unwrap_or(id)].push(place.clone()),
            });
        }
        let mut changes = true;
        while changes {
            changes = global_places.iter().any(|place| keep_whole(&mut self.globals, place));
            changes |= model.scalarsets.iter().any(|scalarset| keep_alike(&mut self.globals, scalarset));
        }
        for (set, places) in self.locals.iter_mut().zip(self.local_places.iter()) {
            while places.iter().any(|place| keep_whole(set, place)) {}
        }
    }

    /// A process as an instance: what never changes has the value that it has now.
    pub(crate) fn instance(&self, model: &Model, state: &State, pid: Pid) -> Instance {
        let process = &state.processes[usize::from(pid)];
        let template = &model.templates[process.template];
        let constants = values(&template.frame, &self.locals[process.template], state.locals(pid));
        let locations = template.locations.len() as u32;
        let priority = self.priorities[process.template];
        Instance { pid, template: process.template, constants, priority, first_location: 0, locations }
    }

    /// Makes an instance one that stands for another as well: what differs is no constant. The
    /// numbers of channels that it declares follow from its own number, so they do not count. Says
    /// whether something differs.
    pub(crate) fn merge(&self, model: &Model, instance: &mut Instance, other: &Instance) -> bool {
        let template = &model.templates[instance.template];
        let declared: BitSet<SlotId> = channels_of(&template.frame).map(|(slot, _)| slot).collect();
        let differs = |slot: &SlotId| {
            !declared.contains(*slot)
                && instance.constants[*slot].is_some()
                && instance.constants[*slot] != other.constants[*slot]
        };
        let different: Vec<SlotId> = instance.constants.ids().filter(differs).collect();
        if different.is_empty() {
            return false;
        }
        let constant = |slot: &SlotId| instance.constants[*slot].is_some() && !different.contains(slot);
        let mut set: BitSet<SlotId> = instance.constants.ids().filter(constant).collect();
        let places = &self.local_places[instance.template];
        while places.iter().any(|place| keep_whole(&mut set, place)) {}
        for (slot, constant) in instance.constants.iter_enumerated_mut() {
            *constant = constant.filter(|_| set.contains(slot));
        }
        true
    }

    /// The globals that never change.
    pub(crate) fn globals(&self, state: &State) -> IndexVec<SlotId, Option<i64>> {
        let slots = state.globals().iter().enumerate().map(|(slot, value)| (SlotId::from_index(slot), value));
        slots.map(|(slot, value)| self.globals.contains(slot).then_some(*value)).collect()
    }
}

/// The priority with which each template is created, unless there are several or it changes.
fn priorities(model: &Model) -> IndexVec<TemplateId, Option<u8>> {
    let mut given: IndexVec<TemplateId, Vec<u8>> = IndexVec::from_elem(Vec::new(), model.templates.len());
    model.active.iter().for_each(|active| given[active.template].push(active.priority));
    let mut change = false;
    for edge in model.templates.iter().flat_map(|template| template.edges.iter()) {
        change |= matches!(edge.action, Action::SetPriority(..));
        edge.walk(&mut |expr| {
            if let ExprKind::Run(run) = &expr.kind {
                given[run.template].push(run.priority);
            }
        });
    }
    let only = |given: &Vec<u8>| match given.as_slice() {
        _ if change => None,
        [] => Some(1),
        [first, others @ ..] => others.iter().all(|other| other == first).then_some(*first),
    };
    given.iter().map(only).collect()
}

fn values(frame: &Frame, constant: &BitSet<SlotId>, now: &[i64]) -> IndexVec<SlotId, Option<i64>> {
    frame.slots.ids().zip(now).map(|(slot, value)| constant.contains(slot).then_some(*value)).collect()
}

/// The channels that a frame declares.
pub(crate) fn channels_of(frame: &Frame) -> impl Iterator<Item = (SlotId, ChannelTypeId)> + '_ {
    frame.init.iter().filter_map(|init| match init.value {
        InitValue::Channel(kind) => Some((init.slot, kind)),
        InitValue::Expr(_) => None,
    })
}

/// The locals that nothing writes: parameters, channels of its own, and what starts with a number.
fn unwritten(template: &Template, writes: &Writes) -> BitSet<SlotId> {
    let computed = |slot: SlotId| {
        let init = template.frame.init.iter().find(|init| init.slot == slot);
        init.is_some_and(
            |init| matches!(&init.value, InitValue::Expr(expr) if !matches!(expr.kind, ExprKind::Const(_))),
        )
    };
    template.frame.slots.ids().filter(|slot| !writes.locals.contains(*slot) && !computed(*slot)).collect()
}

fn keep_whole(set: &mut BitSet<SlotId>, place: &Place) -> bool {
    let reach: u32 = place.indices.iter().map(|index| (index.length - 1) * index.stride).sum();
    let slots = || (place.first.index()..=place.first.index() + reach as usize).map(SlotId::from_index);
    let constant = slots().filter(|slot| set.contains(*slot)).count();
    if constant == 0 || constant == slots().count() {
        return false;
    }
    slots().for_each(|slot| {
        set.remove(slot);
    });
    true
}

/// The variables of one element of a set are constants where those of the others are: nothing tells
/// elements apart.
fn keep_alike(set: &mut BitSet<SlotId>, scalarset: &Scalarset) -> bool {
    let mut changes = false;
    for array in &scalarset.arrays {
        for offset in 0..array.stride {
            let of =
                |element: u32| SlotId::from_index(array.first.index() + (element * array.stride + offset) as usize);
            let slots = || (0..scalarset.size).map(of);
            let constant = slots().filter(|slot| set.contains(*slot)).count();
            if constant > 0 && constant < scalarset.size as usize {
                slots().for_each(|slot| _ = set.remove(slot));
                changes = true;
            }
        }
    }
    changes
}

/// Every place with an index in a template; of a remote reference, with whose variable it is.
fn each_place<'t>(template: &'t Template, visit: &mut dyn FnMut(Option<TemplateId>, &'t Place)) {
    let mut place = |of: Option<TemplateId>, place: &'t Place| {
        if !place.indices.is_empty() {
            visit(of, place);
        }
    };
    let mut look = |expr: &'t Expr| match &expr.kind {
        ExprKind::Read(read) => place(None, read),
        ExprKind::RemoteRead(remote) => place(Some(remote.template), &remote.place),
        _ => {}
    };
    let inits = template.frame.init.iter().filter_map(|init| match &init.value {
        InitValue::Expr(expr) => Some(expr),
        InitValue::Channel(_) => None,
    });
    let claims = template.exclusive.iter().map(|claim| &claim.channel);
    inits.chain(&template.provided).chain(claims).for_each(|expr| expr.walk(&mut look));
    template.edges.iter().for_each(|edge| edge.walk(&mut look));
    template.edges.iter().flat_map(Edge::stores).for_each(|target| place(None, target));
}
