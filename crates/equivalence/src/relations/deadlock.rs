//! Deadlocks: both systems can end or neither can, and they end in states with the same letters.

use std::collections::HashSet;

use crate::answer::{Answer, Difference, Finding, Follow, Limits, Side};
use crate::lts::{LetterId, Lts};
use crate::union::Union;

/// Pelánek's "deadlock equivalent" (2.5), in both directions. Whoever wants the very same terminal
/// states gives each state a letter of its own.
pub(crate) fn decide(first: &Lts, second: &Lts, _limits: &Limits<'_>) -> Answer {
    Union::decide(first, second, missing)
}

fn missing(union: &Union, side: Side) -> Option<Difference> {
    let lts = &union.lts;
    let ends = |side| union.states(side).filter(|&state| lts.is_terminal(state));
    let known: HashSet<LetterId> = ends(side.other()).map(|state| lts.letter_of(state)).collect();
    let state = ends(side).find(|&state| !known.contains(&lts.letter_of(state)))?;
    let finding = Finding::End(lts.letter(lts.letter_of(state)).to_owned());
    Some(Difference { path: union.path_to(state), follow: Follow::No, side, finding, note: None })
}
