//! From a network to terms and sorts: what each instance does, with its constants put in, and which
//! places hold values of one meaning.

use ample_model::{Action, BinaryOp, Edge, Expr, ExprKind, LocationId, Place, ReceiveArg, RemoteRead, Scope, UnaryOp};
use ample_network::facts::{Facts, InstanceId};
use ample_network::{Instance, Network};
use ample_stdx::{IndexVec, TypedId};

use super::sorts::{CHANNELS, PIDS, PLAIN, SortId, Sorts};
use super::terms::{EdgeTerm, Spot, SpotIndex, Tag, Term};
use crate::canonizers::cells::{Cells, Origin};
use crate::control::{can_end, leading_to_creation, reachable};

/// What one instance does.
#[derive(Debug, Default)]
pub(super) struct InstanceTerms {
    /// The edges at each location, in their order.
    pub edges: IndexVec<LocationId, Vec<EdgeTerm>>,
    /// When it may move, and the channels that it says it alone uses.
    pub others: Vec<Term>,
}

/// A network as terms.
pub(super) struct Lowered<'n> {
    pub network: &'n Network<'n>,
    pub cells: Cells,
    pub sorts: Sorts,
    pub instances: IndexVec<InstanceId, InstanceTerms>,
    /// What the question evaluates in states.
    pub propositions: Vec<Term>,
}

impl<'n> Lowered<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts, propositions: &[Expr]) -> Lowered<'n> {
        let cells = Cells::new(network, facts);
        let sorts = Sorts::new(&cells);
        let here = Origin { instance: None, edge: None };
        let mut lowering = Lowering { network, facts, cells, sorts, here };
        lowering.join_templates();
        let instances = network.instances.ids().map(|instance| lowering.instance(instance)).collect();
        lowering.here = here;
        let propositions = propositions.iter().map(|expr| lowering.term(expr, plain())).collect();
        let Lowering { cells, sorts, .. } = lowering;
        Lowered { network, cells, sorts, instances, propositions }
    }
}

struct Lowering<'n> {
    network: &'n Network<'n>,
    facts: &'n Facts,
    cells: Cells,
    sorts: Sorts,
    /// What is being lowered.
    here: Origin,
}

fn plain() -> SortId {
    SortId::from_index(PLAIN)
}

impl Lowering<'_> {
    /// The variables of all processes that run one template have the same meaning.
    fn join_templates(&mut self) {
        for (instance, Instance { template, .. }) in self.network.instances.iter_enumerated() {
            let mut same = self.network.instances.iter_enumerated().filter(|(_, other)| other.template == *template);
            let Some((first, _)) = same.next().filter(|(first, _)| *first != instance) else { continue };
            for slot in self.network.model.templates[*template].frame.slots.ids() {
                let cell = |owner| Sorts::of_cell(self.cells.variable(Some(owner), slot.index()));
                self.sorts.join(cell(first), cell(instance), self.here);
            }
        }
    }

    /// What an instance does once nothing is created any more.
    fn instance(&mut self, instance: InstanceId) -> InstanceTerms {
        let template = self.network.template(instance);
        let (reached, creating) = (reachable(template), leading_to_creation(template));
        self.here = Origin { instance: Some(instance), edge: None };
        let mut terms = InstanceTerms::default();
        terms.others.extend(template.provided.iter().map(|expr| self.term(expr, plain())));
        for claim in &template.exclusive {
            let channel = self.term(&claim.channel, SortId::from_index(CHANNELS));
            terms.others.push(Term::node(Tag::Claim(claim.end), [channel]));
        }
        for (id, location) in template.locations.iter_enumerated() {
            let is_met = reached.contains(id) && !creating.contains(id);
            let edges = if is_met { &location.edges[..] } else { &[] };
            let lowered = edges.iter().map(|edge| {
                self.here.edge = Some(*edge);
                let Edge { target, keeps_control, escape, .. } = template.edges[*edge];
                let term = self.edge(&template.edges[*edge]);
                EdgeTerm { id: *edge, target, keeps_control, escape, shape: term.shape(), term }
            });
            terms.edges.push(lowered.collect());
        }
        terms
    }

    fn edge(&mut self, edge: &Edge) -> Term {
        let mut parts: Vec<Term> = edge.guard.iter().map(|guard| self.term(guard, plain())).collect();
        parts.push(self.action(&edge.action));
        for effect in &edge.effects {
            parts.push(self.assignment(&effect.place, &effect.value));
        }
        Term::Node { tag: Tag::Edge, parts }
    }

    fn action(&mut self, action: &Action) -> Term {
        match action {
            Action::Skip => Term::leaf(Tag::Skip),
            Action::Guard(expr) => Term::node(Tag::Guard, [self.term(expr, plain())]),
            Action::Else => Term::leaf(Tag::Else),
            Action::Assign(place, value) => self.assignment(place, value),
            Action::Send { channel, sorted, values } => self.send(channel, *sorted, values),
            Action::Receive { channel, anywhere, keep, pattern } => {
                self.message(Tag::Receive { anywhere: *anywhere, keep: *keep }, channel, pattern)
            }
            Action::Assert(expr) => Term::node(Tag::Assert, [self.term(expr, plain())]),
            Action::Print { arguments, .. } => self.print(arguments.iter()),
            Action::PrintName(expr) => self.print(std::iter::once(expr)),
            Action::DeterministicStep(location) => Term::leaf(Tag::DeterministicStep(*location)),
            Action::End => Term::leaf(Tag::End),
            Action::SetPriority(..) | Action::Event { .. } => Term::Opaque,
        }
    }

    /// What is printed may be a process number; only whether it can be evaluated counts.
    fn print<'e>(&mut self, arguments: impl Iterator<Item = &'e Expr>) -> Term {
        let parts: Vec<Term> = arguments
            .map(|argument| match self.constant(argument) {
                Some(_) => Term::leaf(Tag::Discard),
                None => {
                    let sort = self.sort_of(argument).unwrap_or(plain());
                    self.term(argument, sort)
                }
            })
            .collect();
        Term::Node { tag: Tag::Print, parts }
    }

    fn assignment(&mut self, place: &Place, value: &Expr) -> Term {
        let Some(spot) = self.spot(place, self.owner(place)) else { return Term::Opaque };
        let sort = self.sort_of_spot(&spot);
        let value = self.term(value, sort);
        Term::node(Tag::Assign, [Term::Variable(spot), value])
    }

    fn send(&mut self, channel: &Expr, sorted: bool, values: &[Expr]) -> Term {
        let channel = self.term(channel, SortId::from_index(CHANNELS));
        let channels = self.channels(&channel);
        let mut parts = vec![channel];
        for (field, value) in values.iter().enumerate() {
            let sort = self.field(&channels, field);
            if sorted {
                self.sorts.join(sort, plain(), self.here);
            }
            parts.push(self.term(value, sort));
        }
        Term::Node { tag: Tag::Send { sorted }, parts }
    }

    /// A receive, or the question whether one is possible.
    fn message(&mut self, tag: Tag, channel: &Expr, pattern: &[ReceiveArg]) -> Term {
        let channel = self.term(channel, SortId::from_index(CHANNELS));
        let channels = self.channels(&channel);
        let mut parts = vec![channel];
        for (field, argument) in pattern.iter().enumerate() {
            let sort = self.field(&channels, field);
            let inside = match argument {
                ReceiveArg::Match(value) => Some(self.term(value, sort)),
                ReceiveArg::Store(place) => Some(self.stored(place, sort)),
                ReceiveArg::Discard => None,
            };
            parts.push(Term::node(Tag::of_argument(argument), inside));
        }
        Term::Node { tag, parts }
    }

    /// A variable as the target of a value of this sort.
    fn stored(&mut self, place: &Place, sort: SortId) -> Term {
        let Some(spot) = self.spot(place, self.owner(place)) else { return Term::Opaque };
        let own = self.sort_of_spot(&spot);
        self.sorts.join(own, sort, self.here);
        Term::Variable(spot)
    }

    /// The channels, by their numbers less one, that a term may mean.
    fn channels(&self, channel: &Term) -> Vec<usize> {
        let count = self.network.layout.channels.len();
        let known: Option<Vec<i64>> = match channel {
            Term::Constant { value, .. } => Some(vec![*value]),
            Term::Variable(spot) => {
                spot.cells(&self.cells).into_iter().map(|(_, cell)| self.cells.list[cell].constant).collect()
            }
            _ => None,
        };
        let position = |number: i64| usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < count);
        known.map_or((0..count).collect(), |known| known.into_iter().filter_map(position).collect())
    }

    /// The sort of a field of the messages of these channels.
    fn field(&mut self, channels: &[usize], field: usize) -> SortId {
        let fields = |channel: &usize| self.network.layout.channels[*channel].fields.len();
        let having: Vec<usize> = channels.iter().copied().filter(|channel| field < fields(channel)).collect();
        let sorts = having.into_iter().map(|channel| Sorts::of_cell(self.cells.field(channel, field)));
        let here = self.here;
        let joined = sorts.collect::<Vec<_>>().into_iter().reduce(|first, next| {
            self.sorts.join(first, next, here);
            first
        });
        joined.unwrap_or(plain())
    }
}

/// Expressions.
impl Lowering<'_> {
    fn constant(&self, expr: &Expr) -> Option<i64> {
        self.facts.constant(self.network, expr, self.here.instance)
    }

    fn owner(&self, place: &Place) -> Option<InstanceId> {
        self.here.instance.filter(|_| place.scope == Scope::Local)
    }

    /// An expression whose value is of this sort.
    fn term(&mut self, expr: &Expr, sort: SortId) -> Term {
        if let Some(value) = self.constant(expr) {
            return Term::Constant { value, sort };
        }
        match &expr.kind {
            ExprKind::Read(place) => match self.spot(place, self.owner(place)) {
                Some(spot) => self.variable(spot, sort),
                None => Term::Opaque,
            },
            ExprKind::RemoteRead(remote) => self.remote_read(remote, sort),
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let parts = [self.term(condition, plain()), self.term(yes, sort), self.term(no, sort)];
                Term::node(Tag::Conditional, parts)
            }
            _ => {
                self.sorts.join(sort, plain(), self.here);
                self.computed(expr)
            }
        }
    }

    fn variable(&mut self, spot: Spot, sort: SortId) -> Term {
        let own = self.sort_of_spot(&spot);
        self.sorts.join(own, sort, self.here);
        Term::Variable(spot)
    }

    /// An expression whose value is a plain number.
    fn computed(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => {
                let sort = match op {
                    BinaryOp::Equal | BinaryOp::NotEqual => self.sort_of(left).or_else(|| self.sort_of(right)),
                    _ => None,
                };
                let sort = sort.unwrap_or(plain());
                let (left, right) = (self.term(left, sort), self.term(right, sort));
                Term::binary(*op, left, right)
            }
            ExprKind::Channel(test, channel) => {
                Term::node(Tag::Channel(*test), [self.term(channel, SortId::from_index(CHANNELS))])
            }
            ExprKind::Poll(poll) => self.message(Tag::Poll { anywhere: poll.anywhere }, &poll.channel, &poll.pattern),
            ExprKind::Timeout => Term::leaf(Tag::Timeout),
            ExprKind::NonProgress => Term::leaf(Tag::NonProgress),
            ExprKind::Accepting => Term::leaf(Tag::Accepting),
            ExprKind::ProcessCount => Term::leaf(Tag::ProcessCount),
            ExprKind::Enabled(pid) => Term::node(Tag::Enabled, [self.term(pid, SortId::from_index(PIDS))]),
            ExprKind::ProgramCounter(pid) => {
                Term::node(Tag::ProgramCounter, [self.term(pid, SortId::from_index(PIDS))])
            }
            ExprKind::RemoteAt(remote) => {
                let pid = match &remote.pid {
                    Some(pid) => self.term(pid, SortId::from_index(PIDS)),
                    None => self.first_of(remote.template),
                };
                Term::node(Tag::At(remote.location), [pid])
            }
            _ => Term::Opaque,
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Term {
        Term::node(Tag::Unary(op), [self.term(operand, plain())])
    }

    /// The number of the first process that runs a template.
    fn first_of(&self, template: ample_model::TemplateId) -> Term {
        let first = self.network.instances.iter().find(|instance| instance.template == template);
        let pid = |value: u16| Term::Constant { value: i64::from(value), sort: SortId::from_index(PIDS) };
        first.map_or(Term::Opaque, |instance| pid(instance.pid))
    }

    /// A variable of another process. If that has ended there is no variable, and the value is 0,
    /// whatever else the sort holds.
    fn remote_read(&mut self, remote: &RemoteRead, sort: SortId) -> Term {
        let number = match &remote.pid {
            Some(pid) => self.constant(pid),
            None => match self.first_of(remote.template) {
                Term::Constant { value, .. } => Some(value),
                _ => None,
            },
        };
        let mut instances = self.network.instances.iter_enumerated();
        let owner = instances.find(|(_, instance)| Some(i64::from(instance.pid)) == number);
        let Some((owner, _)) = owner.filter(|(_, instance)| instance.template == remote.template) else {
            return Term::Opaque;
        };
        let Some(spot) = self.spot(&remote.place, Some(owner)) else { return Term::Opaque };
        if can_end(self.network.template(owner)) {
            self.sorts.join(sort, plain(), self.here);
        }
        self.variable(spot, sort)
    }

    /// The sort of an expression that is no constant.
    fn sort_of(&mut self, expr: &Expr) -> Option<SortId> {
        if self.constant(expr).is_some() {
            return None;
        }
        match &expr.kind {
            ExprKind::Read(place) => self.spot(place, self.owner(place)).map(|spot| self.sort_of_spot(&spot)),
            ExprKind::RemoteRead(remote) => {
                let instances = self.network.instances.iter_enumerated();
                let mut same = instances.filter(|(_, instance)| instance.template == remote.template);
                let owner = same.next()?.0;
                // The variables of all processes that run one template are of one sort.
                self.spot(&remote.place, Some(owner)).map(|spot| self.sort_of_spot(&spot))
            }
            ExprKind::Conditional(parts) => {
                let [_, yes, no] = &**parts;
                self.sort_of(yes).or_else(|| self.sort_of(no))
            }
            _ => Some(plain()),
        }
    }

    /// The one sort of all variables that a place may be.
    fn sort_of_spot(&mut self, spot: &Spot) -> SortId {
        let cells = spot.cells(&self.cells);
        let first = Sorts::of_cell(cells.first().map_or(0, |(_, cell)| *cell));
        for (_, cell) in &cells[1..] {
            self.sorts.join(first, Sorts::of_cell(*cell), self.here);
        }
        first
    }

    /// A place with its constant indices put in; `None` if it has very many elements.
    fn spot(&mut self, place: &Place, owner: Option<InstanceId>) -> Option<Spot> {
        let mut spot = Spot { owner, first: place.first.index(), array: place.first, indices: Vec::new() };
        for index in &place.indices {
            let constant = self.constant(&index.value).and_then(|value| u32::try_from(value).ok());
            match constant.filter(|value| *value < index.length) {
                Some(value) => spot.first += (value * index.stride) as usize,
                None => {
                    let sort = self.sort_of(&index.value).unwrap_or(plain());
                    let value = self.term(&index.value, sort);
                    spot.indices.push(SpotIndex { value, sort, length: index.length, stride: index.stride });
                }
            }
        }
        spot.is_small().then_some(spot)
    }
}
