//! Expressions over the cells of packed states: evaluated with what decides their value.

use ample_model::{
    Arithmetic, BinaryOp, Expr, ExprKind, LocationId, Place, Scalar, Scope, SlotId, TemplateId, UnaryOp,
};
use ample_network::facts::Facts;
use ample_network::{InstanceId, Network, SlotPlace};
use ample_stdx::TypedId;
use ample_transition::Pid;

use crate::control::can_end;
use crate::passes::risk::Risk;

/// An expression as one process sees it, with what never changes computed.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Const(i64),
    /// A variable.
    Read(SlotPlace),
    /// An element of an array.
    Element(Element),
    /// Whether a process is at a location: its place, and how the location is stored there.
    At(SlotPlace, i64),
    Unary(UnaryOp, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// `&&` or `||`, and whether the first operand may fail.
    Logic(Junction, Box<Term>, bool, Box<Term>),
    Conditional(Box<[Term; 3]>),
}

/// `&&` or `||`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Junction {
    And,
    Or,
}

impl Junction {
    /// Whether an operand with this truth value decides.
    pub fn is_decided_by(self, truth: bool) -> bool {
        truth == (self == Junction::Or)
    }
}

/// An element of an array whose indices are computed.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// All that it may be, by offset from the first.
    pub cells: Vec<Cell>,
    pub indices: Vec<TermIndex>,
}

/// One index.
#[derive(Clone, Debug)]
pub(super) struct TermIndex {
    pub value: Term,
    pub length: u32,
    pub stride: u32,
}

/// A variable, or what is known of it.
#[derive(Copy, Clone, Debug)]
pub(super) enum Cell {
    Constant(i64),
    At(SlotPlace),
}

/// Where a value is stored.
#[derive(Clone, Debug)]
pub(super) enum Target {
    One(Cell),
    Element(Element),
}

impl Target {
    /// The cells that it may be.
    pub fn cells(&self) -> &[Cell] {
        match self {
            Target::One(cell) => std::slice::from_ref(cell),
            Target::Element(element) => &element.cells,
        }
    }
}

/// Computes with terms.
#[derive(Copy, Clone, Debug)]
pub(super) struct Evaluator {
    pub arithmetic: Arithmetic,
}

impl Evaluator {
    /// The value of a term in a state; `None` if it has none. Adds what decides it: in all states
    /// that agree there, the value is the same, and so is that there is one.
    pub fn value(self, term: &Term, state: &[u8], reads: &mut Vec<SlotPlace>) -> Option<i64> {
        match term {
            Term::Const(value) => Some(*value),
            Term::Read(place) => {
                reads.push(*place);
                Some(place.value_in(state))
            }
            Term::Element(element) => match self.cell(element, state, reads)? {
                Cell::Constant(value) => Some(value),
                Cell::At(place) => {
                    reads.push(place);
                    Some(place.value_in(state))
                }
            },
            Term::At(place, stored) => Some(i64::from(place.value_in(state) == *stored)),
            Term::Unary(op, operand) => self.arithmetic.unary(*op, self.value(operand, state, reads)?).ok(),
            Term::Binary(op, left, right) => {
                let (left, right) = (self.value(left, state, reads)?, self.value(right, state, reads)?);
                self.arithmetic.binary(*op, left, right).ok()
            }
            Term::Logic(junction, left, left_may_fail, right) => {
                let start = reads.len();
                let first = self.value(left, state, reads)? != 0;
                if junction.is_decided_by(first) {
                    return Some(i64::from(first));
                }
                let middle = reads.len();
                let second = self.value(right, state, reads)? != 0;
                if junction.is_decided_by(second) && !left_may_fail {
                    // The second decides alone, whatever the first is.
                    reads.drain(start..middle);
                }
                Some(i64::from(second))
            }
            Term::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let chosen = if self.value(condition, state, reads)? != 0 { yes } else { no };
                self.value(chosen, state, reads)
            }
        }
    }

    /// The element that is meant in a state; `None` if an index is out of range.
    pub fn cell(self, element: &Element, state: &[u8], reads: &mut Vec<SlotPlace>) -> Option<Cell> {
        let mut offset = 0;
        for index in &element.indices {
            let value = self.value(&index.value, state, reads)?;
            let value = u32::try_from(value).ok().filter(|value| *value < index.length)?;
            offset += (value * index.stride) as usize;
        }
        element.cells.get(offset).copied()
    }
}

impl Term {
    /// Adds all variables that it may read.
    pub fn add_reads(&self, reads: &mut Vec<SlotPlace>) {
        match self {
            Term::Const(_) | Term::At(..) => {}
            Term::Read(place) => reads.push(*place),
            Term::Element(element) => element.add_reads(reads),
            Term::Unary(_, operand) => operand.add_reads(reads),
            Term::Binary(_, left, right) | Term::Logic(_, left, _, right) => {
                left.add_reads(reads);
                right.add_reads(reads);
            }
            Term::Conditional(parts) => parts.iter().for_each(|part| part.add_reads(reads)),
        }
    }
}

impl Element {
    fn add_reads(&self, reads: &mut Vec<SlotPlace>) {
        reads.extend(self.cells.iter().filter_map(|cell| cell.place()));
        self.indices.iter().for_each(|index| index.value.add_reads(reads));
    }
}

impl Cell {
    /// Where it lies, if it can change.
    pub fn place(self) -> Option<SlotPlace> {
        match self {
            Cell::At(place) => Some(place),
            Cell::Constant(_) => None,
        }
    }
}

/// Makes terms of expressions.
#[derive(Copy, Clone)]
pub(super) struct Terms<'n> {
    pub network: &'n Network<'n>,
    pub facts: &'n Facts,
}

impl<'n> Terms<'n> {
    /// An expression as an instance sees it, or a question; `None` if it is about more than
    /// variables and locations, or never has a value.
    pub fn of(self, expr: &Expr, asker: Option<InstanceId>) -> Option<Term> {
        if let Some(value) = self.facts.constant(self.network, expr, asker) {
            return Some(Term::Const(value));
        }
        match &expr.kind {
            ExprKind::Read(place) => Some(match self.target(place, asker)? {
                Target::One(Cell::Constant(value)) => Term::Const(value),
                Target::One(Cell::At(place)) => Term::Read(place),
                Target::Element(element) => Term::Element(element),
            }),
            ExprKind::Unary(op, operand) => Some(Term::Unary(*op, Box::new(self.of(operand, asker)?))),
            ExprKind::Binary(op, left, right) => {
                let may_fail = || self.risk(asker).may_fail(left);
                let junction = match op {
                    BinaryOp::And => Some(Junction::And),
                    BinaryOp::Or => Some(Junction::Or),
                    _ => None,
                };
                let (first, second) = (Box::new(self.of(left, asker)?), Box::new(self.of(right, asker)?));
                Some(match junction {
                    Some(junction) => Term::Logic(junction, first, may_fail(), second),
                    None => Term::Binary(*op, first, second),
                })
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                Some(Term::Conditional(Box::new([
                    self.of(condition, asker)?,
                    self.of(yes, asker)?,
                    self.of(no, asker)?,
                ])))
            }
            ExprKind::RemoteAt(remote) => {
                let instance = self.named(remote.template, remote.pid.as_ref(), asker)?;
                Some(self.at(instance, remote.location))
            }
            ExprKind::RemoteRead(remote) => {
                let instance = self.named(remote.template, remote.pid.as_ref(), asker)?;
                let is_plain = remote.place.indices.is_empty();
                let cell = is_plain.then(|| self.variable(Some(instance), remote.place.first));
                match cell? {
                    Cell::Constant(value) => Some(Term::Const(value)),
                    Cell::At(place) => Some(Term::Read(place)),
                }
            }
            _ => None,
        }
    }

    /// Whether a process is at a location.
    fn at(self, instance: InstanceId, location: LocationId) -> Term {
        let place = self.network.layout.frames[instance].location;
        Term::At(place, self.network.instances[instance].stored(location))
    }

    /// What may go wrong in the expressions of an instance.
    pub fn risk(self, asker: Option<InstanceId>) -> Risk<'n> {
        match asker {
            Some(instance) => Risk::of(self.network.model, self.network.template(instance)),
            None => Risk::anywhere(self.network.model),
        }
    }

    /// The process that a remote reference means, if that is always the same and always there.
    fn named(self, template: TemplateId, pid: Option<&Expr>, asker: Option<InstanceId>) -> Option<InstanceId> {
        let network = self.network;
        let number = pid
            .map(|pid| self.facts.constant(network, pid, asker)?.try_into().ok())
            .map_or(Some(None), |pid: Option<Pid>| pid.map(Some))?;
        let is_meant = |instance: &InstanceId| {
            let known = &network.instances[*instance];
            known.template == template && number.is_none_or(|number| number == known.pid)
        };
        let mut meant = network.instances.ids().filter(is_meant);
        let (instance, more) = (meant.next()?, meant.next());
        let is_first = usize::from(network.instances[instance].pid) < network.model.active.len();
        let stays = is_first && network.is_alone(instance) && !can_end(network.template(instance));
        (more.is_none() && stays).then_some(instance)
    }

    /// What a place is; `None` if that is not known, or never anything.
    pub fn target(self, place: &Place, asker: Option<InstanceId>) -> Option<Target> {
        let owner = match place.scope {
            Scope::Global => None,
            Scope::Local => Some(asker?),
        };
        let first = place.first.index();
        let constant = |expr: &Expr| self.facts.constant(self.network, expr, asker);
        let known: Option<Vec<i64>> = place.indices.iter().map(|index| constant(&index.value)).collect();
        if let Some(values) = known {
            let mut slot = first;
            for (index, value) in place.indices.iter().zip(values) {
                let value = u32::try_from(value).ok().filter(|value| *value < index.length)?;
                slot += (value * index.stride) as usize;
            }
            return Some(Target::One(self.variable(owner, SlotId::from_index(slot))));
        }
        let last: u32 = place.indices.iter().map(|index| (index.length - 1) * index.stride).sum();
        let slots = (first..=first + last as usize).map(SlotId::from_index);
        let cells = slots.map(|slot| self.variable(owner, slot)).collect();
        let index = |index: &ample_model::Index| {
            let value = self.of(&index.value, asker)?;
            Some(TermIndex { value, length: index.length, stride: index.stride })
        };
        let indices = place.indices.iter().map(index).collect::<Option<_>>()?;
        Some(Target::Element(Element { cells, indices }))
    }

    fn variable(self, owner: Option<InstanceId>, slot: SlotId) -> Cell {
        let layout = &self.network.layout;
        let place = match owner {
            Some(instance) => layout.frames[instance].locals.get(slot),
            None => layout.globals.get(slot),
        };
        match (self.facts.constant_slot(self.network, owner, slot), place) {
            (Some(value), _) => Cell::Constant(value),
            (None, Some(place)) => Cell::At(*place),
            (None, None) => Cell::Constant(0),
        }
    }

    /// How what is assigned to a place is stored.
    pub fn scalar(self, place: &Place, asker: Option<InstanceId>) -> Option<Scalar> {
        let frame = match (place.scope, asker) {
            (Scope::Global, _) => &self.network.model.globals,
            (Scope::Local, Some(instance)) => &self.network.template(instance).frame,
            (Scope::Local, None) => return None,
        };
        frame.slots.get(place.first).map(|slot| slot.scalar)
    }
}
