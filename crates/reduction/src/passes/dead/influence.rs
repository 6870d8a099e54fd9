//! Which global variables influence nothing: no guard, no index, no message, nothing that may fail,
//! no proposition, also not by way of other variables (the cone of influence, Pelánek, section
//! 3.3.2).
//!
//! A global variable matters if some process reads it for something that matters, which is found
//! round by round: at first only what is looked at from outside matters, then what is read where
//! that is assigned.

use ample_model::{Expr, ExprKind, InitValue, Model, Place, Scalar, Scope, SlotId, Template, TemplateId, TemplateKind};
use ample_stdx::{BitSet, IndexVec};

use crate::Visible;
use crate::liveness::{Liveness, Variables, nothing_created, read_from_outside};
use crate::passes::observed::Observed;
use crate::passes::risk::Risk;
use crate::passes::slots::{Slots, add_reads, slots_of, writes};

/// The greatest difference between two values of a type that is small.
const MOST_OF_NARROW: u64 = 0xff;

/// After so many rounds everything matters.
const MOST_ROUNDS: usize = 16;

/// The global variables that matter, and what is live at each location of each process then.
pub(super) struct Influence {
    pub globals: BitSet<SlotId>,
    pub live: IndexVec<TemplateId, IndexVec<ample_model::LocationId, Variables>>,
}

impl Influence {
    pub(super) fn of(model: &Model, visible: &Visible<'_>, observed: &IndexVec<TemplateId, Observed>) -> Influence {
        let mut globals = outside(model, visible);
        for round in 0.. {
            if round == MOST_ROUNDS {
                globals = model.globals.slots.ids().collect();
            }
            let live: IndexVec<_, _> = model
                .templates
                .iter_enumerated()
                .map(|(id, template)| live_in(template, &observed[id], &globals, model, visible))
                .collect();
            let mut has_grown = false;
            live.iter().flatten().for_each(|at: &Variables| has_grown |= globals.union_with(&at.globals));
            if !has_grown {
                return Influence { globals, live };
            }
        }
        Influence { globals, live: IndexVec::new() }
    }
}

fn live_in(
    template: &Template,
    observed: &Observed,
    globals: &BitSet<SlotId>,
    model: &Model,
    visible: &Visible<'_>,
) -> IndexVec<ample_model::LocationId, Variables> {
    if !is_process(template) {
        return IndexVec::new();
    }
    let always = Variables { globals: globals.clone(), locals: always_live(template, &observed.slots) };
    // A run without end is shown with a cycle that closes in the model as written, too. What is
    // counted there without being looked at comes round sooner or later; if the type is small,
    // soon.
    let is_about_cycles = visible.faults.is_empty();
    let always_reads = |place: &Place| {
        let frame = if place.scope == Scope::Global { &model.globals } else { &template.frame };
        let is_wide = |slot| {
            let (low, high) = frame.slots[slot].scalar.bounds();
            high.abs_diff(low) > MOST_OF_NARROW
        };
        is_about_cycles && slots_of(place).any(is_wide)
    };
    let (risk, always, always_reads) = (Risk::of(model, template), &always, &always_reads);
    Liveness { template, risk, always, always_reads, created: &nothing_created }.at_locations()
}

/// What is live everywhere in a template.
fn always_live(template: &Template, remote: &Slots) -> Slots {
    let mut always = remote.clone();
    template.provided.iter().for_each(|condition| add_reads(condition, &mut always));
    template.exclusive.iter().for_each(|claim| add_reads(&claim.channel, &mut always));
    let channels = template.frame.slots.iter_enumerated().filter(|(_, slot)| slot.scalar == Scalar::Channel);
    channels.for_each(|(slot, _)| _ = always.insert(slot));
    let written: Slots = template.edges.iter().flat_map(writes).collect();
    template.frame.slots.ids().filter(|slot| !written.contains(*slot)).for_each(|slot| _ = always.insert(slot));
    always
}

/// Whether a template is that of processes.
pub(super) fn is_process(template: &Template) -> bool {
    matches!(template.kind, TemplateKind::Process | TemplateKind::Init)
}

/// The global variables that matter whatever processes do: what the question and other automata
/// read, what conditions of processes ask, what something begins with; channels; and what is
/// assigned by a step that may fail, or whose assignments count.
fn outside(model: &Model, visible: &Visible<'_>) -> BitSet<SlotId> {
    let mut read = read_from_outside(model, visible);
    for frame in model.templates.iter().map(|template| &template.frame).chain([&model.globals]) {
        for init in &frame.init {
            if let InitValue::Expr(expr) = &init.value {
                read.read(expr);
            }
        }
    }
    for template in &model.templates {
        add_written_for_certain(template, Risk::of(model, template), &mut read);
    }
    let mut globals = read.globals;
    let channels = model.globals.slots.iter_enumerated().filter(|(_, slot)| slot.scalar == Scalar::Channel);
    globals.extend(channels.map(|(slot, _)| slot));
    globals
}

/// Adds the variables whose assignments cannot be left out.
fn add_written_for_certain(template: &Template, risk: Risk<'_>, read: &mut Variables) {
    for edge in &template.edges {
        let runs = |value: &Expr| value.contains(&|kind| matches!(kind, ExprKind::Run(_)));
        let fails = |place: &Place, value: &Expr| risk.assignment_may_fail(place, value) || runs(value);
        for (place, _) in edge.assignments().filter(|(place, value)| fails(place, value)) {
            read.add(place);
        }
        for place in edge.stores().filter(|place| template.deterministic || risk.place_may_fail(place)) {
            read.add(place);
        }
    }
}
