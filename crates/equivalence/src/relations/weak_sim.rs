//! Mutual weak simulation: each system can follow the other step by step, with any number of silent
//! steps around an answer.

use ample_stdx::TypedId;

use crate::answer::{Answer, Limits, Meter, Stopped};
use crate::lts::{Lts, StateId, TAU};
use crate::refine::{Silent, refine};
use crate::relations::branching_bisim::Branching;
use crate::relations::weak_bisim::saturated;
use crate::silent::Divergence;
use crate::simulation::{Followed, Simulation};
use crate::union::{Union, merge};

/// Milner, "Communication and concurrency"; Pelánek's "weak simulation equivalent" (2.5). It does
/// not see whether a system can go on silently for ever; a silent step may be answered by none.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, Followed::Both, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

/// Whether the second weakly simulates the first.
pub(crate) fn below(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, Followed::First, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

/// States that are weakly bisimilar weakly simulate each other, so these are merged first. Single
/// steps are followed by ways through silent steps: that is enough, since each part of such a way
/// can be followed, too.
fn compare(first: &Lts, second: &Lts, followed: Followed, meter: &mut Meter<'_>) -> Result<Answer, Stopped> {
    let union = Union::new(first, second);
    let branching = Branching::new(&union.lts, Divergence::Ignored, meter)?;
    let small = branching.smaller();
    let ways = saturated(&branching, meter)?;
    let letters: Vec<u32> = ways.states().map(|state| ways.letter_of(state).index() as u32).collect();
    let classes = refine(&ways, &letters, Silent::Seen, None, meter)?;
    let class = |state| classes.class(state);
    let steps = merge(&small, &classes.of, |from, label, to| label != TAU || class(from) != class(to));
    let answers = merge(&ways, &classes.of, |_, _, _| true);
    let initial = union.initial.map(|state| StateId::from_index(class(branching.class(state)) as usize));
    Simulation { steps: &steps, answers: &answers }.compare(initial, followed, meter)
}
