//! Constants and variables: where they lie and what they start with.

use ample_model::{Expr as Out, Init as FrameInit, InitValue, Slot, SlotId};
use ample_source::{Diagnostic, Span};
use ample_stdx::TypedId;

use super::lowering::{Choice, Here, Lowering, unknown};
use super::scope::{Constant, Indices, Kind, Slots, Symbol, SymbolKind, Type};
use crate::syntax::{Declarator, Expr, Init, Item, Name, Variables};

/// No more variables, elements of arrays counted, are laid out.
const MAX_SLOTS: usize = 1 << 16;

impl Lowering<'_, '_> {
    /// Declares everything, in the order of the text: commands may use what is declared later.
    pub(super) fn declare(&mut self) {
        let program = self.program;
        for item in &program.items {
            match item {
                Item::Constants(constants) => {
                    for (name, value) in constants {
                        self.declare_constant(name, value);
                    }
                }
                Item::Type(name, written) => self.declare_type(name, written),
                Item::Variables(variables) => self.declare_variables(variables, &Here::default()),
                Item::Process(process) => self.declare_process(process),
                Item::Command(_) | Item::Error(..) | Item::Formula(_) | Item::End(_) => {}
                Item::Predicate(_) | Item::Progress(_) | Item::Dominates(_) => {}
            }
        }
    }

    fn declare_constant(&mut self, name: &Name, value: &Expr) {
        let written = self.constant(value, &Here::default());
        let constant = match self.defines.iter().rev().find(|(define, _)| **define == *name.text) {
            Some((_, value)) => self.defined(name, written.kind, value),
            None => written,
        };
        let symbol = Symbol { kind: SymbolKind::Constant(constant), span: name.span };
        if let Some(first) = self.globals.add(&name.text, symbol) {
            self.declared_twice(name, first);
        }
    }

    /// The value that is given from outside.
    fn defined(&mut self, name: &Name, kind: Kind, value: &str) -> Constant {
        let value = value.trim();
        let found = match value {
            "true" => Constant { value: 1, kind: Kind::Truth },
            "false" => Constant { value: 0, kind: Kind::Truth },
            _ => match value.parse() {
                Ok(value) => Constant { value, kind: Kind::Number },
                Err(_) => {
                    let message = format!("the value `{value}` that is given for `{}` is not a number", name.text);
                    self.error(name.span, message);
                    return unknown();
                }
            },
        };
        if found.kind.unified(kind).is_none() {
            let (want, given) = (self.kind_name(kind), self.kind_name(found.kind));
            self.error(name.span, format!("`{}` is {want}, and the value that is given is {given}", name.text));
            return unknown();
        }
        found
    }

    pub(super) fn declare_variables(&mut self, variables: &Variables, here: &Here) {
        let Some(ty) = self.ty(&variables.ty, here) else {
            // The names are known, so that nothing more is said about them.
            for declarator in &variables.declarators {
                self.add_symbol(&declarator.name, SymbolKind::Constant(unknown()), here);
            }
            return;
        };
        for declarator in &variables.declarators {
            let bounds = match declarator.bounds.as_ref().map(|bounds| self.bounds(bounds, here)) {
                Some(None) => {
                    self.add_symbol(&declarator.name, SymbolKind::Constant(unknown()), here);
                    continue;
                }
                Some(bounds) => bounds,
                None => None,
            };
            let first = SlotId::from_index(self.frame.slots.len());
            let slots = Slots { first, bounds, ty };
            let count = bounds.map_or(1, |bounds| bounds.length);
            if self.frame.slots.len() + count as usize > MAX_SLOTS {
                let message = format!("there are more than {MAX_SLOTS} variables, elements of arrays counted");
                self.error(declarator.name.span, message);
                return;
            }
            self.lay_out(declarator, slots, here);
            self.hold_elements(ty, (0..count as usize).map(|at| SlotId::from_index(first.index() + at)));
            self.belong_to_elements(bounds, first, 1);
            self.initialise(variables.init.as_ref(), declarator, slots, here);
            self.add_symbol(&declarator.name, SymbolKind::Variable(slots), here);
        }
    }

    /// Adds a name to the scope it is declared in. The members of a family share one.
    fn add_symbol(&mut self, name: &Name, kind: SymbolKind, here: &Here) {
        let symbol = Symbol { kind, span: name.span };
        let scope = match here.member {
            Some(member) if member.position > 0 => return,
            Some(member) => &mut self.processes[member.process].scope,
            None => &mut self.globals,
        };
        if let Some(first) = scope.add(&name.text, symbol) {
            self.declared_twice(name, first);
        }
    }

    fn lay_out(&mut self, declarator: &Declarator, slots: Slots, here: &Here) {
        let name = self.variable_name(&declarator.name, here);
        for position in 0..slots.bounds.map_or(1, |bounds| bounds.length) {
            let shown = match slots.bounds {
                Some(bounds) => format!("{name}[{}]", bounds.low.saturating_add(i64::from(position))),
                None => name.clone(),
            };
            self.frame.slots.push(Slot {
                name: shown,
                scalar: slots.ty.scalar(),
                shown: slots.ty.shown(),
                hidden: false,
                span: declarator.name.span,
            });
        }
    }

    /// The name of a variable for people: `x`, `q[1].x`.
    pub(super) fn variable_name(&self, name: &Name, here: &Here) -> String {
        match here.member {
            Some(member) => {
                let owner = self.processes[member.process].member_name(member.position);
                format!("{owner}.{}", name.text)
            }
            None => name.text.to_string(),
        }
    }

    fn initialise(&mut self, init: Option<&Init>, declarator: &Declarator, slots: Slots, here: &Here) {
        let name = &declarator.name;
        match (init, slots.bounds) {
            (None, _) => self.start(slots, &[(slots.ty.default(), name.span)]),
            (Some(Init::Value(value)), _) => {
                let value = self.initial_value(value, slots.ty, here);
                self.start(slots, &[value]);
            }
            (Some(Init::Any(span)), _) => self.choose(declarator, slots, *span, here),
            (Some(Init::List(_, span)), None) => {
                self.error(*span, format!("`{}` is not an array", name.text));
            }
            (Some(Init::List(values, span)), Some(bounds)) => {
                if let Kind::Element(set) = bounds.kind {
                    let error = Diagnostic::error(*span, "a list gives each element of a scalarset another value");
                    let error = error.note(self.about_set(set));
                    self.diagnostics.push(error.help("give one value, which is that of all elements"));
                    return;
                }
                if values.len() != bounds.length as usize {
                    let (given, length) = (values.len(), bounds.length);
                    let message = format!("`{}` has {length} elements, and {given} values are given", name.text);
                    let error = Diagnostic::error(*span, message);
                    self.diagnostics.push(error.help("one value without braces is that of all elements"));
                    return;
                }
                let values: Vec<_> = values.iter().map(|value| self.initial_value(value, slots.ty, here)).collect();
                self.start(slots, &values);
            }
        }
    }

    /// A value that a variable of this type can start with.
    fn initial_value(&mut self, value: &Expr, ty: Type, here: &Here) -> (i64, Span) {
        let constant = self.constant(value, here);
        let typed = super::kinds::Typed::new(ample_model::ExprKind::Const(constant.value), value.span, constant.kind);
        let out = self.of_kind(typed, ty.kind());
        let known = match out.kind {
            ample_model::ExprKind::Const(value) => value,
            _ => 0,
        };
        if let (Type::Range(low, high), Kind::Number) = (ty, constant.kind)
            && !(low..=high).contains(&known)
        {
            self.error(value.span, format!("{known} is outside of the range {low}..{high}"));
            return (low, value.span);
        }
        (known, value.span)
    }

    /// Lets a variable start with these values; the last one is that of all elements to come.
    fn start(&mut self, slots: Slots, values: &[(i64, Span)]) {
        for position in 0..slots.bounds.map_or(1, |bounds| bounds.length) as usize {
            let Some(&(value, span)) = values.get(position).or(values.last()) else { return };
            // What nothing is said of starts there anyway.
            if value != slots.ty.scalar().initial() {
                let slot = SlotId::from_index(slots.first.index() + position);
                let value = InitValue::Expr(Out::constant(value, span));
                self.frame.init.push(FrameInit { slot, value });
            }
        }
    }

    /// Each element of the variable is chosen before everything else.
    fn choose(&mut self, declarator: &Declarator, slots: Slots, span: Span, here: &Here) {
        self.start(slots, &[(slots.ty.default(), span)]);
        let name = self.variable_name(&declarator.name, here);
        let Some((low, high)) = self.values_of_input(slots.ty, &declarator.name, here, span) else { return };
        let element = |position: u32| match slots.bounds {
            Some(Indices { low, .. }) => format!("{name}[{}]", low.saturating_add(i64::from(position))),
            None => name.clone(),
        };
        for position in 0..slots.bounds.map_or(1, |bounds| bounds.length) {
            let slot = SlotId::from_index(slots.first.index() + position as usize);
            self.choices.push(Choice { slot, name: element(position), low, high, span, ty: slots.ty });
        }
    }
}
