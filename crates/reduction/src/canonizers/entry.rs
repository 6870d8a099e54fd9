//! What a canonizer is made of.

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::{BitSet, Stop};
use ample_transition::Canonizer;

use crate::{NotHere, Visible};

/// A canonizer that can be chosen by name.
#[derive(Debug)]
pub struct CanonizerEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it is taken where reductions are left to us, it is sound, and the space is large.
    pub is_automatic: bool,
    /// Prepares it for a network and a question.
    pub make: MakeCanonizer,
    /// Adds to a set of transitions those that it may take for one of them. `None` if it takes
    /// every transition for itself.
    pub close: Option<Close>,
}

/// Adds to a set of transitions those that a canonizer may take for one of them.
pub type Close = fn(&Network<'_>, &Facts, BitSet<TransitionId>) -> BitSet<TransitionId>;

/// Prepares a canonizer for a network and a question. `None` if every state is its own canonical
/// form; an error if it does not apply, or if it was time to stop before that was known.
pub type MakeCanonizer =
    for<'n> fn(&'n Network<'n>, &'n Facts, &Visible<'_>, &Stop) -> Result<Option<Box<dyn Canonizer + 'n>>, NotHere>;
