//! Weak traces: the same sequences of visible labels, finite and infinite, and the same ones after
//! which the system can go on silently for ever.
//!
//! In a finite system an infinite sequence of visible labels is that of a run exactly if all its
//! beginnings are (König: only finitely many states are reached by each beginning). So the finite
//! sequences decide about the infinite ones, and only the endless silence has to be looked at by
//! itself.

use crate::answer::{Answer, Finding, Limits, Meter, Stopped};
use crate::lts::{Lts, StateId};
use crate::refine::Silent;
use crate::relations::branching_bisim::Branching;
use crate::relations::trace;
use crate::silent::Divergence;
use crate::subsets::{self, Question, Witness};
use crate::union::Union;

/// Pelánek's "weak trace equivalent" and "weak infinite trace equivalent" (2.5), with divergence.
/// Letters do not matter.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Equal, limits)
}

/// Whether each weak trace of the first is one of the second, and each after which the first can be
/// silent for ever is such a one of the second.
pub(crate) fn below(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Included, limits)
}

fn within(first: &Lts, second: &Lts, question: Question, limits: &Limits<'_>) -> Answer {
    let union = Union::without_letters(first, second);
    match compare(&union.lts, union.initial, question, &mut Meter::new(limits)) {
        Ok(witness) => trace::answer(witness, |label| union.lts.label(label).to_owned(), Finding::Diverge),
        Err(stopped) => stopped.into(),
    }
}

/// Compares the weak traces that begin in two states of a system without letters.
pub(crate) fn compare(
    lts: &Lts,
    initial: [StateId; 2],
    question: Question,
    meter: &mut Meter<'_>,
) -> Result<Option<Witness>, Stopped> {
    let branching = Branching::new(lts, Divergence::Seen, meter)?;
    let initial = initial.map(|state| branching.class(state));
    if initial[0] == initial[1] {
        return Ok(None);
    }
    let small = branching.smaller();
    let is_mark = |label| Some(label) == branching.diverges();
    let marked: Vec<bool> =
        small.states().map(|state| small.edges(state).iter().any(|edge| is_mark(edge.label))).collect();
    let visible = small.keeping(|edge| !is_mark(edge.label));
    subsets::compare(&visible, initial, question, Silent::Inert, &marked, meter)
}
