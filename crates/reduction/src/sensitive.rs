//! Sensitive transitions: those that a proper subset must not contain in an under-approximation
//! (Brim, Černá, Moravec, Šimša: Under-approximation generation using partial order reduction,
//! 2005).
//!
//! The sensitive transitions take the place of the visible ones in C2: a proper subset has none of
//! them. Whichever transitions are sensitive, all that are taken are transitions of the full
//! system, so that every violation found is real. With more sensitive transitions more runs are
//! represented: for each run of the full system there is one of the reduced system with the same
//! order of sensitive transitions (by C0, C1 and a cycle condition; for infinite runs with C3~ only
//! if infinitely many of their transitions are sensitive, Theorem 3.2, which means C0, C1, C2 and
//! C3~).
//!
//! If all visible transitions are sensitive and C3 holds, the reduced system is exact. With C3~ it
//! is if, besides, no process can go round a cycle of its control flow without a sensitive
//! transition: then these are sticky (see [`sticky`](crate::sticky())), and C3 holds whatever the
//! cycle condition was.

use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;

use crate::control_flow::{ControlFlow, is_cycle_alone};

/// The transitions on insensitive cycles: those on a cycle of a process's control flow without a
/// sensitive transition. The set `C` of algorithm B.
pub fn on_insensitive_cycles(
    network: &Network<'_>,
    facts: &Facts,
    sensitive: &BitSet<TransitionId>,
) -> BitSet<TransitionId> {
    let insensitive = || facts.transitions().ids().filter(|id| !sensitive.contains(*id));
    let flow = ControlFlow::of(network, facts, insensitive());
    let is_on_cycle = |id: &TransitionId| is_cycle_alone(network, facts, *id) || flow.is_on_cycle(facts, *id);
    insensitive().filter(is_on_cycle).collect()
}
