//! Dead variables: a local variable that nobody will read before it is written again becomes zero
//! (Pelánek, section 3.2.1; Spin's `-o2`).
//!
//! The step after which a variable is dead assigns zero to it, unless it is zero already as far as
//! control flow can tell; and a constant that a dead variable begins with is left out. So states
//! that differ in dead variables only become one. A reset is an assignment like any other: machine
//! code, the interpreter and the facts about what is written need to know nothing of it.
//!
//! The two models are bisimilar: a state of one and the same state with its dead variables reset
//! have the same moves, to such states again, since no move reads what is dead. What others read is
//! never dead: what a proposition or a remote reference names, what `provided`, `xr` and `xs` ask.
//! Channels keep their numbers. And what a process never assigns is a constant of it, by which
//! other techniques know its channels and elements of arrays: it is not reset either.

mod liveness;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{
    Action, EdgeId, Effect, Expr, ExprKind, InitValue, LocationId, Model, Place, Scalar, Scope, SlotId, Template,
    TemplateId, TemplateKind,
};
use ample_stdx::IndexVec;

pub(crate) use self::liveness::live;
use super::entry::{PassEntry, Rewrite, Rewritten, SameMoves};
use super::observed::observed;
use super::slots::{Slots, add_reads, writes};
use crate::Visible;

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

fn rewrite(model: &Model, visible: &Visible<'_>) -> Option<Rewritten> {
    let found = DeadVariables::of(model, visible);
    if found.templates.iter().all(|dead| dead.resets.is_empty() && dead.first_values.is_empty()) {
        return None;
    }
    let mut model = model.clone();
    for (id, dead) in found.templates.iter_enumerated() {
        let template = &mut model.templates[id];
        template.frame.init.retain(|init| !dead.first_values.contains(init.slot));
        for (edge, slot) in &dead.resets {
            let edge = &mut template.edges[*edge];
            let (scope, span) = (Scope::Local, edge.span);
            let place = Place { scope, first: *slot, indices: Vec::new(), span };
            edge.effects.push(Effect { place, value: Expr::constant(0, span) });
        }
    }
    Some(Rewritten { model, back: Box::new(SameMoves) })
}

/// What is dead where, in all processes of a model.
pub struct DeadVariables {
    templates: IndexVec<TemplateId, DeadInTemplate>,
}

/// What is dead where in the processes of one kind.
#[derive(Default)]
struct DeadInTemplate {
    /// The variables whose first value, a constant, nobody reads.
    first_values: Slots,
    /// The edges after which a variable is dead that may not be zero.
    resets: Vec<(EdgeId, SlotId)>,
}

impl DeadVariables {
    /// Finds them, for a question.
    pub fn of(model: &Model, visible: &Visible<'_>) -> DeadVariables {
        let observed = observed(model, visible);
        let of_template = |(id, template): (TemplateId, &Template)| match template.kind {
            TemplateKind::Process | TemplateKind::Init => {
                dead_in(template, &always_live(template, &observed[id].slots))
            }
            TemplateKind::Never | TemplateKind::Trace | TemplateKind::Notrace => DeadInTemplate::default(),
        };
        DeadVariables { templates: model.templates.iter_enumerated().map(of_template).collect() }
    }

    /// The variables that are reset after an edge.
    pub fn after(&self, template: TemplateId, edge: EdgeId) -> impl Iterator<Item = SlotId> {
        self.templates[template].resets.iter().filter(move |(id, _)| *id == edge).map(|(_, slot)| *slot)
    }
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

/// What is dead where, if some variables are always live.
fn dead_in(template: &Template, always: &Slots) -> DeadInTemplate {
    let live = live(template, always);
    let first_values = dead_first_values(template, &live[template.entry]);
    let dirty = dirty(template, &first_values, &live);
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
    DeadInTemplate { first_values, resets }
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
