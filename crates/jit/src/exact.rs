//! Operators on integers that are exact, and ranges: what has no value there, or is outside, is for
//! the interpreter.

use ample_model::{BinaryOp, Place, Scalar, SlotId, UnaryOp};
use ample_network::SlotPlace;
use ample_stdx::{IndexVec, TypedId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::generate::Generator;
use crate::not_compiled::{Generated, NotCompiled};
use crate::value::Known;

/// The most places by which a number can be shifted.
const MOST_PLACES: i64 = 63;

impl Generator<'_, '_> {
    /// The value of an operator with one operand, which is not `!`.
    pub(crate) fn exact_unary(&mut self, op: UnaryOp, value: Value) -> Value {
        if op == UnaryOp::Complement {
            return self.builder.ins().bnot(value);
        }
        let is_least = self.builder.ins().icmp_imm_s(IntCC::Equal, value, i64::MIN);
        self.fault_if(Known::Value(is_least));
        self.builder.ins().ineg(value)
    }

    /// The value of an operator with two operands, which is no comparison.
    pub(crate) fn exact_binary(&mut self, op: BinaryOp, a: Known, b: Known) -> Value {
        let divisor = b;
        let (a, b) = (self.value(a), self.value(b));
        match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
                let (value, is_beyond) = match op {
                    BinaryOp::Add => self.builder.ins().sadd_overflow(a, b),
                    BinaryOp::Subtract => self.builder.ins().ssub_overflow(a, b),
                    _ => self.builder.ins().smul_overflow(a, b),
                };
                self.fault_if(Known::Value(is_beyond));
                value
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let harmless = matches!(divisor, Known::Constant(divisor) if divisor != 0 && divisor != -1);
                if harmless { self.arithmetic(op, a, b) } else { self.exact_quotient(op, a, b) }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.exact_shift(op, a, b),
            _ => self.arithmetic(op, a, b),
        }
    }

    /// A quotient or remainder. The least number divided by −1 has no value; its remainder is 0,
    /// like that by 1.
    fn exact_quotient(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let zero = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
        self.fault_if(Known::Value(zero));
        let changes_sign = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
        if op == BinaryOp::Remainder {
            let one = self.builder.ins().iconst(types::I64, 1);
            let divisor = self.builder.ins().select(changes_sign, one, b);
            return self.arithmetic(op, a, divisor);
        }
        let is_least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
        let is_beyond = self.builder.ins().band(changes_sign, is_least);
        self.fault_if(Known::Value(is_beyond));
        self.arithmetic(op, a, b)
    }

    /// A number times a power of two, rounded down. To shift to the right by a negative number is
    /// to shift to the left, and the other way round.
    fn exact_shift(&mut self, op: BinaryOp, a: Value, by: Value) -> Value {
        let negative = self.builder.ins().ineg(by);
        let (left, right, goes_right, is_far) = match op {
            BinaryOp::ShiftLeft => (by, negative, IntCC::SignedLessThan, (IntCC::SignedGreaterThan, MOST_PLACES)),
            _ => (negative, by, IntCC::SignedGreaterThanOrEqual, (IntCC::SignedLessThan, -MOST_PLACES)),
        };
        let goes_right = self.builder.ins().icmp_imm_s(goes_right, by, 0);
        let is_far = self.builder.ins().icmp_imm_s(is_far.0, by, is_far.1);
        let most = self.builder.ins().iconst(types::I64, MOST_PLACES);
        // The negative of the least number is, as a number without sign, a large one.
        let places = self.builder.ins().umin(right, most);
        let divided = self.builder.ins().sshr(a, places);
        let multiplied = self.builder.ins().ishl(a, left);
        let back = self.builder.ins().sshr(multiplied, left);
        let is_lost = self.builder.ins().icmp(IntCC::NotEqual, back, a);
        let is_beyond = self.builder.ins().bor(is_far, is_lost);
        let is_something = self.builder.ins().icmp_imm_s(IntCC::NotEqual, a, 0);
        let is_beyond = self.builder.ins().band(is_beyond, is_something);
        let no = self.builder.ins().iconst(types::I8, 0);
        let is_beyond = self.builder.ins().select(goes_right, no, is_beyond);
        self.fault_if(Known::Value(is_beyond));
        self.builder.ins().select(goes_right, divided, multiplied)
    }

    /// Hands the state to the interpreter if a variable does not hold a value.
    pub(crate) fn check_range(&mut self, scalar: Scalar, value: Known) {
        let Scalar::Range { low, high } = scalar else { return };
        match value {
            Known::Constant(value) if scalar.holds(value) => {}
            Known::Constant(_) => self.fault(),
            Known::Value(value) => {
                // As numbers without sign, the distances of those below the range are the largest.
                let distance = self.builder.ins().iadd_imm_s(value, low.wrapping_neg());
                let most = high.wrapping_sub(low);
                let is_outside = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, distance, most);
                self.fault_if(Known::Value(is_outside));
            }
        }
    }
}

/// Refuses a place whose elements do not lie evenly in the state, so that the next one by an index
/// is not always as many bytes behind: how wide a variable is depends on its values.
pub(crate) fn check_even(frame: &IndexVec<SlotId, SlotPlace>, place: &Place) -> Generated<()> {
    let at = |slot: usize| frame.get(SlotId::from_index(slot)).copied().unwrap_or_default();
    let first = at(place.first.index());
    let mut elements = vec![(place.first.index(), first.offset)];
    for index in &place.indices {
        let stride = index.stride as usize;
        let unit =
            if index.length > 1 { at(place.first.index() + stride).offset.wrapping_sub(first.offset) } else { 0 };
        let of = |(slot, offset): &(usize, u32)| {
            let (slot, offset) = (*slot, *offset);
            (0..index.length)
                .map(move |number| (slot + number as usize * stride, offset.wrapping_add(number.wrapping_mul(unit))))
        };
        elements = elements.iter().flat_map(of).collect();
    }
    match elements.iter().all(|(slot, offset)| at(*slot) == SlotPlace { offset: *offset, ..first }) {
        true => Ok(()),
        false => Err(NotCompiled("an array whose elements have different widths is interpreted".to_owned())),
    }
}
