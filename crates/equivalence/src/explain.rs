//! Why two states are in different classes: a way to play step by step until one can do what the
//! other cannot.

use std::collections::HashSet;

use crate::answer::{Difference, Finding, Follow, Side};
use crate::lts::{Edge, LabelId, Lts, StateId};
use crate::refine::Classes;

/// Where a play ends.
pub(crate) struct Play {
    pub(crate) path: Vec<LabelId>,
    pub(crate) side: Side,
    pub(crate) end: PlayEnd,
}

/// Why it ends.
pub(crate) enum PlayEnd {
    /// The states, one of each system, never were in one class.
    Apart(StateId, StateId),
    /// One can do this, the other cannot.
    Step(LabelId),
}

/// Plays from two states that came apart. `moves` are the steps of a state, given the number of
/// rounds after which the classes are looked at. Each step leads to states that came apart in an
/// earlier round, so this ends.
pub(crate) fn play(
    classes: &Classes,
    moves: impl Fn(u32, StateId) -> Vec<Edge>,
    mut first: StateId,
    mut second: StateId,
) -> Play {
    let mut path = Vec::new();
    loop {
        let apart = PlayEnd::Apart(first, second);
        let Some(rounds) = classes.parted(first, second).and_then(|round| round.checked_sub(1)) else {
            return Play { path, side: Side::First, end: apart };
        };
        let (ours, theirs) = (moves(rounds, first), moves(rounds, second));
        let (side, edge, answers) = match unmatched(classes, rounds, &ours, &theirs) {
            Some(edge) => (Side::First, edge, &theirs),
            None => match unmatched(classes, rounds, &theirs, &ours) {
                Some(edge) => (Side::Second, edge, &ours),
                None => return Play { path, side: Side::First, end: apart },
            },
        };
        let answers = answers.iter().filter(|answer| answer.label == edge.label);
        let Some(answer) = answers.max_by_key(|answer| classes.parted(edge.to, answer.to)) else {
            return Play { path, side, end: PlayEnd::Step(edge.label) };
        };
        path.push(edge.label);
        (first, second) = if side == Side::First { (edge.to, answer.to) } else { (answer.to, edge.to) };
    }
}

/// A step to a class that the other does not come to with the same label; one with a label that it
/// has not at all, if there is one.
fn unmatched(classes: &Classes, rounds: u32, ours: &[Edge], theirs: &[Edge]) -> Option<Edge> {
    let known: HashSet<(LabelId, u32)> =
        theirs.iter().map(|edge| (edge.label, classes.class_after(rounds, edge.to))).collect();
    let labels: HashSet<LabelId> = theirs.iter().map(|edge| edge.label).collect();
    let has_not = |edge: &&Edge| !known.contains(&(edge.label, classes.class_after(rounds, edge.to)));
    ours.iter().find(|edge| !labels.contains(&edge.label)).or_else(|| ours.iter().find(has_not)).copied()
}

impl Play {
    /// In words. Where the states looked different from the start it is their letters, or else
    /// divergence.
    pub(crate) fn difference(self, lts: &Lts, diverges: impl Fn(StateId) -> bool) -> Difference {
        let path = self.path.iter().map(|&label| lts.label(label).to_owned()).collect();
        let (side, finding) = match self.end {
            PlayEnd::Step(label) => (self.side, Finding::Step(lts.label(label).to_owned())),
            PlayEnd::Apart(first, second) if lts.letter_of(first) == lts.letter_of(second) => {
                (if diverges(first) { Side::First } else { Side::Second }, Finding::Diverge)
            }
            PlayEnd::Apart(first, _) => (Side::First, Finding::Letter(lts.letter(lts.letter_of(first)).to_owned())),
        };
        Difference { path, follow: Follow::StepByStep, side, finding, note: None }
    }
}
