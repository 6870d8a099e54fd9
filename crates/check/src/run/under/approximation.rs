//! What a loop refines: an approximation that takes something in from search to search.

use ample_guarantee::Part;
use ample_model::{EdgeId, LocationId};
use ample_network::facts::{InstanceId, TransitionId, instance_name};
use ample_reduction::Notes;
use ample_search::Found;
use ample_stdx::{BitSet, IndexVec};

use crate::error::CheckError;
use crate::layers::SearchLayers;
use crate::options::{Begin, Options};
use crate::plan::Plan;
use crate::question::Goal;
use crate::run::iteration::{Added, Round};
use crate::system::{Reducible, System};

/// An approximation of a system that is refined from search to search.
pub trait Approximation<'a> {
    /// The layers of the next search.
    fn layers(&self) -> SearchLayers<'a>;

    /// Why it cannot go on after the last search, if it cannot: what helps it has failed.
    fn failure(&mut self) -> Option<CheckError> {
        None
    }

    /// Whether the last search left nothing out that matters.
    fn is_exact(&self, missing: &[Missing]) -> bool {
        missing.is_empty()
    }

    /// What is to be told of the last search besides, if it decided by predicates.
    fn round(&self) -> Option<Round> {
        None
    }

    /// How much of what is missing comes next.
    fn takes(&self) -> Takes {
        Takes::Picked
    }

    /// Tells what the last search saw.
    fn saw(&mut self, seen: &Saw<'_>);

    /// What is between this and an exact approximation, after what was seen; nothing if it is
    /// exact.
    fn missing(&self) -> Vec<Missing>;

    /// What that is, for people.
    fn describe(&self, missing: &Missing) -> Added;

    /// Takes something in.
    fn add(&mut self, what: What);
}

/// How much of what is missing comes next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// What is picked.
    Picked,
    /// All of it.
    All,
}

/// What a search saw.
pub struct Saw<'s> {
    /// How often each transition was in a proper subset of those enabled; nothing where all are
    /// taken.
    pub notes: Option<&'s Notes>,
    /// The transitions that count as if they were kept out of proper subsets: the search never had
    /// them in one.
    pub spared: BitSet<TransitionId>,
    /// Runs that it found and that the system does not have.
    pub spurious: &'s [Found],
}

/// Something that an exact approximation would not leave out.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What.
    pub what: What,
    /// Why, in reports.
    pub reason: &'static str,
    /// Whether it is among those that are enough. Others may be picked at random, as the paper
    /// does.
    pub is_needed: bool,
    /// How much it concerns the property.
    pub weight: usize,
    /// How much the last search would have been another one with it.
    pub taken: u64,
}

/// Something that can be taken in, by a number that means something to the approximation alone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct What(pub usize);

/// What a loop begins with whose approximations leave out transitions.
pub struct Start<'s, 'a> {
    /// The options of the search.
    pub options: &'s Options,
    /// The plan of the exact approximation.
    pub(crate) plan: &'s Plan,
    /// What is known of the system.
    pub known: Reducible<'a>,
    /// What is looked for.
    pub goal: &'s Goal,
}

/// What a loop begins with whose approximations take states for one.
pub struct StatesStart<'s, 'a> {
    /// The options of the search.
    pub options: &'s Options,
    /// The system.
    pub system: &'s System<'a>,
    /// What is looked for.
    pub goal: &'s Goal,
}

/// A loop that can be chosen by name.
pub struct Loop {
    /// Its name, and what it preserves before it is exact.
    pub part: &'static Part,
    /// Refuses options that do not go with it.
    pub refuse: fn(&Options) -> Result<(), CheckError>,
    /// What its approximations leave out.
    pub leaves_out: LeavesOut,
}

/// What the approximations of a loop leave out.
pub enum LeavesOut {
    /// Transitions, as a partial order reduction does that goes too far.
    Transitions {
        /// The partial order reduction if nobody names one.
        expander: &'static Part,
        /// The cycle condition of the exact approximation, which the loop comes to in the end.
        ends: Ends,
        /// The first approximation.
        begin: for<'s, 'a> fn(Start<'s, 'a>) -> Box<dyn Approximation<'a> + 'a>,
    },
    /// States that are taken for others.
    States {
        /// Refuses systems and questions that it cannot be used for.
        check: fn(StatesStart<'_, '_>) -> Result<(), CheckError>,
        /// The first approximation, or why there is none.
        begin: for<'s, 'a> fn(StatesStart<'s, 'a>) -> Result<Box<dyn Approximation<'a> + 'a>, CheckError>,
    },
}

/// The cycle condition of an exact approximation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The one that is asked for.
    AsAsked,
    /// Sticky transitions, which needs no search.
    Sticky,
    /// The same for runs; for faults the one that is asked for.
    StickyForRuns,
}

/// What is asked to be sensitive at first.
pub(super) fn begin(options: &Options) -> Option<Begin> {
    options.under.as_ref().and_then(|under| under.begin)
}

/// Where algorithms A and B come from.
pub(super) const BRIM: &str =
    "Brim, Černá, Moravec, Šimša: Under-approximation generation using partial order reduction (2005)";

/// What the last search did with transitions.
#[derive(Default)]
pub(super) struct Recent {
    pub spared: BitSet<TransitionId>,
    taken: IndexVec<TransitionId, u64>,
}

impl Recent {
    pub fn of(known: Reducible<'_>, seen: &Saw<'_>) -> Recent {
        let taken = |id| seen.notes.map_or(0, |notes| notes.taken(id));
        let taken = known.facts().transitions().ids().map(taken).collect();
        Recent { spared: seen.spared.clone(), taken }
    }

    /// How often this was taken in proper subsets.
    pub fn taken(&self, id: TransitionId) -> u64 {
        self.taken.get(id).copied().unwrap_or_default()
    }
}

/// A transition, by its first statement.
pub(super) fn describe_transition(known: Reducible<'_>, id: TransitionId, reason: &'static str) -> Added {
    let first = known.facts().transitions()[id].identity.first;
    describe_edge(known, first.instance, Some(first.edge), reason)
}

/// A location, by the first statement that begins there.
pub(super) fn describe_location(
    known: Reducible<'_>,
    instance: InstanceId,
    location: LocationId,
    reason: &'static str,
) -> Added {
    let edge = known.network.template(instance).locations[location].edges.first().copied();
    describe_edge(known, instance, edge, reason)
}

fn describe_edge(known: Reducible<'_>, instance: InstanceId, edge: Option<EdgeId>, reason: &'static str) -> Added {
    let edge = edge.map(|edge| &known.network.template(instance).edges[edge]);
    Added {
        process: instance_name(known.network, instance),
        statement: edge.map(|edge| edge.text.clone()).unwrap_or_default(),
        span: edge.map(|edge| edge.span).unwrap_or_default(),
        predicate: None,
        reason,
    }
}
