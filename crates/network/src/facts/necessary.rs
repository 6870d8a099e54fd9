//! Necessary enabling sets: what must happen before a transition can that cannot now.
//!
//! A guard is a conjunction: of conditions joined by `&&`, of a channel not being full or empty and
//! a message fitting, of a `provided` clause. If one part is false, nothing else can help before
//! that part is made true: the transitions that may do so are a necessary enabling set (theory.md
//! 1.5). Parts are tested in a state as far as that is easy. A guard that goes wrong is a move,
//! too: who can bring that about, by what is asked before the part that is false, belongs to the
//! set as well.

use ample_model::{Action, BinaryOp, Expr, ExprKind};
use ample_stdx::{BitSet, TypedId};

use crate::Network;
use crate::evaluate::evaluate;
use crate::facts::conjunct::Conjunct;
use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::footprint::{Footprint, LengthUse};
use crate::facts::{ChannelId, Facts, InstanceId, Object, ObjectId, Taken, TransitionId};

/// For a transition whose participants are where they must be: who may make it possible, by the
/// part of its guard that is false.
pub struct Necessary {
    /// Parts that can be tested, each with those who may make it true; those with the fewest first.
    pub parts: Vec<(Test, BitSet<TransitionId>)>,
    /// Those who may help if none of these is known to be false.
    pub otherwise: BitSet<TransitionId>,
}

/// Part of a guard.
#[derive(Clone, Debug)]
pub enum Test {
    /// The channel holds a message.
    NotEmpty(ChannelId),
    /// The channel has room.
    NotFull(ChannelId),
    /// The expression is true, asked by this process.
    IsTrue(InstanceId, Expr),
}

impl Test {
    /// Whether it is known to be false in a packed state.
    pub fn is_false(&self, network: &Network<'_>, state: &[u8]) -> bool {
        let messages = |channel: &ChannelId| network.messages_in(state, channel.index());
        match self {
            Test::NotEmpty(channel) => messages(channel).is_some_and(|(length, _)| length == 0),
            Test::NotFull(channel) => messages(channel).is_some_and(|(length, capacity)| length >= capacity),
            Test::IsTrue(instance, expr) => evaluate(network, state, *instance, expr) == Some(0),
        }
    }
}

impl Facts {
    /// Who may make a transition possible whose participants are where they must be.
    pub fn necessary(&self, network: &Network<'_>, id: TransitionId) -> Necessary {
        let transition = &self.transitions()[id];
        if transition.touched.asks_everything || transition.touched.waits_for_timeout {
            return Necessary { parts: Vec::new(), otherwise: BitSet::full(self.transitions().len()) };
        }
        if transition.touched.is_risky {
            return Necessary { parts: Vec::new(), otherwise: self.who(network, id, &transition.touched.guard) };
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
        // Who may make conditions true that are asked before; and who may thereby, or otherwise,
        // make one of them go wrong.
        let (mut before, mut dangerous) = (BitSet::new(), BitSet::new());
        for conjunct in &transition.touched.conjuncts {
            let test = Test::IsTrue(conjunct.instance, conjunct.expr.clone());
            let helpers = self.who_makes_true(conjunct);
            before.union_with(&helpers);
            parts.push((test, union(&helpers, &dangerous)));
            if conjunct.risk.is_some() {
                dangerous.union_with(&before);
            }
        }
        // When these are asked is left open.
        parts.extend(
            tests.into_iter().map(|(test, objects)| (test, union(&self.who(network, id, &objects), &dangerous))),
        );
        parts.sort_by_key(|(_, who)| who.len());
        Necessary { parts, otherwise: self.who(network, id, &rest) }
    }

    /// The transitions that may make one possible by what they write of these objects.
    fn who(&self, network: &Network<'_>, id: TransitionId, objects: &BitSet<ObjectId>) -> BitSet<TransitionId> {
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
    fn who_makes_true(&self, conjunct: &Conjunct) -> BitSet<TransitionId> {
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

/// What can be tested of an edge besides the conditions of its guard, with what is asked: channels,
/// and the `provided` clause. That of a receiver is asked when the sender has moved already, and
/// cannot be tested before.
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
