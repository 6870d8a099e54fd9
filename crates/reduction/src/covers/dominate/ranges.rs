//! Between which numbers the variables of a network stay: where one may wrap around, or be given a
//! value that it cannot hold, its order is lost.
//!
//! A fixed point over intervals (Cousot and Cousot: Abstract interpretation, POPL 1977): one for
//! each variable, and besides, for each location of a process, what is known of the variables that
//! nobody else changes while the process is there: its own, and all of them inside an `atomic`
//! sequence that cannot be left there. What a guard asks narrows what the edge reads, and what
//! follows it.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{Action, Arithmetic, BinaryOp, Edge, Expr, ExprKind, Frame, InitValue, LocationId, Place, UnaryOp};
use ample_network::facts::InstanceId;
use ample_network::{Interval, compared_numbers, negated};
use ample_stdx::{IndexVec, TypedId};

use crate::canonizers::cells::Names;

/// So many rounds are made before what grows is widened.
const PATIENCE: usize = 3;
/// If that takes more rounds, nothing is known.
const MOST_ROUNDS: usize = 200;
/// So many rounds narrow what was widened too far.
const NARROWING: usize = 2;
/// If variables are compared with more numbers than this, these are no bounds to widen to.
const MOST_COMPARED: usize = 64;

/// More about some variables than is known everywhere.
pub(crate) type Known = BTreeMap<usize, Interval>;

/// What is known of all variables.
pub(crate) struct Ranges<'n> {
    names: &'n Names<'n>,
    /// Everywhere, by cell.
    all: Vec<Interval>,
    /// At each location of each instance; nothing if it is never there.
    at: IndexVec<InstanceId, IndexVec<LocationId, Option<Known>>>,
}

impl<'n> Ranges<'n> {
    pub(crate) fn of(names: &'n Names<'n>) -> Ranges<'n> {
        let analysis = Analysis { names, bounds: bounds(names), writers: writers(names) };
        analysis.solve().unwrap_or_else(|| Ranges::unknown(names))
    }

    /// Nothing but the types.
    fn unknown(names: &'n Names<'n>) -> Ranges<'n> {
        let anywhere =
            |instance| names.network.template(instance).locations.iter().map(|_| Some(Known::new())).collect();
        Ranges { names, all: types(names), at: names.network.instances.ids().map(anywhere).collect() }
    }

    /// What is known where an edge begins; `None` if it is never there.
    pub(crate) fn before(&self, instance: InstanceId, edge: &Edge) -> Option<Walk<'_>> {
        let known = self.at[instance][edge.source].clone()?;
        Some(Walk { names: self.names, all: &self.all, asker: Some(instance), known })
    }

    /// What is known everywhere.
    pub(crate) fn anywhere(&self, asker: Option<InstanceId>) -> Walk<'_> {
        Walk { names: self.names, all: &self.all, asker, known: Known::new() }
    }
}

/// What the variables can hold.
fn types(names: &Names<'_>) -> Vec<Interval> {
    names.cells.list.iter().map(|cell| Interval::of_type(cell.scalar)).collect()
}

/// The numbers with which variables are compared, and their neighbours.
fn bounds(names: &Names<'_>) -> BTreeSet<i64> {
    let mut compared = BTreeSet::new();
    for instance in names.network.instances.ids() {
        for edge in &names.network.template(instance).edges {
            compared_numbers(edge, |side| names.constant(side, Some(instance)), &mut compared);
        }
    }
    if compared.len() > MOST_COMPARED {
        compared.clear();
    }
    compared.iter().flat_map(|number| [number.saturating_sub(1), *number, number.saturating_add(1)]).collect()
}

/// The processes that may assign to each variable.
fn writers(names: &Names<'_>) -> Vec<BTreeSet<InstanceId>> {
    let mut writers = vec![BTreeSet::new(); names.cells.list.len()];
    for instance in names.network.instances.ids() {
        let stores = names.network.template(instance).edges.iter().flat_map(Edge::stores);
        for cell in stores.flat_map(|place| names.variables(place, Some(instance))) {
            writers[cell].insert(instance);
        }
    }
    writers
}

struct Analysis<'n> {
    names: &'n Names<'n>,
    /// What a growing bound is widened to, if it is within the type.
    bounds: BTreeSet<i64>,
    /// Who writes each variable.
    writers: Vec<BTreeSet<InstanceId>>,
}

impl<'n> Analysis<'n> {
    fn solve(&self) -> Option<Ranges<'n>> {
        let types = types(self.names);
        let mut now = self.start();
        for round in 0..MOST_ROUNDS {
            let after = self.step(&now);
            if is_within(&after, &now) {
                return Some((0..NARROWING).fold(after, |now, _| self.step(&now)));
            }
            let all = now.all.iter().zip(&after.all).zip(&types);
            let widened = |((now, after), of_type): ((&Interval, &Interval), &Interval)| {
                self.grown(round, *now, *after, *of_type)
            };
            let all = all.map(widened).collect();
            let at = now.at.iter().zip(&after.at).map(|(now, after)| {
                let both = now.iter().zip(after);
                both.map(|(now, after)| self.grown_known(round, now.as_ref(), after.as_ref(), &types)).collect()
            });
            now = Ranges { names: self.names, all, at: at.collect() };
        }
        None
    }

    fn grown(&self, round: usize, now: Interval, after: Interval, of_type: Interval) -> Interval {
        let both = now.hull(after);
        if round < PATIENCE { both } else { now.widened(both, &self.bounds, of_type) }
    }

    fn grown_known(
        &self,
        round: usize,
        now: Option<&Known>,
        after: Option<&Known>,
        types: &[Interval],
    ) -> Option<Known> {
        let (Some(now), Some(after)) = (now, after) else { return now.or(after).cloned() };
        let both = now.iter().filter_map(|(cell, now)| Some((*cell, *now, *after.get(cell)?)));
        Some(both.map(|(cell, now, after)| (cell, self.grown(round, now, after, types[cell]))).collect())
    }

    /// What the variables are at first: globals what they are given, those of processes too, except
    /// for what is given by who creates them.
    fn start(&self) -> Ranges<'n> {
        let network = self.names.network;
        let types = types(self.names);
        let initial = self.names.cells.list.iter().map(|cell| Interval::only(cell.scalar.initial()));
        let mut all: Vec<Interval> = initial.collect();
        for (cell, known) in self.names.cells.list.iter().enumerate() {
            match (known.constant, known.owner) {
                _ if cell >= self.names.cells.variables => all[cell] = types[cell],
                (Some(value), _) => all[cell] = Interval::only(value),
                (None, Some(owner)) if known.slot.index() < network.template(owner).parameters => {
                    all[cell] = types[cell];
                }
                (None, _) => {}
            }
        }
        self.initialise(None, &network.model.globals, &types, &mut all);
        for instance in network.instances.ids() {
            self.initialise(Some(instance), &network.template(instance).frame, &types, &mut all);
        }
        let at = network.instances.ids().map(|instance| {
            let template = network.template(instance);
            let entry = |location| (location == template.entry).then(Known::new);
            template.locations.ids().map(entry).collect()
        });
        Ranges { names: self.names, all, at: at.collect() }
    }

    fn initialise(&self, owner: Option<InstanceId>, frame: &Frame, types: &[Interval], all: &mut [Interval]) {
        for init in &frame.init {
            let cell = self.names.cells.variable(owner, init.slot.index());
            let known = match &init.value {
                InitValue::Expr(expr) => self.names.constant(expr, owner).map(Interval::only),
                InitValue::Channel(_) => None,
            };
            // What is not known, and what is cut to the type.
            all[cell] = known.filter(|value| types[cell].contains(*value)).unwrap_or(types[cell]);
        }
    }

    /// What the variables are at first, and after each edge from where they are so.
    fn step(&self, now: &Ranges<'n>) -> Ranges<'n> {
        let mut found = self.start();
        for instance in self.names.network.instances.ids() {
            let template = self.names.network.template(instance);
            for edge in &template.edges {
                let Some(mut walk) = now.before(instance, edge) else { continue };
                let mut stored = Vec::new();
                if walk.edge(edge, &mut stored).is_none() {
                    continue;
                }
                for (cell, value) in stored {
                    found.all[cell] = found.all[cell].hull(value);
                }
                let after = self.lasting(instance, edge, walk.known);
                if let Action::DeterministicStep(inside) = edge.action {
                    join(&mut found.at[instance][inside], after.clone());
                    join(&mut found.at[instance][edge.target], Known::new());
                } else {
                    join(&mut found.at[instance][edge.target], after);
                }
            }
        }
        found
    }

    /// What is still known after an edge, whatever others do meanwhile.
    fn lasting(&self, instance: InstanceId, edge: &Edge, known: Known) -> Known {
        let template = self.names.network.template(instance);
        let target = &template.locations[edge.target];
        let goes_on = |edge: &Edge| {
            edge.guard.is_none() && matches!(edge.action, Action::Assign(..) | Action::Skip | Action::Print { .. })
        };
        let is_held = edge.keeps_control && target.edges.iter().any(|next| goes_on(&template.edges[*next]));
        let is_inside = matches!(edge.action, Action::DeterministicStep(_)) || target.d_step.is_some();
        let is_own = |cell: &usize| self.writers[*cell].iter().all(|writer| *writer == instance);
        known.into_iter().filter(|(cell, _)| is_held || is_inside || is_own(cell)).collect()
    }
}

fn join(at: &mut Option<Known>, other: Known) {
    *at = Some(match at.take() {
        None => other,
        Some(known) => {
            let both = known.into_iter().filter_map(|(cell, one)| Some((cell, one.hull(*other.get(&cell)?))));
            both.collect()
        }
    });
}

/// Whether all that is known in one is known in the other, too.
fn is_within(after: &Ranges<'_>, now: &Ranges<'_>) -> bool {
    let known = |after: &Option<Known>, now: &Option<Known>| match (after, now) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(after), Some(now)) => {
            now.iter().all(|(cell, now)| after.get(cell).is_some_and(|after| now.contains(*after)))
        }
    };
    let mut pairs = now.at.iter().zip(&after.at).flat_map(|(now, after)| after.iter().zip(now.iter()));
    now.all.iter().zip(&after.all).all(|(now, after)| now.contains(*after))
        && pairs.all(|(after, now)| known(after, now))
}

/// What is known on the way along an edge.
pub(crate) struct Walk<'r> {
    names: &'r Names<'r>,
    all: &'r [Interval],
    asker: Option<InstanceId>,
    known: Known,
}

impl Walk<'_> {
    /// Goes along the edge, and notes what is stored; `None` if nobody can.
    fn edge(&mut self, edge: &Edge, stored: &mut Vec<(usize, Interval)>) -> Option<()> {
        self.enter(edge)?;
        match &edge.action {
            Action::Assign(place, value) => self.assign(place, value, stored)?,
            _ => edge.stores().take(edge.stores().count() - edge.effects.len()).for_each(|place| {
                // What is received may be anything.
                for cell in self.names.variables(place, self.asker) {
                    let all = Interval::of_type(self.names.cells.list[cell].scalar);
                    self.known.remove(&cell);
                    stored.push((cell, all));
                }
            }),
        }
        edge.effects.iter().try_for_each(|effect| self.assign(&effect.place, &effect.value, stored))
    }

    /// Takes what an edge asks for true; `None` if it never is.
    pub(crate) fn enter(&mut self, edge: &Edge) -> Option<()> {
        if let Some(guard) = &edge.guard {
            self.assume(guard, true)?;
        }
        match &edge.action {
            Action::Guard(condition) => self.assume(condition, true)?,
            // At a rendezvous the receiver may change something first.
            Action::Send { .. } => self.known.retain(|cell, _| self.names.cells.list[*cell].owner.is_some()),
            _ => {}
        }
        Some(())
    }

    /// Stores a value.
    pub(crate) fn assign(&mut self, place: &Place, value: &Expr, stored: &mut Vec<(usize, Interval)>) -> Option<()> {
        let value = self.value(value)?;
        let cells = self.names.variables(place, self.asker);
        for cell in &cells {
            let kept = value.stored(self.names.cells.list[*cell].scalar)?;
            stored.push((*cell, kept));
            match cells.len() {
                1 => _ = self.known.insert(*cell, kept),
                _ => _ = self.known.entry(*cell).and_modify(|known| *known = known.hull(kept)),
            }
        }
        Some(())
    }

    /// Takes a condition for true or for false; `None` if it cannot be.
    fn assume(&mut self, condition: &Expr, truth: bool) -> Option<()> {
        if let Some(value) = self.names.constant(condition, self.asker) {
            return ((value != 0) == truth).then_some(());
        }
        match &condition.kind {
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

    /// The value of an expression, which is computed without a wrap, is among these.
    fn narrow(&mut self, expr: &Expr, interval: Interval) {
        match &expr.kind {
            ExprKind::Read(place) => {
                if let [cell] = self.names.variables(place, self.asker)[..]
                    && let Some(both) = self.read(cell).meet(interval)
                {
                    self.known.insert(cell, both);
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let (Some(a), Some(b)) = (self.value(left), self.value(right)) else { return };
                let is_exact = Interval::binary(*op, a, b).is_some_and(|value| self.cut(value) == value);
                let other = if *op == BinaryOp::Add { BinaryOp::Subtract } else { BinaryOp::Add };
                let of_left = Interval::binary(other, interval, b);
                let of_right = match op {
                    BinaryOp::Add => Interval::binary(BinaryOp::Subtract, interval, a),
                    _ => Interval::binary(BinaryOp::Subtract, a, interval),
                };
                if is_exact {
                    of_left.into_iter().for_each(|narrowed| self.narrow(left, narrowed));
                    of_right.into_iter().for_each(|narrowed| self.narrow(right, narrowed));
                }
            }
            _ => {}
        }
    }

    fn read(&self, cell: usize) -> Interval {
        self.known.get(&cell).copied().unwrap_or(self.all[cell])
    }

    /// What is left of a value that may wrap around.
    fn cut(&self, value: Interval) -> Interval {
        let all = Interval { low: i32::MIN.into(), high: i32::MAX.into() };
        if self.names.network.model.arithmetic == Arithmetic::Exact || all.contains(value) { value } else { all }
    }

    /// Whether an operator may give something else than it gives for integers without bounds.
    pub(crate) fn may_wrap(&self, op: BinaryOp, left: Interval, right: Interval) -> bool {
        Interval::binary(op, left, right).is_some_and(|value| self.cut(value) != value)
    }

    /// What an expression may be; `None` if it never has a value.
    pub(crate) fn value(&self, expr: &Expr) -> Option<Interval> {
        if let Some(value) = self.names.constant(expr, self.asker) {
            return Some(Interval::only(value));
        }
        match &expr.kind {
            ExprKind::Const(value) => Some(Interval::only(*value)),
            ExprKind::Read(place) => {
                let cells = self.names.variables(place, self.asker).into_iter();
                cells.map(|cell| self.read(cell)).reduce(Interval::hull)
            }
            ExprKind::Unary(op, operand) => Some(self.cut(Interval::unary(*op, self.value(operand)?)?)),
            // The second operand need not have a value.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => Some(Interval::TRUTH),
            ExprKind::Binary(op, left, right) => {
                Some(self.cut(Interval::binary(*op, self.value(left)?, self.value(right)?)?))
            }
            ExprKind::Conditional(parts) => match (self.value(&parts[1]), self.value(&parts[2])) {
                (Some(yes), Some(no)) => Some(yes.hull(no)),
                (one, other) => one.or(other),
            },
            _ => Some(Interval::ALL),
        }
    }
}
