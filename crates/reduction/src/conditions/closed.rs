//! `closed`: a candidate is accepted if it leads to no state whose expansion has begun.
//!
//! On every cycle of the reduced system, the state whose expansion begins last is fully expanded:
//! C3. This is enough for liveness as well, if the search is one of the system alone.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{CycleCondition, Needs, Seen};

use super::entry::{CycleConditionEntry, ForRuns};

/// A cycle condition without a path, in any order.
pub static CLOSED: Part = Part {
    name: "closed",
    kind: PartKind::CycleCondition,
    summary: "a candidate is accepted if it leads to no state whose expansion has begun",
    paper: Some("Bošnački, Holzmann: Improving Spin's partial-order reduction for breadth-first search (SPIN 2005)"),
    guarantee: Guarantee::BRANCHING,
};

/// Accepts what leads only to states whose expansion has not begun.
#[derive(Debug)]
pub struct NoneBegun;

pub(super) const ENTRY: CycleConditionEntry = CycleConditionEntry {
    part: &CLOSED,
    for_faults: &NoneBegun,
    for_runs: Some(ForRuns::TwoPasses(&NoneBegun)),
    avoid: None,
    default_for: &[],
};

impl CycleCondition for NoneBegun {
    fn needs(&self) -> Needs {
        Needs { begun: true, settles_depth_first: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().all(|next| !next.is_begun)
    }
}
