//! Between which numbers the variables of a model with exact integers stay, so that an `int` may
//! take one byte of a state.
//!
//! A fixed point over intervals, one for each variable, whatever the locations are (Cousot and
//! Cousot: Abstract interpretation, POPL 1977). A guard narrows what an edge reads; what grows is
//! widened to the next border of a width, and narrowed at the end. Elements of an array, and
//! variables of the members of a family of processes, have one interval: they are as wide as each
//! other.

use std::collections::{BTreeSet, HashMap};

use ample_interpret::State;
use ample_model::{
    Action, Arithmetic, BinaryOp, Edge, Expr, ExprKind, Frame, Model, Place, Scope, Slot, SlotId, Template, TemplateId,
    UnaryOp,
};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::Pid;

use crate::interval::{Interval, compared_numbers, negated};

/// So many rounds are made before what grows is widened.
const PATIENCE: usize = 3;

/// If that takes more rounds, nothing is known.
const MOST_ROUNDS: usize = 100;

/// If variables are compared with more numbers than this, these are no bounds to widen to.
const MOST_COMPARED: usize = 32;

/// What a growing bound is widened to: the borders of widths, and what variables are compared with.
const BORDERS: [i64; 8] =
    [0, i8::MAX as i64, u8::MAX as i64, i16::MAX as i64, u16::MAX as i64, i32::MAX as i64, u32::MAX as i64, i64::MAX];

/// The intervals of all variables.
pub(crate) struct Intervals {
    pub(crate) globals: IndexVec<SlotId, Interval>,
    pub(crate) locals: IndexVec<TemplateId, IndexVec<SlotId, Interval>>,
}

impl Intervals {
    /// Finds them for a model that starts in this state.
    pub(crate) fn of(model: &Model, initial: &State) -> Intervals {
        let found = Analysis::new(model).and_then(|analysis| Some((analysis.solve(initial)?, analysis.classes)));
        let of = |frame: &Frame, classes: Option<&IndexVec<SlotId, usize>>| {
            let of_slot = |(id, slot): (SlotId, &Slot)| {
                let all = Interval::of_type(slot.scalar);
                let known = found.as_ref().zip(classes).and_then(|((found, _), classes)| found[classes[id]].meet(all));
                known.unwrap_or(all)
            };
            frame.slots.iter_enumerated().map(of_slot).collect()
        };
        let classes = found.as_ref().map(|(_, classes)| classes);
        let locals = |(id, template): (TemplateId, &Template)| of(&template.frame, classes.map(|all| &all.locals[id]));
        Intervals {
            globals: of(&model.globals, classes.map(|all| &all.globals)),
            locals: model.templates.iter_enumerated().map(locals).collect(),
        }
    }
}

/// The class of each variable: those in one class have one interval.
struct Classes {
    globals: IndexVec<SlotId, usize>,
    locals: IndexVec<TemplateId, IndexVec<SlotId, usize>>,
    /// What the types of each class hold.
    types: Table,
}

/// An interval for each class.
type Table = Vec<Interval>;

impl Classes {
    /// Variables whose names differ in nothing but numbers in brackets are in one class, whosever
    /// they are.
    fn new(model: &Model) -> Classes {
        let mut types = Table::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut of_frame = |frame: &Frame| {
            let mut of_slot = |slot: &Slot| {
                let class = *known.entry(without_numbers(&slot.name)).or_insert(types.len());
                match types.get_mut(class) {
                    Some(all) => *all = all.hull(Interval::of_type(slot.scalar)),
                    None => types.push(Interval::of_type(slot.scalar)),
                }
                class
            };
            frame.slots.iter().map(&mut of_slot).collect::<IndexVec<SlotId, usize>>()
        };
        let globals = of_frame(&model.globals);
        let locals = model.templates.iter().map(|template| of_frame(&template.frame)).collect();
        Classes { globals, locals, types }
    }

    fn of(&self, template: TemplateId, scope: Scope) -> &IndexVec<SlotId, usize> {
        match scope {
            Scope::Global => &self.globals,
            Scope::Local => &self.locals[template],
        }
    }

    /// Whether all variables that a place may name are in one class.
    fn is_one(&self, template: TemplateId, place: &Place) -> bool {
        let classes = self.of(template, place.scope);
        let class = |slot: usize| classes.get(SlotId::from_index(slot)).copied();
        elements(place).all(|slot| class(slot) == class(place.first.index()))
    }
}

/// `q[1].a[2]` as `q[].a[]`.
fn without_numbers(name: &str) -> String {
    let mut inside = false;
    let is_kept = |character: &char| {
        inside = match character {
            '[' => true,
            ']' => false,
            _ => inside,
        };
        !inside || *character == '['
    };
    name.chars().filter(is_kept).collect()
}

struct Analysis<'m> {
    model: &'m Model,
    classes: Classes,
    /// What a growing bound is widened to, in ascending order.
    bounds: BTreeSet<i64>,
}

impl<'m> Analysis<'m> {
    /// An analysis of a model with exact integers, each of which is stored by an assignment: none
    /// comes in a message, or with a process that is created.
    fn new(model: &'m Model) -> Option<Analysis<'m>> {
        if model.arithmetic != Arithmetic::Exact || !model.channels.is_empty() {
            return None;
        }
        let classes = Classes::new(model);
        let mut is_simple = true;
        for (id, template) in model.templates.iter_enumerated() {
            for edge in template.edges.iter() {
                edge.walk(&mut |expr| match &expr.kind {
                    ExprKind::Run(_) => is_simple = false,
                    ExprKind::Read(place) => is_simple &= classes.is_one(id, place),
                    _ => {}
                });
                is_simple &= edge.stores().all(|place| classes.is_one(id, place));
            }
        }
        is_simple.then(|| Analysis { model, classes, bounds: bounds(model) })
    }

    /// The intervals at a fixed point; `None` if that takes too long.
    fn solve(&self, initial: &State) -> Option<Table> {
        let start = self.start(initial);
        let mut now = start.clone();
        for round in 0..MOST_ROUNDS {
            let after = self.step(&start, &now);
            if now.iter().zip(&after).all(|(now, after)| now.contains(*after)) {
                // Whatever is reached from states that are described is described again.
                return Some(self.step(&start, &after));
            }
            let grown = now.iter().zip(after).zip(&self.classes.types);
            now = grown
                .map(
                    |((now, after), all)| {
                        if round < PATIENCE { now.hull(after) } else { now.widened(after, &self.bounds, *all) }
                    },
                )
                .collect();
        }
        None
    }

    /// What the variables are in the first state; those of a process that does not exist, anything.
    fn start(&self, initial: &State) -> Table {
        let mut found: Vec<Option<Interval>> = vec![None; self.classes.types.len()];
        let mut add = |classes: &IndexVec<SlotId, usize>, values: &[i64]| {
            for (class, value) in classes.iter().zip(values) {
                let value = Interval::only(*value);
                found[*class] = Some(found[*class].map_or(value, |known| known.hull(value)));
            }
        };
        add(&self.classes.globals, initial.globals());
        for (pid, process) in initial.processes.iter().enumerate() {
            add(&self.classes.locals[process.template], initial.locals(pid as Pid));
        }
        found.into_iter().zip(&self.classes.types).map(|(found, all)| found.unwrap_or(*all)).collect()
    }

    /// What the variables are in the first state, and after each edge from such states.
    fn step(&self, start: &Table, now: &Table) -> Table {
        let mut found = start.clone();
        for (template, of) in self.model.templates.iter_enumerated() {
            for edge in of.edges.iter() {
                let mut walk = Walk { analysis: self, template, now, found: &mut found, own: Vec::new() };
                // An edge that cannot be taken, or that always fails, gives nothing.
                let _ = walk.edge(edge);
            }
        }
        found
    }
}

/// The borders of widths, and the numbers with which variables are compared.
fn bounds(model: &Model) -> BTreeSet<i64> {
    let mut compared = BTreeSet::new();
    let edges = model.templates.iter().flat_map(|template| template.edges.iter());
    let constant = |side: &Expr| if let ExprKind::Const(number) = side.kind { Some(number) } else { None };
    edges.for_each(|edge| compared_numbers(edge, constant, &mut compared));
    let borders = BORDERS.into_iter().flat_map(|border| [border, !border]);
    borders.chain(compared.iter().copied().filter(|_| compared.len() <= MOST_COMPARED)).collect()
}

/// What happens along one edge.
struct Walk<'w, 'm> {
    analysis: &'w Analysis<'m>,
    template: TemplateId,
    /// The intervals before it.
    now: &'w Table,
    /// What is stored is added here.
    found: &'w mut Table,
    /// More about variables that are named without an index: what guards say of them, and what was
    /// assigned on the way.
    own: Vec<(Scope, SlotId, Interval)>,
}

impl Walk<'_, '_> {
    /// Goes along the edge; `None` if nobody can.
    fn edge(&mut self, edge: &Edge) -> Option<()> {
        if let Some(guard) = &edge.guard {
            self.assume(guard, true)?;
        }
        match &edge.action {
            Action::Guard(condition) => self.assume(condition, true)?,
            Action::Assign(place, value) => self.assign(place, value)?,
            _ => {}
        }
        edge.effects.iter().try_for_each(|effect| self.assign(&effect.place, &effect.value))
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Option<()> {
        let value = self.value(value)?;
        let frame = match place.scope {
            Scope::Global => &self.analysis.model.globals,
            Scope::Local => &self.analysis.model.templates[self.template].frame,
        };
        let stored = value.stored(frame.slots[place.first].scalar)?;
        let classes = self.analysis.classes.of(self.template, place.scope);
        let class = classes[place.first];
        self.found[class] = self.found[class].hull(stored);
        if place.indices.is_empty() {
            self.set(place, stored);
        } else {
            let same = self.own.iter_mut().filter(|(scope, slot, _)| *scope == place.scope && classes[*slot] == class);
            same.for_each(|(_, _, known)| *known = known.hull(stored));
        }
        Some(())
    }

    fn set(&mut self, place: &Place, interval: Interval) {
        self.own.retain(|(scope, slot, _)| (*scope, *slot) != (place.scope, place.first));
        self.own.push((place.scope, place.first, interval));
    }

    /// Takes a condition for true or for false; `None` if it cannot be.
    fn assume(&mut self, condition: &Expr, truth: bool) -> Option<()> {
        match &condition.kind {
            ExprKind::Const(value) => ((*value != 0) == truth).then_some(()),
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !truth),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                if (*op == BinaryOp::And) == truth {
                    self.assume(left, truth)?;
                    self.assume(right, truth)?;
                }
                Some(())
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                let (a, b) = Interval::compared(if truth { *op } else { negated(*op) }, a, b)?;
                self.narrow(left, a);
                self.narrow(right, b);
                Some(())
            }
            _ => Some(()),
        }
    }

    fn narrow(&mut self, expr: &Expr, interval: Interval) {
        if let ExprKind::Read(place) = &expr.kind
            && place.indices.is_empty()
        {
            self.set(place, interval);
        }
    }

    /// What an expression may be; `None` if it never has a value.
    fn value(&mut self, expr: &Expr) -> Option<Interval> {
        match &expr.kind {
            ExprKind::Const(value) => Some(Interval::only(*value)),
            ExprKind::Read(place) => {
                let own = self.own.iter().find(|(scope, slot, _)| (*scope, *slot) == (place.scope, place.first));
                let own = own.filter(|_| place.indices.is_empty()).map(|(_, _, interval)| *interval);
                let classes = self.analysis.classes.of(self.template, place.scope);
                Some(own.unwrap_or_else(|| self.now[classes[place.first]]))
            }
            ExprKind::Unary(op, operand) => Interval::unary(*op, self.value(operand)?),
            // The second operand need not have a value.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => Some(Interval::TRUTH),
            ExprKind::Binary(op, left, right) => Interval::binary(*op, self.value(left)?, self.value(right)?),
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let before = self.own.clone();
                let yes = self.assume(condition, true).and_then(|()| self.value(yes));
                self.own.clone_from(&before);
                let no = self.assume(condition, false).and_then(|()| self.value(no));
                self.own = before;
                match (yes, no) {
                    (Some(yes), Some(no)) => Some(yes.hull(no)),
                    (one, other) => one.or(other),
                }
            }
            _ => Some(Interval::ALL),
        }
    }
}

/// The slots that a place may name.
fn elements(place: &Place) -> impl Iterator<Item = usize> {
    let mut found = vec![place.first.index()];
    for index in &place.indices {
        let (length, stride) = (index.length as usize, index.stride as usize);
        found = found.iter().flat_map(|first| (0..length).map(move |i| first + i * stride)).collect();
    }
    found.into_iter()
}
