//! The body of a process: its statements become elements, its declarations become slots.

use ample_model::{Frame, Scalar, Scope as Owner, Shown, TemplateId};
use ample_source::{Diagnostic, Span};

use crate::lower::expressions::Names;
use crate::lower::flow::{Flow, Goto, Here, LoopId, Pending, SequenceId, Simple};
use crate::lower::lowering::Lowering;
use crate::lower::symbols::{Scope, ScopeId, Type, Variable};
use crate::lower::walked::{ExclusiveItem, Walked};
use crate::syntax::{
    Block, Declaration, Declarator, Expr, For, ForOver, Initializer, Item, Name, Process, ProcessKind, Statement,
    StatementKind, TypeName, VarRef,
};

struct Walker<'w, 'a, 's, 'd> {
    lowering: &'w mut Lowering<'s, 'd>,
    template: TemplateId,
    walked: Walked<'a>,
    /// The loops around the current statement.
    loops: Vec<LoopId>,
    /// The counters of loops over channels, by scope.
    counters: Vec<(ScopeId, ample_model::SlotId)>,
    /// No statement yet: initialisers belong to the creation of the process.
    at_start: bool,
    is_claim: bool,
}

impl Lowering<'_, '_> {
    /// Builds the control flow of a process and declares its variables.
    pub(super) fn walk_process<'a>(&mut self, process: &'a Process, template: TemplateId) -> Walked<'a> {
        let body_scope = self.symbols.processes[template].scopes.push(Scope::default());
        let mut walker = Walker {
            lowering: self,
            template,
            walked: Walked {
                flow: Flow::default(),
                frame: Frame::default(),
                parameters: 0,
                parameters_order: 0,
                body_scope,
                exclusive: Vec::new(),
                counters: Vec::new(),
            },
            loops: Vec::new(),
            counters: Vec::new(),
            at_start: true,
            is_claim: matches!(process.kind, ProcessKind::Never | ProcessKind::OuterNever),
        };
        for declaration in &process.parameters {
            walker.parameters(declaration, body_scope);
        }
        walker.walked.parameters = walker.walked.frame.slots.len();
        walker.walked.parameters_order = walker.lowering.order;
        let body = walker.walked.flow.new_sequence();
        walker.items(&process.body, body, body_scope);
        let here = walker.here(body, body_scope);
        walker.walked.flow.add_end(here, process.body.span.after());
        walker.walked.flow.close(body);
        walker.walked.flow.body = Some(body);
        walker.walked
    }
}

impl<'a> Walker<'_, 'a, '_, '_> {
    fn here(&mut self, sequence: SequenceId, scope: ScopeId) -> Here {
        self.lowering.order += 1;
        Here { sequence, scope, order: self.lowering.order }
    }

    fn error(&mut self, span: Span, message: &str) {
        self.lowering.error(span, message);
    }

    fn new_scope(&mut self, parent: ScopeId) -> ScopeId {
        let scope = Scope { parent: Some(parent), variables: Vec::new() };
        self.lowering.symbols.processes[self.template].scopes.push(scope)
    }

    fn parameters(&mut self, declaration: &'a Declaration, scope: ScopeId) {
        for declarator in &declaration.variables {
            if declarator.init.is_some() {
                self.error(declarator.name.span, "a parameter cannot have an initialiser");
            }
            if declarator.length.is_some() {
                self.error(declarator.name.span, "a parameter cannot be an array");
            }
            if let Some(variable) = self.declare(declaration, declarator, scope)
                && self.lowering.symbols.has_array(variable.ty)
            {
                self.error(declarator.name.span, "a parameter cannot have a type with an array inside");
            }
        }
    }

    /// Gives a local variable its slots; tells whether that went well.
    fn declare(
        &mut self,
        declaration: &'a Declaration,
        declarator: &'a Declarator,
        scope: ScopeId,
    ) -> Option<Variable> {
        self.lowering.order += 1;
        if let TypeName::User(name) = &declaration.ty {
            self.lowering.user_type(name)?;
        }
        let place = Some((self.template, scope));
        let order = self.lowering.order;
        if let Some(other) = self.lowering.symbols.variable(place, &declarator.name.text, order) {
            let other = other.name.span;
            self.lowering.diagnostics.push(
                Diagnostic::error(declarator.name.span, format!("`{}` is declared already", declarator.name.text))
                    .secondary(other, "first declared here")
                    .help("a local variable cannot have the name of a global one or of one in a block around it"),
            );
            return None;
        }
        let variable = self.lowering.variable(declaration, declarator, &mut self.walked.frame, Owner::Local)?;
        self.add_variable(variable.clone(), scope);
        Some(variable)
    }

    fn add_variable(&mut self, variable: Variable, scope: ScopeId) {
        self.lowering.symbols.processes[self.template].scopes[scope].variables.push(variable);
    }

    fn items(&mut self, block: &'a Block, sequence: SequenceId, scope: ScopeId) {
        for item in &block.items {
            match item {
                Item::Declaration(declaration) => self.local_declaration(declaration, sequence, scope),
                Item::Exclusive(item) => {
                    self.lowering.order += 1;
                    let order = self.lowering.order;
                    self.walked.exclusive.push(ExclusiveItem { item, scope, order });
                }
                Item::Statement(statement) => self.statement(statement, sequence, scope),
            }
        }
    }

    /// At the start of a process declarations are part of its creation; after the first statement
    /// each is an assignment, a step of its own.
    fn local_declaration(&mut self, declaration: &'a Declaration, sequence: SequenceId, scope: ScopeId) {
        for declarator in &declaration.variables {
            let Some(mut variable) = self.declare(declaration, declarator, scope) else { continue };
            if self.is_claim {
                self.error(declarator.name.span, "a never claim cannot have variables of its own");
            }
            if self.at_start {
                let names = Names { here: Some((self.template, scope)), order: self.lowering.order, flows: None };
                self.lowering.initialise(&mut variable, declarator, &mut self.walked.frame, &names);
                let scopes = &mut self.lowering.symbols.processes[self.template].scopes;
                if let Some(known) = scopes[scope].variables.last_mut() {
                    known.channel = variable.channel;
                }
                continue;
            }
            if matches!(variable.ty, Type::Struct(_)) || matches!(declarator.init, Some(Initializer::List(..))) {
                let names = Names { here: Some((self.template, scope)), order: self.lowering.order, flows: None };
                self.lowering.initialise(&mut variable, declarator, &mut self.walked.frame, &names);
            }
            let value = match &declarator.init {
                Some(Initializer::Expr(value)) => Some(value),
                Some(Initializer::Channel(init)) => {
                    self.late_initialiser(init.span, "a channel is created");
                    None
                }
                Some(Initializer::List(values, span)) => self.late_list(&variable, values, *span),
                None => None,
            };
            let here = self.here(sequence, scope);
            let pending = Pending::Simple(Simple::Declare { variable: &declarator.name, value }, declarator.name.span);
            self.walked.flow.add(pending, &[], here, self.lowering.diagnostics);
        }
    }

    /// A list of values after the first statement: the process is created with it, and where the
    /// declaration stands only the first element is set again. So does Spin, which complains and
    /// goes on.
    fn late_list(&mut self, variable: &Variable, values: &'a [Expr], span: Span) -> Option<&'a Expr> {
        let message = format!("only `{}[0]` is set here, as in Spin", variable.name.text);
        self.lowering.diagnostics.push(
            Diagnostic::warning(span, message)
                .note("all elements get their values once, when the process is created")
                .help("move the declaration before the first statement, outside of all blocks"),
        );
        values.first()
    }

    fn late_initialiser(&mut self, span: Span, what: &str) {
        self.lowering.diagnostics.push(
            Diagnostic::error(span, format!("{what} only at the start of a process"))
                .help("move the declaration before the first statement, outside of all blocks"),
        );
    }

    fn statement(&mut self, statement: &'a Statement, sequence: SequenceId, scope: ScopeId) {
        let pending = self.prepare(statement, sequence, scope);
        let here = self.here(sequence, scope);
        self.walked.flow.add(pending, labels_of(statement), here, self.lowering.diagnostics);
        self.at_start = false;
    }

    /// A block as a sequence of its own, with a scope of its own.
    fn block(&mut self, block: &'a Block, scope: ScopeId, label_help: &str) -> SequenceId {
        let scope = self.new_scope(scope);
        let sequence = self.open(block, scope);
        if let Some(label) = self.walked.flow.first_label(sequence) {
            let message = format!("label `{}` cannot stand here", label.name);
            self.lowering.diagnostics.push(Diagnostic::error(label.span, message).help(label_help));
        }
        sequence
    }

    /// A block as a sequence of its own, which is never empty: control flow would go round through
    /// it without a step.
    fn open(&mut self, block: &'a Block, scope: ScopeId) -> SequenceId {
        self.at_start = false;
        let sequence = self.walked.flow.new_sequence();
        self.items(block, sequence, scope);
        if self.walked.flow.sequences[sequence].first.is_none() {
            if block.items.iter().all(|item| matches!(item, Item::Exclusive(_))) {
                let error = Diagnostic::error(block.span, "there must be at least one statement here");
                let help = "`xr` and `xs` are declarations; write `skip` for a statement that does nothing";
                self.lowering.diagnostics.push(error.help(help));
            }
            self.add_simple(Simple::Skip, block.span, sequence, scope);
        }
        self.walked.flow.close(sequence);
        sequence
    }

    /// The options of a choice. They share the scope around them.
    fn options(&mut self, blocks: &'a [Block], scope: ScopeId) -> Vec<SequenceId> {
        let options: Vec<SequenceId> = blocks.iter().map(|block| self.open(block, scope)).collect();
        if !self.is_claim {
            options.iter().for_each(|option| self.walked.flow.prune_skips(*option));
        }
        options
    }

    fn prepare(&mut self, statement: &'a Statement, sequence: SequenceId, scope: ScopeId) -> Pending<'a> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::If(blocks) => Pending::If(self.options(blocks, scope), span),
            StatementKind::Do(blocks) => {
                let id = self.walked.flow.loops.push(None);
                self.loops.push(id);
                let options = self.options(blocks, scope);
                self.loops.pop();
                Pending::Do(options, id, span)
            }
            StatementKind::For(for_loop) => self.for_loop(for_loop, sequence, scope, span),
            StatementKind::Select { variable, from, to } => self.select(variable, from, to, sequence, scope, span),
            StatementKind::Atomic(block) => {
                Pending::Atomic(self.block(block, scope, "write `Label: atomic { … }` instead"), span)
            }
            StatementKind::DStep(block) => {
                Pending::DStep(self.block(block, scope, "write `Label: d_step { … }` instead"), span)
            }
            StatementKind::Block(block) => {
                Pending::NonAtomic(self.block(block, scope, "write `Label: { … }` instead"), span)
            }
            StatementKind::Unless(main, escape) => self.unless(main, escape, sequence, scope, span),
            StatementKind::Goto(label) => Pending::Goto(Goto::Label(label), span),
            StatementKind::Break => match self.loops.last() {
                Some(id) => Pending::Goto(Goto::Break(*id), span),
                None => {
                    self.error(span, "`break` outside a loop");
                    Pending::Simple(Simple::Skip, span)
                }
            },
            _ => Pending::Simple(Simple::Statement(statement), span),
        }
    }

    fn add_simple(&mut self, simple: Simple<'a>, span: Span, sequence: SequenceId, scope: ScopeId) {
        let here = self.here(sequence, scope);
        self.walked.flow.add(Pending::Simple(simple, span), &[], here, self.lowering.diagnostics);
    }

    /// `i = a; do :: else -> break :: i <= b -> body; i++ od`.
    fn for_loop(&mut self, for_loop: &'a For, sequence: SequenceId, scope: ScopeId, span: Span) -> Pending<'a> {
        let over_channel = self.is_over_channel(for_loop, scope);
        if over_channel {
            self.add_counter(for_loop, scope);
        }
        let header = for_loop.header;
        self.add_simple(Simple::ForStart(for_loop), header, sequence, scope);
        let id = self.walked.flow.loops.push(None);
        self.loops.push(id);
        self.at_start = false;
        let body = self.walked.flow.new_sequence();
        self.add_simple(Simple::ForTest(for_loop), header, body, scope);
        if over_channel {
            self.add_simple(Simple::ForTake(for_loop), header, body, scope);
            self.add_simple(Simple::ForPut(for_loop), header, body, scope);
        }
        let inner = self.new_scope(scope);
        self.items(&for_loop.body, body, inner);
        self.add_simple(Simple::ForStep(for_loop), header, body, scope);
        self.walked.flow.close(body);
        let leave = self.walked.flow.new_sequence();
        self.add_simple(Simple::Else, header, leave, scope);
        self.add_break(id, header, leave, scope);
        self.loops.pop();
        Pending::Do(vec![leave, body], id, span)
    }

    fn add_break(&mut self, id: LoopId, span: Span, sequence: SequenceId, scope: ScopeId) {
        let here = self.here(sequence, scope);
        self.walked.flow.add(Pending::Goto(Goto::Break(id), span), &[], here, self.lowering.diagnostics);
        self.walked.flow.close(sequence);
    }

    /// Whether a loop goes over the messages of a channel: then its variable is a structure.
    fn is_over_channel(&self, for_loop: &For, scope: ScopeId) -> bool {
        let (ForOver::In(_), Some(part)) = (&for_loop.over, for_loop.variable.parts.first()) else { return false };
        let found = self.lowering.symbols.variable(Some((self.template, scope)), &part.name.text, u32::MAX);
        found.is_some_and(|variable| matches!(variable.ty, Type::Struct(_)))
    }

    /// Loops in one scope have one counter, as in Spin: what it holds between them is part of the
    /// state.
    fn add_counter(&mut self, for_loop: &'a For, scope: ScopeId) {
        if let Some((_, slot)) = self.counters.iter().find(|(of, _)| *of == scope) {
            return self.walked.counters.push((for_loop.header, *slot));
        }
        let text = crate::cursor::word(&format!("_for_{}", self.walked.counters.len()));
        let name = Name { text, span: for_loop.header };
        let ty = Type::Scalar(Scalar::Byte, Shown::Number);
        let Some(first) = self.lowering.symbols.add_slots(&mut self.walked.frame, &name, ty, None, false) else {
            return;
        };
        self.walked.counters.push((for_loop.header, first));
        self.counters.push((scope, first));
        let (order, owner) = (self.lowering.order, Owner::Local);
        let counter = Variable { name, ty, length: None, owner, first, channel: None, constant: None, order };
        self.add_variable(counter, scope);
    }

    /// `i = a; do :: break :: i < b -> i++ od`.
    fn select(
        &mut self,
        variable: &'a VarRef,
        from: &'a Expr,
        to: &'a Expr,
        sequence: SequenceId,
        scope: ScopeId,
        span: Span,
    ) -> Pending<'a> {
        self.add_simple(Simple::SelectStart(variable, from), span, sequence, scope);
        let id = self.walked.flow.loops.push(None);
        let step = self.walked.flow.new_sequence();
        self.add_simple(Simple::SelectTest(variable, to), span, step, scope);
        self.add_simple(Simple::SelectStep(variable), span, step, scope);
        self.walked.flow.close(step);
        let leave = self.walked.flow.new_sequence();
        self.add_break(id, span, leave, scope);
        Pending::Do(vec![leave, step], id, span)
    }

    fn unless(
        &mut self,
        main: &'a Statement,
        escape: &'a Statement,
        sequence: SequenceId,
        scope: ScopeId,
        span: Span,
    ) -> Pending<'a> {
        let pending = self.prepare(main, sequence, scope);
        let escape_pending = self.prepare(escape, sequence, scope);
        let escape_sequence = match escape_pending {
            Pending::NonAtomic(inner, _) => inner,
            other => {
                let alone = self.alone(other, &escape.labels, scope);
                if let Some(label) = self.walked.flow.first_label(alone) {
                    let span = label.span;
                    self.error(span, "the escape of an `unless` cannot begin with a label");
                }
                alone
            }
        };
        match pending {
            Pending::NonAtomic(inner, _) if main.labels.is_empty() => Pending::Unless(inner, escape_sequence, span),
            other if !main.labels.is_empty() && is_block(main) => {
                // `Label: { … } unless …`: the label names a block around both.
                let inner = match other {
                    Pending::NonAtomic(inner, _) => inner,
                    Pending::Atomic(inner, _) => {
                        self.walked.flow.make_atomic(inner, false);
                        inner
                    }
                    other => self.alone(other, &[], scope),
                };
                let both = self.alone(Pending::Unless(inner, escape_sequence, span), &[], scope);
                Pending::NonAtomic(both, span)
            }
            other => {
                let inner = self.alone(other, &main.labels, scope);
                if let Some(label) = self.walked.flow.first_label(inner) {
                    self.lowering.diagnostics.push(
                        Diagnostic::error(label.span, "a label cannot stand before a statement with `unless`")
                            .help("write `Label: { … unless … }` instead"),
                    );
                }
                Pending::Unless(inner, escape_sequence, span)
            }
        }
    }

    /// A statement as a sequence of its own.
    fn alone(&mut self, pending: Pending<'a>, labels: &'a [Name], scope: ScopeId) -> SequenceId {
        let sequence = self.walked.flow.new_sequence();
        let here = self.here(sequence, scope);
        self.walked.flow.add(pending, labels, here, self.lowering.diagnostics);
        self.walked.flow.close(sequence);
        sequence
    }
}

/// The labels of a statement; those of a block with an escape name the whole.
fn labels_of(statement: &Statement) -> &[Name] {
    match &statement.kind {
        StatementKind::Unless(main, _) if is_block(main) => &main.labels,
        _ => &statement.labels,
    }
}

fn is_block(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Block(_) | StatementKind::Atomic(_) | StatementKind::DStep(_))
}
