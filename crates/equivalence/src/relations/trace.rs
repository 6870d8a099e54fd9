//! Traces: the same finite sequences of labels, silent ones included.
//!
//! In a finite system an infinite sequence is a trace exactly if all its beginnings are (König), so
//! the infinite traces are then the same too.

use ample_stdx::TypedId;

use crate::answer::{Answer, Difference, Finding, Follow, Limits, Meter, Stopped};
use crate::lts::{LabelId, Lts, StateId};
use crate::refine::Silent;
use crate::relations::bisim;
use crate::subsets::{self, Witness};
use crate::union::Union;

/// Pelánek's "trace equivalent" (2.5). Letters do not matter.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

fn compare(first: &Lts, second: &Lts, meter: &mut Meter<'_>) -> Result<Answer, Stopped> {
    let union = Union::without_letters(first, second);
    let (lts, classes) = bisim::smaller(&union, meter)?;
    let initial = union.initial.map(|state| StateId::from_index(classes.class(state) as usize));
    let nothing = vec![false; lts.state_count()];
    let witness = subsets::compare(&lts, initial, Silent::Seen, &nothing, meter)?;
    Ok(answer(witness, |label| lts.label(label).to_owned(), Finding::Stay))
}

/// The answer that a witness stands for; `mark` is what a marked state can do.
pub(crate) fn answer(witness: Option<Witness>, name: impl Fn(LabelId) -> String, mark: Finding) -> Answer {
    let Some(Witness { trace, side, step }) = witness else { return Answer::Equivalent };
    let finding = step.map_or(mark, |label| Finding::Step(name(label)));
    let path = trace.into_iter().map(name).collect();
    Answer::Different(Difference { path, follow: Follow::No, side, finding, note: None })
}
