//! Reduction where the processes of the network are guessed.
//!
//! The static facts of guessed processes are true as long as no other processes appear. So the
//! reduced search itself must meet a state that does not fit the guess, if any is reachable in the
//! full system. Then it gives up, and the search is done again without reduction.
//!
//! It meets one if from every visited state a fully expanded state (or one that does not fit) is
//! reachable in the reduced system. The argument: let `t1 … tn` be a run of the full system from a
//! visited state `s`, of which only the last state does not fit. As long as all states fit, the
//! facts are true and the reduced sets satisfy C1.
//!
//! - If `s` is fully expanded, `t1` is taken, and a shorter run is left.
//! - If the reduced set of `s` is a proper subset and contains one of the `ti`, the first of these
//!   is independent of those before it. It is taken, and the others still lead to the same state: a
//!   shorter run is left, or an even shorter one, if a state on it does not fit.
//! - Else every transition of the reduced set is independent of all `ti`. One of them is taken, and
//!   `t1 … tn` is still enabled after it: its last transition creates the process that nobody
//!   expected, after the chosen one as before it.
//!
//! In the last case the run does not grow shorter. But it does not grow longer either, and the
//! search goes on in this way until it comes to a fully expanded state; so a state that does not
//! fit is visited in the end.
//!
//! The conditions `new`, `open`, `closed` and `stack` promise such a state for every order in which
//! they can be used; with `sticky` there is one on each cycle of the reduced system, and no state
//! without successors on the way, because of C0. This is the argument for local reachability, and a
//! plan that does not preserve that is refused on guessed processes (`check_on_guess` in `check`):
//! without a condition (`none`), a process that goes round by itself may put off for ever the one
//! that creates another, and the end states that are preserved are those of a system that is not
//! the model's.
//!
//! Sleep sets alone save transitions and no states. Together with a reduction they pass over
//! transitions that were taken in another order, and the cycle condition is asked about those that
//! are awake. In a product with an automaton the same run is followed: proper subsets are
//! invisible, so that the word that the automaton reads along it is, up to stuttering, the
//! beginning of the word of `t1 … tn`, and the automaton can go along.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_network::Network;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

/// Offers the candidates of another expander as long as every state fits the network. In a state
/// that does not fit it offers nothing and has failed for good.
pub struct SpeculativeExpander<'n> {
    /// The expander whose candidates are offered.
    pub expander: Box<dyn Expander + 'n>,
    network: &'n Network<'n>,
    has_failed: AtomicBool,
}

impl<'n> SpeculativeExpander<'n> {
    /// Offers the candidates of `expander`, which is prepared for the same network.
    pub fn new(expander: Box<dyn Expander + 'n>, network: &'n Network<'n>) -> Self {
        SpeculativeExpander { expander, network, has_failed: AtomicBool::new(false) }
    }
}

impl Decorator for SpeculativeExpander<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&*self.expander)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if !self.network.fits(state) {
            self.has_failed.store(true, Ordering::Relaxed);
            return false;
        }
        self.expander.candidate(state, successors, number, candidate)
    }

    fn has_failed_itself(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}
