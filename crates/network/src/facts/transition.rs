//! Transitions by identity, and what each of them touches until control is free again.

use ample_model::{EdgeId, LocationId};
use ample_stdx::BitSet;

use crate::InstanceId;
use crate::facts::footprint::{Change, Footprint};
use crate::facts::objects::{Object, ObjectId, Objects};

/// Who takes which edge.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taken {
    /// The process.
    pub instance: InstanceId,
    /// The edge.
    pub edge: EdgeId,
}

/// What names a transition: its first move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// Who moves; at a rendezvous the sender.
    pub first: Taken,
    /// At a rendezvous the receiver.
    pub partner: Option<Taken>,
}

impl Identity {
    /// Who takes part in the first move.
    pub fn participants(&self) -> impl Iterator<Item = Taken> + use<> {
        std::iter::once(self.first).chain(self.partner)
    }
}

/// Everything that is known about a transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its first move.
    pub identity: Identity,
    /// Where the participants of the first move must be.
    pub(crate) sources: Vec<ObjectId>,
    /// Every process that may move in it: the participants, and those that a chain may meet.
    pub(crate) involves: BitSet<InstanceId>,
    /// The locations that a process may enter, and those that one may leave.
    pub(crate) enters: BitSet<ObjectId>,
    pub(crate) leaves: BitSet<ObjectId>,
    /// What is touched; control locations are among what is written.
    pub(crate) touched: Footprint,
    /// Whether it begins where a process may still create others.
    pub(crate) before_creation: bool,
    /// Whether a participant may come back to where it was.
    pub(crate) returns: bool,
    /// Whether it is never enabled, because it receives at a rendezvous without a partner.
    pub(crate) is_unpaired_rendezvous: bool,
}

impl Transition {
    /// Whether it is never enabled, because it receives at a rendezvous without a partner.
    pub fn is_unpaired_rendezvous(&self) -> bool {
        self.is_unpaired_rendezvous
    }

    /// Where the participants of the first move must be.
    pub fn sources(&self) -> &[ObjectId] {
        &self.sources
    }

    /// What decides whether it is enabled, apart from the participants' own locations.
    pub fn guard_reads(&self) -> &BitSet<ObjectId> {
        &self.touched.guard
    }

    /// Everything that it may read.
    pub fn reads(&self) -> BitSet<ObjectId> {
        let mut reads = self.touched.reads.clone();
        reads.union_with(&self.touched.guard);
        // A variable that is added to is read as well, although it makes no difference to the
        // order.
        reads.extend(self.touched.changes.iter().filter(|(_, change)| **change == Change::Add).map(|(o, _)| *o));
        reads
    }

    /// Everything that it may write, what belongs to processes that it may create included.
    pub fn writes(&self) -> BitSet<ObjectId> {
        let mut writes = self.touched.writes.clone();
        writes.union_with(&self.touched.created);
        writes
    }

    /// The processes that it may create.
    pub fn creates(&self) -> &BitSet<InstanceId> {
        &self.touched.creates
    }

    /// Whether a participant may come back to where it was.
    pub fn returns(&self) -> bool {
        self.returns
    }

    /// The locations that a process may leave in it, and those that it may enter.
    pub fn moves_of(&self, objects: &Objects, instance: InstanceId) -> (Vec<LocationId>, Vec<LocationId>) {
        let of = |all: &BitSet<ObjectId>| {
            let location = |object| match objects.get(object) {
                Object::At(other, location) if other == instance => Some(location),
                _ => None,
            };
            all.iter().filter_map(location).collect()
        };
        (of(&self.leaves), of(&self.enters))
    }

    /// Every process that may move in it.
    pub fn involves(&self) -> &BitSet<InstanceId> {
        &self.involves
    }

    /// Whether it depends on everything: it asks about priorities, `enabled()`, `_last` or, in
    /// another way than by waiting for it, `timeout`.
    pub fn depends_on_everything(&self) -> bool {
        self.touched.asks_everything
    }

    /// Whether it is enabled only where no other transition is: its guard waits for `timeout`.
    pub fn waits_for_timeout(&self) -> bool {
        self.touched.waits_for_timeout
    }
}
