//! Which variables are program counters, and which of them are taken.
//!
//! Two counters that one command assigns cannot both be taken: a command belongs to one process.
//! Taken are as many as possible that do not stand in each other's way, found greedily: first those
//! that share commands with the fewest others, so that the counters of many processes come before
//! the lock that they share; then one is replaced by another one with more values, so that a
//! process goes by its counter and not by a flag.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{EdgeId, Expr, ExprKind, InitValue, Model, Scalar, SlotId, Template};
use ample_stdx::{IndexVec, shorten};

use super::commands::Command;

/// No more counters than these are taken: processes have numbers below 255.
const MOST_COUNTERS: usize = 200;

/// So much is said of a command.
const LONGEST: usize = 50;

/// A variable that every command that assigns it compares with a constant, and sets to constants.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub slot: SlotId,
    /// The commands that assign it.
    assigned_by: Vec<EdgeId>,
    /// The values that it may have, and those that it is compared with.
    pub values: Vec<i64>,
}

/// What was found.
pub(super) struct Choice {
    /// The counters that are taken, in the order in which they are declared.
    pub counters: Vec<Counter>,
    /// Why other variables that are compared with constants are none.
    pub others: Vec<(SlotId, String)>,
}

/// Finds the program counters of a flat program.
pub(super) fn choose(model: &Model, template: &Template, commands: &IndexVec<EdgeId, Command>) -> Choice {
    let mut found: BTreeMap<SlotId, Counter> = BTreeMap::new();
    let mut others = Vec::new();
    for (slot, tests, assigned_by) in compared(commands) {
        match counter(model, template, commands, slot, tests, assigned_by) {
            Ok(Some(counter)) => _ = found.insert(slot, counter),
            Ok(None) => {}
            Err(why) => others.push((slot, why)),
        }
    }
    let shared = shared(&found, template);
    let taken = independent(&found, &shared);
    for slot in found.keys().filter(|slot| !taken.contains(slot)) {
        let first = shared[slot].iter().find(|other| taken.contains(other));
        let why = first.map_or("there are too many program counters".to_owned(), |other| {
            format!("`{}` is the counter of commands that assign it, too", model.globals.slots[*other].name)
        });
        others.push((*slot, why));
    }
    others.sort_by_key(|(slot, _)| *slot);
    let counters = found.into_values().filter(|counter| taken.contains(&counter.slot)).collect();
    Choice { counters, others }
}

/// The variables that some command compares with constants and some command assigns: with which
/// constants, and which commands.
fn compared(commands: &IndexVec<EdgeId, Command>) -> impl Iterator<Item = (SlotId, Vec<i64>, Vec<EdgeId>)> {
    let mut tests: BTreeMap<SlotId, Vec<i64>> = BTreeMap::new();
    let mut assigned: BTreeMap<SlotId, Vec<EdgeId>> = BTreeMap::new();
    for (id, command) in commands.iter_enumerated() {
        command.tests.iter().for_each(|test| tests.entry(test.slot).or_default().push(test.value));
        for one in &command.assigned {
            let by = assigned.entry(one.slot).or_default();
            if by.last() != Some(&id) {
                by.push(id);
            }
        }
    }
    tests.into_iter().filter_map(move |(slot, values)| Some((slot, values, assigned.remove(&slot)?)))
}

/// The counter that a variable is, or why it is none; nothing if it has one value only.
fn counter(
    model: &Model,
    template: &Template,
    commands: &IndexVec<EdgeId, Command>,
    slot: SlotId,
    tests: Vec<i64>,
    assigned_by: Vec<EdgeId>,
) -> Result<Option<Counter>, String> {
    let scalar = model.globals.slots[slot].scalar;
    let mut values: BTreeSet<i64> = tests.into_iter().collect();
    values.insert(initial(model, slot, scalar));
    for id in &assigned_by {
        let text = || shorten(&template.edges[*id].text, LONGEST);
        for one in commands[*id].assigned.iter().filter(|one| one.slot == slot) {
            let Some(value) = one.value else {
                return Err(format!("`{}` assigns it what is no constant", text()));
            };
            values.extend(Some(value).filter(|value| scalar.holds(*value)).map(|value| scalar.truncate(value)));
        }
        if commands[*id].test(slot).is_none() {
            return Err(format!("`{}` assigns it and does not compare it with a constant first", text()));
        }
    }
    let is_one = values.len() < 2;
    Ok((!is_one).then(|| Counter { slot, assigned_by, values: values.into_iter().collect() }))
}

/// What a variable begins with.
pub(super) fn initial(model: &Model, slot: SlotId, scalar: Scalar) -> i64 {
    let given = model.globals.init.iter().rev().find(|init| init.slot == slot).and_then(|init| match &init.value {
        InitValue::Expr(Expr { kind: ExprKind::Const(value), .. }) => Some(scalar.truncate(*value)),
        _ => None,
    });
    given.unwrap_or(scalar.initial())
}

/// With which others each counter shares a command that assigns both.
fn shared(found: &BTreeMap<SlotId, Counter>, template: &Template) -> BTreeMap<SlotId, BTreeSet<SlotId>> {
    let mut of_command: IndexVec<EdgeId, Vec<SlotId>> = template.edges.iter().map(|_| Vec::new()).collect();
    for counter in found.values() {
        counter.assigned_by.iter().for_each(|id| of_command[*id].push(counter.slot));
    }
    let mut shared: BTreeMap<SlotId, BTreeSet<SlotId>> = found.keys().map(|slot| (*slot, BTreeSet::new())).collect();
    for slots in &of_command {
        for slot in slots {
            let others = slots.iter().copied().filter(|other| other != slot);
            shared.entry(*slot).or_default().extend(others);
        }
    }
    shared
}

/// Counters of which no two share a command.
fn independent(found: &BTreeMap<SlotId, Counter>, shared: &BTreeMap<SlotId, BTreeSet<SlotId>>) -> BTreeSet<SlotId> {
    let size = |slot: &SlotId| found[slot].values.len();
    let mut order: Vec<SlotId> = found.keys().copied().collect();
    order.sort_by_key(|slot| (shared[slot].len(), std::cmp::Reverse(size(slot)), *slot));
    let mut taken = BTreeSet::new();
    for slot in &order {
        if shared[slot].is_disjoint(&taken) && taken.len() < MOST_COUNTERS {
            taken.insert(*slot);
        }
    }
    // Each round adds values, so that there is a last one.
    loop {
        let better = order.iter().filter(|slot| !taken.contains(slot)).find_map(|slot| {
            let mut in_its_way = shared[slot].intersection(&taken);
            let (only, None) = (in_its_way.next()?, in_its_way.next()) else { return None };
            (size(slot) > size(only)).then_some((*slot, *only))
        });
        let Some((slot, instead_of)) = better else { return taken };
        taken.remove(&instead_of);
        taken.insert(slot);
    }
}
