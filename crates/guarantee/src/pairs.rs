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
/// The next to come are those of subsumption with any cycle condition, and of lossy stores with a
/// cycle condition that asks for an exact stack.
pub static PAIRS: &[Incompatible] = &[
    Incompatible { one: Pick::Kind(PartKind::Sleep), other: Pick::Name("bfs"), reason: SLEEP_NEEDS_DFS },
    Incompatible { one: Pick::Kind(PartKind::Sleep), other: Pick::Name("blocks"), reason: SLEEP_NEEDS_DFS },
];

/// Other orders settle a state once, whatever sleeps where it is met again.
const SLEEP_NEEDS_DFS: &str = "what sleeps is handed on along the path of a depth-first search (--order dfs)";
