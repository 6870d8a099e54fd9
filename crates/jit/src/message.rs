//! Sending to and receiving from channels that hold messages.

use ample_model::{Action, Edge, Expr, ReceiveArg, Scalar};
use ample_network::{ChannelPlace, SlotPlace};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use crate::NotCompiled;
use crate::expression::{At, Generated, Known, Memory, flags};
use crate::generate::Generator;
use crate::step::pieces;

/// A channel whose messages take more bytes than this is interpreted: shifting them is unrolled.
const MOST_BYTES: u32 = 1024;

impl Generator<'_, '_> {
    fn channel_place(&self, channel: usize) -> ChannelPlace {
        self.network.layout.channels[channel].clone()
    }

    fn field_scalars(&self, place: &ChannelPlace) -> Vec<Scalar> {
        self.network.model.channels[place.kind].fields.iter().map(|field| field.0).collect()
    }

    /// Leaves to `next` if the channel is full.
    pub(crate) fn room(&mut self, channel: usize, at: At, next: Block) {
        let place = self.channel_place(channel);
        let length = self.load(at.state, place.length);
        let room = self.compare(IntCC::SignedLessThan, length, Known::Constant(place.capacity as i32));
        self.skip_unless(room, next);
    }

    /// The values of a message, as the channel stores them.
    pub(crate) fn message(&mut self, channel: usize, values: &[Expr], at: At) -> Generated<Vec<Known>> {
        let place = self.channel_place(channel);
        let scalars = self.field_scalars(&place);
        if scalars.len() != values.len() {
            self.fault();
            return Ok(vec![Known::Constant(0); scalars.len()]);
        }
        let mut message = Vec::new();
        for (value, scalar) in values.iter().zip(scalars) {
            let value = self.expression(value, at)?;
            message.push(self.truncated(scalar, value));
        }
        Ok(message)
    }

    pub(crate) fn send(
        &mut self,
        channel: usize,
        sorted: bool,
        values: &[Expr],
        before: At,
        after: At,
    ) -> Generated<()> {
        if sorted {
            return Err(NotCompiled("a sorted send is interpreted".to_owned()));
        }
        let place = self.channel_place(channel);
        let message = self.message(channel, values, before)?;
        let length = self.load(before.state, place.length);
        let length_value = self.value(length);
        let wide = self.builder.ins().uextend(types::I64, length_value);
        let distance = self.builder.ins().imul_imm_s(wide, i64::from(place.message_size));
        let base = self.builder.ins().iadd(after.state, distance);
        let scalars = self.field_scalars(&place);
        for ((field, value), scalar) in place.fields.iter().zip(message).zip(scalars) {
            let field = SlotPlace { offset: place.messages + field.offset, ..*field };
            self.store(Memory { base, place: field, scalar }, value);
        }
        let longer = self.builder.ins().iadd_imm_s(length_value, 1);
        self.store(Memory { base: after.state, place: place.length, scalar: Scalar::Int }, Known::Value(longer));
        Ok(())
    }

    /// Leaves to `next` if the first message is not what the receive wants.
    pub(crate) fn waiting(&mut self, edge: &Edge, channel: usize, at: At, next: Block) -> Generated<()> {
        let Action::Receive { anywhere, keep, pattern, .. } = &edge.action else { return Ok(()) };
        if *anywhere {
            return Err(NotCompiled("a receive from the middle of a channel is interpreted".to_owned()));
        }
        let place = self.channel_place(channel);
        let length = self.load(at.state, place.length);
        let some = self.compare(IntCC::NotEqual, length, Known::Constant(0));
        self.skip_unless(some, next);
        for (field, argument) in place.fields.iter().zip(pattern) {
            let ReceiveArg::Match(wanted) = argument else { continue };
            let wanted = self.expression(wanted, at)?;
            let found = self.load(at.state, SlotPlace { offset: place.messages + field.offset, ..*field });
            let equal = self.compare(IntCC::Equal, found, wanted);
            self.skip_unless(equal, next);
        }
        let fits = pattern.len() == place.fields.len() || (*keep && pattern.len() < place.fields.len());
        if !fits {
            self.fault();
        }
        Ok(())
    }

    pub(crate) fn receive(&mut self, edge: &Edge, channel: usize, before: At, after: At) -> Generated<()> {
        let Action::Receive { keep, pattern, .. } = &edge.action else { return Ok(()) };
        let place = self.channel_place(channel);
        let message: Vec<Known> = place
            .fields
            .iter()
            .map(|field| self.load(before.state, SlotPlace { offset: place.messages + field.offset, ..*field }))
            .collect();
        if !keep {
            self.remove_first(&place, after.state)?;
        }
        self.store_fields(pattern, &message, after)
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

    /// Shifts the messages down. The room above the last message is zero, so everything can be shifted.
    fn remove_first(&mut self, place: &ChannelPlace, state: Value) -> Generated<()> {
        let bytes = place.capacity * place.message_size;
        if bytes > MOST_BYTES {
            return Err(NotCompiled("a channel with so much room is interpreted".to_owned()));
        }
        let (start, end) = (place.messages, place.messages + bytes);
        // Ascending, each word read before anything is written to it: source and target overlap.
        for (offset, width) in pieces(start, end - place.message_size) {
            let from = (offset + place.message_size) as i32;
            let word = self.builder.ins().load(width, flags(), state, from);
            self.builder.ins().store(flags(), word, state, offset as i32);
        }
        self.zero(state, end - place.message_size, end);
        let length = self.load(state, place.length);
        let length = self.value(length);
        let shorter = self.builder.ins().iadd_imm_s(length, -1);
        self.store(Memory { base: state, place: place.length, scalar: Scalar::Int }, Known::Value(shorter));
        Ok(())
    }
}
