//! Processes and families of processes: what they are called, and where their variables lie.

use ample_model::SlotId;
use ample_source::Diagnostic;
use ample_stdx::TypedId;

use super::lowering::{Here, Lowering, Member, Process};
use super::scope::{Constant, Indices, Kind, Scope, Symbol, SymbolKind};
use crate::syntax::{self, Item};

impl<'p> Lowering<'p, '_> {
    /// Declares a process and the variables of all its members, one member after the other.
    pub(super) fn declare_process(&mut self, syntax: &'p syntax::Process) {
        let number = self.processes.len();
        let symbol = Symbol { kind: SymbolKind::Process(number), span: syntax.name.span };
        if let Some(first) = self.globals.add(&syntax.name.text, symbol) {
            self.declared_twice(&syntax.name, first);
        }
        let indices = match &syntax.family {
            Some((_, ty)) => match self.indices(ty, "a family of processes", &Here::default()) {
                Some(indices) => Some(indices),
                // It was reported; one member is enough to look at the rest.
                None => Some(Indices { low: 0, length: 1, kind: Kind::Unknown }),
            },
            None => None,
        };
        self.processes.push(Process { syntax, indices, scope: Scope::default(), stride: 0 });
        let first = self.frame.slots.len();
        for position in 0..self.processes[number].count() {
            let here = Here { member: Some(Member { process: number, position }) };
            for item in &syntax.items {
                if let Item::Variables(variables) = item {
                    self.declare_variables(variables, &here);
                }
            }
            if position == 0 {
                let stride = self.frame.slots.len() - first;
                self.processes[number].stride = u32::try_from(stride).unwrap_or(u32::MAX);
            }
            if self.diagnostics.has_errors() {
                return;
            }
        }
        let stride = self.processes[number].stride;
        self.belong_to_elements(indices, SlotId::from_index(first), stride);
    }

    /// The value of the name that counts the members of a family, as seen by one of them.
    pub(super) fn counter(&self, name: &str, here: &Here) -> Option<Constant> {
        let member = here.member?;
        let process = &self.processes[member.process];
        let (variable, _) = process.syntax.family.as_ref()?;
        let indices = process.indices?;
        let value = indices.low.saturating_add(i64::from(member.position));
        (*variable.text == *name).then_some(Constant { value, kind: indices.kind })
    }

    /// The slot of the same variable in another member.
    pub(super) fn slot_of(&self, first: SlotId, owner: Option<Member>) -> SlotId {
        match owner {
            Some(member) => {
                let offset = member.position as usize * self.processes[member.process].stride as usize;
                SlotId::from_index(first.index() + offset)
            }
            None => first,
        }
    }

    /// Says that a name is not that of a process.
    pub(super) fn unknown_process(&mut self, name: &syntax::Name) {
        let mut error = Diagnostic::error(name.span, format!("there is no process `{}`", name.text));
        let names = self.processes.iter().map(|process| &*process.syntax.name.text);
        if let Some(near) = ample_stdx::suggest(&name.text, names) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(error);
    }
}
