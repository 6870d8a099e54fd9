//! Types and variables.

use ample_model::{BinaryOp, ChannelType, Frame, Init, InitValue, Scalar, Scope as Owner, Shown, SlotId, UnaryOp};
use ample_source::{Diagnostic, Span};
use ample_stdx::suggest;

use crate::lower::expressions::Names;
use crate::lower::lowering::Lowering;
use crate::lower::symbols::{Field, FieldInit, MAX_SLOTS, Struct, Type, Variable, slot_after};
use crate::syntax::{ChannelInit, Declaration, Declarator, Expr, ExprKind, Initializer, Name, TypeName, Typedef};

/// A channel that holds more than this is a mistake.
const MAX_CAPACITY: i32 = 65_535;

impl Lowering<'_, '_> {
    pub(super) fn typedef(&mut self, typedef: &Typedef) {
        if let Some(other) = self.symbols.struct_names.get(&typedef.name.text) {
            let other = self.symbols.structs[*other].name.span;
            self.diagnostics.push(
                Diagnostic::error(typedef.name.span, format!("type `{}` is declared twice", typedef.name.text))
                    .secondary(other, "first declared here"),
            );
            return;
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut size = 0_u32;
        for declaration in &typedef.fields {
            for declarator in &declaration.variables {
                let Some(ty) = self.declared_type(declaration, declarator) else { continue };
                let length = self.length(declarator);
                if let Some(other) = fields.iter().find(|other| other.name.text == declarator.name.text) {
                    let other = other.name.span;
                    self.redeclared(&declarator.name, other);
                }
                let init = self.field_init(declarator);
                fields.push(Field { name: declarator.name.clone(), ty, length, offset: size, init });
                size = size.saturating_add(self.symbols.size(ty, length));
            }
        }
        if size > MAX_SLOTS {
            self.error(typedef.name.span, "this type is too large");
            return;
        }
        let id = self.symbols.structs.push(Struct { name: typedef.name.clone(), fields, size });
        self.symbols.struct_names.insert(typedef.name.text.clone(), id);
    }

    fn field_init(&mut self, declarator: &Declarator) -> FieldInit {
        match &declarator.init {
            None => FieldInit::Zero,
            Some(Initializer::Expr(value)) => FieldInit::Constant(self.constant(value)),
            Some(Initializer::List(values, _)) => {
                FieldInit::List(values.iter().map(|value| self.constant(value)).collect())
            }
            Some(Initializer::Channel(init)) => {
                let name = declarator.name.text.to_string();
                self.channel_type(name, init).map_or(FieldInit::Zero, FieldInit::Channel)
            }
        }
    }

    fn redeclared(&mut self, name: &Name, other: Span) {
        self.diagnostics.push(
            Diagnostic::error(name.span, format!("`{}` is declared already", name.text))
                .secondary(other, "first declared here")
                .help("a name can be used once in a scope and the scopes around it"),
        );
    }

    /// The type of a variable, without its array bound.
    pub(super) fn declared_type(&mut self, declaration: &Declaration, declarator: &Declarator) -> Option<Type> {
        if let (Some((_, span)), false) = (declarator.width, matches!(declaration.ty, TypeName::Unsigned)) {
            self.error(span, "only an `unsigned` can have a number of bits");
        }
        let TypeName::Unsigned = declaration.ty else { return self.named_type(&declaration.ty) };
        match declarator.width {
            Some((bits @ 1..=31, _)) => Some(Type::Scalar(Scalar::Unsigned(bits as u8), Shown::Number)),
            Some((_, span)) => {
                self.error(span, "an `unsigned` has 1 to 31 bits");
                None
            }
            None => {
                self.diagnostics.push(
                    Diagnostic::error(declarator.name.span, "this `unsigned` needs a number of bits")
                        .help(format!("write `unsigned {} : 8`", declarator.name.text)),
                );
                None
            }
        }
    }

    fn named_type(&mut self, ty: &TypeName) -> Option<Type> {
        Some(match ty {
            TypeName::Bit => Type::Scalar(Scalar::Bit, Shown::Number),
            TypeName::Bool => Type::Scalar(Scalar::Bit, Shown::Truth),
            TypeName::Byte => Type::Scalar(Scalar::Byte, Shown::Number),
            TypeName::Pid => Type::Scalar(Scalar::Pid, Shown::Number),
            TypeName::Short => Type::Scalar(Scalar::Short, Shown::Number),
            TypeName::Int => Type::Scalar(Scalar::Int, Shown::Number),
            TypeName::Unsigned => Type::Scalar(Scalar::Unsigned(31), Shown::Number),
            TypeName::Channel => Type::Scalar(Scalar::Channel, Shown::Channel),
            TypeName::Mtype(kind) => {
                let set = self.symbols.mtype_set(kind.as_ref().map(|kind| &*kind.text));
                Type::Scalar(Scalar::Byte, Shown::Mtype(set))
            }
            TypeName::User(name) => return self.user_type(name),
        })
    }

    pub(super) fn user_type(&mut self, name: &Name) -> Option<Type> {
        if let Some(id) = self.symbols.struct_names.get(&name.text) {
            return Some(Type::Struct(*id));
        }
        let mut diagnostic = Diagnostic::error(name.span, format!("unknown type `{}`", name.text));
        if self.symbols.globals.iter().any(|known| known.name.text == name.text && known.channel.is_some()) {
            let help = format!("`{0}` is a channel: `{0}!…` sends a message, `{0}?…` receives one", name.text);
            self.diagnostics.push(diagnostic.help(help));
            return None;
        }
        let own = self.symbols.struct_names.keys().map(|name| &**name);
        let built_in = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];
        if let Some(near) = suggest(&name.text, own.chain(built_in)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
        None
    }

    /// The array bound of a declarator.
    pub(super) fn length(&mut self, declarator: &Declarator) -> Option<u32> {
        let bound = declarator.length.as_ref()?;
        let value = self.constant(bound);
        match u32::try_from(value) {
            Ok(length) if (1..=MAX_SLOTS).contains(&length) => Some(length),
            _ => {
                self.error(bound.span, format!("an array has 1 to {MAX_SLOTS} elements, not {value}"));
                Some(1)
            }
        }
    }

    /// The value of an expression that must be a constant: numbers, symbolic names, arithmetic on
    /// them, and scalars that are initialised with a constant.
    pub(super) fn constant(&mut self, expr: &Expr) -> i32 {
        match self.try_constant(expr) {
            Some(value) => value,
            None => {
                self.diagnostics.push(
                    Diagnostic::error(expr.span, "this must be a constant")
                        .help("use a number, a `#define` or a symbolic name"),
                );
                1
            }
        }
    }

    fn try_constant(&mut self, expr: &Expr) -> Option<i32> {
        self.fold(expr, &Self::initial_value)
    }

    /// The value of an expression of numbers and symbolic names, which is the same wherever it
    /// stands.
    pub(super) fn literal(&mut self, expr: &Expr) -> Option<i32> {
        self.fold(expr, &|_, _, _| None)
    }

    /// The value of an expression, where `variable` says what a variable stands for.
    fn fold(&mut self, expr: &Expr, variable: &dyn Fn(&mut Self, &Name, Span) -> Option<i32>) -> Option<i32> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Unary(UnaryOp::Negate, operand) => Some(self.fold(operand, variable)?.wrapping_neg()),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.fold(left, variable)?, self.fold(right, variable)?);
                match op {
                    BinaryOp::Add => Some(a.wrapping_add(b)),
                    BinaryOp::Subtract => Some(a.wrapping_sub(b)),
                    BinaryOp::Multiply => Some(a.wrapping_mul(b)),
                    BinaryOp::Divide if b != 0 => Some(a.wrapping_div(b)),
                    BinaryOp::Remainder if b != 0 => Some(a.wrapping_rem(b)),
                    _ => None,
                }
            }
            ExprKind::Var(reference) => match reference.parts.as_slice() {
                [part] if part.index.is_none() => match self.symbols.constants.get(&part.name.text) {
                    Some((value, _)) => Some(*value),
                    None => variable(self, &part.name, expr.span),
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What a global variable that is initialised with a number stands for where a constant is
    /// needed.
    fn initial_value(&mut self, name: &Name, span: Span) -> Option<i32> {
        let value = self.symbols.globals.iter().find(|known| known.name.text == name.text)?.constant?;
        let message = format!("the variable `{}` stands for its initial value {value} here", name.text);
        self.diagnostics.push(Diagnostic::warning(span, message));
        Some(value)
    }

    pub(super) fn channel_type(&mut self, name: String, init: &ChannelInit) -> Option<ChannelType> {
        let capacity = self.constant(&init.capacity);
        if !(0..=MAX_CAPACITY).contains(&capacity) {
            self.error(init.capacity.span, format!("a channel holds 0 to {MAX_CAPACITY} messages, not {capacity}"));
            return None;
        }
        let mut fields = Vec::new();
        for (ty, _) in &init.fields {
            let ty = self.named_type(ty)?;
            fields.extend(self.symbols.scalars(ty, None));
        }
        Some(ChannelType { name, capacity: capacity as u32, fields, span: init.span })
    }

    pub(super) fn declare_globals(&mut self, declaration: &Declaration) {
        for declarator in &declaration.variables {
            self.order += 1;
            let mut frame = std::mem::take(&mut self.globals);
            let variable = self.variable(declaration, declarator, &mut frame, Owner::Global);
            self.globals = frame;
            let Some(mut variable) = variable else { continue };
            if let Some(other) = self.symbols.globals.iter().find(|other| other.name.text == variable.name.text) {
                let other = other.name.span;
                self.redeclared(&declarator.name, other);
            }
            if let Some(Initializer::Expr(value)) = &declarator.init
                && let ExprKind::Int(value) = value.kind
            {
                variable.constant = Some(value);
            }
            let mut frame = std::mem::take(&mut self.globals);
            let names = Names { here: None, order: self.order, flows: None };
            self.initialise(&mut variable, declarator, &mut frame, &names);
            self.globals = frame;
            self.symbols.globals.push(variable);
        }
    }

    /// Gives a variable its slots.
    pub(super) fn variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        frame: &mut Frame,
        owner: Owner,
    ) -> Option<Variable> {
        let ty = self.declared_type(declaration, declarator)?;
        let length = self.length(declarator);
        let name = &declarator.name;
        if self.symbols.constants.contains_key(&name.text) {
            self.error(name.span, format!("`{}` is a symbolic name of an mtype already", name.text));
        }
        let hidden = declaration.hidden.is_some() && owner == Owner::Global;
        if let (Some(span), Type::Scalar(Scalar::Bit, _)) = (declaration.hidden, ty) {
            self.error(span, "a bit cannot be hidden");
        }
        let Some(first) = self.symbols.add_slots(frame, name, ty, length, hidden) else {
            self.error(name.span, format!("too many variables: more than {MAX_SLOTS} in one scope"));
            return None;
        };
        let (name, order) = (name.clone(), self.order);
        Some(Variable { name, ty, length, owner, first, channel: None, constant: None, order })
    }

    /// Records what a variable starts with.
    pub(super) fn initialise(
        &mut self,
        variable: &mut Variable,
        declarator: &Declarator,
        frame: &mut Frame,
        names: &Names<'_, '_>,
    ) {
        let count = variable.length.unwrap_or(1);
        if let Type::Struct(id) = variable.ty {
            if let Some(init) = &declarator.init {
                let span = initializer_span(init);
                self.error(span, "a structure cannot be initialised as a whole");
            }
            let size = self.symbols.structs[id].size;
            let count = if size == 0 { 0 } else { count };
            for element in 0..count {
                self.initialise_fields(id, slot_after(variable.first, element * size), frame);
            }
            return;
        }
        match &declarator.init {
            None => {}
            Some(Initializer::Expr(value)) => {
                let value = self.expression(value, names);
                for element in 0..count {
                    let slot = slot_after(variable.first, element);
                    frame.init.push(Init { slot, value: InitValue::Expr(value.clone()) });
                }
            }
            Some(Initializer::List(values, span)) => self.initialise_list(variable, values, *span, frame),
            Some(Initializer::Channel(init)) => self.initialise_channels(variable, init, frame),
        }
    }

    fn initialise_list(&mut self, variable: &Variable, values: &[Expr], span: Span, frame: &mut Frame) {
        let Some(length) = variable.length else {
            return self.error(span, format!("`{}` is not an array", variable.name.text));
        };
        if values.len() > length as usize {
            self.error(span, format!("there are {} values for {length} elements", values.len()));
        }
        for element in 0..length {
            // Elements without a value of their own get the last one, as in Spin.
            let Some(value) = values.get(element as usize).or(values.last()) else { continue };
            let constant = ample_model::Expr::constant(self.constant(value), value.span);
            let slot = slot_after(variable.first, element);
            frame.init.push(Init { slot, value: InitValue::Expr(constant) });
        }
    }

    fn initialise_channels(&mut self, variable: &mut Variable, init: &ChannelInit, frame: &mut Frame) {
        if !matches!(variable.ty, Type::Scalar(Scalar::Channel, _)) {
            return self.error(init.span, format!("`{}` is not a channel", variable.name.text));
        }
        for element in 0..variable.length.unwrap_or(1) {
            let slot = slot_after(variable.first, element);
            let name = frame.slots[slot].name.clone();
            let Some(kind) = self.channel_type(name, init) else { return };
            let kind = self.channels.push(kind);
            variable.channel = Some(kind);
            frame.init.push(Init { slot, value: InitValue::Channel(kind) });
        }
    }

    fn initialise_fields(&mut self, id: crate::lower::symbols::StructId, first: SlotId, frame: &mut Frame) {
        let fields = self.symbols.structs[id].fields.clone();
        for field in fields {
            let size = self.symbols.size(field.ty, None);
            for element in 0..field.length.unwrap_or(1) {
                let slot = slot_after(first, field.offset + element * size);
                if let Type::Struct(inner) = field.ty {
                    self.initialise_fields(inner, slot, frame);
                    continue;
                }
                let constant = |value: i32| InitValue::Expr(ample_model::Expr::constant(value, field.name.span));
                let value = match &field.init {
                    FieldInit::Zero => continue,
                    FieldInit::Constant(value) => constant(*value),
                    FieldInit::List(values) => match values.get(element as usize).or(values.last()) {
                        Some(value) => constant(*value),
                        None => continue,
                    },
                    FieldInit::Channel(kind) => {
                        let kind = ChannelType { name: frame.slots[slot].name.clone(), ..kind.clone() };
                        InitValue::Channel(self.channels.push(kind))
                    }
                };
                frame.init.push(Init { slot, value });
            }
        }
    }
}

fn initializer_span(init: &Initializer) -> Span {
    match init {
        Initializer::Expr(value) => value.span,
        Initializer::List(_, span) => *span,
        Initializer::Channel(init) => init.span,
    }
}
