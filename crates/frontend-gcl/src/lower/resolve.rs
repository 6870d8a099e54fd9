//! What a name in an expression stands for.

use ample_source::Diagnostic;
use ample_stdx::suggest;

use super::kinds::Typed;
use super::lowering::{Here, Lowering, Member};
use super::scope::{Constant, Slots, Symbol, SymbolKind};
use crate::syntax::{Name, Owner as Written, Variable};

/// What a name in an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Resolved {
    Constant(Constant),
    Variable(Slots, Owner),
}

/// To which process a variable belongs.
#[derive(Clone, Debug)]
pub(super) enum Owner {
    /// To none.
    Nobody,
    /// To this one.
    Known(Member),
    /// To a member of this family that is known only when the expression is evaluated.
    Computed(usize, Typed),
}

impl Lowering<'_, '_> {
    /// Finds what a name stands for; reports it if that is nothing that has a value.
    pub(super) fn resolve(&mut self, variable: &Variable, here: &Here) -> Option<Resolved> {
        let name = &variable.name;
        if let Some(written) = &variable.owner {
            let owner = self.owner(written, here)?;
            let process = match &owner {
                Owner::Known(member) => member.process,
                Owner::Computed(process, _) => *process,
                Owner::Nobody => return None,
            };
            return match self.processes[process].scope.get(&name.text).map(|symbol| symbol.kind) {
                Some(SymbolKind::Variable(slots)) => Some(Resolved::Variable(slots, owner)),
                _ => {
                    self.unknown_part(process, name);
                    None
                }
            };
        }
        if let Some(constant) = self.counter(&name.text, here) {
            return self.plain(constant, variable);
        }
        if let Some(member) = here.member
            && let Some(Symbol { kind: SymbolKind::Variable(slots), .. }) =
                self.processes[member.process].scope.get(&name.text)
        {
            return Some(Resolved::Variable(*slots, Owner::Known(member)));
        }
        match self.globals.get(&name.text).map(|symbol| symbol.kind) {
            Some(SymbolKind::Constant(constant)) => self.plain(constant, variable),
            Some(SymbolKind::Variable(slots)) => Some(Resolved::Variable(slots, Owner::Nobody)),
            Some(SymbolKind::Type(_)) => {
                self.error(variable.span, format!("`{}` is a type, and has no value", name.text));
                None
            }
            Some(SymbolKind::Process(number)) => {
                let example = self.example_of(number);
                let error = Diagnostic::error(variable.span, format!("`{}` is a process, and has no value", name.text));
                self.diagnostics.push(match example {
                    Some(example) => error.help(format!("a variable of it is written `{example}`")),
                    None => error,
                });
                None
            }
            None => {
                self.unknown_name(name, here);
                None
            }
        }
    }

    /// A constant, which has no index.
    fn plain(&mut self, constant: Constant, variable: &Variable) -> Option<Resolved> {
        if variable.index.is_some() {
            self.error(variable.span, format!("`{}` is not an array", variable.name.text));
            return None;
        }
        Some(Resolved::Constant(constant))
    }

    /// The process in `q.x` or `q[i].x`.
    fn owner(&mut self, written: &Written, here: &Here) -> Option<Owner> {
        let name = &written.process;
        let Some(SymbolKind::Process(process)) = self.globals.get(&name.text).map(|symbol| symbol.kind) else {
            self.unknown_process(name);
            return None;
        };
        match (self.processes[process].indices, &written.index) {
            (None, None) => Some(Owner::Known(Member { process, position: 0 })),
            (None, Some(index)) => {
                let error = Diagnostic::error(index.span, format!("`{}` is one process, not a family", name.text));
                self.diagnostics.push(error.help(format!("write `{}.x`", name.text)));
                None
            }
            (Some(_), None) => {
                let example = self.processes[process].member_name(0);
                let error = Diagnostic::error(name.span, format!("`{}` is a family of processes", name.text));
                self.diagnostics.push(error.help(format!("say which, as in `{example}`")));
                None
            }
            (Some(indices), Some(index)) => {
                let typed = self.expression(index, here);
                let out = self.of_kind(typed.clone(), indices.kind);
                let typed = Typed { out, kind: typed.kind };
                let Some(known) = typed.value() else { return Some(Owner::Computed(process, typed)) };
                if let Some(position) = indices.position(known) {
                    return Some(Owner::Known(Member { process, position }));
                }
                let (low, high) = (indices.low, indices.high());
                let message = format!("there is no `{}[{known}]`", name.text);
                self.diagnostics
                    .push(Diagnostic::error(index.span, message).note(format!("there are {low} to {high}")));
                None
            }
        }
    }

    /// A variable of a process, as seen from outside.
    fn example_of(&self, process: usize) -> Option<String> {
        let variable = self.processes[process].scope.names().next()?;
        Some(format!("{}.{variable}", self.processes[process].member_name(0)))
    }

    fn unknown_name(&mut self, name: &Name, here: &Here) {
        let error = Diagnostic::error(name.span, format!("unknown name `{}`", name.text));
        let own = here.member.map(|member| &self.processes[member.process]);
        let counter = own.and_then(|process| process.syntax.family.as_ref()).map(|(counter, _)| &*counter.text);
        let names = own.into_iter().flat_map(|process| process.scope.names());
        let near = suggest(&name.text, names.chain(counter).chain(self.globals.names()));
        let owner = self.processes.iter().find(|process| process.scope.get(&name.text).is_some());
        self.diagnostics.push(match (owner, near) {
            (Some(owner), _) => {
                let written = format!("{}.{}", owner.member_name(0), name.text);
                error.help(format!("a variable of another process is written `{written}`"))
            }
            (None, Some(near)) => error.help(format!("did you mean `{near}`?")),
            (None, None) => error.help(format!("declare it: `var {} : int;`", name.text)),
        });
    }

    fn unknown_part(&mut self, process: usize, name: &Name) {
        let process = &self.processes[process];
        let message = format!("`{}` has no variable `{}`", process.syntax.name.text, name.text);
        let mut error = Diagnostic::error(name.span, message);
        if let Some(near) = suggest(&name.text, process.scope.names()) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(error);
    }
}
