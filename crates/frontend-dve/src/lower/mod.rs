//! From the syntax tree to the model: names are resolved, variables laid out, transitions turned
//! into edges.
//!
//! Every process of the system becomes a template of its own, with one active process; a
//! synchronous system becomes the product of its processes. The process of a property is none of
//! them: it becomes a claim.

mod channels;
mod claim;
mod commit;
mod declare;
mod edges;
mod expressions;
mod lowering;
mod members;
mod properties;
mod resolve;
mod scope;
mod synchronous;

use ample_model::{ActiveProcess, Arithmetic, ChannelType, Frame, Model, Template, TemplateId, Uses};
use ample_property::{Lowered, OuterProperties};
use ample_source::{Diagnostic, Diagnostics};
use ample_stdx::IndexVec;

use crate::lower::lowering::{Channel, Lowering};
use crate::lower::scope::Scope;
use crate::syntax::{self, Process, Program};

/// Turns a program into a model. Errors go to `diagnostics`; the model is to be used only if there
/// are none.
pub(crate) fn lower(
    name: &str,
    program: &Program,
    outer: &OuterProperties<syntax::Expr>,
    defines: &[(String, String)],
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowering = Lowering {
        program,
        diagnostics,
        defines,
        globals: Scope::default(),
        global_frame: Frame::default(),
        channels: Vec::new(),
        members: Vec::new(),
        frames: IndexVec::new(),
        commit_free: None,
        product: None,
        unindexed: Vec::new(),
    };
    let is_synchronous = program.system.as_ref().is_some_and(|system| system.synchronous);
    lowering.check_program();
    lowering.declare_globals();
    lowering.find_members(is_synchronous);
    lowering.declare_members();
    lowering.commit_free = lowering.no_commit_state();
    let templates = if is_synchronous { lowering.product_template() } else { lowering.templates() };
    let mut properties = lowering.claims();
    outer.lower(&mut properties, &mut |expr| lowering.proposition(expr));
    let values: Vec<_> = outer.values.iter().map(|expr| lowering.proposition(expr)).collect();
    let model = lowering.finish(name, templates);
    Lowered { model, properties, values }
}

impl<'p> Lowering<'p, '_> {
    /// What is wrong with the program as a whole.
    fn check_program(&mut self) {
        let program = self.program;
        if program.system.is_none() {
            let error = Diagnostic::error(None, "the text does not say what the system is");
            self.diagnostics.push(error.help("end it with `system async;`"));
        }
        for (index, process) in program.processes.iter().enumerate() {
            let same = |other: &&Process| other.name.text == process.name.text;
            if let Some(first) = program.processes[..index].iter().find(same) {
                self.declared_twice(&process.name.text, process.name.span, first.name.span);
            }
        }
    }

    /// A template for each process of the system.
    fn templates(&mut self) -> IndexVec<TemplateId, Template> {
        (0..self.members.len()).map(|member| self.template(member)).collect()
    }

    fn finish(self, name: &str, templates: IndexVec<TemplateId, Template>) -> Model {
        let active = templates.ids().map(|template| ActiveProcess { template, priority: 1 }).collect();
        let channels: Vec<ChannelType> = self.channels.into_iter().map(Channel::into_type).collect();
        Model {
            name: name.to_owned(),
            mtypes: IndexVec::new(),
            globals: self.global_frame,
            channels: channels.into_iter().collect(),
            templates,
            active,
            trace: None,
            uses: Uses::default(),
            arithmetic: Arithmetic::Wrapping32,
            end: None,
            scalarsets: Vec::new(),
            dominating: Vec::new(),
            progress: None,
            predicates: Vec::new(),
        }
    }
}
