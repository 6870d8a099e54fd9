//! Mutual simulation: each system can follow the other step by step.

use ample_stdx::TypedId;

use crate::answer::{Answer, Limits, Meter, Stopped};
use crate::lts::{Lts, StateId};
use crate::relations::bisim;
use crate::simulation::{Followed, Simulation};
use crate::union::Union;

/// Park; Pelánek's "simulation equivalent" (2.5). Silent steps are steps like any other, and a
/// state is followed only by a state with the same letter.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, Followed::Both, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

/// Whether the second simulates the first.
pub(crate) fn below(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, Followed::First, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

fn compare(first: &Lts, second: &Lts, followed: Followed, meter: &mut Meter<'_>) -> Result<Answer, Stopped> {
    let union = Union::new(first, second);
    let (lts, classes) = bisim::smaller(&union.lts, meter)?;
    let initial = union.initial.map(|state| StateId::from_index(classes.class(state) as usize));
    Simulation { steps: &lts, answers: &lts }.compare(initial, followed, meter)
}
