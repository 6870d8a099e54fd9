//! Safe locations, where a process may move before all others without anything being lost: the
//! static reduction of Holzmann and Peled.
//!
//! Let T be *all* transitions of a process at its location, the disabled ones included. In a state
//! where one of T is enabled, the enabled ones of T are an ample set with respect to C1 (no
//! transition that depends on T occurs before one of T) if
//!
//! 1. each of T is independent of every transition in which the process has no part (they accord,
//!    and do not both write one variable): then those neither disturb nor disable it; and
//! 2. no disabled transition of T is enabled by others before the process moves: the half that is
//!    easily forgotten (theory.md 1.4).
//!
//! [`Safety::Always`]: no transition of another process may enable one of T. [`Safety::When`]: some
//! may, but only in ways that are ruled out while the conditions hold, and others cannot make the
//! conditions false:
//!
//! - [`Condition::NotEmpty`]: T receives from a channel that nobody else receives from or tests,
//!   else 1 would fail. While it holds a message, others can only append: the first message stays
//!   what it is, and with it which receives of T are enabled.
//! - [`Condition::NotFull`]: likewise for a send, if nobody else sends: there stays room.
//! - [`Condition::Enabled`]: this transition is enabled; by 1 it stays so, and others cannot enable
//!   it again.
//!
//! These are the five kinds of statements of Holzmann and Peled, section 5, with exclusive access
//! found from the network and not from `xr` and `xs`. Whether a transition of T is visible to a
//! property is not asked here.

use ample_model::LocationId;
use ample_stdx::{BitSet, IndexVec};

use crate::facts::footprint::{LengthUse, PoolUse};
use crate::facts::relations::{Conflict, Judge, Relations};
use crate::facts::starts::Starts;
use crate::facts::{ChannelId, InstanceId, Object, Objects, Transition, TransitionId};

/// Whether a location of a process is safe: the process may go first there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// It may not, and why.
    Never(Obstacle),
    /// It may wherever it can move.
    Always,
    /// It may while all conditions hold.
    When(Vec<Condition>),
}

/// What must hold in a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The channel holds a message.
    NotEmpty(ChannelId),
    /// The channel has room.
    NotFull(ChannelId),
    /// The transition is enabled.
    Enabled(TransitionId),
}

/// Why a process may not go first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The transition of the process that is in the way.
    pub transition: TransitionId,
    /// The transition of another process that it depends on; `None` for one that depends on
    /// everything.
    pub other: Option<TransitionId>,
    /// What they have in common.
    pub conflict: Conflict,
}

/// The safety of every location of every process, as long as `go_on` gives no error.
pub(crate) fn of_all<E>(
    test: &SafetyTest<'_>,
    go_on: &dyn Fn() -> Result<(), E>,
) -> Result<IndexVec<InstanceId, IndexVec<LocationId, Safety>>, E> {
    let network = test.judge.network;
    let of_instance = |instance: InstanceId| {
        let at = |location| {
            go_on()?;
            Ok(test.safety(instance, location))
        };
        network.template(instance).locations.ids().map(at).collect::<Result<_, _>>()
    };
    network.instances.ids().map(of_instance).collect()
}

/// Finds out which locations are safe.
pub(crate) struct SafetyTest<'f> {
    pub(crate) judge: &'f Judge<'f>,
    pub(crate) relations: &'f Relations,
    pub(crate) starts: &'f Starts,
}

impl SafetyTest<'_> {
    fn safety(&self, instance: InstanceId, location: LocationId) -> Safety {
        let transitions = self.judge.transitions;
        let mut conditions = Vec::new();
        // From other locations the process cannot move now. A chain of another process that may
        // take it along can.
        let own = self.starts.of_instance(instance);
        for id in self.starts.at(instance, location) {
            if let Some(obstacle) = self.obstacle(*id, own) {
                return Safety::Never(obstacle);
            }
            let transition = &transitions[*id];
            let enabling = |other: &TransitionId| {
                !own.contains(*other)
                    && !self.judge.never_together(&transitions[*other], transition)
                    && self.judge.enables_by(&transitions[*other], transition).is_some()
            };
            if self.relations.enabled_by[*id].iter().any(|other| enabling(&other)) {
                conditions.push(condition(self.judge.objects, *id, transition));
            }
        }
        conditions.sort_unstable();
        conditions.dedup();
        if conditions.is_empty() { Safety::Always } else { Safety::When(conditions) }
    }

    fn obstacle(&self, id: TransitionId, own: &BitSet<TransitionId>) -> Option<Obstacle> {
        let transition = &self.judge.transitions[id];
        if transition.touched.asks_everything || transition.touched.waits_for_timeout {
            return Some(Obstacle { transition: id, other: None, conflict: Conflict::Everything });
        }
        let mut others = self.relations.dependent[id].clone();
        others.subtract(own);
        let other = others.iter().next()?;
        let conflict = self.judge.dependence(id, other)?;
        Some(Obstacle { transition: id, other: Some(other), conflict })
    }
}

/// What rules out that others enable a transition.
fn condition(objects: &Objects, id: TransitionId, transition: &Transition) -> Condition {
    let asked = asked_of_channel(objects, transition).filter(|_| transition.touched.pool != PoolUse::Ends);
    asked.unwrap_or(Condition::Enabled(id))
}

/// If the guard of a transition asks something of the length of one channel only: whether it is
/// that there is a message, or room.
fn asked_of_channel(objects: &Objects, transition: &Transition) -> Option<Condition> {
    let asked = |(channel, _): &(&ChannelId, &LengthUse)| {
        transition.touched.guard.contains(objects.id(Object::Length(**channel)))
    };
    let mut uses = transition.touched.lengths.iter().filter(asked);
    match uses.next().filter(|_| uses.next().is_none()) {
        Some((channel, LengthUse::Take | LengthUse::NeedsMessage)) => Some(Condition::NotEmpty(*channel)),
        Some((channel, LengthUse::Put | LengthUse::NeedsRoom)) => Some(Condition::NotFull(*channel)),
        _ => None,
    }
}
