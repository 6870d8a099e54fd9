//! Which variables are live where: some run from there on reads what they hold.
//!
//! The usual analysis, backward over the edges of a template: before an edge is live what it reads,
//! and what is live after it and not written by it for certain. What an index computes may be any
//! element. A `d_step` goes on inside, and beyond it. What is printed is read by nobody: a trace is
//! printed by the model as written.
//!
//! An assignment to a variable that nobody will read need not read anything itself, unless it may
//! fail: so a variable that influences nothing is dead everywhere, although it is assigned from
//! itself and others like it (Giegerich, Möncke, Wilhelm: Invariance of approximative semantics
//! with respect to program transformations, 1981).

use ample_model::{
    Action, Edge, EdgeId, Expr, ExprKind, LocationId, Model, Place, ReceiveArg, Scope, SlotId, Template, TemplateKind,
};
use ample_stdx::{BitSet, IndexVec};

use crate::Visible;
use crate::passes::risk::Risk;
use crate::passes::slots::{only_slot, slots_of};

/// Some variables of all and of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variables {
    pub globals: BitSet<SlotId>,
    pub locals: BitSet<SlotId>,
}

impl Variables {
    /// Those of a scope.
    fn of(&mut self, scope: Scope) -> &mut BitSet<SlotId> {
        match scope {
            Scope::Global => &mut self.globals,
            Scope::Local => &mut self.locals,
        }
    }

    /// Adds others; whether that has changed something.
    pub fn union_with(&mut self, others: &Variables) -> bool {
        let globals = self.globals.union_with(&others.globals);
        self.locals.union_with(&others.locals) | globals
    }

    /// Adds what an expression reads.
    pub fn read(&mut self, expr: &Expr) {
        expr.walk(&mut |part| self.read_part(part));
    }

    /// Adds what an expression reads besides its operands.
    pub fn read_part(&mut self, part: &Expr) {
        if let ExprKind::Read(place) = &part.kind {
            self.add(place);
        }
    }

    /// Adds all that a place may be.
    pub fn add(&mut self, place: &Place) {
        self.of(place.scope).extend(slots_of(place));
    }

    fn may_contain(&mut self, place: &Place) -> bool {
        let variables = self.of(place.scope);
        slots_of(place).any(|slot| variables.contains(slot))
    }

    /// Takes away what a place is for certain.
    fn remove(&mut self, place: &Place) {
        if let Some(slot) = only_slot(place) {
            self.of(place.scope).remove(slot);
        }
    }
}

/// What is read from outside of the processes: by propositions, by the condition under which the
/// system may end, by conditions under which processes may move, by claims about channels, and by
/// other automata.
pub(crate) fn read_from_outside(model: &Model, visible: &Visible<'_>) -> Variables {
    let mut read = Variables::default();
    visible.propositions.iter().chain(&model.end).for_each(|condition| read.read(condition));
    for template in &model.templates {
        template.provided.iter().for_each(|condition| read.read(condition));
        template.exclusive.iter().for_each(|claim| read.read(&claim.channel));
        if !matches!(template.kind, TemplateKind::Process | TemplateKind::Init) {
            template.edges.iter().for_each(|edge| edge.walk(&mut |part| read.read_part(part)));
        }
    }
    read
}

/// What is live in a template, apart from what its edges say.
pub(crate) struct Liveness<'a> {
    pub template: &'a Template,
    pub risk: Risk<'a>,
    /// What is live everywhere.
    pub always: &'a Variables,
    /// Whether an assignment to a place reads what it computes although nobody will read it.
    pub always_reads: &'a dyn Fn(&Place) -> bool,
    /// What the processes read that an edge creates.
    pub created: &'a dyn Fn(EdgeId) -> BitSet<SlotId>,
}

/// An edge that creates nothing.
pub(crate) fn nothing_created(_: EdgeId) -> BitSet<SlotId> {
    BitSet::new()
}

impl Liveness<'_> {
    /// What is live at each location.
    pub fn at_locations(&self) -> IndexVec<LocationId, Variables> {
        let mut live: IndexVec<LocationId, Variables> =
            self.template.locations.iter().map(|_| self.always.clone()).collect();
        loop {
            let mut has_changed = false;
            // Against the order of the text, so that a few rounds are enough.
            for (id, location) in self.template.locations.iter_enumerated().rev() {
                for edge in &location.edges {
                    let before = self.before(*edge, &live);
                    has_changed |= live[id].union_with(&before);
                }
            }
            if !has_changed {
                return live;
            }
        }
    }

    /// What is live before an edge.
    fn before(&self, id: EdgeId, live: &IndexVec<LocationId, Variables>) -> Variables {
        let edge = &self.template.edges[id];
        let mut variables = live[edge.target].clone();
        if let Action::DeterministicStep(inside) = edge.action {
            variables.union_with(&live[inside]);
        }
        for effect in edge.effects.iter().rev() {
            self.before_assignment(&mut variables, &effect.place, &effect.value);
        }
        self.before_action(&mut variables, edge);
        edge.guard.iter().for_each(|guard| variables.read(guard));
        variables.globals.union_with(&(self.created)(id));
        variables
    }

    fn before_action(&self, variables: &mut Variables, edge: &Edge) {
        match &edge.action {
            Action::Assign(place, value) => self.before_assignment(variables, place, value),
            Action::Receive { channel, pattern, .. } => {
                let stored = pattern.iter().filter_map(|argument| match argument {
                    ReceiveArg::Store(place) => Some(place),
                    ReceiveArg::Match(_) | ReceiveArg::Discard => None,
                });
                stored.for_each(|place| variables.remove(place));
                variables.read(channel);
                pattern.iter().for_each(|argument| argument.walk(&mut |part| variables.read_part(part)));
            }
            Action::Print { arguments, .. } if !arguments.iter().any(|argument| self.risk.may_fail(argument)) => {}
            action => action.walk(&mut |part| variables.read_part(part)),
        }
    }

    fn before_assignment(&self, variables: &mut Variables, place: &Place, value: &Expr) {
        let is_read =
            variables.may_contain(place) || (self.always_reads)(place) || self.risk.assignment_may_fail(place, value);
        variables.remove(place);
        place.walk(&mut |part| variables.read_part(part));
        if is_read {
            variables.read(value);
        }
    }
}
