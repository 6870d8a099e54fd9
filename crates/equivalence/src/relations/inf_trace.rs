//! Infinite traces: the same infinite sequences of labels, silent ones included.
//!
//! In a finite system an infinite sequence is a trace exactly if all its beginnings are traces of
//! states that can go on for ever (König). So two systems have the same infinite traces exactly if
//! they have the same finite ones once all steps are left out to states that cannot go on for ever.
//! That follows from `trace`, not the other way round: a run that ends has no part in it. For
//! systems with infinitely many branches it would not follow: `a*`, each length by a branch of its
//! own, has all the beginnings of an endless sequence of `a`, and not the sequence.

use ample_stdx::TypedId;

use crate::answer::{Answer, Finding, Limits, Meter};
use crate::lts::Lts;
use crate::relations::trace;
use crate::silent::can_go_on;
use crate::subsets::{Question, Witness};
use crate::union::Union;

/// Pelánek's "infinite trace equivalent" (2.5). Letters do not matter.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Equal, limits)
}

/// Whether each infinite trace of the first is one of the second.
pub(crate) fn below(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Included, limits)
}

fn within(first: &Lts, second: &Lts, question: Question, limits: &Limits<'_>) -> Answer {
    let union = Union::without_letters(first, second);
    let goes_on = can_go_on(&union.lts, |_| true);
    let endless = union.lts.keeping(|edge| goes_on[edge.to.index()]);
    let name = |label| union.lts.label(label).to_owned();
    match trace::compare(&endless, union.initial, question, &mut Meter::new(limits)) {
        Ok(Some(Witness { trace, side, step: Some(step) })) => {
            let ended = Witness { trace, side, step: None };
            trace::answer(Some(ended), name, Finding::EndlessStep(name(step)))
        }
        Ok(witness) => trace::answer(witness, name, Finding::Stay),
        Err(stopped) => stopped.into(),
    }
}
