//! From the syntax tree to the model: names are resolved, types laid out, control flow linked.
//!
//! In four passes: types and globals; the control flow and the variables of each process; what is
//! looked at from outside; then expressions, which may by now name anything.

mod declare;
mod edges;
mod expressions;
mod flow;
mod formula;
mod lowering;
mod process;
mod statements;
mod symbols;
mod walked;

use ample_model::{
    ActiveProcess, ExclusiveClaim, Expr, ExprKind, Frame, InitValue, Model, Scope, SlotId, Template, TemplateId,
    TemplateKind, Uses,
};
use ample_property::{Lowered, OuterProperties, Property, PropertyKind, claim_automaton};
use ample_source::{Diagnostic, Diagnostics, SourceMap, Span};
use ample_stdx::{IndexVec, TypedId};

use crate::lower::lowering::Lowering;
use crate::lower::symbols::{ProcessScopes, Symbols};
use crate::lower::walked::{ExclusiveItem, Flows, Walked};
use crate::syntax::{self, Active, Process, ProcessKind, Program, Unit};

/// Turns a program into a model. Errors go to `diagnostics`; the model is to be used only if there
/// are none.
pub(crate) fn lower(
    name: &str,
    program: &Program,
    outer: &OuterProperties<syntax::Expr>,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowering = Lowering {
        sources,
        diagnostics,
        symbols: Symbols { macros: program.macros.clone(), ..Symbols::default() },
        globals: Frame::default(),
        channels: IndexVec::default(),
        uses: Uses::default(),
        order: 0,
    };
    let walked = lowering.declarations(program);
    let templates = lowering.templates(program, &walked);
    let mut properties = lowering.properties(program, &templates, &walked);
    outer.lower(&mut properties, &mut |expr| lowering.proposition(expr, &walked));
    let values: Vec<_> = outer.values.iter().map(|expr| lowering.proposition(expr, &walked)).collect();
    lowering.outer_claims(program, &templates, &mut properties);
    let active = lowering.active(program);
    let trace = templates
        .iter_enumerated()
        .find(|(_, template)| matches!(template.kind, TemplateKind::Trace | TemplateKind::Notrace))
        .map(|(id, _)| id);
    let mut model = Model {
        name: name.to_owned(),
        mtypes: lowering.symbols.mtypes,
        globals: lowering.globals,
        channels: lowering.channels,
        templates,
        active,
        trace,
        uses: lowering.uses,
        arithmetic: ample_model::Arithmetic::Wrapping32,
        end: None,
        scalarsets: Vec::new(),
        dominating: Vec::new(),
        progress: None,
        predicates: Vec::new(),
    };
    keep_hidden_that_are_read(&mut model, &properties, &values);
    Lowered { model, properties, values }
}

impl Lowering<'_, '_> {
    /// First passes: types, globals, then each process, in the order of the text.
    fn declarations<'a>(&mut self, program: &'a Program) -> IndexVec<TemplateId, Walked<'a>> {
        self.name_processes(program);
        let mut walked = Vec::new();
        for unit in &program.units {
            match unit {
                Unit::Mtype(mtype) => {
                    self.symbols.add_mtype(mtype.kind.as_ref(), &mtype.names, self.diagnostics);
                }
                Unit::Typedef(typedef) => self.typedef(typedef),
                Unit::Declaration(declaration) => self.declare_globals(declaration),
                Unit::Process(process) => {
                    let id = TemplateId::from_index(walked.len());
                    walked.push(self.walk_process(process, id));
                }
                Unit::Ltl(_) => {}
            }
        }
        self.keep_observed_gotos(program, &mut walked);
        walked.into_iter().collect()
    }

    fn name_processes(&mut self, program: &Program) {
        let mut kinds: Vec<(&Process, TemplateId)> = Vec::new();
        for process in processes(program) {
            let id = self.symbols.processes.push(ProcessScopes::default());
            let name = &process.name;
            let clash = match process.kind {
                ProcessKind::Proctype | ProcessKind::Never => {
                    kinds.iter().find(|(other, _)| other.name.text == name.text).map(|(other, _)| other.name.span)
                }
                ProcessKind::OuterNever => None,
                ProcessKind::Init => find_kind(&kinds, &[ProcessKind::Init]),
                ProcessKind::Trace | ProcessKind::Notrace => {
                    find_kind(&kinds, &[ProcessKind::Trace, ProcessKind::Notrace])
                }
            };
            if let Some(other) = clash {
                let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text))
                    .secondary(other, "first declared here");
                self.diagnostics.push(match process.kind {
                    ProcessKind::Init => error.help("make the second one an `active proctype`"),
                    _ => error,
                });
            }
            if process.kind == ProcessKind::Proctype {
                self.symbols.templates.insert(name.text.clone(), id);
            }
            kinds.push((process, id));
        }
    }

    /// A `goto` whose label is named in `process@label` becomes a step, so that one can be there.
    fn keep_observed_gotos(&mut self, program: &Program, walked: &mut [Walked<'_>]) {
        for (process, label) in &program.remote_labels {
            let Some(id) = self.symbols.templates.get(&process.text) else { continue };
            let flow = &mut walked[id.index()].flow;
            let found = flow.labels.iter().find(|known| known.name == label.text).map(|known| known.element);
            if let Some(element) = found {
                flow.keep_observed_goto(element);
            }
        }
    }

    /// Last pass: the templates. Never claims are properties, not processes, but keep their number
    /// so that scopes can be found by it.
    fn templates(
        &mut self,
        program: &Program,
        all: &IndexVec<TemplateId, Walked<'_>>,
    ) -> IndexVec<TemplateId, Template> {
        processes(program).zip(all.ids()).map(|(process, id)| self.template(process, id, all)).collect()
    }

    fn template(&mut self, process: &Process, id: TemplateId, all: &IndexVec<TemplateId, Walked<'_>>) -> Template {
        let kind = match process.kind {
            ProcessKind::Proctype => TemplateKind::Process,
            ProcessKind::Init => TemplateKind::Init,
            ProcessKind::Never | ProcessKind::OuterNever => TemplateKind::Never,
            ProcessKind::Trace => TemplateKind::Trace,
            ProcessKind::Notrace => TemplateKind::Notrace,
        };
        let walked = &all[id];
        let names = expressions::Names { here: Some((id, walked.body_scope)), order: u32::MAX, flows: Some(all) };
        let provided = process.provided.as_ref().map(|condition| {
            let parameters = expressions::Names { order: walked.parameters_order, ..names };
            self.expression(condition, &parameters)
        });
        let exclusive = walked.exclusive.iter().flat_map(|claim| self.exclusive_claims(claim, &names)).collect();
        let linked = self.link(id, kind, all);
        Template {
            name: process.name.text.to_string(),
            kind,
            span: process.name.span,
            parameters: walked.parameters,
            frame: walked.frame.clone(),
            entry: linked.entry,
            locations: linked.locations,
            edges: linked.edges,
            provided,
            deterministic: process.deterministic,
            exclusive,
        }
    }

    fn exclusive_claims(
        &mut self,
        claim: &ExclusiveItem<'_>,
        names: &expressions::Names<'_, '_>,
    ) -> Vec<ExclusiveClaim> {
        let names = expressions::Names {
            here: names.here.map(|(id, _)| (id, claim.scope)),
            order: claim.order,
            flows: names.flows,
        };
        let end = if claim.item.receive { ample_model::ExclusiveEnd::Receive } else { ample_model::ExclusiveEnd::Send };
        let span = claim.item.span;
        let channels: Vec<Expr> = claim.item.channels.iter().map(|channel| self.channel(channel, &names)).collect();
        channels.into_iter().map(|channel| ExclusiveClaim { end, channel, span }).collect()
    }

    fn properties(
        &mut self,
        program: &Program,
        templates: &IndexVec<TemplateId, Template>,
        flows: Flows<'_, '_>,
    ) -> Vec<Property> {
        let mut properties: Vec<Property> = claims(program, templates, ProcessKind::Never)
            .map(|template| Property {
                name: template.name.clone(),
                span: template.span,
                kind: PropertyKind::Never(Box::new(template.clone())),
            })
            .collect();
        let mut unnamed = 0;
        for unit in &program.units {
            let Unit::Ltl(ltl) = unit else { continue };
            let name = match &ltl.name {
                Some(name) => name.text.to_string(),
                None => {
                    unnamed += 1;
                    format!("ltl_{}", unnamed - 1)
                }
            };
            if let Some(other) = properties.iter().find(|other| other.name == name) {
                self.diagnostics.push(
                    Diagnostic::error(ltl.span, format!("property `{name}` is declared twice"))
                        .secondary(other.span, "first declared here"),
                );
            }
            let formula = self.formula(&ltl.formula, flows);
            properties.push(Property { name, kind: PropertyKind::Ltl(formula), span: ltl.span });
        }
        properties
    }

    /// The never claims from outside of the text.
    fn outer_claims(
        &mut self,
        program: &Program,
        templates: &IndexVec<TemplateId, Template>,
        properties: &mut Vec<Property>,
    ) {
        for template in claims(program, templates, ProcessKind::OuterNever) {
            match claim_automaton(template) {
                Ok(claim) => {
                    let kind = PropertyKind::Claim(Box::new(claim));
                    Property::add_renamed(properties, &template.name, kind, template.span);
                }
                Err(error) => self.diagnostics.push(*error),
            }
        }
    }

    /// The processes of the initial state, in the order of the text.
    fn active(&mut self, program: &Program) -> Vec<ActiveProcess> {
        let mut active = Vec::new();
        for (process, id) in processes(program).zip(0..) {
            let template = TemplateId::from_index(id);
            let count = match (&process.kind, &process.active) {
                (ProcessKind::Init, _) | (ProcessKind::Proctype, Active::One) => 1,
                (ProcessKind::Proctype, Active::Count(count)) => {
                    let count_span = count.span;
                    let value = self.constant(count);
                    if !(0..=255).contains(&value) {
                        self.error(count_span, format!("there can be 0 to 255 active processes, not {value}"));
                    }
                    value.clamp(0, 255)
                }
                _ => 0,
            };
            let priority = process.priority.map_or(1, |(value, span)| self.priority(value, span));
            active.extend((0..count).map(|_| ActiveProcess { template, priority }));
        }
        if active.is_empty() && !self.diagnostics.has_errors() {
            self.diagnostics.push(
                Diagnostic::error(None, "there is nothing to run: the model has no `init` and no `active` process")
                    .help("add `init { … }`, or write `active proctype`"),
            );
        }
        active
    }
}

fn find_kind(kinds: &[(&Process, TemplateId)], wanted: &[ProcessKind]) -> Option<Span> {
    kinds.iter().find(|(other, _)| wanted.contains(&other.kind)).map(|(other, _)| other.name.span)
}

fn processes(program: &Program) -> impl Iterator<Item = &Process> {
    program.units.iter().filter_map(|unit| match unit {
        Unit::Process(process) => Some(process),
        _ => None,
    })
}

/// The templates of the processes of one kind.
fn claims<'t>(
    program: &Program,
    templates: &'t IndexVec<TemplateId, Template>,
    kind: ProcessKind,
) -> impl Iterator<Item = &'t Template> {
    processes(program).zip(templates).filter(move |(process, _)| process.kind == kind).map(|(_, template)| template)
}

/// A hidden variable that something reads decides what happens, so it stays part of the state.
fn keep_hidden_that_are_read(model: &mut Model, properties: &[Property], values: &[Expr]) {
    if model.globals.slots.iter().all(|slot| !slot.hidden) {
        return;
    }
    let mut read: Vec<SlotId> = Vec::new();
    let mut visit = |expr: &Expr| {
        if let ExprKind::Read(place) = &expr.kind
            && place.scope == Scope::Global
        {
            read.push(place.first);
        }
    };
    for template in model.templates.iter() {
        template.edges.iter().for_each(|edge| edge.walk(&mut visit));
        template.provided.iter().for_each(|condition| condition.walk(&mut visit));
        template.exclusive.iter().for_each(|claim| claim.channel.walk(&mut visit));
    }
    let frames = model.templates.iter().map(|template| &template.frame).chain([&model.globals]);
    for init in frames.flat_map(|frame| &frame.init) {
        if let InitValue::Expr(value) = &init.value {
            value.walk(&mut visit);
        }
    }
    properties.iter().for_each(|property| formula::walk(property, &mut visit));
    values.iter().for_each(|value| value.walk(&mut visit));
    // A name stands for all its elements and fields: what begins with the same word is one
    // variable.
    let base = |slot: SlotId, model: &Model| {
        model.globals.slots[slot].name.split(['[', '.']).next().unwrap_or_default().to_owned()
    };
    let names: Vec<String> = read.iter().map(|slot| base(*slot, model)).collect();
    for id in model.globals.slots.ids() {
        if names.contains(&base(id, model)) {
            model.globals.slots[id].hidden = false;
        }
    }
}
