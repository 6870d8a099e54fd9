//! What a process can see of others: their locations and their variables.

use ample_model::{Expr, Location, RemoteAt, RemoteRead, TemplateId};
use ample_network::InstanceId;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

use crate::generate::Generator;
use crate::not_compiled::Generated;
use crate::read::Owner;
use crate::value::{At, Known};

impl<'n, 'b> Generator<'n, 'b> {
    pub(crate) fn remote_at(&mut self, remote: &RemoteAt, at: At) -> Generated<Known> {
        let pid = self.remote_pid(remote.template, remote.pid.as_ref(), at)?;
        self.of_process(pid, at, &mut |generator, at| Ok(generator.is_at(at, remote.location)))
    }

    pub(crate) fn remote_read(&mut self, remote: &RemoteRead, at: At) -> Generated<Known> {
        let pid = self.remote_pid(remote.template, remote.pid.as_ref(), at)?;
        self.of_process(pid, at, &mut |generator, other| {
            let owner = Owner::Process(other.instance);
            if generator.network.instances[other.instance].template != remote.template {
                let exists = generator.exists(other);
                generator.fault_if(exists);
                return Ok(Known::Constant(0));
            }
            if remote.place.indices.is_empty() && generator.constants_of(owner)[remote.place.first].is_none() {
                // The frame of a process that does not exist is zero.
                return generator.read_of(owner, &remote.place, at);
            }
            let exists = generator.exists(other);
            generator.if_so(exists, &mut |generator| generator.read_of(owner, &remote.place, at))
        })
    }

    /// A value that is computed only if a condition holds; 0 if it does not.
    pub(crate) fn if_so(
        &mut self,
        condition: Known,
        value: &mut dyn FnMut(&mut Generator<'n, 'b>) -> Generated<Known>,
    ) -> Generated<Known> {
        let (otherwise, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, self.word);
        self.skip_unless(condition, otherwise);
        let value = value(self)?;
        let value = self.value(value);
        self.builder.ins().jump(done, &[value.into()]);
        self.builder.switch_to_block(otherwise);
        Ok(self.or_nothing(done))
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

    /// Whether some process is at such a location.
    pub(crate) fn is_some_at(&mut self, at: At, is_such: fn(&Location) -> bool) -> Known {
        let mut some = Known::Constant(0);
        for instance in self.network.instances.ids() {
            let locations = self.template_of(instance).locations.iter_enumerated();
            let such: Vec<_> = locations.filter(|(_, place)| is_such(place)).map(|(id, _)| id).collect();
            for location in such {
                let here = self.is_at(At { instance, ..at }, location);
                let (a, b) = (self.value(some), self.value(here));
                some = Known::Value(self.builder.ins().bor(a, b));
            }
        }
        some
    }

    /// Whom a remote reference means: without a number, the first process of that template.
    fn remote_pid(&mut self, template: TemplateId, pid: Option<&Expr>, at: At) -> Generated<Known> {
        if let Some(pid) = pid {
            return self.expression(pid, at);
        }
        let network = self.network;
        let of_template = || network.instances.ids().filter(|i| network.instances[*i].template == template);
        let Some(first) = of_template().next() else { return Ok(Known::Constant(-1)) };
        if network.is_alone(first) {
            // If it does not exist, none with a higher number does.
            return Ok(Known::Constant(i64::from(network.instances[first].pid)));
        }
        let mut found = self.value(Known::Constant(-1));
        for instance in of_template().collect::<Vec<_>>().into_iter().rev() {
            let exists = self.exists(At { instance, ..at });
            let exists = self.value(exists);
            let pid = self.builder.ins().iconst(self.word, i64::from(network.instances[instance].pid));
            found = self.builder.ins().select(exists, pid, found);
        }
        Ok(Known::Value(found))
    }

    /// A value of the process with this number; 0 if there cannot be one.
    pub(crate) fn of_process(
        &mut self,
        pid: Known,
        at: At,
        value: &mut dyn FnMut(&mut Generator<'n, 'b>, At) -> Generated<Known>,
    ) -> Generated<Known> {
        let network = self.network;
        let means = |instance: InstanceId| match pid {
            Known::Constant(pid) => i64::from(network.instances[instance].pid) == pid,
            Known::Value(_) => true,
        };
        let meant: Vec<InstanceId> = network.instances.ids().filter(|instance| means(*instance)).collect();
        match (pid, meant.as_slice()) {
            (_, []) => return Ok(Known::Constant(0)),
            (Known::Constant(_), [instance]) => return value(self, At { instance: *instance, ..at }),
            _ => {}
        }
        let done = self.builder.create_block();
        self.builder.append_block_param(done, self.word);
        for instance in meant {
            let other = self.builder.create_block();
            let number = Known::Constant(i64::from(network.instances[instance].pid));
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
        Ok(self.or_nothing(done))
    }
}
