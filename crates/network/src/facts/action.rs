//! The footprint of one edge: of its action alone, and of the two halves of a rendezvous.

use ample_model::{Action, BinaryOp, Edge, EventKind, Expr, ExprKind, LocationId, Place, ReceiveArg, Scalar};
use ample_stdx::BitSet;

use crate::facts::constant::Asker;
use crate::facts::expression::{Reader, variable};
use crate::facts::footprint::{Change, Footprint, LengthUse, PoolUse};
use crate::facts::{ChannelId, InstanceId, Object};

impl<'n> Reader<'n> {
    /// The footprint of an edge that is taken without a partner.
    pub(crate) fn action(self, instance: InstanceId, edge: &Edge) -> Footprint {
        let mut found = self.action_alone(instance, edge);
        self.condition(instance, edge, &mut found);
        self.effects(instance, edge, &mut found);
        found
    }

    /// The assignments that are part of the step. One that reads what was written before it in the
    /// same step depends on what is read there.
    fn effects(self, instance: InstanceId, edge: &Edge, found: &mut Footprint) {
        for effect in &edge.effects {
            self.assign(&effect.place, &effect.value, Asker::Process(instance), found);
        }
    }

    fn action_alone(self, instance: InstanceId, edge: &Edge) -> Footprint {
        let asker = Asker::Process(instance);
        let mut found = Footprint::default();
        match &edge.action {
            Action::Guard(expr) => {
                self.conjuncts(instance, expr, &mut found);
                for used in expr.channel_uses() {
                    used.events.iter().for_each(|event| self.claims(instance, used.channel, *event, &mut found));
                }
            }
            Action::Assign(place, value) => self.assign(place, value, asker, &mut found),
            Action::Send { .. } => self.send(instance, edge, &mut found),
            Action::Receive { .. } => self.receive(instance, edge, &mut found),
            Action::Assert(expr) | Action::PrintName(expr) => self.read(expr, asker, &mut found),
            Action::Print { arguments, .. } => {
                arguments.iter().for_each(|argument| self.read(argument, asker, &mut found));
            }
            Action::SetPriority(..) => found.asks_everything = true,
            Action::DeterministicStep(entry) => self.d_step(instance, *entry, &mut found),
            Action::End => {
                let pool = self.objects.id(Object::PidPool);
                found.guard.insert(pool);
                found.opaque.insert(pool);
                found.writes.insert(pool);
                found.pool = PoolUse::Ends;
                for object in self.objects.belongings(self.network, instance).iter() {
                    found.change(object, Change::Any);
                    if let Object::Length(channel) = self.objects.get(object) {
                        found.use_length(channel, LengthUse::Any);
                    }
                }
            }
            Action::Skip | Action::Else | Action::Event { .. } => {}
        }
        found
    }

    fn assign(self, place: &Place, value: &Expr, asker: Asker, found: &mut Footprint) {
        self.read_indices(place, asker, found);
        let constants = self.constants();
        let slots = constants.slots(place, asker);
        let one = constants.is_one_element(place, asker).then(|| slots.first()).flatten();
        let own = one.map(|slot| self.objects.id(variable(constants.owner(asker, place.scope), *slot)));
        let added = self.added(place, value, asker).map(|added| self.of(added, asker));
        let change = match (own, added, constants.fold(value, asker)) {
            (Some(own), Some(added), _) if !added.reads.contains(own) && !self.may_leave(asker, place) => {
                found.add(&added);
                Change::Add
            }
            (_, _, Some(value)) => Change::Set(self.scalar(asker, place).truncate(value)),
            _ => {
                self.read(value, asker, found);
                Change::Any
            }
        };
        self.store(place, change, asker, found);
    }

    /// Whether a sum may be outside of what a variable holds: in one order of two additions, and
    /// not in the other. Beyond 64 bits it is no error, and the order makes no difference to the
    /// number that is meant.
    fn may_leave(self, asker: Asker, place: &Place) -> bool {
        matches!(self.scalar(asker, place), Scalar::Range { .. })
    }

    /// What is added to a variable or subtracted from it: `x = x + e`, `x = e + x`, `x = x - e`.
    fn added<'e>(self, place: &Place, value: &'e Expr, asker: Asker) -> Option<&'e Expr> {
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = &value.kind else { return None };
        let same = |expr: &Expr| {
            let ExprKind::Read(read) = &expr.kind else { return false };
            let constants = self.constants();
            read.scope == place.scope
                && constants.is_one_element(read, asker)
                && constants.slots(read, asker) == constants.slots(place, asker)
        };
        match op {
            _ if same(left) => Some(right),
            BinaryOp::Add if same(right) => Some(left),
            _ => None,
        }
    }

    fn store(self, place: &Place, change: Change, asker: Asker, found: &mut Footprint) {
        let owner = self.constants().owner(asker, place.scope);
        for slot in self.constants().slots(place, asker) {
            found.change(self.objects.id(variable(owner, slot)), change);
        }
    }

    /// What is read to know which channel is meant. If it is not known beforehand, there may be
    /// none, and the edge may fail.
    fn channel(self, channel: &Expr, asker: Asker) -> Footprint {
        let mut asked = self.of(channel, asker);
        asked.may_fail |= self.constants().fold(channel, asker).is_none();
        asked
    }

    /// A send to a channel that holds messages. On a rendezvous channel it is never enabled alone,
    /// but it may fail, and the message decides about that.
    fn send(self, instance: InstanceId, edge: &Edge, found: &mut Footprint) {
        let Action::Send { channel, sorted, values } = &edge.action else {
            debug_assert!(false, "not a send");
            return;
        };
        let asker = Asker::Process(instance);
        let mut asked = self.channel(channel, asker);
        let mut message = Footprint::default();
        values.iter().for_each(|value| self.read(value, asker, &mut message));
        for channel in self.constants().channels(channel, asker) {
            if !self.constants().holds_messages(channel) {
                asked.add(&message);
                continue;
            }
            let length = self.objects.id(Object::Length(channel));
            asked.reads.insert(length);
            asked.use_length(channel, if *sorted { LengthUse::Any } else { LengthUse::Put });
            found.writes.extend([length, self.objects.id(Object::Tail(channel))]);
            if *sorted {
                // It may come to stand anywhere, before the first message too.
                found.writes.insert(self.objects.id(Object::Head(channel)));
            }
        }
        found.add_guard(&asked);
        found.add(&message);
        self.claims(instance, channel, EventKind::Send, found);
        self.event(instance, channel, EventKind::Send, found);
    }

    /// A receive from a channel that holds messages.
    fn receive(self, instance: InstanceId, edge: &Edge, found: &mut Footprint) {
        let Action::Receive { channel, anywhere, keep, pattern } = &edge.action else {
            debug_assert!(false, "not a receive");
            return;
        };
        let asker = Asker::Process(instance);
        let mut asked = self.matched(channel, pattern, asker);
        let matches = pattern.iter().any(|argument| matches!(argument, ReceiveArg::Match(_)));
        let use_ = match (keep, *anywhere && matches) {
            (false, false) => LengthUse::Take,
            (false, true) => LengthUse::TakeMatching,
            (true, false) => LengthUse::NeedsMessage,
            (true, true) => LengthUse::Any,
        };
        for channel in self.holding(channel, asker) {
            let [length, head] = [Object::Length(channel), Object::Head(channel)].map(|object| self.objects.id(object));
            asked.reads.insert(length);
            asked.use_length(channel, use_);
            found.reads.insert(head);
            if matches {
                asked.reads.insert(head);
            }
            if !keep {
                found.writes.extend([length, head]);
            }
        }
        found.add_guard(&asked);
        self.store_fields(pattern, asker, found);
        self.claims(instance, channel, EventKind::Receive, found);
        if !keep {
            self.event(instance, channel, EventKind::Receive, found);
        }
    }

    /// The channel of a receive, and what the message must be.
    fn matched(self, channel: &Expr, pattern: &[ReceiveArg], asker: Asker) -> Footprint {
        let mut asked = self.channel(channel, asker);
        for argument in pattern {
            if let ReceiveArg::Match(value) = argument {
                self.read(value, asker, &mut asked);
            }
        }
        asked
    }

    fn store_fields(self, pattern: &[ReceiveArg], asker: Asker, found: &mut Footprint) {
        for argument in pattern {
            if let ReceiveArg::Store(place) = argument {
                self.read_indices(place, asker, found);
                self.store(place, Change::Any, asker, found);
            }
        }
    }

    fn holding(self, channel: &Expr, asker: Asker) -> Vec<ChannelId> {
        let mut channels = self.constants().channels(channel, asker);
        channels.retain(|channel| self.constants().holds_messages(*channel));
        channels
    }

    /// The rendezvous channels on which an edge may offer a message.
    pub(crate) fn offers(self, instance: InstanceId, edge: &Edge) -> BitSet<ChannelId> {
        match &edge.action {
            Action::Send { channel, .. } => self.rendezvous(channel, instance),
            _ => BitSet::new(),
        }
    }

    /// The rendezvous channels on which an edge may accept one: a receive, or a `d_step` that
    /// begins with one.
    pub(crate) fn accepts(self, instance: InstanceId, edge: &Edge) -> BitSet<ChannelId> {
        match &edge.action {
            Action::Receive { channel, keep: false, .. } => self.rendezvous(channel, instance),
            Action::DeterministicStep(entry) => {
                let mut channels = BitSet::new();
                for edge in self.edges_at(instance, *entry) {
                    if let Action::Receive { channel, keep: false, .. } = &edge.action {
                        channels.union_with(&self.rendezvous(channel, instance));
                    }
                }
                channels
            }
            _ => BitSet::new(),
        }
    }

    /// Whether an edge never does anything alone: it receives from rendezvous channels only.
    pub(crate) fn needs_partner(self, instance: InstanceId, edge: &Edge) -> bool {
        let Action::Receive { channel, keep: false, .. } = &edge.action else { return false };
        let channels = self.constants().channels(channel, Asker::Process(instance));
        self.constants().fold(channel, Asker::Process(instance)).is_some()
            && !channels.is_empty()
            && channels.iter().all(|channel| !self.constants().holds_messages(*channel))
    }

    fn rendezvous(self, channel: &Expr, instance: InstanceId) -> BitSet<ChannelId> {
        let all = self.constants().channels(channel, Asker::Process(instance));
        all.into_iter().filter(|channel| !self.constants().holds_messages(*channel)).collect()
    }

    /// The sender's half of a rendezvous: the message decides who accepts it.
    pub(crate) fn offer_half(self, instance: InstanceId, edge: &Edge) -> Footprint {
        debug_assert!(matches!(edge.action, Action::Send { .. }), "only a send offers a message");
        let mut found = Footprint::default();
        if let Action::Send { channel, values, .. } = &edge.action {
            let asker = Asker::Process(instance);
            let mut asked = self.channel(channel, asker);
            values.iter().for_each(|value| self.read(value, asker, &mut asked));
            found.add_guard(&asked);
            self.condition(instance, edge, &mut found);
            self.claims(instance, channel, EventKind::Send, &mut found);
            self.event(instance, channel, EventKind::Send, &mut found);
            self.effects(instance, edge, &mut found);
        }
        found
    }

    /// The receiver's half of a rendezvous.
    pub(crate) fn accept_half(self, instance: InstanceId, edge: &Edge) -> Footprint {
        let mut found = Footprint::default();
        match &edge.action {
            Action::Receive { channel, keep: false, pattern, .. } => {
                let asker = Asker::Process(instance);
                found.add_guard(&self.matched(channel, pattern, asker));
                self.condition(instance, edge, &mut found);
                self.store_fields(pattern, asker, &mut found);
                self.claims(instance, channel, EventKind::Receive, &mut found);
                self.event(instance, channel, EventKind::Receive, &mut found);
                self.effects(instance, edge, &mut found);
            }
            Action::DeterministicStep(entry) => {
                for first in self.edges_at(instance, *entry) {
                    let half = self.accept_half(instance, first);
                    found.guard.union_with(&half.guard);
                    found.opaque.union_with(&half.guard);
                    found.opaque_may_fail |= half.guard_may_fail();
                    found.add(&half);
                }
                self.inside(instance, *entry, &mut found);
            }
            _ => {}
        }
        found
    }

    pub(crate) fn edges_at(self, instance: InstanceId, location: LocationId) -> impl Iterator<Item = &'n Edge> {
        let template = self.template_of(instance);
        template.locations[location].edges.iter().map(|edge| &template.edges[*edge])
    }

    /// A `d_step`: its first statement decides whether it is enabled, all else is read and written.
    fn d_step(self, instance: InstanceId, entry: LocationId, found: &mut Footprint) {
        let first: Vec<Footprint> = self.edges_at(instance, entry).map(|edge| self.action(instance, edge)).collect();
        match first.as_slice() {
            [only] => {
                found.join(only);
                found.waits_for_timeout = only.waits_for_timeout;
            }
            several => {
                several.iter().for_each(|one| found.add_way(one));
            }
        }
        self.inside(instance, entry, found);
    }

    /// Everything after the first statement of a `d_step`.
    fn inside(self, instance: InstanceId, entry: LocationId, found: &mut Footprint) {
        let template = self.template_of(instance);
        let inside = template.locations[entry].d_step;
        let mut seen: BitSet<LocationId> = BitSet::new();
        let mut open: Vec<LocationId> = self.edges_at(instance, entry).map(|edge| edge.target).collect();
        while let Some(location) = open.pop() {
            let is_inside = inside.is_some() && template.locations[location].d_step == inside;
            if !is_inside || !seen.insert(location) {
                continue;
            }
            for edge in self.edges_at(instance, location) {
                found.add_later(&self.action(instance, edge));
                open.push(edge.target);
            }
        }
    }

    /// Using a channel that another process claims for itself (`xr`, `xs`) is a fault only while
    /// that process exists.
    fn claims(self, instance: InstanceId, channel: &Expr, event: EventKind, found: &mut Footprint) {
        let channels: BitSet<ChannelId> =
            self.constants().channels(channel, Asker::Process(instance)).into_iter().collect();
        for owner in self.all().filter(|owner| *owner != instance) {
            for claim in &self.template_of(owner).exclusive {
                let claimed = self.constants().channels(&claim.channel, Asker::Process(owner));
                if claim.end.concerns(event) && claimed.iter().any(|channel| channels.contains(*channel)) {
                    self.read(&claim.channel, Asker::Process(owner), found);
                    found.reads.insert(self.objects.id(Object::PidPool));
                    found.pool = PoolUse::Any;
                }
            }
        }
    }

    /// The `trace` assertion sees every event that it names: sends or receives on a channel.
    fn event(self, instance: InstanceId, channel: &Expr, event: EventKind, found: &mut Footprint) {
        let Some(trace) = self.network.model.trace else { return };
        let channels = self.constants().channels(channel, Asker::Process(instance));
        for edge in self.network.model.templates[trace].edges.iter() {
            edge.walk(&mut |expr| self.read(expr, Asker::Outside, found));
            if let Action::Event { kind, channel, .. } = &edge.action {
                let named = self.constants().channels(channel, Asker::Outside);
                if *kind == event && named.iter().any(|channel| channels.contains(channel)) {
                    let trace = self.objects.id(Object::Trace);
                    found.reads.insert(trace);
                    found.writes.insert(trace);
                }
            }
        }
    }

    /// Whether an `else` decides: one of its own, or one at the start of a `d_step`, which may be
    /// about what surrounds it.
    pub(crate) fn is_else(self, instance: InstanceId, edge: &Edge) -> bool {
        match &edge.action {
            Action::Else => true,
            Action::DeterministicStep(entry) => {
                self.edges_at(instance, *entry).any(|first| matches!(first.action, Action::Else))
            }
            _ => false,
        }
    }
}
