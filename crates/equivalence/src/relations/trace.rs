//! Traces: the same finite sequences of labels, silent ones included.
//!
//! In a finite system an infinite sequence is a trace exactly if all its beginnings are (König), so
//! the infinite traces are then the same too: `inf-trace` follows. The converse is false, since
//! what ends is in no infinite trace.

use ample_stdx::TypedId;

use crate::answer::{Answer, Difference, Finding, Follow, Limits, Meter, Stopped};
use crate::lts::{LabelId, Lts, StateId};
use crate::refine::Silent;
use crate::relations::bisim;
use crate::subsets::{self, Question, Witness};
use crate::union::Union;

/// Pelánek's "trace equivalent" (2.5). Letters do not matter.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Equal, limits)
}

/// Whether each trace of the first is one of the second.
pub(crate) fn below(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Question::Included, limits)
}

fn within(first: &Lts, second: &Lts, question: Question, limits: &Limits<'_>) -> Answer {
    let union = Union::without_letters(first, second);
    let name = |label| union.lts.label(label).to_owned();
    match compare(&union.lts, union.initial, question, &mut Meter::new(limits)) {
        Ok(witness) => answer(witness, name, Finding::Stay),
        Err(stopped) => stopped.into(),
    }
}

/// Compares the traces that begin in two states of a system without letters.
pub(crate) fn compare(
    lts: &Lts,
    initial: [StateId; 2],
    question: Question,
    meter: &mut Meter<'_>,
) -> Result<Option<Witness>, Stopped> {
    let (small, classes) = bisim::smaller(lts, meter)?;
    let initial = initial.map(|state| StateId::from_index(classes.class(state) as usize));
    let nothing = vec![false; small.state_count()];
    subsets::compare(&small, initial, question, Silent::Seen, &nothing, meter)
}

/// The answer that a witness stands for; `mark` is what a marked state can do.
pub(crate) fn answer(witness: Option<Witness>, name: impl Fn(LabelId) -> String, mark: Finding) -> Answer {
    let Some(Witness { trace, side, step }) = witness else { return Answer::Equivalent };
    let finding = step.map_or(mark, |label| Finding::Step(name(label)));
    let path = trace.into_iter().map(name).collect();
    Answer::Different(Difference { path, follow: Follow::No, side, finding, note: None })
}
