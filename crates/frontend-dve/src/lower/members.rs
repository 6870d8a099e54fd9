//! The processes of the system: those of the text, and the instances of those with parameters.

use ample_model::{Frame, LocationId};
use ample_source::Diagnostic;
use ample_stdx::{TypedId, suggest};

use super::lowering::{Lowering, Member, States, template_of};
use super::scope::{Scope, Symbol, SymbolKind};
use crate::syntax::{Instance, Name, Process};

impl<'p> Lowering<'p, '_> {
    /// Lists the processes of the system, in the order of the text.
    pub(super) fn find_members(&mut self, is_synchronous: bool) {
        let program = self.program;
        for process in &program.processes {
            if self.is_of_property(process) {
                continue;
            }
            if process.parameters.is_empty() {
                let name = process.name.text.to_string();
                self.add_member(process, name, Vec::new(), Scope::default(), is_synchronous);
            }
        }
        for instance in &program.instances {
            self.add_instance(instance, is_synchronous);
        }
        if self.members.is_empty() && !self.diagnostics.has_errors() {
            let error = Diagnostic::error(None, "there is nothing to run: the system has no process");
            self.diagnostics.push(error.help("add `process P { state q; init q; }`"));
        }
    }

    /// Whether a process is not part of the system but says what is forbidden.
    pub(super) fn is_of_property(&self, process: &Process) -> bool {
        let named = self.program.system.as_ref().and_then(|system| system.property.as_ref());
        process.is_property || named.is_some_and(|name| name.text == process.name.text)
    }

    fn add_instance(&mut self, instance: &'p Instance, is_synchronous: bool) {
        let name = &instance.process;
        let Some(process) = self.program.processes.iter().find(|process| process.name.text == name.text) else {
            self.unknown_process(name);
            return;
        };
        let (wanted, given) = (process.parameters.len(), instance.arguments.len());
        if wanted != given {
            let message = format!("`{}` takes {wanted} arguments, not {given}", name.text);
            let error = Diagnostic::error(name.span, message);
            self.diagnostics.push(error.secondary(process.name.span, "declared here"));
            return;
        }
        let mut loops = Scope::default();
        for (variable, value) in instance.loops.iter().rev() {
            loops.add(&variable.text, Symbol { kind: SymbolKind::Constant(*value), span: variable.span });
        }
        let mut scope = Scope::default();
        let (mut keys, mut shown) = (Vec::new(), Vec::new());
        for (parameter, argument) in process.parameters.iter().zip(&instance.arguments) {
            let value = self.constant_in(argument, Some(&loops));
            let symbol = Symbol { kind: SymbolKind::Constant(value), span: parameter.name.span };
            if let Some(first) = scope.add(&parameter.name.text, symbol) {
                self.declared_twice(&parameter.name.text, parameter.name.span, first);
            }
            if parameter.is_key {
                keys.push(value);
            }
            shown.push(value.to_string());
        }
        let shown = format!("{}({})", name.text, shown.join(","));
        if self.members.iter().any(|other| other.process.name.text == name.text && other.keys == keys) {
            self.error(name.span, format!("there are two instances `{shown}` with the same keys"));
            return;
        }
        self.add_member(process, shown, keys, scope, is_synchronous);
    }

    fn add_member(&mut self, process: &'p Process, name: String, keys: Vec<i32>, scope: Scope, is_synchronous: bool) {
        let template = template_of(if is_synchronous { 0 } else { self.members.len() });
        if self.frames.get(template).is_none() {
            self.frames.push(Frame::default());
        }
        let states = self.states(process);
        self.members.push(Member { process, name, template, keys, scope, states });
    }

    /// The states of a process, each declared once.
    pub(super) fn states(&mut self, process: &Process) -> States {
        let mut states = States::default();
        for state in &process.states {
            if states.names.contains_key(&state.text) {
                let first = process.states.iter().find(|other| other.text == state.text);
                self.declared_twice(&state.text, state.span, first.map_or(state.span, |first| first.span));
                continue;
            }
            states.order.push(state.text.clone());
            states.names.insert(state.text.clone(), LocationId::from_index(states.order.len()));
        }
        if process.init.is_none() {
            let message = format!("process `{}` does not say in which state it starts", process.name.text);
            let mut error = Diagnostic::error(process.name.span, message);
            if let Some(first) = process.states.first() {
                error = error.help(format!("write `init {};`", first.text));
            }
            self.diagnostics.push(error);
        }
        states
    }

    /// The location of a state.
    pub(super) fn location(&mut self, states: &States, state: &Name) -> LocationId {
        states.get(&state.text).unwrap_or_else(|| {
            let mut error = Diagnostic::error(state.span, format!("there is no state `{}`", state.text));
            if let Some(near) = suggest(&state.text, states.names()) {
                error = error.help(format!("did you mean `{near}`?"));
            }
            self.diagnostics.push(error);
            LocationId::from_index(0)
        })
    }

    pub(super) fn unknown_process(&mut self, name: &Name) {
        let mut error = Diagnostic::error(name.span, format!("there is no process `{}`", name.text));
        let names = self.program.processes.iter().map(|process| &*process.name.text);
        if let Some(near) = suggest(&name.text, names) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(error);
    }
}
