//! What a name in an expression stands for.

use ample_model::LocationId;
use ample_source::Diagnostic;
use ample_stdx::suggest;

use super::lowering::{Here, Lowering};
use super::scope::{Slots, SymbolKind};
use crate::syntax::{Owner, Variable};

/// What a name in an expression stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resolved {
    Constant(i32),
    /// A variable, and the process it belongs to, if it is not global.
    Variable(Slots, Option<usize>),
    /// A channel, by its number.
    Channel(usize),
    /// Whether a process is in a state.
    State(usize, LocationId),
}

impl Lowering<'_, '_> {
    /// Finds what a name stands for; reports it if that is nothing.
    pub(super) fn resolve(&mut self, variable: &Variable, here: &Here<'_>) -> Option<Resolved> {
        let name = &variable.name;
        let Some(owner) = &variable.owner else {
            let constants = here.constants.and_then(|scope| scope.get(&name.text)).map(|symbol| (symbol, None));
            let local = || {
                let member = here.member?;
                self.members[member].scope.get(&name.text).map(|symbol| (symbol, here.member))
            };
            let global = || self.globals.get(&name.text).map(|symbol| (symbol, None));
            let found = constants.or_else(local).or_else(global);
            let found = found.map(|(symbol, member)| resolved(symbol.kind, member));
            if found.is_none() {
                self.unknown_name(variable, here);
            }
            return found;
        };
        let member = self.member_of(owner, here)?;
        let state = self.members[member].states.get(&name.text);
        let symbol = self.members[member].scope.get(&name.text).map(|symbol| symbol.kind);
        match (state, symbol) {
            (Some(state), _) if owner.dotted => Some(Resolved::State(member, state)),
            (_, Some(kind)) => Some(resolved(kind, Some(member))),
            (Some(_), None) => {
                let message = format!("`{}` is a state of `{}`, not a variable", name.text, owner.process.text);
                let help = format!("whether the process is in it is written `{}.{}`", owner.process.text, name.text);
                self.diagnostics.push(Diagnostic::error(variable.span, message).help(help));
                None
            }
            (None, None) => {
                self.unknown_part(owner, variable, member);
                None
            }
        }
    }

    /// The process that `P` or `P(1)` names.
    fn member_of(&mut self, owner: &Owner, here: &Here<'_>) -> Option<usize> {
        let name = &owner.process;
        let keys: Vec<i32> = owner.keys.iter().map(|key| self.constant_here(key, here)).collect();
        let is_named = |index: &usize| self.members[*index].process.name.text == name.text;
        let named: Vec<usize> = (0..self.members.len()).filter(is_named).collect();
        let found = named.iter().copied().find(|index| self.members[*index].keys == keys);
        if found.is_some() {
            return found;
        }
        let declared = self.program.processes.iter().find(|process| process.name.text == name.text);
        match declared {
            None => self.unknown_process(name),
            Some(process) if self.is_of_property(process) => {
                self.error(name.span, format!("`{}` is not part of the system, it is a property", name.text));
            }
            Some(_) => {
                let known: Vec<&str> = named.iter().map(|index| &*self.members[*index].name).collect();
                let message = format!("there is no such instance of the process `{}`", name.text);
                let note =
                    format!("instances: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") });
                self.diagnostics.push(Diagnostic::error(name.span, message).note(note));
            }
        }
        None
    }

    fn unknown_name(&mut self, variable: &Variable, here: &Here<'_>) {
        let name = &variable.name.text;
        let error = Diagnostic::error(variable.name.span, format!("unknown name `{name}`"));
        let locals = here.member.into_iter().flat_map(|member| self.members[member].scope.names());
        let near = suggest(name, locals.chain(self.globals.names()));
        let owners: Vec<&str> = (0..self.members.len())
            .filter(|member| self.members[*member].scope.get(name).is_some())
            .map(|member| &*self.members[member].name)
            .collect();
        let is_state = here.member.is_some_and(|member| self.members[member].states.get(name).is_some());
        let error = match (owners.first(), near) {
            (Some(owner), _) => error.help(format!("a variable of another process is written `{owner}->{name}`")),
            (None, _) if is_state => {
                let process = here.member.map_or("", |member| &*self.members[member].name);
                error.help(format!("whether the process is in that state is written `{process}.{name}`"))
            }
            (None, Some(near)) => error.help(format!("did you mean `{near}`?")),
            (None, None) => error,
        };
        self.diagnostics.push(error);
    }

    fn unknown_part(&mut self, owner: &Owner, variable: &Variable, member: usize) {
        let (process, name) = (&owner.process.text, &variable.name.text);
        let known = &self.members[member];
        let what = if owner.dotted { "state or variable" } else { "variable" };
        let mut error = Diagnostic::error(variable.name.span, format!("`{process}` has no {what} `{name}`"));
        let states = known.states.names().filter(|_| owner.dotted);
        if let Some(near) = suggest(name, states.chain(known.scope.names())) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(error);
    }
}

fn resolved(kind: SymbolKind, member: Option<usize>) -> Resolved {
    match kind {
        SymbolKind::Constant(value) => Resolved::Constant(value),
        SymbolKind::Variable(slots) => Resolved::Variable(slots, member),
        SymbolKind::Channel(number) => Resolved::Channel(number),
    }
}
