//! Statements in a row, of which others may see what is between them: as one indivisible step they
//! would save the states between, if nobody needs to see these.

use ample_model::{Action, EdgeId, LocationId, Template};
use ample_network::facts::{InstanceId, Safety, instance_name};
use ample_source::Span;
use ample_stdx::IndexVec;

use super::hint::{Hint, Subject};

/// Shorter rows are not worth a word.
const FEWEST: usize = 2;

/// The statements by which each location is come to.
type Entries = IndexVec<LocationId, Vec<Span>>;

pub(super) fn hints(subject: &Subject<'_>) -> Vec<Hint> {
    let mut done = Vec::new();
    let mut hints: Vec<(usize, Hint)> = Vec::new();
    for (instance, own) in subject.network.instances.iter_enumerated() {
        if !done.contains(&own.template) {
            done.push(own.template);
            hints.extend(of_instance(subject, instance));
        }
    }
    // The longest first.
    hints.sort_by_key(|(length, _)| usize::MAX - length);
    let mut once: Vec<Hint> = Vec::new();
    for (_, hint) in hints {
        if !once.iter().any(|known| known.span == hint.span) {
            once.push(hint);
        }
    }
    once
}

/// The rows of a process, each with its length.
fn of_instance(subject: &Subject<'_>, instance: InstanceId) -> Vec<(usize, Hint)> {
    let template = subject.network.template(instance);
    // A statement may stand for several edges: one of the first round, and one of the others.
    let mut entries: Entries = IndexVec::from_elem(Vec::new(), template.locations.len());
    for edge in template.edges.iter() {
        if !entries[edge.target].contains(&edge.span) {
            entries[edge.target].push(edge.span);
        }
    }
    let next = |edge: EdgeId| next_in_row(template, &entries, edge);
    let follows: Vec<EdgeId> = template.edges.ids().filter_map(next).collect();
    let row = |first: EdgeId| {
        let mut row = vec![first];
        let span = |edge: EdgeId| template.edges[edge].span;
        while let Some(more) = row.last().and_then(|last| next(*last)) {
            if row.iter().any(|known| span(*known) == span(more)) {
                break;
            }
            row.push(more);
        }
        row
    };
    let rows = template.edges.ids().filter(|edge| !follows.contains(edge)).map(row);
    let is_seen = |edge: &&EdgeId| *subject.facts.safety(instance, template.edges[**edge].source) != Safety::Always;
    let hint = |row: Vec<EdgeId>| {
        // The first may wait; between the others states are saved.
        let seen = row.iter().skip(1).filter(is_seen).count() + 1;
        let first = &template.edges[*row.first()?];
        let process = instance_name(subject.network, instance);
        let text = format!(
            "{} statements of {process} in a row, and others may act between them: if nobody needs to, make them one indivisible step \
             (`atomic`)",
            row.len()
        );
        (seen >= FEWEST).then_some((row.len(), Hint { span: first.span, text }))
    };
    rows.filter_map(hint).collect()
}

/// The statement that follows and never waits, if there is one and it can be come to in this way
/// only.
fn next_in_row(template: &Template, entries: &Entries, edge: EdgeId) -> Option<EdgeId> {
    let edge = &template.edges[edge];
    let target = &template.locations[edge.target];
    let is_free = !edge.keeps_control && target.d_step.is_none() && !target.end && !target.progress && !target.accept;
    let [next] = target.edges[..] else { return None };
    let after = &template.edges[next];
    let never_waits = matches!(after.action, Action::Assign(..) | Action::Print { .. } | Action::PrintName(_));
    let goes_on = after.guard.is_none() && never_waits && !matches!(edge.action, Action::End);
    (is_free && goes_on && entries[edge.target].len() == 1 && target.labels.is_empty()).then_some(next)
}
