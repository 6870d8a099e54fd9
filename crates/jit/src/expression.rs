//! Expressions as code. What is known is computed now, what is not at run time.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, Index, NoValue, Place, Scalar, Scope, SlotId, UnaryOp};
use ample_network::{InstanceId, SlotPlace};
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::exact::check_even;
use crate::generate::Generator;
use crate::not_compiled::{Generated, NotCompiled};
use crate::value::{At, Known, Memory, flags};

impl Generator<'_, '_> {
    pub(crate) fn value(&mut self, known: Known) -> Value {
        match known {
            Known::Constant(value) if self.word == types::I32 => {
                self.builder.ins().iconst(types::I32, i64::from(value as u32))
            }
            Known::Constant(value) => self.builder.ins().iconst(self.word, value),
            Known::Value(value) => value,
        }
    }

    /// A value that is not negative, as 64 bits.
    pub(crate) fn widened(&mut self, value: Value) -> Value {
        if self.word == types::I64 { value } else { self.builder.ins().uextend(types::I64, value) }
    }

    pub(crate) fn expression(&mut self, expr: &Expr, at: At) -> Generated<Known> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Known::Constant(*value)),
            ExprKind::Read(place) => self.read(place, at),
            ExprKind::Unary(op, operand) => {
                let operand = self.expression(operand, at)?;
                Ok(self.unary(*op, operand))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, at),
            ExprKind::Conditional(parts) => self.conditional(parts, at),
            ExprKind::Channel(test, channel) => self.channel_test(*test, channel, at),
            ExprKind::Poll(poll) => self.poll(poll, at),
            ExprKind::Timeout => Ok(self.timeout),
            // Who asks from outside has no number.
            ExprKind::Pid if self.outside => Ok(Known::Constant(0)),
            ExprKind::Pid => Ok(Known::Constant(i64::from(self.network.instances[at.instance].pid))),
            ExprKind::ProcessCount => Ok(self.process_count(at.state)),
            ExprKind::LastProcess => match self.network.layout.last {
                Some(place) => Ok(self.load(at.state, place)),
                None => Ok(Known::Constant(0)),
            },
            ExprKind::RemoteAt(remote) => self.remote_at(remote, at),
            ExprKind::RemoteRead(remote) => self.remote_read(remote, at),
            ExprKind::ProgramCounter(pid) => self.program_counter(pid, at),
            ExprKind::NonProgress => {
                let some = self.is_some_at(at, |location| location.progress);
                Ok(self.compare(IntCC::Equal, some, Known::Constant(0)))
            }
            ExprKind::Accepting => Ok(self.is_some_at(at, |location| location.accept)),
            ExprKind::Enabled(pid) => self.enabled(pid, at),
            ExprKind::Priority(pid) => self.priority(pid, at),
            ExprKind::Run(_) => Err(NotCompiled("an expression of this kind is interpreted".to_owned())),
        }
    }

    /// Loads a scalar.
    pub(crate) fn load(&mut self, base: Value, place: SlotPlace) -> Known {
        let offset = place.offset as i32;
        if place.width == 0 {
            // Nobody reads it.
            return Known::Constant(0);
        }
        let (word, ins) = (self.word, self.builder.ins());
        Known::Value(match (place.width, place.signed) {
            (1, false) => ins.uload8(word, flags(), base, offset),
            (1, true) => ins.sload8(word, flags(), base, offset),
            (2, false) => ins.uload16(word, flags(), base, offset),
            (2, true) => ins.sload16(word, flags(), base, offset),
            (4, false) if word == types::I64 => ins.uload32(flags(), base, offset),
            (4, true) if word == types::I64 => ins.sload32(flags(), base, offset),
            _ => ins.load(word, flags(), base, offset),
        })
    }

    /// Stores a value, truncated as its type says. What a range does not hold is for the
    /// interpreter.
    pub(crate) fn store(&mut self, memory: Memory, value: Known) {
        self.check_range(memory.scalar, value);
        if memory.place.width == 0 {
            return;
        }
        let value = match value {
            Known::Constant(value) => Known::Constant(memory.scalar.truncate(value)),
            Known::Value(value) => Known::Value(self.truncate(memory.scalar, value)),
        };
        let value = self.value(value);
        let offset = memory.place.offset as i32;
        let ins = self.builder.ins();
        match memory.place.width {
            1 => ins.istore8(flags(), value, memory.base, offset),
            2 => ins.istore16(flags(), value, memory.base, offset),
            4 if self.word == types::I64 => ins.istore32(flags(), value, memory.base, offset),
            _ => ins.store(flags(), value, memory.base, offset),
        };
    }

    /// Bits above a whole number of bytes are cut off here; the rest is cut off by the store.
    fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.builder.ins().band_imm_s(value, 1),
            Scalar::Unsigned(bits) if bits < 31 => self.builder.ins().band_imm_s(value, (1 << bits) - 1),
            Scalar::Unsigned(_) => self.builder.ins().band_imm_s(value, i64::from(i32::MAX)),
            _ => value,
        }
    }

    /// The value as it will be read back after a store.
    pub(crate) fn truncated(&mut self, scalar: Scalar, value: Known) -> Known {
        match value {
            Known::Constant(value) => {
                let wide = matches!(scalar, Scalar::Pid);
                Known::Constant(if wide { value & 0xff } else { scalar.truncate(value) })
            }
            Known::Value(value) => Known::Value(match scalar {
                Scalar::Byte | Scalar::Pid | Scalar::Channel => self.builder.ins().band_imm_s(value, 0xff),
                Scalar::Short => {
                    let short = self.builder.ins().ireduce(types::I16, value);
                    self.builder.ins().sextend(types::I32, short)
                }
                other => self.truncate(other, value),
            }),
        }
    }

    /// Where a place lies.
    pub(crate) fn memory(&mut self, place: &Place, at: At) -> Generated<Memory> {
        let frame = match place.scope {
            Scope::Global => &self.network.layout.globals,
            Scope::Local => &self.network.layout.frames[at.instance].locals,
        };
        let (mut slot, mut base) = (place.first, at.state);
        let mut steps: Vec<(Value, i64)> = Vec::new();
        for index in &place.indices {
            match self.index(index, at)? {
                Known::Constant(value) => {
                    slot = SlotId::from_index(slot.index() + value as usize * index.stride as usize);
                }
                Known::Value(value) => {
                    let next = SlotId::from_index(place.first.index() + index.stride as usize);
                    let bytes = match frame.get(next) {
                        Some(next) if index.length > 1 => next.offset - frame[place.first].offset,
                        _ => 0,
                    };
                    steps.push((value, i64::from(bytes)));
                }
            }
        }
        if self.is_exact() && !steps.is_empty() {
            check_even(frame, place)?;
        }
        for (value, bytes) in steps {
            let wide = self.widened(value);
            let distance = self.builder.ins().imul_imm_s(wide, bytes);
            base = self.builder.ins().iadd(base, distance);
        }
        Ok(Memory { base, place: frame[slot], scalar: self.scalar(place.scope, slot, at.instance) })
    }

    /// An index, checked.
    pub(crate) fn index(&mut self, index: &Index, at: At) -> Generated<Known> {
        let value = self.expression(&index.value, at)?;
        match value {
            Known::Constant(value) if u32::try_from(value).is_ok_and(|value| value < index.length) => {}
            Known::Constant(_) => {
                self.fault();
                return Ok(Known::Constant(0));
            }
            Known::Value(_) if self.greatest(&index.value, at).is_some_and(|most| most < index.length) => {}
            Known::Value(value) => {
                let bad =
                    self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, value, i64::from(index.length));
                self.fault_if(Known::Value(bad));
            }
        }
        Ok(value)
    }

    /// The greatest value that an expression can have, if it is never negative and a look tells.
    fn greatest(&self, expr: &Expr, at: At) -> Option<u32> {
        match &expr.kind {
            ExprKind::Const(value) => u32::try_from(*value).ok(),
            ExprKind::Read(place) => match self.scalar(place.scope, place.first, at.instance) {
                Scalar::Bit => Some(1),
                Scalar::Byte | Scalar::Pid | Scalar::Channel => Some(0xff),
                Scalar::Unsigned(bits) if bits < 31 => Some((1 << bits) - 1),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Remainder, left, right) => {
                self.greatest(left, at)?;
                self.greatest(right, at)?.checked_sub(1)
            }
            ExprKind::Binary(BinaryOp::BitAnd, left, right) => {
                Some(self.greatest(left, at)?.min(self.greatest(right, at)?))
            }
            ExprKind::Unary(UnaryOp::Not, _) => Some(1),
            _ => None,
        }
    }

    fn scalar(&self, scope: Scope, slot: SlotId, instance: InstanceId) -> Scalar {
        match scope {
            Scope::Global => self.network.model.globals.slots[slot].scalar,
            Scope::Local => self.template_of(instance).frame.slots[slot].scalar,
        }
    }

    fn is_exact(&self) -> bool {
        self.network.model.arithmetic == Arithmetic::Exact
    }

    /// The value of an operator on constants. If it has none, that is for the interpreter.
    fn known(&mut self, value: Result<i64, NoValue>) -> Known {
        if value.is_err() {
            self.fault();
        }
        Known::Constant(value.unwrap_or_default())
    }

    fn unary(&mut self, op: UnaryOp, operand: Known) -> Known {
        match (op, operand) {
            (UnaryOp::Not, operand) => self.compare(IntCC::Equal, operand, Known::Constant(0)),
            (op, Known::Constant(value)) => self.known(self.network.model.arithmetic.unary(op, value)),
            (op, Known::Value(value)) if self.is_exact() => Known::Value(self.exact_unary(op, value)),
            (UnaryOp::Negate, Known::Value(value)) => Known::Value(self.builder.ins().ineg(value)),
            (UnaryOp::Complement, Known::Value(value)) => Known::Value(self.builder.ins().bnot(value)),
        }
    }

    /// 1 or 0.
    pub(crate) fn compare(&mut self, code: IntCC, left: Known, right: Known) -> Known {
        if let (Known::Constant(a), Known::Constant(b)) = (left, right) {
            let holds = match code {
                IntCC::Equal => a == b,
                IntCC::NotEqual => a != b,
                IntCC::SignedLessThan => a < b,
                IntCC::SignedLessThanOrEqual => a <= b,
                IntCC::SignedGreaterThan => a > b,
                _ => a >= b,
            };
            return Known::Constant(i64::from(holds));
        }
        let (left, right) = (self.value(left), self.value(right));
        let bit = self.builder.ins().icmp(code, left, right);
        Known::Value(self.builder.ins().uextend(self.word, bit))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, at: At) -> Generated<Known> {
        let a = self.expression(left, at)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.connective(op, a, right, at);
        }
        let b = self.expression(right, at)?;
        if let (Known::Constant(a), Known::Constant(b)) = (a, b) {
            return Ok(self.known(self.network.model.arithmetic.binary(op, a, b)));
        }
        let code = match op {
            BinaryOp::Less => Some(IntCC::SignedLessThan),
            BinaryOp::LessEqual => Some(IntCC::SignedLessThanOrEqual),
            BinaryOp::Greater => Some(IntCC::SignedGreaterThan),
            BinaryOp::GreaterEqual => Some(IntCC::SignedGreaterThanOrEqual),
            BinaryOp::Equal => Some(IntCC::Equal),
            BinaryOp::NotEqual => Some(IntCC::NotEqual),
            _ => None,
        };
        if let Some(code) = code {
            return Ok(self.compare(code, a, b));
        }
        if self.is_exact() {
            return Ok(Known::Value(self.exact_binary(op, a, b)));
        }
        let harmless = matches!(b, Known::Constant(divisor) if divisor != 0 && divisor != -1);
        let (a, b) = (self.value(a), self.value(b));
        if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && !harmless {
            return Ok(Known::Value(self.divide(op, a, b)));
        }
        Ok(Known::Value(self.arithmetic(op, a, b)))
    }

    pub(crate) fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        match op {
            BinaryOp::Add => self.builder.ins().iadd(a, b),
            BinaryOp::Subtract => self.builder.ins().isub(a, b),
            BinaryOp::Multiply => self.builder.ins().imul(a, b),
            BinaryOp::BitAnd => self.builder.ins().band(a, b),
            BinaryOp::BitOr => self.builder.ins().bor(a, b),
            BinaryOp::BitXor => self.builder.ins().bxor(a, b),
            BinaryOp::ShiftLeft => self.builder.ins().ishl(a, b),
            BinaryOp::ShiftRight => self.builder.ins().sshr(a, b),
            BinaryOp::Divide => self.builder.ins().sdiv(a, b),
            _ => self.builder.ins().srem(a, b),
        }
    }

    /// A quotient or remainder. Zero as a divisor is for the interpreter. The least number divided
    /// by −1 would trap, so that this is a change of sign, and the remainder that of 1.
    fn divide(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let zero = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
        self.fault_if(Known::Value(zero));
        let changes_sign = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let one = self.builder.ins().iconst(types::I32, 1);
        let divisor = self.builder.ins().select(changes_sign, one, b);
        let result = self.arithmetic(op, a, divisor);
        if op == BinaryOp::Remainder {
            return result;
        }
        let negated = self.builder.ins().ineg(a);
        self.builder.ins().select(changes_sign, negated, result)
    }

    /// `&&` and `||`: the second operand is evaluated only if the first does not decide.
    fn connective(&mut self, op: BinaryOp, a: Known, right: &Expr, at: At) -> Generated<Known> {
        let decides = |value: i64| (op == BinaryOp::And) == (value == 0);
        if let Known::Constant(value) = a {
            if decides(value) {
                return Ok(Known::Constant(i64::from(op == BinaryOp::Or)));
            }
            let b = self.expression(right, at)?;
            return Ok(self.compare(IntCC::NotEqual, b, Known::Constant(0)));
        }
        let a = self.value(a);
        let (more, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, self.word);
        let decided = self.builder.ins().iconst(self.word, i64::from(op == BinaryOp::Or));
        match op {
            BinaryOp::And => self.builder.ins().brif(a, more, &[], done, &[decided.into()]),
            _ => self.builder.ins().brif(a, done, &[decided.into()], more, &[]),
        };
        self.builder.switch_to_block(more);
        let b = self.expression(right, at)?;
        let b = self.compare(IntCC::NotEqual, b, Known::Constant(0));
        let b = self.value(b);
        self.builder.ins().jump(done, &[b.into()]);
        self.builder.switch_to_block(done);
        Ok(Known::Value(self.builder.block_params(done)[0]))
    }

    fn conditional(&mut self, parts: &[Expr; 3], at: At) -> Generated<Known> {
        let [condition, yes, no] = parts;
        let condition = match self.expression(condition, at)? {
            Known::Constant(0) => return self.expression(no, at),
            Known::Constant(_) => return self.expression(yes, at),
            Known::Value(condition) => condition,
        };
        let (if_yes, if_no) = (self.builder.create_block(), self.builder.create_block());
        let done = self.builder.create_block();
        self.builder.append_block_param(done, self.word);
        self.builder.ins().brif(condition, if_yes, &[], if_no, &[]);
        for (block, part) in [(if_yes, yes), (if_no, no)] {
            self.builder.switch_to_block(block);
            let value = self.expression(part, at)?;
            let value = self.value(value);
            self.builder.ins().jump(done, &[value.into()]);
        }
        self.builder.switch_to_block(done);
        Ok(Known::Value(self.builder.block_params(done)[0]))
    }
}
