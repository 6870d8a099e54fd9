//! Variables: where they lie and what they start with.

use ample_model::{Frame, Init as FrameInit, InitValue, Scope as Whose, Shown, Slot, SlotId};
use ample_source::{Diagnostic, Span};
use ample_stdx::TypedId;

use super::lowering::{Here, Lowering};
use super::scope::{Slots, Symbol, SymbolKind, scalar};
use crate::syntax::{Declaration, Declarator, Init, VariableKind, Variables};

/// The longest array.
const MAX_LENGTH: i32 = 1 << 16;

impl Lowering<'_, '_> {
    pub(super) fn declare_globals(&mut self) {
        for declaration in &self.program.declarations {
            self.declaration(declaration, None);
        }
    }

    pub(super) fn declare_members(&mut self) {
        for member in 0..self.members.len() {
            for declaration in &self.members[member].process.declarations {
                self.declaration(declaration, Some(member));
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration, member: Option<usize>) {
        match declaration {
            Declaration::Channels(channels) => self.declare_channels(channels, member),
            Declaration::Variables(variables) => {
                for declarator in &variables.declarators {
                    self.declarator(variables, declarator, member);
                }
            }
        }
    }

    /// Adds a name to the scope it is declared in.
    pub(super) fn add_symbol(&mut self, name: &crate::syntax::Name, kind: SymbolKind, member: Option<usize>) {
        let symbol = Symbol { kind, span: name.span };
        let scope = match member {
            Some(member) => &mut self.members[member].scope,
            None => &mut self.globals,
        };
        if let Some(first) = scope.add(&name.text, symbol) {
            self.declared_twice(&name.text, name.span, first);
        }
    }

    fn declarator(&mut self, variables: &Variables, declarator: &Declarator, member: Option<usize>) {
        let name = &declarator.name;
        if variables.kind != VariableKind::Variable && declarator.length.is_none() {
            let value = self.constant_value(variables, declarator, member);
            self.add_symbol(name, SymbolKind::Constant(scalar(variables.ty).truncate(value.into()) as i32), member);
            return;
        }
        let here = Here { member, ..Here::default() };
        let length = declarator.length.as_ref().map(|length| {
            let value = self.constant_here(length, &here);
            if !(1..=MAX_LENGTH).contains(&value) {
                self.error(length.span, format!("an array has 1 to {MAX_LENGTH} elements, not {value}"));
            }
            value.clamp(1, MAX_LENGTH).unsigned_abs()
        });
        let values = self.initial_values(declarator, length, &here);
        let owner = self.shown_owner(member);
        let frame = match member {
            Some(member) => &mut self.frames[self.members[member].template],
            None => &mut self.global_frame,
        };
        let first = SlotId::from_index(frame.slots.len());
        for index in 0..length.unwrap_or(1) {
            let shown = match length {
                Some(_) => format!("{owner}{}[{index}]", name.text),
                None => format!("{owner}{}", name.text),
            };
            let scalar = scalar(variables.ty);
            frame.slots.push(Slot { name: shown, scalar, shown: Shown::Number, hidden: false, span: name.span });
        }
        initialise(frame, first, values);
        let is_constant = variables.kind != VariableKind::Variable;
        self.add_symbol(name, SymbolKind::Variable(Slots { first, length, is_constant }), member);
    }

    /// What stands before the name of a variable where several processes share a frame.
    fn shown_owner(&self, member: Option<usize>) -> String {
        match member {
            Some(member) if self.members.len() > self.frames.len() => format!("{}.", self.members[member].name),
            _ => String::new(),
        }
    }

    /// The value of a constant; that of an input may be given from outside.
    fn constant_value(&mut self, variables: &Variables, declarator: &Declarator, member: Option<usize>) -> i32 {
        if variables.kind == VariableKind::Input
            && let Some((_, value)) = self.defines.iter().rev().find(|(name, _)| **name == *declarator.name.text)
        {
            return value.trim().parse().unwrap_or_else(|_| {
                let message = format!("the value `{value}` of the input `{}` is not a number", declarator.name.text);
                self.error(declarator.name.span, message);
                0
            });
        }
        match &declarator.init {
            Some(Init::Value(value)) => self.constant_here(value, &Here { member, ..Here::default() }),
            Some(Init::List(_, span)) => {
                self.error(*span, format!("`{}` is not an array", declarator.name.text));
                0
            }
            None => {
                let message = format!("the constant `{}` has no value", declarator.name.text);
                let error = Diagnostic::error(declarator.name.span, message);
                self.diagnostics.push(error.help(format!("write `{} = 0`, or what it is", declarator.name.text)));
                0
            }
        }
    }

    fn initial_values(
        &mut self,
        declarator: &Declarator,
        length: Option<u32>,
        here: &Here<'_>,
    ) -> Vec<ample_model::Expr> {
        match (&declarator.init, length) {
            (None, _) => Vec::new(),
            (Some(Init::Value(value)), None) => vec![self.expression(value, here)],
            (Some(Init::Value(value)), Some(_)) => {
                let message = format!("the array `{}` needs a list of values", declarator.name.text);
                self.diagnostics.push(Diagnostic::error(value.span, message).help("write `{1, 2, …}`"));
                Vec::new()
            }
            (Some(Init::List(_, span)), None) => {
                self.error(*span, format!("`{}` is not an array", declarator.name.text));
                Vec::new()
            }
            (Some(Init::List(values, span)), Some(length)) => {
                self.warn_of_number(values.len(), length as usize, *span, declarator);
                values.iter().take(length as usize).map(|value| self.expression(value, here)).collect()
            }
        }
    }

    fn warn_of_number(&mut self, given: usize, length: usize, span: Span, declarator: &Declarator) {
        if given == length {
            return;
        }
        let message = format!("`{}` has {length} elements, and {given} values are given", declarator.name.text);
        let note =
            if given > length { "those too many are ignored" } else { "the elements without a value start at 0" };
        self.diagnostics.push(Diagnostic::warning(span, message).note(note));
    }
}

fn initialise(frame: &mut Frame, first: SlotId, values: Vec<ample_model::Expr>) {
    for (index, value) in values.into_iter().enumerate() {
        let slot = SlotId::from_index(first.index() + index);
        frame.init.push(FrameInit { slot, value: InitValue::Expr(value) });
    }
}

/// Whose a variable is.
pub(super) fn whose(member: Option<usize>) -> Whose {
    if member.is_some() { Whose::Local } else { Whose::Global }
}
