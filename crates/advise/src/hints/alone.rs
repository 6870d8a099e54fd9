//! Global variables that a single process uses: what is local, passes can forget and step over.

use std::collections::BTreeMap;

use ample_model::SlotId;
use ample_network::facts::{InstanceId, Object, ObjectId, instance_name};
use ample_source::Span;
use ample_stdx::BitSet;

use super::hint::{Hint, Subject};

pub(super) fn hints(subject: &Subject<'_>) -> Vec<Hint> {
    // Of a single process all variables are its own.
    if subject.network.instances.len() < 2 {
        return Vec::new();
    }
    let mut declared: BTreeMap<(u32, u32), Vec<SlotId>> = BTreeMap::new();
    let slots = &subject.network.model.globals.slots;
    for (slot, own) in slots.iter_enumerated() {
        declared.entry((own.span.start, own.span.end)).or_default().push(slot);
    }
    let users = users(subject);
    let seen = seen(subject);
    let hint = |group: &Vec<SlotId>| {
        let objects: Vec<ObjectId> =
            group.iter().map(|slot| subject.facts.objects().id(Object::Global(*slot))).collect();
        let mut all = objects.iter().flat_map(|object| users.get(object).into_iter().flatten());
        let one = *all.next()?;
        let is_alone = all.all(|other| *other == one) && !objects.iter().any(|object| seen.contains(*object));
        let slot = &slots[*group.first()?];
        let is_written = objects.iter().any(|object| is_written(subject, one, *object));
        (is_alone && is_written).then(|| hint_of(subject, one, &slot.name, slot.span))
    };
    declared.values().filter_map(hint).collect()
}

fn hint_of(subject: &Subject<'_>, one: InstanceId, name: &str, span: Span) -> Hint {
    let name = name.split('[').next().unwrap_or(name);
    let process = instance_name(subject.network, one);
    let text = format!(
        "`{name}` is global, and only {process} uses it: declared inside, it can be forgotten when nobody reads it any more, and \
         steps that use it can be merged"
    );
    Hint { span, text }
}

/// Who reads or writes each object.
fn users(subject: &Subject<'_>) -> BTreeMap<ObjectId, Vec<InstanceId>> {
    let mut users: BTreeMap<ObjectId, Vec<InstanceId>> = BTreeMap::new();
    for transition in subject.facts.transitions().iter() {
        let mut touched = transition.reads();
        touched.union_with(&transition.writes());
        for object in touched.iter() {
            let known = users.entry(object).or_default();
            let more: Vec<InstanceId> = transition.involves().iter().filter(|one| !known.contains(one)).collect();
            known.extend(more);
        }
    }
    users
}

fn is_written(subject: &Subject<'_>, by: InstanceId, object: ObjectId) -> bool {
    subject.facts.of_instance(by).iter().any(|id| subject.facts.transitions()[id].writes().contains(object))
}

/// What properties look at: whatever a visible transition writes, in doubt too much.
fn seen(subject: &Subject<'_>) -> BitSet<ObjectId> {
    let mut seen = BitSet::default();
    for visible in subject.facts.visible(subject.network, subject.propositions) {
        visible.iter().for_each(|id| {
            seen.union_with(&subject.facts.transitions()[id].writes());
        });
    }
    seen
}
