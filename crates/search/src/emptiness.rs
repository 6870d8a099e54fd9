//! What is asked of a search for an accepted infinite run: is the language of the product empty?

use ample_transition::{Accepting, Fault, Marks, StateLength, Store};

use crate::search::Search;

/// A search for an accepted infinite run.
pub struct Emptiness<'a, 'b> {
    /// The system, the store of the first search, and the limits. A fault of a wanted kind ends the
    /// search as an accepted run does.
    pub search: Search<'a>,
    /// The acceptance condition.
    pub acceptance: Acceptance<'b>,
    /// Whether the automaton is weak: all states of a cycle are accepting, or none is.
    pub is_weak: bool,
    /// Makes the store of a second search, for keys of this length; `None` if there is no memory
    /// for it.
    pub make_store: &'b dyn Fn(StateLength) -> Option<Box<dyn Store>>,
    /// The fault as which an accepted run is reported.
    pub fault: Fault,
}

/// Which infinite runs are accepted: by states (Büchi) or by marks on transitions (generalised
/// Büchi).
#[derive(Copy, Clone)]
pub enum Acceptance<'b> {
    /// Runs that visit some of these states infinitely often.
    States(&'b dyn Accepting),
    /// Runs on whose transitions each of these marks occurs infinitely often.
    Marks(Marks),
}
