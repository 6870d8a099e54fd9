//! Which edges may end in a run-time error, or in a value that is beyond 64 bits, by what is known
//! of the values of variables in the states that can be reached.

use ample_model::{
    Action, Arithmetic, BinaryOp, Edge, Expr, ExprKind, LocationId, Place, ReceiveArg, Scalar, Template, UnaryOp,
};
use ample_network::Interval;
use ample_network::facts::InstanceId;
use ample_stdx::BitSet;

use super::condition::Meaning;
use crate::covers::ranges::{Ranges, Walk};

/// Says what may fail.
pub(super) struct Risks<'r, 'n> {
    pub meaning: Meaning<'n>,
    pub ranges: &'r Ranges<'n>,
}

impl Risks<'_, '_> {
    /// Whether a process may fail when it takes an edge, or tries to.
    pub fn of_edge(&self, process: InstanceId, edge: &Edge) -> bool {
        let template = self.meaning.names.network.template(process);
        let Some(mut walk) = self.ranges.before(process, edge) else { return false };
        let may_fail = |walk: &Walk<'_>, expr: &Expr| self.may_fail(walk, expr, Some(process));
        let own = match &edge.action {
            Action::Guard(condition) => Some(condition),
            _ => None,
        };
        let mut conditions = edge.guard.iter().chain(own).chain(&template.provided);
        if conditions.any(|condition| may_fail(&walk, condition)) {
            return true;
        }
        // A process that must not have a choice has none, and a chain has an end.
        if template.deterministic && template.locations[edge.source].edges.len() > 1 || is_endless(template, edge) {
            return true;
        }
        if walk.enter(edge).is_none() {
            return false;
        }
        if self.of_action(process, edge, &mut walk) {
            return true;
        }
        for effect in &edge.effects {
            if self.of_assignment(process, &mut walk, &effect.place, &effect.value) {
                return true;
            }
        }
        false
    }

    fn of_action(&self, process: InstanceId, edge: &Edge, walk: &mut Walk<'_>) -> bool {
        let may_fail = |expr: &Expr| self.may_fail(walk, expr, Some(process));
        match &edge.action {
            Action::Skip | Action::Else | Action::Guard(_) | Action::End => false,
            Action::Assign(place, value) => self.of_assignment(process, walk, place, value),
            Action::Assert(condition) | Action::PrintName(condition) => may_fail(condition),
            Action::Print { arguments, .. } => arguments.iter().any(may_fail),
            Action::Send { channel, values, .. } => {
                let is_range = |scalar: Scalar| matches!(scalar, Scalar::Range { .. });
                self.of_channel(process, channel, values.len(), is_range) || values.iter().any(may_fail)
            }
            Action::Receive { keep: true, .. } => true,
            Action::Receive { channel, pattern, .. } => {
                let is_risky = |argument: &ReceiveArg| match argument {
                    ReceiveArg::Match(value) => may_fail(value),
                    ReceiveArg::Store(place) => {
                        let cells = self.meaning.names.variables(place, Some(process));
                        let is_range =
                            |cell: &usize| matches!(self.meaning.names.cells.list[*cell].scalar, Scalar::Range { .. });
                        self.of_place(walk, place, Some(process)) || cells.iter().any(is_range)
                    }
                    ReceiveArg::Discard => false,
                };
                // What is stored may become an index of what is stored after it.
                let is_indexed = edge.stores().any(|place| !place.indices.is_empty());
                let is_ranged = |_| false;
                self.of_channel(process, channel, pattern.len(), is_ranged)
                    || is_indexed
                    || pattern.iter().any(is_risky)
            }
            Action::SetPriority(..) | Action::DeterministicStep(_) | Action::Event { .. } => true,
        }
    }

    /// Whether a channel may be none, or have another number of fields.
    fn of_channel(&self, process: InstanceId, channel: &Expr, count: usize, is_risky: fn(Scalar) -> bool) -> bool {
        let names = self.meaning.names;
        if names.constant(channel, Some(process)).is_none() {
            return true;
        }
        let mut channels = names.channels(channel, Some(process)).into_iter().peekable();
        let is_odd = |channel: usize| {
            let fields = &names.network.model.channels[names.network.layout.channels[channel].kind].fields;
            fields.len() != count || fields.iter().any(|(scalar, _)| is_risky(*scalar))
        };
        channels.peek().is_none() || channels.any(is_odd)
    }

    /// Whether an assignment may fail; goes on to what is known after it.
    fn of_assignment(&self, process: InstanceId, walk: &mut Walk<'_>, place: &Place, value: &Expr) -> bool {
        if self.may_fail(walk, value, Some(process)) || self.of_place(walk, place, Some(process)) {
            return true;
        }
        let stored = walk.value(value);
        let fits = |cell: usize| match self.meaning.names.cells.list[cell].scalar {
            Scalar::Range { low, high } => stored.is_none_or(|stored| Interval { low, high }.contains(stored)),
            _ => true,
        };
        if !self.meaning.names.variables(place, Some(process)).into_iter().all(fits) {
            return true;
        }
        // What comes after an assignment that is never made cannot fail.
        let _ = walk.assign(place, value, &mut Vec::new());
        false
    }

    /// Whether an index may be out of range.
    fn of_place(&self, walk: &Walk<'_>, place: &Place, asker: Option<InstanceId>) -> bool {
        place.indices.iter().any(|index| {
            let all = Interval { low: 0, high: i64::from(index.length) - 1 };
            let is_outside = walk.value(&index.value).is_some_and(|value| !all.contains(value));
            is_outside || self.may_fail(walk, &index.value, asker)
        })
    }

    /// Whether the evaluation of a proposition may fail.
    pub fn of_proposition(&self, proposition: &Expr) -> bool {
        self.may_fail(&self.ranges.anywhere(None), proposition, None)
    }

    fn may_fail(&self, walk: &Walk<'_>, expr: &Expr, asker: Option<InstanceId>) -> bool {
        let mut found = false;
        expr.walk(&mut |part| found = found || self.part_may_fail(walk, part, asker));
        found
    }

    /// Whether an expression may fail apart from its operands.
    fn part_may_fail(&self, walk: &Walk<'_>, part: &Expr, asker: Option<InstanceId>) -> bool {
        let is_zero = |expr: &Expr| walk.value(expr).is_some_and(|value| value.contains(Interval::only(0)));
        match &part.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) if is_zero(divisor) => true,
            ExprKind::Binary(op, left, right) => self.may_exceed(walk, *op, [left, right]),
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                self.is_exact() && walk.value(operand).is_some_and(|value| value.low == i64::MIN)
            }
            ExprKind::Read(place) => self.of_place(walk, place, asker),
            ExprKind::Channel(_, channel) => self.meaning.names.constant(channel, asker).is_none(),
            ExprKind::RemoteRead(remote) => {
                let at = ample_model::RemoteAt {
                    template: remote.template,
                    pid: remote.pid.clone(),
                    location: super::region::nowhere(),
                    label: String::new(),
                };
                !self.is_certain(&at, asker) || self.of_place(walk, &remote.place, asker)
            }
            ExprKind::RemoteAt(remote) => !self.is_certain(remote, asker),
            ExprKind::Poll(_)
            | ExprKind::Run(_)
            | ExprKind::Enabled(_)
            | ExprKind::ProgramCounter(_)
            | ExprKind::Priority(_)
            | ExprKind::LastProcess => true,
            ExprKind::Unary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Const(_)
            | ExprKind::Pid
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::ProcessCount => false,
        }
    }

    /// Whether the process that is meant is always there.
    fn is_certain(&self, remote: &ample_model::RemoteAt, asker: Option<InstanceId>) -> bool {
        let network = self.meaning.names.network;
        self.meaning.process(remote, asker).is_some_and(|process| {
            let is_first = usize::from(network.instances[process].pid) < network.model.active.len();
            let ends = network.template(process).edges.iter().any(|edge| matches!(edge.action, Action::End));
            is_first && !ends
        })
    }

    fn is_exact(&self) -> bool {
        self.meaning.names.network.model.arithmetic == Arithmetic::Exact
    }

    /// Whether the exact value of an operator may be beyond 64 bits.
    fn may_exceed(&self, walk: &Walk<'_>, op: BinaryOp, sides: [&Expr; 2]) -> bool {
        if !self.is_exact() {
            return false;
        }
        let [Some(a), Some(b)] = sides.map(|side| walk.value(side)) else { return false };
        let ends = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
        let all = |of: fn(i64, i64) -> Option<i64>| ends.into_iter().all(|(a, b)| of(a, b).is_some());
        match op {
            BinaryOp::Add => !all(i64::checked_add),
            BinaryOp::Subtract => !all(i64::checked_sub),
            BinaryOp::Multiply => !all(i64::checked_mul),
            BinaryOp::Divide => a.low == i64::MIN,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => true,
            _ => false,
        }
    }
}

/// Whether an edge lies on a cycle along which a process keeps control, which may have no end.
fn is_endless(template: &Template, edge: &Edge) -> bool {
    let mut reached: BitSet<LocationId> = BitSet::new();
    let mut open = if edge.keeps_control { vec![edge.target] } else { Vec::new() };
    while let Some(location) = open.pop() {
        if !reached.insert(location) {
            continue;
        }
        if location == edge.source {
            return true;
        }
        let edges = template.locations[location].edges.iter().map(|id| &template.edges[*id]);
        open.extend(edges.filter(|next| next.keeps_control).map(|next| next.target));
    }
    false
}
