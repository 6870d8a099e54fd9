//! How a network uses its cells: which sets can be shifted, and what stands in the way of others.
//!
//! Every use of a cell is seen here. Copies, comparisons for equality and sums with constants join
//! cells, by their [`forms`](super::forms); whatever else looks at a value freezes it, and so does
//! whatever else gives one. A store that nobody reads again is no use.

use std::collections::BTreeSet;

use ample_model::{
    Action, BinaryOp, Edge, Effect, Expr, ExprKind, LocationId, Place, ReceiveArg, Scalar, Scope, Template,
};
use ample_network::Instance;
use ample_network::facts::InstanceId;
use ample_stdx::{BitSet, IndexVec, Stop};

use super::sets::{Obstacle, Ring, Sets};
use crate::Visible;
use crate::canonizers::cells::{Names, Origin};
use crate::control::leading_to_creation;
use crate::liveness::{Liveness, Variables, nothing_created};
use crate::passes::observed::observed;
use crate::passes::risk::Risk;
use crate::passes::slots::{Slots, add_reads, only_slot, slots_of};

/// What was found about the cells of a network.
pub(super) struct Uses<'n> {
    names: &'n Names<'n>,
    pub sets: Sets,
    /// Which variables of each instance may still be read, by location.
    pub live: IndexVec<InstanceId, IndexVec<LocationId, Slots>>,
    /// The variables to which something goes where nobody reads it again.
    pub forgotten: BTreeSet<usize>,
    /// The instances that create others, and where they still may: nothing is shifted then.
    pub creators: Vec<(InstanceId, BitSet<LocationId>)>,
    /// What is being looked at.
    here: Origin,
}

/// Who still reads what an edge stores.
struct LiveStores {
    by_action: Slots,
    by_effects: Vec<bool>,
}

impl<'n> Uses<'n> {
    /// Looks at all processes, and at what the question asks. None if it is time to stop before.
    pub fn of(names: &'n Names<'n>, visible: &Visible<'_>, stop: &Stop) -> Option<Uses<'n>> {
        let observed = observed(names.network.model, visible);
        let here = Origin { instance: None, edge: None };
        let sets = Sets::new(names.cells.list.len());
        let mut uses =
            Uses { names, sets, live: IndexVec::new(), forgotten: BTreeSet::new(), creators: Vec::new(), here };
        for (cell, known) in names.cells.list.iter().enumerate() {
            if matches!(known.scalar, Scalar::Channel | Scalar::Pid) {
                uses.freeze(&[cell]);
            }
        }
        visible.propositions.iter().for_each(|proposition| uses.observe(proposition));
        for (instance, Instance { template, .. }) in names.network.instances.iter_enumerated() {
            stop.check().ok()?;
            uses.instance(instance, observed[*template].slots.clone());
        }
        Some(uses)
    }

    /// The sets that are shifted, with their cells that have room in a state.
    pub fn shifted(&self) -> impl Iterator<Item = (Ring, Vec<usize>)> + '_ {
        let open = self.sets.computing().filter(|(.., obstacle)| obstacle.is_none());
        let with_cells = open.map(|(root, ring, _)| (ring, self.cells_of(root)));
        with_cells.filter(move |(ring, cells)| !cells.is_empty() && self.fit(*ring, cells))
    }

    /// The cells of a set that have room in a state.
    pub fn cells_of(&self, root: usize) -> Vec<usize> {
        let has_room = |cell: &usize| self.names.cells.list[*cell].place.width > 0;
        (0..self.names.cells.list.len()).filter(has_room).filter(|cell| self.sets.root(*cell) == root).collect()
    }

    /// Whether all of some cells can hold the values of a ring.
    pub fn fit(&self, ring: Ring, cells: &[usize]) -> bool {
        cells.iter().all(|cell| ring.fits(self.names.cells.list[*cell].scalar))
    }

    /// Looks at a process of whose variables some are `always` live.
    fn instance(&mut self, instance: InstanceId, mut always: Slots) {
        let template = self.names.network.template(instance);
        self.here = Origin { instance: Some(instance), edge: None };
        template.provided.iter().for_each(|condition| {
            add_reads(condition, &mut always);
            self.observe(condition);
        });
        for claim in &template.exclusive {
            add_reads(&claim.channel, &mut always);
            self.observe(&claim.channel);
        }
        let live = live_locals(template, Risk::of(self.names.network.model, template), always);
        let creating = leading_to_creation(template);
        for (id, edge) in template.edges.iter_enumerated() {
            if !creating.contains(edge.source) {
                self.here.edge = Some(id);
                self.edge(edge, LiveStores::of(edge, &live));
            }
        }
        self.live.push(live);
        if !creating.is_empty() {
            self.creators.push((instance, creating));
        }
    }

    fn edge(&mut self, edge: &Edge, live: LiveStores) {
        edge.guard.iter().for_each(|guard| self.observe(guard));
        match &edge.action {
            Action::Assign(place, value) => self.assign(place, value, live.is_by_action(place)),
            Action::Send { channel, sorted, values } => self.send(channel, *sorted, values),
            Action::Receive { channel, pattern, .. } => {
                self.message(channel, pattern);
                for (field, argument) in pattern.iter().enumerate() {
                    if let ReceiveArg::Store(place) = argument {
                        place.indices.iter().for_each(|index| self.observe(&index.value));
                        let stored = self.stored(place);
                        if live.is_by_action(place) {
                            let fields = self.names.fields(channel, self.here.instance, field);
                            self.join(&[fields, stored].concat());
                        } else {
                            self.forgotten.extend(stored);
                        }
                    }
                }
            }
            Action::Print { arguments, .. } => arguments.iter().for_each(|argument| self.unobserved(argument)),
            Action::PrintName(argument) => self.unobserved(argument),
            Action::Guard(value) | Action::Assert(value) => self.observe(value),
            Action::SetPriority(process, priority) => {
                self.observe(process);
                self.observe(priority);
            }
            Action::Skip | Action::Else | Action::DeterministicStep(_) | Action::Event { .. } | Action::End => {}
        }
        for (Effect { place, value }, is_live) in edge.effects.iter().zip(live.by_effects) {
            self.assign(place, value, is_live);
        }
    }

    /// The variables that a store may change.
    fn stored(&self, place: &Place) -> Vec<usize> {
        self.names.variables(place, self.here.instance)
    }

    fn assign(&mut self, place: &Place, value: &Expr, is_live: bool) {
        place.indices.iter().for_each(|index| self.observe(&index.value));
        let targets = self.stored(place);
        if is_live {
            self.give(&targets, value);
        } else {
            self.forgotten.extend(targets);
            self.unobserved(value);
        }
    }

    fn send(&mut self, channel: &Expr, sorted: bool, values: &[Expr]) {
        self.observe(channel);
        for (field, value) in values.iter().enumerate() {
            let fields = self.names.fields(channel, self.here.instance, field);
            if sorted {
                self.freeze(&fields);
            }
            self.give(&fields, value);
        }
    }

    /// A value goes to one of these cells, and is cut to its type.
    fn give(&mut self, targets: &[usize], value: &Expr) {
        let Some((form, added)) = self.names.sum(value, self.here.instance) else {
            self.freeze(targets);
            return self.observe(value);
        };
        let joined = [&form.cells, targets].concat();
        self.join(&joined);
        form.rings.iter().for_each(|ring| self.compute(&joined, *ring));
        if added != 0 {
            for target in targets {
                self.compute(&[*target], Ring::of(self.names.cells.list[*target].scalar));
            }
        }
        form.observed.iter().for_each(|inside| self.observe(inside));
    }

    /// What a receive, or the question whether one is possible, compares.
    fn message(&mut self, channel: &Expr, pattern: &[ReceiveArg]) {
        self.observe(channel);
        for (field, argument) in pattern.iter().enumerate() {
            let ReceiveArg::Match(value) = argument else { continue };
            let fields = self.names.fields(channel, self.here.instance, field);
            match self.names.form(value, self.here.instance) {
                Some(form) => self.compare(&form.cells, &form.rings, &form.observed, &fields),
                None => {
                    self.freeze(&fields);
                    self.observe(value);
                }
            }
        }
    }

    /// Values are compared for equality.
    fn compare(&mut self, cells: &[usize], rings: &[Ring], observed: &[&Expr], others: &[usize]) {
        let joined = [cells, others].concat();
        self.join(&joined);
        rings.iter().for_each(|ring| self.compute(&joined, *ring));
        observed.iter().for_each(|inside| self.observe(inside));
    }

    /// The value of an expression is looked at.
    fn observe(&mut self, expr: &Expr) {
        let asker = self.here.instance;
        if self.names.constant(expr, asker).is_some() {
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                match (self.names.form(left, asker), self.names.form(right, asker)) {
                    (Some(left), Some(right)) => {
                        let rings = [left.rings, right.rings].concat();
                        let observed = [left.observed, right.observed].concat();
                        self.compare(&left.cells, &rings, &observed, &right.cells);
                    }
                    _ => {
                        self.observe(left);
                        self.observe(right);
                    }
                }
            }
            ExprKind::Read(place) => {
                self.freeze(&self.stored(place));
                place.indices.iter().for_each(|index| self.observe(&index.value));
            }
            ExprKind::RemoteRead(remote) => {
                self.freeze(&self.names.remote(remote, asker));
                remote.pid.iter().for_each(|pid| self.observe(pid));
                remote.place.indices.iter().for_each(|index| self.observe(&index.value));
            }
            ExprKind::Poll(poll) => self.message(&poll.channel, &poll.pattern),
            _ => children(expr, &mut |operand| self.observe(operand)),
        }
    }

    /// Nobody looks at the value of an expression; only whether it has one counts.
    fn unobserved(&mut self, expr: &Expr) {
        let asker = self.here.instance;
        match &expr.kind {
            ExprKind::Read(place) => place.indices.iter().for_each(|index| self.observe(&index.value)),
            ExprKind::Unary(_, operand) => self.unobserved(operand),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::And | BinaryOp::Or => self.observe(expr),
                BinaryOp::Divide | BinaryOp::Remainder => match self.names.constant(right, asker) {
                    Some(value) if value != 0 => self.unobserved(left),
                    _ => self.observe(expr),
                },
                _ => {
                    self.unobserved(left);
                    self.unobserved(right);
                }
            },
            _ => self.observe(expr),
        }
    }

    fn join(&mut self, cells: &[usize]) {
        self.sets.join(cells, self.here);
        // What never changes is not shifted, and neither is what it goes to.
        let constants = cells.iter().filter(|cell| self.names.cells.list[**cell].constant.is_some());
        constants.copied().collect::<Vec<_>>().into_iter().for_each(|cell| self.freeze(&[cell]));
    }

    fn compute(&mut self, cells: &[usize], ring: Ring) {
        cells.iter().take(1).for_each(|cell| self.sets.compute(*cell, ring, self.here));
    }

    fn freeze(&mut self, cells: &[usize]) {
        cells.iter().for_each(|cell| self.sets.freeze(*cell, Obstacle::Value(self.here)));
    }
}

/// Calls `visit` on the operands of an expression.
fn children<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Unary(_, operand)
        | ExprKind::Channel(_, operand)
        | ExprKind::Enabled(operand)
        | ExprKind::ProgramCounter(operand)
        | ExprKind::Priority(operand) => visit(operand),
        ExprKind::Binary(_, left, right) => {
            visit(left);
            visit(right);
        }
        ExprKind::Conditional(parts) => parts.iter().for_each(visit),
        ExprKind::RemoteAt(remote) => remote.pid.iter().for_each(visit),
        ExprKind::Run(run) => run.arguments.iter().for_each(visit),
        ExprKind::Read(_)
        | ExprKind::RemoteRead(_)
        | ExprKind::Poll(_)
        | ExprKind::Const(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::Pid
        | ExprKind::ProcessCount
        | ExprKind::LastProcess => {}
    }
}

impl LiveStores {
    /// Backward from the end of the edge.
    fn of(edge: &Edge, live: &IndexVec<LocationId, Slots>) -> LiveStores {
        let mut slots = live[edge.target].clone();
        if let Action::DeterministicStep(inside) = edge.action {
            slots.union_with(&live[inside]);
        }
        let mut by_effects = Vec::new();
        for Effect { place, value } in edge.effects.iter().rev() {
            by_effects.push(is_live(place, &slots));
            if let Some(slot) = only_slot(place).filter(|_| place.scope == Scope::Local) {
                slots.remove(slot);
            }
            add_reads(value, &mut slots);
            place.indices.iter().for_each(|index| add_reads(&index.value, &mut slots));
        }
        by_effects.reverse();
        // An index may use a field that was stored before.
        for place in edge.stores() {
            place.indices.iter().for_each(|index| add_reads(&index.value, &mut slots));
        }
        LiveStores { by_action: slots, by_effects }
    }

    fn is_by_action(&self, place: &Place) -> bool {
        is_live(place, &self.by_action)
    }
}

/// The variables of the process that are live at each location.
fn live_locals(template: &Template, risk: Risk<'_>, always: Slots) -> IndexVec<LocationId, Slots> {
    let always = Variables { globals: Slots::new(), locals: always };
    let live = Liveness { template, risk, always: &always, always_reads: &|_| true, created: &nothing_created };
    live.at_locations().into_iter().map(|at| at.locals).collect()
}

/// Whether somebody may read what is stored there.
fn is_live(place: &Place, slots: &Slots) -> bool {
    place.scope == Scope::Global || slots_of(place).any(|slot| slots.contains(slot))
}
