//! Transitions over the cells of packed states: what decides whether they are enabled, and what
//! they assign.

use ample_model::{Action, BinaryOp, Edge, Expr, ExprKind, Place, ReceiveArg, Scalar, Template};
use ample_network::InstanceId;
use ample_network::SlotPlace;
use ample_network::facts::{Object, ObjectId, Taken, Transition};
use ample_stdx::{BitSet, TypedId};

use super::bytes::ByteSet;
use super::term::{Target, Term, Terms};

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Where its participants must be: how their locations are stored.
    pub begins: Vec<(SlotPlace, i64)>,
    pub condition: Condition,
    /// What a single move of it assigns, in this order; `None` if there is more to it.
    pub effects: Option<Vec<Assign>>,
    /// All that it may read, and all that it may write, apart from control.
    pub reads: ByteSet,
    pub writes: ByteSet,
    /// Whether it depends on everything.
    pub asks_everything: bool,
    /// Whether, where its participants are, other transitions and the control part decide whether
    /// it is enabled: `else`, and the end of a process.
    pub is_decided_elsewhere: bool,
}

/// What decides whether a transition is enabled where its participants are.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// All of these are true. For each, whether its evaluation may fail.
    All(Vec<(Term, bool)>),
    /// Something that depends on these bytes.
    Opaque(ByteSet),
}

/// An assignment.
#[derive(Clone, Debug)]
pub(super) struct Assign {
    pub target: Target,
    /// How a value is stored there.
    pub scalar: Scalar,
    pub value: Term,
    /// How it is handed over, if it is a field of a message.
    pub field: Option<Scalar>,
    /// Whether it may fail, so that it is read although nobody reads what is assigned.
    pub may_fail: bool,
    /// Whether it assigns nothing, and its value is asserted.
    pub is_assertion: bool,
}

/// A condition that is never true.
const NEVER: (Term, bool) = (Term::Const(0), false);

/// Makes steps of transitions.
#[derive(Copy, Clone)]
pub(super) struct Steps<'n> {
    pub terms: Terms<'n>,
}

impl<'n> Steps<'n> {
    /// A transition as a step.
    pub fn of(self, transition: &Transition) -> Step {
        let mut reads = self.bytes(&transition.reads());
        let writes = transition.writes();
        // What is inserted in order, or taken from the middle, depends on what is there.
        let objects = self.terms.facts.objects();
        for object in writes.iter() {
            if let Object::Head(_) = objects.get(object) {
                self.add_object(object, &mut reads);
            }
        }
        let is_plain = transition.identity.participants().all(|taken| self.is_plain(taken));
        let condition = is_plain.then(|| self.condition(transition)).flatten();
        let effects = is_plain.then(|| self.effects(transition)).flatten();
        Step {
            begins: transition.identity.participants().map(|taken| self.begin(taken)).collect(),
            condition: condition
                .map_or_else(|| Condition::Opaque(self.bytes(transition.guard_reads())), Condition::All),
            effects,
            reads,
            writes: self.bytes(&writes),
            asks_everything: transition.depends_on_everything(),
            is_decided_elsewhere: matches!(self.edge(transition.identity.first).action, Action::Else | Action::End)
                && is_plain,
        }
    }

    fn begin(self, taken: Taken) -> (SlotPlace, i64) {
        let network = self.terms.network;
        let instance = &network.instances[taken.instance];
        (network.layout.frames[taken.instance].location, instance.stored(self.edge(taken).source))
    }

    fn template(self, instance: InstanceId) -> &'n Template {
        self.terms.network.template(instance)
    }

    fn edge(self, taken: Taken) -> &'n Edge {
        &self.template(taken.instance).edges[taken.edge]
    }

    /// Whether a move is no more than its edge says: nothing else decides whether it is taken, and
    /// nothing follows in the same transition.
    fn is_plain(self, taken: Taken) -> bool {
        let (model, template) = (self.terms.network.model, self.template(taken.instance));
        let edge = self.edge(taken);
        let mut siblings = template.locations[edge.source].edges.iter().map(|edge| &template.edges[*edge]);
        template.provided.is_none()
            && !template.deterministic
            && model.templates.iter().all(|template| template.exclusive.is_empty())
            && model.trace.is_none()
            && !model.uses.priorities
            && !model.uses.last
            && !edge.keeps_control
            && siblings.all(|edge| edge.escape.is_none())
    }

    /// The conditions under which a plain transition is enabled.
    ///
    /// `else` asks about all other edges of its location: what decides about those is looked at in
    /// any case.
    fn condition(self, transition: &Transition) -> Option<Vec<(Term, bool)>> {
        if transition.is_unpaired_rendezvous() {
            return Some(vec![NEVER]);
        }
        let mut conditions = Vec::new();
        for taken in transition.identity.participants() {
            let edge = self.edge(taken);
            match &edge.action {
                Action::Guard(expr) => self.add_conjuncts(expr, taken.instance, &mut conditions)?,
                Action::Skip | Action::Else | Action::Assign(..) | Action::Assert(_) => {}
                // Which process is the youngest is a matter of control.
                Action::Print { .. } | Action::PrintName(_) | Action::End => {}
                Action::Send { channel, .. } => {
                    let capacity = self.capacity(channel, taken.instance)?;
                    if transition.identity.partner.is_none() {
                        // Alone it is never enabled, unless there is room for the message.
                        (capacity == 0).then_some(())?;
                        conditions.push(NEVER);
                    }
                }
                Action::Receive { channel, pattern, .. } => {
                    transition.identity.partner?;
                    self.terms.facts.constant(self.terms.network, channel, Some(taken.instance))?;
                    if pattern.iter().any(|argument| matches!(argument, ReceiveArg::Match(_))) {
                        return None;
                    }
                }
                _ => return None,
            }
            if let Some(guard) = &edge.guard {
                self.add_conjuncts(guard, taken.instance, &mut conditions)?;
            }
        }
        // A message that cannot be made is a fault, which depends on its values.
        let sender = self.edge(transition.identity.first);
        if let Action::Send { values, .. } = &sender.action {
            let risk = self.terms.risk(Some(transition.identity.first.instance));
            let may_fail = values.iter().any(|value| risk.may_fail(value)) || self.has_ranges();
            return (!may_fail).then_some(conditions);
        }
        Some(conditions)
    }

    /// How many messages a channel holds, if it is known which it is.
    fn capacity(self, channel: &Expr, instance: InstanceId) -> Option<u32> {
        let network = self.terms.network;
        let number = self.terms.facts.constant(network, channel, Some(instance))?;
        let place = network.layout.channels.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some(place.capacity)
    }

    /// Whether fields of messages may have ranges.
    fn has_ranges(self) -> bool {
        let channels = &self.terms.network.model.channels;
        channels.iter().any(|kind| kind.fields.iter().any(|field| matches!(field.0, Scalar::Range { .. })))
    }

    fn add_conjuncts(self, expr: &Expr, instance: InstanceId, all: &mut Vec<(Term, bool)>) -> Option<()> {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
            self.add_conjuncts(left, instance, all)?;
            return self.add_conjuncts(right, instance, all);
        }
        let term = self.terms.of(expr, Some(instance))?;
        all.push((term, self.terms.risk(Some(instance)).may_fail(expr)));
        Some(())
    }

    /// What a plain transition assigns. At a rendezvous the receiver stores the message first, and
    /// its effects come before the sender's.
    fn effects(self, transition: &Transition) -> Option<Vec<Assign>> {
        let first = transition.identity.first;
        let mut assigned = Vec::new();
        if transition.identity.partner.is_none() {
            // Messages that a channel holds are more than assignments; alone, half a rendezvous is
            // never done.
            match &self.edge(first).action {
                Action::Send { channel, .. } if self.capacity(channel, first.instance) != Some(0) => return None,
                Action::Receive { .. } if !transition.is_unpaired_rendezvous() => return None,
                _ => {}
            }
        }
        if let Some(second) = transition.identity.partner {
            self.add_message(first, second, &mut assigned)?;
            self.add_effects(second, &mut assigned)?;
        }
        self.add_effects(first, &mut assigned)?;
        Some(assigned)
    }

    fn add_message(self, sender: Taken, receiver: Taken, assigned: &mut Vec<Assign>) -> Option<()> {
        let (sending, receiving) = (self.edge(sender), self.edge(receiver));
        let (Action::Send { channel, values, .. }, Action::Receive { pattern, .. }) =
            (&sending.action, &receiving.action)
        else {
            return None;
        };
        let network = self.terms.network;
        let number = self.terms.facts.constant(network, channel, Some(sender.instance))?;
        let place = network.layout.channels.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        let fields = &network.model.channels[place.kind].fields;
        if values.len() != pattern.len() || fields.len() != values.len() {
            return None;
        }
        for ((value, argument), field) in values.iter().zip(pattern).zip(fields) {
            let ReceiveArg::Store(place) = argument else { continue };
            let assign = self.assign(place, Some(receiver.instance), value, Some(sender.instance))?;
            assigned.push(Assign { field: Some(field.0), ..assign });
        }
        Some(())
    }

    fn add_effects(self, taken: Taken, assigned: &mut Vec<Assign>) -> Option<()> {
        let edge = self.edge(taken);
        let asker = Some(taken.instance);
        match &edge.action {
            Action::Skip | Action::Else | Action::Guard(_) | Action::Assign(..) => {}
            Action::Send { .. } | Action::Receive { .. } => {}
            // An assertion fails or not: it is read, and assigns nothing.
            Action::Assert(expr) => assigned.push(Assign {
                target: Target::One(super::term::Cell::Constant(0)),
                scalar: Scalar::Integer,
                value: self.terms.of(expr, asker)?,
                field: None,
                may_fail: true,
                is_assertion: true,
            }),
            Action::End => self.add_end(taken.instance, assigned)?,
            Action::Print { arguments, .. } => {
                let risk = self.terms.risk(asker);
                arguments.iter().all(|argument| !risk.may_fail(argument)).then_some(())?;
            }
            Action::PrintName(name) => (!self.terms.risk(asker).may_fail(name)).then_some(())?,
            _ => return None,
        }
        for (place, value) in edge.assignments() {
            assigned.push(self.assign(place, asker, value, asker)?);
        }
        Some(())
    }

    fn assign(
        self,
        place: &Place,
        owner: Option<InstanceId>,
        value: &Expr,
        asker: Option<InstanceId>,
    ) -> Option<Assign> {
        let may_fail = self.terms.risk(owner).place_may_fail(place)
            || self.terms.risk(asker).may_fail(value)
            || self.may_not_fit(place, owner, value, asker);
        Some(Assign {
            target: self.terms.target(place, owner)?,
            scalar: self.terms.scalar(place, owner)?,
            value: self.terms.of(value, asker)?,
            field: None,
            may_fail,
            is_assertion: false,
        })
    }

    /// What belongs to a process that ends becomes zero.
    fn add_end(self, instance: InstanceId, assigned: &mut Vec<Assign>) -> Option<()> {
        let frame = &self.terms.network.layout.frames[instance];
        let has_more = !frame.channels.is_empty() || !self.terms.network.is_alone(instance);
        (!has_more).then_some(())?;
        assigned.extend(frame.locals.iter().filter(|place| place.width > 0).map(|place| Assign {
            target: Target::One(super::term::Cell::At(*place)),
            scalar: Scalar::Integer,
            value: Term::Const(0),
            field: None,
            may_fail: false,
            is_assertion: false,
        }));
        Some(())
    }

    fn may_not_fit(self, place: &Place, owner: Option<InstanceId>, value: &Expr, asker: Option<InstanceId>) -> bool {
        match (owner == asker, self.terms.scalar(place, owner)) {
            (true, _) => self.terms.risk(owner).may_not_fit(place, value),
            // Who sends knows nothing of the place.
            (false, scalar) => matches!(scalar, None | Some(Scalar::Range { .. })),
        }
    }

    /// The bytes of objects, apart from control.
    pub fn bytes(self, objects: &BitSet<ObjectId>) -> ByteSet {
        let mut bytes = ByteSet::none(self.terms.network.layout.size as usize);
        objects.iter().for_each(|object| self.add_object(object, &mut bytes));
        bytes
    }

    fn add_object(self, object: ObjectId, bytes: &mut ByteSet) {
        let layout = &self.terms.network.layout;
        match self.terms.facts.objects().get(object) {
            Object::Global(slot) => bytes.insert(layout.globals[slot].range()),
            Object::Local(instance, slot) => bytes.insert(layout.frames[instance].locals[slot].range()),
            Object::Head(channel) | Object::Tail(channel) => {
                let place = &layout.channels[channel.index()];
                bytes.insert(place.messages as usize..place.range().1 as usize);
            }
            Object::Length(channel) => bytes.insert(layout.channels[channel.index()].length.range()),
            Object::At(..) | Object::PidPool | Object::Trace => {}
        }
    }
}
