//! Dead variables: a local variable that nobody will read before it is written again becomes zero
//! (Pelánek, section 3.2.1; Spin's `-o2`), and what influences nothing is not assigned
//! ([`influence`]).
//!
//! The step after which a variable is dead assigns zero to it, or what is nearest to zero if its
//! type does not hold it, unless it is zero already as far as control flow can tell; and a constant
//! that a dead variable begins with is left out. So states that differ in dead variables only
//! become one. A reset is an assignment like any other: machine code, the interpreter and the facts
//! about what is written need to know nothing of it.
//!
//! The two models are bisimilar: a state of one and the same state with its dead variables reset
//! have the same moves, to such states again, since no move reads what is dead. What others read is
//! never dead: what a proposition or a remote reference names, what `provided`, `xr` and `xs` ask.
//! A global variable that influences nothing keeps its first value: the steps that assign it are
//! the same ones without the assignment, so that others need not wait for them; except where that
//! may fail, since what is assigned is outside of a range or beyond 64 bits. Channels keep
//! their numbers. And what a process never assigns is a constant of it, by which
//! other techniques know its channels and elements of arrays: it is not reset either.

mod influence;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{
    Action, EdgeId, Effect, Expr, ExprKind, InitValue, LocationId, Model, Place, Scope, SlotId, Template, TemplateId,
};
use ample_stdx::{BitSet, IndexVec};

use self::influence::{Influence, is_process};
use super::cut::cut;
use super::entry::{PassEntry, Rewrite, Rewritten, SameMoves};
use super::observed::observed;
use super::risk::Risk;
use super::slots::{Slots, add_reads, slots_of, writes};
use crate::Visible;
use crate::liveness::Variables;

/// Dead variables.
pub static DEAD: Part = Part {
    name: "dead",
    kind: PartKind::Pass,
    summary: "local variables that nobody will read again are reset",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.2.1"),
    guarantee: Guarantee::EXACT,
};

/// The pass.
pub(super) const ENTRY: PassEntry = PassEntry {
    part: &DEAD,
    is_automatic: true,
    rewrite: Rewrite::OfModel(|model, visible| Ok(rewrite(model, visible))),
};

fn rewrite(written: &Model, visible: &Visible<'_>) -> Option<Rewritten> {
    let found = DeadVariables::of(written, visible);
    let is_nothing =
        |dead: &DeadInTemplate| dead.resets.is_empty() && dead.first_values.is_empty() && dead.cut.is_empty();
    if found.templates.iter().all(is_nothing) {
        return None;
    }
    let mut model = written.clone();
    for (id, dead) in found.templates.iter_enumerated() {
        let (template, risk) = (&mut model.templates[id], Risk::of(written, &written.templates[id]));
        template.frame.init.retain(|init| !dead.first_values.contains(init.slot));
        for edge in &dead.cut {
            cut(&mut template.edges[*edge], risk, &|place| found.matters(place));
        }
        for (edge, slot) in &dead.resets {
            let reset = template.frame.slots[*slot].scalar.initial();
            let edge = &mut template.edges[*edge];
            let (scope, span) = (Scope::Local, edge.span);
            let place = Place { scope, first: *slot, indices: Vec::new(), span };
            edge.effects.push(Effect { place, value: Expr::constant(reset, span) });
        }
    }
    Some(Rewritten { model, back: Box::new(SameMoves) })
}

/// What is dead where, in all processes of a model.
pub struct DeadVariables {
    /// The global variables that matter.
    globals: BitSet<SlotId>,
    templates: IndexVec<TemplateId, DeadInTemplate>,
}

/// What is dead where in the processes of one kind.
#[derive(Default)]
struct DeadInTemplate {
    /// The variables whose first value, a constant, nobody reads.
    first_values: Slots,
    /// The edges after which a variable is dead that may not be zero.
    resets: Vec<(EdgeId, SlotId)>,
    /// The edges that assign global variables that influence nothing.
    cut: Vec<EdgeId>,
}

impl DeadVariables {
    /// Finds them, for a question.
    pub fn of(model: &Model, visible: &Visible<'_>) -> DeadVariables {
        let observed = observed(model, visible);
        let Influence { globals, live } = Influence::of(model, visible, &observed);
        let of_template = |(template, live)| match is_process(template) {
            true => dead_in(template, &live_locals(live), &globals),
            false => DeadInTemplate::default(),
        };
        let templates = model.templates.iter().zip(&live).map(of_template).collect();
        DeadVariables { globals, templates }
    }

    /// The names of the variables that are dead after an edge that may have changed them: those
    /// that are reset, and global ones that influence nothing.
    pub fn after(&self, model: &Model, template: TemplateId, edge: EdgeId) -> Vec<String> {
        let (dead, of) = (&self.templates[template], &model.templates[template]);
        let resets = dead.resets.iter().filter(|(id, _)| *id == edge).map(|(_, slot)| &of.frame.slots[*slot].name);
        let assigned = of.edges[edge].stores().filter(|place| dead.cut.contains(&edge) && !self.matters(place));
        let cut = assigned.flat_map(slots_of).map(|slot| &model.globals.slots[slot].name);
        resets.chain(cut).cloned().collect()
    }

    /// Whether what a place holds may influence something: it is not a global variable that does
    /// not.
    fn matters(&self, place: &Place) -> bool {
        place.scope == Scope::Local || slots_of(place).any(|slot| self.globals.contains(slot))
    }
}

/// The variables of the process that are live at each location.
fn live_locals(live: &IndexVec<LocationId, Variables>) -> IndexVec<LocationId, Slots> {
    live.iter().map(|at| at.locals.clone()).collect()
}

/// What is dead where, if these variables are live at its locations, and these global ones matter.
fn dead_in(template: &Template, live: &IndexVec<LocationId, Slots>, globals: &Slots) -> DeadInTemplate {
    let first_values = dead_first_values(template, &live[template.entry]);
    let dirty = dirty(template, &first_values, live);
    let mut resets = Vec::new();
    let mut before: IndexVec<EdgeId, Slots> = template.edges.iter().map(|_| Slots::new()).collect();
    for (id, location) in template.locations.iter_enumerated() {
        location.edges.iter().for_each(|edge| _ = before[*edge].union_with(&dirty[id]));
    }
    for (id, edge) in template.edges.iter_enumerated().filter(|(_, edge)| can_reset(&edge.action)) {
        let mut after = before[id].clone();
        writes(edge).for_each(|slot| _ = after.insert(slot));
        let dead = after.iter().filter(|slot| !live[edge.target].contains(*slot));
        resets.extend(dead.map(|slot| (id, slot)));
    }
    let is_cut = |place: &Place| place.scope == Scope::Global && slots_of(place).all(|slot| !globals.contains(slot));
    let cut = template.edges.iter_enumerated().filter(|(_, edge)| edge.stores().any(is_cut)).map(|(id, _)| id);
    DeadInTemplate { first_values, resets, cut: cut.collect() }
}

/// The variables that begin with a constant that nobody reads.
fn dead_first_values(template: &Template, live: &Slots) -> Slots {
    let mut read = live.clone();
    for init in &template.frame.init {
        if let InitValue::Expr(expr) = &init.value {
            add_reads(expr, &mut read);
        }
    }
    let constants = template.frame.init.iter().filter(|init| match &init.value {
        InitValue::Expr(expr) => matches!(expr.kind, ExprKind::Const(_)),
        InitValue::Channel(_) => false,
    });
    constants.map(|init| init.slot).filter(|slot| !read.contains(*slot)).collect()
}

/// Which variables may not be zero at each location, once what is dead is reset: forward, from the
/// values that there are at first.
fn dirty(template: &Template, first_values: &Slots, live: &IndexVec<LocationId, Slots>) -> IndexVec<LocationId, Slots> {
    let mut dirty: IndexVec<LocationId, Slots> = template.locations.iter().map(|_| Slots::new()).collect();
    let first = template.frame.init.iter().map(|init| init.slot).filter(|slot| !first_values.contains(*slot));
    let parameters = template.frame.slots.ids().take(template.parameters);
    // What is dead from the start and never written stays what it is: to reset it with the first
    // step would tell that step apart.
    let at_entry: Slots = first.chain(parameters).filter(|slot| live[template.entry].contains(*slot)).collect();
    dirty[template.entry].union_with(&at_entry);
    loop {
        let mut has_changed = false;
        for (id, location) in template.locations.iter_enumerated() {
            for edge in location.edges.iter().map(|edge| &template.edges[*edge]) {
                let mut after = dirty[id].clone();
                writes(edge).for_each(|slot| _ = after.insert(slot));
                if let Action::DeterministicStep(inside) = edge.action {
                    has_changed |= dirty[inside].union_with(&after);
                }
                if can_reset(&edge.action) {
                    after.intersect_with(&live[edge.target]);
                }
                has_changed |= dirty[edge.target].union_with(&after);
            }
        }
        if !has_changed {
            return dirty;
        }
    }
}

/// Whether a step can assign something besides. What happens inside a `d_step` is done by the steps
/// there; a process that has ended has no variables.
fn can_reset(action: &Action) -> bool {
    !matches!(action, Action::DeterministicStep(_) | Action::End | Action::Event { .. })
}
