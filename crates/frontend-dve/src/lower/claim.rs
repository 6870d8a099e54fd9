//! The process of a property: a claim that matches what is forbidden.
//!
//! It moves with every step of the system and looks at the state before that step. Where none of
//! its transitions can be taken, it matches nothing.

use ample_model::{Action, TemplateKind};
use ample_property::{Property, PropertyKind};
use ample_source::Diagnostic;

use super::edges::{add, plain_edge};
use super::lowering::{Here, Lowering};
use super::scope::{Scope, Symbol, SymbolKind};
use crate::syntax::{Declaration, Init, Process, Transition, VariableKind};

impl Lowering<'_, '_> {
    /// The property of a process that is not part of the system.
    pub(super) fn claim(&mut self, process: &Process) -> Property {
        let states = self.states(process);
        let constants = self.claim_constants(process);
        let mut template = self.empty_template(process, &states, TemplateKind::Never);
        for transition in &process.transitions {
            self.refuse_actions(transition);
            let source = self.location(&states, &transition.source);
            let target = self.location(&states, &transition.target);
            let here = Here { constants: Some(&constants), ..Here::default() };
            let action = match &transition.guard {
                Some(guard) => Action::Guard(self.expression(guard, &here)),
                None => Action::Skip,
            };
            add(&mut template, plain_edge(source, target, action, transition.text.clone(), transition.span));
        }
        let (name, span) = (process.name.text.to_string(), process.name.span);
        Property { name, kind: PropertyKind::Never(Box::new(template)), span }
    }

    /// The constants of a property. It cannot have variables.
    fn claim_constants(&mut self, process: &Process) -> Scope {
        let mut constants = Scope::default();
        for declaration in &process.declarations {
            let Declaration::Variables(variables) = declaration else {
                self.error(process.name.span, "the process of a property cannot have channels");
                continue;
            };
            for declarator in &variables.declarators {
                let name = &declarator.name;
                let (VariableKind::Constant, Some(Init::Value(value))) = (variables.kind, &declarator.init) else {
                    self.error(name.span, "the process of a property cannot have variables of its own");
                    continue;
                };
                let value = self.constant_in(value, Some(&constants));
                constants.add(&name.text, Symbol { kind: SymbolKind::Constant(value), span: name.span });
            }
        }
        constants
    }

    fn refuse_actions(&mut self, transition: &Transition) {
        if !transition.effects.is_empty() || transition.sync.is_some() {
            let error = Diagnostic::error(transition.span, "the process of a property only looks, it does nothing");
            self.diagnostics.push(error.help("leave its guards, and nothing else"));
        }
    }
}
