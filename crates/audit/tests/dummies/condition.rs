//! A candidate is accepted if all states that it leads to are new.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_reduction::{Always, CycleConditionEntry, ForRuns, SearchKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::part;

static ALL_NEW: Part = part("all-new", PartKind::CycleCondition, Guarantee::SAFETY);
static ANYTHING: Part = part("anything", PartKind::CycleCondition, Guarantee::STUTTERING);

pub const RIGHT: CycleConditionEntry = CycleConditionEntry {
    part: &ALL_NEW,
    for_faults: &AllNew,
    for_runs: None,
    avoid: None,
    default_for: &[SearchKind::FaultsDepthFirst, SearchKind::FaultsInAnyOrder],
};

/// What is left out may be left out for ever.
pub const WRONG: CycleConditionEntry = CycleConditionEntry {
    part: &ANYTHING,
    for_faults: &Always,
    for_runs: Some(ForRuns::OnTheFly),
    avoid: None,
    default_for: &[],
};

#[derive(Debug)]
struct AllNew;

impl CycleCondition for AllNew {
    fn needs(&self) -> Needs {
        Needs { new: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().all(|next| next.is_new)
    }
}
