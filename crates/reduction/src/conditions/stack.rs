//! `stack`: the cycle condition of depth-first search on one thread, which looks at the path of the
//! search.
//!
//! In a search for faults a candidate is accepted if not all of its states are on the path: the
//! first of the others is left earlier than the state itself, and so on to a fully expanded state.
//! For infinite runs none of its states may be on the path, which is C3, if the path is one of the
//! system alone.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::{CycleConditionEntry, ForRuns, SearchKind};

/// The cycle condition of depth-first search. For infinite runs no state may be on the path, in a
/// pass of its own.
pub static STACK: Part = Part {
    name: "stack",
    kind: PartKind::CycleCondition,
    summary: "a candidate is accepted if it leads to a state that is not on the path of the search",
    paper: Some("Holzmann and Peled: An improvement in formal verification (FORTE 1994)"),
    guarantee: Guarantee::BRANCHING,
};

/// Accepts what leads to a state that is not on the path.
#[derive(Debug)]
pub struct SomeOffPath;

/// Accepts what leads only to states that are not on the path.
#[derive(Debug)]
pub struct NoneOnPath;

pub(super) const ENTRY: CycleConditionEntry = CycleConditionEntry {
    part: &STACK,
    for_faults: &SomeOffPath,
    for_runs: Some(ForRuns::TwoPasses(&NoneOnPath)),
    avoid: None,
    default_for: &[SearchKind::FaultsDepthFirst],
};

const NEEDS_PATH: Needs = Needs { new: false, begun: false, path: true, settles_depth_first: true };

impl CycleCondition for SomeOffPath {
    fn needs(&self) -> Needs {
        NEEDS_PATH
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().any(|next| !next.is_on_path)
    }
}

impl CycleCondition for NoneOnPath {
    fn needs(&self) -> Needs {
        NEEDS_PATH
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().all(|next| !next.is_on_path)
    }
}
