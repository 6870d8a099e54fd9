//! A measure of progress that a model states (`progress f;`): a sum of global variables that never
//! falls along a run, as for the sweep-line method (Pelánek's thesis, section 3.4). It is checked
//! edge by edge.

use std::collections::BTreeMap;

use ample_model::{Action, BinaryOp, Edge, Expr, ExprKind, Model, Place, Scalar, Scope, SlotId, UnaryOp};

use crate::NotHere;
use crate::passes::slots::{only_slot, slots_of};

/// A sum of multiples of global variables, and of a number between two others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub terms: BTreeMap<SlotId, i128>,
    pub low: i128,
    pub high: i128,
}

/// What an edge does to a measure: adds at least so much.
pub(crate) type Growth = i128;

impl Sum {
    fn between((low, high): (i128, i128)) -> Sum {
        Sum { terms: BTreeMap::new(), low, high }
    }

    fn of_slot(slot: SlotId) -> Sum {
        Sum { terms: BTreeMap::from([(slot, 1)]), low: 0, high: 0 }
    }

    fn times(&self, factor: i128) -> Option<Sum> {
        let terms = self.terms.iter().map(|(slot, times)| Some((*slot, times.checked_mul(factor)?)));
        let (a, b) = (self.low.checked_mul(factor)?, self.high.checked_mul(factor)?);
        Some(Sum { terms: terms.collect::<Option<_>>()?, low: a.min(b), high: a.max(b) })
    }

    fn plus(&self, other: &Sum) -> Option<Sum> {
        let mut sum = self.clone();
        for (slot, times) in &other.terms {
            let own = sum.terms.entry(*slot).or_insert(0);
            *own = own.checked_add(*times)?;
        }
        sum.terms.retain(|_, times| *times != 0);
        (sum.low, sum.high) = (sum.low.checked_add(other.low)?, sum.high.checked_add(other.high)?);
        Some(sum)
    }

    /// The least and the greatest value, by those of the variables.
    pub fn bounds(&self, of: impl Fn(SlotId) -> (i128, i128)) -> Option<(i128, i128)> {
        self.terms.iter().try_fold((self.low, self.high), |(low, high), (slot, times)| {
            let (least, most) = of(*slot);
            let (a, b) = (least.checked_mul(*times)?, most.checked_mul(*times)?);
            Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
        })
    }
}

/// The measure that a model states; an error if it is none, or may fall.
pub(crate) fn stated(model: &Model) -> Result<Option<Sum>, NotHere> {
    let Some(stated) = &model.progress else { return Ok(None) };
    let fail = |why: &str| Err(NotHere(format!("the model states a measure of progress {why}")));
    let Some(measure) = sum(stated, &BTreeMap::new()) else {
        return fail("that is no sum of multiples of variables");
    };
    for edge in model.templates.iter().flat_map(|template| &template.edges) {
        if growth(model, edge, &measure).is_none_or(|growth| growth < 0) {
            return fail(&format!("that `{}` may make smaller", edge.text));
        }
    }
    Ok(Some(measure))
}

/// How much an edge adds to a measure at least; `None` if that is not known.
pub(crate) fn growth(model: &Model, edge: &Edge, measure: &Sum) -> Option<Growth> {
    let mut after: BTreeMap<SlotId, Sum> = BTreeMap::new();
    let is_measured =
        |place: &Place| place.scope == Scope::Global && slots_of(place).any(|slot| measure.terms.contains_key(&slot));
    let assigned = edge.assignments().count();
    if edge.stores().count() != assigned && edge.stores().any(is_measured) {
        return None;
    }
    for (place, value) in edge.assignments().filter(|(place, _)| place.scope == Scope::Global) {
        let Some(slot) = only_slot(place) else {
            if is_measured(place) {
                return None;
            }
            slots_of(place).for_each(|slot| _ = after.insert(slot, anything(model, slot)));
            continue;
        };
        let scalar = model.globals.slots[slot].scalar;
        // What has no room in a range is an error, and ends the run.
        let is_kept = matches!(scalar, Scalar::Range { .. } | Scalar::Integer);
        let value = sum(value, &after).filter(|_| is_kept).unwrap_or_else(|| anything(model, slot));
        after.insert(slot, value);
    }
    let mut change = Sum::between((0, 0));
    for (slot, times) in &measure.terms {
        if let Some(value) = after.get(slot) {
            change = change.plus(&value.plus(&Sum::of_slot(*slot).times(-1)?)?.times(*times)?)?;
        }
    }
    change.bounds(|slot| known(model, edge, slot)).map(|(least, _)| least)
}

/// Anything that a variable can hold.
fn anything(model: &Model, slot: SlotId) -> Sum {
    let (low, high) = model.globals.slots[slot].scalar.bounds();
    Sum::between((low.into(), high.into()))
}

/// An expression as a sum, where some variables have been given values; `None` if it is none.
fn sum(expr: &Expr, after: &BTreeMap<SlotId, Sum>) -> Option<Sum> {
    let of = |expr: &Expr| sum(expr, after);
    let number = |expr: &Expr| match expr.kind {
        ExprKind::Const(number) => Some(i128::from(number)),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Const(number) => Some(Sum::between((i128::from(*number), i128::from(*number)))),
        ExprKind::Read(place) if place.scope == Scope::Global => {
            let slot = only_slot(place)?;
            Some(after.get(&slot).cloned().unwrap_or_else(|| Sum::of_slot(slot)))
        }
        ExprKind::Unary(UnaryOp::Negate, operand) => of(operand)?.times(-1),
        ExprKind::Unary(UnaryOp::Not, _) => Some(Sum::between((0, 1))),
        ExprKind::Binary(BinaryOp::Add, left, right) => of(left)?.plus(&of(right)?),
        ExprKind::Binary(BinaryOp::Subtract, left, right) => of(left)?.plus(&of(right)?.times(-1)?),
        ExprKind::Binary(BinaryOp::Multiply, left, right) => match (number(left), number(right)) {
            (Some(factor), _) => of(right)?.times(factor),
            (_, Some(factor)) => of(left)?.times(factor),
            _ => None,
        },
        ExprKind::Binary(op, ..) if *op != ample_network::negated(*op) => Some(Sum::between((0, 1))),
        _ => None,
    }
}

/// Between which numbers a variable lies before an edge, by its type and the guard.
fn known(model: &Model, edge: &Edge, slot: SlotId) -> (i128, i128) {
    let (low, high) = model.globals.slots[slot].scalar.bounds();
    let mut bounds = (i128::from(low), i128::from(high));
    let own = match &edge.action {
        Action::Guard(guard) => Some(guard),
        _ => None,
    };
    own.into_iter().chain(&edge.guard).for_each(|guard| narrow(guard, slot, &mut bounds));
    bounds
}

fn narrow(guard: &Expr, slot: SlotId, bounds: &mut (i128, i128)) {
    let ExprKind::Binary(op, left, right) = &guard.kind else { return };
    if *op == BinaryOp::And {
        narrow(left, slot, bounds);
        return narrow(right, slot, bounds);
    }
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Read(read) if read.scope == Scope::Global && only_slot(read) == Some(slot));
    let (ExprKind::Const(number), true) = (&right.kind, is_it(left)) else { return };
    let number = i128::from(*number);
    match op {
        BinaryOp::Equal => *bounds = (bounds.0.max(number), bounds.1.min(number)),
        BinaryOp::Less => bounds.1 = bounds.1.min(number - 1),
        BinaryOp::LessEqual => bounds.1 = bounds.1.min(number),
        BinaryOp::Greater => bounds.0 = bounds.0.max(number + 1),
        BinaryOp::GreaterEqual => bounds.0 = bounds.0.max(number),
        _ => {}
    }
}
