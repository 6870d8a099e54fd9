//! `new`: a candidate is accepted if its expansion adds at least one state to the store.
//!
//! The order in which states are added is well founded, so that from every state a fully expanded
//! one can be reached: enough for safety, in any order of search and on any number of threads.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::CycleConditionEntry;

/// A cycle condition for safety, in any order.
pub static NEW: Part = Part {
    name: "new",
    kind: PartKind::CycleCondition,
    summary: "a candidate is accepted if it leads to a state that was not there yet",
    paper: None,
    guarantee: Guarantee::SAFETY,
};

/// Accepts what leads to a new state.
#[derive(Debug)]
pub struct SomeNew;

pub(super) const ENTRY: CycleConditionEntry =
    CycleConditionEntry { part: &NEW, for_faults: &SomeNew, for_runs: None, avoid: None, default_for: &[] };

impl CycleCondition for SomeNew {
    fn needs(&self) -> Needs {
        Needs { new: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().any(|next| next.is_new)
    }
}
