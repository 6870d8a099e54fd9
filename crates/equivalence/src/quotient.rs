//! Quotients: one state for each class of equivalent states of a system.

use ample_stdx::{IndexVec, TypedId};

use crate::answer::Stopped;
use crate::lts::{LabelId, Lts, LtsBuilder, StateId, TAU};
use crate::refine::Classes;
use crate::union::{Union, merge};

/// The smallest system that is equivalent to a given one, and which of its states stands for which.
///
/// Its states are the classes of the reachable states, in the order in which these were given; so
/// no two of them are equivalent. Steps that follow from others are left out.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The system.
    pub lts: Lts,
    /// The state that stands for each state of the given system; `None` for those that cannot be
    /// reached.
    pub state_of: IndexVec<StateId, Option<StateId>>,
}

impl Quotient {
    /// One state for each class, with the steps that are `kept` between states of the given system.
    pub(crate) fn by(lts: &Lts, classes: &Classes, is_kept: impl Fn(StateId, LabelId, StateId) -> bool) -> Quotient {
        let state_of = lts.states().map(|state| Some(StateId::from_index(classes.class(state) as usize))).collect();
        Quotient { lts: merge(lts, &classes.of, is_kept), state_of }
    }

    /// What `make` makes of the reachable part of a system, as one of all of it.
    pub(crate) fn of_reachable(
        lts: &Lts,
        make: impl FnOnce(&Lts) -> Result<Quotient, Stopped>,
    ) -> Result<Quotient, Stopped> {
        let (reachable, numbers) = Union::alone(lts);
        let made = make(&reachable)?;
        let of = |state: &Option<StateId>| state.and_then(|state| made.state_of[state]);
        Ok(Quotient { state_of: numbers.iter().map(of).collect(), lts: made.lts }.in_order())
    }

    /// The same with states numbered by the first ones that they stand for.
    fn in_order(self) -> Quotient {
        let mut numbers: IndexVec<StateId, Option<u32>> = IndexVec::from_elem(None, self.lts.state_count());
        let mut next = 0;
        for state in self.state_of.iter().flatten() {
            numbers[*state].get_or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
        // States of a quotient stand for something, so that each has a number.
        let number = |state: StateId| numbers[state].unwrap_or_default();
        let mut builder = LtsBuilder::with_labels_of(number(self.lts.initial()), &self.lts);
        for state in self.lts.states() {
            builder.letter(number(state), self.lts.letter(self.lts.letter_of(state)));
            for edge in self.lts.edges(state) {
                builder.edge_by_id(number(state), edge.label, number(edge.to));
            }
        }
        let state_of = self.state_of.iter().map(|state| state.map(|state| StateId::from_index(number(state) as usize)));
        Quotient { lts: builder.build(), state_of: state_of.collect() }
    }
}

/// The same system with silent loops in place of the edges of a label that stands for them.
pub(crate) fn with_silent_loops(lts: &Lts, loops: Option<LabelId>) -> Lts {
    let mut builder = LtsBuilder::new(lts.initial().number());
    for state in lts.states() {
        builder.letter(state.number(), lts.letter(lts.letter_of(state)));
        for edge in lts.edges(state) {
            let is_silent = edge.label == TAU || Some(edge.label) == loops;
            let label = if is_silent { TAU } else { builder.label(lts.label(edge.label)) };
            builder.edge_by_id(state.number(), label, edge.to.number());
        }
    }
    builder.build()
}
