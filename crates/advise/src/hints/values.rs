//! Variables with many values in the first states, each of which makes states of its own; and those
//! with few in a wide type, which techniques that look at all values of a variable leave alone.

use std::collections::{BTreeMap, BTreeSet};

use ample_check::{BuiltIn, Choice, Options, Prepared, Reduce, explore};
use ample_interpret::State;
use ample_model::{Model, Scalar, Slot, SlotId, TemplateId};
use ample_search::{BFS, Limits};
use ample_stdx::TypedId;
use ample_transition::Pid;

use super::hint::{Hint, MOST};
use crate::asked::Advise;

/// So many states are looked at.
const STATES: u64 = 2_000;

/// More values than this are many.
const MANY: usize = 64;

/// A type with fewer values is not wide.
const WIDE: i64 = 1 << 16;

/// A variable: of a process, or global.
type Variable = (Option<TemplateId>, SlotId);

pub(super) fn hints(prepared: &Prepared<'_>, advise: &Advise<'_>) -> Vec<Hint> {
    let mut values: BTreeMap<Variable, BTreeSet<i64>> = BTreeMap::new();
    let mut note = |unpack: &dyn Fn(&[u8]) -> State, state: &[u8], _: &_| {
        for (variable, value) in variables(&unpack(state)) {
            values.entry(variable).or_default().insert(value);
        }
    };
    let limits = Limits {
        max_states: Some(STATES),
        max_time: advise.stop.share(10).left(),
        deadline: None,
        ..advise.limits.clone()
    };
    let order = Choice::parse(BFS.name);
    let options = Options { reduce: Reduce::None, order, limits, ..Options::default() };
    let property = BuiltIn::Safety.full_name();
    if explore(&prepared.system(), &property, options, None, &mut note).is_err() {
        return Vec::new();
    }
    let model = advise.interpreter.model();
    let mut hints = many(model, &values);
    hints.extend(few(model, &values));
    hints
}

fn variables(state: &State) -> Vec<(Variable, i64)> {
    let numbered = |template: Option<TemplateId>, values: &[i64]| {
        let own = values.iter().enumerate().map(move |(at, value)| ((template, slot(at)), *value));
        own.collect::<Vec<_>>()
    };
    let mut all = numbered(None, state.globals());
    for (pid, process) in state.processes.iter().enumerate() {
        all.extend(numbered(Some(process.template), state.locals(pid as Pid)));
    }
    all
}

fn slot(at: usize) -> SlotId {
    SlotId::from_index(at)
}

/// The variable as it is declared; nothing for what holds channels.
fn declared<'m>(model: &'m Model, (template, slot): &Variable) -> Option<&'m Slot> {
    let frame = template.map_or(&model.globals, |template| &model.templates[template].frame);
    let own = frame.slots.get(*slot)?;
    (own.scalar != Scalar::Channel && !own.hidden).then_some(own)
}

/// Those with most values.
fn many(model: &Model, values: &BTreeMap<Variable, BTreeSet<i64>>) -> Vec<Hint> {
    let mut all: Vec<(usize, Hint)> = Vec::new();
    for (variable, seen) in values.iter().filter(|(_, seen)| seen.len() > MANY) {
        let Some(slot) = declared(model, variable) else { continue };
        let (low, high) = (seen.first().copied().unwrap_or_default(), seen.last().copied().unwrap_or_default());
        let text = format!(
            "`{}` has {} different values in the first states, {low} to {high}, and each makes states of its own: is a smaller range \
             enough?",
            slot.name,
            seen.len()
        );
        all.push((seen.len(), Hint { span: slot.span, text }));
    }
    all.sort_by_key(|(count, _)| usize::MAX - count);
    all.into_iter().map(|(_, hint)| hint).take(MOST).collect()
}

/// Those with few, in a type with very many.
fn few(model: &Model, values: &BTreeMap<Variable, BTreeSet<i64>>) -> Vec<Hint> {
    let hint = |(variable, seen): (&Variable, &BTreeSet<i64>)| {
        let slot = declared(model, variable)?;
        let (low, high) = slot.scalar.bounds();
        let is_wide = high.saturating_sub(low) >= WIDE;
        let (least, most) = (*seen.first()?, *seen.last()?);
        let text = format!(
            "`{}` has the values {least} to {most} in the first states, and a wide type: a range or a smaller type tells techniques \
             that look at all values of a variable",
            slot.name
        );
        (is_wide && seen.len() > 1 && seen.len() <= MANY && most - least < WIDE / 256)
            .then_some(Hint { span: slot.span, text })
    };
    let mut hints: Vec<Hint> = Vec::new();
    for hint in values.iter().filter_map(hint) {
        // The elements of an array are declared together.
        if !hints.iter().any(|known| known.span == hint.span) {
            hints.push(hint);
        }
    }
    hints.truncate(MOST);
    hints
}
