//! Strong bisimulation: each step of one system is answered by an equal step of the other, for
//! ever.

use ample_stdx::TypedId;

use crate::answer::{Answer, Limits, Meter, Stopped};
use crate::explain::play;
use crate::lts::Lts;
use crate::quotient::Quotient;
use crate::refine::{Classes, Silent, refine};
use crate::union::{Union, merge};

/// Park, Milner. Silent steps are steps like any other, and states are told apart by their letters.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, None, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

/// Bisimulation that looks so many steps ahead.
pub(crate) fn within(
    first: &Lts,
    second: &Lts,
    depth: Option<usize>,
    meter: &mut Meter<'_>,
) -> Result<Answer, Stopped> {
    let union = Union::new(first, second);
    let classes = strong(&union.lts, depth, meter)?;
    let [first, second] = union.initial;
    if classes.class(first) == classes.class(second) {
        return Ok(Answer::Equivalent);
    }
    let moves = |_, state| union.lts.edges(state).to_vec();
    Ok(Answer::Different(play(&classes, moves, first, second).difference(&union.lts, |_| false)))
}

/// The classes of strong bisimulation.
pub(crate) fn strong(lts: &Lts, depth: Option<usize>, meter: &mut Meter<'_>) -> Result<Classes, Stopped> {
    let letters: Vec<u32> = lts.states().map(|state| lts.letter_of(state).index() as u32).collect();
    refine(lts, &letters, Silent::Seen, depth, meter)
}

/// One state for each class, with all steps (Pelánek 2.5).
pub(crate) fn quotient(lts: &Lts, meter: &mut Meter<'_>) -> Result<Quotient, Stopped> {
    Ok(Quotient::by(lts, &strong(lts, None, meter)?, |_, _, _| true))
}

/// A smaller system: one state for each class of strong bisimulation.
pub(crate) fn smaller(lts: &Lts, meter: &mut Meter<'_>) -> Result<(Lts, Classes), Stopped> {
    let classes = strong(lts, None, meter)?;
    Ok((merge(lts, &classes.of, |_, _, _| true), classes))
}
