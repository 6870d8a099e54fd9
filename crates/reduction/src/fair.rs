//! Which transitions count as visible under fairness.
//!
//! Whether a run is fair depends on which processes are enabled along it, and that may differ
//! between runs that are otherwise equivalent (theory.md 1.8: A toggles x, B toggles y, C waits for
//! x or y). So a transition that may enable or disable another process is visible.

use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;

/// The transitions that may enable or disable a transition of a process that takes no part in them.
/// All of them where the facts take processes for the same that differ in their number: fairness
/// follows each process by its number.
pub fn changing_others(facts: &Facts) -> BitSet<TransitionId> {
    if facts.numbering().is_anonymous() {
        return BitSet::full(facts.transitions().len());
    }
    let changes_others = |id: &TransitionId| {
        let transition = &facts.transitions()[*id];
        let mut changed = facts.may_enable(*id).clone();
        changed.union_with(facts.may_disable(*id));
        let is_elsewhere = |other: TransitionId| {
            facts.transitions()[other].involves().iter().any(|instance| !transition.involves().contains(instance))
        };
        changed.iter().any(is_elsewhere)
    };
    facts.transitions().ids().filter(changes_others).collect()
}
