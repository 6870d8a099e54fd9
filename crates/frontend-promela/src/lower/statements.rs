//! Statements that are one step: what each does.

use ample_model::{
    Action, BinaryOp, ChannelTest, EventKind, Expr as Out, ExprKind as OutKind, Place, Scope, SlotId, TemplateKind,
};
use ample_source::{Diagnostic, Span};

use crate::lower::expressions::Names;
use crate::lower::flow::Simple;
use crate::lower::lowering::Lowering;
use crate::lower::symbols::Type;
use crate::syntax::{Expr, For, ForOver, Name, Statement, StatementKind, VarRef};

/// What surrounds a statement.
pub(crate) struct Surroundings<'n, 'f, 'a> {
    pub(crate) names: &'n Names<'f, 'a>,
    pub(crate) kind: TemplateKind,
    pub(crate) d_step: bool,
    /// The hidden counters of loops over channels.
    pub(crate) counters: &'n [(Span, SlotId)],
}

impl Lowering<'_, '_> {
    /// What a step does, and how it is shown.
    pub(super) fn action(&mut self, simple: Simple<'_>, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        match simple {
            Simple::Statement(statement) => (self.statement(statement, around), statement.text.clone()),
            Simple::Skip => (Action::Skip, "skip".to_owned()),
            Simple::Else => (Action::Else, "else".to_owned()),
            Simple::Declare { variable, value } => self.late_declaration(variable, value, around.names),
            Simple::ForStart(for_loop) => self.for_start(for_loop, around),
            Simple::ForTest(for_loop) => self.for_test(for_loop, around),
            Simple::ForStep(for_loop) => self.for_step(for_loop, around),
            Simple::ForTake(for_loop) => self.for_take(for_loop, around),
            Simple::ForPut(for_loop) => self.for_put(for_loop, around),
            Simple::SelectStart(variable, from) => {
                let value = self.expression(from, around.names);
                let text = format!("{} = {}", self.source_text(variable.span), self.source_text(from.span));
                (self.assign(variable, value, around.names), text)
            }
            Simple::SelectTest(variable, to) => {
                let limit = self.expression(to, around.names);
                let text = format!("{} < {}", self.source_text(variable.span), self.source_text(to.span));
                (self.compare(variable, BinaryOp::Less, limit, around.names), text)
            }
            Simple::SelectStep(variable) => self.increment(variable, around.names),
        }
    }

    fn statement(&mut self, statement: &Statement, around: &Surroundings<'_, '_, '_>) -> Action {
        let names = around.names;
        if matches!(around.kind, TemplateKind::Trace | TemplateKind::Notrace) {
            return self.event(statement, names);
        }
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                self.check_d_step(value, around);
                let value = self.expression(value, names);
                self.assign(variable, value, names)
            }
            StatementKind::Expr(expr) => {
                self.check_d_step(expr, around);
                match self.expression(expr, names) {
                    Out { kind: OutKind::Const(1), .. } => Action::Skip,
                    condition => Action::Guard(condition),
                }
            }
            StatementKind::Else => Action::Else,
            StatementKind::Send { channel, sorted, values } => {
                let (channel_span, values) = (channel.span, self.values(values, names));
                let channel = self.channel(channel, names);
                self.check_message_size(channel_span, values.len(), "sends");
                Action::Send { channel, sorted: *sorted, values }
            }
            StatementKind::Receive { channel, anywhere, keep, arguments } => {
                let pattern = self.pattern(arguments, names);
                let channel = self.channel(channel, names);
                Action::Receive { channel, anywhere: *anywhere, keep: *keep, pattern }
            }
            StatementKind::Assert(condition) => Action::Assert(self.expression(condition, names)),
            StatementKind::Print(format, arguments) => {
                let arguments = arguments.iter().map(|argument| self.expression(argument, names)).collect();
                Action::Print { format: unescape(format), arguments }
            }
            StatementKind::PrintName(value) => Action::PrintName(self.expression(value, names)),
            StatementKind::SetPriority(process, priority) => {
                self.uses.priorities = true;
                let process = self.expression(process, names);
                Action::SetPriority(process, self.expression(priority, names))
            }
            _ => Action::Skip,
        }
    }

    /// What cannot stand inside a `d_step`.
    fn check_d_step(&mut self, expr: &Expr, around: &Surroundings<'_, '_, '_>) {
        if around.d_step && contains_run(expr) {
            self.diagnostics
                .push(Diagnostic::error(expr.span, "a process cannot be created inside `d_step`").help("use `atomic`"));
        }
    }

    /// A message with more fields than any channel has cannot be sent anywhere.
    fn check_message_size(&mut self, span: Span, count: usize, verb: &str) {
        let most = self.channels.iter().map(|channel| channel.fields.len()).max().unwrap_or(0);
        if most > 0 && count > most {
            let message = format!("this {verb} {count} fields, but no channel of the model has more than {most}");
            self.error(span, message);
        }
    }

    /// In a `trace` only sends and receives make sense.
    fn event(&mut self, statement: &Statement, names: &Names<'_, '_>) -> Action {
        match &statement.kind {
            StatementKind::Send { channel, values, .. } => {
                let pattern = values.iter().map(|value| self.event_field(value, names)).collect();
                Action::Event { kind: EventKind::Send, channel: self.channel(channel, names), pattern }
            }
            StatementKind::Receive { channel, arguments, .. } => {
                let pattern = self.pattern(arguments, names);
                Action::Event { kind: EventKind::Receive, channel: self.channel(channel, names), pattern }
            }
            StatementKind::Else => Action::Else,
            StatementKind::Expr(Expr { kind: crate::syntax::ExprKind::Int(1), .. }) => Action::Skip,
            _ => {
                self.diagnostics.push(
                    Diagnostic::error(statement.span, "only sends and receives can be events of a trace")
                        .help("describe the order of messages, for example `do :: q!msg; q?msg od`"),
                );
                Action::Skip
            }
        }
    }

    /// A variable in an event means that the field does not matter.
    fn event_field(&mut self, value: &Expr, names: &Names<'_, '_>) -> ample_model::ReceiveArg {
        match self.try_constant_field(value) {
            Some(constant) => ample_model::ReceiveArg::Match(Out::constant(constant, value.span)),
            None => {
                if !matches!(value.kind, crate::syntax::ExprKind::Var(_)) {
                    return ample_model::ReceiveArg::Match(self.expression(value, names));
                }
                ample_model::ReceiveArg::Discard
            }
        }
    }

    fn try_constant_field(&self, value: &Expr) -> Option<i32> {
        match &value.kind {
            crate::syntax::ExprKind::Int(value) => Some(*value),
            crate::syntax::ExprKind::Var(variable) => match variable.parts.as_slice() {
                [part] if part.index.is_none() => self.symbols.constants.get(&part.name.text).map(|known| known.0),
                _ => None,
            },
            _ => None,
        }
    }

    fn assign(&mut self, variable: &VarRef, value: Out, names: &Names<'_, '_>) -> Action {
        if let [part] = variable.parts.as_slice()
            && part.index.is_none()
        {
            match &*part.name.text {
                "_" => return Action::Skip,
                "_priority" => {
                    self.uses.priorities = true;
                    let own = Out { kind: OutKind::Pid, span: variable.span };
                    return Action::SetPriority(own, value);
                }
                "_pid" | "_nr_pr" | "_last" | "np_" => {
                    self.error(variable.span, format!("`{}` cannot be assigned to", part.name.text));
                    return Action::Skip;
                }
                name if self.symbols.constants.contains_key(name) => {
                    let message = format!("`{name}` is a symbolic name and cannot be assigned to");
                    self.error(variable.span, message);
                    return Action::Skip;
                }
                _ => {}
            }
        }
        match self.place(variable, names) {
            Some((place, Type::Scalar(..))) => Action::Assign(place, value),
            Some((_, Type::Struct(_))) => {
                self.diagnostics.push(
                    Diagnostic::error(variable.span, "a structure cannot be assigned as a whole")
                        .help("assign its fields one by one"),
                );
                Action::Skip
            }
            None => Action::Skip,
        }
    }

    /// A declaration after the first statement sets the variable; of an array only the first
    /// element, and of a structure nothing, as Spin does.
    fn late_declaration(&mut self, name: &Name, value: Option<&Expr>, names: &Names<'_, '_>) -> (Action, String) {
        let text = value.map_or("0".to_owned(), |value| self.source_text(value.span));
        let Some(variable) = self.symbols.variable(names.here, &name.text, names.order).cloned() else {
            return (Action::Skip, format!("{} = {text}", name.text));
        };
        let element = if variable.length.is_some() { "[0]" } else { "" };
        let text = format!("{}{element} = {text}", name.text);
        if matches!(variable.ty, Type::Struct(_)) {
            return (Action::Skip, text);
        }
        let place = Place { scope: variable.owner, first: variable.first, indices: Vec::new(), span: name.span };
        let value = match value {
            Some(value) => self.expression(value, names),
            None => Out::constant(0, name.span),
        };
        (Action::Assign(place, value), text)
    }

    fn compare(&mut self, variable: &VarRef, op: BinaryOp, limit: Out, names: &Names<'_, '_>) -> Action {
        let value = self.variable_expr(variable, names);
        let kind = OutKind::Binary(op, Box::new(value), Box::new(limit));
        Action::Guard(Out { kind, span: variable.span })
    }

    fn variable_expr(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> Out {
        let kind = crate::syntax::ExprKind::Var(variable.clone());
        self.expression(&Expr { kind, span: variable.span, height: 1 }, names)
    }

    fn increment(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> (Action, String) {
        let text = format!("{}++", self.source_text(variable.span));
        let value = self.variable_expr(variable, names);
        (self.assign(variable, plus_one(value), names), text)
    }

    /// The hidden counter of a loop over a channel.
    fn counter(&self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> Option<Place> {
        let (span, slot) = around.counters.iter().find(|(header, _)| *header == for_loop.header)?;
        Some(Place { scope: Scope::Local, first: *slot, indices: Vec::new(), span: *span })
    }

    fn for_start(&mut self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        let (names, span) = (around.names, for_loop.header);
        if let Some(counter) = self.counter(for_loop, around) {
            return (Action::Assign(counter, Out::constant(0, span)), self.source_text(span));
        }
        let from = match &for_loop.over {
            ForOver::Range(from, _) => self.expression(from, names),
            ForOver::In(_) => Out::constant(0, span),
        };
        self.check_loop_variable(for_loop, names);
        (self.assign(&for_loop.variable, from, names), self.source_text(span))
    }

    fn check_loop_variable(&mut self, for_loop: &For, names: &Names<'_, '_>) {
        if let ForOver::Range(from, to) = &for_loop.over
            && let (Some(from_value), Some(to_value)) = (self.literal(from), self.literal(to))
            && from_value > to_value
        {
            let message = format!("the range {from_value}..{to_value} is empty: the loop body never runs");
            self.diagnostics.push(Diagnostic::warning(from.span.to(to.span), message));
        }
        if let ForOver::In(container) = &for_loop.over
            && self.container_length(container, names).is_none()
        {
            self.error(container.span, "this is neither an array nor a channel with one structure as its message");
        }
    }

    /// The number of elements of an array.
    fn container_length(&self, container: &VarRef, names: &Names<'_, '_>) -> Option<u32> {
        let (last, path) = container.parts.split_last()?;
        let Some(first) = path.first() else {
            let variable = self.symbols.variable(names.here, &last.name.text, names.order)?;
            return variable.length.filter(|_| last.index.is_none());
        };
        let mut ty = self.symbols.variable(names.here, &first.name.text, names.order)?.ty;
        for part in &path[1..] {
            ty = self.symbols.field(ty, &part.name.text)?.ty;
        }
        self.symbols.field(ty, &last.name.text)?.length.filter(|_| last.index.is_none())
    }

    fn for_test(&mut self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        let (names, span) = (around.names, for_loop.header);
        let variable = self.source_text(for_loop.variable.span);
        if let (Some(counter), ForOver::In(channel)) = (self.counter(for_loop, around), &for_loop.over) {
            let text = format!("next message of {}", self.source_text(channel.span));
            let channel = self.channel(channel, names);
            let length = Out { kind: OutKind::Channel(ChannelTest::Length, Box::new(channel)), span };
            let counter = Out { kind: OutKind::Read(counter), span };
            let kind = OutKind::Binary(BinaryOp::Less, Box::new(counter), Box::new(length));
            return (Action::Guard(Out { kind, span }), text);
        }
        let (limit, text) = match &for_loop.over {
            ForOver::Range(_, to) => (self.expression(to, names), self.source_text(to.span)),
            ForOver::In(container) => {
                let last = self.container_length(container, names).map_or(0, |length| length as i32 - 1);
                (Out::constant(last, span), last.to_string())
            }
        };
        let guard = self.compare(&for_loop.variable, BinaryOp::LessEqual, limit, names);
        (guard, format!("{variable} <= {text}"))
    }

    fn for_step(&mut self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        if let Some(counter) = self.counter(for_loop, around) {
            let span = for_loop.header;
            let value = Out { kind: OutKind::Read(counter.clone()), span };
            return (Action::Assign(counter, plus_one(value)), "next message".to_owned());
        }
        self.increment(&for_loop.variable, around.names)
    }

    /// Takes the first message into the loop variable.
    fn for_take(&mut self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        let (names, variable) = (around.names, &for_loop.variable);
        let ForOver::In(channel) = &for_loop.over else { return (Action::Skip, String::new()) };
        let text = format!("{}?{}", self.source_text(channel.span), self.source_text(variable.span));
        let arguments = [crate::syntax::ReceiveArgument::Variable(variable.clone())];
        let pattern = self.pattern(&arguments, names);
        let channel = self.channel(channel, names);
        (Action::Receive { channel, anywhere: false, keep: false, pattern }, text)
    }

    /// Puts the message back at the end.
    fn for_put(&mut self, for_loop: &For, around: &Surroundings<'_, '_, '_>) -> (Action, String) {
        let (names, variable) = (around.names, &for_loop.variable);
        let ForOver::In(channel) = &for_loop.over else { return (Action::Skip, String::new()) };
        let text = format!("{}!{}", self.source_text(channel.span), self.source_text(variable.span));
        let kind = crate::syntax::ExprKind::Var(variable.clone());
        let values = self.values(&[Expr { kind, span: variable.span, height: 1 }], names);
        let channel = self.channel(channel, names);
        (Action::Send { channel, sorted: false, values }, text)
    }
}

fn plus_one(value: Out) -> Out {
    let span = value.span;
    Out { kind: OutKind::Binary(BinaryOp::Add, Box::new(value), Box::new(Out::constant(1, span))), span }
}

fn contains_run(expr: &Expr) -> bool {
    use crate::syntax::ExprKind as K;
    match &expr.kind {
        K::Run(_) => true,
        K::Unary(_, a) => contains_run(a),
        K::Binary(_, a, b) => contains_run(a) || contains_run(b),
        K::Conditional(parts) => parts.iter().any(contains_run),
        _ => false,
    }
}

/// Resolves the escapes of a C string.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}
