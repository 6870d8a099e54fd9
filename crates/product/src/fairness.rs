//! Weak fairness of processes, as marks: a process that can move from some time on without a pause
//! does move again and again.
//!
//! A transition has the mark of a process if the process takes part in it, or if it cannot move in
//! the state that the transition leaves. A run is fair if every process has its mark again and
//! again. So a search for runs with all marks finds the fair ones, with no copies of the state
//! space (Couvreur, Duret-Lutz, Poitrenaud: On-the-fly emptiness checks for generalized Büchi
//! automata).

use ample_transition::{Marks, Move, Pid, SuccessorBuffer};

/// Which infinite runs count.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those on which each process moves again and again, or again and again cannot move.
    Weak,
}

impl Fairness {
    /// The name on the command line and in files; there is none for no assumption.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Fairness::None => None,
            Fairness::Weak => Some("weak"),
        }
    }

    /// The assumption with this name.
    pub fn named(name: &str) -> Option<Fairness> {
        [Fairness::Weak].into_iter().find(|fairness| fairness.name() == Some(name))
    }
}

/// Who takes part in a move: one process, or both at a rendezvous.
pub fn participants(step: Move) -> impl Iterator<Item = Pid> {
    std::iter::once(step.process).chain(step.partner.map(|(pid, _)| pid))
}

/// The marks of all that take part in these moves.
pub(crate) fn moved(moves: &[Move]) -> Marks {
    let all = moves.iter().copied().flat_map(participants);
    all.fold(Marks::NONE, |marks, process| marks.union(Marks::of_process(process)))
}

/// The marks of all processes that cannot move; those that do not exist are among them. A
/// transition that ends in a fault can be begun, and so can one that a reduction leaves out.
pub(crate) fn disabled(transitions: &SuccessorBuffer) -> Marks {
    Marks::PROCESSES.minus(transitions.able())
}
