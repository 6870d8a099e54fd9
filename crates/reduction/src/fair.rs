//! Which transitions count as visible where only fair runs count.
//!
//! Whether a run is fair depends on which processes can move along it, and that may differ between
//! runs that are otherwise equivalent (theory.md 1.8: A toggles x, B toggles y, C waits for x or
//! y). So what may change whether another process can move is visible.

use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;

/// The transitions that may make it possible or impossible that a process moves that takes no part
/// in them.
pub fn changing_others(facts: &Facts) -> BitSet<TransitionId> {
    let concerns_others = |id: &TransitionId| {
        let transition = &facts.transitions()[*id];
        let mut concerned = facts.may_enable(*id).clone();
        concerned.union_with(facts.may_disable(*id));
        let is_elsewhere = |other: TransitionId| {
            facts.transitions()[other].involves().iter().any(|instance| !transition.involves().contains(instance))
        };
        concerned.iter().any(is_elsewhere)
    };
    facts.transitions().ids().filter(concerns_others).collect()
}
