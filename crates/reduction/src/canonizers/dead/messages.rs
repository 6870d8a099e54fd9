//! Which fields of the messages in which channels a process may still look at, from each of its
//! locations.

use ample_model::{Action, Edge, Expr, ExprKind, LocationId, Place, ReceiveArg, Scope};
use ample_network::facts::Facts;
use ample_network::{InstanceId, Network};
use ample_stdx::{BitSet, IndexVec, TypedId, typed_id};

use crate::Visible;
use crate::passes::slots::only_slot;

typed_id! {
    /// A field of the messages of one channel.
    pub(super) struct FieldId;
}

/// The fields of all channels, numbered.
pub(super) struct Fields {
    /// The number of the first field of each channel, and of none.
    first: Vec<usize>,
}

impl Fields {
    pub(super) fn of(network: &Network<'_>) -> Fields {
        let mut first = vec![0];
        let mut next = 0;
        for channel in &network.layout.channels {
            next += channel.fields.len();
            first.push(next);
        }
        Fields { first }
    }

    /// A field of a channel.
    pub(super) fn id(&self, channel: usize, field: usize) -> FieldId {
        FieldId::from_index(self.first[channel] + field)
    }

    /// How many fields a channel has.
    fn count(&self, channel: usize) -> usize {
        self.first[channel + 1] - self.first[channel]
    }
}

/// The fields that each process may still look at, from each location.
pub(super) type FieldsAhead = IndexVec<InstanceId, IndexVec<LocationId, BitSet<FieldId>>>;

/// Finds them; `None` if messages are looked at from outside.
pub(super) fn fields_ahead(
    network: &Network<'_>,
    facts: &Facts,
    visible: &Visible<'_>,
    fields: &Fields,
) -> Option<FieldsAhead> {
    let model = network.model;
    let polls = |expr: &Expr| expr.contains(&|kind| matches!(kind, ExprKind::Poll(_)));
    let is_asked = visible.propositions.iter().any(polls);
    let is_condition = model.templates.iter().filter_map(|template| template.provided.as_ref()).any(polls);
    if model.trace.is_some() || is_asked || is_condition {
        return None;
    }
    let looks: IndexVec<InstanceId, Vec<BitSet<FieldId>>> = network
        .instances
        .ids()
        .map(|instance| {
            let looker = Looker { network, facts, fields, instance };
            network.template(instance).edges.iter().map(|edge| looker.looks_at(edge)).collect()
        })
        .collect();
    let mut ahead: FieldsAhead = network
        .instances
        .ids()
        .map(|instance| network.template(instance).locations.iter().map(|_| BitSet::new()).collect())
        .collect();
    while goes_further(network, &looks, &mut ahead) {}
    Some(ahead)
}

/// Takes what lies ahead one round further back; whether that has changed something.
fn goes_further(
    network: &Network<'_>,
    looks: &IndexVec<InstanceId, Vec<BitSet<FieldId>>>,
    ahead: &mut FieldsAhead,
) -> bool {
    let mut has_changed = false;
    for instance in network.instances.ids() {
        let template = network.template(instance);
        for (id, location) in template.locations.iter_enumerated().rev() {
            let mut here = ahead[instance][id].clone();
            for edge_id in &location.edges {
                let edge = &template.edges[*edge_id];
                here.union_with(&looks[instance][edge_id.index()]);
                here.union_with(&ahead[instance][edge.target]);
                if let Action::DeterministicStep(inside) = edge.action {
                    here.union_with(&ahead[instance][inside]);
                }
                edge.walk(&mut |part| {
                    if let ExprKind::Run(run) = &part.kind {
                        let created = network.instances.iter_enumerated().filter(|(_, of)| of.template == run.template);
                        let entry = network.model.templates[run.template].entry;
                        created.for_each(|(of, _)| _ = here.union_with(&ahead[of][entry]));
                    }
                });
            }
            has_changed |= ahead[instance][id].union_with(&here);
        }
    }
    has_changed
}

/// Finds out what the edges of a process look at.
struct Looker<'n> {
    network: &'n Network<'n>,
    facts: &'n Facts,
    fields: &'n Fields,
    instance: InstanceId,
}

impl Looker<'_> {
    fn looks_at(&self, edge: &Edge) -> BitSet<FieldId> {
        let mut found = BitSet::new();
        match &edge.action {
            Action::Send { channel, sorted: true, values } => self.add(channel, 0..values.len(), &mut found),
            Action::Receive { channel, pattern, .. } => {
                let looks = |argument: &ReceiveArg| match argument {
                    ReceiveArg::Match(_) => true,
                    ReceiveArg::Store(place) => !is_overwritten(place, edge, pattern),
                    ReceiveArg::Discard => false,
                };
                let looked_at = pattern.iter().enumerate().filter(|(_, argument)| looks(argument));
                self.add(channel, looked_at.map(|(field, _)| field), &mut found);
            }
            _ => {}
        }
        edge.walk(&mut |part| {
            if let ExprKind::Poll(poll) = &part.kind {
                let is_match = |argument: &ReceiveArg| matches!(argument, ReceiveArg::Match(_));
                let matched = poll.pattern.iter().enumerate().filter(|(_, argument)| is_match(argument));
                self.add(&poll.channel, matched.map(|(field, _)| field), &mut found);
            }
        });
        found
    }

    /// Adds fields of a channel; of every channel, if it is not known which.
    fn add(&self, channel: &Expr, asked: impl Iterator<Item = usize>, found: &mut BitSet<FieldId>) {
        let channels = self.network.layout.channels.len();
        let number = self.facts.constant(self.network, channel, Some(self.instance));
        let known = number.and_then(|number| usize::try_from(number - 1).ok()).filter(|at| *at < channels);
        for field in asked {
            let is_one = |at: &usize| known.is_none_or(|known| known == *at) && field < self.fields.count(*at);
            found.extend((0..channels).filter(is_one).map(|at| self.fields.id(at, field)));
        }
    }
}

/// Whether what is received into a place is overwritten by the same step, and not read before.
fn is_overwritten(place: &Place, edge: &Edge, pattern: &[ReceiveArg]) -> bool {
    let Some(slot) = only_slot(place).filter(|_| place.scope == Scope::Local) else { return false };
    let is_it = |read: &Expr| match &read.kind {
        ExprKind::Read(other) => other.scope == Scope::Local && !is_another(other, slot),
        _ => false,
    };
    let mut is_read = false;
    pattern.iter().for_each(|argument| argument.walk(&mut |part| is_read |= is_it(part)));
    for effect in &edge.effects {
        effect.value.walk(&mut |part| is_read |= is_it(part));
        effect.place.walk(&mut |part| is_read |= is_it(part));
        if effect.place.scope == Scope::Local && only_slot(&effect.place) == Some(slot) {
            return !is_read;
        }
    }
    false
}

/// Whether a place is a variable for certain that is not this one.
fn is_another(place: &Place, slot: ample_model::SlotId) -> bool {
    only_slot(place).is_some_and(|other| other != slot)
}
