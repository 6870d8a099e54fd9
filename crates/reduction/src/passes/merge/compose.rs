//! What a sender does after a rendezvous, as part of the send.
//!
//! A sender loses control when its message is taken, so it cannot go on as others do. The local
//! steps that follow are put into the send: assignments become its effects, a choice makes one send
//! for each way to go on, with the guard of that way. The guards are asked before the send, so a
//! way ends where one asks what was assigned on it. If no way may be possible, there is one more,
//! which ends where the choice is.
//!
//! Where a receiver inside `atomic` may hand on messages before the sender moves again, the sender
//! would be further than it should be: then nothing is composed.

use std::collections::BTreeMap;

use ample_model::{
    Action, BinaryOp, Edge, EdgeId, Effect, Expr, ExprKind, LocationId, Model, Template, TemplateId, UnaryOp,
};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::Move;

use crate::passes::entry::TemplateOf;
use crate::passes::risk::Risk;
use crate::passes::slots::{Slots, add_reads, writes};

/// No send is replaced by more than so many.
const MOST_WAYS: usize = 16;

/// Which edges the edges of the rewritten model stand for, where they are not the same.
pub(super) struct Composed {
    edges: IndexVec<TemplateId, ComposedEdges>,
}

/// For each edge, the send and the steps that follow it.
type ComposedEdges = IndexVec<EdgeId, Option<(EdgeId, Vec<EdgeId>)>>;

impl Composed {
    /// The moves of the model before sends were composed.
    ///
    /// The steps that follow a send come before the sender goes on, and else last: a receiver
    /// inside `atomic` goes on before.
    pub(super) fn moves(&self, transition: &[Move], template_of: TemplateOf<'_>) -> Vec<Move> {
        let (mut moves, mut later): (Vec<Move>, Vec<Move>) = (Vec::new(), Vec::new());
        for step in transition {
            if later.first().is_some_and(|waiting| waiting.process == step.process) {
                moves.append(&mut later);
            }
            let edges = template_of(step.process).and_then(|template| self.edges.get(template));
            match edges.and_then(|edges| edges.get(step.edge)) {
                Some(Some((send, tail))) => {
                    moves.push(Move { edge: *send, ..*step });
                    later.extend(tail.iter().map(|edge| Move { process: step.process, edge: *edge, partner: None }));
                }
                _ => moves.push(*step),
            }
        }
        moves.append(&mut later);
        moves
    }
}

/// Composes sends that may be a rendezvous with the local steps after them.
pub(super) fn compose_sends(
    written: &Model,
    model: &mut Model,
    passed: &IndexVec<TemplateId, BitSet<LocationId>>,
) -> Composed {
    let has_rendezvous = written.channels.iter().any(|channel| channel.capacity == 0);
    let composes = has_rendezvous && !written.templates.iter().any(hands_on_inside_atomic);
    let mut edges = IndexVec::new();
    for ((template, passed), unmerged) in model.templates.iter_mut().zip(passed).zip(&written.templates) {
        let mut composed: ComposedEdges = template.edges.iter().map(|_| None).collect();
        if composes && !passed.is_empty() {
            let risk = Risk::of(written, unmerged);
            compose_in(template, unmerged, risk, passed, &mut composed);
        }
        edges.push(composed);
    }
    Composed { edges }
}

/// Whether a process that has taken a message inside `atomic` may go on to send or to receive.
fn hands_on_inside_atomic(template: &Template) -> bool {
    let takes = |edge: &Edge| matches!(edge.action, Action::Receive { .. } | Action::DeterministicStep(_));
    let mut open: Vec<LocationId> =
        template.edges.iter().filter(|edge| takes(edge) && edge.keeps_control).map(|edge| edge.target).collect();
    let mut seen = BitSet::new();
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        for edge in template.locations[location].edges.iter().map(|id| &template.edges[*id]) {
            if takes(edge) || matches!(edge.action, Action::Send { .. }) {
                return true;
            }
            if edge.keeps_control {
                open.push(edge.target);
            }
        }
    }
    false
}

/// Replaces each send of a template that leads to a location that is passed by one send for each
/// way to go on.
fn compose_in(
    template: &mut Template,
    written: &Template,
    risk: Risk<'_>,
    passed: &BitSet<LocationId>,
    composed: &mut ComposedEdges,
) {
    let is_one = |edge: &Edge| matches!(edge.action, Action::Send { .. }) && passed.contains(edge.target);
    let sends: Vec<EdgeId> =
        template.edges.iter_enumerated().filter(|(_, edge)| is_one(edge)).map(|(id, _)| id).collect();
    let mut composed_sends: BTreeMap<EdgeId, Vec<EdgeId>> = BTreeMap::new();
    for id in sends {
        let send = template.edges[id].clone();
        let mut numbers = Vec::new();
        for way in ways(written, risk, passed, &send) {
            let keeps_control = if way.path.is_empty() { send.keeps_control } else { passed.contains(way.target) };
            let edge = Edge { keeps_control, ..way.after(&send) };
            let number = if numbers.is_empty() { id } else { EdgeId::from_index(template.edges.len()) };
            if number == id {
                template.edges[id] = edge;
                composed[id] = Some((id, way.path));
            } else {
                template.edges.push(edge);
                composed.push(Some((id, way.path)));
            }
            numbers.push(number);
        }
        composed_sends.insert(id, numbers);
    }
    for location in template.locations.iter_mut() {
        let all = location.edges.iter().flat_map(|id| composed_sends.get(id).cloned().unwrap_or(vec![*id]));
        location.edges = all.collect();
    }
}

/// A way to go on after a send.
#[derive(Clone)]
struct Way {
    /// What must be true before the send.
    guard: Option<Expr>,
    effects: Vec<Effect>,
    /// What was assigned so far.
    written: Slots,
    path: Vec<EdgeId>,
    target: LocationId,
    /// Whether it is known that it ends here.
    is_over: bool,
}

impl Way {
    /// The send with this way after it.
    fn after(&self, send: &Edge) -> Edge {
        Edge {
            guard: both(send.guard.clone(), self.guard.clone()),
            effects: send.effects.iter().chain(&self.effects).cloned().collect(),
            target: self.target,
            ..send.clone()
        }
    }

    /// This way and one more step, if that is possible under a condition.
    fn and(&self, id: EdgeId, edge: &Edge, condition: Option<Expr>) -> Way {
        let mut way = self.clone();
        way.guard = both(way.guard, condition);
        if let Action::Assign(place, value) = &edge.action {
            way.effects.push(Effect { place: place.clone(), value: value.clone() });
        }
        way.effects.extend(edge.effects.iter().cloned());
        writes(edge).for_each(|slot| _ = way.written.insert(slot));
        way.path.push(id);
        way.target = edge.target;
        way
    }
}

/// The ways to go on after a send: itself alone, if there are too many.
fn ways(template: &Template, risk: Risk<'_>, passed: &BitSet<LocationId>, send: &Edge) -> Vec<Way> {
    let alone = Way {
        guard: None,
        effects: Vec::new(),
        written: writes(send).collect(),
        path: Vec::new(),
        target: send.target,
        is_over: false,
    };
    let (mut open, mut done) = (vec![alone.clone()], Vec::new());
    while let Some(way) = open.pop() {
        match longer(template, risk, passed, &way) {
            Some(ways) => open.extend(ways.into_iter().rev()),
            None => done.push(way),
        }
        if open.len() + done.len() > MOST_WAYS {
            return vec![alone];
        }
    }
    done
}

/// The ways that go one step further; `None` where a way ends.
fn longer(template: &Template, risk: Risk<'_>, passed: &BitSet<LocationId>, way: &Way) -> Option<Vec<Way>> {
    if way.is_over || !passed.contains(way.target) {
        return None;
    }
    let edges = || template.locations[way.target].edges.iter().map(|id| (*id, &template.edges[*id]));
    // An `atomic` sequence is one transition of the model as written: none ends inside.
    if edges().any(|(_, edge)| edge.keeps_control) {
        return None;
    }
    let conditions: Vec<Condition<'_>> =
        edges().map(|(_, edge)| condition(edge, risk, &way.written)).collect::<Option<_>>()?;
    let none = none_of(&conditions);
    let mut ways = Vec::new();
    for ((id, edge), condition) in edges().zip(&conditions) {
        match (condition, &none) {
            (Condition::Always, _) => ways.push(way.and(id, edge, None)),
            (Condition::If(guard), _) => ways.push(way.and(id, edge, Some((*guard).clone()))),
            (Condition::Else, Some(none)) => ways.push(way.and(id, edge, none.clone())),
            (Condition::Else, None) => {}
        }
    }
    let has_else = conditions.iter().any(|condition| matches!(condition, Condition::Else));
    if let (Some(none), false) = (none, has_else) {
        ways.push(Way { guard: both(way.guard.clone(), none), is_over: true, ..way.clone() });
    }
    Some(ways)
}

/// When a step can be made.
enum Condition<'e> {
    Always,
    If(&'e Expr),
    Else,
}

/// When a step can be made, if it can be composed and that can be told before what was `written`.
fn condition<'e>(edge: &'e Edge, risk: Risk<'_>, written: &Slots) -> Option<Condition<'e>> {
    match &edge.action {
        _ if edge.guard.is_some() => None,
        Action::Skip | Action::Assign(..) => Some(Condition::Always),
        Action::Print { arguments, .. } if !arguments.iter().any(|argument| risk.may_fail(argument)) => {
            Some(Condition::Always)
        }
        Action::Guard(expr) => match expr.kind {
            ExprKind::Const(value) if value != 0 => Some(Condition::Always),
            _ => {
                let mut read = Slots::new();
                add_reads(expr, &mut read);
                let is_known = read.iter().all(|slot| !written.contains(slot));
                (is_known && !risk.may_fail(expr)).then_some(Condition::If(expr))
            }
        },
        Action::Else => Some(Condition::Else),
        _ => None,
    }
}

/// The condition that none of the guards is true, which is no condition if there are no guards;
/// `None` if some step can always be made.
fn none_of(conditions: &[Condition<'_>]) -> Option<Option<Expr>> {
    let mut none = None;
    for condition in conditions {
        match condition {
            Condition::Always => return None,
            Condition::If(guard) => {
                let span = guard.span;
                let not = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new((*guard).clone())), span };
                none = both(none, Some(not));
            }
            Condition::Else => {}
        }
    }
    Some(none)
}

/// The conjunction of two conditions.
fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let span = a.span;
            Some(Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)), span })
        }
        (a, b) => a.or(b),
    }
}
