//! Processes come and go.

use ample_model::{InitValue, Place, Run, Scalar};
use ample_network::InstanceId;
use ample_network::SlotPlace;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::generate::{Generator, pieces};
use crate::not_compiled::Generated;
use crate::value::{At, Known, Memory, flags};

impl Generator<'_, '_> {
    /// Creates the next process. Which one that is follows from how many there are.
    pub(crate) fn create(&mut self, run: &Run, result: Option<&Place>, before: At, after: At) -> Generated<()> {
        let arguments =
            run.arguments.iter().map(|argument| self.expression(argument, before)).collect::<Generated<Vec<_>>>()?;
        let count = self.process_count(before.state);
        let done = self.builder.create_block();
        for new in self.network.instances.ids() {
            if self.network.instances[new].template != run.template {
                continue;
            }
            let pid = i64::from(self.network.instances[new].pid);
            let other = self.builder.create_block();
            let is_this = self.compare(IntCC::Equal, count, Known::Constant(pid));
            self.skip_unless(is_this, other);
            self.begin(new, &arguments, At { instance: new, ..after })?;
            self.begin_priority(new, run.priority, after);
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(other);
        }
        self.fault();
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        if let Some(place) = result {
            let memory = self.memory(place, after)?;
            self.store(memory, count);
        }
        Ok(())
    }

    /// The priority of a new process. If it never changes, it must be what it was found to be.
    fn begin_priority(&mut self, new: InstanceId, priority: u8, after: At) {
        match self.network.instances[new].priority {
            Some(known) if known != priority => self.fault(),
            Some(_) => {}
            None => {
                let place = self.network.layout.frames[new].priority;
                let memory = Memory { base: after.state, place, scalar: Scalar::Byte };
                self.store(memory, Known::Constant(i64::from(priority)));
            }
        }
    }

    /// The frame of a new process. What never changes in it must be what it was found to be.
    fn begin(&mut self, new: InstanceId, arguments: &[Known], after: At) -> Generated<()> {
        let network = self.network;
        let template = self.template_of(new);
        let frame = &network.layout.frames[new];
        let base = after.state;
        let put = |generator: &mut Self, place: SlotPlace, scalar: Scalar, value: Known| {
            generator.store(Memory { base, place, scalar }, value);
        };
        let instance = &network.instances[new];
        put(self, network.layout.process_count, Scalar::Byte, Known::Constant(i64::from(instance.pid) + 1));
        put(self, frame.location, Scalar::Int, Known::Constant(instance.stored(template.entry)));
        for ((slot, declared), value) in template.frame.slots.iter_enumerated().zip(arguments) {
            put(self, frame.locals[slot], declared.scalar, *value);
            if let Some(constant) = instance.constants[slot] {
                let value = self.truncated(declared.scalar, *value);
                let differs = self.compare(IntCC::NotEqual, value, Known::Constant(constant));
                self.fault_if(differs);
            }
        }
        for init in &template.frame.init {
            if let InitValue::Expr(expr) = &init.value {
                let value = self.expression(expr, after)?;
                put(self, frame.locals[init.slot], template.frame.slots[init.slot].scalar, value);
            } else if instance.constants[init.slot].is_none() {
                let number = Known::Constant(self.own_channel(new, init.slot));
                put(self, frame.locals[init.slot], Scalar::Channel, number);
            }
        }
        Ok(())
    }

    /// The number of a channel that a process declares.
    fn own_channel(&self, instance: InstanceId, slot: ample_model::SlotId) -> i64 {
        let pid = self.network.instances[instance].pid;
        let own = (1..).zip(&self.network.layout.channels).filter(|(_, channel)| channel.owner == Some(pid));
        let declared = self.template_of(instance).frame.init.iter();
        let declared = declared.filter(|init| matches!(init.value, InitValue::Channel(_)));
        let number = own.zip(declared).find(|(_, init)| init.slot == slot).map(|((number, _), _)| number);
        number.unwrap_or_default()
    }

    /// Ends the process: its frame and its channels become zero.
    pub(crate) fn end(&mut self, after: At) {
        let layout = &self.network.layout;
        let (place, pid) = (layout.process_count, self.network.instances[after.instance].pid);
        self.store(Memory { base: after.state, place, scalar: Scalar::Byte }, Known::Constant(i64::from(pid)));
        let frame = (layout.frames[after.instance].start, layout.frames[after.instance].end);
        let own = layout.channels.iter().filter(|channel| channel.owner == Some(pid));
        let ranges: Vec<(u32, u32)> = std::iter::once(frame).chain(own.map(|channel| channel.range())).collect();
        for (start, end) in ranges {
            self.zero(after.state, start, end);
        }
    }

    /// Sets bytes to zero.
    pub(crate) fn zero(&mut self, base: Value, start: u32, end: u32) {
        for (offset, width) in pieces(start, end) {
            let zero = self.nothing(width);
            self.builder.ins().store(flags(), zero, base, offset as i32);
        }
    }

    /// A zero of this width.
    pub(crate) fn nothing(&mut self, width: cranelift_codegen::ir::Type) -> Value {
        if width.is_int() {
            return self.builder.ins().iconst(width, 0);
        }
        let zero = self.builder.ins().iconst(cranelift_codegen::ir::types::I8, 0);
        self.builder.ins().splat(width, zero)
    }
}
