//! The techniques that can be chosen by name.

use ample_guarantee::{Omission, Part};
use ample_reduction::{
    CANONIZERS, CLASSES, COVERS, CYCLE_CONDITIONS, CanonizerEntry, ClassesEntry, CoverEntry, CycleConditionEntry,
    EXPANDERS, ExpanderEntry, FORESIGHTS, ForesightEntry, PASSES, PassEntry, SLEEP_SETS, SleepEntry,
};
use ample_store::{STORES, StoreEntry};

/// The registries: plans, `auto`, `audit` and the matrix of guarantees walk them, and nothing else
/// names a technique. All that there are, unless a test adds one.
#[derive(Copy, Clone, Debug)]
pub struct Techniques {
    /// Models are rewritten by these, in this order.
    pub passes: &'static [PassEntry],
    /// States have canonical forms by these, in this order.
    pub canonizers: &'static [CanonizerEntry],
    /// What chooses among transitions; the first is the default.
    pub expanders: &'static [ExpanderEntry],
    /// When a reduced set is accepted.
    pub cycle_conditions: &'static [CycleConditionEntry],
    /// By what transitions sleep.
    pub sleep_sets: &'static [SleepEntry],
    /// By what states need not be explored because others can do whatever they can.
    pub covers: &'static [CoverEntry],
    /// Who knows what lies ahead of states.
    pub foresights: &'static [ForesightEntry],
    /// Classes of states, by the order that computes them.
    pub classes: &'static [ClassesEntry],
    /// How states are remembered; the first is the default.
    pub stores: &'static [StoreEntry],
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques {
            passes: PASSES,
            canonizers: CANONIZERS,
            expanders: EXPANDERS,
            cycle_conditions: CYCLE_CONDITIONS,
            sleep_sets: SLEEP_SETS,
            covers: COVERS,
            foresights: FORESIGHTS,
            classes: CLASSES,
            stores: STORES,
        }
    }
}

impl Techniques {
    /// Whether the store with this name may take a state for another.
    pub fn may_miss_states(&self, store: &str) -> bool {
        let is_lossy = |entry: &StoreEntry| entry.part.guarantee.omission != Omission::None;
        self.stores.iter().any(|entry| entry.part.name == store && is_lossy(entry))
    }

    /// Those that reduce, as parts: passes, expanders, cycle conditions, sleep sets, canonizers,
    /// covers, foresights.
    pub fn reductions(&self) -> impl Iterator<Item = &'static Part> + use<> {
        let passes = self.passes.iter().map(|entry| entry.part);
        let canonizers = self.canonizers.iter().map(|entry| entry.part);
        passes
            .chain(self.expanders.iter().map(|entry| entry.part))
            .chain(self.cycle_conditions.iter().map(|entry| entry.part))
            .chain(self.sleep_sets.iter().map(|entry| entry.part))
            .chain(canonizers)
            .chain(self.covers.iter().map(|entry| entry.part))
            .chain(self.foresights.iter().map(|entry| entry.part))
    }
}
