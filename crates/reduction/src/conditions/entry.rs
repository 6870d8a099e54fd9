//! What is registered of a cycle condition.

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::{Facts, TransitionId};
use ample_stdx::BitSet;
use ample_transition::CycleCondition;

/// A cycle condition that can be chosen by name.
#[derive(Copy, Clone, Debug)]
pub struct CycleConditionEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// The condition in a search for faults.
    pub for_faults: &'static dyn CycleCondition,
    /// How it serves searches for infinite runs, if it does.
    pub for_runs: Option<ForRuns>,
    /// The transitions that candidates must not contain, if the condition is decided before the
    /// search.
    pub avoid: Option<Avoid>,
    /// The searches in which it is the condition if nobody names one.
    pub default_for: &'static [SearchKind],
}

/// Searches that differ in what a cycle condition has to do for them, or can find out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// For faults, depth first.
    FaultsDepthFirst,
    /// For faults, in another order.
    FaultsInAnyOrder,
    /// For infinite runs.
    Runs,
}

/// Adds to the transitions that candidates must not contain in any case those that they must not
/// contain because of the condition.
pub type Avoid = fn(&Network<'_>, &Facts, BitSet<TransitionId>) -> BitSet<TransitionId>;

impl CycleConditionEntry {
    /// Whether it looks at the path of a search for faults, so that only a depth-first search on
    /// one thread can use it.
    pub fn needs_path(&self) -> bool {
        self.for_faults.needs().path
    }
}

/// How a cycle condition serves a search for infinite runs, where the reduced set of a state must
/// not depend on the state of the automaton (theory.md 1.2).
#[derive(Copy, Clone, Debug)]
pub enum ForRuns {
    /// The reduced set depends on the state of the system alone.
    OnTheFly,
    /// The reduced sets are settled in a first pass over the system alone, with this condition, and
    /// then repeated.
    TwoPasses(&'static dyn CycleCondition),
}
