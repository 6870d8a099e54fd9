//! What a process can see of others: their locations and their variables.

use ample_model::{Expr, RemoteAt, RemoteRead, SlotId, TemplateId};
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use crate::NotCompiled;
use crate::expression::{At, Generated, Known};
use crate::generate::Generator;

impl<'n, 'b> Generator<'n, 'b> {
    pub(crate) fn remote_at(&mut self, remote: &RemoteAt, at: At) -> Generated<Known> {
        let pid = self.remote_pid(remote.template, remote.pid.as_ref(), at)?;
        self.of_process(pid, at, &mut |generator, at| Ok(generator.is_at(at, remote.location)))
    }

    pub(crate) fn remote_read(&mut self, remote: &RemoteRead, at: At) -> Generated<Known> {
        let pid = self.remote_pid(remote.template, remote.pid.as_ref(), at)?;
        // Indices are about the process that asks.
        let mut slot = remote.place.first.index();
        for index in &remote.place.indices {
            let value = self.known_now(&index.value, at).and_then(|value| u32::try_from(value).ok());
            let Some(value) = value.filter(|value| *value < index.length) else {
                return Err(NotCompiled("a remote reference with an index computed at run time".to_owned()));
            };
            slot += (value * index.stride) as usize;
        }
        let slot = SlotId::from_index(slot);
        self.of_process(pid, at, &mut |generator, other| {
            let instance = &generator.network.instances[other.instance];
            let exists = generator.exists(other);
            if instance.template != remote.template {
                generator.fault_if(exists);
                return Ok(Known::Constant(0));
            }
            Ok(match instance.constants[slot] {
                // The frame of a process that does not exist is zero.
                None => generator.load(other.state, generator.network.layout.frames[other.instance].locals[slot]),
                Some(0) => Known::Constant(0),
                Some(constant) => {
                    let exists = generator.value(exists);
                    let zero = generator.builder.ins().iconst(types::I32, 0);
                    let constant = generator.builder.ins().iconst(types::I32, i64::from(constant as u32));
                    Known::Value(generator.builder.ins().select(exists, constant, zero))
                }
            })
        })
    }

    pub(crate) fn program_counter(&mut self, pid: &Expr, at: At) -> Generated<Known> {
        let pid = self.expression(pid, at)?;
        self.of_process(pid, at, &mut |generator, at| {
            let stored = generator.load(at.state, generator.network.layout.frames[at.instance].location);
            let first = i64::from(generator.network.instances[at.instance].first_location);
            let stored = generator.value(stored);
            Ok(Known::Value(generator.builder.ins().iadd_imm_s(stored, -first)))
        })
    }

    /// True when no process is at a progress label.
    pub(crate) fn non_progress(&mut self, at: At) -> Known {
        let mut none = Known::Constant(1);
        for instance in 0..self.network.instances.len() {
            let locations = self.template_of(instance).locations.iter_enumerated();
            let progress: Vec<_> = locations.filter(|(_, place)| place.progress).map(|(id, _)| id).collect();
            for location in progress {
                let here = self.is_at(At { instance, ..at }, location);
                let not_here = self.compare(IntCC::Equal, here, Known::Constant(0));
                let (a, b) = (self.value(none), self.value(not_here));
                none = Known::Value(self.builder.ins().band(a, b));
            }
        }
        none
    }

    /// Whom a remote reference means: without a number, the first process of that template.
    fn remote_pid(&mut self, template: TemplateId, pid: Option<&Expr>, at: At) -> Generated<Known> {
        if let Some(pid) = pid {
            return self.expression(pid, at);
        }
        let network = self.network;
        let of_template = || (0..network.instances.len()).filter(|i| network.instances[*i].template == template);
        let Some(first) = of_template().next() else { return Ok(Known::Constant(-1)) };
        if network.is_alone(first) {
            // If it does not exist, none with a higher number does.
            return Ok(Known::Constant(i32::from(network.instances[first].pid)));
        }
        let mut found = self.value(Known::Constant(-1));
        for instance in of_template().collect::<Vec<_>>().into_iter().rev() {
            let exists = self.exists(At { instance, ..at });
            let exists = self.value(exists);
            let pid = self.builder.ins().iconst(types::I32, i64::from(network.instances[instance].pid));
            found = self.builder.ins().select(exists, pid, found);
        }
        Ok(Known::Value(found))
    }

    /// A value of the process with this number; 0 if there cannot be one.
    fn of_process(
        &mut self,
        pid: Known,
        at: At,
        value: &mut dyn FnMut(&mut Generator<'n, 'b>, At) -> Generated<Known>,
    ) -> Generated<Known> {
        let network = self.network;
        let means = |instance: usize| match pid {
            Known::Constant(pid) => i32::from(network.instances[instance].pid) == pid,
            Known::Value(_) => true,
        };
        let meant: Vec<usize> = (0..network.instances.len()).filter(|instance| means(*instance)).collect();
        match (pid, meant.as_slice()) {
            (_, []) => return Ok(Known::Constant(0)),
            (Known::Constant(_), [instance]) => return value(self, At { instance: *instance, ..at }),
            _ => {}
        }
        let done = self.builder.create_block();
        self.builder.append_block_param(done, types::I32);
        for instance in meant {
            let other = self.builder.create_block();
            let number = Known::Constant(i32::from(network.instances[instance].pid));
            let is_this = self.compare(IntCC::Equal, pid, number);
            self.skip_unless(is_this, other);
            let there = At { instance, ..at };
            if !network.is_alone(instance) {
                let exists = self.exists(there);
                self.skip_unless(exists, other);
            }
            let found = value(self, there)?;
            let found = self.value(found);
            self.builder.ins().jump(done, &[found.into()]);
            self.builder.switch_to_block(other);
        }
        let nothing = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().jump(done, &[nothing.into()]);
        self.builder.switch_to_block(done);
        Ok(Known::Value(self.builder.block_params(done)[0]))
    }
}
