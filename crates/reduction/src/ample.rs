//! Ample sets of one process by dependence and pre-sets (Strejček: Partial order reduction, slides;
//! Clarke, Grumberg, Peled: Model Checking, chapter 10).
//!
//! For a process i in a state s, `T_i(s)` are its enabled transitions, and `current_i(s)` are all
//! of its transitions from its current location, the disabled ones included. `T_i(s)` is offered if
//! no transition that another process may still take
//!
//! - depends on a transition of `T_i(s)`; or
//! - enables a transition of `current_i(s) \ T_i(s)` (is in its `pre`): the half that is easily
//!   forgotten (theory.md 1.4).
//!
//! So C1 holds: before one of `T_i(s)` is taken, other processes can neither take a transition that
//! depends on it nor enable another one of the process. The transitions that another process may
//! *still* take are those of its control flow from its current location on, not all of it.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::TypedId;
use ample_transition::{Candidate, Expander, SuccessorBuffer};

use crate::state_view::{OfState, StateView, memoized};
use crate::tables::{Interference, PlaceId, Tables, Waits, existing};

/// Ample sets of one process, decided in each state.
pub static AMPLE: Part = Part {
    name: "ample",
    kind: PartKind::Expander,
    summary: "a process moves first where nothing that others may still do depends on it",
    paper: Some("Strejček: Partial order reduction; Clarke, Grumberg, Peled: Model checking (1999)"),
    guarantee: Guarantee::STUTTERING,
};

/// Offers the enabled transitions of one process, where they are an ample set: first those of the
/// youngest process.
pub struct AmpleSets<'n> {
    tables: Tables<'n>,
}

impl<'n> AmpleSets<'n> {
    /// Prepares the tables for a network.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        AmpleSets { tables: Tables::new(network, facts) }
    }

    /// Whether the enabled transitions of the process at this place are an ample set.
    fn is_ample(&self, process: usize, place: PlaceId, view: &mut StateView<'_, '_>) -> bool {
        let places = view.places;
        let has_others = |interference: &Interference| {
            let mut has_others =
                existing(places).any(|(other, place)| other != process && interference.places_now.contains(place));
            self.tables.creators(&interference.uncreated, places, |creator| has_others |= creator != process);
            has_others
        };
        self.tables.place(place).here.iter().all(|id| {
            let row = self.tables.row(*id);
            if view.is_enabled(*id) {
                return !has_others(&row.conflicts);
            }
            match self.tables.waits(row, places) {
                Waits::Forever => true,
                Waits::ForProcess(_) => false,
                Waits::ForGuard => !has_others(view.necessary(*id, row)),
            }
        })
    }

    /// Writes the numbers of the successors in whose transitions, which are `names`, the process at
    /// this place takes part. Whether these are some, but not all.
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
        let source = OfState { tables: &self.tables, state, successors };
        memoized(&self.tables, number as u32, &source, candidate, |mut view, _, transitions| {
            let places = view.places;
            let is_offered = |process: &usize| {
                let place = existing(&places[*process..=*process]).next();
                place.is_some_and(|(_, place)| {
                    self.choose(place, view.enabled, transitions) && self.is_ample(*process, place, &mut view)
                })
            };
            // The youngest first, as successors are given. What was chosen last stays written.
            (0..places.len()).rev().filter(is_offered).nth(number).is_some()
        })
    }

    fn has_failed(&self) -> bool {
        false
    }
}
