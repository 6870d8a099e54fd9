//! Ample sets of one process by dependence and pre-sets (Strejček: Partial order reduction, slides;
//! Clarke, Grumberg, Peled: Model Checking, chapter 10).
//!
//! For a process i in a state s, `T_i(s)` are its transitions that can happen, `current_i(s)` all
//! those that begin where it is. `T_i(s)` is offered if nothing that other processes may still do
//! from where they are
//!
//! - depends on a transition of `T_i(s)`; or
//! - makes a transition of `current_i(s) \ T_i(s)` possible (is in its `pre`): the half that is
//!   easily forgotten (theory.md 1.4).
//!
//! So C1 holds: before one of `T_i(s)` happens, others can neither do anything that depends on it
//! nor let the process do anything else. Only what others may *still* do counts: their control flow
//! from where they are, not all of it.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::TypedId;
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::remembered::{Sight, remembered};
use crate::tables::{Concerned, PlaceId, Tables, existing};

/// Ample sets of one process, decided in each state.
pub static AMPLE: Part = Part {
    name: "ample",
    kind: PartKind::Expander,
    summary: "a process moves first where nothing that others may still do depends on it",
    paper: Some("Strejček: Partial order reduction; Clarke, Grumberg, Peled: Model checking (1999)"),
    guarantee: Guarantee::STUTTERING,
};

/// Chooses the transitions of one process on which nobody else's future depends.
pub struct AmpleSets<'n> {
    tables: Tables<'n>,
}

impl<'n> AmpleSets<'n> {
    /// Prepares the choice.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        AmpleSets { tables: Tables::new(network, facts) }
    }

    /// Whether the transitions of this process that can happen are an ample set.
    fn is_ample(&self, (process, place): (usize, PlaceId), sight: &mut Sight<'_, '_>) -> bool {
        let places = sight.places;
        let touches = |concerned: &Concerned| {
            let mut is_touched =
                existing(places).any(|(other, place)| other != process && concerned.from.contains(place));
            self.tables.creators(&concerned.unborn, places, |creator| is_touched |= creator != process);
            is_touched
        };
        self.tables.place(place).here.iter().all(|id| {
            let row = self.tables.row(*id);
            if sight.is_enabled(*id) {
                return !touches(&row.conflicts);
            }
            match self.tables.must_come(row, places) {
                Some(coming) => coming.is_none(),
                None => !touches(sight.helpers(*id, row)),
            }
        })
    }

    /// Chooses the transitions in which this process takes part, among the successors with these
    /// names. Whether these are some, but not all.
    fn choose(&self, place: PlaceId, names: &[u32], transitions: &mut Vec<usize>) -> bool {
        let here = &self.tables.place(place).here;
        let is_here = |name: &u32| here.contains(&TransitionId::from_index(*name as usize));
        transitions.clear();
        transitions.extend(names.iter().enumerate().filter(|(_, name)| is_here(name)).map(|(number, _)| number));
        !transitions.is_empty() && transitions.len() < names.len()
    }
}

impl Expander for AmpleSets<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if successors.len() < 2 {
            return false;
        }
        remembered(&self.tables, number as u32, state, successors, candidate, |mut sight, _, transitions| {
            let mut offered = 0;
            // The youngest first, as successors are given.
            for process in (0..sight.places.len()).rev() {
                let Some((_, place)) = existing(&sight.places[process..=process]).next() else { continue };
                if self.choose(place, sight.enabled, transitions) && self.is_ample((process, place), &mut sight) {
                    if offered == number {
                        return true;
                    }
                    offered += 1;
                }
            }
            false
        })
    }

    fn has_failed(&self) -> bool {
        false
    }
}
