//! Priorities: only processes of the highest priority among those that could move may move.

use ample_model::{Action, Edge, Expr, LocationId, Scalar};
use ample_network::InstanceId;
use ample_transition::Pid;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;

use crate::begin::{Offer, Start};
use crate::generate::Generator;
use crate::handshakes::Receiving;
use crate::not_compiled::Generated;
use crate::value::{At, Known, Memory};

impl Generator<'_, '_> {
    /// The priority of a process that exists.
    pub(crate) fn priority_of(&mut self, at: At) -> Known {
        match self.network.instances[at.instance].priority {
            Some(priority) => Known::Constant(i64::from(priority)),
            None => self.load(at.state, self.network.layout.frames[at.instance].priority),
        }
    }

    /// The priority of the process with this number; 0 if there is none.
    pub(crate) fn priority(&mut self, pid: &Expr, at: At) -> Generated<Known> {
        let pid = self.expression(pid, at)?;
        self.of_process(pid, at, &mut |generator, other| {
            let exists = generator.exists(other);
            generator.if_so(exists, &mut |generator| Ok(generator.priority_of(other)))
        })
    }

    /// Leaves to `done` if a process of higher priority than one with this number could move.
    pub(crate) fn skip_if_outranked(&mut self, pid: Pid, done: Block) {
        let Some(outranked) = self.outranked.get(usize::from(pid)).copied() else { return };
        let nobody = self.builder.ins().iconst(types::I64, 0);
        let timeout = self.value(self.timeout);
        let call = self.builder.ins().call(outranked, &[self.state, nobody, timeout]);
        let result = self.builder.inst_results(call)[0];
        let unclear = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, result, 0);
        self.fault_if(Known::Value(unclear));
        self.leave_if(result, done);
    }

    /// Changes the priority of a process, if there is one with this number.
    pub(crate) fn set_priority(&mut self, target: &Expr, priority: &Expr, before: At, after: At) -> Generated<()> {
        let wanted = self.expression(priority, before)?;
        let pid = self.expression(target, before)?;
        let done = self.builder.create_block();
        for instance in self.network.instances.ids() {
            let other = self.builder.create_block();
            let number = Known::Constant(i64::from(self.network.instances[instance].pid));
            let is_this = self.compare(IntCC::Equal, pid, number);
            self.skip_unless(is_this, other);
            let exists = self.exists(At { instance, ..before });
            self.skip_unless(exists, other);
            for (beyond, bound) in [(IntCC::SignedLessThan, 1), (IntCC::SignedGreaterThan, 255)] {
                let bad = self.compare(beyond, wanted, Known::Constant(bound));
                self.fault_if(bad);
            }
            let place = self.network.layout.frames[instance].priority;
            self.store(Memory { base: after.state, place, scalar: Scalar::Byte }, wanted);
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(other);
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// The highest priority among the processes that could take what is offered, if there are
    /// priorities. The sender has moved.
    pub(crate) fn highest_receiver(
        &mut self,
        edge: &Edge,
        offer: &Offer,
        receivers: &[(InstanceId, Receiving)],
    ) -> Generated<Option<Variable>> {
        // Without a receiver there is no record, and so no room for a state in which to look.
        if !self.network.model.uses.priorities || receivers.is_empty() {
            return Ok(None);
        }
        let highest = self.builder.declare_var(types::I32);
        let none = self.builder.ins().iconst(types::I32, 0);
        self.builder.def_var(highest, none);
        let state = self.target();
        self.start(Start::Sent(edge), state);
        for (receiver, places) in receivers {
            let at = At { state, instance: *receiver };
            let [takes, done] = [(); 2].map(|()| self.builder.create_block());
            let exists = self.exists(at);
            self.skip_unless(exists, done);
            self.skip_unless_provided(at, offer, None, done)?;
            for (location, receives) in places {
                let elsewhere = self.builder.create_block();
                let here = self.is_at(at, *location);
                self.skip_unless(here, elsewhere);
                for id in receives {
                    self.could_accept(&self.template_of(*receiver).edges[*id], offer, at, takes)?;
                }
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(elsewhere);
            }
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(takes);
            let priority = self.priority_of(at);
            let priority = self.value(priority);
            let so_far = self.builder.use_var(highest);
            let higher = self.builder.ins().umax(so_far, priority);
            self.builder.def_var(highest, higher);
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(done);
        }
        Ok(Some(highest))
    }

    /// Leaves to `yes` if an edge could take what is offered.
    fn could_accept(&mut self, edge: &Edge, offer: &Offer, at: At, yes: Block) -> Generated<()> {
        let template = self.template_of(at.instance);
        let receives: Vec<&Edge> = match &edge.action {
            Action::DeterministicStep(entry) => first_edges(template, *entry).collect(),
            _ => vec![edge],
        };
        for receive in receives {
            if !matches!(receive.action, Action::Receive { keep: false, .. }) {
                continue;
            }
            let no = self.builder.create_block();
            self.in_rendezvous(offer, |generator| generator.matches_offer(receive, offer, at, no))?;
            self.builder.ins().jump(yes, &[]);
            self.builder.switch_to_block(no);
        }
        Ok(())
    }

    /// Leaves to `done` if a process of higher priority could take what is offered.
    pub(crate) fn skip_if_lower(&mut self, at: At, highest: Option<Variable>, done: Block) {
        let Some(highest) = highest else { return };
        let own = self.priority_of(at);
        let highest = self.builder.use_var(highest);
        let high_enough = self.compare(IntCC::SignedGreaterThanOrEqual, own, Known::Value(highest));
        self.skip_unless(high_enough, done);
    }
}

/// The edges with which a `d_step` begins.
fn first_edges(template: &ample_model::Template, entry: LocationId) -> impl Iterator<Item = &Edge> {
    template.locations[entry].edges.iter().map(|id| &template.edges[*id])
}
