//! Expressions and places: every name is looked up.

use ample_model::{
    Expr as Out, ExprKind as OutKind, Index, LocationId, Place, Poll, ReceiveArg, RemoteAt, RemoteRead, Run, Scalar,
    TemplateId,
};
use ample_source::{Diagnostic, Span};
use ample_stdx::{TypedId, suggest};

use crate::lower::lowering::Lowering;
use crate::lower::symbols::{ScopeId, Type, Variable, slot_after};
use crate::lower::walked::{Flows, label_location};
use crate::syntax::{Expr, ExprKind, Name, ReceiveArgument, RunExpr, VarRef};

/// Where names are looked up.
#[derive(Copy, Clone)]
pub(crate) struct Names<'f, 'a> {
    /// The process and the block; `None` outside of all processes.
    pub(crate) here: Option<(TemplateId, ScopeId)>,
    /// Declarations after this are not seen.
    pub(crate) order: u32,
    /// The processes, once all are known.
    pub(crate) flows: Option<Flows<'f, 'a>>,
}

impl Lowering<'_, '_> {
    pub(super) fn expression(&mut self, expr: &Expr, names: &Names<'_, '_>) -> Out {
        let kind = match &expr.kind {
            ExprKind::Int(value) => OutKind::Const((*value).into()),
            ExprKind::Var(variable) => return self.variable_value(variable, names),
            ExprKind::Unary(op, operand) => OutKind::Unary(*op, Box::new(self.expression(operand, names))),
            ExprKind::Binary(op, left, right) => {
                let left = Box::new(self.expression(left, names));
                OutKind::Binary(*op, left, Box::new(self.expression(right, names)))
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let parts = [condition, yes, no].map(|part| self.expression(part, names));
                OutKind::Conditional(Box::new(parts))
            }
            ExprKind::Run(run) => self.run(run, names),
            ExprKind::Channel(test, channel) => OutKind::Channel(*test, Box::new(self.channel(channel, names))),
            ExprKind::Poll(poll) => OutKind::Poll(Box::new(Poll {
                channel: self.channel(&poll.channel, names),
                anywhere: poll.anywhere,
                pattern: self.pattern(&poll.arguments, names),
            })),
            ExprKind::Timeout => {
                self.uses.timeout = true;
                OutKind::Timeout
            }
            ExprKind::NonProgress => OutKind::NonProgress,
            ExprKind::Enabled(pid) => OutKind::Enabled(Box::new(self.expression(pid, names))),
            ExprKind::ProgramCounter(pid) => OutKind::ProgramCounter(Box::new(self.expression(pid, names))),
            ExprKind::Priority(pid) => {
                self.uses.priorities = true;
                OutKind::Priority(Box::new(self.expression(pid, names)))
            }
            ExprKind::RemoteAt { process, pid, label } => {
                let pid = pid.as_ref().map(|pid| self.expression(pid, names));
                self.remote_at(process, pid, label, names)
            }
            ExprKind::RemoteVar { process, pid, variable } => {
                let pid = pid.as_ref().map(|pid| self.expression(pid, names));
                self.remote_variable(process, pid, variable, names)
            }
            ExprKind::Temporal(..) => {
                self.error(expr.span, "a temporal operator cannot stand inside an expression");
                OutKind::Const(0)
            }
        };
        Out { kind, span: expr.span }
    }

    /// The value of a variable, of a symbolic name or of one of the names that begin with `_`.
    fn variable_value(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> Out {
        let span = variable.span;
        if let [part] = variable.parts.as_slice()
            && part.index.is_none()
            && let Some(kind) = self.special_name(&part.name, names)
        {
            return Out { kind, span };
        }
        match self.place(variable, names) {
            Some((place, Type::Scalar(..))) => Out { kind: OutKind::Read(place), span },
            Some((_, Type::Struct(_))) => {
                self.diagnostics.push(
                    Diagnostic::error(span, "a structure has no value of its own").help("name one of its fields"),
                );
                Out::constant(0, span)
            }
            None => Out::constant(0, span),
        }
    }

    fn special_name(&mut self, name: &Name, names: &Names<'_, '_>) -> Option<OutKind> {
        if let Some((value, _)) = self.symbols.constants.get(&name.text) {
            return Some(OutKind::Const((*value).into()));
        }
        match &*name.text {
            "_pid" => Some(OutKind::Pid),
            "_nr_pr" => Some(OutKind::ProcessCount),
            "_last" => {
                self.uses.last = true;
                Some(OutKind::LastProcess)
            }
            "_priority" => {
                self.uses.priorities = true;
                Some(OutKind::Priority(Box::new(Out { kind: OutKind::Pid, span: name.span })))
            }
            "_" if self.symbols.variable(names.here, "_", names.order).is_none() => {
                self.error(name.span, "`_` cannot be read: it only takes values that are not needed");
                Some(OutKind::Const(0))
            }
            _ => None,
        }
    }

    /// The place that a variable, an element or a field has, with its type.
    pub(super) fn place(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> Option<(Place, Type)> {
        let first = variable.parts.first()?;
        let Some(found) = self.symbols.variable(names.here, &first.name.text, names.order) else {
            self.unknown_variable(&first.name, names);
            return None;
        };
        let found = found.clone();
        self.place_in(&found, variable, names)
    }

    /// Follows the indices and fields of a reference from its variable on.
    fn place_in(&mut self, found: &Variable, variable: &VarRef, names: &Names<'_, '_>) -> Option<(Place, Type)> {
        let mut place = Place { scope: found.owner, first: found.first, indices: Vec::new(), span: variable.span };
        let (mut ty, mut length) = (found.ty, found.length);
        for (position, part) in variable.parts.iter().enumerate() {
            if position > 0 {
                let Type::Struct(id) = ty else {
                    let owner = &variable.parts[position - 1].name;
                    self.error(owner.span, format!("`{}` is not a structure and has no fields", owner.text));
                    return None;
                };
                let Some(field) = self.symbols.structs[id].fields.iter().find(|f| f.name.text == part.name.text) else {
                    self.unknown_field(&part.name, id);
                    return None;
                };
                place.first = slot_after(place.first, field.offset);
                (ty, length) = (field.ty, field.length);
            }
            match (length, &part.index) {
                (Some(length), Some(index)) => {
                    let value = self.expression(index, names);
                    let stride = self.symbols.size(ty, None);
                    place.indices.push(Index { value, length, stride, low: 0 });
                }
                (Some(_), None) => {
                    self.error(part.name.span, format!("`{}` is an array: an index is missing", part.name.text));
                    return None;
                }
                (None, Some(index)) if !matches!(index.kind, ExprKind::Int(0)) => {
                    self.error(part.name.span, format!("`{}` is not an array", part.name.text));
                    return None;
                }
                (None, _) => {}
            }
        }
        Some((place, ty))
    }

    fn unknown_variable(&mut self, name: &Name, names: &Names<'_, '_>) {
        let mut diagnostic = Diagnostic::error(name.span, format!("unknown variable `{}`", name.text));
        let later = self.symbols.variable(names.here, &name.text, u32::MAX).map(|later| later.name.span);
        let whole = self.word_around(name);
        if let Some(whole) = &whole {
            let note = "letters F, G and X at the beginning of a word that is not a name are read as operators";
            diagnostic = diagnostic.note(format!("`{whole}` is not a name; {note}"));
        }
        let nearest = whole.and_then(|whole| self.symbols.nearest(names.here, &whole));
        let nearest = nearest.or_else(|| self.symbols.nearest(names.here, &name.text));
        diagnostic = match (later, nearest) {
            (Some(later), _) => diagnostic.secondary(later, "declared only here, after its use"),
            (None, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, None) => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    /// The word that a formula from outside took apart to find this name in it.
    fn word_around(&self, name: &Name) -> Option<String> {
        let text = self.sources.file(name.span.file).text.get(..name.span.end as usize)?;
        let start = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        // What separates words may be a character of several bytes.
        let word = text.get(start..)?;
        (word.len() > name.text.len() && word.ends_with(&*name.text)).then(|| word.to_owned())
    }

    fn unknown_field(&mut self, name: &Name, id: crate::lower::symbols::StructId) {
        let owner = &self.symbols.structs[id];
        let mut diagnostic =
            Diagnostic::error(name.span, format!("type `{}` has no field `{}`", owner.name.text, name.text))
                .secondary(owner.name.span, "declared here");
        if let Some(near) = suggest(&name.text, owner.fields.iter().map(|field| &*field.name.text)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// A variable used as a channel.
    pub(super) fn channel(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> Out {
        let span = variable.span;
        match self.place(variable, names) {
            Some((place, Type::Scalar(scalar, _))) => {
                if scalar != Scalar::Channel {
                    self.diagnostics.push(
                        Diagnostic::warning(span, "this is used as a channel but is not declared as one")
                            .help("declare it as `chan`"),
                    );
                }
                Out { kind: OutKind::Read(place), span }
            }
            Some((_, Type::Struct(_))) => {
                self.error(span, "a structure is not a channel");
                Out::constant(0, span)
            }
            None => Out::constant(0, span),
        }
    }

    /// The values of a message or the arguments of `run`: a structure stands for all its fields.
    pub(super) fn values(&mut self, values: &[Expr], names: &Names<'_, '_>) -> Vec<Out> {
        let mut out = Vec::new();
        for value in values {
            if let ExprKind::Var(variable) = &value.kind
                && let Some(places) = self.structure(variable, names)
            {
                out.extend(places.into_iter().map(|place| Out { span: place.span, kind: OutKind::Read(place) }));
            } else {
                out.push(self.expression(value, names));
            }
        }
        out
    }

    /// The scalars of a structure, if the variable is one.
    fn structure(&mut self, variable: &VarRef, names: &Names<'_, '_>) -> Option<Vec<Place>> {
        let first = variable.parts.first()?;
        // Look before leaping: errors are reported by whoever needs the scalar.
        let found = self.symbols.variable(names.here, &first.name.text, names.order)?;
        let mut ty = found.ty;
        for part in &variable.parts[1..] {
            ty = self.symbols.field(ty, &part.name.text)?.ty;
        }
        let Type::Struct(id) = ty else { return None };
        let (place, _) = self.place(variable, names)?;
        let size = self.symbols.structs[id].size;
        let scalar = |offset| Place { first: slot_after(place.first, offset), ..place.clone() };
        Some((0..size).map(scalar).collect())
    }

    /// The arguments of a receive: constants must match, variables take what comes.
    pub(super) fn pattern(&mut self, arguments: &[ReceiveArgument], names: &Names<'_, '_>) -> Vec<ReceiveArg> {
        let mut pattern = Vec::new();
        for argument in arguments {
            match argument {
                ReceiveArgument::Value(value) => pattern.push(ReceiveArg::Match(self.expression(value, names))),
                ReceiveArgument::Variable(variable) => self.pattern_variable(variable, names, &mut pattern),
            }
        }
        pattern
    }

    fn pattern_variable(&mut self, variable: &VarRef, names: &Names<'_, '_>, pattern: &mut Vec<ReceiveArg>) {
        if let [part] = variable.parts.as_slice()
            && part.index.is_none()
        {
            if &*part.name.text == "_" {
                return pattern.push(ReceiveArg::Discard);
            }
            if let Some((value, _)) = self.symbols.constants.get(&part.name.text) {
                return pattern.push(ReceiveArg::Match(Out::constant(*value, variable.span)));
            }
            if matches!(&*part.name.text, "_pid" | "_nr_pr" | "_last") {
                let name = &part.name.text;
                let error = Diagnostic::error(variable.span, format!("`{name}` cannot be assigned to"));
                let help = format!("`eval({name})` receives a message only if it holds the value of `{name}`");
                return self.diagnostics.push(error.help(help));
            }
        }
        if let Some(places) = self.structure(variable, names) {
            pattern.extend(places.into_iter().map(ReceiveArg::Store));
        } else if let Some((place, _)) = self.place(variable, names) {
            pattern.push(ReceiveArg::Store(place));
        }
    }

    fn run(&mut self, run: &RunExpr, names: &Names<'_, '_>) -> OutKind {
        let arguments = self.values(&run.arguments, names);
        let Some(template) = self.known_process(&run.process) else { return OutKind::Const(0) };
        let priority = run.priority.map_or(1, |(value, span)| self.priority(value, span));
        let Some(flows) = names.flows else {
            self.error(run.process.span, "an initialiser cannot run a process");
            return OutKind::Const(0);
        };
        let wanted = flows[template].parameters;
        if wanted != arguments.len() {
            let message = format!("`{}` has {wanted} parameters, this gives {}", run.process.text, arguments.len());
            self.error(run.process.span, message);
        }
        OutKind::Run(Box::new(Run { template, arguments, priority }))
    }

    fn known_process(&mut self, name: &Name) -> Option<TemplateId> {
        let found = self.symbols.templates.get(&name.text).copied();
        if found.is_none() {
            let mut diagnostic = Diagnostic::error(name.span, format!("unknown process `{}`", name.text));
            let mut known: Vec<&str> = self.symbols.templates.keys().map(|name| &**name).collect();
            known.sort_unstable();
            if let Some(near) = suggest(&name.text, known) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
        found
    }

    fn remote_at(&mut self, process: &Name, pid: Option<Out>, label: &Name, names: &Names<'_, '_>) -> OutKind {
        let (Some(template), Some(flows)) = (self.known_process(process), names.flows) else {
            return OutKind::Const(0);
        };
        let flow = &flows[template].flow;
        match label_location(flow, &label.text) {
            Some(number) => OutKind::RemoteAt(Box::new(RemoteAt {
                template,
                pid,
                location: LocationId::from_index(number),
                label: label.text.to_string(),
            })),
            None => {
                let message = format!("process `{}` has no label `{}`", process.text, label.text);
                let mut diagnostic = Diagnostic::error(label.span, message);
                if let Some(near) = suggest(&label.text, flow.labels.iter().map(|label| &*label.name)) {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
                self.diagnostics.push(diagnostic);
                OutKind::Const(0)
            }
        }
    }

    fn remote_variable(
        &mut self,
        process: &Name,
        pid: Option<Out>,
        variable: &VarRef,
        names: &Names<'_, '_>,
    ) -> OutKind {
        let Some(template) = self.known_process(process) else { return OutKind::Const(0) };
        let Some(first) = variable.parts.first() else { return OutKind::Const(0) };
        let Some(found) = self.symbols.remote_variable(template, &first.name.text).cloned() else {
            let message = format!("process `{}` has no variable `{}`", process.text, first.name.text);
            self.error(first.name.span, message);
            return OutKind::Const(0);
        };
        // The indices are evaluated by whoever asks, the slots are those of the other process.
        match self.place_in(&found, variable, names) {
            Some((place, Type::Scalar(..))) => OutKind::RemoteRead(Box::new(RemoteRead { template, pid, place })),
            Some((_, Type::Struct(_))) => {
                self.error(variable.span, "a structure has no value of its own");
                OutKind::Const(0)
            }
            None => OutKind::Const(0),
        }
    }

    /// The text of a source range on one line.
    pub(super) fn source_text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
