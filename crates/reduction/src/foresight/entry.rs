//! What a foresight is made of.

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::Foresight;

use crate::{NotHere, Visible};

/// What a question looks for.
#[derive(Copy, Clone, Debug)]
pub struct LooksFor<'q> {
    /// What it looks at: the propositions and the faults.
    pub visible: &'q Visible<'q>,
    /// If it asks for states: a state is an error if all propositions of one of these, by number,
    /// have these values.
    pub states: &'q [Vec<(usize, bool)>],
}

/// A foresight that can be chosen by name.
#[derive(Debug)]
pub struct ForesightEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it takes several transitions as one, so that depth is not what it was.
    pub joins: bool,
    /// Prepares it for a network and a question.
    pub make: MakeForesight,
}

/// Prepares a foresight for a network and a question; an error if it does not apply.
pub type MakeForesight =
    for<'n> fn(&'n Network<'n>, &'n Facts, &LooksFor<'_>) -> Result<Box<dyn Foresight + 'n>, NotHere>;
