//! Messages in memory, for functions that are called with one.

use ample_model::EdgeId;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};

use crate::begin::Offer;
use crate::generate::Generator;
use crate::value::Known;

/// What stands before the fields of a message, each in four bytes.
pub(crate) const CHANNEL: i32 = 0;
pub(crate) const LENGTH: i32 = 4;
pub(crate) const SENDER: i32 = 8;
pub(crate) const NUMBER: i32 = 12;
pub(crate) const FIELDS: i32 = 16;

impl Generator<'_, '_> {
    /// Writes a message and who sends it to memory; gives where.
    pub(crate) fn written_offer(&mut self, id: EdgeId, offer: &Offer) -> Value {
        let number = |number: usize| Known::Constant(number as i64);
        let pid = usize::from(self.network.instances[self.instance].pid);
        let sender = [(SENDER, number(pid)), (NUMBER, number(self.code.handshakes.number(self.instance, id)))];
        for (offset, value) in sender {
            self.write(offset, value);
        }
        self.written_message(offer.channel, &offer.message)
    }

    /// Writes a message to memory; gives where.
    pub(crate) fn written_message(&mut self, channel: Known, fields: &[Known]) -> Value {
        let head = [(CHANNEL, channel), (LENGTH, Known::Constant(fields.len() as i64))];
        let fields = (FIELDS..).step_by(4).zip(fields.iter().copied());
        for (offset, value) in head.into_iter().chain(fields) {
            self.write(offset, value);
        }
        let slot = self.message_slot();
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    fn write(&mut self, offset: i32, value: Known) {
        let (slot, value) = (self.message_slot(), self.value(value));
        self.builder.ins().stack_store(types::I64, value, slot, offset);
    }

    /// The room for a message that a function has.
    fn message_slot(&mut self) -> cranelift_codegen::ir::StackSlot {
        let size = FIELDS as u32 + 4 * self.code.message_fields as u32;
        let builder = &mut self.builder;
        *self.message.get_or_insert_with(|| {
            builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3))
        })
    }
}
