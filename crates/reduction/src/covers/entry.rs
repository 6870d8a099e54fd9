//! What a cover is made of.

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::Cover;

use crate::{NotHere, Visible};

/// A cover that can be chosen by name.
#[derive(Debug)]
pub struct CoverEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Prepares it for a network and a question.
    pub make: MakeCover,
}

/// Prepares a cover for a network and a question; an error if it does not apply.
pub type MakeCover = for<'n> fn(&'n Network<'n>, &'n Facts, &Visible<'_>) -> Result<Box<dyn Cover + 'n>, NotHere>;
