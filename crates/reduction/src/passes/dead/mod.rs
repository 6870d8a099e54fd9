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
//! Channels keep their numbers.

mod liveness;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{
    Action, Effect, Expr, ExprKind, InitValue, LocationId, Model, Place, RemoteRead, Scalar, Scope, Template, TemplateId,
    TemplateKind,
};
use ample_network::Network;
use ample_stdx::IndexVec;
use ample_transition::Move;

use self::liveness::{Slots, add_reads, live, slots_of, writes};
use super::entry::{PassEntry, Rewritten};
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
pub(super) const ENTRY: PassEntry =
    PassEntry { part: &DEAD, is_automatic: false, rewrite: |network, _, visible| Ok(rewrite(network, visible)) };

fn rewrite(network: &Network<'_>, visible: &Visible<'_>) -> Option<Rewritten> {
    let mut model = network.model.clone();
    let remote = remotely_read(network.model, visible);
    let ids: Vec<TemplateId> = model.templates.ids().collect();
    let mut resets = 0;
    for id in ids {
        if matches!(model.templates[id].kind, TemplateKind::Process | TemplateKind::Init) {
            let always = always_live(&model.templates[id], &remote[id]);
            resets += reset_dead(&mut model.templates[id], &always);
        }
    }
    let back = |step: Move, moves: &mut Vec<Move>| moves.push(step);
    (resets > 0).then(|| Rewritten { model, back: Box::new(back) })
}

/// The variables of each template that others read: other processes, and the question.
fn remotely_read(model: &Model, visible: &Visible<'_>) -> IndexVec<TemplateId, Slots> {
    let mut read: IndexVec<TemplateId, Slots> = model.templates.iter().map(|_| Slots::new()).collect();
    let mut look = |part: &Expr| {
        if let ExprKind::RemoteRead(remote) = &part.kind {
            let RemoteRead { template, place, .. } = &**remote;
            slots_of(place).for_each(|slot| _ = read[*template].insert(slot));
        }
    };
    visible.propositions.iter().for_each(|proposition| proposition.walk(&mut look));
    for template in &model.templates {
        template.edges.iter().for_each(|edge| edge.walk(&mut look));
        template.provided.iter().for_each(|condition| condition.walk(&mut look));
    }
    read
}

/// What is live everywhere in a template.
fn always_live(template: &Template, remote: &Slots) -> Slots {
    let mut always = remote.clone();
    template.provided.iter().for_each(|condition| add_reads(condition, &mut always));
    template.exclusive.iter().for_each(|claim| add_reads(&claim.channel, &mut always));
    let channels = template.frame.slots.iter_enumerated().filter(|(_, slot)| slot.scalar == Scalar::Channel);
    channels.for_each(|(slot, _)| _ = always.insert(slot));
    always
}

/// Resets what is dead; gives how many resets there are.
fn reset_dead(template: &mut Template, always: &Slots) -> usize {
    let live = live(template, always);
    let mut resets = drop_dead_values(template, &live[template.entry]);
    let dirty = dirty(template, &live);
    for id in template.edges.ids().collect::<Vec<_>>() {
        if !can_reset(&template.edges[id].action) {
            continue;
        }
        let (target, span) = (template.edges[id].target, template.edges[id].span);
        let mut dead = Slots::new();
        for (location, _) in template.locations.iter_enumerated().filter(|(_, place)| place.edges.contains(&id)) {
            dead.union_with(&dirty[location]);
        }
        writes(&template.edges[id]).for_each(|slot| _ = dead.insert(slot));
        for slot in dead.iter().filter(|slot| !live[target].contains(*slot)) {
            let place = Place { scope: Scope::Local, first: slot, indices: Vec::new(), span };
            template.edges[id].effects.push(Effect { place, value: Expr::constant(0, span) });
            resets += 1;
        }
    }
    resets
}

/// Leaves out the constants that dead variables begin with; gives how many.
fn drop_dead_values(template: &mut Template, live: &Slots) -> usize {
    let mut read = live.clone();
    for init in &template.frame.init {
        if let InitValue::Expr(expr) = &init.value {
            add_reads(expr, &mut read);
        }
    }
    let before = template.frame.init.len();
    template.frame.init.retain(|init| match &init.value {
        InitValue::Expr(expr) => !matches!(expr.kind, ExprKind::Const(_)) || read.contains(init.slot),
        InitValue::Channel(_) => true,
    });
    before - template.frame.init.len()
}

/// Which variables may not be zero at each location, once what is dead is reset: forward, from the
/// values that there are at first.
fn dirty(template: &Template, live: &IndexVec<LocationId, Slots>) -> IndexVec<LocationId, Slots> {
    let mut dirty: IndexVec<LocationId, Slots> = template.locations.iter().map(|_| Slots::new()).collect();
    let first = template.frame.init.iter().map(|init| init.slot);
    let parameters = template.frame.slots.ids().take(template.parameters);
    let at_entry: Slots = first.chain(parameters).collect();
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
