//! Reduction where the processes are guessed.
//!
//! What is known of guessed processes is true as long as no others appear. Whether they do is seen by the reduced search itself: that
//! a process comes to be which was not expected is what one transition does, so it is local reachability, which every reduction
//! preserves. Take the system in which a state that does not fit ends the run: of that one everything that is known is true, and if a
//! state that does not fit can be reached at all, the reduced search reaches one. Then it gives up, and somebody searches again without
//! reduction.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_network::Network;
use ample_transition::{Candidate, Expander, SuccessorBuffer};

/// An expander for as long as every state fits the network.
pub struct WhileItFits<'n> {
    /// What to choose.
    pub expander: Box<dyn Expander + 'n>,
    network: &'n Network<'n>,
    has_failed: AtomicBool,
}

impl<'n> WhileItFits<'n> {
    /// Chooses as `expander` does.
    pub fn new(expander: Box<dyn Expander + 'n>, network: &'n Network<'n>) -> Self {
        WhileItFits { expander, network, has_failed: AtomicBool::new(false) }
    }
}

impl Expander for WhileItFits<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if !self.network.fits(state) {
            self.has_failed.store(true, Ordering::Relaxed);
            return false;
        }
        self.expander.candidate(state, successors, number, candidate)
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}
