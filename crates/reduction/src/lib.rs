//! Reductions: one file per expander, one line each in [`EXPANDERS`]; one file per cycle condition,
//! one line each in [`CYCLE_CONDITIONS`]; sleep sets in [`SLEEP_SETS`].
//!
//! An expander chooses among the transitions that leave a state, by what is known of the network
//! before the search; a cycle condition says whether the choice is accepted. What each needs and
//! preserves is in its descriptor.

mod according;
mod ample;
mod avoiding;
mod conditions;
mod control_flow;
mod decided;
mod deletion;
mod fair;
mod fitting;
mod interleaving;
mod noting;
mod reduced;
mod remembered;
mod sensitive;
mod static_ample;
mod stubborn;
mod tables;
mod view;

use ample_guarantee::Part;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{Expander, Independence};

pub use according::{According, SLEEP};
pub use ample::{AMPLE, AmpleSets};
pub use avoiding::Avoiding;
pub use conditions::{
    Always, Avoid, CLOSED, CYCLE_CONDITIONS, CycleConditionEntry, ForRuns, NEW, NO_CONDITION, NoneBegun, NoneOnPath,
    OPEN, STACK, STICKY, SomeNew, SomeOffPath, SomeOpen, sticky,
};
pub use decided::{Decided, Deciding};
pub use deletion::{DELETION, Deletion};
pub use fair::changing_others;
pub use fitting::WhileItFits;
pub use interleaving::{Interleaving, Turn, Turns};
pub use noting::{Notes, Noting};
pub use reduced::Reduced;
pub use sensitive::on_insensitive_cycles;
pub use static_ample::{STATIC, StaticAmple};
pub use stubborn::{STUBBORN, StubbornSets};

/// Prepares an expander for a network.
pub type MakeExpander = for<'n> fn(&'n Network<'n>, &'n Facts) -> Box<dyn Expander + 'n>;

/// An expander that can be chosen by name.
#[derive(Debug)]
pub struct ExpanderEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Prepares it for a network.
    pub make: MakeExpander,
}

/// All expanders that leave something out; the first is the default.
pub static EXPANDERS: &[ExpanderEntry] = &[
    ExpanderEntry { part: &STATIC, make: |network, facts| Box::new(StaticAmple::new(network, facts)) },
    ExpanderEntry { part: &AMPLE, make: |network, facts| Box::new(AmpleSets::new(network, facts)) },
    ExpanderEntry { part: &STUBBORN, make: |network, facts| Box::new(StubbornSets::new(network, facts)) },
    ExpanderEntry { part: &DELETION, make: |network, facts| Box::new(Deletion::new(network, facts)) },
];

/// Prepares what sleep sets must know of a network: which of its transitions are independent.
pub type MakeIndependence = for<'n> fn(&'n Network<'n>, &'n Facts) -> Box<dyn Independence + 'n>;

/// Sleep sets that can be chosen by name, by what is independent for them.
#[derive(Debug)]
pub struct SleepEntry {
    /// Their name and what they preserve.
    pub part: &'static Part,
    /// Prepares them for a network.
    pub make: MakeIndependence,
}

/// All sleep sets.
pub static SLEEP_SETS: &[SleepEntry] =
    &[SleepEntry { part: &SLEEP, make: |network, facts| Box::new(According::new(network, facts)) }];
