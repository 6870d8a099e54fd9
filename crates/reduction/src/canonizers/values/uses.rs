//! How a network uses its cells: the tests and flows of the graph.

use ample_model::{
    Action, BinaryOp, Edge, EdgeId, Effect, Expr, ExprKind, InitValue, Place, ReceiveArg, Run, SlotId, UnaryOp,
};
use ample_network::facts::InstanceId;
use ample_stdx::{IndexVec, TypedId};

use super::counters::{Counters, cycles};
use super::function::{Function, OfOne};
use super::graph::{Aspect, Flow, Graph, Test};
use crate::Visible;
use crate::canonizers::cells::Names;
use crate::control::reachable;
use crate::passes::risk::Risk;

/// Whether an expression has no values but 0 and 1.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Binary(op, ..) => op.is_truth(),
        _ => false,
    }
}

/// Adds what a network does to its graph.
pub(super) struct Uses<'n> {
    names: &'n Names<'n>,
    pub graph: Graph,
    /// The point after the action of each edge that has effects; one for each effect follows, but
    /// for the last.
    inside: IndexVec<InstanceId, IndexVec<EdgeId, usize>>,
    asker: Option<InstanceId>,
    counters: Counters,
    /// Whether what is looked at happens once at most.
    happens_once: bool,
}

/// A step inside an edge: from a point to the next one.
struct Step<'s> {
    before: usize,
    after: usize,
    /// What must be true of cells that were not changed since it was asked.
    guards: &'s [(usize, Function)],
}

impl<'n> Uses<'n> {
    /// Looks at all processes, and at what the question asks.
    pub fn of(names: &'n Names<'n>, visible: &Visible<'_>) -> Uses<'n> {
        let mut inside = IndexVec::new();
        let mut points = IndexVec::new();
        for instance in names.network.instances.ids() {
            let template = names.network.template(instance);
            let mut count = template.locations.len();
            let of_edge = |edge: &Edge| {
                let first = count;
                count += edge.effects.len();
                first
            };
            inside.push(template.edges.iter().map(of_edge).collect());
            points.push(count);
        }
        let mut uses = Uses {
            names,
            graph: Graph::new(names, points),
            inside,
            asker: None,
            counters: Counters::new(names.cells.list.len()),
            happens_once: false,
        };
        let fields = names.cells.variables..names.cells.list.len();
        fields.for_each(|field| uses.counters.exclude(field));
        uses.first_values();
        visible.propositions.iter().for_each(|proposition| uses.observe(proposition, 0, Aspect::Truth));
        for instance in names.network.instances.ids() {
            uses.asker = Some(instance);
            uses.instance(instance);
        }
        uses.graph.limits = uses.counters.limits(names);
        if names.network.model.trace.is_some() {
            let fields = names.cells.variables..names.cells.list.len();
            fields.for_each(|field| uses.test(field, 0, Function::Identity, Aspect::Value));
        }
        uses
    }

    /// What the globals begin with.
    fn first_values(&mut self) {
        let globals = &self.names.network.model.globals;
        for slot in globals.slots.ids() {
            let init = globals.init.iter().find(|init| init.slot == slot).map(|init| &init.value);
            let value = match init {
                Some(InitValue::Expr(value)) => self.names.constant(value, None),
                _ => Some(0),
            };
            let cell = self.names.cells.variable(None, slot.index());
            match value {
                Some(value) => self.give(cell, 0, value),
                None => self.give_any(cell, 0),
            }
        }
    }

    fn instance(&mut self, instance: InstanceId) {
        let template = self.names.network.template(instance);
        let entry = template.entry.index();
        for slot in template.frame.slots.ids() {
            let cell = self.names.cells.variable(Some(instance), slot.index());
            self.give(cell, entry, 0);
        }
        for init in &template.frame.init {
            if let InitValue::Expr(value) = &init.value {
                let cell = self.names.cells.variable(Some(instance), init.slot.index());
                self.assign(&[cell], value, &Step { before: entry, after: entry, guards: &[] });
            }
        }
        for location in template.locations.ids() {
            let asked = template.provided.iter().chain(template.exclusive.iter().map(|claim| &claim.channel));
            asked.for_each(|expr| self.observe(expr, location.index(), Aspect::Value));
        }
        let (reached, cycles) = (reachable(template), cycles(template));
        for (id, edge) in template.edges.iter_enumerated().filter(|(_, edge)| reached.contains(edge.source)) {
            self.happens_once = !self.names.network.is_guessed && !cycles.contains(edge.source);
            self.edge(instance, id, edge);
        }
        self.happens_once = false;
    }

    fn edge(&mut self, instance: InstanceId, id: EdgeId, edge: &Edge) {
        let (before, first) = (edge.source.index(), self.inside[instance][id]);
        let mut guards = Vec::new();
        for guard in edge.guard.iter() {
            self.observe(guard, before, Aspect::Truth);
            self.add_guards(guard, &mut guards);
        }
        if let Action::Guard(guard) = &edge.action {
            self.add_guards(guard, &mut guards);
        }
        // The partner of a rendezvous changes globals before.
        if matches!(edge.action, Action::Send { .. } | Action::Receive { .. }) {
            guards.retain(|(cell, _)| self.names.cells.list[*cell].owner.is_some());
        }
        let after = |number: usize| if number == edge.effects.len() { edge.target.index() } else { first + number };
        let stored = self.action(edge, &Step { before, after: after(0), guards: &guards });
        self.keep(instance, &Step { before, after: after(0), guards: &guards }, &stored);
        if let Action::DeterministicStep(inside) = edge.action {
            self.keep(instance, &Step { before, after: inside.index(), guards: &[] }, &[]);
        }
        // Of a global that is changed on the way, another value than the one that was asked for may
        // be met.
        guards.retain(|(cell, _)| self.names.cells.list[*cell].owner.is_none());
        let by_action = edge.stores().take(edge.stores().count() - edge.effects.len());
        let changed: Vec<usize> = by_action.flat_map(|place| self.names.variables(place, self.asker)).collect();
        guards.retain(|(cell, _)| !changed.contains(cell));
        for (number, Effect { place, value }) in edge.effects.iter().enumerate() {
            let step = Step { before: after(number), after: after(number + 1), guards: &guards };
            let stored = self.store(place, value, &step);
            self.keep(instance, &Step { guards: &[], ..step }, &stored);
            let changed = self.names.variables(place, self.asker);
            guards.retain(|(cell, _)| !changed.contains(cell));
        }
    }

    /// Adds the conjuncts of a condition that depend on one variable.
    fn add_guards(&self, condition: &Expr, guards: &mut Vec<(usize, Function)>) {
        if let Some(OfOne { function, cells, is_remote: false, .. }) = self.names.of_one(condition, self.asker)
            && let [cell] = cells[..]
        {
            guards.push((cell, function));
        } else if let ExprKind::Binary(BinaryOp::And, left, right) = &condition.kind {
            self.add_guards(left, guards);
            self.add_guards(right, guards);
        }
    }

    /// What variables keep that a step does not store for certain.
    fn keep(&mut self, instance: InstanceId, step: &Step<'_>, stored: &[usize]) {
        for slot in self.names.network.template(instance).frame.slots.ids() {
            let cell = self.names.cells.variable(Some(instance), slot.index());
            if !stored.contains(&cell) {
                self.flow(cell, cell, Function::Identity, step);
            }
        }
    }

    /// What an action does; the variables that it stores for certain.
    fn action(&mut self, edge: &Edge, step: &Step<'_>) -> Vec<usize> {
        let risk = Risk::anywhere(self.names.network.model);
        match &edge.action {
            Action::Assign(place, value) => return self.store(place, value, step),
            Action::Send { channel, sorted, values } => self.send(channel, *sorted, values, step),
            Action::Receive { channel, pattern, .. } => return self.receive(channel, pattern, step),
            Action::Guard(value) | Action::Assert(value) => self.observe(value, step.before, Aspect::Truth),
            Action::Print { arguments, .. } => {
                let failing = arguments.iter().filter(|argument| risk.may_fail(argument));
                failing.for_each(|argument| self.observe(argument, step.before, Aspect::Value));
            }
            Action::PrintName(argument) if !risk.may_fail(argument) => {}
            Action::PrintName(argument) => self.observe(argument, step.before, Aspect::Value),
            Action::SetPriority(process, priority) => {
                self.observe(process, step.before, Aspect::Value);
                self.observe(priority, step.before, Aspect::Value);
            }
            Action::Skip | Action::Else | Action::DeterministicStep(_) | Action::Event { .. } | Action::End => {}
        }
        Vec::new()
    }

    /// An assignment; the variable, if it is a certain one.
    fn store(&mut self, place: &Place, value: &Expr, step: &Step<'_>) -> Vec<usize> {
        place.indices.iter().for_each(|index| self.observe(&index.value, step.before, Aspect::Value));
        let cells = self.names.variables(place, self.asker);
        self.assign(&cells, value, step);
        if cells.len() == 1 { cells } else { Vec::new() }
    }

    /// A value goes to one of these cells, and is cut to its type.
    fn assign(&mut self, targets: &[usize], value: &Expr, step: &Step<'_>) {
        if let Some(value) = self.names.constant(value, self.asker) {
            return targets.iter().for_each(|target| self.give(*target, step.after, value));
        }
        match (targets, self.added(targets, value)) {
            ([counter], Some(added)) if self.happens_once => self.counters.add(*counter, added),
            _ => targets.iter().for_each(|target| self.counters.exclude(*target)),
        }
        if let Some(OfOne { function, cells, is_remote: false, observed }) = self.names.of_one(value, self.asker) {
            for (cell, target) in cells.iter().flat_map(|cell| targets.iter().map(move |target| (*cell, *target))) {
                self.flow(cell, target, function.clone(), step);
            }
            return observed.iter().for_each(|inside| self.observe(inside, step.before, Aspect::Value));
        }
        if let ExprKind::Conditional(parts) = &value.kind {
            let [condition, yes, no] = &**parts;
            self.observe(condition, step.before, Aspect::Truth);
            self.assign(targets, yes, step);
            return self.assign(targets, no, step);
        }
        self.observe(value, step.before, Aspect::Value);
        for target in targets {
            if is_truth(value) {
                [0, 1].iter().for_each(|value| self.give(*target, step.after, *value));
            } else {
                self.give_any(*target, step.after);
            }
        }
    }

    /// What is added to the one variable that a value goes to, if the value is that.
    fn added(&self, targets: &[usize], value: &Expr) -> Option<i64> {
        let ExprKind::Binary(BinaryOp::Add, left, right) = &value.kind else { return None };
        let (variable, added) = match (self.names.constant(left, self.asker), self.names.constant(right, self.asker)) {
            (None, Some(added)) => (left, added),
            (Some(added), None) => (right, added),
            _ => return None,
        };
        let ExprKind::Read(place) = &variable.kind else { return None };
        (self.names.variables(place, self.asker) == targets && added > 0).then_some(added)
    }

    fn send(&mut self, channel: &Expr, sorted: bool, values: &[Expr], step: &Step<'_>) {
        self.observe(channel, step.before, Aspect::Value);
        for (field, value) in values.iter().enumerate() {
            let fields = self.names.fields(channel, self.asker, field);
            self.assign(&fields, value, step);
            if sorted {
                self.observe(value, step.before, Aspect::Value);
                fields.iter().for_each(|field| self.test(*field, 0, Function::Identity, Aspect::Value));
            }
        }
    }

    fn receive(&mut self, channel: &Expr, pattern: &[ReceiveArg], step: &Step<'_>) -> Vec<usize> {
        self.matching(channel, pattern, step.before);
        let mut stored = Vec::new();
        for (field, argument) in pattern.iter().enumerate() {
            let ReceiveArg::Store(place) = argument else { continue };
            for index in &place.indices {
                // An index may use a field that was stored before.
                self.observe(&index.value, step.before, Aspect::Value);
                self.observe(&index.value, step.after, Aspect::Value);
            }
            let cells = self.names.variables(place, self.asker);
            for source in self.names.fields(channel, self.asker, field) {
                cells.iter().for_each(|cell| self.flow(source, *cell, Function::Identity, step));
            }
            cells.iter().for_each(|cell| self.counters.exclude(*cell));
            if let [cell] = cells[..] {
                stored.push(cell);
            }
        }
        stored
    }

    /// What a receive, or the question whether one is possible, compares.
    fn matching(&mut self, channel: &Expr, pattern: &[ReceiveArg], point: usize) {
        self.observe(channel, point, Aspect::Value);
        for (field, argument) in pattern.iter().enumerate() {
            let ReceiveArg::Match(value) = argument else { continue };
            let wanted = self.names.constant(value, self.asker).map_or(Function::Identity, Function::is);
            for field in self.names.fields(channel, self.asker, field) {
                self.test(field, 0, wanted.clone(), Aspect::Value);
            }
            self.observe(value, point, Aspect::Value);
        }
    }

    /// The value of an expression is looked at.
    fn observe(&mut self, expr: &Expr, point: usize, aspect: Aspect) {
        if self.names.constant(expr, self.asker).is_some() {
            return;
        }
        if let Some(OfOne { function, cells, is_remote, observed }) = self.names.of_one(expr, self.asker) {
            for cell in cells {
                let nodes = if is_remote { self.graph.nodes_of(self.names, cell).collect() } else { Vec::new() };
                for node in nodes {
                    self.graph.nodes[node].tests.push(Test { function: function.clone(), aspect });
                }
                if !is_remote {
                    self.test(cell, point, function.clone(), aspect);
                }
            }
            return observed.iter().for_each(|inside| self.observe(inside, point, Aspect::Value));
        }
        match &expr.kind {
            ExprKind::Unary(op, operand) => {
                self.observe(operand, point, if *op == UnaryOp::Not { Aspect::Truth } else { Aspect::Value });
            }
            ExprKind::Binary(op, left, right) => {
                let is_logical = matches!(op, BinaryOp::And | BinaryOp::Or);
                let inside = if is_logical { Aspect::Truth } else { Aspect::Value };
                self.observe(left, point, inside);
                self.observe(right, point, inside);
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.observe(condition, point, Aspect::Truth);
                self.observe(yes, point, aspect);
                self.observe(no, point, aspect);
            }
            ExprKind::Poll(poll) => self.matching(&poll.channel, &poll.pattern, point),
            ExprKind::Run(run) => self.run(run, point),
            ExprKind::Channel(_, inside)
            | ExprKind::Enabled(inside)
            | ExprKind::ProgramCounter(inside)
            | ExprKind::Priority(inside) => self.observe(inside, point, Aspect::Value),
            ExprKind::RemoteAt(remote) => remote.pid.iter().for_each(|pid| self.observe(pid, point, Aspect::Value)),
            // What an index out of range names is no variable.
            ExprKind::Read(place) => {
                place.indices.iter().for_each(|index| self.observe(&index.value, point, Aspect::Value));
            }
            ExprKind::RemoteRead(remote) => {
                let inside = remote.pid.iter().chain(remote.place.indices.iter().map(|index| &index.value));
                inside.for_each(|inside| self.observe(inside, point, Aspect::Value));
            }
            ExprKind::Const(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::Pid
            | ExprKind::ProcessCount
            | ExprKind::LastProcess => {}
        }
    }

    /// The parameters of what is created.
    fn run(&mut self, run: &Run, point: usize) {
        let created: Vec<InstanceId> = self.names.network.instances.ids().collect();
        for instance in created {
            if self.names.network.instances[instance].template != run.template {
                continue;
            }
            let after = self.names.network.template(instance).entry.index();
            for (slot, argument) in run.arguments.iter().enumerate() {
                let cell = self.names.cells.variable(Some(instance), SlotId::from_index(slot).index());
                self.assign(&[cell], argument, &Step { before: point, after, guards: &[] });
            }
        }
    }

    fn give(&mut self, cell: usize, point: usize, value: i64) {
        if let Some(node) = self.graph.node(self.names, cell, point) {
            let value = self.graph.stored(node, value);
            self.graph.nodes[node].given.push(value);
        }
        self.counters.give(cell, value);
    }

    fn give_any(&mut self, cell: usize, point: usize) {
        if let Some(node) = self.graph.node(self.names, cell, point) {
            self.graph.nodes[node].is_any = true;
        }
        self.counters.exclude(cell);
    }

    fn test(&mut self, cell: usize, point: usize, function: Function, aspect: Aspect) {
        if let Some(node) = self.graph.node(self.names, cell, point) {
            self.graph.nodes[node].tests.push(Test { function, aspect });
        }
    }

    /// A function of the value of a cell goes to another one, or the same.
    fn flow(&mut self, cell: usize, target: usize, function: Function, step: &Step<'_>) {
        let from = self.graph.node(self.names, cell, step.before);
        let to = self.graph.node(self.names, target, step.after);
        let guards = step.guards.iter().filter(|(guarded, _)| *guarded == cell);
        let guards = guards.map(|(_, function)| function.clone()).collect();
        match (from, to) {
            (Some(from), Some(to)) => self.graph.nodes[from].flows.push(Flow { function, to, guards }),
            // What nothing is known of keeps all values apart.
            (Some(from), None) => self.graph.nodes[from].tests.push(Test { function, aspect: Aspect::Value }),
            (None, Some(to)) => match self.names.cells.list[cell]
                .constant
                .and_then(|value| function.apply(self.graph.arithmetic, value))
            {
                Some(value) => {
                    let value = self.graph.stored(to, value);
                    self.graph.nodes[to].given.push(value);
                }
                None => self.graph.nodes[to].is_any = true,
            },
            (None, None) => {}
        }
    }
}
