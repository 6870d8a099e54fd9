//! Flat programs, and what a command of one does to variables.

use ample_model::{
    Action, ActiveProcess, BinaryOp, Edge, EdgeId, Expr, ExprKind, InitValue, Model, Scalar, Scope, SlotId, Template,
    TemplateKind, UnaryOp,
};
use ample_stdx::IndexVec;

use crate::NotHere;
use crate::passes::risk::Risk;
use crate::passes::slots::{only_slot, slots_of};

/// The process of a flat program: one, whose commands are the edges of one location. `None` if the
/// model is something else, an error if it is one that a choice comes before.
pub(super) fn flat(model: &Model) -> Result<Option<&Template>, NotHere> {
    let ([template], [ActiveProcess { .. }]) = (model.templates.as_slice(), &model.active[..]) else {
        return Ok(None);
    };
    let is_plain = template.kind == TemplateKind::Process
        && template.provided.is_none()
        && !template.deterministic
        && template.exclusive.is_empty()
        && template.frame.slots.is_empty()
        && model.channels.is_empty()
        && model.uses == Default::default();
    let is_unmarked = template.locations.iter().all(|at| !at.end && !at.progress && !at.accept && at.d_step.is_none());
    if !is_plain || !is_unmarked || !template.edges.iter().all(is_command) || !begins_with_constants(model) {
        return Ok(None);
    }
    let returns = |edge: &Edge| edge.source == template.entry && edge.target == template.entry;
    if template.edges.iter().all(returns) {
        return Ok(Some(template));
    }
    let comes_back = template.edges.iter().any(|edge| edge.target == template.entry);
    let are_two = template.locations.iter().filter(|at| !at.edges.is_empty()).count() == 2;
    if are_two && !comes_back {
        return Err(NotHere("the program begins with a choice (`= any`), and no command comes before it".to_owned()));
    }
    Ok(None)
}

/// Whether an edge is a guarded command: a condition and assignments.
fn is_command(edge: &Edge) -> bool {
    let mut is_plain = true;
    edge.walk(&mut |part| is_plain &= is_plain_part(part));
    let is_guarded = matches!(edge.action, Action::Skip | Action::Guard(_));
    is_plain && is_guarded && edge.guard.is_none() && edge.escape.is_none() && !edge.keeps_control
}

/// Whether an expression asks about global variables only.
pub(super) fn is_about_variables(expr: &Expr) -> bool {
    let mut is_plain = true;
    expr.walk(&mut |part| is_plain &= is_plain_part(part));
    is_plain
}

/// The same apart from its operands.
fn is_plain_part(part: &Expr) -> bool {
    match &part.kind {
        ExprKind::Read(place) => place.scope == Scope::Global,
        ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(_) => true,
        _ => false,
    }
}

fn begins_with_constants(model: &Model) -> bool {
    model
        .globals
        .init
        .iter()
        .all(|init| matches!(&init.value, InitValue::Expr(value) if matches!(value.kind, ExprKind::Const(_))))
}

/// A part of a guard that compares a variable with a constant.
#[derive(Copy, Clone, Debug)]
pub(super) struct Test {
    /// Which of the parts of the guard, which all must be true.
    pub conjunct: usize,
    pub slot: SlotId,
    pub value: i64,
}

/// What a command assigns to a variable.
#[derive(Copy, Clone, Debug)]
pub(super) struct Assignment {
    pub slot: SlotId,
    /// The constant, if it is one and it is certain that this variable is meant.
    pub value: Option<i64>,
}

/// What a command does to variables.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// What its guard compares with constants, before anything in the guard may fail.
    pub tests: Vec<Test>,
    /// What it assigns, in order.
    pub assigned: Vec<Assignment>,
}

impl Command {
    /// The first comparison of a variable.
    pub fn test(&self, slot: SlotId) -> Option<&Test> {
        self.tests.iter().find(|test| test.slot == slot)
    }

    /// What a variable is assigned last, by constants that it can hold.
    pub fn last(&self, slot: SlotId, scalar: Scalar) -> Option<i64> {
        let mut values = self.assigned.iter().filter(|one| one.slot == slot).filter_map(|one| one.value);
        values.rfind(|value| scalar.holds(*value)).map(|value| scalar.truncate(value))
    }
}

/// What the commands of a flat program do.
pub(super) fn commands(model: &Model, template: &Template) -> IndexVec<EdgeId, Command> {
    let risk = Risk::of(model, template);
    template.edges.iter().map(|edge| command(model, risk, edge)).collect()
}

fn command(model: &Model, risk: Risk<'_>, edge: &Edge) -> Command {
    let mut tests = Vec::new();
    if let Action::Guard(guard) = &edge.action {
        // What comes after something that fails is not asked.
        let certain = conjuncts(guard).into_iter().take_while(|part| !risk.may_fail(part));
        let test_of = |(conjunct, part)| {
            let (slot, value) = comparison(model, part)?;
            Some(Test { conjunct, slot, value })
        };
        tests.extend(certain.enumerate().filter_map(test_of));
    }
    let mut assigned = Vec::new();
    for effect in &edge.effects {
        let value = match effect.value.kind {
            ExprKind::Const(value) if !risk.place_may_fail(&effect.place) => Some(value),
            _ => None,
        };
        let value = value.filter(|_| only_slot(&effect.place).is_some());
        assigned.extend(slots_of(&effect.place).map(|slot| Assignment { slot, value }));
    }
    Command { tests, assigned }
}

/// The parts of a condition that must all be true, in the order in which they are asked.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    let (mut parts, mut open) = (Vec::new(), vec![condition]);
    while let Some(part) = open.pop() {
        match &part.kind {
            ExprKind::Binary(BinaryOp::And, first, second) => open.extend([&**second, &**first]),
            _ => parts.push(part),
        }
    }
    parts
}

/// The variable that a condition compares with a constant: `x = 2`, and of a truth value `x` and
/// `not x`.
fn comparison(model: &Model, condition: &Expr) -> Option<(SlotId, i64)> {
    let is_truth = |slot: &SlotId| model.globals.slots[*slot].scalar == Scalar::Bit;
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Equal, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Const(value)) => Some((variable(a)?, *value)),
            (ExprKind::Const(value), _) => Some((variable(b)?, *value)),
            _ => None,
        },
        ExprKind::Read(_) => variable(condition).filter(is_truth).map(|slot| (slot, 1)),
        ExprKind::Unary(UnaryOp::Not, operand) => variable(operand).filter(is_truth).map(|slot| (slot, 0)),
        _ => None,
    }
}

fn variable(expr: &Expr) -> Option<SlotId> {
    match &expr.kind {
        ExprKind::Read(place) => only_slot(place),
        _ => None,
    }
}
