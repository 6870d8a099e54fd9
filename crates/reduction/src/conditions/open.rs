//! `open`: a candidate is accepted if it leads to a state that is still to be expanded.
//!
//! That a state is expanded is noted before its candidates are tested, so that in the order in
//! which expansions begin one of the states comes later: enough for safety, in any order of search
//! and on any number of threads.

use ample_guarantee::parts;
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::CycleConditionEntry;

/// Accepts what leads to a state whose expansion has not begun.
#[derive(Debug)]
pub struct SomeOpen;

pub(super) const ENTRY: CycleConditionEntry =
    CycleConditionEntry { part: &parts::OPEN, for_faults: &SomeOpen, for_runs: None, avoid: None };

impl CycleCondition for SomeOpen {
    fn needs(&self) -> Needs {
        Needs { begun: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().any(|next| next.is_open())
    }
}
