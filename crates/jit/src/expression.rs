//! Expressions as code. What is known is computed now, what is not at run time.

use ample_model::{BinaryOp, ChannelTest, Expr, ExprKind, Index, Place, Poll, ReceiveArg, Scalar, Scope, UnaryOp};
use ample_network::SlotPlace;
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use crate::NotCompiled;
use crate::generate::Generator;

/// A value that is known now, or at run time.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Known {
    /// Known now.
    Constant(i32),
    /// Known at run time, 32 bits.
    Value(Value),
}

/// Where an expression is evaluated.
#[derive(Copy, Clone)]
pub(crate) struct At {
    /// The state it reads.
    pub(crate) state: Value,
    /// The process that evaluates it.
    pub(crate) instance: usize,
}

/// A scalar in memory: a pointer and how it is stored there.
#[derive(Copy, Clone)]
pub(crate) struct Memory {
    pub(crate) base: Value,
    pub(crate) place: SlotPlace,
    pub(crate) scalar: Scalar,
}

pub(crate) type Generated<T> = Result<T, NotCompiled>;

pub(crate) fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Generator<'_, '_> {
    pub(crate) fn value(&mut self, known: Known) -> Value {
        match known {
            Known::Constant(value) => self.builder.ins().iconst(types::I32, i64::from(value as u32)),
            Known::Value(value) => value,
        }
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
            ExprKind::Timeout => Ok(Known::Value(self.timeout)),
            ExprKind::Pid => Ok(Known::Constant(i32::from(self.network.instances[at.instance].pid))),
            ExprKind::ProcessCount => Ok(self.load(at.state, self.network.layout.process_count)),
            ExprKind::LastProcess => match self.network.layout.last {
                Some(place) => Ok(self.load(at.state, place)),
                None => Ok(Known::Constant(0)),
            },
            ExprKind::RemoteAt(remote) => {
                let target = self.remote(remote.template, remote.pid.as_ref(), at)?;
                let Some(target) = target else { return Ok(Known::Constant(0)) };
                let location = self.load(at.state, self.network.layout.frames[target].location);
                Ok(self.compare(IntCC::Equal, location, Known::Constant(remote.location.index() as i32)))
            }
            ExprKind::RemoteRead(remote) => {
                let target = self.remote(remote.template, remote.pid.as_ref(), at)?;
                let Some(target) = target else { return Ok(Known::Constant(0)) };
                let frame = &self.network.layout.frames[target].locals;
                if !remote.place.indices.is_empty() {
                    return Err(NotCompiled("a remote reference with an index is interpreted".to_owned()));
                }
                let place = frame[remote.place.first];
                Ok(self.load(at.state, place))
            }
            _ => Err(NotCompiled("an expression of this kind is interpreted".to_owned())),
        }
    }

    /// Whom a remote reference means, if that is known; `None` if there is no such process.
    fn remote(&mut self, template: ample_model::TemplateId, pid: Option<&Expr>, at: At) -> Generated<Option<usize>> {
        let instances = &self.network.instances;
        let of_template: Vec<usize> =
            (0..instances.len()).filter(|number| instances[*number].template == template).collect();
        let Some(pid) = pid else {
            // Without a number the first living process is meant: known only if there is at most one.
            return match of_template.as_slice() {
                [] => Ok(None),
                [only] => Ok(Some(*only)),
                _ => Err(NotCompiled("a remote reference to one of several processes is interpreted".to_owned())),
            };
        };
        match self.expression(pid, at)? {
            Known::Constant(number) => {
                let number = usize::try_from(number).ok().filter(|number| *number < self.network.instances.len());
                match number {
                    Some(number) if self.network.instances[number].template == template => Ok(Some(number)),
                    Some(_) => Err(NotCompiled("a remote reference to another kind of process".to_owned())),
                    None => Ok(None),
                }
            }
            Known::Value(_) => Err(NotCompiled("a remote reference computed at run time is interpreted".to_owned())),
        }
    }

    /// Loads a scalar as 32 bits.
    pub(crate) fn load(&mut self, base: Value, place: SlotPlace) -> Known {
        let offset = place.offset as i32;
        let ins = self.builder.ins();
        Known::Value(match (place.width, place.signed) {
            (1, _) => ins.uload8(types::I32, flags(), base, offset),
            (2, false) => ins.uload16(types::I32, flags(), base, offset),
            (2, true) => ins.sload16(types::I32, flags(), base, offset),
            _ => ins.load(types::I32, flags(), base, offset),
        })
    }

    /// Stores a value, truncated as its type says.
    pub(crate) fn store(&mut self, memory: Memory, value: Known) {
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
                    slot = ample_model::SlotId::from_index(slot.index() + value as usize * index.stride as usize);
                }
                Known::Value(value) => {
                    let next = ample_model::SlotId::from_index(place.first.index() + index.stride as usize);
                    let bytes = match frame.get(next) {
                        Some(next) if index.length > 1 => next.offset - frame[place.first].offset,
                        _ => 0,
                    };
                    steps.push((value, i64::from(bytes)));
                }
            }
        }
        for (value, bytes) in steps {
            let wide = self.builder.ins().uextend(types::I64, value);
            let distance = self.builder.ins().imul_imm_s(wide, bytes);
            base = self.builder.ins().iadd(base, distance);
        }
        let model = self.network.model;
        let scalar = match place.scope {
            Scope::Global => model.globals.slots[slot].scalar,
            Scope::Local => model.templates[self.network.instances[at.instance].template].frame.slots[slot].scalar,
        };
        Ok(Memory { base, place: frame[slot], scalar })
    }

    /// An index, checked.
    fn index(&mut self, index: &Index, at: At) -> Generated<Known> {
        let value = self.expression(&index.value, at)?;
        match value {
            Known::Constant(value) if u32::try_from(value).is_ok_and(|value| value < index.length) => {}
            Known::Constant(_) => {
                self.fault();
                return Ok(Known::Constant(0));
            }
            Known::Value(value) => {
                let bad =
                    self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, value, i64::from(index.length));
                self.fault_if(bad);
            }
        }
        Ok(value)
    }

    fn read(&mut self, place: &Place, at: At) -> Generated<Known> {
        if place.indices.is_empty() {
            let constants = match place.scope {
                Scope::Global => &self.network.constants,
                Scope::Local => &self.network.instances[at.instance].constants,
            };
            if let Some(value) = constants[place.first] {
                return Ok(Known::Constant(value));
            }
        }
        let constant_elements = self.constant_element(place, at)?;
        if let Some(value) = constant_elements {
            return Ok(Known::Constant(value));
        }
        let memory = self.memory(place, at)?;
        Ok(self.load(memory.base, memory.place))
    }

    /// An element of an array that never changes, if the index is known.
    fn constant_element(&mut self, place: &Place, at: At) -> Generated<Option<i32>> {
        let mut slot = place.first.index();
        for index in &place.indices {
            let Some(value) = self.known_now(&index.value, at) else { return Ok(None) };
            match u32::try_from(value) {
                Ok(value) if value < index.length => slot += (value * index.stride) as usize,
                _ => return Ok(None),
            }
        }
        let slot = ample_model::SlotId::from_index(slot);
        Ok(match place.scope {
            Scope::Global => self.network.constants[slot],
            Scope::Local => self.network.instances[at.instance].constants[slot],
        })
    }

    /// The value of a simple expression, if it is known without code.
    fn known_now(&self, expr: &Expr, at: At) -> Option<i32> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Pid => Some(i32::from(self.network.instances[at.instance].pid)),
            ExprKind::Read(place) if place.indices.is_empty() => match place.scope {
                Scope::Global => self.network.constants[place.first],
                Scope::Local => self.network.instances[at.instance].constants[place.first],
            },
            ExprKind::Binary(op, left, right) => op.apply(self.known_now(left, at)?, self.known_now(right, at)?),
            _ => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: Known) -> Known {
        match (op, operand) {
            (UnaryOp::Not, operand) => self.compare(IntCC::Equal, operand, Known::Constant(0)),
            (op, Known::Constant(value)) => Known::Constant(op.apply(value)),
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
            return Known::Constant(i32::from(holds));
        }
        let (left, right) = (self.value(left), self.value(right));
        let bit = self.builder.ins().icmp(code, left, right);
        Known::Value(self.builder.ins().uextend(types::I32, bit))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, at: At) -> Generated<Known> {
        let a = self.expression(left, at)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.connective(op, a, right, at);
        }
        let b = self.expression(right, at)?;
        if let (Known::Constant(a), Known::Constant(b)) = (a, b) {
            return match op.apply(a, b) {
                Some(value) => Ok(Known::Constant(value)),
                None => {
                    self.fault();
                    Ok(Known::Constant(0))
                }
            };
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
        let (a, b) = (self.value(a), self.value(b));
        Ok(Known::Value(self.arithmetic(op, a, b)))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        match op {
            BinaryOp::Add => self.builder.ins().iadd(a, b),
            BinaryOp::Subtract => self.builder.ins().isub(a, b),
            BinaryOp::Multiply => self.builder.ins().imul(a, b),
            BinaryOp::BitAnd => self.builder.ins().band(a, b),
            BinaryOp::BitOr => self.builder.ins().bor(a, b),
            BinaryOp::BitXor => self.builder.ins().bxor(a, b),
            BinaryOp::ShiftLeft => self.builder.ins().ishl(a, b),
            BinaryOp::ShiftRight => self.builder.ins().sshr(a, b),
            _ => self.division(op, a, b),
        }
    }

    /// Zero is for the interpreter. So is −1: dividing the least number by it would trap.
    fn division(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let shifted = self.builder.ins().iadd_imm_s(b, 1);
        let bad = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, shifted, 1);
        self.fault_if(bad);
        match op {
            BinaryOp::Divide => self.builder.ins().sdiv(a, b),
            _ => self.builder.ins().srem(a, b),
        }
    }

    /// `&&` and `||`: the second operand is evaluated only if the first does not decide.
    fn connective(&mut self, op: BinaryOp, a: Known, right: &Expr, at: At) -> Generated<Known> {
        let decides = |value: i32| (op == BinaryOp::And) == (value == 0);
        if let Known::Constant(value) = a {
            if decides(value) {
                return Ok(Known::Constant(i32::from(op == BinaryOp::Or)));
            }
            let b = self.expression(right, at)?;
            return Ok(self.compare(IntCC::NotEqual, b, Known::Constant(0)));
        }
        let a = self.value(a);
        let (more, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, types::I32);
        let decided = self.builder.ins().iconst(types::I32, i64::from(op == BinaryOp::Or));
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
        self.builder.append_block_param(done, types::I32);
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

    fn channel_test(&mut self, test: ChannelTest, channel: &Expr, at: At) -> Generated<Known> {
        let number = self.static_channel(channel, at)?;
        let place = self.network.layout.channels[number].clone();
        let length = self.load(at.state, place.length);
        let room = Known::Constant(place.capacity.max(1) as i32);
        Ok(match test {
            ChannelTest::Length => length,
            ChannelTest::Empty => self.compare(IntCC::Equal, length, Known::Constant(0)),
            ChannelTest::NotEmpty => self.compare(IntCC::NotEqual, length, Known::Constant(0)),
            ChannelTest::Full => self.compare(IntCC::SignedGreaterThanOrEqual, length, room),
            ChannelTest::NotFull => self.compare(IntCC::SignedLessThan, length, room),
        })
    }

    /// The position of a channel that is known now.
    pub(crate) fn static_channel(&mut self, channel: &Expr, at: At) -> Generated<usize> {
        match self.expression(channel, at)? {
            Known::Constant(number) => {
                let position = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                let position = position
                    .filter(|position| *position < self.network.layout.channels.len())
                    .ok_or_else(|| NotCompiled("a channel that is not initialised is interpreted".to_owned()))?;
                self.check_exists(position);
                Ok(position)
            }
            Known::Value(_) => Err(NotCompiled("a channel computed at run time, in an expression".to_owned())),
        }
    }

    fn poll(&mut self, poll: &Poll, at: At) -> Generated<Known> {
        let number = self.static_channel(&poll.channel, at)?;
        let place = self.network.layout.channels[number].clone();
        if poll.anywhere || place.capacity == 0 || poll.pattern.len() > place.fields.len() {
            return Err(NotCompiled("a poll of this kind is interpreted".to_owned()));
        }
        let length = self.load(at.state, place.length);
        let mut holds = self.compare(IntCC::NotEqual, length, Known::Constant(0));
        for (field, argument) in place.fields.iter().zip(&poll.pattern) {
            let ReceiveArg::Match(wanted) = argument else { continue };
            let wanted = self.expression(wanted, at)?;
            let offset = place.messages + field.offset;
            // Beyond the last message everything is zero, so this may be read even if there is none.
            let found = self.load(at.state, SlotPlace { offset, ..*field });
            let equal = self.compare(IntCC::Equal, found, wanted);
            let (a, b) = (self.value(holds), self.value(equal));
            holds = Known::Value(self.builder.ins().band(a, b));
        }
        Ok(holds)
    }
}
