//! What one edge, or a whole transition, touches, and how.

use std::collections::BTreeMap;

use ample_stdx::BitSet;

use crate::InstanceId;
use crate::facts::conjunct::Conjunct;
use crate::facts::ids::ChannelId;
use crate::facts::objects::ObjectId;

/// How a transition changes a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Adds something that does not depend on the variable. Additions commute, however they wrap;
    /// those to a range, which may leave it, are not among these.
    Add,
    /// Stores this constant.
    Set(i64),
    /// Anything.
    Any,
}

impl Change {
    fn and(self, other: Change) -> Change {
        if self == other { self } else { Change::Any }
    }
}

/// What a transition does to the length of a channel, and what it asks of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum LengthUse {
    /// Appends one message at the end: needs room.
    Put,
    /// Removes one message: needs one.
    Take,
    /// Takes the first message that matches: needs one that does.
    TakeMatching,
    /// Only needs a message to be there (`nempty`, `?<…>`).
    NeedsMessage,
    /// Only needs room (`nfull`).
    NeedsRoom,
    /// Anything: a test that can become false, several uses, or a use after the first step of an
    /// atomic sequence.
    Any,
}

impl LengthUse {
    /// Whether a message more may enable it.
    pub(crate) fn wants_messages(self) -> bool {
        !matches!(self, LengthUse::Put | LengthUse::NeedsRoom)
    }

    /// Whether a message less may enable it.
    pub(crate) fn wants_room(self) -> bool {
        matches!(self, LengthUse::Put | LengthUse::NeedsRoom | LengthUse::Any)
    }

    /// Whether there may be a message more after it.
    pub(crate) fn adds(self) -> bool {
        matches!(self, LengthUse::Put | LengthUse::Any)
    }

    /// Whether there may be a message less after it.
    pub(crate) fn removes(self) -> bool {
        matches!(self, LengthUse::Take | LengthUse::TakeMatching | LengthUse::Any)
    }

    fn and(self, other: LengthUse) -> LengthUse {
        match (self, other) {
            (LengthUse::NeedsMessage, LengthUse::NeedsMessage) | (LengthUse::NeedsRoom, LengthUse::NeedsRoom) => self,
            _ => LengthUse::Any,
        }
    }
}

/// What a transition does to the pool of process numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum PoolUse {
    /// Nothing.
    #[default]
    None,
    /// Creates processes.
    Creates,
    /// Ends a process: it must be the youngest.
    Ends,
    /// Asks how many there are, or several of these.
    Any,
}

impl PoolUse {
    pub(crate) fn and(self, other: PoolUse) -> PoolUse {
        match (self, other) {
            (PoolUse::None, use_) | (use_, PoolUse::None) => use_,
            (PoolUse::Creates, PoolUse::Creates) => PoolUse::Creates,
            _ => PoolUse::Any,
        }
    }
}

/// Everything that an edge or a transition reads and writes, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// What decides whether it is enabled, apart from the own control location.
    pub(crate) guard: BitSet<ObjectId>,
    /// Conditions that must all be true for it to be enabled.
    pub(crate) conjuncts: Vec<Conjunct>,
    /// The part of the guard that decides in other ways than by these conditions.
    pub(crate) opaque: BitSet<ObjectId>,
    /// Whether the evaluation of that part may fail.
    pub(crate) opaque_may_fail: bool,
    /// Whether the evaluation of some expression, in the guard or not, may fail.
    pub(crate) may_fail: bool,
    /// What it reads besides what decides whether it is enabled. A variable that it only adds to is
    /// not among these.
    pub(crate) reads: BitSet<ObjectId>,
    /// What it may write, apart from control locations.
    pub(crate) writes: BitSet<ObjectId>,
    /// What comes into being: the belongings of processes that it may create.
    pub(crate) created: BitSet<ObjectId>,
    /// The processes that it may create.
    pub(crate) creates: BitSet<InstanceId>,
    /// How variables are changed; what is not listed is changed anyhow.
    pub(crate) changes: BTreeMap<ObjectId, Change>,
    /// How the lengths of channels are used; what is not listed is not used.
    pub(crate) lengths: BTreeMap<ChannelId, LengthUse>,
    pub(crate) pool: PoolUse,
    /// It asks something that every transition may change, like `enabled()`.
    pub(crate) asks_everything: bool,
    /// It is enabled only where no other transition is (`timeout`).
    pub(crate) waits_for_timeout: bool,
}

impl Footprint {
    pub(crate) fn use_length(&mut self, channel: ChannelId, use_: LengthUse) {
        self.lengths.entry(channel).and_modify(|known| *known = known.and(use_)).or_insert(use_);
    }

    pub(crate) fn change(&mut self, object: ObjectId, change: Change) {
        self.writes.insert(object);
        self.changes.entry(object).and_modify(|known| *known = known.and(change)).or_insert(change);
    }

    /// Adds something that decides whether it is enabled, not as a condition that must be true.
    pub(crate) fn add_guard(&mut self, asked: &Footprint) {
        self.opaque.union_with(&asked.reads);
        self.opaque_may_fail |= asked.may_fail || asked.guard_may_fail();
        self.add_asked(asked);
    }

    /// Adds a condition that must be true, and what its evaluation reads.
    pub(crate) fn add_conjunct(&mut self, conjunct: Conjunct, asked: &Footprint) {
        self.conjuncts.push(conjunct);
        self.add_asked(asked);
    }

    fn add_asked(&mut self, asked: &Footprint) {
        self.guard.union_with(&asked.reads);
        self.add_done(asked);
        self.waits_for_timeout |= asked.waits_for_timeout;
    }

    /// Adds something else that must be enabled in the same step.
    pub(crate) fn join(&mut self, other: &Footprint) {
        self.guard.union_with(&other.guard);
        self.opaque.union_with(&other.opaque);
        self.opaque_may_fail |= other.opaque_may_fail;
        self.conjuncts.extend_from_slice(&other.conjuncts);
        self.add(other);
    }

    /// Adds one of several edges with which it may begin.
    pub(crate) fn add_way(&mut self, way: &Footprint) {
        self.guard.union_with(&way.guard);
        self.opaque.union_with(&way.guard);
        self.opaque_may_fail |= way.guard_may_fail();
        self.add_later(way);
    }

    /// Adds the guard of another edge of the same location, so that this one is enabled only if
    /// that one is disabled: a message more may then disable it.
    pub(crate) fn add_unless(&mut self, other: &Footprint) {
        self.guard.union_with(&other.guard);
        self.opaque.union_with(&other.guard);
        self.opaque_may_fail |= other.guard_may_fail();
        let asked: Vec<ChannelId> = other.lengths.keys().copied().collect();
        asked.into_iter().for_each(|channel| self.use_length(channel, LengthUse::Any));
        if other.pool != PoolUse::None {
            self.pool = PoolUse::Any;
        }
        self.asks_everything |= other.asks_everything || other.waits_for_timeout;
    }

    /// Adds a later step of the same transition: its guard decides how far the transition goes, so
    /// it is read.
    pub(crate) fn add_later(&mut self, later: &Footprint) {
        let asked: Vec<ChannelId> = later.lengths.keys().copied().collect();
        self.add(later);
        self.reads.union_with(&later.guard);
        asked.into_iter().for_each(|channel| self.use_length(channel, LengthUse::Any));
        self.asks_everything |= later.waits_for_timeout;
    }

    /// Adds everything but the guard.
    pub(crate) fn add(&mut self, other: &Footprint) {
        self.reads.union_with(&other.reads);
        self.add_done(other);
    }

    /// Adds everything but what is read.
    fn add_done(&mut self, other: &Footprint) {
        self.may_fail |= other.may_fail;
        self.writes.union_with(&other.writes);
        self.created.union_with(&other.created);
        self.creates.union_with(&other.creates);
        other.changes.iter().for_each(|(object, change)| self.change(*object, *change));
        other.lengths.iter().for_each(|(channel, use_)| self.use_length(*channel, *use_));
        self.pool = self.pool.and(other.pool);
        self.asks_everything |= other.asks_everything;
    }

    /// Whether the evaluation of the guard may fail.
    pub(crate) fn guard_may_fail(&self) -> bool {
        self.opaque_may_fail || self.conjuncts.iter().any(|conjunct| conjunct.risk.is_some())
    }
}
