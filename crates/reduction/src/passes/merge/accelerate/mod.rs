//! Loop acceleration: a local loop that counts by a constant step to a constant bound is one step
//! to its last round (Pelánek, section 3.3.2).
//!
//! A loop begins at a location that one edge leaves while the counter is within the bound, and the
//! others only when it is not. Its round changes the counter and perhaps other variables of the
//! process, each by a constant or to a constant, and comes back by one way. Then the number of
//! rounds follows from the counter, and what they leave behind follows from that number. The loop
//! becomes one edge, to a copy of its location that only the other edges leave.
//!
//! The counter must not wrap on its way, else the loop may never end; what else is counted may:
//! the sum of all rounds wraps to the same value. Every round is listed in a trace, so a loop with
//! too many rounds stays as it is.

mod closed_form;
mod comparison;
mod counting_loop;

use std::collections::BTreeMap;

use ample_model::{Action, Edge, EdgeId, Location, LocationId, Model, Template, TemplateId};
use ample_stdx::IndexVec;
use ample_transition::{Move, Stretch};

use self::counting_loop::CountingLoop;
use super::local::Locality;
use crate::passes::entry::TemplateOf;

/// What the edges that acceleration has added stand for.
#[derive(Default)]
pub(super) struct Accelerated {
    edges: IndexVec<TemplateId, BTreeMap<EdgeId, Origin>>,
}

/// What an edge stands for that is not in the model as written.
enum Origin {
    /// Another edge.
    Same(EdgeId),
    /// A round of a loop, as often as it can be made.
    Rounds(Vec<EdgeId>),
}

impl Accelerated {
    /// What a move stands for.
    pub(super) fn moves(&self, step: Move, template_of: TemplateOf<'_>) -> Stretch {
        let origin = |process, edge: EdgeId| self.edges.get(template_of(process)?)?.get(&edge);
        let same = |process, edge: EdgeId| match origin(process, edge) {
            Some(Origin::Same(written)) => *written,
            _ => edge,
        };
        if let Some(Origin::Rounds(round)) = origin(step.process, step.edge) {
            let of_round = |edge: &EdgeId| Stretch::Once(Move { edge: *edge, partner: None, ..step });
            return Stretch::WhilePossible(round.iter().map(of_round).collect());
        }
        let partner = step.partner.map(|(process, edge)| (process, same(process, edge)));
        Stretch::Once(Move { edge: same(step.process, step.edge), partner, ..step })
    }

    /// Whether no loop is one step.
    pub(super) fn is_empty(&self) -> bool {
        self.edges.iter().all(BTreeMap::is_empty)
    }

    /// Whether an edge of the model as written begins a round of a loop that is one step.
    pub(super) fn is_loop(&self, template: TemplateId, edge: EdgeId) -> bool {
        let begins = |origin: &Origin| matches!(origin, Origin::Rounds(round) if round.first() == Some(&edge));
        self.edges.get(template).is_some_and(|edges| edges.values().any(begins))
    }
}

/// The model with one step for each loop that can be; `locality` of those templates in which steps
/// are merged at all.
pub(super) fn accelerate<'m>(
    written: &'m Model,
    locality: impl Fn(TemplateId, &'m Template) -> Option<Locality<'m>>,
) -> (Model, Accelerated) {
    let mut model = written.clone();
    let mut accelerated = Accelerated::default();
    for (id, template) in written.templates.iter_enumerated() {
        let mut origins = BTreeMap::new();
        if let Some(locality) = locality(id, template) {
            for counting in CountingLoop::all(&locality) {
                add(&mut model.templates[id], &locality, &counting, &mut origins);
            }
        }
        accelerated.edges.push(origins);
    }
    (model, accelerated)
}

/// Puts a loop into a template as one edge, in the place of the first edge of its round.
fn add(
    template: &mut Template,
    locality: &Locality<'_>,
    counting: &CountingLoop<'_>,
    origins: &mut BTreeMap<EdgeId, Origin>,
) {
    let target = after(template, locality, counting, origins);
    let first = counting.round[0];
    let (action, effects) = (Action::Guard(counting.condition()), counting.effects());
    let whole = Edge { target, action, effects, keeps_control: false, ..template.edges[first].clone() };
    origins.insert(template.edges.next_id(), Origin::Rounds(counting.round.clone()));
    let whole = template.edges.push(whole);
    for edge in &mut template.locations[counting.head].edges {
        if *edge == first {
            *edge = whole;
        }
    }
}

/// Where the process is after the last round: at a copy of the head without the loop, if it can go
/// on from there at once, so that the head is on no cycle; else at the head.
fn after(
    template: &mut Template,
    locality: &Locality<'_>,
    counting: &CountingLoop<'_>,
    origins: &mut BTreeMap<EdgeId, Origin>,
) -> LocationId {
    let after = template.locations.next_id();
    // A remote reference by number of process compares the number of the location alone.
    let is_seen = locality.observed.locations.contains(after);
    if is_seen || !counting.leads_on() || !locality.can_pass(counting.head) {
        return counting.head;
    }
    let mut others = Vec::new();
    for id in &counting.others {
        let copy = Edge { source: after, ..template.edges[*id].clone() };
        origins.insert(template.edges.next_id(), Origin::Same(*id));
        others.push(template.edges.push(copy));
    }
    let copy = Location { edges: others, labels: Vec::new(), ..template.locations[counting.head].clone() };
    template.locations.push(copy)
}
