//! Reductions: one file per expander, one line each in [`EXPANDERS`].
//!
//! An expander chooses among the transitions that leave a state, by what is known of the network before the search. What each needs
//! and preserves is in its descriptor.

mod fitting;
mod static_ample;
mod view;

use ample_guarantee::{Part, parts};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{CycleCondition, Expander};

pub use fitting::WhileItFits;
pub use static_ample::StaticAmple;

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
pub static EXPANDERS: &[ExpanderEntry] =
    &[ExpanderEntry { part: &parts::STATIC, make: |network, facts| Box::new(StaticAmple::new(network, facts)) }];

/// A cycle condition that can be chosen by name.
#[derive(Debug)]
pub struct CycleConditionEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// What a search has to look at.
    pub condition: CycleCondition,
    /// Whether it looks at the path of the search, so that only a depth-first search on one thread can use it.
    pub needs_path: bool,
}

/// All cycle conditions; the first is the default.
pub static CYCLE_CONDITIONS: &[CycleConditionEntry] = &[
    CycleConditionEntry { part: &parts::NEW, condition: CycleCondition::New, needs_path: false },
    CycleConditionEntry { part: &parts::STACK, condition: CycleCondition::NotAllOnStack, needs_path: true },
];
