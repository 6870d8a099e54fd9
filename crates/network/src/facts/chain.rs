//! Which transitions there are, and what each of them touches, followed until control is free
//! again.
//!
//! An `atomic` chain is one transition, named by its first move. It reads and writes what any of
//! its steps may, along every path, until it ends or is blocked: each location where it may be
//! blocked is an end, and so the guards there are read (theory.md 1.7). A sender at a rendezvous
//! hands control to a receiver inside `atomic`, so a chain may go on in another process.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{Action, Edge, EdgeId, ExprKind, LocationId, TemplateId};
use ample_stdx::{BitSet, IndexVec};

use crate::InstanceId;
use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::footprint::{Footprint, LengthUse, PoolUse};
use crate::facts::ids::ChannelId;
use crate::facts::objects::{Object, ObjectId};
use crate::facts::transition::{Identity, Taken, Transition};
use crate::reach::leading_to_creation;

/// The footprints of single edges, and which of them may meet at a rendezvous.
pub(crate) struct Edges<'n> {
    reader: Reader<'n>,
    /// The footprint of every edge alone, with its context.
    alone: IndexVec<InstanceId, IndexVec<EdgeId, Footprint>>,
    /// The locations from which each template may still create processes.
    creating: IndexVec<TemplateId, BitSet<LocationId>>,
    /// The receivers that may accept what a send offers.
    partners: IndexVec<InstanceId, IndexVec<EdgeId, Vec<Taken>>>,
}

impl<'n> Edges<'n> {
    pub(crate) fn new(reader: Reader<'n>) -> Edges<'n> {
        let partners = partners(reader);
        let creating = reader.network.model.templates.iter().map(leading_to_creation).collect();
        let mut edges = Edges { reader, alone: IndexVec::new(), creating, partners };
        for instance in reader.all() {
            let template = reader.template_of(instance);
            let own = template.edges.iter().map(|edge| reader.action(instance, edge)).collect();
            edges.alone.push(own);
        }
        let with_context = |instance: InstanceId| {
            let ids = reader.template_of(instance).edges.ids();
            ids.map(|edge| edges.in_context(Taken { instance, edge })).collect()
        };
        let alone = reader.all().map(with_context).collect();
        Edges { alone, ..edges }
    }

    fn edge(&self, taken: Taken) -> &'n Edge {
        &self.reader.template_of(taken.instance).edges[taken.edge]
    }

    fn partners_of(&self, taken: Taken) -> &[Taken] {
        &self.partners[taken.instance][taken.edge]
    }

    /// The footprint of an edge with its context: the `provided` clause, the escapes before it, the
    /// siblings of an `else`.
    fn in_context(&self, taken: Taken) -> Footprint {
        let mut found = self.alone[taken.instance][taken.edge].clone();
        self.add_context(taken, &mut found);
        found
    }

    /// Adds what decides whether an edge is enabled apart from its action. An `else` is enabled
    /// where its siblings are disabled, so the guards of the siblings belong to its own; the same
    /// goes for the guard of an `unless` escape that comes before, and for all edges before it in a
    /// process that must be deterministic: if one of them is enabled, too, this one is an error.
    fn add_context(&self, taken: Taken, found: &mut Footprint) {
        let template = self.reader.template_of(taken.instance);
        let edge = self.edge(taken);
        if let Some(condition) = &template.provided {
            found.add_guard(&self.reader.of(condition, Asker::Process(taken.instance)));
        }
        let is_else = self.reader.is_else(taken.instance, edge);
        for before in template.locations[edge.source].edges.iter().take_while(|before| **before != taken.edge) {
            let escape = template.edges[*before].escape;
            if is_else || template.deterministic || escape.is_some() && escape != edge.escape {
                self.add_unless(Taken { edge: *before, ..taken }, found);
            }
        }
    }

    fn add_unless(&self, before: Taken, found: &mut Footprint) {
        found.add_unless(&self.alone[before.instance][before.edge]);
        // A send at a rendezvous is enabled if a receiver is there.
        for partner in self.partners_of(before) {
            let mut asked = self.accepting(*partner);
            asked.guard.insert(self.source(*partner));
            found.add_unless(&self.reader.offer_half(before.instance, self.edge(before)));
            found.add_unless(&asked);
        }
    }

    /// The footprint of a receiver, with its `provided` clause.
    fn accepting(&self, taken: Taken) -> Footprint {
        let mut found = self.reader.accept_half(taken.instance, self.edge(taken));
        if let Some(condition) = &self.reader.template_of(taken.instance).provided {
            found.add_guard(&self.reader.of(condition, Asker::Process(taken.instance)));
        }
        found
    }

    fn source(&self, taken: Taken) -> ObjectId {
        self.reader.objects.id(Object::At(taken.instance, self.edge(taken).source))
    }

    /// The footprint of a whole rendezvous.
    fn joint(&self, sender: Taken, receiver: Taken) -> Footprint {
        let mut found = self.reader.offer_half(sender.instance, self.edge(sender));
        self.add_context(sender, &mut found);
        let mut accepted = self.reader.accept_half(receiver.instance, self.edge(receiver));
        self.add_context(receiver, &mut accepted);
        found.join(&accepted);
        found
    }

    /// All transitions: each edge alone, then each rendezvous.
    pub(crate) fn identities(&self) -> Vec<Identity> {
        let mut single = Vec::new();
        let mut joint = Vec::new();
        for instance in self.reader.all() {
            let template = self.reader.template_of(instance);
            let resting = resting(self.reader, instance);
            for (edge, what) in template.edges.iter_enumerated() {
                if !resting.contains(what.source) {
                    continue;
                }
                let first = Taken { instance, edge };
                single.push(Identity { first, partner: None });
                let partners = self.partners_of(first).iter();
                joint.extend(partners.map(|partner| Identity { first, partner: Some(*partner) }));
            }
        }
        single.extend(joint);
        single
    }

    /// A transition, followed to its end.
    pub(crate) fn transition(&self, identity: Identity) -> Transition {
        let touched = match identity.partner {
            None => self.alone[identity.first.instance][identity.first.edge].clone(),
            Some(partner) => self.joint(identity.first, partner),
        };
        let tested = touched.lengths.clone();
        let mut chain = Chain {
            edges: self,
            touched,
            places: Vec::new(),
            met: BTreeSet::new(),
            open: Vec::new(),
            seen: BTreeSet::new(),
            later: Vec::new(),
        };
        match identity.partner {
            None => chain.go(identity.first),
            Some(partner) => chain.meet(identity.first, partner),
        }
        chain.follow();
        chain.settle_lengths(&tested);
        chain.finish(identity)
    }
}

/// Whether a process that has control here may be blocked and lose it. Where an edge is always
/// enabled it is not, unless the priority of another process or its own `provided` clause can stop
/// it.
fn may_wait(reader: Reader<'_>, instance: InstanceId, location: LocationId) -> bool {
    let goes_on = |edge: &Edge| match &edge.action {
        _ if edge.guard.is_some() => false,
        Action::Skip
        | Action::Else
        | Action::Assign(..)
        | Action::Assert(_)
        | Action::Print { .. }
        | Action::PrintName(_) => true,
        // The number of a new process is never 0.
        Action::Guard(expr) => match expr.kind {
            ExprKind::Const(value) => value != 0,
            ExprKind::Run(_) => true,
            _ => false,
        },
        _ => false,
    };
    reader.network.model.uses.priorities
        || reader.template_of(instance).provided.is_some()
        || !reader.edges_at(instance, location).any(goes_on)
}

/// The locations where a process can be while others move. Inside `atomic` these are the locations
/// where it may be blocked, or loses control at a rendezvous; none inside `d_step`; nor the
/// location that an option of `if` has for itself, unless there is a jump to it.
fn resting(reader: Reader<'_>, instance: InstanceId) -> BitSet<LocationId> {
    let template = reader.template_of(instance);
    let mut reached = BitSet::new();
    reached.insert(template.entry);
    let mut resting = reached.clone();
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        for edge in reader.edges_at(instance, location) {
            let keeps_control = edge.keeps_control && !matches!(edge.action, Action::Send { .. });
            if !keeps_control || may_wait(reader, instance, edge.target) {
                resting.insert(edge.target);
            }
            if reached.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    let is_inside = |location: &LocationId| template.locations[*location].d_step.is_some();
    let inside: BitSet<LocationId> = template.locations.ids().filter(is_inside).collect();
    resting.subtract(&inside);
    resting
}

/// The receivers that may accept what each send offers.
fn partners(reader: Reader<'_>) -> IndexVec<InstanceId, IndexVec<EdgeId, Vec<Taken>>> {
    let mut receivers = Vec::new();
    for instance in reader.all() {
        let template = reader.template_of(instance);
        let resting = resting(reader, instance);
        for (edge, what) in template.edges.iter_enumerated() {
            let channels = reader.accepts(instance, what);
            if resting.contains(what.source) && !channels.is_empty() {
                receivers.push((Taken { instance, edge }, channels));
            }
        }
    }
    let pid = |instance: InstanceId| reader.network.instances[instance].pid;
    let of_edge = |instance: InstanceId, edge: &Edge| {
        let offered = reader.offers(instance, edge);
        let fits = |(taken, channels): &&(Taken, BitSet<_>)| {
            pid(taken.instance) != pid(instance) && channels.intersects(&offered)
        };
        receivers.iter().filter(fits).map(|(taken, _)| *taken).collect()
    };
    let of_instance =
        |instance: InstanceId| reader.template_of(instance).edges.iter().map(|edge| of_edge(instance, edge)).collect();
    reader.all().map(of_instance).collect()
}

/// A transition that is followed along its atomic steps.
struct Chain<'c, 'n> {
    edges: &'c Edges<'n>,
    touched: Footprint,
    /// Where each process may be when it is over.
    places: Vec<(InstanceId, LocationId)>,
    /// The locations that receivers inside the chain are found at.
    met: BTreeSet<(InstanceId, LocationId)>,
    /// The locations where a process has control and that are still to be followed, and all where
    /// one had it.
    open: Vec<(InstanceId, LocationId)>,
    seen: BTreeSet<(InstanceId, LocationId)>,
    /// What is done to the lengths of channels after the first move, and by whom; `None` at a
    /// rendezvous.
    later: Vec<(ChannelId, LengthUse, Option<Taken>)>,
}

impl Chain<'_, '_> {
    /// A process takes an edge alone.
    fn go(&mut self, taken: Taken) {
        let edge = self.edges.edge(taken);
        match edge.action {
            Action::End => {}
            _ if edge.keeps_control => self.open.push((taken.instance, edge.target)),
            _ => self.places.push((taken.instance, edge.target)),
        }
    }

    /// The sender loses control, the receiver keeps it if it is inside `atomic`.
    fn meet(&mut self, sender: Taken, receiver: Taken) {
        self.places.push((sender.instance, self.edges.edge(sender).target));
        self.go(receiver);
    }

    /// Follows everything that may come after the first move.
    fn follow(&mut self) {
        while let Some((instance, location)) = self.open.pop() {
            if !self.seen.insert((instance, location)) {
                continue;
            }
            if may_wait(self.edges.reader, instance, location) {
                self.places.push((instance, location));
            }
            for edge in &self.edges.reader.template_of(instance).locations[location].edges {
                self.later(Taken { instance, edge: *edge });
            }
        }
    }

    fn later(&mut self, taken: Taken) {
        let alone = &self.edges.alone[taken.instance][taken.edge];
        self.touched.add_later(alone);
        // Where several channels may be meant, nothing is sure of any.
        let sure = Some(taken).filter(|_| alone.lengths.len() == 1);
        self.later.extend(alone.lengths.iter().map(|(channel, use_)| (*channel, *use_, sure)));
        self.go(taken);
        for partner in self.edges.partners_of(taken) {
            let joint = self.edges.joint(taken, *partner);
            self.later.extend(joint.lengths.iter().map(|(channel, use_)| (*channel, *use_, None)));
            self.touched.add_later(&joint);
            self.touched.reads.insert(self.edges.source(*partner));
            self.met.insert((partner.instance, self.edges.edge(*partner).source));
            self.meet(taken, *partner);
        }
    }

    /// If the first move asks for room in a channel and at most one message is sent to it later on,
    /// then the send never has to wait: it is as if the first move sent. The same goes for a
    /// message that the first move has seen and a receive.
    fn settle_lengths(&mut self, tested: &BTreeMap<ChannelId, LengthUse>) {
        for (channel, test) in tested {
            let wanted = match test {
                LengthUse::NeedsRoom => LengthUse::Put,
                LengthUse::NeedsMessage => LengthUse::Take,
                _ => continue,
            };
            let mut uses = self.later.iter().filter(|(other, ..)| other == channel).peekable();
            if uses.peek().is_some()
                && uses.all(|(_, use_, by)| *use_ == wanted && by.is_some_and(|by| self.is_last(by, *channel)))
            {
                self.touched.lengths.insert(*channel, wanted);
            }
        }
    }

    /// Whether nothing is done to a channel after this edge of the chain.
    fn is_last(&self, taken: Taken, channel: ChannelId) -> bool {
        let mut reached = BTreeSet::new();
        let mut open = vec![(taken.instance, self.edges.edge(taken).target)];
        while let Some((instance, location)) = open.pop() {
            if !self.seen.contains(&(instance, location)) || !reached.insert((instance, location)) {
                continue;
            }
            for edge in &self.edges.reader.template_of(instance).locations[location].edges {
                let next = Taken { instance, edge: *edge };
                let uses = self.later.iter().any(|(other, _, by)| *other == channel && *by == Some(next));
                if uses || !self.edges.partners_of(next).is_empty() {
                    return false;
                }
                open.push((instance, self.edges.edge(next).target));
            }
        }
        true
    }

    fn finish(mut self, identity: Identity) -> Transition {
        let objects = self.edges.reader.objects;
        let first: Vec<(InstanceId, LocationId)> =
            identity.participants().map(|taken| (taken.instance, self.edges.edge(taken).source)).collect();
        let mut involves: BitSet<InstanceId> = first.iter().chain(&self.met).map(|(instance, _)| *instance).collect();
        involves.extend(self.places.iter().map(|(instance, _)| *instance));
        let at = |(instance, location): &(InstanceId, LocationId)| objects.id(Object::At(*instance, *location));
        let mut enters: BitSet<ObjectId> = self.places.iter().filter(|place| !first.contains(place)).map(at).collect();
        let mut leaves: BitSet<ObjectId> = self.met.iter().map(at).collect();
        for (instance, location) in &first {
            // A process that can only come back to where it was does not move.
            let elsewhere = |place: &(InstanceId, LocationId)| place.0 == *instance && place.1 != *location;
            let ends = self.touched.pool == PoolUse::Ends || self.touched.pool == PoolUse::Any;
            if ends || self.places.iter().any(elsewhere) || self.met.iter().any(elsewhere) {
                leaves.insert(at(&(*instance, *location)));
            }
        }
        self.touched.writes.union_with(&enters);
        self.touched.writes.union_with(&leaves);
        for created in self.touched.creates.clone().iter() {
            let entry = objects.id(Object::At(created, self.edges.reader.template_of(created).entry));
            enters.insert(entry);
            self.touched.created.insert(entry);
        }
        if self.edges.reader.network.model.uses.last || self.edges.reader.network.model.uses.priorities {
            self.touched.asks_everything = true;
        }
        let sources = first.iter().map(at).collect();
        let creating = |(instance, location): &(InstanceId, LocationId)| {
            self.edges.creating[self.edges.reader.template(*instance)].contains(*location)
        };
        let before_creation = first.iter().any(creating);
        let returns = self.places.iter().any(|place| first.contains(place));
        let taken = identity.first;
        let is_unpaired_rendezvous =
            identity.partner.is_none() && self.edges.reader.needs_partner(taken.instance, self.edges.edge(taken));
        Transition {
            identity,
            sources,
            involves,
            enters,
            leaves,
            touched: self.touched,
            before_creation,
            returns,
            is_unpaired_rendezvous,
        }
    }
}
