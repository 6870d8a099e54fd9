//! The conditions of a guard: comparisons, and which of them contradict each other.
//!
//! Two guards that contradict each other are never true together (Laarman, Pater, van de Pol,
//! Hansen: Guard-based partial-order reduction).

use ample_model::{Arithmetic, BinaryOp, Expr};
use ample_stdx::BitSet;

use crate::InstanceId;
use crate::facts::objects::{Object, ObjectId, Objects};

/// One of the conditions that are joined by `&&` in a guard.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct {
    /// The process whose guard it is.
    pub(crate) instance: InstanceId,
    /// The condition.
    pub(crate) expr: Expr,
    /// What it reads.
    pub(crate) reads: BitSet<ObjectId>,
    /// If its evaluation may fail, what decides about that.
    pub(crate) risk: Option<BitSet<ObjectId>>,
    /// The condition by its comparisons.
    pub(crate) logic: Logic,
}

/// A condition by its comparisons.
#[derive(Clone, Debug)]
pub(crate) enum Logic {
    /// A conjunction or a disjunction: it changes only if a part does, in the same direction.
    Parts(Vec<Logic>),
    Not(Box<Logic>),
    Compare(Comparison),
    /// A process is at a location.
    At(ObjectId),
    /// An expression in which one variable occurs, and constants.
    Computed(Computation),
    /// Any other condition that reads these.
    Other(BitSet<ObjectId>),
}

/// An expression in which one variable occurs, and constants.
#[derive(Clone, Debug)]
pub(crate) struct Computation {
    pub(crate) variable: ObjectId,
    pub(crate) expr: Expr,
    pub(crate) arithmetic: Arithmetic,
}

/// A variable compared with a constant.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    /// The variables that may be meant.
    pub(crate) variables: BitSet<ObjectId>,
    /// What decides which of them is.
    pub(crate) indices: BitSet<ObjectId>,
    pub(crate) op: BinaryOp,
    pub(crate) with: i64,
}

impl Comparison {
    /// Whether it is true of this value.
    pub(crate) fn of(&self, value: i64) -> bool {
        Arithmetic::Exact.binary(self.op, value, self.with).is_ok_and(|result| result != 0)
    }

    /// The variable that is always meant.
    fn only(&self) -> Option<ObjectId> {
        (self.variables.len() == 1 && self.indices.is_empty()).then(|| self.variables.iter().next()).flatten()
    }
}

impl Conjunct {
    /// Whether it is never true together with another.
    pub(crate) fn contradicts(&self, objects: &Objects, other: &Conjunct) -> bool {
        match (positive(&self.logic), positive(&other.logic)) {
            (Some(Simple::Compare(a)), Some(Simple::Compare(b))) => disjoint(&a, &b),
            (Some(Simple::At(a)), Some(Simple::At(b))) => exclude(objects, a, b),
            _ => false,
        }
    }

    /// Whether it is false where a process is at this location.
    pub(crate) fn contradicts_location(&self, objects: &Objects, location: ObjectId) -> bool {
        let there = Whereabouts { at: location, is_there: true };
        matches!(positive(&self.logic), Some(Simple::At(claimed)) if exclude(objects, claimed, there))
    }
}

/// A condition without structure.
enum Simple {
    Compare(Comparison),
    At(Whereabouts),
}

/// The claim that a process is at a location, or that it is not.
#[derive(Copy, Clone)]
struct Whereabouts {
    at: ObjectId,
    is_there: bool,
}

/// The simple condition that a condition is, with negations resolved; `None` if it is none.
fn positive(logic: &Logic) -> Option<Simple> {
    match logic {
        Logic::Compare(comparison) => Some(Simple::Compare(comparison.clone())),
        Logic::At(at) => Some(Simple::At(Whereabouts { at: *at, is_there: true })),
        Logic::Not(inner) => match positive(inner)? {
            Simple::Compare(comparison) => {
                Some(Simple::Compare(Comparison { op: negated(comparison.op)?, ..comparison }))
            }
            Simple::At(claimed) => Some(Simple::At(Whereabouts { is_there: !claimed.is_there, ..claimed })),
        },
        Logic::Parts(_) | Logic::Computed(_) | Logic::Other(_) => None,
    }
}

/// Whether two claims about the locations of processes cannot be true together.
fn exclude(objects: &Objects, a: Whereabouts, b: Whereabouts) -> bool {
    let instance = |at: ObjectId| match objects.get(at) {
        Object::At(instance, _) => Some(instance),
        _ => None,
    };
    match a.is_there == b.is_there {
        true => a.is_there && a.at != b.at && instance(a.at) == instance(b.at),
        false => a.at == b.at,
    }
}

/// Whether no value satisfies both comparisons. If one does, one does that is at a bound or next to
/// it.
fn disjoint(a: &Comparison, b: &Comparison) -> bool {
    if a.only().is_none() || a.only() != b.only() {
        return false;
    }
    let near = |bound: i64| [bound.saturating_sub(1), bound, bound.saturating_add(1)];
    !near(a.with).into_iter().chain(near(b.with)).any(|value| a.of(value) && b.of(value))
}

/// The comparison that is true where this one is false.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        _ => return None,
    })
}
