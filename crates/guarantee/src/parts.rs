//! Parts that belong to no registry of their own: executions, bounds, and what stands where nothing
//! is reduced. All others stand beside what implements them.

use crate::{ClassSet, Guarantee, Omission, Part, PartKind};

impl Part {
    /// Whether it changes what is explored or remembered, so that a report must name it.
    pub fn is_reduction(&self) -> bool {
        match self.kind {
            PartKind::Expander => *self != ALL_TRANSITIONS,
            PartKind::Canonizer => *self != IDENTITY,
            PartKind::Pass | PartKind::CycleCondition | PartKind::Sleep | PartKind::Under => true,
            PartKind::Cover | PartKind::Foresight => true,
            // An order that loses something explores less.
            PartKind::Order => self.guarantee != Guarantee::EXACT,
            PartKind::Successors | PartKind::Store | PartKind::Emptiness | PartKind::Bound => false,
        }
    }
}

/// The reference semantics.
pub static INTERPRETER: Part = Part {
    name: "interpret",
    kind: PartKind::Successors,
    summary: "the meaning of the model, step by step, without compilation",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// The network as machine code; tests hold it equal to the interpreter, transition by transition.
pub static MACHINE_CODE: Part = Part {
    name: "jit",
    kind: PartKind::Successors,
    summary: "the processes as machine code, made when the model is read",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// No reduction of transitions.
pub static ALL_TRANSITIONS: Part = Part {
    name: "all",
    kind: PartKind::Expander,
    summary: "every enabled transition is explored",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// No reduction of states.
pub static IDENTITY: Part = Part {
    name: "identity",
    kind: PartKind::Canonizer,
    summary: "every state is remembered as it is",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// The depth bound was reached.
pub static MAX_DEPTH: Part =
    bound("max-depth", "no transition beyond a given depth is taken", "the depth limit was reached");

/// The bound on states was reached.
pub static MAX_STATES: Part =
    bound("max-states", "at most a given number of states is stored", "the limit on states was reached");

/// The time was up.
pub static MAX_TIME: Part = bound("max-time", "the search ends after a given time", "the time limit was reached");

/// The memory was used up.
pub static MAX_MEMORY: Part =
    bound("max-memory", "the search ends when a given amount of memory is in use", "the memory limit was reached");

/// A value was beyond 64 bits.
pub static VALUES: Part =
    bound("values-64", "no move is taken whose value is beyond 64 bits", "a value was beyond 64 bits");

/// The store has reached the end of what it can number or address, whatever memory there is.
pub static STORE_FULL: Part =
    bound("store-full", "the search ends when the store can take no more states", "the store is full");

/// What represents the classes of states is too large, whatever memory there is.
pub static CLASSES_FULL: Part = bound(
    "classes-full",
    "the search ends when the classes of states can no longer be represented",
    "the diagrams of the classes of states are too large",
);

/// The user asked to stop.
pub static INTERRUPTED: Part =
    bound("interrupted", "the search ends when the user asks for it", "the search was interrupted");

/// These parts.
pub static REGISTRY: &[&Part] = &[
    &INTERPRETER,
    &MACHINE_CODE,
    &ALL_TRANSITIONS,
    &IDENTITY,
    &MAX_DEPTH,
    &MAX_STATES,
    &MAX_TIME,
    &MAX_MEMORY,
    &VALUES,
    &STORE_FULL,
    &CLASSES_FULL,
    &INTERRUPTED,
];

/// A bound explores only real transitions from real states, and promises nothing about what lies
/// beyond it.
const fn bound(name: &'static str, summary: &'static str, reason: &'static str) -> Part {
    Part {
        name,
        kind: PartKind::Bound,
        summary,
        paper: None,
        guarantee: Guarantee {
            no_missed: ClassSet::NONE,
            no_false: ClassSet::ALL,
            omission: Omission::Bound { reason },
        },
    }
}
