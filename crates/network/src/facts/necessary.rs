//! Necessary enabling sets: what must happen before a transition can that cannot now.
//!
//! A guard is a conjunction: of conditions joined by `&&`, of a channel not being full or empty and a message fitting, of a `provided`
//! clause. If one part is false, nothing else can help before that part is made true: the transitions that may do so are a necessary
//! enabling set (THEORY 1.5). Parts are tested in a state as far as that is easy.

use ample_model::{Action, BinaryOp, Expr, ExprKind};
use ample_stdx::{BitSet, TypedId};

use crate::Network;
use crate::evaluate::evaluate;
use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::footprint::{Footprint, LengthUse};
use crate::facts::{ChannelId, Facts, InstanceId, Object, ObjectId, Taken, TransitionId};

/// For a transition whose participants are where they must be: who may make it possible, by the part of its guard that is false.
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
            Test::IsTrue(instance, expr) => evaluate(network, state, instance.index(), expr) == Some(0),
        }
    }
}

impl Facts {
    /// Who may make a transition possible whose participants are where they must be.
    pub fn necessary(&self, network: &Network<'_>, id: TransitionId) -> Necessary {
        let transition = &self.transitions[id];
        if transition.touched.asks_everything || transition.touched.waits_for_timeout {
            return Necessary { parts: Vec::new(), otherwise: BitSet::full(self.transitions.len()) };
        }
        let reader = self.reader(network);
        let mut parts = parts(reader, transition.identity.first);
        if let Some(partner) = transition.identity.partner {
            // Its `provided` clause is asked when the sender has moved already: that cannot be tested before.
            guarded(reader, partner, &mut parts);
        }
        let mut rest = transition.touched.guard.clone();
        for (test, _) in &parts {
            if let Some(length) = self.settled_length(test, &transition.touched) {
                rest.remove(length);
            }
        }
        let mut parts: Vec<(Test, BitSet<TransitionId>)> =
            parts.into_iter().map(|(test, objects)| (test, self.who(network, id, &objects))).collect();
        parts.sort_by_key(|(_, who)| who.len());
        Necessary { parts, otherwise: self.who(network, id, &rest) }
    }

    /// The transitions that may make one possible by what they write of these objects.
    fn who(&self, network: &Network<'_>, id: TransitionId, objects: &BitSet<ObjectId>) -> BitSet<TransitionId> {
        let (judge, transition) = (self.judge(network), &self.transitions[id]);
        let mut writers = BitSet::new();
        for object in objects.iter() {
            writers.union_with(&self.relations.writers[object]);
        }
        let helps = |other: &TransitionId| {
            judge.enabling(&self.transitions[*other], transition).any(|object| objects.contains(object))
        };
        writers.iter().filter(helps).collect()
    }

    /// The length of a channel, if a test of it is all that the guard asks of it: where the test holds, it is not to blame.
    fn settled_length(&self, test: &Test, touched: &Footprint) -> Option<ObjectId> {
        let (Test::NotEmpty(channel) | Test::NotFull(channel)) = test else { return None };
        let use_ = touched.lengths.get(channel)?;
        let is_settled = !matches!(use_, LengthUse::Any | LengthUse::TakeMatching);
        is_settled.then(|| self.objects.id(Object::Length(*channel)))
    }
}

/// The parts of the guard of an edge that can be tested, with what they ask.
fn parts(reader: Reader<'_>, taken: Taken) -> Vec<(Test, BitSet<ObjectId>)> {
    let template = reader.template_of(taken.instance);
    let asker = Asker::Process(taken.instance);
    let mut parts = Vec::new();
    let only = |channel: &Expr| match reader.constants().channels(channel, asker).as_slice() {
        [only] if reader.constants().holds_messages(*only) => Some(*only),
        _ => None,
    };
    let length = |channel| BitSet::from_iter([reader.objects.id(Object::Length(channel))]);
    match &template.edges[taken.edge].action {
        Action::Guard(expr) => conjuncts(reader, taken.instance, expr, &mut parts),
        Action::Send { channel, .. } => {
            parts.extend(only(channel).map(|channel| (Test::NotFull(channel), length(channel))));
        }
        Action::Receive { channel, .. } => {
            parts.extend(only(channel).map(|channel| (Test::NotEmpty(channel), length(channel))));
        }
        _ => {}
    }
    guarded(reader, taken, &mut parts);
    if let Some(provided) = &template.provided {
        conjuncts(reader, taken.instance, provided, &mut parts);
    }
    parts
}

/// The guard that an edge has besides its action.
fn guarded(reader: Reader<'_>, taken: Taken, parts: &mut Vec<(Test, BitSet<ObjectId>)>) {
    if let Some(guard) = &reader.template_of(taken.instance).edges[taken.edge].guard {
        conjuncts(reader, taken.instance, guard, parts);
    }
}

fn conjuncts(reader: Reader<'_>, instance: InstanceId, expr: &Expr, parts: &mut Vec<(Test, BitSet<ObjectId>)>) {
    if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
        conjuncts(reader, instance, left, parts);
        conjuncts(reader, instance, right, parts);
        return;
    }
    let asked = reader.of(expr, Asker::Process(instance));
    if !asked.asks_everything {
        parts.push((Test::IsTrue(instance, expr.clone()), asked.reads));
    }
}
