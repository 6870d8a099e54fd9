//! Relations between transitions: which accord, which may enable or disable another.
//!
//! Everything errs on the side of interference. The exceptions are few, and each has its argument
//! here:
//!
//! - *Additions* to one variable that neither transition reads otherwise, and *stores of the same
//!   constant*. Where integers are exact, a sum beyond 64 bits is a limit of the program: what is
//!   meant is the same number in both orders.
//! - A *send and a receive* on one channel: the send appends, the receive takes what was there
//!   before, and both are enabled, so the order does not matter. Only for sends that append (`!`,
//!   not `!!`), only as the first step (later, whether there is room decides how far an `atomic`
//!   chain comes), and only with each other: `len` and polls see both. They may enable each other
//!   (theory.md 1.7).
//! - Two *ends of processes*: only the youngest can end, so never two of them at once. Each may
//!   enable the next older one.
//! - *Creating and ending*, if the network is known and not guessed: then no process can end before
//!   the last one is created.
//! - *Creating and ending* wherever process numbers make no difference (`numbering`), up to these
//!   numbers. Processes with one number may then exist together, under other numbers.
//! - *Creating a process and the transitions of that process*: while it is not created, none of
//!   these is enabled. A chain that may meet the new process at a rendezvous does depend on whether
//!   it is there.
//! - *Conditions of guards*: a transition that cannot make a condition of another false, and
//!   changes nothing that the other uses otherwise, accords with it; two whose guards contradict
//!   each other are never enabled together. Not for `static`, which is to be what Holzmann and
//!   Peled describe.
//! - *`timeout`*: a transition that waits for it is enabled only where no other is.

use ample_stdx::{BitSet, IndexVec, TypedId};
use std::collections::BTreeMap;

use crate::Network;
use crate::facts::conjunct::Conjunct;
use crate::facts::footprint::{Change, LengthUse, PoolUse};
use crate::facts::{ChannelId, InstanceId, Object, ObjectId, Objects, Transition, TransitionId};

/// Why two transitions do not accord.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// This process may move in both.
    Process(InstanceId),
    /// One of them asks something that every transition may change.
    Everything,
    /// One of them writes this, the other reads or writes it.
    Shared(ObjectId),
}

/// Whether the order of two transitions matters to an object that both touch.
type Matters<'m> = &'m dyn Fn(ObjectId, &Transition, &Transition) -> bool;

/// Compares transitions.
pub(crate) struct Judge<'f> {
    pub(crate) network: &'f Network<'f>,
    pub(crate) objects: &'f Objects,
    pub(crate) transitions: &'f IndexVec<TransitionId, Transition>,
    /// Whether process numbers make no difference.
    pub(crate) is_anonymous: bool,
}

impl Judge<'_> {
    /// Why two transitions may not accord: they may not commute where both are enabled, or one may
    /// disable the other.
    pub(crate) fn conflict(&self, a: TransitionId, b: TransitionId) -> Option<Conflict> {
        let (t, u) = (&self.transitions[a], &self.transitions[b]);
        if a != b && self.contradict(t, u) {
            return None;
        }
        let matters = |object: ObjectId, t: &Transition, u: &Transition| {
            !self.commutes(object, t, u) && !self.is_unnoticed(object, t, u)
        };
        self.conflict_by(t, u, &matters)
    }

    /// The same for transitions whose guards do not contradict each other; `matters` says of a
    /// shared object whether the order of the two matters to it.
    fn conflict_by(&self, t: &Transition, u: &Transition, matters: Matters<'_>) -> Option<Conflict> {
        if let Some(shared) = t.involves.iter().find(|instance| u.involves.contains(*instance)) {
            return Some(Conflict::Process(shared));
        }
        if self.never_together(t, u) {
            return None;
        }
        // Two that wait for `timeout` may be enabled in the same state, and the first may disable
        // the other.
        let asks = |t: &Transition| t.touched.asks_everything || t.touched.waits_for_timeout;
        if asks(t) || asks(u) {
            return Some(Conflict::Everything);
        }
        self.shared(t, u, matters).or_else(|| self.shared(u, t, matters)).map(Conflict::Shared)
    }

    /// Why two transitions depend on each other as Holzmann and Peled say it: also if both write a
    /// variable in ways that commute.
    pub(crate) fn dependence(&self, a: TransitionId, b: TransitionId) -> Option<Conflict> {
        let (t, u) = (&self.transitions[a], &self.transitions[b]);
        let is_variable =
            |object: &ObjectId| matches!(self.objects.get(*object), Object::Global(_) | Object::Local(..));
        let written = || t.touched.writes.iter().filter(is_variable).find(|o| u.touched.writes.contains(*o));
        let together = || (!self.never_together(t, u)).then(written).flatten();
        let matters = |object: ObjectId, t: &Transition, u: &Transition| !self.commutes(object, t, u);
        self.conflict_by(t, u, &matters).or_else(|| together().map(Conflict::Shared))
    }

    /// What one transition writes and another touches, in a way that matters.
    fn shared(&self, t: &Transition, u: &Transition, matters: Matters<'_>) -> Option<ObjectId> {
        let uses = |object: &ObjectId| {
            u.touched.reads.contains(*object) || u.touched.guard.contains(*object) || u.touched.writes.contains(*object)
        };
        let makes = |object: &ObjectId| u.touched.created.contains(*object) && !self.is_of(*object, t);
        let touches = |object: &ObjectId| uses(object) || makes(object);
        let written = t.touched.writes.iter().filter(touches).find(|object| matters(*object, t, u));
        // What both create are two processes, and without numbers it is all one which is which.
        let meets = |object: &ObjectId| uses(object) || !self.is_anonymous && makes(object);
        let created = || t.touched.created.iter().filter(|o| !self.is_of(*o, u)).find(meets);
        written.or_else(created)
    }

    /// Whether an object belongs to a process that must exist for a transition to be enabled: then
    /// no transition creates it at that moment. A process that a chain may only meet on its way
    /// need not exist.
    fn is_of(&self, object: ObjectId, t: &Transition) -> bool {
        let mut participants = t.identity.participants().map(|taken| taken.instance);
        let mut owned = |channel: ChannelId| {
            let owner = self.network.layout.channels[channel.index()].owner;
            participants.any(|instance| Some(self.network.instances[instance].pid) == owner)
        };
        match self.objects.get(object) {
            Object::Local(instance, _) | Object::At(instance, _) => participants.any(|other| other == instance),
            Object::Head(channel) | Object::Tail(channel) | Object::Length(channel) => owned(channel),
            Object::Global(_) | Object::PidPool | Object::Trace => false,
        }
    }

    /// Whether what two transitions do to an object is the same in both orders, and disables
    /// neither.
    fn commutes(&self, object: ObjectId, t: &Transition, u: &Transition) -> bool {
        match self.objects.get(object) {
            Object::Global(_) | Object::Local(..) => {
                let reads = |t: &Transition| t.touched.reads.contains(object) || t.touched.guard.contains(object);
                !reads(t) && !reads(u) && self.same_change(object, t, u)
            }
            Object::Length(channel) => {
                matches!(lengths(channel, t, u), Some((a, b)) if opposite_ends(a, b) || opposite_ends(b, a))
            }
            Object::PidPool => self.is_anonymous || (t.touched.pool, u.touched.pool) == (PoolUse::Ends, PoolUse::Ends),
            Object::At(..) | Object::Head(_) | Object::Tail(_) | Object::Trace => false,
        }
    }

    /// Whether two transitions change a variable in the same way, one that does not depend on its
    /// value.
    fn same_change(&self, object: ObjectId, t: &Transition, u: &Transition) -> bool {
        let changes = (t.touched.changes.get(&object), u.touched.changes.get(&object));
        matches!(changes, (Some(a), Some(b)) if a == b && *a != Change::Any)
    }

    /// Whether neither of two transitions notices what the other does to a variable or to a
    /// location: one that reads it does so only in conditions of its guard, and these stay true.
    fn is_unnoticed(&self, object: ObjectId, t: &Transition, u: &Transition) -> bool {
        let writes = |t: &Transition| t.touched.writes.contains(object);
        let agree = match self.objects.get(object) {
            Object::Global(_) | Object::Local(..) => !writes(t) || !writes(u) || self.same_change(object, t, u),
            Object::At(..) => !writes(t) || !writes(u),
            _ => false,
        };
        agree && self.leaves_alone(object, t, u) && self.leaves_alone(object, u, t)
    }

    /// Whether the first changes an object, if at all, in a way that the second does not notice:
    /// the second reads it only in its guard, and the first cannot make a condition of that false.
    fn leaves_alone(&self, object: ObjectId, t: &Transition, u: &Transition) -> bool {
        let touches = t.touched.writes.contains(object) || t.touched.created.contains(object);
        !touches || !u.touched.reads.contains(object) && !self.may_turn(object, t, u, false)
    }

    /// Whether the first, by what it may do to an object, may give this value to a condition of the
    /// second that reads the object.
    fn may_turn(&self, object: ObjectId, t: &Transition, u: &Transition, value: bool) -> bool {
        let turned = |conjunct: &Conjunct| conjunct.reads.contains(object) && conjunct.may_become(value, t);
        u.touched.opaque.contains(object) || u.touched.conjuncts.iter().any(turned)
    }

    /// Whether the guards of two transitions are never true in the same state, and neither changes
    /// whether the evaluation of the other's guard fails.
    fn contradict(&self, t: &Transition, u: &Transition) -> bool {
        let (mine, others) = (t.touched.reliable(u), u.touched.reliable(t));
        let located = |conjuncts: &[Conjunct], u: &Transition| {
            let elsewhere = |conjunct: &Conjunct| {
                u.sources.iter().any(|source| conjunct.contradicts_location(self.objects, *source))
            };
            conjuncts.iter().any(elsewhere)
        };
        self.elsewhere(t, u)
            || located(mine, u)
            || located(others, t)
            || mine.iter().any(|one| others.iter().any(|other| one.contradicts(self.objects, other)))
    }

    /// Whether two transitions of different processes are never enabled in the same state.
    pub(crate) fn never_together(&self, t: &Transition, u: &Transition) -> bool {
        let waits = |t: &Transition, u: &Transition| {
            t.touched.waits_for_timeout && !u.touched.waits_for_timeout && !u.touched.asks_everything
        };
        // Where the processes are known, no process that can end exists before the creator is done.
        let creates = |t: &Transition, u: &Transition| {
            !self.network.is_guessed && t.before_creation && u.touched.pool == PoolUse::Ends
        };
        waits(t, u) || waits(u, t) || creates(t, u) || creates(u, t) || self.same_number(t, u)
    }

    /// Of several instances with one process number, at most one exists at a time. Not without
    /// numbers: an instance then stands for a process that may get another number.
    fn same_number(&self, t: &Transition, u: &Transition) -> bool {
        if self.is_anonymous {
            return false;
        }
        let pid = |instance: InstanceId| self.network.instances[instance].pid;
        let excludes = |a: InstanceId, b: InstanceId| a != b && pid(a) == pid(b);
        t.identity.participants().any(|a| u.identity.participants().any(|b| excludes(a.instance, b.instance)))
    }

    /// Whether two transitions may be enabled in the same state, as far as control locations and
    /// process numbers tell.
    pub(crate) fn co_enabled(&self, a: TransitionId, b: TransitionId) -> bool {
        let (t, u) = (&self.transitions[a], &self.transitions[b]);
        !self.elsewhere(t, u)
            && !self.same_number(t, u)
            && (a == b || t.involves.intersects(&u.involves) || !self.never_together(t, u))
    }

    /// Whether a process would have to be at two locations for both to be enabled.
    fn elsewhere(&self, t: &Transition, u: &Transition) -> bool {
        t.sources.iter().any(|source| {
            let Object::At(instance, _) = self.objects.get(*source) else { return false };
            u.sources.iter().any(|other| {
                matches!(self.objects.get(*other), Object::At(same, _) if same == instance) && other != source
            })
        })
    }

    /// Whether the first may enable the second.
    pub(crate) fn may_enable(&self, a: TransitionId, b: TransitionId) -> bool {
        let (t, u) = (&self.transitions[a], &self.transitions[b]);
        if self.is_elsewhere_after(t, u) {
            return false;
        }
        u.sources.iter().any(|source| t.enters.contains(*source))
            || u.touched.asks_everything
            || u.touched.waits_for_timeout
            || self.enables_by(t, u).is_some()
    }

    /// An object by whose change the first may enable the second, whose participants are where they
    /// must be.
    pub(crate) fn enables_by(&self, t: &Transition, u: &Transition) -> Option<ObjectId> {
        self.enabling(t, u).next()
    }

    /// All objects by whose change the first may enable the second, whose participants are where
    /// they must be.
    pub(crate) fn enabling<'t>(&'t self, t: &'t Transition, u: &'t Transition) -> impl Iterator<Item = ObjectId> + 't {
        let helps = move |object: &ObjectId| match self.objects.get(*object) {
            Object::Length(channel) => lengths(channel, t, u)
                .is_none_or(|(t, u)| t.adds() && u.wants_messages() || t.removes() && u.wants_room()),
            Object::PidPool => (t.touched.pool, u.touched.pool) != (PoolUse::Creates, PoolUse::Ends),
            _ => self.may_turn(*object, t, u, true),
        };
        self.changed(t, u).filter(helps)
    }

    /// Whether the first may disable the second.
    pub(crate) fn may_disable(&self, a: TransitionId, b: TransitionId) -> bool {
        let (t, u) = (&self.transitions[a], &self.transitions[b]);
        let disables = |object: &ObjectId| match self.objects.get(*object) {
            Object::Length(channel) => lengths(channel, t, u)
                .is_none_or(|(t, u)| t.removes() && u.wants_messages() || t.adds() && u.wants_room()),
            Object::PidPool => (t.touched.pool, u.touched.pool) != (PoolUse::Ends, PoolUse::Ends),
            _ => self.may_turn(*object, t, u, false),
        };
        if !t.involves.intersects(&u.involves) && self.never_together(t, u) {
            return false;
        }
        u.sources.iter().any(|source| t.leaves.contains(*source))
            || u.touched.asks_everything
            || u.touched.waits_for_timeout
            || self.changed(t, u).any(|object| disables(&object))
    }

    /// The objects in the guard of the second that the first may change. What belongs to a process
    /// that is created is not changed but new: that the process comes to its first location is
    /// another matter.
    fn changed<'t>(&'t self, t: &'t Transition, u: &'t Transition) -> impl Iterator<Item = ObjectId> + 't {
        u.touched.guard.iter().filter(|object| {
            t.touched.writes.contains(*object) || t.touched.created.contains(*object) && !self.is_of(*object, u)
        })
    }

    /// Whether a process that takes part in both is, after the first, not where the second needs
    /// it.
    fn is_elsewhere_after(&self, t: &Transition, u: &Transition) -> bool {
        u.sources.iter().any(|wanted| {
            let Object::At(instance, _) = self.objects.get(*wanted) else { return false };
            let moves =
                |source: &ObjectId| matches!(self.objects.get(*source), Object::At(same, _) if same == instance);
            t.sources.iter().any(moves) && !t.sources.contains(wanted) && !t.enters.contains(*wanted)
        })
    }
}

fn lengths(channel: ChannelId, t: &Transition, u: &Transition) -> Option<(LengthUse, LengthUse)> {
    Some((*t.touched.lengths.get(&channel)?, *u.touched.lengths.get(&channel)?))
}

/// Whether one works at the senders' end and the other at the receivers'.
fn opposite_ends(sender: LengthUse, receiver: LengthUse) -> bool {
    use LengthUse::{NeedsMessage, NeedsRoom, Put, Take, TakeMatching};
    matches!(sender, Put | NeedsRoom) && matches!(receiver, Take | TakeMatching | NeedsMessage)
}

/// The relations as tables.
#[derive(Clone, Debug)]
pub(crate) struct Relations {
    pub(crate) conflicts: IndexVec<TransitionId, BitSet<TransitionId>>,
    pub(crate) dependent: IndexVec<TransitionId, BitSet<TransitionId>>,
    pub(crate) enables: IndexVec<TransitionId, BitSet<TransitionId>>,
    pub(crate) enabled_by: IndexVec<TransitionId, BitSet<TransitionId>>,
    pub(crate) disables: IndexVec<TransitionId, BitSet<TransitionId>>,
    /// The transitions that may write each object.
    pub(crate) writers: IndexVec<ObjectId, BitSet<TransitionId>>,
    /// Of a location, the transitions after which the process may be there.
    pub(crate) entering: IndexVec<ObjectId, Vec<TransitionId>>,
}

impl Relations {
    /// Compares all transitions, as long as `go_on` gives no error.
    pub(crate) fn new<E>(judge: &Judge<'_>, go_on: &dyn Fn() -> Result<(), E>) -> Result<Relations, E> {
        let index = Index::new(judge);
        let ids = || judge.transitions.ids();
        let row = |candidates: BitSet<TransitionId>, is_in: &dyn Fn(TransitionId) -> bool| {
            go_on()?;
            Ok(candidates.iter().filter(|other| is_in(*other)).collect::<BitSet<_>>())
        };
        let touching = |t: TransitionId| index.touching(judge, t);
        let deciding = |t: TransitionId| index.deciding(judge, t);
        let conflicts =
            ids().map(|t| row(touching(t), &|u| judge.conflict(t, u).is_some())).collect::<Result<_, _>>()?;
        let dependent =
            ids().map(|t| row(touching(t), &|u| judge.dependence(t, u).is_some())).collect::<Result<_, _>>()?;
        let enables: IndexVec<TransitionId, BitSet<TransitionId>> =
            ids().map(|t| row(deciding(t), &|u| judge.may_enable(t, u))).collect::<Result<_, _>>()?;
        let disables = ids().map(|t| row(deciding(t), &|u| judge.may_disable(t, u))).collect::<Result<_, _>>()?;
        let mut enabled_by = IndexVec::from_elem(BitSet::new(), judge.transitions.len());
        for (t, enabled) in enables.iter_enumerated() {
            enabled.iter().for_each(|u| {
                enabled_by[u].insert(t);
            });
        }
        let mut entering = IndexVec::from_elem(Vec::new(), judge.objects.len());
        for (id, t) in judge.transitions.iter_enumerated() {
            t.enters.iter().for_each(|location| entering[location].push(id));
        }
        Ok(Relations { conflicts, dependent, enables, enabled_by, disables, writers: index.writers, entering })
    }
}

/// The transitions that touch each object, so that only those with one in common are compared.
struct Index {
    readers: IndexVec<ObjectId, BitSet<TransitionId>>,
    writers: IndexVec<ObjectId, BitSet<TransitionId>>,
    /// Those that an object may enable or disable, by their guard or as their own location.
    decided: IndexVec<ObjectId, BitSet<TransitionId>>,
    of_instance: BTreeMap<InstanceId, BitSet<TransitionId>>,
    /// Those that depend on everything, or wait for `timeout`.
    everything: BitSet<TransitionId>,
}

impl Index {
    fn new(judge: &Judge<'_>) -> Index {
        let none = || IndexVec::from_elem(BitSet::new(), judge.objects.len());
        let (mut readers, mut writers, mut decided) = (none(), none(), none());
        let mut of_instance: BTreeMap<InstanceId, BitSet<TransitionId>> = BTreeMap::new();
        let mut everything = BitSet::new();
        for (id, t) in judge.transitions.iter_enumerated() {
            let note = |table: &mut IndexVec<ObjectId, BitSet<TransitionId>>, objects: &BitSet<ObjectId>| {
                objects.iter().for_each(|object| {
                    table[object].insert(id);
                });
            };
            note(&mut readers, &t.touched.reads);
            note(&mut readers, &t.touched.guard);
            note(&mut writers, &t.touched.writes);
            note(&mut writers, &t.touched.created);
            note(&mut decided, &t.touched.guard);
            note(&mut decided, &t.sources.iter().copied().collect());
            t.involves.iter().for_each(|instance| {
                of_instance.entry(instance).or_default().insert(id);
            });
            if t.touched.asks_everything || t.touched.waits_for_timeout {
                everything.insert(id);
            }
        }
        Index { readers, writers, decided, of_instance, everything }
    }

    /// The transitions that touch an object in common with this one.
    fn touching(&self, judge: &Judge<'_>, id: TransitionId) -> BitSet<TransitionId> {
        if self.everything.contains(id) {
            return BitSet::full(judge.transitions.len());
        }
        let t = &judge.transitions[id];
        let mut found = self.everything.clone();
        for object in t.touched.writes.iter().chain(t.touched.created.iter()) {
            found.union_with(&self.readers[object]);
            found.union_with(&self.writers[object]);
        }
        for object in t.touched.reads.iter().chain(t.touched.guard.iter()) {
            found.union_with(&self.writers[object]);
        }
        t.involves.iter().filter_map(|instance| self.of_instance.get(&instance)).for_each(|all| {
            found.union_with(all);
        });
        found
    }

    /// The transitions that this one may enable or disable.
    fn deciding(&self, judge: &Judge<'_>, id: TransitionId) -> BitSet<TransitionId> {
        let t = &judge.transitions[id];
        let mut found = self.everything.clone();
        for object in t.touched.writes.iter().chain(t.touched.created.iter()) {
            found.union_with(&self.decided[object]);
        }
        found
    }
}
