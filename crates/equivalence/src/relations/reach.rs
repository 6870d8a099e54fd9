//! Reachability: the same labels and the same letters are met by some run.

use std::collections::HashSet;

use ample_stdx::TypedId;

use crate::answer::{Answer, Difference, Finding, Follow, Limits, Side};
use crate::lts::{Lts, TAU};
use crate::union::Union;

/// Pelánek's "reachability equivalent" (2.5), for visible labels, and for letters too.
pub(crate) fn decide(first: &Lts, second: &Lts, _limits: &Limits<'_>) -> Answer {
    Union::decide(first, second, missing)
}

/// Whether the second reaches all that the first reaches.
pub(crate) fn below(first: &Lts, second: &Lts, _limits: &Limits<'_>) -> Answer {
    let missing = missing(&Union::new(first, second), Side::First);
    missing.map_or(Answer::Equivalent, Answer::Different)
}

/// What one system meets and the other does not, by a shortest path.
fn missing(union: &Union, side: Side) -> Option<Difference> {
    let lts = &union.lts;
    let mut letters = HashSet::new();
    let mut labels = vec![false; lts.label_count()];
    labels[TAU.index()] = true;
    for state in union.states(side.other()) {
        letters.insert(lts.letter_of(state));
        lts.edges(state).iter().for_each(|edge| labels[edge.label.index()] = true);
    }
    union.states(side).find_map(|state| {
        let letter = lts.letter_of(state);
        let new_letter = || Finding::Letter(lts.letter(letter).to_owned());
        let edge = lts.edges(state).iter().find(|edge| !labels[edge.label.index()]);
        let new_label = || edge.map(|edge| Finding::Step(lts.label(edge.label).to_owned()));
        let finding = if letters.contains(&letter) { new_label()? } else { new_letter() };
        Some(Difference { path: union.path_to(state), follow: Follow::No, side, finding, note: None })
    })
}
