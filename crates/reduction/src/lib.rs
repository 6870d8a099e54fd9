//! Reductions: one file per expander, one line each in [`EXPANDERS`]; one file per cycle condition,
//! one line each in [`CYCLE_CONDITIONS`]; sleep sets in [`SLEEP_SETS`]; passes in [`PASSES`],
//! canonizers in [`CANONIZERS`], covers in [`COVERS`], foresights in [`FORESIGHTS`];
//! classes of states in [`CLASSES`].
//!
//! An expander offers candidates for the reduced set of a state, by the static facts of the
//! network; a cycle condition accepts a candidate or not. What each needs and preserves is in its
//! descriptor. Decorators stand before an expander: [`VisibilityFilter`], [`SpeculativeExpander`],
//! [`CountingExpander`], [`RecordPass`] and [`ReplayPass`].

mod ample;
mod canonizers;
mod classes;
mod conditions;
mod confluent;
mod confluent_chain;
mod control;
mod control_flow;
mod counting_expander;
mod covers;
mod deletion;
mod fair;
mod foresight;
mod interleaving;
mod joined;
mod liveness;
mod lookup;
mod passes;
mod progress;
mod record_replay;
mod reduced;
mod seen;
mod sensitive;
mod simultaneous;
mod speculative_expander;
mod state_view;
mod static_ample;
mod static_independence;
mod stubborn;
mod tables;
mod views;
mod visibility_filter;
mod visible;

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{Expander, Independence};

use confluent_chain::ConfluentChains;
use simultaneous::Combinations;

pub use ample::{AMPLE, AmpleSets};
pub use canonizers::{
    CANONIZERS, CanonizerEntry, Close, DEAD_GLOBALS, DeadThings, EquivalentValues, LINEAR, LinearSets, MakeCanonizer,
    SYMMETRY, SYMMETRY_SORT, SpeculativeCanonizer, Symmetries, VALUES,
};
pub use classes::{ACYCLIC, ACYCLIC_EXACT, Acyclicity, CLASSES, ClassesEntry, MakeClasses};
pub use conditions::{
    Always, Avoid, CLOSED, CYCLE_CONDITIONS, CycleConditionEntry, ForRuns, NEW, NO_CONDITION, NoneBegun, NoneOnPath,
    OPEN, STACK, STICKY, SearchKind, SomeNew, SomeOffPath, SomeOpen, sticky,
};
pub use confluent::{CONFLUENT, Confluent};
pub use confluent_chain::CONFLUENT_CHAIN;
pub use counting_expander::{CountingExpander, Notes};
pub use covers::{COVERS, CoverEntry, DOMINATE, DominatingValues, MakeCover};
pub use deletion::{DELETION, Deletion};
pub use fair::changing_others;
pub use foresight::{BORING, DOOMED, FORESIGHTS, FindOut, Foreknowledge, ForesightEntry, Foresights, LooksFor};
pub use interleaving::{Exact, Interleaving, Schedule, Turn, Turns};
pub use joined::Join;
pub use passes::{
    Back, DEAD, DeadVariables, MERGE, PASSES, PROGRAM_COUNTERS, PassEntry, PassedLocations, ProgramCounters, Rewrite,
    Rewritten, SLICE, SameMoves, Slice, TemplateOf,
};
pub use record_replay::{RecordPass, ReplayPass};
pub use reduced::Reduced;
pub use sensitive::on_insensitive_cycles;
pub use simultaneous::SIMULTANEOUS;
pub use speculative_expander::SpeculativeExpander;
pub use static_ample::{STATIC, StaticAmple};
pub use static_independence::{SLEEP, StaticIndependence};
pub use stubborn::{STUBBORN, StubbornSets};
pub use visibility_filter::VisibilityFilter;
pub use visible::{NotHere, Visible};

/// Prepares an expander for a network.
pub type MakeExpander = for<'n> fn(&'n Network<'n>, &'n Facts) -> Box<dyn Expander + 'n>;

/// An expander that can be chosen by name.
#[derive(Debug)]
pub struct ExpanderEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it is considered where reductions are left to us.
    pub is_automatic: bool,
    /// Prepares it for a network.
    pub make: MakeExpander,
    /// If several transitions that follow each other are taken as one: makes such a system, on
    /// which a search takes all transitions. Which states are passed is settled by the state alone.
    pub join: Option<Join>,
}

/// All expanders; the first is the default. Of those that are automatic, the cheaper ones come
/// first, and the later ones leave out at least as much.
pub static EXPANDERS: &[ExpanderEntry] = &[
    ExpanderEntry {
        part: &STATIC,
        is_automatic: true,
        make: |network, facts| Box::new(StaticAmple::new(network, facts)),
        join: None,
    },
    ExpanderEntry {
        part: &AMPLE,
        is_automatic: false,
        make: |network, facts| Box::new(AmpleSets::new(network, facts)),
        join: None,
    },
    ExpanderEntry {
        part: &STUBBORN,
        is_automatic: true,
        make: |network, facts| Box::new(StubbornSets::new(network, facts)),
        join: None,
    },
    ExpanderEntry {
        part: &DELETION,
        is_automatic: false,
        make: |network, facts| Box::new(Deletion::new(network, facts)),
        join: None,
    },
    ExpanderEntry {
        part: &CONFLUENT,
        is_automatic: false,
        make: |network, facts| Box::new(Confluent::new(network, facts)),
        join: None,
    },
    ExpanderEntry {
        part: &CONFLUENT_CHAIN,
        is_automatic: false,
        make: |network, facts| Box::new(Confluent::new(network, facts)),
        join: Some(|system, expander| Box::new(ConfluentChains { system, expander })),
    },
    ExpanderEntry {
        part: &SIMULTANEOUS,
        is_automatic: false,
        make: |network, facts| Box::new(StubbornSets::new(network, facts)),
        join: Some(|system, expander| Box::new(Combinations { system, expander })),
    },
];

/// Prepares the independence relation of sleep sets for a network.
pub type MakeIndependence = for<'n> fn(&'n Network<'n>, &'n Facts) -> Box<dyn Independence + 'n>;

/// Sleep sets that can be chosen by name, each with its independence relation.
#[derive(Debug)]
pub struct SleepEntry {
    /// Their name and what they preserve.
    pub part: &'static Part,
    /// Prepares them for a network.
    pub make: MakeIndependence,
}

/// All sleep sets.
pub static SLEEP_SETS: &[SleepEntry] =
    &[SleepEntry { part: &SLEEP, make: |network, facts| Box::new(StaticIndependence::new(network, facts)) }];
