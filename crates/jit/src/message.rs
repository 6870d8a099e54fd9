//! Sending to and receiving from channels that hold messages.

use ample_model::{Action, Edge, EventKind, Expr, ReceiveArg, Scalar};
use ample_network::{ChannelPlace, SlotPlace};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use crate::channel::ChannelAt;
use crate::generate::{Generator, pieces};
use crate::not_compiled::Generated;
use crate::value::{At, Known, Memory, flags};

/// Messages that take more bytes than this are shifted by a loop.
const SHIFTED_INLINE: u32 = 64;

impl Generator<'_, '_> {
    fn field_scalars(&self, place: &ChannelPlace) -> Vec<Scalar> {
        self.network.model.channels[place.kind].fields.iter().map(|field| field.0).collect()
    }

    /// How many messages there are.
    pub(crate) fn length(&mut self, channel: &ChannelAt, state: Value) -> Known {
        if channel.place.capacity == 0 {
            return Known::Constant(0);
        }
        let base = self.channel_base(channel, state);
        self.load(base, channel.place.length)
    }

    fn set_length(&mut self, channel: &ChannelAt, state: Value, length: Value) {
        let base = self.channel_base(channel, state);
        let memory = Memory { base, place: channel.place.length, scalar: Scalar::Int };
        self.store(memory, Known::Value(length));
    }

    /// Where a message begins.
    fn message_at(&mut self, channel: &ChannelAt, state: Value, position: Known) -> Value {
        let base = self.channel_base(channel, state);
        let size = i64::from(channel.place.message_size);
        match position {
            Known::Constant(0) => base,
            position => {
                let position = self.value(position);
                let wide = self.builder.ins().uextend(types::I64, position);
                let distance = self.builder.ins().imul_imm_s(wide, size);
                self.builder.ins().iadd(base, distance)
            }
        }
    }

    /// The fields of the message that begins there.
    fn fields(&mut self, channel: &ChannelAt, message: Value) -> Vec<Known> {
        field_places(&channel.place).map(|place| self.load(message, place)).collect()
    }

    /// Leaves to `next` if the channel is full.
    pub(crate) fn room(&mut self, channel: &ChannelAt, at: At, next: Block) -> Generated<()> {
        let length = self.length(channel, at.state);
        let room = self.compare(IntCC::SignedLessThan, length, Known::Constant(channel.place.capacity as i64));
        self.skip_unless(room, next);
        self.claims(at.instance, channel.number, EventKind::Send, at.state)
    }

    /// The values of a message: as they were computed, and as the channel stores them.
    pub(crate) fn message(
        &mut self,
        channel: &ChannelAt,
        values: &[Expr],
        at: At,
    ) -> Generated<(Vec<Known>, Vec<Known>)> {
        let scalars = self.field_scalars(&channel.place);
        if scalars.len() != values.len() {
            self.fault();
            let nothing = vec![Known::Constant(0); scalars.len()];
            return Ok((nothing.clone(), nothing));
        }
        let whole = values.iter().map(|value| self.expression(value, at)).collect::<Generated<Vec<_>>>()?;
        let cut = whole.iter().zip(scalars).map(|(value, scalar)| self.truncated(scalar, *value)).collect();
        Ok((whole, cut))
    }

    pub(crate) fn send(
        &mut self,
        channel: &ChannelAt,
        sorted: bool,
        values: &[Expr],
        before: At,
        after: At,
    ) -> Generated<()> {
        let (whole, message) = self.message(channel, values, before)?;
        let length = self.length(channel, before.state);
        let length_value = self.value(length);
        let position = if sorted {
            let position = self.sorted_position(channel, &whole, length_value, after.state);
            self.make_room(channel, position, length_value, after.state);
            Known::Value(position)
        } else {
            length
        };
        let base = self.message_at(channel, after.state, position);
        let scalars = self.field_scalars(&channel.place);
        for ((place, value), scalar) in field_places(&channel.place).zip(&message).zip(scalars) {
            self.store(Memory { base, place, scalar }, *value);
        }
        let longer = self.builder.ins().iadd_imm_s(length_value, 1);
        self.set_length(channel, after.state, longer);
        self.observe(EventKind::Send, channel.number, &message, after.state);
        Ok(())
    }

    /// A loop over positions, from the first on as long as the comparison with the bound holds;
    /// then it leaves to `none`, or goes on. What `body` generates may leave the loop for the block
    /// it is given, to go on too; it gives the position after. The result is the position where the
    /// loop was left.
    fn each_position(
        &mut self,
        first: Known,
        goes_on: IntCC,
        bound: Value,
        none: Option<Block>,
        body: impl FnOnce(&mut Self, Value, Block) -> Value,
    ) -> Value {
        let [head, inside, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.append_block_param(head, types::I32);
        let first = self.value(first);
        self.builder.ins().jump(head, &[first.into()]);
        self.builder.switch_to_block(head);
        let position = self.builder.block_params(head)[0];
        let more = self.builder.ins().icmp(goes_on, position, bound);
        self.builder.ins().brif(more, inside, &[], none.unwrap_or(done), &[]);
        self.builder.switch_to_block(inside);
        let following = body(self, position, done);
        self.builder.ins().jump(head, &[following.into()]);
        self.builder.switch_to_block(done);
        position
    }

    /// The position of the first message that is greater, field by field; behind the last if there
    /// is none.
    fn sorted_position(&mut self, channel: &ChannelAt, whole: &[Known], length: Value, state: Value) -> Value {
        let first = Known::Constant(0);
        self.each_position(first, IntCC::UnsignedLessThan, length, None, |generator, position, found| {
            let next = generator.builder.create_block();
            let message = generator.message_at(channel, state, Known::Value(position));
            let fields = generator.fields(channel, message);
            for (value, field) in whole.iter().zip(fields) {
                let less = generator.compare(IntCC::SignedLessThan, *value, field);
                let less = generator.value(less);
                generator.leave_if(less, found);
                let equal = generator.compare(IntCC::Equal, *value, field);
                generator.skip_unless(equal, next);
            }
            generator.builder.ins().jump(next, &[]);
            generator.builder.switch_to_block(next);
            generator.builder.ins().iadd_imm_s(position, 1)
        })
    }

    /// Shifts the messages from a position on up by one.
    fn make_room(&mut self, channel: &ChannelAt, position: Value, length: Value, state: Value) {
        let last = Known::Value(length);
        self.each_position(last, IntCC::UnsignedGreaterThan, position, None, |generator, to, _| {
            let from = generator.builder.ins().iadd_imm_s(to, -1);
            generator.copy_message(channel, state, from, to);
            from
        });
    }

    fn copy_message(&mut self, channel: &ChannelAt, state: Value, from: Value, to: Value) {
        let from = self.message_at(channel, state, Known::Value(from));
        let to = self.message_at(channel, state, Known::Value(to));
        let start = channel.place.messages;
        for (offset, width) in pieces(start, start + channel.place.message_size) {
            let word = self.builder.ins().load(width, flags(), from, offset as i32);
            self.builder.ins().store(flags(), word, to, offset as i32);
        }
    }

    /// What each field of a message must be.
    pub(crate) fn wanted(&mut self, pattern: &[ReceiveArg], at: At) -> Generated<Vec<Option<Known>>> {
        let field = |argument: &ReceiveArg| match argument {
            ReceiveArg::Match(wanted) => self.expression(wanted, at).map(Some),
            ReceiveArg::Store(_) | ReceiveArg::Discard => Ok(None),
        };
        pattern.iter().map(field).collect()
    }

    /// The position of the first message, or with `anywhere` of the first that is wanted. Leaves to
    /// `none` if there is none.
    pub(crate) fn find(
        &mut self,
        channel: &ChannelAt,
        wanted: &[Option<Known>],
        anywhere: bool,
        at: At,
        none: Block,
    ) -> Known {
        let length = self.length(channel, at.state);
        if !anywhere {
            let some = self.compare(IntCC::NotEqual, length, Known::Constant(0));
            self.skip_unless(some, none);
            self.matches(channel, wanted, at.state, Known::Constant(0), none);
            return Known::Constant(0);
        }
        let length = self.value(length);
        let first = Known::Constant(0);
        let goes_on = IntCC::UnsignedLessThan;
        Known::Value(self.each_position(first, goes_on, length, Some(none), |generator, position, found| {
            let next = generator.builder.create_block();
            generator.matches(channel, wanted, at.state, Known::Value(position), next);
            generator.builder.ins().jump(found, &[]);
            generator.builder.switch_to_block(next);
            generator.builder.ins().iadd_imm_s(position, 1)
        }))
    }

    /// Leaves to `other` if the message is not what is wanted.
    fn matches(&mut self, channel: &ChannelAt, wanted: &[Option<Known>], state: Value, position: Known, other: Block) {
        let message = self.message_at(channel, state, position);
        for (place, wanted) in field_places(&channel.place).zip(wanted) {
            let Some(wanted) = wanted else { continue };
            let found = self.load(message, place);
            let equal = self.compare(IntCC::Equal, found, *wanted);
            self.skip_unless(equal, other);
        }
    }

    /// Leaves to `next` if the message that the receive wants is not there; gives its position.
    pub(crate) fn waiting(&mut self, edge: &Edge, channel: &ChannelAt, at: At, next: Block) -> Generated<Known> {
        let Action::Receive { anywhere, keep, pattern, .. } = &edge.action else { return Ok(Known::Constant(0)) };
        let length = self.length(channel, at.state);
        let some = self.compare(IntCC::NotEqual, length, Known::Constant(0));
        self.skip_unless(some, next);
        self.allowed(edge, at, next)?;
        let wanted = self.wanted(pattern, at)?;
        let found = self.find(channel, &wanted, *anywhere, at, next);
        let fields = channel.place.fields.len();
        let fits = pattern.len() == fields || (*keep && pattern.len() < fields);
        if !fits {
            self.fault();
        }
        self.claims(at.instance, channel.number, EventKind::Receive, at.state)?;
        Ok(found)
    }

    pub(crate) fn receive(
        &mut self,
        edge: &Edge,
        channel: &ChannelAt,
        found: Known,
        before: At,
        after: At,
    ) -> Generated<()> {
        let Action::Receive { keep, pattern, .. } = &edge.action else { return Ok(()) };
        let message = self.message_at(channel, before.state, found);
        let message = self.fields(channel, message);
        if !keep {
            self.remove(channel, found, after.state);
        }
        self.store_fields(pattern, &message, after)?;
        if !keep {
            self.observe(EventKind::Receive, channel.number, &message, after.state);
        }
        Ok(())
    }

    /// Stores the fields of a message one after the other: an index may use a field stored before.
    pub(crate) fn store_fields(&mut self, pattern: &[ReceiveArg], message: &[Known], after: At) -> Generated<()> {
        for (argument, value) in pattern.iter().zip(message) {
            if let ReceiveArg::Store(place) = argument {
                let memory = self.memory(place, after)?;
                self.store(memory, *value);
            }
        }
        Ok(())
    }

    /// Takes a message out: those behind it are shifted down.
    fn remove(&mut self, channel: &ChannelAt, position: Known, state: Value) {
        let length = self.length(channel, state);
        let length = self.value(length);
        let shorter = self.builder.ins().iadd_imm_s(length, -1);
        let bytes = channel.place.capacity * channel.place.message_size;
        if bytes <= SHIFTED_INLINE && matches!(position, Known::Constant(0)) {
            self.shift_all(channel, state);
        } else {
            self.shift(channel, position, shorter, state);
        }
        self.set_length(channel, state, shorter);
    }

    /// Shifts everything down by one message. The room above the last message is zero.
    fn shift_all(&mut self, channel: &ChannelAt, state: Value) {
        let base = self.channel_base(channel, state);
        let ChannelPlace { messages: start, message_size, capacity, .. } = channel.place;
        let end = start + capacity * message_size;
        // Ascending, each word read before anything is written to it: source and target overlap.
        for (offset, width) in pieces(start, end - message_size) {
            let word = self.builder.ins().load(width, flags(), base, (offset + message_size) as i32);
            self.builder.ins().store(flags(), word, base, offset as i32);
        }
        self.zero(base, end - message_size, end);
    }

    /// Shifts the messages behind a position down, as far as there are some; the last one becomes
    /// zero.
    fn shift(&mut self, channel: &ChannelAt, position: Known, last: Value, state: Value) {
        self.each_position(position, IntCC::UnsignedLessThan, last, None, |generator, to, _| {
            let from = generator.builder.ins().iadd_imm_s(to, 1);
            generator.copy_message(channel, state, from, to);
            from
        });
        let last = self.message_at(channel, state, Known::Value(last));
        let start = channel.place.messages;
        self.zero(last, start, start + channel.place.message_size);
    }
}

/// Where the fields of the first message lie, from the base of the channel on.
fn field_places(place: &ChannelPlace) -> impl Iterator<Item = SlotPlace> {
    place.fields.iter().map(|field| SlotPlace { offset: place.messages + field.offset, ..*field })
}
