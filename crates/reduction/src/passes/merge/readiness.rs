//! Who can see that a process stands ready to receive at a rendezvous.
//!
//! Where a process goes on by a local step, it may come to where it can take a message. For a send
//! that is a transition of its own this makes no difference: it waits. But a send in the middle of
//! an `atomic` sequence ends the transition if nobody is ready, an `else` beside a send is taken
//! then, and what stands before an `unless` is done while nobody is ready for the send behind it.
//! These notice whether the local step was made, so the process must be stored before it.

use std::collections::BTreeSet;

use ample_model::{
    Action, ChannelTypeId, Edge, Expr, ExprKind, InitValue, LocationId, Model, Scope, SlotId, Template, TemplateId,
};
use ample_stdx::{BitSet, IndexVec};

use crate::passes::slots::{Slots, slots_of, writes};

/// The locations of each template where somebody may notice that a process is: those that a receive
/// leaves on a rendezvous channel whose senders notice it.
pub(super) fn noticed(model: &Model) -> IndexVec<TemplateId, BitSet<LocationId>> {
    let channels = Channels { model, assigned: assigned_globals(model) };
    let mut noticed = BTreeSet::new();
    for template in &model.templates {
        let templates = TemplateChannels::of(&channels, template);
        senders_that_notice(template).for_each(|channel| noticed.extend(templates.rendezvous(channel)));
    }
    let in_template = |template: &Template| {
        let templates = TemplateChannels::of(&channels, template);
        let takes = |edge: &Edge| match &edge.action {
            Action::Receive { channel, .. } => !templates.rendezvous(channel).is_disjoint(&noticed),
            _ => false,
        };
        let sources = template.edges.iter().filter(|edge| takes(edge)).map(|edge| edge.source);
        let mut found: BitSet<LocationId> = sources.collect();
        let begins_there = |edge: &&Edge| matches!(edge.action, Action::DeterministicStep(at) if found.contains(at));
        let outside: Vec<LocationId> = template.edges.iter().filter(begins_there).map(|edge| edge.source).collect();
        found.extend(outside);
        found
    };
    if noticed.is_empty() {
        return model.templates.iter().map(|_| BitSet::new()).collect();
    }
    model.templates.iter().map(in_template).collect()
}

/// The channels of those sends that notice whether somebody is ready.
fn senders_that_notice(template: &Template) -> impl Iterator<Item = &Expr> {
    let inside: BitSet<LocationId> =
        template.edges.iter().filter(|edge| edge.keeps_control).map(|edge| edge.target).collect();
    template.edges.iter().filter_map(move |edge| {
        let Action::Send { channel, .. } = &edge.action else { return None };
        let from = &template.locations[edge.source];
        let has_else = from.edges.iter().any(|id| template.edges[*id].action == Action::Else);
        let is_inside = inside.contains(edge.source) || from.d_step.is_some();
        (has_else || is_inside || edge.escape.is_some()).then_some(channel)
    })
}

/// The channels of a model.
struct Channels<'m> {
    model: &'m Model,
    /// The global variables that are assigned: which channel they are is not known.
    assigned: BitSet<SlotId>,
}

/// The same as a template sees them.
struct TemplateChannels<'m> {
    channels: &'m Channels<'m>,
    template: &'m Template,
    /// The local variables that are assigned.
    assigned: Slots,
}

impl<'m> TemplateChannels<'m> {
    fn of(channels: &'m Channels<'m>, template: &'m Template) -> TemplateChannels<'m> {
        TemplateChannels { channels, template, assigned: template.edges.iter().flat_map(writes).collect() }
    }

    /// The rendezvous channels that an expression may be.
    fn rendezvous(&self, channel: &Expr) -> BTreeSet<ChannelTypeId> {
        let all = &self.channels.model.channels;
        let known = self.known(channel).unwrap_or_else(|| all.ids().collect());
        known.into_iter().filter(|id| all[*id].capacity == 0).collect()
    }

    /// The channels that an expression may be, if it is a variable that was declared with them and
    /// is never assigned.
    fn known(&self, channel: &Expr) -> Option<BTreeSet<ChannelTypeId>> {
        let ExprKind::Read(place) = &channel.kind else { return None };
        let (frame, assigned) = match place.scope {
            Scope::Global => (&self.channels.model.globals, &self.channels.assigned),
            Scope::Local => (&self.template.frame, &self.assigned),
        };
        let channel_of = |slot: SlotId| {
            let init = frame.init.iter().find(|init| init.slot == slot)?;
            match init.value {
                InitValue::Channel(id) if !assigned.contains(slot) => Some(id),
                _ => None,
            }
        };
        slots_of(place).map(channel_of).collect()
    }
}

fn assigned_globals(model: &Model) -> BitSet<SlotId> {
    let edges = model.templates.iter().flat_map(|template| template.edges.iter());
    edges.flat_map(Edge::stores).filter(|place| place.scope == Scope::Global).flat_map(slots_of).collect()
}
