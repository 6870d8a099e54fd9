//! Rendezvous: one record for each process that takes the message.

use ample_model::{Action, Edge, EdgeId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};

use crate::NotCompiled;
use crate::expression::{At, Generated, Known};
use crate::generate::{Generator, Header};

/// A message on its way.
pub(crate) struct Offer {
    pub(crate) channel: usize,
    pub(crate) message: Vec<Known>,
}

impl Generator<'_, '_> {
    /// The joint moves of this process, sending, with every other, receiving.
    pub(crate) fn rendezvous(&mut self, id: EdgeId, edge: &Edge, channel: usize) -> Generated<()> {
        let Action::Send { values, .. } = &edge.action else { return Ok(()) };
        let message = self.message(channel, values, self.before())?;
        let offer = Offer { channel, message };
        let sender = self.instance;
        for receiver in (0..self.network.instances.len()).rev().filter(|other| *other != sender) {
            self.receiver(id, edge, receiver, &offer)?;
        }
        Ok(())
    }

    fn receiver(&mut self, id: EdgeId, edge: &Edge, receiver: usize, offer: &Offer) -> Generated<()> {
        let network = self.network;
        let template = &network.model.templates[network.instances[receiver].template];
        let done = self.builder.create_block();
        if let Some(condition) = &template.provided {
            let condition = self.expression(condition, At { state: self.state, instance: receiver })?;
            self.skip_unless(condition, done);
        }
        for (location, place) in template.locations.iter_enumerated() {
            if place.d_step.is_some() {
                continue;
            }
            let receives: Vec<EdgeId> =
                place.edges.iter().copied().filter(|edge| self.may_accept(receiver, *edge)).collect();
            if receives.is_empty() {
                continue;
            }
            let elsewhere = self.builder.create_block();
            let here = self.is_at(receiver, location);
            self.skip_unless(here, elsewhere);
            self.receiver_location((id, edge), receiver, &receives, offer, done)?;
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(elsewhere);
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// Whether an edge is a receive, or a `d_step` that begins with one.
    fn may_accept(&self, receiver: usize, edge: EdgeId) -> bool {
        let template = &self.network.model.templates[self.network.instances[receiver].template];
        let receives = |edge: &EdgeId| matches!(template.edges[*edge].action, Action::Receive { keep: false, .. });
        match &template.edges[edge].action {
            Action::DeterministicStep(entry) => template.locations[*entry].edges.iter().any(receives),
            _ => receives(&edge),
        }
    }

    fn receiver_location(
        &mut self,
        (id, edge): (EdgeId, &Edge),
        receiver: usize,
        receives: &[EdgeId],
        offer: &Offer,
        done: Block,
    ) -> Generated<()> {
        let network = self.network;
        let template = &network.model.templates[network.instances[receiver].template];
        let escaped = self.builder.declare_var(types::I8);
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(escaped, no);
        let mut group = None;
        for receive in receives {
            let taken = &template.edges[*receive];
            if group.is_some() && taken.escape != group {
                let was_taken = self.builder.use_var(escaped);
                let go_on = self.builder.create_block();
                self.builder.ins().brif(was_taken, done, &[], go_on, &[]);
                self.builder.switch_to_block(go_on);
            }
            group = taken.escape;
            let other = self.builder.create_block();
            let target = self.copy();
            self.leave(self.instance, edge, target);
            let at = At { state: target, instance: receiver };
            match &taken.action {
                Action::DeterministicStep(entry) => self.d_step(receiver, *entry, target, Some(offer), other)?,
                _ => self.accept(taken, offer, at, other)?,
            }
            self.leave(receiver, taken, target);
            let control = taken.keeps_control.then_some(receiver);
            self.finish(Header { edge: id, partner: Some((receiver, *receive)), control });
            self.set(self.moved);
            if taken.escape.is_some() {
                self.set(escaped);
            }
            if edge.escape.is_some() {
                self.set(self.escaped);
            }
            self.builder.ins().jump(other, &[]);
            self.builder.switch_to_block(other);
        }
        Ok(())
    }

    /// Takes the message, or leaves to `other` if it does not match.
    pub(crate) fn accept(&mut self, edge: &Edge, offer: &Offer, at: At, other: Block) -> Generated<()> {
        let Action::Receive { channel, pattern, .. } = &edge.action else {
            return Err(NotCompiled("only a receive can accept a message".to_owned()));
        };
        let channel = self.expression(channel, at)?;
        let same = self.compare(IntCC::Equal, channel, Known::Constant(offer.channel as i32 + 1));
        self.skip_unless(same, other);
        for (argument, value) in pattern.iter().zip(&offer.message) {
            if let ample_model::ReceiveArg::Match(wanted) = argument {
                let wanted = self.expression(wanted, at)?;
                let equal = self.compare(IntCC::Equal, *value, wanted);
                self.skip_unless(equal, other);
            }
        }
        if pattern.len() != offer.message.len() {
            self.fault();
        }
        self.store_fields(pattern, &offer.message, at)
    }
}
