//! Edges: when they can be taken, and what they do.

use ample_model::{Action, Edge, EdgeId, Expr, ExprKind, InitValue, LocationId, Place, Run, Scalar};
use ample_network::SlotPlace;
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use crate::NotCompiled;
use crate::expression::{At, Generated, Known, Memory, flags};
use crate::generate::{Generator, Header};
use crate::rendezvous::Offer;

/// A `d_step` that makes more steps than this is for the interpreter, which knows whether it ever ends.
const MOST_STEPS: i64 = 100_000;

impl Generator<'_, '_> {
    /// An edge of the current location: a record for each way to take it.
    pub(crate) fn edge(&mut self, id: EdgeId, edge: &Edge) -> Generated<()> {
        let next = self.builder.create_block();
        let before = self.before();
        match &edge.action {
            Action::Send { channel, .. } => {
                let channel = self.expression(channel, before)?;
                self.each_channel(channel, next, &mut |generator, position| {
                    if generator.network.layout.channels[position].capacity == 0 {
                        generator.rendezvous(id, edge, position)
                    } else {
                        generator.own_edge(id, edge, Some(position), next)
                    }
                })?;
            }
            Action::Receive { channel, keep, .. } => {
                let channel = self.expression(channel, before)?;
                self.each_channel(channel, next, &mut |generator, position| match (
                    generator.network.layout.channels[position].capacity,
                    keep,
                ) {
                    (0, true) => {
                        generator.fault();
                        Ok(())
                    }
                    (0, false) => Ok(()),
                    _ => generator.own_edge(id, edge, Some(position), next),
                })?;
            }
            _ => self.own_edge(id, edge, None, next)?,
        }
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// Generates code for each channel that the value may mean; what it cannot mean is for the interpreter.
    pub(crate) fn each_channel(
        &mut self,
        channel: Known,
        next: Block,
        generate: &mut dyn FnMut(&mut Self, usize) -> Generated<()>,
    ) -> Generated<()> {
        let count = self.network.layout.channels.len();
        match channel {
            Known::Constant(number) => match usize::try_from(number - 1) {
                Ok(position) if position < count => {
                    self.check_exists(position);
                    generate(self, position)
                }
                _ => {
                    self.fault();
                    Ok(())
                }
            },
            Known::Value(number) => {
                for position in 0..count {
                    let (this, other) = (self.builder.create_block(), self.builder.create_block());
                    let is_this = self.builder.ins().icmp_imm_s(IntCC::Equal, number, position as i64 + 1);
                    self.builder.ins().brif(is_this, this, &[], other, &[]);
                    self.builder.switch_to_block(this);
                    self.check_exists(position);
                    generate(self, position)?;
                    self.builder.ins().jump(next, &[]);
                    self.builder.switch_to_block(other);
                }
                self.fault();
                Ok(())
            }
        }
    }

    /// A channel of another process goes with that process; using it after that is an error.
    pub(crate) fn check_exists(&mut self, position: usize) {
        let Some(owner) = self.network.layout.channels[position].owner else { return };
        if usize::from(owner) != self.instance {
            let count = self.load(self.state, self.network.layout.process_count);
            let gone = self.compare(IntCC::SignedLessThanOrEqual, count, Known::Constant(i32::from(owner)));
            let gone = self.value(gone);
            self.fault_if(gone);
        }
    }

    /// An edge that needs no partner.
    fn own_edge(&mut self, id: EdgeId, edge: &Edge, channel: Option<usize>, next: Block) -> Generated<()> {
        let before = self.before();
        let target = if let Action::DeterministicStep(entry) = &edge.action {
            let target = self.copy();
            self.d_step(self.instance, *entry, target, None, next)?;
            target
        } else {
            self.guard(edge, channel, before, next, self.moved)?;
            let target = self.copy();
            let after = At { state: target, instance: self.instance };
            self.effect(edge, channel, before, after)?;
            target
        };
        self.leave(self.instance, edge, target);
        let control = edge.keeps_control.then_some(self.instance);
        self.finish(Header { edge: id, partner: None, control });
        self.set(self.moved);
        if edge.escape.is_some() {
            self.set(self.escaped);
        }
        Ok(())
    }

    /// Moves a process along its edge.
    pub(crate) fn leave(&mut self, instance: usize, edge: &Edge, target: Value) {
        if !matches!(edge.action, Action::End) {
            let place = self.network.layout.frames[instance].location;
            let memory = Memory { base: target, place, scalar: Scalar::Int };
            self.store(memory, Known::Constant(edge.target.index() as i32));
        }
        if let Some(place) = self.network.layout.last {
            let pid = i32::from(self.network.instances[instance].pid);
            self.store(Memory { base: target, place, scalar: Scalar::Byte }, Known::Constant(pid));
        }
    }

    /// Leaves to `next` if the edge cannot be taken.
    fn guard(&mut self, edge: &Edge, channel: Option<usize>, at: At, next: Block, moved: Variable) -> Generated<()> {
        match &edge.action {
            Action::Guard(Expr { kind: ExprKind::Run(_), .. }) => {}
            Action::Guard(expr) => {
                let condition = self.expression(expr, at)?;
                self.skip_unless(condition, next);
            }
            Action::Else => {
                let moved = self.builder.use_var(moved);
                let not = self.builder.ins().icmp_imm_s(IntCC::Equal, moved, 0);
                self.skip_unless(Known::Value(not), next);
            }
            Action::Assert(expr) => {
                let condition = self.expression(expr, at)?;
                let failed = self.compare(IntCC::Equal, condition, Known::Constant(0));
                let failed = self.value(failed);
                self.fault_if(failed);
            }
            Action::Send { .. } => {
                if let Some(channel) = channel {
                    self.room(channel, at, next);
                }
            }
            Action::Receive { .. } => {
                if let Some(channel) = channel {
                    self.waiting(edge, channel, at, next)?;
                }
            }
            Action::End => {
                let count = self.load(at.state, self.network.layout.process_count);
                let youngest = self.compare(IntCC::Equal, count, Known::Constant(at.instance as i32 + 1));
                self.skip_unless(youngest, next);
            }
            _ => {}
        }
        Ok(())
    }

    /// What the edge does, besides leading to its target. Values are read from the state before it.
    fn effect(&mut self, edge: &Edge, channel: Option<usize>, before: At, after: At) -> Generated<()> {
        match &edge.action {
            Action::Skip | Action::Else | Action::Assert(_) | Action::Print { .. } | Action::PrintName(_) => Ok(()),
            Action::Guard(Expr { kind: ExprKind::Run(run), .. }) => self.create(run, None, before, after),
            Action::Guard(_) => Ok(()),
            Action::Assign(place, Expr { kind: ExprKind::Run(run), .. }) => {
                self.create(run, Some(place), before, after)
            }
            Action::Assign(place, value) => {
                let value = self.expression(value, before)?;
                let memory = self.memory(place, At { state: before.state, ..after })?;
                let memory = rebase(memory, before.state, after.state, &mut self.builder);
                self.store(memory, value);
                Ok(())
            }
            Action::Send { sorted, values, .. } => {
                let channel = channel.ok_or_else(|| NotCompiled("a send without a channel".to_owned()))?;
                self.send(channel, *sorted, values, before, after)
            }
            Action::Receive { .. } => {
                let channel = channel.ok_or_else(|| NotCompiled("a receive without a channel".to_owned()))?;
                self.receive(edge, channel, before, after)
            }
            Action::End => {
                self.end(after);
                Ok(())
            }
            _ => Err(NotCompiled("a statement of this kind is interpreted".to_owned())),
        }
    }

    /// Ends the process: its frame and its channels become zero.
    fn end(&mut self, after: At) {
        let layout = &self.network.layout;
        let place = layout.process_count;
        self.store(Memory { base: after.state, place, scalar: Scalar::Byte }, Known::Constant(after.instance as i32));
        let frame = (layout.frames[after.instance].start, layout.frames[after.instance].end);
        let pid = self.network.instances[after.instance].pid;
        let own = layout.channels.iter().filter(|channel| channel.owner == Some(pid));
        let channels: Vec<(u32, u32)> = own
            .map(|channel| (channel.length.offset, channel.messages + channel.capacity * channel.message_size))
            .collect();
        for (start, end) in std::iter::once(frame).chain(channels) {
            self.zero(after.state, start, end);
        }
    }

    /// Sets bytes to zero.
    pub(crate) fn zero(&mut self, base: Value, start: u32, end: u32) {
        for (offset, width) in pieces(start, end) {
            let zero = self.builder.ins().iconst(width, 0);
            self.builder.ins().store(flags(), zero, base, offset as i32);
        }
    }

    /// Creates the next process. Which one that is follows from how many there are.
    fn create(&mut self, run: &Run, result: Option<&Place>, before: At, after: At) -> Generated<()> {
        let arguments =
            run.arguments.iter().map(|argument| self.expression(argument, before)).collect::<Generated<Vec<_>>>()?;
        let count = self.load(before.state, self.network.layout.process_count);
        let count_value = self.value(count);
        let done = self.builder.create_block();
        for new in self.network.initial..self.network.instances.len() {
            if self.network.instances[new].template != run.template {
                continue;
            }
            let (this, other) = (self.builder.create_block(), self.builder.create_block());
            let is_this = self.builder.ins().icmp_imm_s(IntCC::Equal, count_value, new as i64);
            self.builder.ins().brif(is_this, this, &[], other, &[]);
            self.builder.switch_to_block(this);
            self.start(new, &arguments, At { instance: new, ..after })?;
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

    /// The frame of a new process.
    fn start(&mut self, new: usize, arguments: &[Known], after: At) -> Generated<()> {
        let network = self.network;
        let template = &network.model.templates[network.instances[new].template];
        let frame = &network.layout.frames[new];
        let base = after.state;
        let put = |generator: &mut Self, place: SlotPlace, scalar: Scalar, value: Known| {
            generator.store(Memory { base, place, scalar }, value);
        };
        put(self, network.layout.process_count, Scalar::Byte, Known::Constant(new as i32 + 1));
        put(self, frame.location, Scalar::Int, Known::Constant(template.entry.index() as i32));
        for ((slot, place), value) in template.frame.slots.iter().zip(frame.locals.iter()).zip(arguments) {
            put(self, *place, slot.scalar, *value);
        }
        let pid = network.instances[new].pid;
        let mut own = (1..).zip(&network.layout.channels).filter(|(_, channel)| channel.owner == Some(pid));
        for init in &template.frame.init {
            let value = match &init.value {
                InitValue::Expr(expr) => self.expression(expr, after)?,
                InitValue::Channel(_) => Known::Constant(own.next().map_or(0, |(number, _)| number)),
            };
            put(self, frame.locals[init.slot], template.frame.slots[init.slot].scalar, value);
        }
        Ok(())
    }

    /// A `d_step`, run on a copy of the state: the first edge that can be taken at each location. Leaves to `next` if the
    /// first statement cannot be executed. With an offer, the first statement must be the receive that takes it.
    pub(crate) fn d_step(
        &mut self,
        instance: usize,
        entry: LocationId,
        target: Value,
        offer: Option<&Offer>,
        next: Block,
    ) -> Generated<()> {
        let network = self.network;
        let template = &network.model.templates[network.instances[instance].template];
        let inside = template.locations[entry].d_step;
        let at = At { state: target, instance };
        let done = self.builder.create_block();
        let steps = self.builder.declare_var(types::I32);
        let zero = self.builder.ins().iconst(types::I32, 0);
        self.builder.def_var(steps, zero);
        let inner: Vec<LocationId> = template
            .locations
            .iter_enumerated()
            .filter(|(_, location)| location.d_step == inside && inside.is_some())
            .map(|(id, _)| id)
            .collect();
        let blocks: Vec<(LocationId, Block)> =
            inner.into_iter().map(|location| (location, self.builder.create_block())).collect();
        let goes_to = |location: LocationId| {
            blocks.iter().find(|(known, _)| *known == location).map_or(done, |(_, block)| *block)
        };
        self.d_step_location(template, entry, at, offer, next, &goes_to)?;
        for (location, block) in &blocks {
            self.builder.switch_to_block(*block);
            let so_far = self.builder.use_var(steps);
            let now = self.builder.ins().iadd_imm_s(so_far, 1);
            self.builder.def_var(steps, now);
            let too_many = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, now, MOST_STEPS);
            self.fault_if(too_many);
            let blocked = self.builder.create_block();
            self.d_step_location(template, *location, at, None, blocked, &goes_to)?;
            self.builder.switch_to_block(blocked);
            self.fault();
            self.builder.ins().jump(done, &[]);
        }
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// One location inside a `d_step`; ends in jumps to the next location, or to `blocked`.
    fn d_step_location(
        &mut self,
        template: &ample_model::Template,
        location: LocationId,
        at: At,
        offer: Option<&Offer>,
        blocked: Block,
        goes_to: &dyn Fn(LocationId) -> Block,
    ) -> Generated<()> {
        let edges = &template.locations[location].edges;
        for id in edges {
            let edge = &template.edges[*id];
            let other = self.builder.create_block();
            match (offer, &edge.action) {
                (Some(offer), Action::Receive { keep: false, .. }) => self.accept(edge, offer, at, other)?,
                (Some(_), _) => {
                    self.builder.ins().jump(other, &[]);
                    self.builder.switch_to_block(other);
                    continue;
                }
                (None, Action::Else) if edges.len() > 1 => {}
                (None, _) => self.d_step_edge(edge, at, other)?,
            }
            self.builder.ins().jump(goes_to(edge.target), &[]);
            self.builder.switch_to_block(other);
        }
        self.builder.ins().jump(blocked, &[]);
        Ok(())
    }

    fn d_step_edge(&mut self, edge: &Edge, at: At, other: Block) -> Generated<()> {
        let channel = match &edge.action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => {
                let position = self.static_channel(channel, at)?;
                if self.network.layout.channels[position].capacity == 0 {
                    match edge.action {
                        Action::Send { .. } => self.fault(),
                        _ => self.skip_unless(Known::Constant(0), other),
                    }
                    return Ok(());
                }
                Some(position)
            }
            _ => None,
        };
        self.guard(edge, channel, at, other, self.moved)?;
        self.effect(edge, channel, at, at)
    }
}

/// The same place in another copy of the state.
fn rebase(memory: Memory, from: Value, to: Value, builder: &mut cranelift_frontend::FunctionBuilder<'_>) -> Memory {
    if memory.base == from {
        return Memory { base: to, ..memory };
    }
    let distance = builder.ins().isub(memory.base, from);
    let base = builder.ins().iadd(to, distance);
    Memory { base, ..memory }
}

/// Splits a range of bytes into words, as large as fit.
pub(crate) fn pieces(start: u32, end: u32) -> Vec<(u32, cranelift_codegen::ir::Type)> {
    let mut pieces = Vec::new();
    let mut offset = start;
    while offset < end {
        let (width, ty) = match end - offset {
            8.. => (8, types::I64),
            4.. => (4, types::I32),
            2.. => (2, types::I16),
            _ => (1, types::I8),
        };
        pieces.push((offset, ty));
        offset += width;
    }
    pieces
}
