//! A synchronous system: in every step all processes move together.
//!
//! The product is made here, as one process: a location is a state of each process, an edge is a
//! transition of each. All guards are looked at in the state before the step; then the effects
//! happen, process by process.

use std::collections::HashMap;

use ample_model::{Action, Edge, Effect, Expr, Location, LocationId, Template, TemplateId};
use ample_source::{Diagnostic, Span};
use ample_stdx::{IndexVec, TypedId};

use super::edges::{add, assertion, plain_edge};
use super::expressions::all;
use super::lowering::{Here, Lowering, Product};
use crate::syntax::Transition;

/// The most edges of a product.
const MAX_EDGES: usize = 100_000;

/// A joint transition that is being put together.
#[derive(Clone, Default)]
struct Joint {
    target: Vec<LocationId>,
    guards: Vec<Expr>,
    effects: Vec<Effect>,
    texts: Vec<String>,
    span: Option<Span>,
}

impl Lowering<'_, '_> {
    /// The only template of a synchronous system.
    pub(super) fn product_template(&mut self) -> IndexVec<TemplateId, Template> {
        if self.members.is_empty() || self.has_channels() {
            return IndexVec::new();
        }
        let entry: Vec<LocationId> = (0..self.members.len())
            .map(|member| {
                let states = self.members[member].states.clone();
                let init = self.members[member].process.init.as_ref();
                init.map_or(LocationId::from_index(0), |init| self.location(&states, init))
            })
            .collect();
        // A state that is not there was reported; the product would be about nothing.
        if self.diagnostics.has_errors() {
            return IndexVec::new();
        }
        let mut template = self.product_start();
        let mut numbers = HashMap::from([(entry.clone(), LocationId::from_index(1))]);
        let mut product = Product { labels: vec![self.label(&entry)], tuples: vec![entry] };
        self.add_location(&mut template, &product, 0);
        let mut next = 0;
        while next < product.tuples.len() {
            let at = product.tuples[next].clone();
            let source = LocationId::from_index(next + 1);
            for joint in self.joint_transitions(&at) {
                let target = *numbers.entry(joint.target.clone()).or_insert_with(|| {
                    product.labels.push(self.label(&joint.target));
                    product.tuples.push(joint.target.clone());
                    LocationId::from_index(product.tuples.len())
                });
                while template.locations.len() <= product.tuples.len() {
                    let index = template.locations.len() - 1;
                    self.add_location(&mut template, &product, index);
                }
                add(&mut template, joint.into_edge(source, target));
            }
            self.add_asserts(&mut template, source, &at);
            if template.edges.len() > MAX_EDGES {
                let span = self.program.system.as_ref().map(|system| system.span);
                let message = format!("the product of the processes has more than {MAX_EDGES} transitions");
                let error = Diagnostic::error(span, message);
                self.diagnostics.push(error.note("a synchronous system is turned into one process before it is run"));
                break;
            }
            next += 1;
        }
        self.product = Some(product);
        template.frame = self.frames.iter().next().cloned().unwrap_or_default();
        [template].into_iter().collect()
    }

    fn has_channels(&mut self) -> bool {
        let Some(channel) = self.channel_span() else { return false };
        let error = Diagnostic::error(channel, "channels are not supported in a synchronous system");
        self.diagnostics.push(error.help("use shared variables, or `system async;`"));
        true
    }

    fn product_start(&mut self) -> Template {
        let span = self.program.system.as_ref().map_or(Span::default(), |system| system.span);
        let locations = [Location::default()].into_iter().collect();
        Template {
            name: "system".to_owned(),
            kind: ample_model::TemplateKind::Process,
            span,
            parameters: 0,
            frame: ample_model::Frame::default(),
            entry: LocationId::from_index(1),
            locations,
            edges: IndexVec::new(),
            provided: None,
            deterministic: false,
            exclusive: Vec::new(),
        }
    }

    fn state_name(&self, member: usize, state: LocationId) -> &str {
        self.members[member].states.names().nth(state.index().wrapping_sub(1)).unwrap_or("")
    }

    /// `(q0,r1)`
    fn label(&self, tuple: &[LocationId]) -> String {
        let names: Vec<&str> =
            tuple.iter().enumerate().map(|(member, state)| self.state_name(member, *state)).collect();
        format!("({})", names.join(","))
    }

    fn add_location(&self, template: &mut Template, product: &Product, index: usize) {
        let is_in = |names: &[crate::syntax::Name], member: usize, state: LocationId| {
            names.iter().any(|name| *name.text == *self.state_name(member, state))
        };
        let mut states = product.tuples[index].iter().enumerate();
        let accept = states.any(|(member, state)| is_in(&self.members[member].process.accept, member, *state));
        let (labels, span) = (vec![product.labels[index].clone()], template.span);
        template.locations.push(Location { labels, accept, span, ..Location::default() });
    }

    /// Every choice of one transition of each process.
    fn joint_transitions(&mut self, at: &[LocationId]) -> Vec<Joint> {
        let mut joints = vec![Joint::default()];
        let has_commit = (0..at.len()).any(|member| self.is_commit(member, at[member]));
        for (member, &state) in at.iter().enumerate() {
            let here = Here { member: Some(member), at: Some(at), constants: None };
            // While a process is in a commit state, those in others do not move, and so nothing
            // does.
            let is_held = has_commit && !self.is_commit(member, state);
            let mut longer = Vec::new();
            for transition in &self.members[member].process.transitions {
                if is_held || *transition.source.text != *self.state_name(member, state) {
                    continue;
                }
                let part = self.part(transition, member, &here);
                for joint in &joints {
                    let joint = joint.with(&part);
                    let effects = self.effects_after(transition, member, at, &joint.target);
                    longer.push(joint.with_effects(effects));
                }
                if longer.len() > MAX_EDGES {
                    break;
                }
            }
            joints = longer;
        }
        joints
    }

    fn is_commit(&self, member: usize, state: LocationId) -> bool {
        self.members[member].process.commit.iter().any(|name| *name.text == *self.state_name(member, state))
    }

    /// What a process assigns when it and those before it are where they are going, and those after
    /// it where they are.
    fn effects_after(
        &mut self,
        transition: &Transition,
        member: usize,
        at: &[LocationId],
        moved: &[LocationId],
    ) -> Vec<Effect> {
        let at: Vec<LocationId> = moved.iter().chain(at.iter().skip(moved.len())).copied().collect();
        self.effects(transition, &Here { member: Some(member), at: Some(&at), constants: None })
    }

    /// What one process contributes, but for what it assigns.
    fn part(&mut self, transition: &Transition, member: usize, here: &Here<'_>) -> Joint {
        if let Some(sync) = &transition.sync {
            self.error(sync.span, "channels are not supported in a synchronous system");
        }
        let states = self.members[member].states.clone();
        Joint {
            target: vec![self.location(&states, &transition.target)],
            guards: transition.guard.iter().map(|guard| self.expression(guard, here)).collect(),
            effects: Vec::new(),
            texts: vec![format!("{} -> {}", transition.source.text, transition.target.text)],
            span: Some(transition.span),
        }
    }

    fn add_asserts(&mut self, template: &mut Template, source: LocationId, at: &[LocationId]) {
        for (member, &state) in at.iter().enumerate() {
            let here = Here { member: Some(member), at: Some(at), constants: None };
            for assert in &self.members[member].process.asserts {
                if *assert.state.text == *self.state_name(member, state) {
                    let holds = self.expression(&assert.condition, &here);
                    add(template, assertion(source, holds, &assert.text));
                }
            }
        }
    }
}

impl Joint {
    fn with(&self, part: &Joint) -> Joint {
        let mut joint = self.clone();
        joint.target.extend(&part.target);
        joint.guards.extend(part.guards.iter().cloned());
        joint.effects.extend(part.effects.iter().cloned());
        joint.texts.extend(part.texts.iter().cloned());
        joint.span = joint.span.or(part.span);
        joint
    }

    fn with_effects(mut self, effects: Vec<Effect>) -> Joint {
        self.effects.extend(effects);
        self
    }

    fn into_edge(self, source: LocationId, target: LocationId) -> Edge {
        let action = all(self.guards).map_or(Action::Skip, Action::Guard);
        let span = self.span.unwrap_or_default();
        Edge { effects: self.effects, ..plain_edge(source, target, action, self.texts.join(" | "), span) }
    }
}
