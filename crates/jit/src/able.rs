//! Whether a process could move, for those who ask: `enabled()`, and processes of lower priority.
//!
//! One function for each process number, from a state to 0 or 1; they may ask each other. And one
//! that tells whether a process of higher priority could move.

use ample_model::{Action, Edge, Expr, ExprKind, LocationId};
use ample_network::InstanceId;
use ample_transition::Pid;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Switch;

use crate::channel::ChannelAt;
use crate::generate::Generator;
use crate::not_compiled::{Generated, NotCompiled};
use crate::value::{At, Known};

/// A chain of `enabled()` that is longer than this is for the interpreter.
const MOST_ASKED: i64 = 16;

impl Generator<'_, '_> {
    /// Generates the function for instances with the same process number. Parameters: the state,
    /// how often `enabled()` has asked about another process in turn, whether `timeout` holds.
    /// Result: 0 or 1, or all ones if the interpreter must look at the state.
    pub(crate) fn able_function(mut self, instances: &[InstanceId], target: TargetFrontendConfig) -> Generated<()> {
        let asked = self.next_record();
        self.asked = Known::Value(self.builder.ins().ireduce(types::I32, asked));
        let location = self.load(self.state, self.network.layout.frames[self.instance].location);
        let location = self.value(location);
        let [yes, no] = [(); 2].map(|()| self.builder.create_block());
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for instance in instances {
            for (id, place) in self.template_of(*instance).locations.iter_enumerated().skip(1) {
                if !place.edges.is_empty() {
                    let block = self.builder.create_block();
                    switch.set_entry(self.network.instances[*instance].stored(id) as u128, block);
                    blocks.push((*instance, id, block));
                }
            }
        }
        switch.emit(&mut self.builder, location, no);
        for (instance, location, block) in blocks {
            self.builder.switch_to_block(block);
            self.instance = instance;
            let fault = self.begin_faults();
            self.could_move(location, yes)?;
            self.builder.ins().jump(no, &[]);
            self.end_faults(fault);
        }
        self.return_either(yes, no);
        self.finish_function(-1, target);
        Ok(())
    }

    /// Ends a function with 1 at one block and 0 at the other.
    fn return_either(&mut self, yes: Block, no: Block) {
        for (block, result) in [(yes, 1), (no, 0)] {
            self.builder.switch_to_block(block);
            let result = self.builder.ins().iconst(types::I64, result);
            self.builder.ins().return_(&[result]);
        }
    }

    /// Leaves to `yes` if some edge of a location could be taken.
    fn could_move(&mut self, location: LocationId, yes: Block) -> Generated<()> {
        let template = self.template_of(self.instance);
        template.locations[location].edges.iter().try_for_each(|id| self.could_take(&template.edges[*id], yes))
    }

    /// Leaves to `yes` if an edge could be taken: a rendezvous send counts even without a partner,
    /// an `else` always. Evaluates what decides that, and nothing else.
    fn could_take(&mut self, edge: &Edge, yes: Block) -> Generated<()> {
        let at = self.before();
        let no = self.builder.create_block();
        match &edge.action {
            Action::Guard(Expr { kind: ExprKind::Run(run), .. }) => {
                // Evaluated for the errors that there may be.
                run.arguments.iter().try_for_each(|argument| self.expression(argument, at).map(|_| ()))?;
            }
            Action::Guard(condition) => {
                let condition = self.expression(condition, at)?;
                self.skip_unless(condition, no);
            }
            Action::End => {
                self.guard(edge, None, at, None, no)?;
            }
            Action::Send { channel, .. } | Action::Receive { channel, .. } => {
                self.each_channel(channel, at, no, &mut |generator, channel| {
                    generator.could_communicate(edge, channel, no)?;
                    generator.go(yes);
                    Ok(())
                })?;
                self.builder.ins().jump(no, &[]);
                self.builder.switch_to_block(no);
                return Ok(());
            }
            Action::DeterministicStep(entry) => {
                self.could_move(*entry, yes)?;
                self.builder.ins().jump(no, &[]);
                self.builder.switch_to_block(no);
                return Ok(());
            }
            Action::Event { .. } => self.skip_unless(Known::Constant(0), no),
            _ => {}
        }
        self.builder.ins().jump(yes, &[]);
        self.builder.switch_to_block(no);
        Ok(())
    }

    /// Leaves to `no` if there is no room in the channel, or not what is wanted.
    fn could_communicate(&mut self, edge: &Edge, channel: &ChannelAt, no: Block) -> Generated<()> {
        let at = self.before();
        let length = self.length(channel, at.state);
        match &edge.action {
            Action::Receive { .. } if channel.place.capacity == 0 => {
                self.skip_unless(Known::Constant(0), no);
                Ok(())
            }
            Action::Receive { anywhere, pattern, .. } => {
                let some = self.compare(IntCC::NotEqual, length, Known::Constant(0));
                self.skip_unless(some, no);
                self.allowed(edge, at, no)?;
                let wanted = self.wanted(pattern, at)?;
                self.find(channel, &wanted, *anywhere, at, no);
                Ok(())
            }
            _ => {
                if channel.place.capacity > 0 {
                    let most = Known::Constant(channel.place.capacity as i64);
                    let room = self.compare(IntCC::SignedLessThan, length, most);
                    self.skip_unless(room, no);
                }
                self.allowed(edge, at, no)
            }
        }
    }

    /// Jumps there. What is generated after this is never reached.
    fn go(&mut self, to: Block) {
        self.skip_unless(Known::Constant(0), to);
    }

    /// Calls the function of a process number; what it cannot tell is for the interpreter.
    fn ask(&mut self, able: FuncRef, state: cranelift_codegen::ir::Value, asked: Known) -> Known {
        let asked = self.value(asked);
        let asked = self.builder.ins().uextend(types::I64, asked);
        let timeout = self.value(self.timeout);
        let call = self.builder.ins().call(able, &[state, asked, timeout]);
        let result = self.builder.inst_results(call)[0];
        let unclear = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, result, 0);
        self.fault_if(Known::Value(unclear));
        Known::Value(self.builder.ins().ireduce(types::I32, result))
    }

    /// Whether a process that is named could move. Nobody asks about himself.
    pub(crate) fn enabled(&mut self, pid: &Expr, at: At) -> Generated<Known> {
        if self.able.is_empty() {
            return Err(NotCompiled("a property that asks enabled() is interpreted".to_owned()));
        }
        let pid = self.expression(pid, at)?;
        if self.offered.is_some() {
            // In the middle of a rendezvous the channel holds a message.
            self.fault();
            return Ok(Known::Constant(0));
        }
        let own = (!self.outside).then(|| self.network.instances[at.instance].pid);
        self.of_process(pid, at, &mut |generator, other| {
            let pid = generator.network.instances[other.instance].pid;
            let exists = generator.exists(other);
            generator.if_so(exists, &mut |generator| {
                if own == Some(pid) {
                    generator.fault();
                    return Ok(Known::Constant(0));
                }
                let most = Known::Constant(MOST_ASKED);
                let too_often = generator.compare(IntCC::SignedGreaterThanOrEqual, generator.asked, most);
                generator.fault_if(too_often);
                let asked = match generator.asked {
                    Known::Constant(asked) => Known::Constant(asked + 1),
                    Known::Value(asked) => Known::Value(generator.builder.ins().iadd_imm_s(asked, 1)),
                };
                Ok(generator.ask(generator.able[usize::from(pid)], at.state, asked))
            })
        })
    }

    /// Generates the function that tells whether a process of higher priority than one with this
    /// number could move. Parameters and result as above; nobody has asked yet.
    pub(crate) fn outranked_function(mut self, pid: Pid, target: TargetFrontendConfig) -> Generated<()> {
        let [yes, no] = [(); 2].map(|()| self.builder.create_block());
        for own in self.network.numbered(pid).collect::<Vec<_>>() {
            let next = self.builder.create_block();
            let at = At { state: self.state, instance: own };
            if !self.network.is_alone(own) {
                let exists = self.exists(at);
                self.skip_unless(exists, next);
            }
            let priority = self.priority_of(at);
            for instance in self.network.instances.ids().filter(|other| self.network.instances[*other].pid != pid) {
                self.outranks(At { instance, ..at }, priority, yes)?;
            }
            self.builder.ins().jump(no, &[]);
            self.builder.switch_to_block(next);
        }
        self.builder.ins().jump(no, &[]);
        self.return_either(yes, no);
        self.finish_function(-1, target);
        Ok(())
    }

    /// Leaves to `yes` if a process exists, has a higher priority and could move.
    fn outranks(&mut self, other: At, priority: Known, yes: Block) -> Generated<()> {
        let no = self.builder.create_block();
        let exists = self.exists(other);
        self.skip_unless(exists, no);
        let its = self.priority_of(other);
        let higher = self.compare(IntCC::SignedGreaterThan, its, priority);
        self.skip_unless(higher, no);
        if let Some(condition) = &self.template_of(other.instance).provided {
            let condition = self.expression(condition, other)?;
            self.skip_unless(condition, no);
        }
        let pid = usize::from(self.network.instances[other.instance].pid);
        let able = self.ask(self.able[pid], other.state, Known::Constant(0));
        self.skip_unless(able, no);
        self.builder.ins().jump(yes, &[]);
        self.builder.switch_to_block(no);
        Ok(())
    }
}
