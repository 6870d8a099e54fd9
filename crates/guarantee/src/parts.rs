//! The registry of parts: what each preserves, and by whose proof.
//!
//! A new part is one entry here and one file that implements it. Only what is built is listed.

use crate::{ClassSet, Guarantee, Omission, Part, PartKind, PropertyClass};

impl Part {
    /// Whether it changes what is explored or remembered, so that a report must name it.
    pub fn is_reduction(&self) -> bool {
        match self.kind {
            PartKind::Expander => *self != ALL_TRANSITIONS,
            PartKind::Canonizer => *self != IDENTITY,
            PartKind::CycleCondition | PartKind::Sleep | PartKind::Under => true,
            PartKind::Successors | PartKind::Store | PartKind::Order | PartKind::Emptiness | PartKind::Bound => false,
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

/// Deadlocks, and what single processes do.
pub(crate) const SAFETY: Guarantee = Guarantee {
    no_missed: ClassSet::of(&[PropertyClass::Deadlock, PropertyClass::LocalReachability]),
    no_false: ClassSet::ALL,
    omission: Omission::None,
};

/// All of that, and runs up to stuttering: what is seen of a run is kept out of proper subsets.
const STUTTERING: Guarantee = Guarantee {
    no_missed: ClassSet::of(&[
        PropertyClass::Deadlock,
        PropertyClass::LocalReachability,
        PropertyClass::Invariants,
        PropertyClass::StutterInvariantLtl,
    ]),
    no_false: ClassSet::ALL,
    omission: Omission::None,
};

/// Ample sets decided before the search.
pub static STATIC: Part = Part {
    name: "static",
    kind: PartKind::Expander,
    summary: "a process whose statements nobody can disturb moves first; decided before the search",
    paper: Some("Holzmann and Peled: An improvement in formal verification (FORTE 1994)"),
    guarantee: STUTTERING,
};

/// Ample sets of one process, decided in each state.
pub static AMPLE: Part = Part {
    name: "ample",
    kind: PartKind::Expander,
    summary: "a process moves first where nothing that others may still do depends on it",
    paper: Some("Strejček: Partial order reduction; Clarke, Grumberg, Peled: Model checking (1999)"),
    guarantee: STUTTERING,
};

/// Strong stubborn sets.
pub static STUBBORN: Part = Part {
    name: "stubborn",
    kind: PartKind::Expander,
    summary: "the smallest sets of transitions that nothing outside can disturb, in each state",
    paper: Some("Valmari: Stubborn sets for reduced state space generation (1989)"),
    guarantee: STUTTERING,
};

/// Strong stubborn sets from which nothing more can be taken out.
pub static DELETION: Part = Part {
    name: "deletion",
    kind: PartKind::Expander,
    summary: "stubborn sets from which no transition can be taken out: often smaller, and slower to find",
    paper: Some("Varpaaniemi: On the stubborn set method in reduced state space generation (1998)"),
    guarantee: STUTTERING,
};

/// Deadlocks only: what goes on elsewhere may be put off for ever.
const DEADLOCKS: Guarantee = Guarantee {
    no_missed: ClassSet::of(&[PropertyClass::Deadlock]),
    no_false: ClassSet::ALL,
    omission: Omission::None,
};

/// No cycle condition, for deadlocks only.
pub static NO_CONDITION: Part = Part {
    name: "none",
    kind: PartKind::CycleCondition,
    summary: "every choice of transitions stands: enough for end states, not for anything else",
    paper: Some("Valmari: Stubborn sets for reduced state space generation (1989)"),
    guarantee: DEADLOCKS,
};

/// A cycle condition for safety, in any order.
pub static NEW: Part = Part {
    name: "new",
    kind: PartKind::CycleCondition,
    summary: "a choice of transitions stands if it leads to a state that was not there yet",
    paper: None,
    guarantee: SAFETY,
};

/// The cycle condition of depth-first search. For endless runs no state may be on the path, in a
/// pass of its own.
pub static STACK: Part = Part {
    name: "stack",
    kind: PartKind::CycleCondition,
    summary: "a choice of transitions stands if it leads to a state that is not on the path of the search",
    paper: Some("Holzmann and Peled: An improvement in formal verification (FORTE 1994)"),
    guarantee: STUTTERING,
};

/// A cycle condition for safety, in any order.
pub static OPEN: Part = Part {
    name: "open",
    kind: PartKind::CycleCondition,
    summary: "a choice of transitions stands if it leads to a state that is still to be expanded",
    paper: None,
    guarantee: SAFETY,
};

/// A cycle condition without a path, in any order.
pub static CLOSED: Part = Part {
    name: "closed",
    kind: PartKind::CycleCondition,
    summary: "a choice of transitions stands if it leads to no state whose expansion has begun",
    paper: Some("Bošnački, Holzmann: Improving Spin's partial-order reduction for breadth-first search (SPIN 2005)"),
    guarantee: STUTTERING,
};

/// A cycle condition that is decided before the search.
pub static STICKY: Part = Part {
    name: "sticky",
    kind: PartKind::CycleCondition,
    summary: "a choice never has a transition that some cycle of a process's control flow cannot do without",
    paper: Some("Kurshan, Levin, Minea, Peled, Yenigün: Static partial order reduction (TACAS 1998)"),
    guarantee: STUTTERING,
};

/// Sleep sets. They go with every expander and every cycle condition: the condition is asked about
/// what does not sleep.
pub static SLEEP: Part = Part {
    name: "sleep",
    kind: PartKind::Sleep,
    summary: "a transition sleeps where the other order of it and what was taken was explored; saves transitions, not states",
    paper: Some("Godefroid: Partial-order methods for the verification of concurrent systems (LNCS 1032, 1996)"),
    guarantee: SAFETY,
};

/// Under-approximation by visibility: algorithm A.
pub static VISIBILITY: Part =
    under("visibility", "what the property sees is kept apart transition by transition, until all of it is", BRIM);

/// Under-approximation by the cycle condition: algorithm B.
pub static CYCLES: Part = under(
    "cycles",
    "the same, with a weaker cycle condition; then transitions on cycles, until every cycle has one",
    BRIM,
);

/// Under-approximation by interleaving locations.
pub static INTERLEAVING: Part = under(
    "interleaving",
    "one process runs at a time; locations where others take turns are added, until enough are",
    "Pelánek: Reduction and abstraction techniques for model checking (2006), section 3.3.3",
);

const BRIM: &str = "Brim, Černá, Moravec, Šimša: Under-approximation generation using partial order reduction (2005)";

/// No reduction of states.
pub static IDENTITY: Part = Part {
    name: "identity",
    kind: PartKind::Canonizer,
    summary: "every state is remembered as it is",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// The exact store.
pub static EXACT: Part = Part {
    name: "exact",
    kind: PartKind::Store,
    summary: "every state is kept in full; two states are never confused",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// The tree store.
pub static TREE: Part = Part {
    name: "tree",
    kind: PartKind::Store,
    summary: "every state is kept, what states have in common only once",
    paper: Some("Laarman, van de Pol, Weber: Parallel recursive state compression for free"),
    guarantee: Guarantee::EXACT,
};

/// Hash compaction.
pub static COMPACT: Part = Part {
    name: "compact",
    kind: PartKind::Store,
    summary: "of each state 64 bits of its hash are kept; states may be missed",
    paper: Some("Wolper, Leroy: Reliable hashing without collision detection"),
    guarantee: lossy("of each state only a hash was kept"),
};

/// Bitstate hashing.
pub static BITSTATE: Part = Part {
    name: "bitstate",
    kind: PartKind::Store,
    summary: "of each state a few bits in a large field are kept; states may be missed",
    paper: Some("Holzmann: An analysis of bitstate hashing"),
    guarantee: lossy("of each state only a few bits were kept"),
};

/// Blocks of open states.
pub static BLOCKS: Part = Part {
    name: "blocks",
    kind: PartKind::Order,
    summary: "many open states at a time, on every core; the fastest, in no particular order",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// Nested depth-first order, for endless runs.
pub static NDFS: Part = Part {
    name: "ndfs",
    kind: PartKind::Emptiness,
    summary: "nested depth-first search for cycles through accepting states",
    paper: Some("Schwoon and Esparza: A note on on-the-fly verification algorithms (2005)"),
    guarantee: Guarantee::EXACT,
};

/// Nested depth-first order on several threads, for endless runs.
pub static CNDFS: Part = Part {
    name: "cndfs",
    kind: PartKind::Emptiness,
    summary: "nested depth-first search on several threads, which share what they have settled",
    paper: Some(
        "Evangelista, Laarman, Petrucci, van de Pol: Improved multi-core nested depth-first search (ATVA 2012)",
    ),
    guarantee: Guarantee::EXACT,
};

/// Strongly connected components, for endless runs with many conditions.
pub static SCC: Part = Part {
    name: "scc",
    kind: PartKind::Emptiness,
    summary: "strongly connected components with all marks of acceptance; needed for fairness",
    paper: Some(
        "Couvreur: On-the-fly verification of linear temporal logic (FM 1999); Couvreur, Duret-Lutz, Poitrenaud: \
         On-the-fly emptiness checks for generalized Büchi automata (SPIN 2005)",
    ),
    guarantee: Guarantee::EXACT,
};

/// Depth-first order.
pub static DFS: Part = Part {
    name: "dfs",
    kind: PartKind::Order,
    summary: "depth first: goes deep early, counterexamples may be long",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// Breadth-first order.
pub static BFS: Part = Part {
    name: "bfs",
    kind: PartKind::Order,
    summary: "breadth first: counterexamples are shortest",
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

/// The store has reached the end of what it can number or address, whatever memory there is.
pub static STORE_FULL: Part =
    bound("store-full", "the search ends when the store can take no more states", "the store is full");

/// The user asked to stop.
pub static INTERRUPTED: Part =
    bound("interrupted", "the search ends when the user asks for it", "the search was interrupted");

/// All parts that exist.
pub static REGISTRY: &[&Part] = &[
    &INTERPRETER,
    &MACHINE_CODE,
    &ALL_TRANSITIONS,
    &STATIC,
    &AMPLE,
    &STUBBORN,
    &DELETION,
    &NEW,
    &STICKY,
    &STACK,
    &OPEN,
    &CLOSED,
    &NO_CONDITION,
    &SLEEP,
    &VISIBILITY,
    &CYCLES,
    &INTERLEAVING,
    &IDENTITY,
    &TREE,
    &EXACT,
    &COMPACT,
    &BITSTATE,
    &BLOCKS,
    &NDFS,
    &CNDFS,
    &SCC,
    &DFS,
    &BFS,
    &MAX_DEPTH,
    &MAX_STATES,
    &MAX_TIME,
    &MAX_MEMORY,
    &STORE_FULL,
    &INTERRUPTED,
];

/// The part of this kind with this name.
pub fn find(kind: PartKind, name: &str) -> Option<&'static Part> {
    REGISTRY.iter().copied().find(|part| part.kind == kind && part.name == name)
}

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

/// An under-approximation explores only real transitions from real states, and promises nothing
/// before it is exact. Once it is, it is no longer a part of the plan: the expander and the cycle
/// condition say what is preserved.
const fn under(name: &'static str, summary: &'static str, paper: &'static str) -> Part {
    Part {
        name,
        kind: PartKind::Under,
        summary,
        paper: Some(paper),
        guarantee: Guarantee {
            no_missed: ClassSet::NONE,
            no_false: ClassSet::ALL,
            omission: Omission::Bound { reason: "the under-approximation is not exact yet" },
        },
    }
}

/// A store that may take a state for another: what is found is real, and something may be missed.
const fn lossy(reason: &'static str) -> Guarantee {
    Guarantee { no_missed: ClassSet::ALL, no_false: ClassSet::ALL, omission: Omission::Probability { reason } }
}
