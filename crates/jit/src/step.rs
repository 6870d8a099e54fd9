//! Edges: when they can be taken, and what they do.

use ample_model::{Action, Edge, EdgeId, Expr, ExprKind, LocationId, Scalar};
use ample_network::InstanceId;
use ample_transition::Move;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilder, Variable};

use crate::begin::{Entry, Start};
use crate::channel::ChannelAt;
use crate::generate::Generator;
use crate::not_compiled::{Generated, NotCompiled};
use crate::sequence::{in_one_go, may_block};
use crate::value::{At, Known, Memory};

impl Generator<'_, '_> {
    /// An edge of the current location: a record for each way to take it.
    pub(crate) fn edge(&mut self, id: EdgeId, edge: &Edge) -> Generated<()> {
        let next = self.builder.create_block();
        let before = self.before();
        match &edge.action {
            Action::Send { channel, .. } => {
                self.each_channel(channel, before, next, &mut |generator, channel| {
                    if channel.place.capacity == 0 {
                        generator.allowed(edge, before, next)?;
                        generator.rendezvous(id, edge, channel)
                    } else {
                        generator.own_edge(id, edge, Some(channel), next)
                    }
                })?;
            }
            Action::Receive { channel, keep, .. } => {
                self.each_channel(
                    channel,
                    before,
                    next,
                    &mut |generator, channel| match (channel.place.capacity, keep) {
                        (0, true) => {
                            generator.fault();
                            Ok(())
                        }
                        (0, false) => Ok(()),
                        _ => generator.own_edge(id, edge, Some(channel), next),
                    },
                )?;
            }
            _ => self.own_edge(id, edge, None, next)?,
        }
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// An edge that needs no partner.
    fn own_edge(&mut self, id: EdgeId, edge: &Edge, channel: Option<&ChannelAt>, next: Block) -> Generated<()> {
        let before = self.before();
        let target = self.target();
        let after = At { state: target, ..before };
        if let Action::DeterministicStep(entry) = &edge.action {
            let moved = Some(self.moved);
            self.d_step(Entry { location: *entry, after, start: Start::Copy, offer: None, moved, blocked: next })?;
        } else {
            let found = self.guard(edge, channel, before, Some(self.moved), next)?;
            self.check_choice(self.instance, edge, self.moved);
            self.copy_to(target);
            self.effect(edge, channel, found, before, after)?;
        }
        self.leave(self.instance, edge, target);
        self.assign_effects(edge, after)?;
        self.set(self.moved);
        if edge.escape.is_some() {
            self.set(self.escaped);
        }
        let step = Move { process: self.network.instances[self.instance].pid, edge: id, partner: None };
        self.go_on(step, edge, after, next)
    }

    /// A move of a process that must be deterministic, made beside an earlier edge of the same
    /// location, is for the interpreter.
    pub(crate) fn check_choice(&mut self, instance: InstanceId, edge: &Edge, moved: Variable) {
        if self.template_of(instance).deterministic && edge.is_choice() {
            let moved = self.builder.use_var(moved);
            self.fault_if(Known::Value(moved));
        }
    }

    /// Finishes a move. What the process does next inside its atomic sequence is made in one go
    /// with it, as long as there is one way to go on.
    pub(crate) fn go_on(&mut self, step: Move, edge: &Edge, after: At, next: Block) -> Generated<()> {
        let timeout = std::mem::replace(&mut self.timeout, Known::Constant(0));
        let base = self.records;
        let template = self.template_of(after.instance);
        let pid = self.network.instances[after.instance].pid;
        let mut moves = vec![step];
        let mut last = edge;
        // Where the process cannot go on, so that it loses control, and how many moves it has made
        // then.
        let mut blocked: Vec<(Block, usize)> = Vec::new();
        for id in in_one_go(self.network, self.code.locations_are_read, after.instance, edge) {
            let edge = &template.edges[id];
            let here = self.builder.create_block();
            self.made_in_place(edge, after, here)?;
            if may_block(edge) {
                blocked.push((here, moves.len()));
            }
            moves.push(Move { process: pid, edge: id, partner: None });
            last = edge;
        }
        self.finish(&moves, last.keeps_control.then_some(after.instance));
        for (block, length) in blocked {
            self.builder.ins().jump(next, &[]);
            self.builder.switch_to_block(block);
            self.finish(&moves[..length], None);
        }
        self.records = base + 1;
        self.timeout = timeout;
        Ok(())
    }

    /// Takes an edge in place, or leaves to `blocked`.
    fn made_in_place(&mut self, edge: &Edge, at: At, blocked: Block) -> Generated<()> {
        if let Action::DeterministicStep(entry) = &edge.action {
            let start = Start::InPlace;
            self.d_step(Entry { location: *entry, after: at, start, offer: None, moved: None, blocked })?;
        } else {
            let channel = self.channel_of(edge, at);
            let found = self.guard(edge, channel.as_ref(), at, None, blocked)?;
            self.effect(edge, channel.as_ref(), found, at, at)?;
        }
        self.leave(at.instance, edge, at.state);
        self.assign_effects(edge, at)
    }

    /// Brings the state after a move into being.
    pub(crate) fn start(&mut self, start: Start<'_>, target: Value) {
        match start {
            Start::InPlace => {}
            Start::Copy => self.copy_to(target),
            Start::Sent(edge) => {
                self.copy_to(target);
                self.leave(self.instance, edge, target);
            }
        }
    }

    /// Moves a process along its edge.
    pub(crate) fn leave(&mut self, instance: InstanceId, edge: &Edge, target: Value) {
        if !matches!(edge.action, Action::End) {
            self.place(instance, edge.target, target);
        }
        if let Some(place) = self.network.layout.last {
            let pid = i64::from(self.network.instances[instance].pid);
            self.store(Memory { base: target, place, scalar: Scalar::Byte }, Known::Constant(pid));
        }
    }

    /// Puts a process at a location.
    pub(crate) fn place(&mut self, instance: InstanceId, location: LocationId, target: Value) {
        let place = self.network.layout.frames[instance].location;
        let memory = Memory { base: target, place, scalar: Scalar::Int };
        self.store(memory, Known::Constant(self.network.instances[instance].stored(location)));
    }

    /// Leaves to `next` if the edge cannot be taken. Gives the position of the message that a
    /// receive found. Without `moved`, no edge of the location was taken before.
    pub(crate) fn guard(
        &mut self,
        edge: &Edge,
        channel: Option<&ChannelAt>,
        at: At,
        moved: Option<Variable>,
        next: Block,
    ) -> Generated<Known> {
        match (&edge.action, channel) {
            (Action::Guard(Expr { kind: ExprKind::Run(_), .. }), _) => {}
            (Action::Guard(expr), _) => {
                let condition = self.expression(expr, at)?;
                self.skip_unless(condition, next);
                self.claims_on_tests(expr, at)?;
            }
            (Action::Else, _) => {
                if let Some(moved) = moved {
                    let moved = self.builder.use_var(moved);
                    let not = self.builder.ins().icmp_imm_s(IntCC::Equal, moved, 0);
                    self.skip_unless(Known::Value(not), next);
                }
            }
            (Action::Send { .. }, Some(channel)) => {
                self.room(channel, at, next)?;
                self.allowed(edge, at, next)?;
            }
            (Action::Assert(_), _) => self.allowed(edge, at, next)?,
            (Action::Receive { .. }, Some(channel)) => return self.waiting(edge, channel, at, next),
            (Action::End, _) => {
                let count = self.process_count(at.state);
                let pid = i64::from(self.network.instances[at.instance].pid);
                let youngest = self.compare(IntCC::Equal, count, Known::Constant(pid + 1));
                self.skip_unless(youngest, next);
            }
            _ => {}
        }
        Ok(Known::Constant(0))
    }

    /// Leaves to `next` if the guard is false that an edge has besides its action.
    pub(crate) fn allowed(&mut self, edge: &Edge, at: At, next: Block) -> Generated<()> {
        if let Some(guard) = &edge.guard {
            let condition = self.expression(guard, at)?;
            self.skip_unless(condition, next);
        }
        Ok(())
    }

    /// The assignments that are part of a step, one after the other.
    pub(crate) fn assign_effects(&mut self, edge: &Edge, after: At) -> Generated<()> {
        for effect in &edge.effects {
            let value = self.expression(&effect.value, after)?;
            let memory = self.memory(&effect.place, after)?;
            self.store(memory, value);
        }
        Ok(())
    }

    /// What the edge does, besides leading to its target. Values are read from the state before it.
    /// `found` is the position of the message to receive.
    pub(crate) fn effect(
        &mut self,
        edge: &Edge,
        channel: Option<&ChannelAt>,
        found: Known,
        before: At,
        after: At,
    ) -> Generated<()> {
        match (&edge.action, channel) {
            (Action::Skip | Action::Else, _) => Ok(()),
            (Action::Assert(expr), _) => {
                let condition = self.expression(expr, before)?;
                let failed = self.compare(IntCC::Equal, condition, Known::Constant(0));
                self.fault_if(failed);
                Ok(())
            }
            // Evaluated for the errors that there may be.
            (Action::Print { arguments, .. }, _) => {
                arguments.iter().try_for_each(|argument| self.expression(argument, before).map(|_| ()))
            }
            (Action::PrintName(value), _) => self.expression(value, before).map(|_| ()),
            (Action::Guard(expr @ Expr { kind: ExprKind::Run(run), .. }), _) => {
                self.create(run, None, before, after)?;
                // The new process may have claims already.
                self.claims_on_tests(expr, after)
            }
            (Action::Guard(_), _) => Ok(()),
            (Action::Assign(place, Expr { kind: ExprKind::Run(run), .. }), _) => {
                self.create(run, Some(place), before, after)
            }
            (Action::Assign(place, value), _) => {
                let value = self.expression(value, before)?;
                let memory = self.memory(place, before)?;
                let memory = rebase(memory, before.state, after.state, &mut self.builder);
                self.store(memory, value);
                Ok(())
            }
            (Action::Send { sorted, values, .. }, Some(channel)) => self.send(channel, *sorted, values, before, after),
            (Action::Receive { .. }, Some(channel)) => self.receive(edge, channel, found, before, after),
            (Action::End, _) => {
                self.end(after);
                Ok(())
            }
            (Action::SetPriority(target, priority), _) => self.set_priority(target, priority, before, after),
            _ => Err(NotCompiled("a statement of this kind is interpreted".to_owned())),
        }
    }
}

/// The same place in another copy of the state.
fn rebase(memory: Memory, from: Value, to: Value, builder: &mut FunctionBuilder<'_>) -> Memory {
    if memory.base == from {
        return Memory { base: to, ..memory };
    }
    let distance = builder.ins().isub(memory.base, from);
    let base = builder.ins().iadd(to, distance);
    Memory { base, ..memory }
}
