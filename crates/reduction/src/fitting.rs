//! Reduction where the processes are guessed.
//!
//! What is known of guessed processes is true as long as no others appear. So it must be certain
//! that the reduced search itself meets a state that does not fit the guess, if there is one at
//! all. Then it gives up, and somebody searches again without reduction.
//!
//! It does, if from every state that it visits one in which nothing is left out (or a state that
//! does not fit) stays reachable in what it visits. The argument: let `t1 … tn` be a run from a
//! visited state `s` in the full system, of which only the last state does not fit. As long as all
//! states fit, the facts are true and the chosen sets satisfy C1.
//!
//! - If nothing is left out in `s`, `t1` is taken, and a shorter run is left.
//! - If a proper subset is chosen in `s` and one of the `ti` is in it, the first of them is
//!   independent of those before it. It is taken, and the others still lead to the same state: a
//!   shorter run is left, or an even shorter one, if a state on it does not fit.
//! - Else every chosen transition is independent of all `ti`. One is taken, and `t1 … tn` is still
//!   possible: its last transition creates the process that nobody expected, after the chosen one
//!   as before it.
//!
//! In the last case the run does not grow shorter. But it does not grow longer either, and the
//! search goes on in this way until it comes to a state in which nothing is left out; so one that
//! does not fit is visited in the end.
//!
//! The conditions `new`, `open`, `closed` and `stack` promise such a state for every order in which
//! they can be used; with `sticky` there is one on each cycle of what is visited, and no state
//! without successors on the way, because of C0. This is the argument for local reachability, and a
//! plan that does not preserve that is refused on guessed processes (`check_on_guess` in `check`):
//! without a condition (`none`), a process that goes round by itself may put off for ever the one
//! that creates another, and the end states that are preserved are those of a system that is not
//! the model's.
//!
//! Sleep sets alone leave out transitions and no states. Together with a reduction they pass over
//! what was taken in another order, and the cycle condition is asked about what is awake. In a
//! product with an automaton the same run is followed: proper subsets are invisible, so that what
//! the automaton reads along it is, up to stuttering, the beginning of the run that is looked for,
//! and the automaton can go along.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_network::Network;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

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

impl Decorator for WhileItFits<'_> {
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
