//! What operators give: on 32-bit integers that wrap, or on integers that are exact.

use crate::{BinaryOp, UnaryOp};

/// How a model computes. Values are held in 64 bits whatever it is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// As in C on 32 bits, where what does not fit wraps around.
    #[default]
    Wrapping32,
    /// As in mathematics, as far as 64 bits reach; there is no value beyond. `/` and `%` truncate
    /// toward zero, as in C. To shift is to multiply by a power of two, or to divide and round
    /// down.
    Exact,
}

/// Why an operator gives no value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The divisor is zero: an error of the model.
    DivisionByZero,
    /// The exact value does not fit into 64 bits: a limit of the program.
    Beyond64Bits,
}

impl Arithmetic {
    /// The value of an operator with one operand.
    #[inline]
    pub fn unary(self, op: UnaryOp, value: i64) -> Result<i64, NoValue> {
        match (op, self) {
            (UnaryOp::Not, _) => Ok(i64::from(value == 0)),
            (UnaryOp::Complement, _) => Ok(!value),
            (UnaryOp::Negate, Arithmetic::Wrapping32) => Ok(i64::from((value as i32).wrapping_neg())),
            (UnaryOp::Negate, Arithmetic::Exact) => value.checked_neg().ok_or(NoValue::Beyond64Bits),
        }
    }

    /// The value of an operator with two operands.
    #[inline]
    pub fn binary(self, op: BinaryOp, a: i64, b: i64) -> Result<i64, NoValue> {
        match op {
            BinaryOp::Divide | BinaryOp::Remainder if b == 0 => Err(NoValue::DivisionByZero),
            BinaryOp::BitAnd => Ok(a & b),
            BinaryOp::BitOr => Ok(a | b),
            BinaryOp::BitXor => Ok(a ^ b),
            BinaryOp::Less => Ok(i64::from(a < b)),
            BinaryOp::LessEqual => Ok(i64::from(a <= b)),
            BinaryOp::Greater => Ok(i64::from(a > b)),
            BinaryOp::GreaterEqual => Ok(i64::from(a >= b)),
            BinaryOp::Equal => Ok(i64::from(a == b)),
            BinaryOp::NotEqual => Ok(i64::from(a != b)),
            BinaryOp::And => Ok(i64::from(a != 0 && b != 0)),
            BinaryOp::Or => Ok(i64::from(a != 0 || b != 0)),
            _ => match self {
                Arithmetic::Wrapping32 => Ok(i64::from(wrapping(op, a as i32, b as i32))),
                Arithmetic::Exact => exact(op, a, b).ok_or(NoValue::Beyond64Bits),
            },
        }
    }
}

/// An operator whose value may wrap around. The divisor is not zero.
#[inline]
fn wrapping(op: BinaryOp, a: i32, b: i32) -> i32 {
    match op {
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Remainder => a.wrapping_rem(b),
        BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
        BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
        _ => a.wrapping_add(b),
    }
}

/// The same without wrapping; `None` beyond 64 bits.
fn exact(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        // The remainder by −1 is 0, although the quotient may have no room.
        BinaryOp::Remainder => Some(a.wrapping_rem(b)),
        BinaryOp::ShiftLeft => shifted(a, b),
        BinaryOp::ShiftRight => shifted(a, b.saturating_neg()),
        _ => a.checked_add(b),
    }
}

/// A number times a power of two, rounded down.
fn shifted(value: i64, by: i64) -> Option<i64> {
    let most = i64::from(i64::BITS) - 1;
    match by {
        _ if value == 0 => Some(0),
        0.. if by > most => None,
        0.. => i64::try_from(i128::from(value) << by).ok(),
        _ => Some(value >> by.saturating_neg().min(most)),
    }
}
