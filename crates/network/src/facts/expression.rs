//! What an expression reads.

use ample_model::{Expr, ExprKind, InitValue, Place, RemoteAt, RemoteRead, Run, Scalar, Template, TemplateId};
use ample_stdx::TypedId;

use crate::Network;
use crate::facts::constant::{Asker, Constants, Derived};
use crate::facts::footprint::{Footprint, LengthUse, PoolUse};
use crate::facts::{InstanceId, Object, Objects};

/// Finds what is read.
#[derive(Copy, Clone)]
pub(crate) struct Reader<'n> {
    pub(crate) network: &'n Network<'n>,
    pub(crate) objects: &'n Objects,
    pub(crate) derived: &'n Derived,
}

impl<'n> Reader<'n> {
    pub(crate) fn constants(self) -> Constants<'n> {
        Constants { network: self.network, derived: self.derived }
    }

    /// What an expression reads.
    pub(crate) fn of(self, expr: &Expr, asker: Asker) -> Footprint {
        let mut found = Footprint::default();
        self.read(expr, asker, &mut found);
        found
    }

    /// Adds what an expression reads.
    pub(crate) fn read(self, expr: &Expr, asker: Asker, found: &mut Footprint) {
        if self.constants().fold(expr, asker).is_some() {
            return;
        }
        found.may_fail |= self.constants().may_fail(expr, asker);
        match &expr.kind {
            ExprKind::Read(place) => self.read_place(place, asker, found),
            ExprKind::Unary(_, operand) => self.read(operand, asker, found),
            ExprKind::Binary(_, left, right) => [left, right].iter().for_each(|part| self.read(part, asker, found)),
            ExprKind::Conditional(parts) => parts.iter().for_each(|part| self.read(part, asker, found)),
            ExprKind::Run(run) => self.run(run, asker, found),
            ExprKind::Channel(_, channel) => {
                self.read(channel, asker, found);
                self.read_length(channel, asker, LengthUse::Any, found);
            }
            ExprKind::Poll(poll) => {
                self.read(&poll.channel, asker, found);
                self.read_length(&poll.channel, asker, LengthUse::Any, found);
                for channel in self.constants().channels(&poll.channel, asker) {
                    found.reads.insert(self.objects.id(Object::Head(channel)));
                }
                poll.pattern.iter().for_each(|argument| argument.walk(&mut |part| self.read(part, asker, found)));
            }
            ExprKind::NonProgress => self.read_marked(|location| location.progress, found),
            ExprKind::Accepting => self.read_marked(|location| location.accept, found),
            ExprKind::ProgramCounter(pid) => self.read_program_counter(pid, asker, found),
            ExprKind::ProcessCount => self.read_pool(found),
            ExprKind::RemoteRead(remote) => self.read_remote(remote, asker, found),
            ExprKind::RemoteAt(remote) => self.read_remote_at(remote, asker, found),
            ExprKind::Timeout | ExprKind::Enabled(_) | ExprKind::Priority(_) | ExprKind::LastProcess => {
                found.asks_everything = true;
            }
            ExprKind::Const(_) | ExprKind::Pid => {}
        }
    }

    fn read_place(self, place: &Place, asker: Asker, found: &mut Footprint) {
        self.read_indices(place, asker, found);
        if self.constants().is_of_trace(asker, place.scope) {
            return self.read_declared(found);
        }
        let owner = self.constants().owner(asker, place.scope);
        for slot in self.constants().slots(place, asker) {
            if self.constants().of_slot(owner, slot).is_none() {
                found.reads.insert(self.objects.id(variable(owner, slot)));
            }
        }
    }

    /// What the trace assertion declares never changes, unless it is computed from something else.
    fn read_declared(self, found: &mut Footprint) {
        let Some(trace) = self.network.model.trace else { return };
        for init in &self.network.model.templates[trace].frame.init {
            if let InitValue::Expr(value) = &init.value
                && !matches!(value.kind, ExprKind::Const(_))
            {
                found.asks_everything = true;
            }
        }
    }

    pub(crate) fn read_indices(self, place: &Place, asker: Asker, found: &mut Footprint) {
        place.indices.iter().for_each(|index| self.read(&index.value, asker, found));
    }

    pub(crate) fn read_length(self, channel: &Expr, asker: Asker, use_: LengthUse, found: &mut Footprint) {
        for channel in self.constants().channels(channel, asker) {
            found.reads.insert(self.objects.id(Object::Length(channel)));
            found.use_length(channel, use_);
        }
    }

    fn read_pool(self, found: &mut Footprint) {
        found.reads.insert(self.objects.id(Object::PidPool));
        found.pool = PoolUse::Any;
    }

    /// Being at a marked location is all that counts: who moves between two others changes nothing.
    fn read_marked(self, is_marked: fn(&ample_model::Location) -> bool, found: &mut Footprint) {
        for instance in self.all() {
            let template = &self.network.model.templates[self.template(instance)];
            let marked = template.locations.iter_enumerated().filter(|(_, location)| is_marked(location));
            found.reads.extend(marked.map(|(location, _)| self.objects.id(Object::At(instance, location))));
        }
    }

    fn read_program_counter(self, pid: &Expr, asker: Asker, found: &mut Footprint) {
        self.read(pid, asker, found);
        for instance in self.constants().instances(pid, asker) {
            let locations = self.network.model.templates[self.template(instance)].locations.ids();
            found.reads.extend(locations.map(|location| self.objects.id(Object::At(instance, location))));
        }
    }

    /// A variable of another process: 0 if that does not exist, an error if it runs something else.
    fn read_remote(self, remote: &RemoteRead, asker: Asker, found: &mut Footprint) {
        self.read_indices(&remote.place, asker, found);
        let named = self.named(remote.template, remote.pid.as_ref(), asker, found);
        if named.len() != 1 || named.iter().any(|instance| self.template(*instance) != remote.template) {
            self.read_pool(found);
        }
        for instance in named {
            if self.template(instance) == remote.template {
                let slots = self.constants().slots(&remote.place, asker);
                if slots.is_empty() {
                    // An error as long as the process exists.
                    self.read_pool(found);
                }
                // Constants too: a process that ends takes them along, and the value is 0.
                found.reads.extend(slots.into_iter().map(|slot| self.objects.id(Object::Local(instance, slot))));
            }
        }
    }

    /// The location is compared as a number: a process with this number that runs something else
    /// counts, too.
    fn read_remote_at(self, remote: &RemoteAt, asker: Asker, found: &mut Footprint) {
        let named = self.named(remote.template, remote.pid.as_ref(), asker, found);
        if remote.pid.is_none() && named.len() != 1 {
            self.read_pool(found);
        }
        for instance in named {
            if remote.location.index() < self.network.model.templates[self.template(instance)].locations.len() {
                found.reads.insert(self.objects.id(Object::At(instance, remote.location)));
            }
        }
    }

    /// The instances that a remote reference may mean.
    fn named(self, template: TemplateId, pid: Option<&Expr>, asker: Asker, found: &mut Footprint) -> Vec<InstanceId> {
        match pid {
            Some(pid) => {
                self.read(pid, asker, found);
                self.constants().instances(pid, asker)
            }
            None => self.all().filter(|instance| self.template(*instance) == template).collect(),
        }
    }

    /// `run` takes a process number and makes everything that belongs to the new process.
    fn run(self, run: &Run, asker: Asker, found: &mut Footprint) {
        run.arguments.iter().for_each(|argument| self.read(argument, asker, found));
        found.writes.insert(self.objects.id(Object::PidPool));
        found.pool = found.pool.and(PoolUse::Creates);
        for instance in self.creatable(run.template) {
            found.creates.insert(instance);
            let belongings = self.objects.belongings(self.network, instance);
            let mut first = self.initial_values(instance);
            // What the new process finds in its own variables is not there before.
            first.reads.subtract(&belongings);
            found.add(&first);
            found.created.union_with(&belongings);
        }
    }

    fn initial_values(self, instance: InstanceId) -> Footprint {
        let mut found = Footprint::default();
        for init in &self.network.model.templates[self.template(instance)].frame.init {
            if let InitValue::Expr(value) = &init.value {
                self.read(value, Asker::Process(instance), &mut found);
            }
        }
        found
    }

    /// The instances that `run` may create. Where the processes are known, those of the initial
    /// state never come again.
    fn creatable(self, template: TemplateId) -> Vec<InstanceId> {
        let first = if self.network.is_guessed { 0 } else { self.network.model.active.len() };
        let created = |instance: &InstanceId| {
            usize::from(self.network.instances[*instance].pid) >= first && self.template(*instance) == template
        };
        self.all().filter(created).collect()
    }

    pub(crate) fn all(self) -> impl Iterator<Item = InstanceId> {
        self.network.instances.ids()
    }

    pub(crate) fn template(self, instance: InstanceId) -> TemplateId {
        self.network.instances[instance].template
    }

    pub(crate) fn template_of(self, instance: InstanceId) -> &'n Template {
        &self.network.model.templates[self.template(instance)]
    }

    /// How a variable stores values.
    pub(crate) fn scalar(self, asker: Asker, place: &Place) -> Scalar {
        let trace = || self.network.model.trace.map(|trace| &self.network.model.templates[trace].frame);
        let frame = match self.constants().owner(asker, place.scope) {
            Some(instance) => Some(&self.template_of(instance).frame),
            None if self.constants().is_of_trace(asker, place.scope) => trace(),
            None => Some(&self.network.model.globals),
        };
        frame.map_or(Scalar::Int, |frame| frame.slots[place.first].scalar)
    }
}

/// The object of a variable.
pub(crate) fn variable(owner: Option<InstanceId>, slot: ample_model::SlotId) -> Object {
    match owner {
        Some(instance) => Object::Local(instance, slot),
        None => Object::Global(slot),
    }
}
