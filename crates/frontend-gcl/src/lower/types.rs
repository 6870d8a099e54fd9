//! Types: what a declaration says that a variable may hold, and what indices there are.

use ample_source::Diagnostic;
use ample_stdx::suggest;

use super::lowering::{Here, Lowering};
use super::scope::{Indices, Kind, Set, Symbol, SymbolKind, Type};
use crate::syntax::{Bounds, Expr, ExprKind, Name, Type as Written, TypeKind};

/// The most elements of an array, of a family of processes, and of a set.
const MAX_LENGTH: i64 = 1 << 16;

impl Lowering<'_, '_> {
    /// `type name = …`; a set gets the name, so that it is different from all others.
    pub(super) fn declare_type(&mut self, name: &Name, written: &Written) {
        let Some(ty) = self.ty(written, &Here::default()) else { return };
        let ty = match (ty, &written.kind) {
            (Type::Set(set), TypeKind::Scalarset(_)) => {
                self.sets.push(name.clone());
                Type::Set(Set { named: Some(self.sets.len() - 1), ..set })
            }
            _ => ty,
        };
        let symbol = Symbol { kind: SymbolKind::Type(ty), span: name.span };
        if let Some(first) = self.globals.add(&name.text, symbol) {
            self.declared_twice(name, first);
        }
    }

    pub(super) fn ty(&mut self, written: &Written, here: &Here) -> Option<Type> {
        match &written.kind {
            TypeKind::Int => Some(Type::Int),
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Range(low, high) => {
                let (first, last) = (self.constant_number(low, here)?, self.constant_number(high, here)?);
                if first > last {
                    let error = Diagnostic::error(written.span, format!("the range {first}..{last} is empty"));
                    self.diagnostics.push(error.help("the smaller bound comes first"));
                    return None;
                }
                Some(Type::Range(first, last))
            }
            TypeKind::Scalarset(size) => {
                let value = self.constant_number(size, here)?;
                if !(1..=MAX_LENGTH).contains(&value) {
                    let message = format!("a scalarset has 1 to {MAX_LENGTH} elements, not {value}");
                    self.error(size.span, message);
                    return None;
                }
                Some(Type::Set(Set { named: None, size: u32::try_from(value).unwrap_or(1) }))
            }
            TypeKind::Named(name) => match self.globals.get(&name.text).map(|symbol| symbol.kind) {
                Some(SymbolKind::Type(ty)) => Some(ty),
                Some(_) => {
                    let error = Diagnostic::error(name.span, format!("`{}` is not a type", name.text));
                    self.diagnostics.push(error.help("a range has two bounds: `0..N`"));
                    None
                }
                None => {
                    self.unknown_type(name);
                    None
                }
            },
        }
    }

    fn unknown_type(&mut self, name: &Name) {
        let mut error = Diagnostic::error(name.span, format!("there is no type `{}`", name.text));
        let is_type =
            |known: &&str| self.globals.get(known).is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Type(_)));
        let known = ["int", "bool", "scalarset"].into_iter().chain(self.globals.names().filter(is_type));
        error = match suggest(&name.text, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.note("the types are `int`, `bool`, ranges such as `0..7`, and `scalarset(3)`"),
        };
        self.diagnostics.push(error);
    }

    /// The indices of an array.
    pub(super) fn bounds(&mut self, bounds: &Bounds, here: &Here) -> Option<Indices> {
        match bounds {
            Bounds::Over(ty) => self.indices(ty, "an array", here),
            Bounds::Length(length) => {
                if let Some(named) = self.type_name(length) {
                    return self.indices(&named, "an array", here);
                }
                let value = self.constant_number(length, here)?;
                if !(1..=MAX_LENGTH).contains(&value) {
                    self.error(length.span, format!("an array has 1 to {MAX_LENGTH} elements, not {value}"));
                    return None;
                }
                Some(Indices { low: 0, length: u32::try_from(value).unwrap_or(1), kind: Kind::Number })
            }
        }
    }

    /// The name in brackets as a type, if it is one.
    fn type_name(&self, length: &Expr) -> Option<Written> {
        let ExprKind::Variable(variable) = &length.kind else { return None };
        let symbol = self.globals.get(&variable.name.text)?;
        let is_plain = variable.owner.is_none() && variable.index.is_none();
        let is_type = matches!(symbol.kind, SymbolKind::Type(_)) && is_plain;
        is_type.then(|| Written { kind: TypeKind::Named(variable.name.clone()), span: length.span })
    }

    /// The values of a type as indices.
    pub(super) fn indices(&mut self, written: &Written, what: &str, here: &Here) -> Option<Indices> {
        let ty = self.ty(written, here)?;
        let Some((low, high)) = ty.values() else {
            let error = Diagnostic::error(written.span, format!("{what} over all integers has no end"));
            self.diagnostics.push(error.help("give a range, as in `1..3`"));
            return None;
        };
        let length = i128::from(high) - i128::from(low) + 1;
        if length > i128::from(MAX_LENGTH) {
            self.error(written.span, format!("{what} has 1 to {MAX_LENGTH} elements, not {length}"));
            return None;
        }
        if ty == Type::Bool {
            self.error(written.span, format!("{what} is over a range or a scalarset, not over truth values"));
            return None;
        }
        Some(Indices { low, length: u32::try_from(length).unwrap_or(1), kind: ty.kind() })
    }
}
