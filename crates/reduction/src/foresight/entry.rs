//! What a foresight is made of.

use std::fmt::Debug;
use std::sync::Arc;

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
    /// Finds out what there is to know of a network, for a question.
    pub find_out: FindOut,
}

/// Finds out what a foresight knows of a network, for a question; an error if it does not apply.
pub type FindOut = fn(&Network<'_>, &Facts, &LooksFor<'_>) -> Result<Arc<dyn Foreknowledge>, NotHere>;

/// What a foresight knows of a network, for a question: found out once, and used in every search of
/// a network of the same model.
pub trait Foreknowledge: Debug + Send + Sync {
    /// The foresight by what is known.
    fn on<'n>(self: Arc<Self>, network: &'n Network<'n>) -> Box<dyn Foresight + 'n>;
}
