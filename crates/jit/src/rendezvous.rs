//! Rendezvous: one record for each process that takes the message.

use ample_model::{Action, Edge, EdgeId, EventKind};
use ample_network::InstanceId;
use ample_transition::{Move, Pid, RecordHeader};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};

use crate::begin::{Entry, Offer, Start};
use crate::channel::ChannelAt;
use crate::generate::Generator;
use crate::handshakes::Receiving;
use crate::locations::{accept_asks_locations, asks_locations, effects_ask_locations};
use crate::not_compiled::{Generated, NotCompiled};
use crate::pieces::Part;
use crate::value::{At, Known, flags};
use crate::written::{CHANNEL, FIELDS, LENGTH, NUMBER, SENDER};

/// Who sends a message, in the code of a receive.
#[derive(Copy, Clone)]
enum Sender<'e> {
    /// The process whose code it stands in.
    This(Sending<'e>),
    /// Any; it does its part when it is told that the message was taken. This is the number of its
    /// edge.
    Any(Known),
}

/// An edge that sends.
#[derive(Copy, Clone)]
struct Sending<'e> {
    id: EdgeId,
    edge: &'e Edge,
    /// Whether an edge of its location was taken before it.
    moved: Variable,
}

impl Generator<'_, '_> {
    /// The joint moves of this process, sending, with every other, receiving.
    pub(crate) fn rendezvous(&mut self, id: EdgeId, edge: &Edge, channel: &ChannelAt) -> Generated<()> {
        let Action::Send { values, .. } = &edge.action else { return Ok(()) };
        let (_, message) = self.message(channel, values, self.before())?;
        let offer = Offer { channel: channel.number, message, length: None, sender: Some(self.instance) };
        // The sender has moved: whoever receives sees `timeout` false, even if the sender waited
        // for it.
        let timeout = std::mem::replace(&mut self.timeout, Known::Constant(0));
        match self.offer {
            Some(to_all) => self.offer_to_all(to_all, id, edge, &offer)?,
            None => self.offer_to_each(id, edge, &offer)?,
        }
        self.timeout = timeout;
        Ok(())
    }

    /// A record for every process that takes the message, the youngest first.
    fn offer_to_each(&mut self, id: EdgeId, edge: &Edge, offer: &Offer) -> Generated<()> {
        let sender = self.network.instances[self.instance].pid;
        let is_other = |receiver: &InstanceId| self.network.instances[*receiver].pid != sender;
        let places = |receiver: InstanceId| {
            let places = self.receiving_places(At { state: self.state, instance: receiver }, offer);
            (!places.is_empty()).then_some((receiver, places))
        };
        let receivers: Vec<(InstanceId, Receiving)> =
            self.network.instances.ids().rev().filter(is_other).filter_map(places).collect();
        let highest = self.highest_receiver(edge, offer, &receivers)?;
        // Several who receive are no choice of the sender.
        let moved = self.builder.declare_var(types::I8);
        let before = self.builder.use_var(self.moved);
        self.builder.def_var(moved, before);
        for (receiver, places) in receivers {
            self.receiver(Sending { id, edge, moved }, receiver, places, offer, highest)?;
        }
        Ok(())
    }

    /// The locations at which a process may take what is offered, each with the edges that may.
    fn receiving_places(&self, at: At, offer: &Offer) -> Receiving {
        let starts = &self.code.starts[at.instance];
        let receiving = self.code.handshakes.receiving[at.instance].iter();
        receiving
            .filter(|(location, _)| starts.contains(*location))
            .map(|(location, edges)| {
                let edges = edges.iter().copied();
                (*location, edges.filter(|edge| self.may_accept(at, *edge, offer)).collect::<Vec<_>>())
            })
            .filter(|(_, receives)| !receives.is_empty())
            .collect()
    }

    fn receiver(
        &mut self,
        sending: Sending<'_>,
        receiver: InstanceId,
        places: Receiving,
        offer: &Offer,
        highest: Option<Variable>,
    ) -> Generated<()> {
        let at = At { state: self.state, instance: receiver };
        let done = self.builder.create_block();
        if self.template_of(receiver).provided.is_some() || highest.is_some() {
            let exists = self.exists(at);
            self.skip_unless(exists, done);
            self.skip_unless_provided(at, offer, Some(sending.edge), done)?;
            self.skip_if_lower(at, highest, done);
        }
        let base = self.records;
        let mut most = base;
        for (location, receives) in places {
            let elsewhere = self.builder.create_block();
            let here = self.is_at(at, location);
            self.skip_unless(here, elsewhere);
            self.receiver_location(Sender::This(sending), receiver, &receives, offer, done)?;
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(elsewhere);
            self.one_of(&mut most, base);
        }
        self.records = most;
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// Leaves to `done` if the receiver may not move. The sender has moved, along this edge if that
    /// can be seen.
    pub(crate) fn skip_unless_provided(
        &mut self,
        at: At,
        offer: &Offer,
        sent: Option<&Edge>,
        done: Block,
    ) -> Generated<()> {
        let Some(condition) = &self.template_of(at.instance).provided else { return Ok(()) };
        let at = match sent {
            Some(edge) if asks_locations(condition) => {
                let state = self.target();
                self.start(Start::Sent(edge), state);
                At { state, ..at }
            }
            _ => at,
        };
        let condition = self.in_rendezvous(offer, |generator| generator.expression(condition, at))?;
        self.skip_unless(condition, done);
        Ok(())
    }

    /// Whether an edge is a receive, or a `d_step` that begins with one, that may be from this
    /// channel.
    fn may_accept(&self, at: At, edge: EdgeId, offer: &Offer) -> bool {
        let template = self.template_of(at.instance);
        let receives = |edge: &EdgeId| match &template.edges[*edge].action {
            Action::Receive { keep: false, channel, .. } => match (self.known_channel(channel, at), offer.channel) {
                (Some(known), Known::Constant(offered)) => {
                    known as i64 + 1 == offered || self.network.layout.channels[known].owner.is_some()
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
        sender: Sender<'_>,
        receiver: InstanceId,
        receives: &[EdgeId],
        offer: &Offer,
        done: Block,
    ) -> Generated<()> {
        let template = self.template_of(receiver);
        let [escaped, accepted] = [(); 2].map(|()| self.builder.declare_var(types::I8));
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(escaped, no);
        self.builder.def_var(accepted, no);
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
            let start = match sender {
                Sender::This(sending) => Start::Sent(sending.edge),
                Sender::Any(_) => Start::Copy,
            };
            match &taken.action {
                Action::DeterministicStep(entry) => {
                    let offer = Some(offer);
                    self.d_step(Entry { location: *entry, after, start, offer, moved: None, blocked: other })?;
                }
                _ => self.in_rendezvous(offer, |generator| generator.accept(taken, offer, after, start, other))?,
            }
            self.check_choice(receiver, taken, accepted);
            self.set(accepted);
            self.leave(receiver, taken, after.state);
            self.assign_receiver_effects(sender, taken, after)?;
            if taken.escape.is_some() {
                self.set(escaped);
            }
            match sender {
                Sender::This(sending) => self.sent(sending, (receiver, *receive), after, other)?,
                Sender::Any(number) => self.taken(number, receiver, *receive),
            }
            self.builder.ins().jump(other, &[]);
            self.builder.switch_to_block(other);
        }
        Ok(())
    }

    /// The assignments that are part of a receive. They find the sender where it was.
    fn assign_receiver_effects(&mut self, sender: Sender<'_>, taken: &Edge, after: At) -> Generated<()> {
        let Sender::This(Sending { edge, .. }) = sender else { return self.assign_effects(taken, after) };
        let sees_sender = effects_ask_locations(taken);
        if sees_sender {
            self.place(self.instance, edge.source, after.state);
        }
        self.assign_effects(taken, after)?;
        if sees_sender {
            self.place(self.instance, edge.target, after.state);
        }
        Ok(())
    }

    /// The rest of a joint move, if it is known who sends: the sender's effects, the record, and
    /// what the receiver does next in one go with it.
    fn sent(
        &mut self,
        Sending { id, edge, moved }: Sending<'_>,
        (receiver, receive): (InstanceId, EdgeId),
        after: At,
        other: Block,
    ) -> Generated<()> {
        self.check_choice(self.instance, edge, moved);
        self.assign_effects(edge, At { instance: self.instance, ..after })?;
        self.set(self.moved);
        if edge.escape.is_some() {
            self.set(self.escaped);
        }
        let pids = [self.instance, receiver].map(|instance| self.network.instances[instance].pid);
        let step = Move { process: pids[0], edge: id, partner: Some((pids[1], receive)) };
        let taken = &self.template_of(receiver).edges[receive];
        self.go_on(step, taken, after, other)
    }

    /// The record of a joint move with the sender that has this number.
    fn taken(&mut self, number: Known, receiver: InstanceId, receive: EdgeId) {
        let control = self.template_of(receiver).edges[receive].keeps_control;
        let control = control.then_some(self.network.instances[receiver].pid);
        let header = self.code.joint_header(self.network, receiver, receive, control).to_word();
        // The number of the first move is in the lowest bits, and the table has an entry for each
        // sender.
        let first = self.builder.ins().iconst(types::I64, header as i64);
        let number = self.value(number);
        let number = self.builder.ins().uextend(types::I64, number);
        let word = self.builder.ins().iadd(first, number);
        self.finish_with(word);
    }

    /// Calls what lets every other process take the message, and then does the sender's part in
    /// each record that was written.
    fn offer_to_all(&mut self, to_all: FuncRef, id: EdgeId, edge: &Edge, offer: &Offer) -> Generated<()> {
        let message = self.written_offer(id, offer);
        let first = self.next_record();
        let call = self.builder.ins().call(to_all, &[self.state, first, message]);
        let end = self.builder.inst_results(call)[0];
        let failed = self.builder.ins().icmp_imm_s(IntCC::Equal, end, 0);
        self.fault_if(Known::Value(failed));
        let [next, record] = [(); 2].map(|()| self.builder.create_block());
        let none = self.builder.ins().icmp(IntCC::Equal, end, first);
        self.leave_if(none, next);
        self.check_choice(self.instance, edge, self.moved);
        self.claims(self.instance, offer.channel, EventKind::Send, self.state)?;
        self.builder.append_block_param(record, types::I64);
        self.builder.ins().jump(record, &[first.into()]);
        self.builder.switch_to_block(record);
        let this = self.builder.block_params(record)[0];
        let state = self.builder.ins().iadd_imm_s(this, RecordHeader::SIZE as i64);
        self.place(self.instance, edge.target, state);
        self.assign_effects(edge, At { state, instance: self.instance })?;
        let size = RecordHeader::SIZE as i64 + i64::from(self.network.layout.size);
        let following = self.builder.ins().iadd_imm_s(this, size);
        let is_last = self.builder.ins().icmp(IntCC::Equal, following, end);
        let done = self.builder.create_block();
        self.builder.ins().brif(is_last, done, &[], record, &[following.into()]);
        self.builder.switch_to_block(done);
        self.set(self.moved);
        if edge.escape.is_some() {
            self.set(self.escaped);
        }
        self.set_next_record(end);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
        self.records += self.code.most_received;
        Ok(())
    }

    /// Generates the function with which a process takes what is offered, at some of its locations.
    /// Parameters: the state, where records go, the message. The sender has not moved in the
    /// records. Gives the most records that one call can write.
    pub(crate) fn receive_function(
        mut self,
        receiver: InstanceId,
        parts: &[Part],
        target: TargetFrontendConfig,
    ) -> Generated<usize> {
        let done = self.builder.create_block();
        let Known::Value(message) = self.timeout else {
            return Err(NotCompiled("a receive without a message".to_owned()));
        };
        let mut field = |offset: i32| Known::Value(self.builder.ins().load(types::I32, flags(), message, offset));
        let (channel, length, number) = (field(CHANNEL), Some(field(LENGTH)), field(NUMBER));
        let fields = (FIELDS..).step_by(4).take(self.code.message_fields).map(field).collect();
        // The sender has moved.
        self.timeout = Known::Constant(0);
        let offer = Offer { channel, message: fields, length, sender: None };
        let at = At { state: self.state, instance: receiver };
        let location = self.load(self.state, self.network.layout.frames[receiver].location);
        let location = self.value(location);
        let mut switch = Switch::new();
        let blocks = self.blocks(parts, &mut switch);
        switch.emit(&mut self.builder, location, done);
        self.each_part(blocks, done, target, |generator, part| {
            generator.skip_unless_provided(at, &offer, None, done)?;
            generator.receiver_location(Sender::Any(number), receiver, &part.edges, &offer, done)
        })
    }

    /// Generates what is evaluated while the channel holds the message that is offered.
    pub(crate) fn in_rendezvous<T>(&mut self, offer: &Offer, generate: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.offered.replace(offer.channel);
        let generated = generate(self);
        self.offered = before;
        generated
    }

    /// Takes the message, or leaves to `other` if it does not match. The channel holds the message
    /// until it is taken.
    pub(crate) fn accept(
        &mut self,
        edge: &Edge,
        offer: &Offer,
        after: At,
        start: Start<'_>,
        other: Block,
    ) -> Generated<()> {
        let Action::Receive { pattern, .. } = &edge.action else {
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
        self.matches_offer(edge, offer, look, other)?;
        if let Some(sender) = offer.sender {
            self.claims(sender, offer.channel, EventKind::Send, self.state)?;
        }
        self.claims(after.instance, offer.channel, EventKind::Receive, self.state)?;
        self.start(start, after.state);
        // A pattern of another length is for the interpreter.
        let message = &offer.message[..pattern.len().min(offer.message.len())];
        self.observe(EventKind::Send, offer.channel, message, after.state);
        self.offered = None;
        self.store_fields(pattern, message, after)?;
        self.observe(EventKind::Receive, offer.channel, message, after.state);
        Ok(())
    }
}

impl Generator<'_, '_> {
    /// Leaves to `other` if a receive does not take what is offered.
    pub(crate) fn matches_offer(&mut self, edge: &Edge, offer: &Offer, look: At, other: Block) -> Generated<()> {
        let Action::Receive { channel, pattern, .. } = &edge.action else { return Ok(()) };
        let number = match self.existing_channel(channel, look) {
            Some(channel) => channel.number,
            None => self.expression(channel, look)?,
        };
        self.check_named(number, look);
        let same = self.compare(IntCC::Equal, number, offer.channel);
        self.skip_unless(same, other);
        if let Some(length) = offer.length {
            let differs = self.compare(IntCC::NotEqual, length, Known::Constant(pattern.len() as i64));
            self.fault_if(differs);
        }
        self.allowed(edge, At { state: self.state, ..look }, other)?;
        let wanted = self.wanted(pattern, look)?;
        for (wanted, value) in wanted.iter().zip(&offer.message) {
            if let Some(wanted) = wanted {
                let equal = self.compare(IntCC::Equal, *value, *wanted);
                self.skip_unless(equal, other);
            }
        }
        if offer.length.is_none() && pattern.len() != offer.message.len() {
            self.fault();
        }
        Ok(())
    }
}

/// Generates what offers a message to every process but its sender, the youngest first, by calling
/// these functions.
pub(crate) fn offer_function(builder: &mut FunctionBuilder<'_>, receivers: &[(Pid, FuncRef)]) {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let [state, first, message] = *builder.block_params(entry) else { return };
    let sender = builder.ins().load(types::I32, flags(), message, SENDER);
    let (failed, mut out) = (builder.create_block(), first);
    builder.set_cold_block(failed);
    for (pid, receive) in receivers.iter().rev() {
        let [other, next] = [(); 2].map(|()| builder.create_block());
        builder.append_block_param(next, types::I64);
        let is_sender = builder.ins().icmp_imm_s(IntCC::Equal, sender, i64::from(*pid));
        builder.ins().brif(is_sender, next, &[out.into()], other, &[]);
        builder.switch_to_block(other);
        let call = builder.ins().call(*receive, &[state, out, message]);
        let result = builder.inst_results(call)[0];
        builder.ins().brif(result, next, &[result.into()], failed, &[]);
        builder.switch_to_block(next);
        out = builder.block_params(next)[0];
    }
    builder.ins().return_(&[out]);
    builder.switch_to_block(failed);
    let nothing = builder.ins().iconst(types::I64, 0);
    builder.ins().return_(&[nothing]);
}
