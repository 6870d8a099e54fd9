//! Processes as templates: states are locations, transitions are edges.

use ample_model::{Action, Edge, Effect, Expr, Frame, Label, Location, LocationId, ReceiveArg, Template, TemplateKind};
use ample_source::{Diagnostic, Span};
use ample_stdx::{IndexVec, TypedId};

use super::expressions::{both, not};
use super::lowering::{Here, Lowering, States};
use super::resolve::Resolved;
use crate::syntax::{Direction, ExprKind, Process, Sync, Transition};

impl Lowering<'_, '_> {
    /// The template of a process of the system.
    pub(super) fn template(&mut self, member: usize) -> Template {
        let process = self.members[member].process;
        let states = self.members[member].states.clone();
        let here = Here { member: Some(member), ..Here::default() };
        let mut template = self.empty_template(process, &states, TemplateKind::Process);
        template.name.clone_from(&self.members[member].name);
        for transition in &process.transitions {
            let edge = self.edge(transition, process, &states, &here);
            add(&mut template, edge);
        }
        for assert in &process.asserts {
            let at = self.location(&states, &assert.state);
            let holds = self.expression(&assert.condition, &here);
            add(&mut template, assertion(at, holds, &assert.text));
        }
        template.frame = std::mem::take(&mut self.frames[self.members[member].template]);
        template
    }

    /// A template with the states of a process, and no edges.
    pub(super) fn empty_template(&mut self, process: &Process, states: &States, kind: TemplateKind) -> Template {
        let mut locations: IndexVec<LocationId, Location> = IndexVec::new();
        locations.push(Location::default());
        for name in states.names() {
            let span = process.states.iter().find(|state| &*state.text == name).map_or(process.name.span, |s| s.span);
            locations.push(Location { labels: vec![name.to_owned()], span, ..Location::default() });
        }
        for state in &process.accept {
            let location = self.location(states, state);
            locations[location].accept = true;
        }
        let entry = process.init.as_ref().map_or(LocationId::from_index(0), |init| self.location(states, init));
        Template {
            name: process.name.text.to_string(),
            kind,
            span: process.name.span,
            parameters: 0,
            frame: Frame::default(),
            entry,
            locations,
            edges: IndexVec::new(),
            provided: None,
            deterministic: false,
            exclusive: Vec::new(),
        }
    }

    fn edge(&mut self, transition: &Transition, process: &Process, states: &States, here: &Here<'_>) -> Edge {
        let source = self.location(states, &transition.source);
        let target = self.location(states, &transition.target);
        let guard = transition.guard.as_ref().map(|guard| self.expression(guard, here));
        let is_commit = process.commit.iter().any(|state| state.text == transition.source.text);
        let commit_free = if is_commit { None } else { self.commit_free.clone() };
        let guard = both(commit_free, guard);
        let effects = self.effects(transition, here);
        let (action, guard) = match (&transition.sync, guard) {
            (None, None) => (Action::Skip, None),
            (None, Some(guard)) => (Action::Guard(guard), None),
            (Some(sync), guard) => (self.sync(sync, here), guard),
        };
        let (text, span) = (transition.text.clone(), transition.span);
        Edge { guard, effects, ..plain_edge(source, target, action, text, span) }
    }

    pub(super) fn effects(&mut self, transition: &Transition, here: &Here<'_>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (variable, value) in &transition.effects {
            let value = self.expression(value, here);
            if let Some(place) = self.place(variable, here) {
                effects.push(Effect { place, value });
            }
        }
        effects
    }

    fn sync(&mut self, sync: &Sync, here: &Here<'_>) -> Action {
        let number = match self.resolve(&sync.channel, here) {
            Some(Resolved::Channel(number)) if sync.channel.index.is_none() => number,
            Some(_) => {
                self.error(sync.channel.span, format!("`{}` is not a channel", sync.channel.name.text));
                return Action::Skip;
            }
            None => return Action::Skip,
        };
        self.check_arity(number, sync);
        let channel = self.channel_expr(number, sync.channel.span);
        match sync.direction {
            Direction::Send => {
                let values = sync.values.iter().map(|value| self.expression(value, here)).collect();
                Action::Send { channel, sorted: false, values }
            }
            Direction::Receive => {
                let pattern = sync.values.iter().map(|value| self.receive(value, here)).collect();
                Action::Receive { channel, anywhere: false, keep: false, pattern }
            }
        }
    }

    fn receive(&mut self, value: &crate::syntax::Expr, here: &Here<'_>) -> ReceiveArg {
        let ExprKind::Variable(variable) = &value.kind else {
            let error = Diagnostic::error(value.span, "a message is received into a variable");
            self.diagnostics.push(error.help("compare the variable in the guard of a later transition"));
            return ReceiveArg::Discard;
        };
        self.place(variable, here).map_or(ReceiveArg::Discard, ReceiveArg::Store)
    }
}

/// Adds an edge to the location it leaves.
pub(super) fn add(template: &mut Template, edge: Edge) {
    let source = edge.source;
    let id = template.edges.push(edge);
    template.locations[source].edges.push(id);
}

/// An edge without a guard and effects.
pub(super) fn plain_edge(source: LocationId, target: LocationId, action: Action, text: String, span: Span) -> Edge {
    Edge {
        source,
        target,
        action,
        guard: None,
        effects: Vec::new(),
        keeps_control: false,
        escape: None,
        statement: source,
        text,
        label: Label::None,
        span,
    }
}

/// A step that can be taken only where the assertion fails.
pub(super) fn assertion(at: LocationId, holds: Expr, text: &str) -> Edge {
    let span = holds.span;
    let guard = Some(not(holds.clone()));
    Edge { guard, ..plain_edge(at, at, Action::Assert(holds), text.to_owned(), span) }
}
