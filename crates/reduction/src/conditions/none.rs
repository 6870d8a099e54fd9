//! `none`: every candidate is accepted. Enough for deadlocks; with candidates that see to C3
//! themselves, also for the rest.

use ample_guarantee::parts;
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::CycleConditionEntry;

/// Accepts everything.
#[derive(Debug)]
pub struct Always;

pub(super) const ENTRY: CycleConditionEntry =
    CycleConditionEntry { part: &parts::NO_CONDITION, for_faults: &Always, for_runs: None, avoid: None };

impl CycleCondition for Always {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn accepts(&self, _: &[Seen]) -> bool {
        true
    }
}
