//! Which local loops count to a bound.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{
    Action, BinaryOp, Edge, EdgeId, Expr, ExprKind, InitValue, LocationId, Place, Scalar, Scope, SlotId, Template,
};
use ample_stdx::BitSet;

use super::comparison::{Comparison, constant, variable};
use crate::passes::merge::local::Locality;
use crate::passes::slots::{only_slot, slots_of, writes};

/// A round of more steps is not looked through.
const MOST_STEPS: usize = 64;

/// A loop that may have more rounds than this stays as it is: a trace lists them all.
const MOST_ROUNDS: i64 = 1 << 16;

/// A local loop that counts to a bound.
pub(super) struct CountingLoop<'m> {
    pub(super) template: &'m Template,
    /// The location where it begins.
    pub(super) head: LocationId,
    /// The edges of one round.
    pub(super) round: Vec<EdgeId>,
    /// The other edges that leave the head.
    pub(super) others: Vec<EdgeId>,
    /// What it counts with.
    pub(super) counter: &'m Place,
    /// What a round adds to the counter.
    pub(super) step: i64,
    /// The last value with which a round begins: the least one if it counts down.
    pub(super) bound: i64,
    /// What a round does to other variables.
    pub(super) changes: BTreeMap<SlotId, Change<'m>>,
}

/// What a round does to a variable.
#[derive(Copy, Clone)]
pub(super) enum Change<'m> {
    /// It adds a constant.
    Add(&'m Place, i64),
    /// It stores a constant.
    Set(&'m Place, i64),
}

impl<'m> CountingLoop<'m> {
    /// The loops of a template that end within a number of rounds that is known to be small.
    pub(super) fn all(locality: &Locality<'m>) -> Vec<Self> {
        let template = locality.template;
        let mut loops: Vec<Self> =
            template.locations.ids().filter_map(|head| CountingLoop::at(locality, head)).collect();
        let inside_atomic: BitSet<LocationId> =
            template.edges.iter().filter(|edge| edge.keeps_control).map(|edge| edge.target).collect();
        loops.retain(|counting| !inside_atomic.contains(counting.head));
        let values = values_of_counters(template, &loops);
        loops.retain(|counting| counting.is_short(&values));
        loops
    }

    /// The loop that begins at a location, if one does.
    fn at(locality: &Locality<'m>, head: LocationId) -> Option<Self> {
        let template = locality.template;
        let leaving = &template.locations[head].edges;
        if !locality.is_unmarked(head) {
            return None;
        }
        let mut rounds = leaving.iter().filter_map(|first| round(locality, head, *first));
        let (round, None) = (rounds.next()?, rounds.next()) else { return None };
        let others: Vec<EdgeId> = leaving.iter().copied().filter(|edge| *edge != round[0]).collect();
        let mut changes = changes(template, &round)?;
        let within = condition_of(template, round[0], &others)?;
        let Some(Change::Add(counter, step)) = changes.remove(&within.slot) else { return None };
        let bound = within.bound(step)?;
        let found = CountingLoop { template, head, round, others, counter, step, bound, changes };
        (found.cannot_wrap(within.slot) && found.has_no_other_exit(&within)).then_some(found)
    }

    /// The value of the counter after the last round that begins with the bound.
    fn last(&self) -> i64 {
        self.bound + self.step
    }

    /// Whether the counter stays what it is when it is stored, in every round.
    fn cannot_wrap(&self, counter: SlotId) -> bool {
        let values = Values::of_type(self.template.frame.slots[counter].scalar);
        values.is_some_and(|values| values.least <= self.last() && self.last() <= values.greatest)
    }

    /// Whether no other edge can be taken while a round can.
    fn has_no_other_exit(&self, within: &Comparison) -> bool {
        let excludes = |edge: &EdgeId| match &self.template.edges[*edge].action {
            Action::Else => true,
            Action::Guard(guard) => Comparison::of(guard).is_some_and(|other| other.excludes(within)),
            _ => false,
        };
        self.others.iter().all(excludes)
    }

    /// Whether there cannot be many rounds, with the values that counters may have.
    fn is_short(&self, values: &BTreeMap<SlotId, Values>) -> bool {
        only_slot(self.counter).and_then(|counter| values.get(&counter)).is_some_and(|values| {
            let bound = self.bound;
            let distance = if self.step > 0 { bound - values.least } else { values.greatest - bound };
            distance / self.step.abs() < MOST_ROUNDS && distance <= i64::from(i32::MAX)
        })
    }

    /// Whether some other edge can be taken after the last round, whatever the first began with.
    pub(super) fn leads_on(&self) -> bool {
        let bound = self.bound;
        let (least, greatest) = if self.step > 0 { (bound + 1, self.last()) } else { (self.last(), bound - 1) };
        let leads_on = |edge: &EdgeId| match &self.template.edges[*edge].action {
            Action::Else => true,
            Action::Guard(guard) => Comparison::of(guard).is_some_and(|other| {
                Some(other.slot) == only_slot(self.counter) && other.least <= least && greatest <= other.greatest
            }),
            _ => false,
        };
        self.others.iter().any(leads_on)
    }
}

/// The values that a variable may have.
#[derive(Copy, Clone)]
struct Values {
    least: i64,
    greatest: i64,
}

impl Values {
    /// Those of a type with which one counts.
    fn of_type(scalar: Scalar) -> Option<Values> {
        let (least, greatest) = match scalar {
            Scalar::Bit => (0, 1),
            Scalar::Byte => (0, 255),
            Scalar::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Scalar::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Scalar::Unsigned(bits) => (0, (1 << bits) - 1),
            Scalar::Pid | Scalar::Channel | Scalar::Integer | Scalar::Range { .. } => return None,
        };
        Some(Values { least, greatest })
    }

    /// The same and one more.
    fn and(self, value: i64) -> Values {
        Values { least: self.least.min(value), greatest: self.greatest.max(value) }
    }
}

/// The values that the counters of some loops may have where a round begins: between the constants
/// that a counter is assigned and the last values of its loops, if nothing else is done to it; else
/// all of its type.
fn values_of_counters(template: &Template, loops: &[CountingLoop<'_>]) -> BTreeMap<SlotId, Values> {
    let mut values: BTreeMap<SlotId, Values> = BTreeMap::new();
    let mut counted: BTreeSet<(EdgeId, SlotId)> = BTreeSet::new();
    for counting in loops {
        let Some(counter) = only_slot(counting.counter) else { continue };
        let first = Values { least: 0, greatest: 0 };
        let so_far = values.get(&counter).copied().unwrap_or(first);
        values.insert(counter, so_far.and(counting.last()));
        counted.extend(counting.round.iter().map(|edge| (*edge, counter)));
    }
    let mut assigned = |slot: SlotId, value: Option<i64>| {
        let scalar = template.frame.slots[slot].scalar;
        if let (Some(so_far), Some(all)) = (values.get_mut(&slot), Values::of_type(scalar)) {
            *so_far = value.map_or(all, |value| so_far.and(scalar.truncate(value)));
        }
    };
    template.frame.slots.ids().take(template.parameters).for_each(|slot| assigned(slot, None));
    for init in &template.frame.init {
        match &init.value {
            InitValue::Expr(value) => assigned(init.slot, constant(value)),
            InitValue::Channel(_) => assigned(init.slot, None),
        }
    }
    for (id, edge) in template.edges.iter_enumerated() {
        if let Action::Receive { .. } = edge.action {
            writes(edge).for_each(|slot| assigned(slot, None));
        }
        for (place, value) in edge.assignments().filter(|(place, _)| place.scope == Scope::Local) {
            match only_slot(place) {
                Some(slot) if counted.contains(&(id, slot)) => {}
                Some(slot) => assigned(slot, constant(value)),
                None => slots_of(place).for_each(|slot| assigned(slot, None)),
            }
        }
    }
    values
}

/// The edges of the round that begins with an edge of a location, if it comes back by one way, by
/// steps that nobody sees and that cannot fail.
fn round(locality: &Locality<'_>, head: LocationId, first: EdgeId) -> Option<Vec<EdgeId>> {
    let template = locality.template;
    if !matches!(template.edges[first].action, Action::Guard(_) | Action::Else) {
        return None;
    }
    let mut round = Vec::new();
    let mut next = first;
    while round.len() < MOST_STEPS {
        let edge = &template.edges[next];
        if !is_quiet(locality, edge) || next != first && !can_always_be_taken(edge) {
            return None;
        }
        round.push(next);
        if edge.target == head {
            return (!edge.keeps_control).then_some(round);
        }
        let &[only] = &template.locations[edge.target].edges[..] else { return None };
        if !locality.is_unmarked(edge.target) {
            return None;
        }
        next = only;
    }
    None
}

/// Whether nobody sees a step, and it cannot fail.
fn is_quiet(locality: &Locality<'_>, edge: &Edge) -> bool {
    let slots = &locality.template.frame.slots;
    let is_counted =
        |place: &Place| place.scope == Scope::Local && only_slot(place).is_some_and(|slot| !slots[slot].hidden);
    let mut is_quiet = edge.stores().all(is_counted) && edge.escape.is_none() && edge.guard.is_none();
    edge.walk(&mut |part| is_quiet &= !locality.risk.part_may_fail(part));
    is_quiet && locality.is_unseen(edge) && locality.acts_locally(edge)
}

/// Whether a step can be made whatever the variables are.
fn can_always_be_taken(edge: &Edge) -> bool {
    match &edge.action {
        Action::Skip | Action::Assign(..) | Action::Print { .. } => true,
        Action::Guard(guard) => constant(guard).is_some_and(|value| value != 0),
        _ => false,
    }
}

/// What a round does to each variable that it assigns, if that is known without the number of the
/// round.
fn changes<'m>(template: &'m Template, round: &[EdgeId]) -> Option<BTreeMap<SlotId, Change<'m>>> {
    let mut changes: BTreeMap<SlotId, Change<'m>> = BTreeMap::new();
    for (place, value) in round.iter().flat_map(|id| template.edges[*id].assignments()) {
        let slot = only_slot(place)?;
        let change = match (changes.get(&slot), change(place, slot, value)?) {
            (Some(Change::Add(_, before)), Change::Add(_, step)) => Change::Add(place, before.checked_add(step)?),
            (Some(Change::Set(_, value)), Change::Add(_, step)) => Change::Set(place, value.checked_add(step)?),
            (_, change) => change,
        };
        changes.insert(slot, change);
    }
    Some(changes)
}

/// What an assignment does to a variable.
fn change<'m>(place: &'m Place, slot: SlotId, value: &Expr) -> Option<Change<'m>> {
    if let Some(value) = constant(value) {
        return Some(Change::Set(place, value));
    }
    let ExprKind::Binary(op, a, b) = &value.kind else { return None };
    let is_it = |expr: &Expr| variable(expr) == Some(slot);
    let step = match op {
        BinaryOp::Add if is_it(a) => constant(b)?,
        BinaryOp::Add if is_it(b) => constant(a)?,
        BinaryOp::Subtract if is_it(a) => constant(b)?.checked_neg()?,
        _ => return None,
    };
    Some(Change::Add(place, step))
}

/// The condition of a loop's first edge; the opposite of the only other one if it is `else`.
fn condition_of(template: &Template, first: EdgeId, others: &[EdgeId]) -> Option<Comparison> {
    let guard = |edge: EdgeId| match &template.edges[edge].action {
        Action::Guard(guard) => Comparison::of(guard),
        _ => None,
    };
    match (&template.edges[first].action, others) {
        (Action::Else, &[other]) => guard(other)?.opposite(),
        _ => guard(first),
    }
}
