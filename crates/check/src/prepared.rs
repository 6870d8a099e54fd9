//! A model made ready to be checked: the system to search and the judge of its counterexamples, both the interpreter.

use ample_interpret::Interpreter;
use ample_model::TemplateId;
use ample_property::{Property, PropertyKind};
use ample_replay::judge;
use ample_transition::{Fault, Pid, Trace};

use crate::job::{NamedKind, NamedProperty, Replayer, System};

/// What a process runs in a state.
type TemplateOf<'m> = Box<dyn Fn(&[u8], Pid) -> Option<TemplateId> + 'm>;

/// A model with everything that a [`System`] borrows.
pub struct Prepared<'m> {
    interpreter: &'m Interpreter<'m>,
    properties: Vec<NamedProperty>,
    template_of: TemplateOf<'m>,
}

impl<'m> Prepared<'m> {
    /// Makes a model ready.
    pub fn new(interpreter: &'m Interpreter<'m>, properties: &[Property]) -> Self {
        let template_of = move |state: &[u8], pid: Pid| {
            interpreter.decode(state).processes.get(usize::from(pid)).map(|process| process.template)
        };
        Prepared { interpreter, properties: properties.iter().map(named).collect(), template_of: Box::new(template_of) }
    }

    /// What a job is about.
    pub fn system(&self) -> System<'_> {
        System {
            successors: self.interpreter,
            replayer: self,
            template_of: &self.template_of,
            has_trace_assertion: self.interpreter.model().trace.is_some(),
            properties: &self.properties,
        }
    }
}

impl Replayer for Prepared<'_> {
    fn replay(&self, trace: &Trace, fault: &Fault) -> Result<(), String> {
        judge(self.interpreter, trace, fault).map(|_| ()).map_err(|mismatch| mismatch.to_string())
    }
}

fn named(property: &Property) -> NamedProperty {
    let kind = match property.kind {
        PropertyKind::Ltl(_) => NamedKind::Ltl,
        PropertyKind::Never(_) => NamedKind::Never,
    };
    NamedProperty { name: property.name.clone(), kind }
}
