//! Pairs of parts that are sound alone and not together.

use crate::{Part, PartKind};

/// Which parts an entry speaks of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The part with this name.
    Name(&'static str),
    /// All parts of this kind.
    Kind(PartKind),
}

impl Pick {
    fn matches(self, part: &Part) -> bool {
        match self {
            Pick::Name(name) => part.name == name,
            Pick::Kind(kind) => part.kind == kind,
        }
    }
}

/// An exception to the rule that sound parts combine to a sound plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Incompatible {
    /// The one.
    pub one: Pick,
    /// The other.
    pub other: Pick,
    /// Why, as a clause for the refusal.
    pub reason: &'static str,
}

impl Incompatible {
    /// Whether it forbids these two, in either order.
    pub fn forbids(&self, a: &Part, b: &Part) -> bool {
        (self.one.matches(a) && self.other.matches(b)) || (self.one.matches(b) && self.other.matches(a))
    }
}

/// The exceptions among the parts that exist.
///
/// The next to come are those of lossy stores with a cycle condition that asks for an exact stack.
pub static PAIRS: &[Incompatible] = &[
    Incompatible { one: Pick::Kind(PartKind::Sleep), other: Pick::Name("bfs"), reason: SLEEP_NEEDS_DFS },
    Incompatible { one: Pick::Kind(PartKind::Sleep), other: Pick::Name("blocks"), reason: SLEEP_NEEDS_DFS },
    Incompatible { one: COVER, other: Pick::Kind(PartKind::CycleCondition), reason: COVERED_CYCLE },
    Incompatible { one: COVER, other: Pick::Kind(PartKind::Emptiness), reason: COVERED_RUN },
    Incompatible { one: COVER, other: Pick::Kind(PartKind::Sleep), reason: COVERED_SLEEP },
    Incompatible { one: COVER, other: Pick::Kind(PartKind::Under), reason: COVERED_UNDER },
    Incompatible { one: COVER, other: Pick::Name("match"), reason: COVERED_MATCH },
    Incompatible { one: SYMMETRY, other: Pick::Kind(PartKind::Sleep), reason: SLEEP_HAS_NAMES },
    Incompatible { one: SYMMETRY_SORT, other: Pick::Kind(PartKind::Sleep), reason: SLEEP_HAS_NAMES },
    Incompatible { one: SYMMETRY, other: Pick::Kind(PartKind::Under), reason: UNDER_HAS_NAMES },
    Incompatible { one: SYMMETRY_SORT, other: Pick::Kind(PartKind::Under), reason: UNDER_HAS_NAMES },
    Incompatible { one: SIMULTANEOUS, other: Pick::Kind(PartKind::Sleep), reason: SLEEP_IS_SINGLE },
    Incompatible { one: CONFLUENT_CHAIN, other: Pick::Kind(PartKind::Sleep), reason: SLEEP_IS_SINGLE },
    Incompatible { one: SIMULTANEOUS, other: Pick::Kind(PartKind::Under), reason: UNDER_IS_SINGLE },
    Incompatible { one: CONFLUENT_CHAIN, other: Pick::Kind(PartKind::Under), reason: UNDER_IS_SINGLE },
    Incompatible { one: CONFLUENT_CHAIN, other: Pick::Name("none"), reason: ENDLESS_CHAIN },
    Incompatible { one: SYMMETRY, other: SYMMETRY_SORT, reason: "both permute the same processes: use one of them" },
    Incompatible { one: SYMMETRY, other: VALUES, reason: LEAST_BY_NAME },
    Incompatible { one: SYMMETRY_SORT, other: VALUES, reason: LEAST_BY_NAME },
    Incompatible { one: SYMMETRY, other: LINEAR, reason: SHIFTED_BY_NAME },
    Incompatible { one: ACYCLIC, other: Pick::Kind(PartKind::CycleCondition), reason: CLASS_NEEDS_ALL },
    Incompatible { one: ACYCLIC, other: Pick::Kind(PartKind::Sleep), reason: CLASS_NEEDS_ALL },
    Incompatible { one: ACYCLIC, other: Pick::Kind(PartKind::Under), reason: CLASS_NEEDS_ALL },
    Incompatible { one: ACYCLIC_EXACT, other: Pick::Kind(PartKind::CycleCondition), reason: CLASS_NEEDS_ALL },
    Incompatible { one: ACYCLIC_EXACT, other: Pick::Kind(PartKind::Sleep), reason: CLASS_NEEDS_ALL },
    Incompatible { one: ACYCLIC_EXACT, other: Pick::Kind(PartKind::Under), reason: CLASS_NEEDS_ALL },
    Incompatible { one: SYMMETRY_SORT, other: LINEAR, reason: SHIFTED_BY_NAME },
    Incompatible { one: FORESIGHT, other: Pick::Kind(PartKind::Emptiness), reason: FORESEEN_RUN },
    Incompatible { one: FORESIGHT, other: Pick::Kind(PartKind::Under), reason: FORESEEN_UNDER },
    Incompatible { one: FORESIGHT, other: ACYCLIC, reason: FORESEEN_CLASS },
    Incompatible { one: FORESIGHT, other: ACYCLIC_EXACT, reason: FORESEEN_CLASS },
    Incompatible { one: FORESIGHT, other: Pick::Name("match"), reason: FORESEEN_MATCH },
    Incompatible { one: DOOMED, other: Pick::Kind(PartKind::Sleep), reason: SLEEP_IS_SINGLE },
    Incompatible { one: DOOMED, other: SIMULTANEOUS, reason: JOINED_TWICE },
    Incompatible { one: DOOMED, other: CONFLUENT_CHAIN, reason: JOINED_TWICE },
];

const FORESIGHT: Pick = Pick::Kind(PartKind::Foresight);
const DOOMED: Pick = Pick::Name("doomed");

/// Runs are cut off where it is known that no error can be reached.
const FORESEEN_RUN: &str = "of a state from which no error can be reached nothing is explored, so that runs are lost";

/// What is left out at first is chosen by the states that are met.
const FORESEEN_UNDER: &str =
    "what is left out at first is taken in by the states that are met, and below some states none are";

/// A class is what mattered below a state.
const FORESEEN_CLASS: &str = "the class of a state is computed from what lies below it, which is not explored";

/// States are remembered by what they have in common, and it is not their future.
const FORESEEN_MATCH: &str = "states with the same values of the matched expressions need not have the same future";

/// Both take several transitions as one.
const JOINED_TWICE: &str = "each takes several transitions as one";

const COVER: Pick = Pick::Kind(PartKind::Cover);

/// What a transition that was put off leads to may be covered, over and over.
const COVERED_CYCLE: &str = "a state that stands for one that it covers closes cycles that the system does not have, on which a transition may be put off for ever";

/// A cycle of the states that are stored is none of the system.
const COVERED_RUN: &str =
    "a state that stands for one that it covers closes cycles that are no infinite runs of the system";

/// What sleeps in a state that is covered need not sleep in the one that stands for it.
const COVERED_SLEEP: &str = "what sleeps in a state need not sleep in the one that covers it";

/// What is left out at first is chosen by the states that are met.
const COVERED_UNDER: &str =
    "what is left out at first is taken in by the states that are met, and covered ones are not";

/// Both leave states out, each by its own order.
const COVERED_MATCH: &str = "states with the same values of the matched expressions need not cover each other";

const SYMMETRY: Pick = Pick::Name("symmetry");
const SYMMETRY_SORT: Pick = Pick::Name("symmetry-sort");

const SIMULTANEOUS: Pick = Pick::Name("simultaneous");
const CONFLUENT_CHAIN: Pick = Pick::Name("confluent-chain");

const VALUES: Pick = Pick::Name("values");
const LINEAR: Pick = Pick::Name("linear");

const ACYCLIC: Pick = Pick::Name("acyclic");
const ACYCLIC_EXACT: Pick = Pick::Name("acyclic-exact");

/// What matters below a state is what matters below any of its successors.
const CLASS_NEEDS_ALL: &str = "the class of a state is computed from all its successors";

/// A shift makes a variable zero that may belong to one of several like processes.
const SHIFTED_BY_NAME: &str = "which variable becomes zero is settled by its name, which permutations change";

/// Values may be numbers of processes, of which a permutation makes others.
const LEAST_BY_NAME: &str =
    "which values are taken for each other is settled process by process, which permutations change";

/// What sleeps would have to be permuted with the state, and a state met again has another one.
const SLEEP_HAS_NAMES: &str = "transitions sleep by the names of their processes, which permutations change";

/// What is left out at first is chosen by process and location.
const UNDER_HAS_NAMES: &str = "what is left out is named by its processes, which permutations change";

/// What sleeps is a transition of the model.
const SLEEP_IS_SINGLE: &str = "transitions sleep one by one, and here several are taken as one";

/// What is left out at first is chosen transition by transition.
const UNDER_IS_SINGLE: &str = "what is left out is chosen transition by transition, and here several are taken as one";

/// Only sticky transitions end a chain on a cycle.
const ENDLESS_CHAIN: &str = "without a condition on cycles a chain of confluent transitions need not end";

/// Other orders settle a state once, whatever sleeps where it is met again.
const SLEEP_NEEDS_DFS: &str = "what sleeps is handed on along the path of a depth-first search (--order dfs)";
