//! Reductions: one file per expander, one line each in [`EXPANDERS`].
//!
//! An expander chooses among the transitions that leave a state, by what is known of the network before the search. What each needs
//! and preserves is in its descriptor.

mod according;
mod ample;
mod avoiding;
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
mod sticky;
mod stubborn;
mod tables;
mod view;

use ample_guarantee::{Part, parts};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{CycleCondition, Expander};

pub use according::According;
pub use ample::AmpleSets;
pub use avoiding::Avoiding;
pub use decided::{Decided, Deciding};
pub use deletion::Deletion;
pub use fair::changing_others;
pub use fitting::WhileItFits;
pub use interleaving::{Interleaving, Turn, Turns};
pub use noting::{Notes, Noting};
pub use reduced::Reduced;
pub use sensitive::on_insensitive_cycles;
pub use static_ample::StaticAmple;
pub use sticky::sticky;
pub use stubborn::StubbornSets;

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
    ExpanderEntry { part: &parts::STATIC, make: |network, facts| Box::new(StaticAmple::new(network, facts)) },
    ExpanderEntry { part: &parts::AMPLE, make: |network, facts| Box::new(AmpleSets::new(network, facts)) },
    ExpanderEntry { part: &parts::STUBBORN, make: |network, facts| Box::new(StubbornSets::new(network, facts)) },
    ExpanderEntry { part: &parts::DELETION, make: |network, facts| Box::new(Deletion::new(network, facts)) },
];

/// A cycle condition that can be chosen by name.
#[derive(Debug)]
pub struct CycleConditionEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// What a search for faults has to look at.
    pub for_faults: CycleCondition,
    /// How it serves searches for endless runs, if it does.
    pub for_runs: Option<ForRuns>,
    /// Whether it looks at the path of the search, so that only a depth-first search on one thread can use it.
    pub needs_path: bool,
    /// Whether sticky transitions are left out of the candidates.
    pub is_sticky: bool,
}

/// How a cycle condition serves a search for endless runs: choices must not depend on the product.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ForRuns {
    /// The choice depends on the state of the system alone.
    OnTheFly,
    /// The choices are made in a search of the system alone, with this condition, and then repeated.
    TwoPasses(CycleCondition),
}

/// All cycle conditions. Which is the default depends on what is searched, and how.
pub static CYCLE_CONDITIONS: &[CycleConditionEntry] = &[
    CycleConditionEntry {
        part: &parts::NEW,
        for_faults: CycleCondition::New,
        for_runs: None,
        needs_path: false,
        is_sticky: false,
    },
    CycleConditionEntry {
        part: &parts::STICKY,
        for_faults: CycleCondition::None,
        for_runs: Some(ForRuns::OnTheFly),
        needs_path: false,
        is_sticky: true,
    },
    CycleConditionEntry {
        part: &parts::STACK,
        for_faults: CycleCondition::NotAllOnStack,
        for_runs: Some(ForRuns::TwoPasses(CycleCondition::NoneOnStack)),
        needs_path: true,
        is_sticky: false,
    },
    CycleConditionEntry {
        part: &parts::OPEN,
        for_faults: CycleCondition::NotAllBegun,
        for_runs: None,
        needs_path: false,
        is_sticky: false,
    },
    CycleConditionEntry {
        part: &parts::CLOSED,
        for_faults: CycleCondition::NoneBegun,
        for_runs: Some(ForRuns::TwoPasses(CycleCondition::NoneBegun)),
        needs_path: false,
        is_sticky: false,
    },
    CycleConditionEntry {
        part: &parts::NO_CONDITION,
        for_faults: CycleCondition::None,
        for_runs: None,
        needs_path: false,
        is_sticky: false,
    },
];
