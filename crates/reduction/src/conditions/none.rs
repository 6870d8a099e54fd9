//! `none`: every candidate is accepted. Enough for deadlocks; with candidates that see to C3
//! themselves, also for the rest.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::CycleConditionEntry;

/// No cycle condition, for deadlocks only.
pub static NO_CONDITION: Part = Part {
    name: "none",
    kind: PartKind::CycleCondition,
    summary: "every candidate is accepted: enough for end states, not for anything else",
    paper: Some("Valmari: Stubborn sets for reduced state space generation (1989)"),
    guarantee: Guarantee::DEADLOCKS,
};

/// Accepts everything.
#[derive(Debug)]
pub struct Always;

pub(super) const ENTRY: CycleConditionEntry =
    CycleConditionEntry { part: &NO_CONDITION, for_faults: &Always, for_runs: None, avoid: None, default_for: &[] };

impl CycleCondition for Always {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn accepts(&self, _: &[Seen]) -> bool {
        true
    }
}
