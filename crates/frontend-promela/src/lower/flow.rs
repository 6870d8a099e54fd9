//! Control flow: the statements of a process as elements, linked as Spin links them.
//!
//! Which steps a process makes, and so how many states a model has, depends on details of how a
//! verifier lays out control flow: which `goto` is a step of its own, where an `atomic` ends, which
//! locations a label names. Counts are comparable only if these are the same, so this module builds
//! the same elements, with the same numbers, as Spin 6.5.2 without optimisations (`-o1 -o2 -o3`).
//! The number of an element is the number of its location.

use std::sync::Arc;

use ample_source::{Diagnostic, Diagnostics, Span};
use ample_stdx::{IndexVec, TypedId, typed_id};

use crate::lower::symbols::ScopeId;
use crate::syntax::{Expr, For, Name, Statement, StatementKind, VarRef};

typed_id! {
    /// A statement, or a point where control flow meets.
    pub(crate) struct ElementId;
}
typed_id! {
    /// Consecutive elements.
    pub(crate) struct SequenceId;
}
typed_id! {
    /// A loop that can be left by `break`.
    pub(crate) struct LoopId;
}

/// A statement, or a point where control flow meets.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) next: Option<ElementId>,
    /// The process keeps control after it.
    pub(crate) atomic: bool,
    /// The last of an atomic sequence.
    pub(crate) last_atomic: bool,
    /// Inside which `d_step` it stands.
    pub(crate) d_step: bool,
    /// The `unless` escapes that may be taken instead of it, outermost first.
    pub(crate) escapes: Vec<SequenceId>,
    pub(crate) labels: Vec<Arc<str>>,
    /// Where its names are looked up.
    pub(crate) scope: ScopeId,
    /// Which declarations come before it.
    pub(crate) order: u32,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Node<'a> {
    Simple(Simple<'a>),
    Goto(Goto<'a>),
    /// The place after a loop.
    Break,
    /// The place where options meet.
    Dot,
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>),
    Unless(SequenceId, SequenceId),
    Atomic(SequenceId),
    NonAtomic(SequenceId),
    DStep(SequenceId),
    /// The end of the process.
    End,
}

/// A statement that is one step.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Simple<'a> {
    Statement(&'a Statement),
    Skip,
    Else,
    /// A declaration after the first statement is an assignment.
    Declare {
        variable: &'a Name,
        value: Option<&'a Expr>,
    },
    ForStart(&'a For),
    ForTest(&'a For),
    ForStep(&'a For),
    /// A loop over a channel takes each message and puts it back.
    ForTake(&'a For),
    ForPut(&'a For),
    SelectStart(&'a VarRef, &'a Expr),
    SelectTest(&'a VarRef, &'a Expr),
    SelectStep(&'a VarRef),
}

#[derive(Copy, Clone, Debug)]
pub(crate) enum Goto<'a> {
    Label(&'a Name),
    Break(LoopId),
}

/// Consecutive elements, from the first to the last.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<ElementId>,
    pub(crate) last: Option<ElementId>,
    /// The last element before the places that were appended to join it to what follows.
    pub(crate) extent: Option<ElementId>,
}

/// A label and what it names.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    pub(crate) scope: ScopeId,
    pub(crate) element: ElementId,
}

/// The control flow of one process.
#[derive(Debug, Default)]
pub(crate) struct Flow<'a> {
    pub(crate) elements: IndexVec<ElementId, Element<'a>>,
    pub(crate) sequences: IndexVec<SequenceId, Sequence>,
    pub(crate) labels: Vec<Label>,
    /// What follows each loop.
    pub(crate) loops: IndexVec<LoopId, Option<ElementId>>,
    pub(crate) body: Option<SequenceId>,
}

/// A statement that is understood but not yet placed.
pub(crate) enum Pending<'a> {
    Simple(Simple<'a>, Span),
    Goto(Goto<'a>, Span),
    If(Vec<SequenceId>, Span),
    Do(Vec<SequenceId>, LoopId, Span),
    Unless(SequenceId, SequenceId, Span),
    Atomic(SequenceId, Span),
    NonAtomic(SequenceId, Span),
    DStep(SequenceId, Span),
}

impl Pending<'_> {
    pub(crate) fn span(&self) -> Span {
        match self {
            Pending::Simple(_, span)
            | Pending::Goto(_, span)
            | Pending::If(_, span)
            | Pending::Do(_, _, span)
            | Pending::Unless(_, _, span)
            | Pending::Atomic(_, span)
            | Pending::NonAtomic(_, span)
            | Pending::DStep(_, span) => *span,
        }
    }
}

/// Where an element is placed.
#[derive(Copy, Clone)]
pub(crate) struct Here {
    pub(crate) sequence: SequenceId,
    pub(crate) scope: ScopeId,
    pub(crate) order: u32,
}

/// Where a statement is placed, with its labels and its text.
struct Spot<'a, 'd> {
    labels: &'a [Name],
    here: Here,
    span: Span,
    diagnostics: &'d mut Diagnostics,
}

impl<'a> Flow<'a> {
    pub(crate) fn new_sequence(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default())
    }

    /// Marks the end of what the author wrote in a sequence.
    pub(crate) fn close(&mut self, sequence: SequenceId) {
        self.sequences[sequence].extent = self.sequences[sequence].last;
    }

    /// The first label on the first element of a sequence, which no jump can lead to if the
    /// sequence is a block. The label of a loop names the loop itself, which stands behind a place
    /// where its rounds meet, or behind the assignment of a `for`.
    pub(crate) fn first_label(&self, sequence: SequenceId) -> Option<&Label> {
        let first = self.sequences[sequence].first?;
        self.labels.iter().find(|label| label.element == first)
    }

    fn new_element(&mut self, node: Node<'a>, here: Here, span: Span) -> ElementId {
        self.elements.push(Element {
            node,
            next: None,
            atomic: false,
            last_atomic: false,
            d_step: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            scope: here.scope,
            order: here.order,
            span,
        })
    }

    fn append(&mut self, element: ElementId, sequence: SequenceId) {
        match self.sequences[sequence].last {
            Some(last) => self.elements[last].next = Some(element),
            None => self.sequences[sequence].first = Some(element),
        }
        self.sequences[sequence].last = Some(element);
    }

    /// Places a statement at the end of a sequence.
    pub(crate) fn add(
        &mut self,
        pending: Pending<'a>,
        labels: &'a [Name],
        here: Here,
        diagnostics: &mut Diagnostics,
    ) -> ElementId {
        let mut spot = Spot { labels, here, span: pending.span(), diagnostics };
        match pending {
            Pending::Simple(simple, _) => self.add_plain(Node::Simple(simple), &mut spot),
            Pending::Goto(goto, _) => self.add_goto(goto, &mut spot),
            Pending::Atomic(body, _) => {
                let element = self.add_plain(Node::Atomic(body), &mut spot);
                self.make_atomic(body, false);
                element
            }
            Pending::DStep(body, _) => {
                let element = self.add_plain(Node::DStep(body), &mut spot);
                self.make_atomic(body, true);
                element
            }
            Pending::NonAtomic(body, _) => self.add_plain(Node::NonAtomic(body), &mut spot),
            Pending::If(options, _) => self.add_if(options, &mut spot),
            Pending::Do(options, id, _) => self.add_do(options, id, &mut spot),
            Pending::Unless(main, escape, _) => self.add_unless(main, escape, &mut spot),
        }
    }

    fn add_plain(&mut self, node: Node<'a>, spot: &mut Spot<'a, '_>) -> ElementId {
        let element = self.new_element(node, spot.here, spot.span);
        self.set_labels(element, spot);
        self.append(element, spot.here.sequence);
        element
    }

    /// A `goto` with a label that means something (`end`, `progress`, `accept`) gets a step of its
    /// own before it.
    fn add_goto(&mut self, goto: Goto<'a>, spot: &mut Spot<'a, '_>) -> ElementId {
        let element = self.new_element(Node::Goto(goto), spot.here, spot.span);
        let special = |name: &Name| ["end", "progress", "accept"].iter().any(|prefix| name.text.starts_with(prefix));
        if spot.labels.iter().any(special) {
            self.add_plain(Node::Simple(Simple::Skip), spot);
        } else {
            self.set_labels(element, spot);
        }
        self.append(element, spot.here.sequence);
        element
    }

    fn add_if(&mut self, options: Vec<SequenceId>, spot: &mut Spot<'a, '_>) -> ElementId {
        let (element, meet) = self.new_choice(Node::If, options, spot);
        self.append_both(element, meet, spot)
    }

    fn add_do(&mut self, options: Vec<SequenceId>, id: LoopId, spot: &mut Spot<'a, '_>) -> ElementId {
        let (element, meet) = self.new_choice(Node::Do, options, spot);
        self.append(meet, spot.here.sequence);
        let after = self.new_element(Node::Break, spot.here, spot.span);
        self.loops[id] = Some(after);
        self.append_both(element, after, spot)
    }

    fn add_unless(&mut self, main: SequenceId, escape: SequenceId, spot: &mut Spot<'a, '_>) -> ElementId {
        let element = self.new_element(Node::Unless(main, escape), spot.here, spot.span);
        let meet = self.new_element(Node::Dot, spot.here, spot.span);
        self.append(meet, main);
        self.append(meet, escape);
        self.attach_escape(main, escape);
        self.append_both(element, meet, spot)
    }

    /// A choice, and the place where its options meet.
    fn new_choice(
        &mut self,
        node: fn(Vec<SequenceId>) -> Node<'a>,
        options: Vec<SequenceId>,
        spot: &mut Spot<'a, '_>,
    ) -> (ElementId, ElementId) {
        let options = self.else_last(options, spot.diagnostics);
        let element = self.new_element(node(options.clone()), spot.here, spot.span);
        let meet = self.new_element(Node::Dot, spot.here, spot.span);
        options.iter().for_each(|option| self.append(meet, *option));
        (element, meet)
    }

    /// Appends a statement, which gets the labels, and the place after it.
    fn append_both(&mut self, element: ElementId, after: ElementId, spot: &mut Spot<'a, '_>) -> ElementId {
        self.append(element, spot.here.sequence);
        self.append(after, spot.here.sequence);
        self.set_labels(element, spot);
        element
    }

    /// The end of the process.
    pub(crate) fn add_end(&mut self, here: Here, span: Span) {
        let element = self.new_element(Node::End, here, span);
        self.append(element, here.sequence);
    }

    /// The option that begins with `else` is tried last, wherever it was written.
    fn else_last(&mut self, options: Vec<SequenceId>, diagnostics: &mut Diagnostics) -> Vec<SequenceId> {
        let (mut last, mut rest): (Vec<_>, Vec<_>) =
            options.into_iter().partition(|option| self.begins_with_else(*option));
        if let Some(second) = last.get(1).and_then(|option| self.sequences[*option].first) {
            diagnostics.push(Diagnostic::error(self.elements[second].span, "there is an `else` already"));
        }
        rest.append(&mut last);
        rest
    }

    fn begins_with_else(&self, option: SequenceId) -> bool {
        let first = self.sequences[option].first.map(|first| &self.elements[first].node);
        match first {
            Some(Node::Simple(Simple::Else)) => true,
            Some(Node::Simple(Simple::Statement(statement))) => matches!(statement.kind, StatementKind::Else),
            _ => false,
        }
    }

    fn set_labels(&mut self, element: ElementId, spot: &mut Spot<'a, '_>) {
        let scope = spot.here.scope;
        for label in spot.labels {
            let same = self.labels.iter().find(|other| other.name == label.text && other.scope == scope);
            if let Some(same) = same {
                spot.diagnostics.push(
                    Diagnostic::error(label.span, format!("label `{}` is declared twice", label.text))
                        .secondary(same.span, "first declared here"),
                );
            }
            self.elements[element].labels.push(label.text.clone());
            self.labels.push(Label { name: label.text.clone(), span: label.span, scope, element });
        }
    }

    /// Marks the elements of an atomic sequence: after each but the last the process keeps control.
    /// An `atomic` inside means nothing, and neither does a `d_step` inside a `d_step`.
    pub(crate) fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        self.walk_atomic(sequence, d_step);
        let Some(last) = self.sequences[sequence].last else { return };
        match self.elements[last].node {
            Node::NonAtomic(inner) | Node::Atomic(inner) => self.make_atomic(inner, d_step),
            Node::Unless(main, _) => self.make_atomic(main, d_step),
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let Sequence { first, last, .. } = self.sequences[sequence];
        let mut current = first;
        while let Some(id) = current {
            let element = &mut self.elements[id];
            element.atomic = true;
            element.d_step |= d_step;
            let inner = match &element.node {
                Node::Atomic(inner) | Node::NonAtomic(inner) => Some(*inner),
                Node::DStep(inner) if d_step => Some(*inner),
                _ => None,
            };
            if let Some(inner) = inner {
                element.node = Node::NonAtomic(inner);
                self.walk_atomic(inner, d_step);
            }
            for sub in self.subsequences(id) {
                self.walk_atomic(sub, d_step);
            }
            if current == last {
                break;
            }
            current = self.elements[id].next;
        }
    }

    /// The options of a choice, or both parts of an `unless`.
    pub(crate) fn subsequences(&self, element: ElementId) -> Vec<SequenceId> {
        match &self.elements[element].node {
            Node::If(options) | Node::Do(options) => options.clone(),
            Node::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        }
    }

    fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequences[sequence];
        let mut current = first;
        while let Some(id) = current {
            self.escape_element(id, escape);
            if current == extent {
                break;
            }
            current = self.elements[id].next;
        }
    }

    fn escape_element(&mut self, element: ElementId, escape: SequenceId) {
        if self.elements[element].escapes.contains(&escape) {
            return;
        }
        // The escapes it has already can be escaped from in turn.
        for inner in self.elements[element].escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].node {
            Node::Unless(main, _) => self.attach_escape(main, escape),
            Node::If(_) | Node::Do(_) => {
                for option in self.subsequences(element) {
                    self.attach_escape(option, escape);
                }
            }
            Node::DStep(inner) => {
                if let Some(first) = self.sequences[inner].first {
                    self.escape_element(first, escape);
                }
            }
            Node::Atomic(inner) | Node::NonAtomic(inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }

    /// A `goto` that carries a label which somebody looks at from outside becomes a step of its
    /// own.
    pub(crate) fn keep_observed_goto(&mut self, element: ElementId) {
        let Node::Goto(goto) = self.elements[element].node else { return };
        let old = &self.elements[element];
        let copy = Element {
            node: Node::Goto(goto),
            next: old.next,
            escapes: old.escapes.clone(),
            labels: Vec::new(),
            ..*old
        };
        let copy = self.elements.push(copy);
        self.elements[element].node = Node::Simple(Simple::Skip);
        self.elements[element].next = Some(copy);
    }

    /// Removes a `skip` right after another step that does nothing, inside an option, as Spin does.
    /// The first and the last statement stay.
    pub(crate) fn prune_skips(&mut self, sequence: SequenceId) {
        let Sequence { first, last, .. } = self.sequences[sequence];
        let (mut before, mut current, mut idle) = (None, first, 0);
        while let Some(id) = current {
            let next = self.elements[id].next;
            match self.idle(id) {
                Some(removable) if self.elements[id].labels.is_empty() => {
                    idle += 1;
                    if idle > 1 && removable && current != first && current != last {
                        if let Some(before) = before {
                            let before: ElementId = before;
                            self.elements[before].next = next;
                        }
                        current = next;
                        continue;
                    }
                }
                _ => idle = 0,
            }
            before = current;
            current = next;
        }
    }

    /// Whether an element does nothing, and if so, whether it may be left out (a `printf` may not).
    fn idle(&self, element: ElementId) -> Option<bool> {
        match &self.elements[element].node {
            Node::Simple(Simple::Skip) => Some(true),
            Node::Simple(Simple::Statement(statement)) => match &statement.kind {
                StatementKind::Print(..) | StatementKind::PrintName(_) => Some(false),
                StatementKind::Expr(expr) if matches!(expr.kind, crate::syntax::ExprKind::Int(1)) => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of the location before an element.
    pub(crate) fn number(element: ElementId) -> usize {
        element.index() + 1
    }
}
