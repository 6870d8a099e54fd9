//! Necessary enabling sets: transitions of which one must occur before a disabled transition is
//! enabled.
//!
//! A guard is a conjunction: of conditions joined by `&&`, of a channel not being full or empty and
//! a message fitting, of a `provided` clause. If one part is false, the guard stays false until
//! that part is made true: the transitions that may do so are a necessary enabling set (theory.md
//! 1.5). Parts are tested in a state as far as that is easy. A guard whose evaluation fails is a
//! move, too: the transitions that may bring that about, by a part that is evaluated before the
//! false one, belong to the set as well.

use ample_model::{Action, BinaryOp, Expr, ExprKind};
use ample_stdx::{BitSet, TypedId};

use crate::Network;
use crate::evaluate::evaluate;
use crate::facts::conjunct::Conjunct;
use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::footprint::{Footprint, LengthUse};
use crate::facts::{ChannelId, Facts, InstanceId, Object, ObjectId, Taken, TransitionId};

/// The necessary enabling sets of a transition whose participants are where they must be.
pub struct Necessary {
    /// The parts of its guard that can be tested; those with the smallest sets first.
    pub parts: Vec<GuardPart>,
    /// The set where none of these is known to be false.
    pub otherwise: BitSet<TransitionId>,
}

/// A part of a guard.
pub struct GuardPart {
    /// How it is tested.
    pub test: Test,
    /// The transitions that may make it true: a necessary enabling set where it is false.
    pub enabling: BitSet<TransitionId>,
}

/// A test of a part of a guard.
#[derive(Clone, Debug)]
pub enum Test {
    /// The channel holds a message.
    NotEmpty(ChannelId),
    /// The channel has room.
    NotFull(ChannelId),
    /// The expression is true, evaluated by this process.
    IsTrue(InstanceId, Expr),
}

impl Test {
    /// Whether it is known to be false in a packed state.
    pub fn is_false(&self, network: &Network<'_>, state: &[u8]) -> bool {
        let messages = |channel: &ChannelId| network.messages_in(state, channel.index());
        match self {
            Test::NotEmpty(channel) => messages(channel).is_some_and(|fill| fill.is_empty()),
            Test::NotFull(channel) => messages(channel).is_some_and(|fill| fill.is_full()),
            Test::IsTrue(instance, expr) => evaluate(network, state, *instance, expr) == Some(0),
        }
    }
}

impl Facts {
    /// The necessary enabling sets of a transition, for states in which its participants are where
    /// they must be.
    pub fn necessary(&self, network: &Network<'_>, id: TransitionId) -> Necessary {
        let transition = &self.transitions()[id];
        if transition.touched.asks_everything || transition.touched.waits_for_timeout {
            return Necessary { parts: Vec::new(), otherwise: BitSet::full(self.transitions().len()) };
        }
        if transition.touched.opaque_may_fail {
            return Necessary {
                parts: Vec::new(),
                otherwise: self.enabling_by(network, id, &transition.touched.guard),
            };
        }
        let reader = self.reader(network);
        let tests = tests(reader, transition.identity.first);
        let mut rest = transition.touched.guard.clone();
        for (test, _) in &tests {
            if let Some(length) = self.settled_length(test, &transition.touched) {
                rest.remove(length);
            }
        }
        let mut parts = Vec::new();
        // The transitions that may make conditions true that are evaluated before; and those that
        // may thereby, or otherwise, make the evaluation of one of them fail.
        let (mut before, mut dangerous) = (BitSet::new(), BitSet::new());
        for conjunct in &transition.touched.conjuncts {
            let test = Test::IsTrue(conjunct.instance, conjunct.expr.clone());
            let enabling = self.making_true(conjunct);
            before.union_with(&enabling);
            parts.push(GuardPart { test, enabling: union(&enabling, &dangerous) });
            if conjunct.risk.is_some() {
                dangerous.union_with(&before);
            }
        }
        // Nothing is assumed about when these are evaluated.
        parts.extend(tests.into_iter().map(|(test, objects)| {
            let enabling = union(&self.enabling_by(network, id, &objects), &dangerous);
            GuardPart { test, enabling }
        }));
        parts.sort_by_key(|part| part.enabling.len());
        Necessary { parts, otherwise: self.enabling_by(network, id, &rest) }
    }

    /// The transitions that may enable one by what they write of these objects.
    fn enabling_by(&self, network: &Network<'_>, id: TransitionId, objects: &BitSet<ObjectId>) -> BitSet<TransitionId> {
        let (judge, transition) = (self.judge(network), &self.transitions()[id]);
        let mut writers = BitSet::new();
        for object in objects.iter() {
            writers.union_with(self.writers(object));
        }
        let helps = |other: &TransitionId| {
            judge.enabling(&self.transitions()[*other], transition).any(|object| objects.contains(object))
        };
        writers.iter().filter(helps).collect()
    }

    /// The transitions that may make a condition true.
    fn making_true(&self, conjunct: &Conjunct) -> BitSet<TransitionId> {
        let mut writers = BitSet::new();
        for object in conjunct.reads.iter() {
            writers.union_with(self.writers(object));
        }
        writers.iter().filter(|other| conjunct.may_become(true, &self.transitions()[*other])).collect()
    }

    /// The length of a channel, if a test of it is all that the guard asks of it: where the test
    /// holds, it is not to blame.
    fn settled_length(&self, test: &Test, touched: &Footprint) -> Option<ObjectId> {
        let (Test::NotEmpty(channel) | Test::NotFull(channel)) = test else { return None };
        let use_ = touched.lengths.get(channel)?;
        let is_settled = !matches!(use_, LengthUse::Any | LengthUse::TakeMatching);
        is_settled.then(|| self.objects().id(Object::Length(*channel)))
    }
}

fn union(some: &BitSet<TransitionId>, others: &BitSet<TransitionId>) -> BitSet<TransitionId> {
    let mut all = some.clone();
    all.union_with(others);
    all
}

/// What can be tested of an edge besides the conditions of its guard, with what the test reads:
/// channels, and the `provided` clause. That of a receiver is asked when the sender has moved
/// already, and cannot be tested before.
fn tests(reader: Reader<'_>, taken: Taken) -> Vec<(Test, BitSet<ObjectId>)> {
    let template = reader.template_of(taken.instance);
    let asker = Asker::Process(taken.instance);
    let mut tests = Vec::new();
    let only = |channel: &Expr| match reader.constants().channels(channel, asker).as_slice() {
        [only] if reader.constants().holds_messages(*only) => Some(*only),
        _ => None,
    };
    let length = |channel| BitSet::from_iter([reader.objects.id(Object::Length(channel))]);
    match &template.edges[taken.edge].action {
        Action::Guard(expr) => {
            split(reader, taken.instance, expr, &mut tests);
            tests.retain(|(_, asked)| {
                asked.iter().any(|object| matches!(reader.objects.get(object), Object::Length(_)))
            });
        }
        Action::Send { channel, .. } => {
            tests.extend(only(channel).map(|channel| (Test::NotFull(channel), length(channel))));
        }
        Action::Receive { channel, .. } => {
            tests.extend(only(channel).map(|channel| (Test::NotEmpty(channel), length(channel))));
        }
        _ => {}
    }
    if let Some(provided) = &template.provided {
        split(reader, taken.instance, provided, &mut tests);
    }
    tests
}

/// Conditions joined by `&&`.
fn split(reader: Reader<'_>, instance: InstanceId, expr: &Expr, tests: &mut Vec<(Test, BitSet<ObjectId>)>) {
    if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
        split(reader, instance, left, tests);
        split(reader, instance, right, tests);
        return;
    }
    let asked = reader.of(expr, Asker::Process(instance));
    if !asked.asks_everything {
        tests.push((Test::IsTrue(instance, expr.clone()), asked.reads));
    }
}
