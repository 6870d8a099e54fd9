//! The meaning of commands on exact integers, once more and on wider ones: guards and assignments
//! over global variables, for tests of whoever executes them.
//!
//! An operand has 64 bits, so that a sum, a product or a quotient of two has less than 128, and
//! whether it has a value is seen from the number itself.

use ample_interpret::State;
use ample_model::{Action, BinaryOp, Edge, Expr, ExprKind, Model, Place, UnaryOp};
use ample_stdx::TypedId;
use ample_transition::FaultKind;

/// What comes of an edge in a state: it cannot be taken, it leads to these values, or it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The guard is false.
    No,
    /// The values of the global variables afterwards.
    To(Vec<i64>),
    /// What goes wrong.
    Fails(FaultKind),
}

/// Takes an edge of a program of guarded commands in a state.
pub fn take(model: &Model, state: &State, edge: &Edge) -> Taken {
    let mut values = state.globals().to_vec();
    match go(model, &mut values, edge) {
        Ok(true) => Taken::To(values),
        Ok(false) => Taken::No,
        Err(fault) => Taken::Fails(fault),
    }
}

fn go(model: &Model, values: &mut [i64], edge: &Edge) -> Result<bool, FaultKind> {
    if let Action::Guard(guard) = &edge.action
        && value(values, guard)? == 0
    {
        return Ok(false);
    }
    for effect in &edge.effects {
        let stored = value(values, &effect.value)?;
        let slot = slot(values, &effect.place)?;
        let (low, high) = model.globals.slots.as_slice()[slot].scalar.bounds();
        if !(i128::from(low)..=i128::from(high)).contains(&stored) {
            return Err(FaultKind::RuntimeError);
        }
        values[slot] = within_64_bits(stored)? as i64;
    }
    Ok(true)
}

fn slot(values: &[i64], place: &Place) -> Result<usize, FaultKind> {
    let mut slot = place.first.index();
    for index in &place.indices {
        let number = match &index.value.kind {
            // One that is far from where the array begins is out of range, not a limit.
            ExprKind::Binary(BinaryOp::Subtract, written, low) if index.low != 0 => {
                value(values, written)? - value(values, low)?
            }
            _ => value(values, &index.value)?,
        };
        if !(0..i128::from(index.length)).contains(&number) {
            return Err(FaultKind::RuntimeError);
        }
        slot += number as usize * index.stride as usize;
    }
    Ok(slot)
}

fn value(values: &[i64], expr: &Expr) -> Result<i128, FaultKind> {
    let of = |expr: &Expr| value(values, expr);
    match &expr.kind {
        ExprKind::Const(number) => Ok((*number).into()),
        ExprKind::Read(place) => Ok(values[slot(values, place)?].into()),
        ExprKind::Unary(UnaryOp::Not, a) => Ok(i128::from(of(a)? == 0)),
        ExprKind::Unary(UnaryOp::Negate, a) => within_64_bits(-of(a)?),
        ExprKind::Unary(UnaryOp::Complement, a) => Ok(-of(a)? - 1),
        ExprKind::Binary(BinaryOp::And, a, b) => Ok(i128::from(of(a)? != 0 && of(b)? != 0)),
        ExprKind::Binary(BinaryOp::Or, a, b) => Ok(i128::from(of(a)? != 0 || of(b)? != 0)),
        ExprKind::Binary(op, a, b) => operator(*op, of(a)?, of(b)?),
        ExprKind::Conditional(parts) => of(if of(&parts[0])? != 0 { &parts[1] } else { &parts[2] }),
        // Guarded commands have nothing else.
        _ => Err(FaultKind::Assertion),
    }
}

fn operator(op: BinaryOp, a: i128, b: i128) -> Result<i128, FaultKind> {
    let truth = |holds: bool| Ok(i128::from(holds));
    match op {
        BinaryOp::Add => within_64_bits(a + b),
        BinaryOp::Subtract => within_64_bits(a - b),
        BinaryOp::Multiply => within_64_bits(a * b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => Err(FaultKind::RuntimeError),
        // Truncated: away from zero is nothing but the sign.
        BinaryOp::Divide => within_64_bits((a.abs() / b.abs()) * a.signum() * b.signum()),
        BinaryOp::Remainder => Ok(a - (a.abs() / b.abs()) * b.abs() * a.signum()),
        BinaryOp::BitAnd => Ok(a & b),
        BinaryOp::BitOr => Ok(a | b),
        BinaryOp::BitXor => Ok(a ^ b),
        BinaryOp::ShiftLeft => shifted(a, b),
        BinaryOp::ShiftRight => shifted(a, -b),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
    }
}

/// A number times a power of two, rounded down; one step after the other.
fn shifted(mut number: i128, by: i128) -> Result<i128, FaultKind> {
    for _ in 0..by.unsigned_abs().min(200) {
        number = if by > 0 { within_64_bits(number * 2)? } else { number.div_euclid(2) };
    }
    Ok(number)
}

fn within_64_bits(number: i128) -> Result<i128, FaultKind> {
    if i64::try_from(number).is_ok() { Ok(number) } else { Err(FaultKind::ValueLimit) }
}
