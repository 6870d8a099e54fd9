//! `open`: a candidate is accepted if it leads to a state that is still to be expanded.
//!
//! That a state is expanded is noted before its candidates are tested, so that in the order in
//! which expansions begin one of the states comes later: enough for safety, in any order of search
//! and on any number of threads.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::{CycleConditionEntry, SearchKind};

/// A cycle condition for safety, in any order.
pub static OPEN: Part = Part {
    name: "open",
    kind: PartKind::CycleCondition,
    summary: "a candidate is accepted if it leads to a state that is still to be expanded",
    paper: None,
    guarantee: Guarantee::SAFETY,
};

/// Accepts what leads to a state whose expansion has not begun.
#[derive(Debug)]
pub struct SomeOpen;

pub(super) const ENTRY: CycleConditionEntry = CycleConditionEntry {
    part: &OPEN,
    for_faults: &SomeOpen,
    for_runs: None,
    avoid: None,
    default_for: &[SearchKind::FaultsInAnyOrder],
};

impl CycleCondition for SomeOpen {
    fn needs(&self) -> Needs {
        Needs { begun: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().any(|next| next.is_open())
    }
}
