//! Rendezvous: one record for each process that takes the message.

use ample_model::{Action, Edge, EdgeId, EventKind, Expr, ExprKind, LocationId, ReceiveArg};
use ample_transition::Move;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};

use crate::NotCompiled;
use crate::channel::ChannelAt;
use crate::d_step::Entry;
use crate::expression::{At, Generated, Known};
use crate::generate::Generator;
use crate::step::Start;

/// A message on its way.
pub(crate) struct Offer {
    /// The number of the channel.
    pub(crate) channel: Known,
    pub(crate) message: Vec<Known>,
}

impl Generator<'_, '_> {
    /// The joint moves of this process, sending, with every other, receiving.
    pub(crate) fn rendezvous(&mut self, id: EdgeId, edge: &Edge, channel: &ChannelAt) -> Generated<()> {
        let Action::Send { values, .. } = &edge.action else { return Ok(()) };
        let (_, message) = self.message(channel, values, self.before())?;
        let offer = Offer { channel: channel.number, message };
        let sender = self.network.instances[self.instance].pid;
        // The sender has moved: whoever receives sees `timeout` false, even if the sender waited for it.
        let timeout = std::mem::replace(&mut self.timeout, Known::Constant(0));
        for receiver in (0..self.network.instances.len()).rev() {
            if self.network.instances[receiver].pid != sender {
                self.receiver(id, edge, receiver, &offer)?;
            }
        }
        self.timeout = timeout;
        Ok(())
    }

    fn receiver(&mut self, id: EdgeId, edge: &Edge, receiver: usize, offer: &Offer) -> Generated<()> {
        let template = self.template_of(receiver);
        let at = At { state: self.state, instance: receiver };
        let starts = &self.code.starts[receiver];
        let places = template.locations.iter_enumerated().filter(|(id, _)| starts.contains(*id));
        let places: Vec<(LocationId, Vec<EdgeId>)> = places
            .map(|(location, place)| {
                let edges = place.edges.iter().copied();
                (location, edges.filter(|edge| self.may_accept(at, *edge, offer)).collect::<Vec<_>>())
            })
            .filter(|(_, receives)| !receives.is_empty())
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let done = self.builder.create_block();
        if let Some(condition) = &template.provided {
            if asks_locations(condition) {
                return Err(NotCompiled("a provided clause that asks where processes are is interpreted".to_owned()));
            }
            let exists = self.exists(at);
            self.skip_unless(exists, done);
            let condition = self.expression(condition, at)?;
            self.skip_unless(condition, done);
        }
        let base = self.records;
        let mut most = base;
        for (location, receives) in places {
            let elsewhere = self.builder.create_block();
            let here = self.is_at(at, location);
            self.skip_unless(here, elsewhere);
            self.receiver_location((id, edge), receiver, &receives, offer, done)?;
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(elsewhere);
            self.one_of(&mut most, base);
        }
        self.records = most;
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// Whether an edge is a receive, or a `d_step` that begins with one, that may be from this channel.
    fn may_accept(&self, at: At, edge: EdgeId, offer: &Offer) -> bool {
        let template = self.template_of(at.instance);
        let receives = |edge: &EdgeId| match &template.edges[*edge].action {
            Action::Receive { keep: false, channel, .. } => match (self.known_channel(channel, at), offer.channel) {
                (Some(known), Known::Constant(offered)) => {
                    known as i32 + 1 == offered || self.network.layout.channels[known].owner.is_some()
                }
                _ => true,
            },
            _ => false,
        };
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
        let template = self.template_of(receiver);
        let escaped = self.builder.declare_var(types::I8);
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(escaped, no);
        let mut group = None;
        for receive in receives {
            let taken = &template.edges[*receive];
            if group.is_some() && taken.escape != group {
                let was_taken = self.builder.use_var(escaped);
                self.leave_if(was_taken, done);
            }
            group = taken.escape;
            let other = self.builder.create_block();
            let after = At { state: self.target(), instance: receiver };
            let start = Start::Sent(edge);
            match &taken.action {
                Action::DeterministicStep(entry) => {
                    let offer = Some(offer);
                    self.d_step(Entry { location: *entry, after, start, offer, moved: None, blocked: other })?;
                }
                _ => self.accept(taken, offer, after, start, other)?,
            }
            self.leave(receiver, taken, after.state);
            self.assign_effects(taken, after)?;
            self.assign_effects(edge, At { instance: self.instance, ..after })?;
            self.set(self.moved);
            if taken.escape.is_some() {
                self.set(escaped);
            }
            if edge.escape.is_some() {
                self.set(self.escaped);
            }
            let pids = [self.instance, receiver].map(|instance| self.network.instances[instance].pid);
            let step = Move { process: pids[0], edge: id, partner: Some((pids[1], *receive)) };
            self.go_on(step, taken, after, other)?;
            self.builder.ins().jump(other, &[]);
            self.builder.switch_to_block(other);
        }
        Ok(())
    }

    /// Takes the message, or leaves to `other` if it does not match.
    pub(crate) fn accept(
        &mut self,
        edge: &Edge,
        offer: &Offer,
        after: At,
        start: Start<'_>,
        other: Block,
    ) -> Generated<()> {
        let Action::Receive { channel, pattern, .. } = &edge.action else {
            return Err(NotCompiled("only a receive can accept a message".to_owned()));
        };
        // The sender has moved already: that matters to those who ask where processes are.
        let (look, start) = match start {
            Start::InPlace => (after, start),
            _ if accept_asks_locations(edge) => {
                self.start(start, after.state);
                (after, Start::InPlace)
            }
            _ => (At { state: self.state, ..after }, start),
        };
        let number = match self.existing_channel(channel, look) {
            Some(channel) => channel.number,
            None => self.expression(channel, look)?,
        };
        self.check_named(number, look);
        let same = self.compare(IntCC::Equal, number, offer.channel);
        self.skip_unless(same, other);
        self.allowed(edge, At { state: self.state, ..after }, other)?;
        let wanted = self.wanted(pattern, look)?;
        for (wanted, value) in wanted.iter().zip(&offer.message) {
            if let Some(wanted) = wanted {
                let equal = self.compare(IntCC::Equal, *value, *wanted);
                self.skip_unless(equal, other);
            }
        }
        if pattern.len() != offer.message.len() {
            self.fault();
        }
        self.claims(self.instance, offer.channel, EventKind::Send, self.state)?;
        self.claims(after.instance, offer.channel, EventKind::Receive, self.state)?;
        self.start(start, after.state);
        self.store_fields(pattern, &offer.message, after)
    }
}

fn accept_asks_locations(edge: &Edge) -> bool {
    let Action::Receive { channel, pattern, .. } = &edge.action else { return false };
    asks_locations(channel)
        || pattern.iter().any(|argument| match argument {
            ReceiveArg::Match(wanted) => asks_locations(wanted),
            ReceiveArg::Store(_) | ReceiveArg::Discard => false,
        })
}

/// Whether an expression can see that a process has moved, apart from the values of variables.
pub(crate) fn asks_locations(expr: &Expr) -> bool {
    let mut asks = false;
    expr.walk(&mut |part| {
        asks |= matches!(
            part.kind,
            ExprKind::RemoteAt(_)
                | ExprKind::ProgramCounter(_)
                | ExprKind::LastProcess
                | ExprKind::NonProgress
                | ExprKind::Accepting
                | ExprKind::Enabled(_)
        );
    });
    asks
}
