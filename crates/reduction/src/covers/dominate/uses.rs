//! How a network uses its variables: of which do smaller values, or larger ones, cover the others?
//!
//! Every use of a variable is seen here. What it does to the order of values is found by going down
//! the expressions: a value *grows* with a variable, *falls* with it, or depends on it in another
//! way. What a process may do must be kept by values that cover: so a guard that falls with a
//! variable asks for smaller ones, one that grows asks for larger ones. Where it also counts that
//! something *cannot* be done (an `else`, a `timeout`, an `unless`, a place inside `atomic` or
//! `d_step` where the process may be held up), a guard asks for both, and so no value covers
//! another.

use ample_model::{
    Action, BinaryOp, Edge, Effect, Expr, ExprKind, LocationId, Place, ReceiveArg, Scalar, Template, UnaryOp,
};
use ample_network::Interval;
use ample_network::facts::InstanceId;
use ample_stdx::BitSet;

use super::ranges::{Ranges, Walk};
use crate::Visible;
use crate::canonizers::cells::{Names, Origin};
use crate::passes::risk::Risk;

/// What was found of a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    /// The first place that asks for smaller values, and for larger ones.
    pub smaller: Option<Origin>,
    pub larger: Option<Origin>,
    pub obstacle: Option<(Obstacle, Origin)>,
    /// Whether something is assigned to it.
    pub is_written: bool,
}

/// Why no value of a variable covers another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// The property reads it.
    Property,
    /// Its value goes to another variable, into a message or to a new process.
    Copied,
    /// It becomes a value that does not keep the order.
    Unordered,
    /// It may wrap around, or be given a value that it cannot hold.
    Wraps,
    /// A value is looked at otherwise than by comparing it with a bound.
    Looked,
    /// It counts whether something cannot be done, too.
    OtherSide,
}

/// What was found of all variables.
pub(super) struct Uses<'n> {
    names: &'n Names<'n>,
    pub of: Vec<Use>,
    ranges: &'n Ranges<'n>,
    here: Origin,
    other_side: OtherSide,
}

/// Where it counts in a model that something cannot be done.
#[derive(Copy, Clone, Debug)]
struct OtherSide {
    /// Everywhere: there is a `timeout`.
    everywhere: bool,
    /// At some location, so that it may count for the partner of a rendezvous there.
    somewhere: bool,
}

/// An expression, by how it depends on variables.
#[derive(Clone, Debug, Default)]
struct Form {
    /// It grows with these, or stays the same.
    grows: Vec<usize>,
    /// It falls with these, or stays the same.
    falls: Vec<usize>,
}

impl Form {
    fn turned(self) -> Form {
        Form { grows: self.falls, falls: self.grows }
    }

    fn and(mut self, other: Form) -> Form {
        self.grows.extend(other.grows);
        self.falls.extend(other.falls);
        self
    }

    fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.grows.iter().chain(&self.falls).copied()
    }
}

impl<'n> Uses<'n> {
    /// Looks at all processes, and at what the question asks.
    pub fn of(names: &'n Names<'n>, ranges: &'n Ranges<'n>, visible: &Visible<'_>) -> Uses<'n> {
        let here = Origin { instance: None, edge: None };
        let of = vec![Use::default(); names.cells.list.len()];
        let mut uses = Uses { names, of, ranges, here, other_side: OtherSide::of(names) };
        for proposition in visible.propositions {
            uses.hinder_reads(proposition, Obstacle::Property);
        }
        for instance in names.network.instances.ids() {
            uses.instance(instance);
        }
        uses
    }

    fn instance(&mut self, instance: InstanceId) {
        let template = self.names.network.template(instance);
        self.here = Origin { instance: Some(instance), edge: None };
        if let Some(condition) = &template.provided {
            let is_both = self.other_side.somewhere;
            let walk = self.ranges.anywhere(Some(instance));
            self.condition(condition, &walk, is_both);
        }
        for claim in &template.exclusive {
            self.hinder_reads(&claim.channel, Obstacle::Looked);
        }
        let held = held(template);
        for (id, edge) in template.edges.iter_enumerated() {
            self.here.edge = Some(id);
            let is_both = self.is_other_side(template, edge, &held);
            self.edge(instance, edge, is_both);
        }
    }

    /// Whether it counts that an edge cannot be taken.
    fn is_other_side(&self, template: &Template, edge: &Edge, held: &BitSet<LocationId>) -> bool {
        let location = &template.locations[edge.source];
        let has_else = location.edges.iter().any(|other| is_else(template, &template.edges[*other]));
        // A `d_step` can be done where its first statement can.
        let begins = |step: &&Edge| matches!(step.action, Action::DeterministicStep(inside) if inside == edge.source);
        let mut steps = template.edges.iter().filter(begins);
        let is_step = steps.any(|step| step.source != edge.source && self.is_other_side(template, step, held));
        let is_meeting = matches!(edge.action, Action::Send { .. } | Action::Receive { .. });
        let is_inside = location.d_step.is_some() && !is_only_start(template, edge);
        self.other_side.everywhere
            || has_else
            || edge.escape.is_some()
            || template.deterministic
            || held.contains(edge.source)
            || is_inside
            || is_step
            || is_meeting && self.other_side.somewhere
    }

    fn edge(&mut self, instance: InstanceId, edge: &Edge, is_both: bool) {
        if let Some(mut walk) = self.ranges.before(instance, edge) {
            self.along(edge, &mut walk, is_both);
        }
    }

    fn along(&mut self, edge: &Edge, walk: &mut Walk<'_>, is_both: bool) {
        let is_judged = matches!(edge.action, Action::Assert(_)) && edge.guard.is_some();
        edge.guard.iter().for_each(|guard| self.condition(guard, walk, is_both));
        match &edge.action {
            Action::Guard(condition) => self.condition(condition, walk, is_both),
            Action::Assert(condition) => {
                // It fails where the condition is false; where it is about a state, the run ends.
                let form = self.truth(condition, walk);
                if is_judged {
                    self.ask(&form, true);
                } else {
                    self.ask(&form.turned(), false);
                }
            }
            Action::Send { channel, values, .. } => {
                self.hinder_reads(channel, Obstacle::Looked);
                values.iter().for_each(|value| self.hinder_reads(value, Obstacle::Copied));
            }
            Action::Receive { channel, pattern, .. } | Action::Event { channel, pattern, .. } => {
                self.hinder_reads(channel, Obstacle::Looked);
                pattern.iter().for_each(|argument| self.argument(argument));
            }
            Action::Print { arguments, .. } => arguments.iter().for_each(|argument| self.printed(argument)),
            Action::PrintName(argument) => self.printed(argument),
            Action::SetPriority(process, priority) => {
                self.hinder_reads(process, Obstacle::Looked);
                self.hinder_reads(priority, Obstacle::Looked);
            }
            Action::Assign(..) | Action::Skip | Action::Else | Action::DeterministicStep(_) | Action::End => {}
        }
        if walk.enter(edge).is_none() {
            return;
        }
        if let Action::Assign(place, value) = &edge.action {
            self.assign(place, value, walk);
        }
        edge.effects.iter().for_each(|Effect { place, value }| self.assign(place, value, walk));
    }

    /// What a receive does with a field: what is stored is whatever was sent, which no such
    /// variable is.
    fn argument(&mut self, argument: &ReceiveArg) {
        match argument {
            ReceiveArg::Match(value) => self.hinder_reads(value, Obstacle::Looked),
            ReceiveArg::Store(place) => {
                place.indices.iter().for_each(|index| self.hinder_reads(&index.value, Obstacle::Looked));
                self.targets(place).into_iter().for_each(|cell| self.of[cell].is_written = true);
            }
            ReceiveArg::Discard => {}
        }
    }

    /// What is printed does not matter, unless there may be no value.
    fn printed(&mut self, argument: &Expr) {
        if Risk::anywhere(self.names.network.model).may_fail(argument) {
            self.hinder_reads(argument, Obstacle::Looked);
        }
    }

    /// The variables that a store may change.
    fn targets(&self, place: &Place) -> Vec<usize> {
        self.names.variables(place, self.here.instance)
    }

    /// A variable may keep the order of its own values; what goes to another one is a copy.
    fn assign(&mut self, place: &Place, value: &Expr, walk: &mut Walk<'_>) {
        place.indices.iter().for_each(|index| self.hinder_reads(&index.value, Obstacle::Looked));
        let form = self.form(value, walk);
        let targets = self.targets(place);
        for cell in form.cells().collect::<Vec<usize>>() {
            match targets[..] {
                [target] if target == cell => {}
                _ => self.hinder(cell, Obstacle::Copied),
            }
        }
        for cell in form.falls {
            self.hinder(cell, Obstacle::Unordered);
        }
        let given = walk.value(value);
        for target in &targets {
            self.of[*target].is_written = true;
            let (low, high) = self.names.cells.list[*target].scalar.bounds();
            if given.is_some_and(|given| !Interval { low, high }.contains(given)) {
                self.hinder(*target, Obstacle::Wraps);
            }
        }
        let _ = walk.assign(place, value, &mut Vec::new());
    }

    /// Something can be done where this is true.
    fn condition(&mut self, condition: &Expr, walk: &Walk<'_>, is_both: bool) {
        let form = self.truth(condition, walk);
        self.ask(&form, is_both);
    }

    /// What is true in a covered state must be true in the one that covers it; or if it counts that
    /// it is not, false in both.
    fn ask(&mut self, form: &Form, is_both: bool) {
        if is_both {
            form.cells().for_each(|cell| self.hinder(cell, Obstacle::OtherSide));
        }
        let here = self.here;
        form.grows.iter().for_each(|cell| _ = self.of[*cell].larger.get_or_insert(here));
        form.falls.iter().for_each(|cell| _ = self.of[*cell].smaller.get_or_insert(here));
    }

    /// How the truth of an expression depends on variables.
    fn truth(&mut self, expr: &Expr, walk: &Walk<'_>) -> Form {
        if self.names.constant(expr, self.here.instance).is_some() {
            return Form::default();
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner, walk).turned(),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let first = self.truth(left, walk);
                // Whether the second operand is looked at depends on the first.
                if Risk::anywhere(self.names.network.model).may_fail(right) {
                    first.cells().for_each(|cell| self.hinder(cell, Obstacle::Looked));
                    return self.truth(right, walk);
                }
                first.and(self.truth(right, walk))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => self.comparison(*op, left, right, walk),
            // Not zero is greater than zero where nothing is less.
            _ => match walk.value(expr) {
                Some(value) if value.low >= 0 => self.form(expr, walk),
                Some(value) if value.high <= 0 => self.form(expr, walk).turned(),
                _ => self.unordered(expr),
            },
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr, walk: &Walk<'_>) -> Form {
        let is_turned = self.names.constant(left, self.here.instance).is_some();
        if is_turned && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return self.comparison(op, right, left, walk);
        }
        let (a, b) = (walk.value(left), walk.value(right));
        let (left, right) = (self.form(left, walk), self.form(right, walk));
        let at_most = |left: Form, right: Form| left.turned().and(right);
        let bounds = a.zip(b);
        match op {
            BinaryOp::Less | BinaryOp::LessEqual => at_most(left, right),
            BinaryOp::Greater | BinaryOp::GreaterEqual => at_most(right, left),
            _ => {
                // To be equal to the least value is to be at most that.
                let is_below = bounds.is_some_and(|(a, b)| b.low == b.high && a.low >= b.low);
                let is_above = bounds.is_some_and(|(a, b)| b.low == b.high && a.high <= b.high);
                let equal = match (is_below, is_above) {
                    (true, _) => at_most(left, right),
                    (_, true) => at_most(right, left),
                    _ => {
                        left.cells().chain(right.cells()).for_each(|cell| self.hinder(cell, Obstacle::Looked));
                        Form::default()
                    }
                };
                if op == BinaryOp::Equal { equal } else { equal.turned() }
            }
        }
    }

    /// How the value of an expression depends on variables.
    fn form(&mut self, expr: &Expr, walk: &Walk<'_>) -> Form {
        let asker = self.here.instance;
        if self.names.constant(expr, asker).is_some() {
            return Form::default();
        }
        match &expr.kind {
            ExprKind::Read(place) => {
                place.indices.iter().for_each(|index| self.hinder_reads(&index.value, Obstacle::Looked));
                Form { grows: self.names.variables(place, asker), falls: Vec::new() }
            }
            ExprKind::RemoteRead(remote) if remote.place.indices.is_empty() => {
                remote.pid.iter().for_each(|pid| self.hinder_reads(pid, Obstacle::Looked));
                Form { grows: self.names.remote(remote, asker), falls: Vec::new() }
            }
            ExprKind::Unary(UnaryOp::Not, _) => self.truth(expr, walk),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let bounds = walk.value(inner).map(|value| (Interval::only(0), value));
                self.exact(BinaryOp::Subtract, bounds, walk, expr).unwrap_or_else(|| self.form(inner, walk).turned())
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.hinder_reads(condition, Obstacle::Looked);
                let yes = self.form(yes, walk);
                yes.and(self.form(no, walk))
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.truth(expr, walk),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth(expr, walk),
            ExprKind::Binary(op, left, right) => self.operator(*op, left, right, walk, expr),
            _ => self.unordered(expr),
        }
    }

    fn operator(&mut self, op: BinaryOp, left: &Expr, right: &Expr, walk: &Walk<'_>, expr: &Expr) -> Form {
        let bounds = walk.value(left).zip(walk.value(right));
        if let Some(looked) = self.exact(op, bounds, walk, expr) {
            return looked;
        }
        let asker = self.here.instance;
        let (a, b) = (self.names.constant(left, asker), self.names.constant(right, asker));
        match (op, a, b) {
            (BinaryOp::Add, ..) => {
                let left = self.form(left, walk);
                left.and(self.form(right, walk))
            }
            (BinaryOp::Subtract, ..) => {
                let left = self.form(left, walk);
                left.and(self.form(right, walk).turned())
            }
            (BinaryOp::Multiply, Some(factor), _) => self.times(factor, right, walk),
            (BinaryOp::Multiply | BinaryOp::Divide, _, Some(factor)) if factor != 0 => self.times(factor, left, walk),
            _ => self.unordered(expr),
        }
    }

    fn times(&mut self, factor: i64, operand: &Expr, walk: &Walk<'_>) -> Form {
        let form = self.form(operand, walk);
        if factor < 0 { form.turned() } else { form }
    }

    /// Nothing if an operator gives what it gives for integers without bounds; else the form of the
    /// expression, of which nothing is known.
    fn exact(
        &mut self,
        op: BinaryOp,
        bounds: Option<(Interval, Interval)>,
        walk: &Walk<'_>,
        expr: &Expr,
    ) -> Option<Form> {
        let is_exact = bounds.is_none_or(|(left, right)| !walk.may_wrap(op, left, right));
        (!is_exact).then(|| self.unordered(expr))
    }

    /// A value that depends on variables in another way.
    fn unordered(&mut self, expr: &Expr) -> Form {
        self.hinder_reads(expr, Obstacle::Looked);
        Form::default()
    }

    /// All variables that are read in an expression.
    fn hinder_reads(&mut self, expr: &Expr, obstacle: Obstacle) {
        let asker = self.here.instance;
        if self.names.constant(expr, asker).is_some() {
            return;
        }
        expr.walk(&mut |part| {
            let cells = match &part.kind {
                ExprKind::Read(place) => self.names.variables(place, asker),
                ExprKind::RemoteRead(remote) => self.names.remote(remote, asker),
                _ => Vec::new(),
            };
            let obstacle = if matches!(part.kind, ExprKind::Run(_)) { Obstacle::Copied } else { obstacle };
            cells.into_iter().for_each(|cell| self.hinder(cell, obstacle));
        });
    }

    fn hinder(&mut self, cell: usize, obstacle: Obstacle) {
        self.of[cell].obstacle.get_or_insert((obstacle, self.here));
    }

    /// Whether a cell is a variable whose values have an order that means something.
    pub fn is_candidate(&self, cell: usize) -> bool {
        let known = &self.names.cells.list[cell];
        let is_number = !matches!(known.scalar, Scalar::Channel | Scalar::Pid);
        cell < self.names.cells.variables
            && is_number
            && known.constant.is_none()
            && known.place.width > 0
            && self.of[cell].is_written
    }
}

impl OtherSide {
    fn of(names: &Names<'_>) -> OtherSide {
        let network = names.network;
        let templates = || network.instances.ids().map(|instance| network.template(instance));
        let counts = |edge: &Edge| {
            matches!(edge.action, Action::Else | Action::DeterministicStep(_))
                || edge.keeps_control
                || edge.escape.is_some()
        };
        let everywhere = network.model.uses.timeout;
        let has = |template: &Template| template.deterministic || template.edges.iter().any(counts);
        OtherSide { everywhere, somewhere: everywhere || templates().any(has) }
    }
}

/// The locations that a process may come to without giving others a turn: if it is held up there,
/// they have one.
fn held(template: &Template) -> BitSet<LocationId> {
    template.edges.iter().filter(|edge| edge.keeps_control).map(|edge| edge.target).collect()
}

/// Whether an edge can be taken only where others of its location cannot: an `else`, or a `d_step`
/// that begins with one.
fn is_else(template: &Template, edge: &Edge) -> bool {
    let is_plain = |edge: &Edge| matches!(edge.action, Action::Else);
    match edge.action {
        Action::DeterministicStep(inside) => {
            template.locations[inside].edges.iter().any(|first| is_plain(&template.edges[*first]))
        }
        _ => is_plain(edge),
    }
}

/// Whether an edge is the only one at the beginning of a `d_step`, so that the step can be done
/// where it can be taken.
fn is_only_start(template: &Template, edge: &Edge) -> bool {
    let begins = |other: &Edge| matches!(other.action, Action::DeterministicStep(inside) if inside == edge.source);
    let is_entered = |other: &Edge| other.target == edge.source;
    template.locations[edge.source].edges.len() == 1
        && template.edges.iter().any(begins)
        && !template.edges.iter().any(is_entered)
}
