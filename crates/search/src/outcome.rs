//! What a search found, and how it ended.

use ample_transition::{ClassCounts, Fault, Store, Trace};

use crate::Limit;

/// How much was explored.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The states that were visited: stored, at one time at least.
    pub states: u64,
    /// How many of them are stored no more, because others cover them.
    pub covered: u64,
    /// The transitions that lead from a stored state to a stored state. The initial state is not
    /// counted as reached.
    pub transitions: u64,
    /// The steps inside these transitions that were passed through without storing a state.
    pub atomic_steps: u64,
    /// The states from which there are so many paths through `atomic` sequences that the different
    /// ends of these are counted as transitions, and not the paths.
    pub merged_states: u64,
    /// The number of transitions on the longest path that the search held (depth first) or to the
    /// last level (breadth first); in blocks, how many blocks were opened one from the other: no
    /// state is farther away than that.
    pub depth: u64,
}

/// Why a search ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything was explored.
    Complete,
    /// A violation was found and one was enough.
    FirstViolation,
    /// A limit cut something off.
    Limit(Limit),
    /// It was interrupted: by the user, or because somebody who looked at it gave it up.
    Interrupted,
    /// The store would not take another state.
    StoreFull,
    /// An assumption of the search turned out to be wrong: its outcome means nothing.
    AssumptionFailed,
}

impl Counts {
    /// The states that are stored in the end.
    pub fn stored(&self) -> u64 {
        self.states - self.covered
    }
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What went wrong.
    pub fault: Fault,
    /// The trace to it, the faulty transition included.
    pub trace: Trace,
    /// The trace that the search itself has found, if `trace` is a shorter one.
    pub longer: Option<Trace>,
}

impl Found {
    /// A violation with the trace that the search has found.
    pub(crate) fn new(fault: Fault, trace: Trace) -> Self {
        Found { fault, trace, longer: None }
    }
}

/// A violation to which no trace was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untraced {
    /// What went wrong.
    pub fault: Fault,
    /// Why there is none: time or memory ran out, or the user interrupted the search.
    pub why: Ended,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// How much was explored.
    pub counts: Counts,
    /// Why it ended.
    pub ended: Ended,
    /// The violations, in the order in which they were found.
    pub violations: Vec<Found>,
    /// The violations to which no trace was found.
    pub untraced: Vec<Untraced>,
    /// How long it took, the making of traces included.
    pub seconds: f64,
    /// The bytes that store, stack and buffers held at most.
    pub memory: u64,
    /// The bytes that the store held in the end.
    pub store_memory: u64,
    /// How often the store laid out keys anew.
    pub relayouts: u64,
    /// The probability that a state was missed, if the store may confuse states.
    pub omission_probability: Option<f64>,
    /// How many states machine code has left to the interpreter.
    pub interpreted_states: u64,
    /// The classes of states, if it computed some.
    pub classes: Option<ClassCounts>,
    /// A move that was not taken because its value is beyond 64 bits: of several the first by
    /// place, so that it does not depend on the order of the search.
    pub value_limit: Option<Box<Fault>>,
    /// What the workers did with their time; none if there is one only.
    pub workers: Vec<WorkerTime>,
}

/// How a worker spent its time.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct WorkerTime {
    /// Seconds of work.
    pub busy: f64,
    /// Seconds of waiting for work.
    pub idle: f64,
}

impl SearchOutcome {
    /// Adds what the store says of itself.
    pub(crate) fn with(self, facts: StoreFacts) -> Self {
        let StoreFacts { omission_probability, memory: store_memory, relayouts, covered } = facts;
        let counts = Counts { covered, ..self.counts };
        SearchOutcome { counts, omission_probability, store_memory, relayouts, ..self }
    }

    /// The outcome of a search that could not begin: there was no memory for the store.
    pub fn not_begun() -> Self {
        SearchOutcome {
            counts: Counts::default(),
            ended: Ended::StoreFull,
            violations: Vec::new(),
            untraced: Vec::new(),
            seconds: 0.0,
            memory: 0,
            store_memory: 0,
            relayouts: 0,
            omission_probability: None,
            interpreted_states: 0,
            classes: None,
            value_limit: None,
            workers: Vec::new(),
        }
    }
}

/// What a store says of itself when the search is over.
pub(crate) struct StoreFacts {
    omission_probability: Option<f64>,
    memory: u64,
    relayouts: u64,
    covered: u64,
}

impl StoreFacts {
    pub fn of(store: &dyn Store) -> Self {
        StoreFacts {
            omission_probability: store.omission_probability(),
            memory: store.memory() as u64,
            relayouts: store.relayouts(),
            covered: store.covered(),
        }
    }

    /// What several stores of one search say: if one of them confuses states, the search does.
    pub fn of_all<'s>(stores: impl IntoIterator<Item = &'s dyn Store>) -> Self {
        let none = StoreFacts { omission_probability: None, memory: 0, relayouts: 0, covered: 0 };
        stores.into_iter().map(StoreFacts::of).fold(none, |one, other| StoreFacts {
            omission_probability: match (one.omission_probability, other.omission_probability) {
                (Some(one), Some(other)) => Some((one + other).min(1.0)),
                (one, other) => one.or(other),
            },
            memory: one.memory + other.memory,
            relayouts: one.relayouts + other.relayouts,
            covered: one.covered + other.covered,
        })
    }
}
