//! Sticky transitions: a cycle condition that is decided before the search (Kurshan, Levin, Minea,
//! Peled, Yenigün: Static partial order reduction, TACAS 1998).
//!
//! A cycle of states takes each process that moves on it round a cycle of its control flow, or lets
//! the process end and be created again. So if some transition is *sticky* on every cycle of every
//! process's control flow, and wherever processes are created without end, and no proper subset
//! contains a sticky transition, then every cycle of the reduced system has a fully expanded state:
//! C3, with reduced sets that depend on nothing but the state of the system.
//!
//! Visible transitions are in no proper subset anyway, so they are sticky for free. Of the others
//! those with many conflicts are preferred: they are seldom in a small candidate.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;

use super::entry::{CycleConditionEntry, ForRuns, SearchKind};
use super::none::Always;
use crate::control_flow::{ControlFlow, is_cycle_alone};

/// A cycle condition that is decided before the search.
pub static STICKY: Part = Part {
    name: "sticky",
    kind: PartKind::CycleCondition,
    summary: "a choice never has a transition that some cycle of a process's control flow cannot do without",
    paper: Some("Kurshan, Levin, Minea, Peled, Yenigün: Static partial order reduction (TACAS 1998)"),
    guarantee: Guarantee::BRANCHING,
};

pub(super) const ENTRY: CycleConditionEntry = CycleConditionEntry {
    part: &STICKY,
    for_faults: &Always,
    for_runs: Some(ForRuns::OnTheFly),
    avoid: Some(sticky),
    default_for: &[SearchKind::Runs],
};

/// The transitions that may be in no proper subset: those given, and enough others.
pub fn sticky(network: &Network<'_>, facts: &Facts, avoided: BitSet<TransitionId>) -> BitSet<TransitionId> {
    sticky_besides(network, facts, avoided, &mut ControlFlow::new(network))
}

/// The transitions that may be in no proper subset: those given, and enough others for the rest to
/// close no cycle in the control flow that is kept already.
pub(crate) fn sticky_besides(
    network: &Network<'_>,
    facts: &Facts,
    mut avoided: BitSet<TransitionId>,
    kept: &mut ControlFlow,
) -> BitSet<TransitionId> {
    avoided.extend(facts.transitions().ids().filter(|id| is_cycle_alone(network, facts, *id)));
    let mut rest: Vec<TransitionId> = facts.transitions().ids().filter(|id| !avoided.contains(*id)).collect();
    rest.sort_by_key(|id| (conflicts_with_others(facts, *id), *id));
    for id in rest {
        if !kept.keep(facts, std::iter::once(id)) {
            avoided.insert(id);
        }
    }
    debug_assert!(
        kept_is_acyclic(network, facts, &avoided),
        "what is not sticky goes round no cycle of a process's control flow"
    );
    avoided
}

/// Whether the transitions that are not avoided close no cycle of a process's control flow.
fn kept_is_acyclic(network: &Network<'_>, facts: &Facts, avoided: &BitSet<TransitionId>) -> bool {
    let kept = || facts.transitions().ids().filter(|id| !avoided.contains(*id));
    let flow = ControlFlow::of(network, facts, kept());
    kept().all(|id| !flow.is_on_cycle(facts, id))
}

fn conflicts_with_others(facts: &Facts, id: TransitionId) -> usize {
    let mut conflicts = facts.conflicts(id).clone();
    for taken in facts.transitions()[id].identity.participants() {
        conflicts.subtract(facts.of_instance(taken.instance));
    }
    conflicts.len()
}
