//! Two systems side by side as one, so that states of both can be compared.

use std::collections::VecDeque;

use ample_stdx::{IndexVec, TypedId};

use crate::answer::{Answer, Difference, Side};
use crate::lts::{LabelId, Lts, LtsBuilder, StateId, TAU};

/// The reachable states of two systems in one, with equal names for equal labels and letters.
///
/// The states of the first come first. Those of one system have numbers by their distance from its
/// initial state.
pub(crate) struct Union {
    pub(crate) lts: Lts,
    pub(crate) initial: [StateId; 2],
    /// The number of the first state of the second system.
    border: usize,
    /// The last edge of a shortest path to each state.
    arrivals: Vec<Option<(StateId, LabelId)>>,
}

impl Union {
    pub(crate) fn new(first: &Lts, second: &Lts) -> Union {
        let mut builder = LtsBuilder::new(0);
        let mut arrivals = Vec::new();
        add(first, &mut builder, &mut arrivals);
        let border = arrivals.len();
        add(second, &mut builder, &mut arrivals);
        let initial = [StateId::from_index(0), StateId::from_index(border)];
        Union { lts: builder.build(), initial, border, arrivals }
    }

    /// The reachable states of one system, and their numbers there.
    pub(crate) fn alone(lts: &Lts) -> (Lts, IndexVec<StateId, Option<StateId>>) {
        let mut builder = LtsBuilder::new(0);
        let numbers = add(lts, &mut builder, &mut Vec::new());
        (builder.build(), numbers)
    }

    /// Whether neither system has what the other has not, by `missing`, which finds something that
    /// is only in one of them.
    pub(crate) fn decide(first: &Lts, second: &Lts, missing: fn(&Union, Side) -> Option<Difference>) -> Answer {
        let union = Union::new(first, second);
        match [Side::First, Side::Second].into_iter().find_map(|side| missing(&union, side)) {
            Some(difference) => Answer::Different(difference),
            None => Answer::Equivalent,
        }
    }

    /// The same states without letters.
    pub(crate) fn without_letters(first: &Lts, second: &Lts) -> Union {
        if first.has_letters() || second.has_letters() {
            Union::new(&bare(first), &bare(second))
        } else {
            Union::new(first, second)
        }
    }

    /// The states of one system, those that are near its initial state first.
    pub(crate) fn states(&self, side: Side) -> impl Iterator<Item = StateId> + use<> {
        let range = match side {
            Side::First => 0..self.border,
            Side::Second => self.border..self.arrivals.len(),
        };
        range.map(StateId::from_index)
    }

    /// What is seen on a shortest path to a state, silent steps left out.
    pub(crate) fn path_to(&self, mut state: StateId) -> Vec<String> {
        let mut path = Vec::new();
        while let Some((from, label)) = self.arrivals[state.index()] {
            if label != TAU {
                path.push(self.lts.label(label).to_owned());
            }
            state = from;
        }
        path.reverse();
        path
    }
}

/// Adds the reachable states of a system; what numbers they have got.
fn add(
    lts: &Lts,
    builder: &mut LtsBuilder,
    arrivals: &mut Vec<Option<(StateId, LabelId)>>,
) -> IndexVec<StateId, Option<StateId>> {
    let offset = arrivals.len();
    let labels: Vec<LabelId> = (0..lts.label_count())
        .map(LabelId::from_index)
        .map(|label| if label == TAU { TAU } else { builder.label(lts.label(label)) })
        .collect();
    let mut numbers = IndexVec::from_elem(None, lts.state_count());
    let mut queue = VecDeque::from([lts.initial()]);
    numbers[lts.initial()] = Some(StateId::from_index(offset));
    arrivals.push(None);
    let mut next = offset;
    while let Some(state) = queue.pop_front() {
        let from = StateId::from_index(next);
        next += 1;
        builder.letter(from.number(), lts.letter(lts.letter_of(state)));
        for edge in lts.edges(state) {
            let label = labels[edge.label.index()];
            let to = *numbers[edge.to].get_or_insert_with(|| {
                queue.push_back(edge.to);
                arrivals.push(Some((from, label)));
                StateId::from_index(arrivals.len() - 1)
            });
            builder.edge_by_id(from.number(), label, to.number());
        }
    }
    numbers
}

fn bare(lts: &Lts) -> Lts {
    lts.with_letters(|_| "")
}

/// A system made of another by merging states: the classes are the states.
///
/// `keep` says which edges matter.
pub(crate) fn merge(lts: &Lts, class_of: &[u32], keep: impl Fn(StateId, LabelId, StateId) -> bool) -> Lts {
    let class = |state: StateId| class_of[state.index()];
    let mut builder = LtsBuilder::with_labels_of(class(lts.initial()), lts);
    for state in lts.states() {
        builder.letter(class(state), lts.letter(lts.letter_of(state)));
        for edge in lts.edges(state) {
            if keep(state, edge.label, edge.to) {
                builder.edge_by_id(class(state), edge.label, class(edge.to));
            }
        }
    }
    builder.build()
}
