//! A canonizer where the processes of the network are guessed.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_network::Network;
use ample_transition::{Canonizer, Scratch};

/// A canonizer for as long as the guess of the processes holds.
///
/// What it takes for granted is true of the processes that were guessed. Until another one comes,
/// states with the same canonical form behave alike, so that the state in which the guess is
/// refuted is met in the quotient as well; then the search is given up.
pub struct SpeculativeCanonizer<'n> {
    canonizer: Box<dyn Canonizer + 'n>,
    network: &'n Network<'n>,
    is_refuted: AtomicBool,
}

impl<'n> SpeculativeCanonizer<'n> {
    /// The canonizer for this network.
    pub fn new(canonizer: Box<dyn Canonizer + 'n>, network: &'n Network<'n>) -> Self {
        SpeculativeCanonizer { canonizer, network, is_refuted: AtomicBool::new(false) }
    }
}

impl Canonizer for SpeculativeCanonizer<'_> {
    fn canonize(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        if self.network.fits(state) {
            return self.canonizer.canonize(state, scratch);
        }
        self.is_refuted.store(true, Ordering::Relaxed);
        false
    }

    fn canonize_exactly(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.network.fits(state) && self.canonizer.canonize_exactly(state, scratch)
    }

    fn keeps_moves(&self) -> bool {
        self.canonizer.keeps_moves()
    }

    fn has_failed(&self) -> bool {
        self.is_refuted.load(Ordering::Relaxed) || self.canonizer.has_failed()
    }
}
