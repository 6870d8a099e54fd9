//! From elements to locations and edges: where each statement leads, and which edges leave each
//! location.
//!
//! This follows the way in which Spin's verifier builds its transition tables; see the module
//! `flow`.

use std::collections::HashMap;

use ample_model::{Action, Edge, EdgeId, Expr, ExprKind, Location, LocationId, TemplateId, TemplateKind};
use ample_source::{Diagnostic, Span};
use ample_stdx::{IndexVec, TypedId, suggest};

use crate::lower::expressions::Names;
use crate::lower::flow::{Element, ElementId, Flow, Goto, Label, Node, Sequence, SequenceId};
use crate::lower::lowering::Lowering;
use crate::lower::statements::Surroundings;
use crate::lower::symbols::ScopeId;
use crate::lower::walked::{Flows, Walked};

/// The control-flow automaton of a template.
pub(crate) struct Linked {
    pub(crate) entry: LocationId,
    pub(crate) locations: IndexVec<LocationId, Location>,
    pub(crate) edges: IndexVec<EdgeId, Edge>,
}

/// Control flow that goes round without a statement is cut off after so many hops.
const MOST_HOPS: usize = 500;

/// One edge of a location: the element whose statement it is, and the escape it belongs to.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Leaf {
    element: ElementId,
    escape: Option<ElementId>,
}

/// The links of one process: a copy of its control flow that is being finished.
struct Links<'f, 'a> {
    flow: &'f Flow<'a>,
    /// What follows each element, after blocks have been joined to what surrounds them.
    next: IndexVec<ElementId, Option<ElementId>>,
    atomic: IndexVec<ElementId, bool>,
    last_atomic: IndexVec<ElementId, bool>,
    /// Where each `goto` leads.
    gotos: IndexVec<ElementId, Option<ElementId>>,
    /// The innermost `d_step` around each element.
    d_step: IndexVec<ElementId, Option<ElementId>>,
}

/// The process that is linked.
struct Linking<'f, 'a> {
    id: TemplateId,
    kind: TemplateKind,
    /// The control flow of all processes.
    all: Flows<'f, 'a>,
    links: &'f Links<'f, 'a>,
}

impl Lowering<'_, '_> {
    /// Links the elements of a process and lowers their statements.
    pub(super) fn link(&mut self, id: TemplateId, kind: TemplateKind, all: Flows<'_, '_>) -> Linked {
        let walked = &all[id];
        let mut links = Links::new(&walked.flow);
        self.resolve_gotos(id, &mut links);
        links.join_blocks();
        if let Some(body) = walked.flow.body {
            links.finish(body);
        }
        let mut leaves = links.leaves();
        let flags = links.flags(&leaves);
        links.add_escapes(&mut leaves);
        self.build(&Linking { id, kind, all, links: &links }, &leaves, &flags)
    }

    fn resolve_gotos(&mut self, id: TemplateId, links: &mut Links<'_, '_>) {
        let flow = links.flow;
        for element in flow.elements.ids() {
            let Node::Goto(goto) = flow.elements[element].node else { continue };
            let target = match goto {
                Goto::Break(id) => flow.loops[id],
                Goto::Label(name) => {
                    let scope = flow.elements[element].scope;
                    let found = self.find_label(id, &flow.labels, &name.text, scope);
                    if found.is_none() {
                        let message = format!("there is no label `{}` in this process", name.text);
                        let mut diagnostic = Diagnostic::error(name.span, message);
                        if let Some(near) = suggest(&name.text, flow.labels.iter().map(|label| &*label.name)) {
                            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                        }
                        self.diagnostics.push(diagnostic);
                    }
                    found
                }
            };
            links.gotos[element] = target;
        }
    }

    /// The label that a `goto` means: in its own block, else in the nearest block around it, else
    /// anywhere.
    fn find_label(&self, id: TemplateId, labels: &[Label], name: &str, from: ScopeId) -> Option<ElementId> {
        let scopes = &self.symbols.processes[id].scopes;
        let mut scope = Some(from);
        while let Some(current) = scope {
            let found = labels.iter().find(|label| &*label.name == name && label.scope == current);
            if let Some(found) = found {
                return Some(found.element);
            }
            scope = scopes[current].parent;
        }
        labels.iter().find(|label| &*label.name == name).map(|label| label.element)
    }

    fn build(&mut self, linking: &Linking<'_, '_>, leaves: &IndexVec<ElementId, Vec<Leaf>>, flags: &Flags) -> Linked {
        let links = linking.links;
        let flow = links.flow;
        let mut locations: IndexVec<LocationId, Location> = IndexVec::default();
        let mut edges: IndexVec<EdgeId, Edge> = IndexVec::default();
        locations.push(Location::default());
        let mut lowered: HashMap<ElementId, (Action, String)> = HashMap::new();
        for element in flow.elements.ids() {
            let source = location(element);
            let mut location_edges = Vec::new();
            for leaf in &leaves[element] {
                let (action, text) =
                    lowered.entry(leaf.element).or_insert_with(|| self.lower_leaf(linking, leaf.element)).clone();
                let target = links.target(leaf.element).map_or(source, location);
                location_edges.push(edges.push(Edge {
                    source,
                    target,
                    guard: None,
                    action,
                    effects: Vec::new(),
                    keeps_control: links.atomic[leaf.element],
                    escape: leaf.escape.map(location),
                    statement: location(leaf.element),
                    text,
                    label: ample_model::Label::None,
                    span: flow.elements[leaf.element].span,
                }));
            }
            locations.push(Location {
                edges: location_edges,
                labels: flow.elements[element].labels.iter().map(|label| label.to_string()).collect(),
                end: flags.end[element],
                progress: flags.progress[element],
                accept: flags.accept[element],
                d_step: links.d_step[element].map(location),
                span: flow.elements[element].span,
            });
        }
        let first = flow.body.and_then(|body| flow.sequences[body].first);
        let entry = first.and_then(|first| links.hunt(first, links.atomic[first])).map_or(locations_start(), location);
        self.check_flow(links, leaves);
        Linked { entry, locations, edges }
    }

    fn lower_leaf(&mut self, linking: &Linking<'_, '_>, element: ElementId) -> (Action, String) {
        let &Linking { id, kind, all, links } = linking;
        let Element { node, scope, order, .. } = &links.flow.elements[element];
        let walked: &Walked<'_> = &all[id];
        let names = Names { here: Some((id, *scope)), order: *order, flows: Some(all) };
        match node {
            Node::Simple(simple) => {
                let d_step = links.flow.elements[element].d_step;
                let around = Surroundings { names: &names, kind, d_step, counters: &walked.counters };
                let (action, text) = self.action(*simple, &around);
                self.check_creation(&action, links.flow.elements[element].span);
                (action, text)
            }
            Node::Goto(Goto::Label(name)) => (Action::Skip, format!("goto {}", name.text)),
            Node::Goto(Goto::Break(_)) | Node::Break => (Action::Skip, "break".to_owned()),
            Node::DStep(inner) => {
                let entry = links.flow.sequences[*inner].first.map(|first| links.hunt_start(first));
                let entry = entry.unwrap_or(element);
                (Action::DeterministicStep(location(entry)), "d_step { … }".to_owned())
            }
            Node::End => (Action::End, "end of process".to_owned()),
            _ => (Action::Skip, "skip".to_owned()),
        }
    }

    /// Creating a process is an effect, so it must not hide in an expression that may be evaluated
    /// and have no other: it stands alone, or its number is assigned.
    fn check_creation(&mut self, action: &Action, span: Span) {
        let mut creations = 0;
        action.walk(&mut |expr| creations += u32::from(matches!(expr.kind, ExprKind::Run(_))));
        let allowed = match action {
            Action::Guard(Expr { kind: ExprKind::Run(_), .. }) | Action::Assign(..) => 1,
            _ => 0,
        };
        if creations > allowed {
            self.diagnostics.push(
                Diagnostic::error(span, "a process cannot be created inside this expression")
                    .help("write `run P()` as a statement of its own, or `x = run P()`"),
            );
        }
    }

    /// Reports control flow that goes round and round without a statement, and jumps across the
    /// border of a `d_step`.
    fn check_flow(&mut self, links: &Links<'_, '_>, leaves: &IndexVec<ElementId, Vec<Leaf>>) {
        for element in links.flow.elements.ids() {
            let span = links.flow.elements[element].span;
            if links.target(element).is_none() && !matches!(links.flow.elements[element].node, Node::End) {
                let endless = matches!(links.flow.elements[element].node, Node::Goto(_));
                if endless && links.gotos[element].is_some() {
                    self.error(span, "this goto leads round in a circle without a statement");
                }
            }
            if let (Node::Goto(_), Some(target)) = (&links.flow.elements[element].node, links.gotos[element])
                && links.d_step[element] != links.d_step[target]
            {
                self.diagnostics
                    .push(Diagnostic::error(span, "a jump cannot lead into or out of a `d_step`").help("use `atomic`"));
            }
            let is_else = |leaf: &&Leaf| links.is_else(leaf.element) && leaf.escape.is_none();
            if leaves[element].iter().filter(is_else).count() > 1 && !self.diagnostics.has_errors() {
                self.error(span, "two `else` compete here: put one choice into a statement of its own");
            }
        }
    }
}

/// What the labels of the elements mean.
struct Flags {
    end: IndexVec<ElementId, bool>,
    progress: IndexVec<ElementId, bool>,
    accept: IndexVec<ElementId, bool>,
}

impl<'f, 'a> Links<'f, 'a> {
    fn new(flow: &'f Flow<'a>) -> Self {
        Links {
            flow,
            next: flow.elements.iter().map(|element| element.next).collect(),
            atomic: flow.elements.iter().map(|element| element.atomic).collect(),
            last_atomic: flow.elements.iter().map(|element| element.last_atomic).collect(),
            gotos: flow.elements.iter().map(|_| None).collect(),
            d_step: flow.elements.iter().map(|_| None).collect(),
        }
    }

    /// Joins the end of each block to what follows the block, outer blocks first.
    fn join_blocks(&mut self) {
        let ids: Vec<ElementId> = self.flow.elements.ids().collect();
        for id in ids.into_iter().rev() {
            let (Node::Atomic(inner) | Node::NonAtomic(inner) | Node::DStep(inner)) = self.flow.elements[id].node
            else {
                continue;
            };
            let mut follows = self.next[id];
            while let Some(next) = follows
                && matches!(self.flow.elements[next].node, Node::Dot)
            {
                follows = self.next[next];
            }
            if let (Some(last), Some(_)) = (self.flow.sequences[inner].last, self.next[id]) {
                self.next[last] = self.next[last].or(follows);
            }
        }
    }

    /// Finishes the links inside a sequence: jumps out of and between atomic blocks, ends of
    /// blocks, borders of `d_step`.
    fn finish(&mut self, sequence: SequenceId) {
        for id in self.members(sequence) {
            match &self.flow.elements[id].node {
                Node::Atomic(inner) | Node::NonAtomic(inner) | Node::DStep(inner) => {
                    self.patch_gotos(*inner);
                    if let Some(last) = self.flow.sequences[*inner].last {
                        self.next[last] = self.next[id];
                    }
                    if matches!(self.flow.elements[id].node, Node::DStep(_)) {
                        self.mark_d_step(*inner, id);
                    }
                    self.finish(*inner);
                }
                _ => {
                    for sub in self.flow.subsequences(id) {
                        self.finish(sub);
                    }
                }
            }
        }
    }

    /// The elements of a sequence, from the first to the last that the author wrote.
    fn members(&self, sequence: SequenceId) -> Vec<ElementId> {
        let Sequence { first, extent, .. } = self.flow.sequences[sequence];
        let mut members = Vec::new();
        let mut current = first;
        while let Some(id) = current {
            members.push(id);
            if current == extent {
                break;
            }
            current = self.flow.elements[id].next;
        }
        members
    }

    /// A `goto` from inside an atomic block to the outside ends the atomic sequence; one that leads
    /// from the end of one atomic block into another keeps control.
    fn patch_gotos(&mut self, sequence: SequenceId) {
        for id in self.members(sequence) {
            if let (Node::Goto(_), Some(target)) = (&self.flow.elements[id].node, self.gotos[id]) {
                let target_inside = self.atomic[target] || self.last_atomic[target];
                if (self.atomic[id] || self.last_atomic[id]) && !target_inside {
                    self.atomic[id] = false;
                    self.last_atomic[id] = true;
                }
                if self.last_atomic[id] && target_inside {
                    self.last_atomic[id] = false;
                    self.atomic[id] = true;
                }
            } else {
                for sub in self.flow.subsequences(id) {
                    self.patch_gotos(sub);
                }
            }
        }
    }

    fn mark_d_step(&mut self, sequence: SequenceId, owner: ElementId) {
        let Sequence { first, last, .. } = self.flow.sequences[sequence];
        let mut current = first;
        while let Some(id) = current {
            self.d_step[id] = Some(owner);
            if let Node::NonAtomic(inner) = self.flow.elements[id].node {
                self.mark_d_step(inner, owner);
            }
            for sub in self.flow.subsequences(id) {
                self.mark_d_step(sub, owner);
            }
            if current == last {
                break;
            }
            current = self.flow.elements[id].next;
        }
    }

    /// The statement that is executed next when control comes to `element`: jumps and meeting
    /// points are passed through, but not out of an atomic sequence: leaving one is a step.
    fn hunt(&self, element: ElementId, from_atomic: bool) -> Option<ElementId> {
        let mut current = element;
        for _ in 0..MOST_HOPS {
            let onward = match &self.flow.elements[current].node {
                Node::Goto(_) => self.gotos[current]?,
                Node::Dot | Node::Break => match self.next[current] {
                    Some(next) => next,
                    None => return Some(current),
                },
                Node::Unless(main, _) => {
                    let first = self.flow.sequences[*main].first?;
                    self.hunt(first, from_atomic)?
                }
                _ => return Some(current),
            };
            if from_atomic && !self.atomic[onward] {
                return Some(current);
            }
            current = onward;
        }
        None
    }

    /// The statement that a sequence starts with.
    fn hunt_start(&self, element: ElementId) -> ElementId {
        let mut current = element;
        for _ in 0..MOST_HOPS {
            current = match (&self.flow.elements[current].node, self.next[current]) {
                (Node::Dot, Some(next)) => next,
                (Node::Unless(main, _), _) => self.flow.sequences[*main].first.unwrap_or(current),
                _ => return current,
            };
        }
        current
    }

    /// Where a statement leads; `None` after the end of the process.
    fn target(&self, element: ElementId) -> Option<ElementId> {
        let onward = match &self.flow.elements[element].node {
            Node::Goto(_) => self.gotos[element]?,
            _ => self.next[element]?,
        };
        self.hunt(onward, self.atomic[element])
    }

    /// The edges of each location, escapes not yet added. A choice or a block has those of what it
    /// begins with.
    fn leaves(&self) -> IndexVec<ElementId, Vec<Leaf>> {
        let expand = |id| {
            let mut leaves = Vec::new();
            self.expand(id, &mut leaves, 0);
            leaves
        };
        self.flow.elements.ids().map(expand).collect()
    }

    fn expand(&self, element: ElementId, leaves: &mut Vec<Leaf>, depth: usize) {
        if depth > MOST_HOPS {
            return;
        }
        match &self.flow.elements[element].node {
            Node::If(options) | Node::Do(options) => {
                for option in options {
                    let Some(first) = self.flow.sequences[*option].first else { continue };
                    let start = self.hunt_start(first);
                    if !self.is_dead(start) {
                        self.expand(start, leaves, depth + 1);
                    }
                }
            }
            Node::Atomic(inner) | Node::NonAtomic(inner) => {
                if let Some(first) = self.flow.sequences[*inner].first {
                    self.expand(self.hunt_start(first), leaves, depth + 1);
                }
            }
            Node::Unless(..) => {}
            _ => leaves.push(Leaf { element, escape: None }),
        }
    }

    /// An option whose guard is the constant false can never be taken.
    fn is_dead(&self, element: ElementId) -> bool {
        let Element { node, escapes, .. } = &self.flow.elements[element];
        let Node::Simple(crate::lower::flow::Simple::Statement(statement)) = node else { return false };
        let crate::syntax::StatementKind::Expr(expr) = &statement.kind else { return false };
        matches!(expr.kind, crate::syntax::ExprKind::Int(0)) && escapes.is_empty()
    }

    fn is_else(&self, element: ElementId) -> bool {
        use crate::lower::flow::Simple;
        match &self.flow.elements[element].node {
            Node::Simple(Simple::Else) => true,
            Node::Simple(Simple::Statement(statement)) => {
                matches!(statement.kind, crate::syntax::StatementKind::Else)
            }
            _ => false,
        }
    }

    /// What labels mean. A label on a statement that a choice begins with passes to where that
    /// statement leads, because the location of the statement itself is the choice's.
    fn flags(&self, leaves: &IndexVec<ElementId, Vec<Leaf>>) -> Flags {
        let mut end = self.labelled("end");
        for (id, element) in self.flow.elements.iter_enumerated() {
            end[id] |= matches!(element.node, Node::End);
        }
        let mut flags = Flags { end, progress: self.labelled("progress"), accept: self.labelled("accept") };
        for id in self.flow.elements.ids() {
            if !self.is_choice(id) {
                continue;
            }
            for leaf in &leaves[id] {
                if let Some(target) = self.target(leaf.element) {
                    flags.end[target] |= flags.end[leaf.element];
                    flags.progress[target] |= flags.progress[leaf.element];
                    flags.accept[target] |= flags.accept[leaf.element];
                }
            }
        }
        for id in self.flow.elements.ids() {
            if let (Node::Dot, true, Some(target)) = (&self.flow.elements[id].node, flags.end[id], self.target(id)) {
                flags.end[target] = true;
            }
        }
        flags
    }

    fn is_choice(&self, element: ElementId) -> bool {
        matches!(self.flow.elements[element].node, Node::If(_) | Node::Do(_) | Node::Atomic(_) | Node::NonAtomic(_))
    }

    fn labelled(&self, prefix: &str) -> IndexVec<ElementId, bool> {
        let has = |element: &Element<'_>| element.labels.iter().any(|label| label.starts_with(prefix));
        self.flow.elements.iter().map(has).collect()
    }

    /// Puts the guards of `unless` escapes before the edges they may interrupt, the outermost
    /// escape first.
    fn add_escapes(&self, leaves: &mut IndexVec<ElementId, Vec<Leaf>>) {
        for id in self.flow.elements.ids() {
            if self.d_step[id].is_some() {
                continue;
            }
            for leaf in leaves[id].clone() {
                for escape in self.escapes_of(leaf.element).into_iter().rev() {
                    for guard in leaves[escape].clone() {
                        if !leaves[id].iter().any(|known| known.element == guard.element) {
                            leaves[id].insert(0, Leaf { element: guard.element, escape: Some(escape) });
                        }
                    }
                }
            }
        }
    }

    /// The statements with which the escapes of an element begin.
    fn escapes_of(&self, element: ElementId) -> Vec<ElementId> {
        let Element { node, escapes, .. } = &self.flow.elements[element];
        if matches!(node, Node::Dot) {
            return Vec::new();
        }
        let start = |escape: &SequenceId| self.hunt(self.flow.sequences[*escape].first?, self.atomic[element]);
        escapes.iter().filter_map(start).collect()
    }
}

fn location(element: ElementId) -> LocationId {
    LocationId::from_index(Flow::number(element))
}

fn locations_start() -> LocationId {
    LocationId::from_index(0)
}
