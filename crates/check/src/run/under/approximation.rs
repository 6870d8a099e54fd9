//! What a loop refines: an approximation that takes something in from run to run.

use ample_guarantee::Part;
use ample_model::LocationId;
use ample_network::facts::{InstanceId, TransitionId};
use ample_stdx::BitSet;

use crate::layers::reduction::ConfiguredReduction;
use crate::options::{Begin, Choice, Options};
use crate::plan::Plan;
use crate::question::Goal;
use crate::system::Reducible;

/// What a reduced search takes, and what it lacks.
pub(super) trait Approximation<'a> {
    /// What chooses among transitions in the next run.
    fn chosen(&self) -> Option<ConfiguredReduction<'a>>;

    /// What is between this and an exact approximation; nothing if it is exact. These transitions
    /// are `spared`: they never were in a proper subset in the last run, so that they count as if
    /// they were kept out of them.
    fn missing(&self, spared: &BitSet<TransitionId>) -> Vec<Missing>;

    /// Lets something in.
    fn add(&mut self, what: What);
}

/// Something that an exact approximation would not leave out.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    pub what: What,
    pub reason: &'static str,
    /// Whether it is among those that are enough. Others may be picked at random, as the paper
    /// does.
    pub is_needed: bool,
    /// How much it concerns the property.
    pub weight: usize,
}

/// What is let in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A transition becomes sensitive.
    Transition(TransitionId),
    /// A location becomes interleaving.
    Location(InstanceId, LocationId),
}

/// What a loop begins with.
pub(super) struct Start<'s, 'a> {
    pub options: &'s Options,
    pub plan: &'s Plan,
    pub known: Reducible<'a>,
    pub goal: &'s Goal,
}

/// What is asked to be sensitive at first.
pub(super) fn begin(options: &Options) -> Option<Begin> {
    options.under.as_ref().and_then(|under| under.begin)
}

/// The options with the partial order reduction that is asked for, else with this one.
pub(super) fn with_expander(options: &Options, default: &'static Part) -> Options {
    let por = if options.por == Choice::Auto { Choice::parse(default.name) } else { options.por.clone() };
    Options { por, ..options.clone() }
}
