//! Names and what they stand for.

use std::collections::HashMap;
use std::sync::Arc;

use ample_model::{Scalar, SlotId};
use ample_source::Span;

use crate::syntax::Type;

/// The names of a process, or the global ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    symbols: HashMap<Arc<str>, Symbol>,
    /// The names in the order of their declaration: suggestions must not depend on hashes.
    order: Vec<Arc<str>>,
}

/// What a name stands for, and where it was declared.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) kind: SymbolKind,
    pub(super) span: Span,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum SymbolKind {
    Constant(i32),
    Variable(Slots),
    /// A channel, by its number.
    Channel(usize),
}

/// Where a variable lies in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    pub(super) first: SlotId,
    /// How many elements it has, if it is an array.
    pub(super) length: Option<u32>,
    pub(super) is_constant: bool,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// Adds a name; gives the place of its first declaration if there is one.
    pub(super) fn add(&mut self, name: &Arc<str>, symbol: Symbol) -> Option<Span> {
        if let Some(first) = self.symbols.get(name) {
            return Some(first.span);
        }
        self.symbols.insert(name.clone(), symbol);
        self.order.push(name.clone());
        None
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|name| &**name)
    }
}

/// How a value of this type is stored. An `int` has 16 bits, as in DiVinE: this is the only place
/// that says so.
pub(super) fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Byte => Scalar::Byte,
        Type::Int => Scalar::Short,
    }
}
