//! The conditions of a guard, looked into: which way a transition may turn them.
//!
//! That a transition writes what a guard asks does not mean that it can make the guard true, or
//! false: `x = 0` never makes `x == 1` true, a process that leaves a location never makes it true
//! that it is there. A condition changes its value only if one of its comparisons does, in the
//! direction that counts; of a comparison with a constant that direction is known for all who store
//! constants. Two guards that contradict each other are never true together (Laarman, Pater, van de
//! Pol, Hansen: Guard-based partial-order reduction).

use ample_model::{BinaryOp, Expr, ExprKind, Place, RemoteAt, Scalar, UnaryOp};
use ample_stdx::BitSet;

use crate::facts::constant::Asker;
use crate::facts::expression::{Reader, variable};
use crate::facts::footprint::Change;
use crate::facts::risk::changes_any;
use crate::facts::{InstanceId, Object, ObjectId, Objects, Transition};

/// One of the conditions that are joined by `&&` in a guard.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct {
    /// Who asks.
    pub(crate) instance: InstanceId,
    /// The condition.
    pub(crate) expr: Expr,
    /// What it reads.
    pub(crate) reads: BitSet<ObjectId>,
    /// If it may go wrong to ask it, what decides about that.
    pub(crate) risk: Option<BitSet<ObjectId>>,
    logic: Logic,
}

/// A condition by its comparisons.
#[derive(Clone, Debug)]
enum Logic {
    /// All of them, or one of them: either changes only if a part does, in the same direction.
    Parts(Vec<Logic>),
    Not(Box<Logic>),
    Compare(Comparison),
    /// A process is at a location.
    At(ObjectId),
    /// An expression in which one variable occurs, and constants.
    Computed(ObjectId, Expr),
    /// Anything that reads these.
    Other(BitSet<ObjectId>),
}

/// A variable compared with a constant.
#[derive(Clone, Debug)]
struct Comparison {
    /// The variables that may be meant.
    variables: BitSet<ObjectId>,
    /// What decides which of them is.
    indices: BitSet<ObjectId>,
    op: BinaryOp,
    with: i32,
}

impl Comparison {
    fn of(&self, value: i32) -> bool {
        self.op.apply(value, self.with).is_some_and(|result| result != 0)
    }

    /// The variable that is always meant.
    fn only(&self) -> Option<ObjectId> {
        (self.variables.len() == 1 && self.indices.is_empty()).then(|| self.variables.iter().next()).flatten()
    }
}

impl Conjunct {
    /// Whether a transition may make it true, or false, where it is not; or may make it go wrong,
    /// or right again.
    pub(crate) fn may_become(&self, value: bool, by: &Transition) -> bool {
        may_become(&self.logic, value, by) || self.risk.as_ref().is_some_and(|risk| changes_any(by, risk))
    }

    /// Whether it cannot be true together with another, or where a process is at one of these
    /// locations.
    pub(crate) fn contradicts(&self, objects: &Objects, other: &Conjunct) -> bool {
        match (positive(&self.logic), positive(&other.logic)) {
            (Some(Simple::Compare(a)), Some(Simple::Compare(b))) => disjoint(&a, &b),
            (Some(Simple::At(a, is_a)), Some(Simple::At(b, is_b))) => exclude(objects, (a, is_a), (b, is_b)),
            _ => false,
        }
    }

    /// Whether it is false where a process is at this location.
    pub(crate) fn contradicts_location(&self, objects: &Objects, location: ObjectId) -> bool {
        matches!(positive(&self.logic), Some(Simple::At(at, is)) if exclude(objects, (at, is), (location, true)))
    }
}

/// A condition without structure.
enum Simple {
    Compare(Comparison),
    /// A process is at a location, or it is not.
    At(ObjectId, bool),
}

fn positive(logic: &Logic) -> Option<Simple> {
    match logic {
        Logic::Compare(comparison) => Some(Simple::Compare(comparison.clone())),
        Logic::At(at) => Some(Simple::At(*at, true)),
        Logic::Not(inner) => match positive(inner)? {
            Simple::Compare(comparison) => {
                Some(Simple::Compare(Comparison { op: negated(comparison.op)?, ..comparison }))
            }
            Simple::At(at, is) => Some(Simple::At(at, !is)),
        },
        Logic::Parts(_) | Logic::Computed(..) | Logic::Other(_) => None,
    }
}

/// The value of an expression in which one variable occurs.
fn computed(expr: &Expr, variable: i32) -> Option<i32> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Read(_) => Some(variable),
        ExprKind::Unary(op, operand) => Some(op.apply(computed(operand, variable)?)),
        ExprKind::Binary(op, left, right) => op.apply(computed(left, variable)?, computed(right, variable)?),
        _ => None,
    }
}

/// Whether two things said about where processes are cannot be true together.
fn exclude(objects: &Objects, (a, is_a): (ObjectId, bool), (b, is_b): (ObjectId, bool)) -> bool {
    let instance = |at: ObjectId| match objects.get(at) {
        Object::At(instance, _) => Some(instance),
        _ => None,
    };
    match is_a == is_b {
        true => is_a && a != b && instance(a) == instance(b),
        false => a == b,
    }
}

/// Whether no value satisfies both comparisons. If one does, one does that is at a bound or next to
/// it.
fn disjoint(a: &Comparison, b: &Comparison) -> bool {
    if a.only().is_none() || a.only() != b.only() {
        return false;
    }
    let near = |bound: i32| [bound.saturating_sub(1), bound, bound.saturating_add(1)];
    !near(a.with).into_iter().chain(near(b.with)).any(|value| a.of(value) && b.of(value))
}

fn may_become(logic: &Logic, value: bool, by: &Transition) -> bool {
    let touched = &by.touched;
    let changes = |object: ObjectId| touched.writes.contains(object) || touched.created.contains(object);
    match logic {
        Logic::Parts(parts) => parts.iter().any(|part| may_become(part, value, by)),
        Logic::Not(inner) => may_become(inner, !value, by),
        Logic::Compare(comparison) => {
            let stores = |object: ObjectId| match touched.changes.get(&object) {
                Some(Change::Set(stored)) if !touched.created.contains(object) => comparison.of(*stored) == value,
                _ => changes(object),
            };
            comparison.indices.iter().any(changes) || comparison.variables.iter().any(stores)
        }
        Logic::At(at) => {
            let moved = if value { &by.enters } else { &by.leaves };
            moved.contains(*at) || touched.changes.contains_key(at) || touched.created.contains(*at)
        }
        Logic::Computed(object, expr) => match touched.changes.get(object) {
            Some(Change::Set(stored)) if !touched.created.contains(*object) => {
                computed(expr, *stored).is_none_or(|result| (result != 0) == value)
            }
            _ => changes(*object),
        },
        Logic::Other(reads) => reads.iter().any(changes),
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
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

/// The comparison with its sides exchanged.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        same => same,
    }
}

impl Reader<'_> {
    /// A condition of a guard.
    pub(crate) fn conjunct(self, instance: InstanceId, expr: &Expr, reads: BitSet<ObjectId>) -> Conjunct {
        let asker = Asker::Process(instance);
        Conjunct { instance, expr: expr.clone(), reads, risk: self.risk(expr, asker), logic: self.logic(expr, asker) }
    }

    fn logic(self, expr: &Expr, asker: Asker) -> Logic {
        let all = |parts: [&Expr; 2]| Logic::Parts(parts.into_iter().map(|part| self.logic(part, asker)).collect());
        let simple = match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => Some(all([left, right])),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(Logic::Not(Box::new(self.logic(inner, asker)))),
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                self.comparison(left, *op, right, asker).or_else(|| self.comparison(right, turned(*op), left, asker))
            }
            ExprKind::Read(place) => self.compared(place, BinaryOp::NotEqual, 0, asker),
            ExprKind::RemoteAt(remote) => self.location(remote, asker).map(Logic::At),
            _ => None,
        };
        simple.unwrap_or_else(|| self.whole(expr, asker))
    }

    fn whole(self, expr: &Expr, asker: Asker) -> Logic {
        let reads = self.of(expr, asker).reads;
        let folded = self.folded(expr, asker).filter(|_| reads.len() == 1);
        let only = reads.iter().next();
        match (only, folded) {
            (Some(only), Some(expr)) => Logic::Computed(only, expr),
            _ => Logic::Other(reads),
        }
    }

    /// An expression over variables of its own or global ones, with what is constant in it
    /// computed.
    fn folded(self, expr: &Expr, asker: Asker) -> Option<Expr> {
        if let Some(value) = self.constants().fold(expr, asker) {
            return Some(Expr::constant(value, expr.span));
        }
        let part = |part: &Expr| self.folded(part, asker).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Read(place) if self.constants().is_one_element(place, asker) => expr.kind.clone(),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, part(operand)?),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
            _ => return None,
        };
        Some(Expr { kind, span: expr.span })
    }

    fn comparison(self, left: &Expr, op: BinaryOp, right: &Expr, asker: Asker) -> Option<Logic> {
        let with = self.constants().fold(right, asker)?;
        match &left.kind {
            ExprKind::Read(place) => self.compared(place, op, with, asker),
            _ => None,
        }
    }

    fn compared(self, place: &Place, op: BinaryOp, with: i32, asker: Asker) -> Option<Logic> {
        let mut indices = crate::facts::footprint::Footprint::default();
        self.read_indices(place, asker, &mut indices);
        if indices.asks_everything {
            return None;
        }
        let owner = self.constants().owner(asker, place.scope);
        let slots = self.constants().slots(place, asker).into_iter();
        let variables = slots.map(|slot| self.objects.id(variable(owner, slot))).collect();
        Some(Logic::Compare(Comparison { variables, indices: indices.reads, op, with }))
    }

    /// Where a process must be, if it is known which.
    fn location(self, remote: &RemoteAt, asker: Asker) -> Option<ObjectId> {
        let pid = remote.pid.as_ref()?;
        self.constants().fold(pid, asker)?;
        match self.constants().instances(pid, asker).as_slice() {
            [only] if self.template(*only) == remote.template => {
                Some(self.objects.id(Object::At(*only, remote.location)))
            }
            _ => None,
        }
    }

    /// How a variable stores values.
    pub(crate) fn scalar(self, asker: Asker, place: &Place) -> Scalar {
        let frame = match self.constants().owner(asker, place.scope) {
            Some(instance) => &self.template_of(instance).frame,
            None => &self.network.model.globals,
        };
        frame.slots[place.first].scalar
    }
}
