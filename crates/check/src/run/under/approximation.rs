//! What a loop refines: an approximation that takes something in from run to run.

use ample_guarantee::Part;
use ample_model::LocationId;
use ample_network::facts::{InstanceId, TransitionId};
use ample_stdx::BitSet;

use crate::error::CheckError;
use crate::layers::reduction::ConfiguredReduction;
use crate::options::{Begin, Options};
use crate::plan::{self, Plan};
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

/// The plan with the sticky transitions kept apart, which is a condition that needs no search.
pub(super) fn sticky(options: &Options, plan: Plan) -> Result<Plan, CheckError> {
    let sticky = plan::cycle_condition(options, &ample_reduction::STICKY)?;
    Ok(match plan.reduction {
        Some((expander, _)) => plan.with_reduction(expander, sticky),
        None => plan,
    })
}

/// What is asked to be sensitive at first.
pub(super) fn begin(options: &Options) -> Option<Begin> {
    options.under.as_ref().and_then(|under| under.begin)
}

/// Where algorithms A and B come from.
pub(super) const BRIM: &str =
    "Brim, Černá, Moravec, Šimša: Under-approximation generation using partial order reduction (2005)";

/// A loop that can be chosen by name.
pub(super) struct Loop {
    pub part: &'static Part,
    /// Refuses options that do not go with it.
    pub refuse: fn(&Options) -> Result<(), CheckError>,
    /// The partial order reduction if nobody names one.
    pub expander: &'static Part,
    /// The plan of the exact approximation, which the loop comes to in the end, made of the one
    /// with the cycle condition that is asked for.
    pub exact: fn(&Options, Plan) -> Result<Plan, CheckError>,
    pub begin: for<'s, 'a> fn(Start<'s, 'a>) -> Box<dyn Approximation<'a> + 'a>,
}
