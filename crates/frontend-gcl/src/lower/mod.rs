//! From the syntax tree to the model: names are resolved, types checked, variables laid out,
//! commands turned into edges.
//!
//! The whole program becomes one process with one location, or with two where something is to be
//! chosen first. Its edges are the commands in the order of the text, whatever process they belong
//! to; all variables are global.

mod commands;
mod declare;
mod expressions;
mod inputs;
mod kinds;
mod lowering;
mod places;
mod processes;
mod resolve;
mod scope;
mod types;

use ample_model::{
    ActiveProcess, Arithmetic, Dominating, Expr as Out, ExprKind as OutKind, Frame, Location, LocationId, Model,
    Template, TemplateId, TemplateKind,
};
use ample_property::{Lowered, OuterProperties};
use ample_source::{Diagnostic, Diagnostics, Request, Span};
use ample_stdx::{IndexVec, TypedId};

use crate::lower::lowering::{Here, Lowering, commands_from, first_location};
use crate::lower::scope::Scope;
use crate::syntax::{Dominates, Expr, Item, Program};

/// Turns a program into a model. Errors go to `diagnostics`; the model is to be used only if there
/// are none.
pub(crate) fn lower(
    request: &Request<'_>,
    program: &Program,
    outer: &OuterProperties<Expr>,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowering = Lowering {
        program,
        diagnostics,
        defines: request.defines,
        ranges: request.inputs.iter().map(|range| (range, false)).collect(),
        globals: Scope::default(),
        frame: Frame::default(),
        sets: Vec::new(),
        scalarsets: Vec::new(),
        processes: Vec::new(),
        choices: Vec::new(),
        edges: Vec::new(),
        text_length: 0,
    };
    lowering.declare();
    lowering.warn_of_unused_defines();
    lowering.commands();
    let end = lowering.end_condition();
    let progress = lowering.progress_measure();
    let predicates = lowering.predicates();
    let dominating = lowering.dominating();
    lowering.refuse_unused_ranges();
    let mut properties = Vec::new();
    outer.lower(&mut properties, &mut |expr| lowering.condition(expr, &Here::default()));
    let mut values: Vec<_> = outer.values.iter().map(|expr| lowering.value(expr)).collect();
    // Before something is chosen the values mean nothing.
    values.extend(lowering.has_chosen().filter(|_| !outer.values.is_empty()));
    let model = Model { dominating, progress, predicates, ..lowering.finish(request.root.display().to_string(), end) };
    Lowered { model, properties, values }
}

impl Lowering<'_, '_> {
    /// Where the system may stay for ever.
    fn end_condition(&mut self) -> Option<Out> {
        let program = self.program;
        let ends = program.items.iter().filter_map(|item| if let Item::End(expr) = item { Some(expr) } else { None });
        let ends: Vec<&Expr> = ends.collect();
        if let [first, second, ..] = ends[..] {
            let error = Diagnostic::error(second.span, "there is one `end`, and this is another");
            let error = error.secondary(first.span, "the first one");
            self.diagnostics.push(error.help("join them with `or`"));
        }
        ends.first().map(|expr| self.condition(expr, &Here::default()))
    }

    /// By what states are to be told apart.
    fn predicates(&mut self) -> Vec<Out> {
        let program = self.program;
        let stated = program.items.iter().filter_map(|item| match item {
            Item::Predicate(expr) => Some(expr),
            _ => None,
        });
        stated.map(|expr| self.condition(expr, &Here::default())).collect()
    }

    /// A number that never falls along a run. Whether that is so is found out by who uses it.
    fn progress_measure(&mut self) -> Option<Out> {
        let program = self.program;
        let stated = program.items.iter().filter_map(|item| match item {
            Item::Progress(expr) => Some(expr),
            _ => None,
        });
        let stated: Vec<&Expr> = stated.collect();
        let measures: Vec<Out> = stated.iter().map(|expr| self.number(expr, &Here::default())).collect();
        if let [first, second, ..] = stated[..] {
            let error = Diagnostic::error(second.span, "there is one `progress`, and this is another");
            let error = error.secondary(first.span, "the first one");
            self.diagnostics.push(error.help("add them"));
        }
        measures.into_iter().next()
    }

    /// The variables of which some values are said to dominate. Whether they do is found out by who
    /// uses that.
    fn dominating(&mut self) -> Vec<Dominating> {
        let (program, mut all) = (self.program, Vec::new());
        for item in &program.items {
            let Item::Dominates(Dominates { is_larger, variables }) = item else { continue };
            for variable in variables {
                let out = self.expression(variable, &Here::default()).out;
                match out.kind {
                    OutKind::Read(place) if place.indices.is_empty() => {
                        all.push(Dominating { slot: place.first, is_larger: *is_larger, span: variable.span });
                    }
                    _ => self
                        .error(variable.span, "values of a variable dominate, or of an element of an array".to_owned()),
                }
            }
        }
        all
    }

    /// A definition that is given from outside changes a constant.
    fn warn_of_unused_defines(&mut self) {
        for (name, _) in self.defines {
            let is_constant = |item: &Item| match item {
                Item::Constants(constants) => constants.iter().any(|(constant, _)| *constant.text == **name),
                _ => false,
            };
            if !self.program.items.iter().any(is_constant) {
                let message = format!("`{name}` is defined, but the program has no constant `{name}`");
                let names = self.program.items.iter().flat_map(|item| match item {
                    Item::Constants(constants) => constants.as_slice(),
                    _ => &[],
                });
                let mut warning = Diagnostic::warning(None, message);
                if let Some(near) = ample_stdx::suggest(name, names.map(|(constant, _)| &*constant.text)) {
                    warning = warning.help(format!("did you mean `{near}`?"));
                }
                self.diagnostics.push(warning);
            }
        }
    }

    /// The process that takes all commands.
    fn finish(self, name: String, end: Option<Out>) -> Model {
        let has_choices = !self.choices.is_empty();
        // Location 0 is none.
        let count = commands_from(has_choices).index() + 1;
        let locations: IndexVec<LocationId, Location> = (0..count).map(|_| Location::default()).collect();
        let mut template = Template {
            name: "program".to_owned(),
            kind: TemplateKind::Process,
            span: Span::default(),
            parameters: 0,
            frame: Frame::default(),
            entry: first_location(),
            locations,
            edges: IndexVec::new(),
            provided: None,
            deterministic: false,
            exclusive: Vec::new(),
        };
        for edge in self.edges {
            let source = edge.source;
            let id = template.edges.push(edge);
            template.locations[source].edges.push(id);
        }
        let mut templates: IndexVec<TemplateId, Template> = IndexVec::new();
        let template = templates.push(template);
        Model {
            name,
            globals: self.frame,
            templates,
            active: vec![ActiveProcess { template, priority: 1 }],
            arithmetic: Arithmetic::Exact,
            end,
            scalarsets: self.scalarsets.into_iter().map(|(_, set)| set).collect(),
            ..Model::default()
        }
    }
}
