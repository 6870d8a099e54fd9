//! Names, types, and what a name stands for.

use std::collections::HashMap;
use std::sync::Arc;

use ample_model::{Scalar, Shown, SlotId};
use ample_source::Span;

/// The names of a process, or those outside of all.
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
    Constant(Constant),
    Variable(Slots),
    Type(Type),
    /// A process or a family, by its number.
    Process(usize),
}

/// A value that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Constant {
    pub(super) value: i64,
    pub(super) kind: Kind,
}

/// Where a variable lies in the frame; that of a family of processes in its first member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    pub(super) first: SlotId,
    /// What it is indexed by, if it is an array.
    pub(super) bounds: Option<Indices>,
    /// The type of its elements.
    pub(super) ty: Type,
}

/// The indices of an array or of a family of processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Indices {
    pub(super) low: i64,
    pub(super) length: u32,
    /// A number, or an element of a set.
    pub(super) kind: Kind,
}

impl Indices {
    /// The position of this index, counted from 0.
    pub(super) fn position(self, index: i64) -> Option<u32> {
        let position = u32::try_from(index.checked_sub(self.low)?).ok()?;
        (position < self.length).then_some(position)
    }

    /// The last index.
    pub(super) fn high(self) -> i64 {
        self.low.saturating_add(i64::from(self.length) - 1)
    }
}

/// The types of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Int,
    Bool,
    Range(i64, i64),
    Set(Set),
}

/// A scalarset: its elements are `0` to `size - 1`, and `size` is none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Set {
    /// Which of the sets that have names; none for `scalarset(3)`, which is one set for each size.
    pub(super) named: Option<usize>,
    pub(super) size: u32,
}

/// What an expression is, as far as operators care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It was reported: whatever is done with it is right.
    Unknown,
    Number,
    Truth,
    Element(Set),
    /// `none`, of whatever set.
    NoElement,
}

impl Kind {
    /// What both are, if they can be compared.
    pub(super) fn unified(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            (Kind::Unknown, kind) | (kind, Kind::Unknown) => Some(kind),
            (Kind::Element(set), Kind::NoElement) | (Kind::NoElement, Kind::Element(set)) => Some(Kind::Element(set)),
            (a, b) => (a == b).then_some(a),
        }
    }
}

impl Type {
    /// What the value of such a variable is.
    pub(super) fn kind(self) -> Kind {
        match self {
            Type::Int | Type::Range(..) => Kind::Number,
            Type::Bool => Kind::Truth,
            Type::Set(set) => Kind::Element(set),
        }
    }

    pub(super) fn scalar(self) -> Scalar {
        match self {
            Type::Int => Scalar::Integer,
            Type::Bool => Scalar::Bit,
            Type::Range(low, high) => Scalar::Range { low, high },
            Type::Set(set) => Scalar::Range { low: 0, high: i64::from(set.size) },
        }
    }

    pub(super) fn shown(self) -> Shown {
        match self {
            Type::Bool => Shown::Truth,
            _ => Shown::Number,
        }
    }

    /// The first and the last value that an input may have; none for all integers.
    pub(super) fn values(self) -> Option<(i64, i64)> {
        match self {
            Type::Int => None,
            Type::Bool => Some((0, 1)),
            Type::Range(low, high) => Some((low, high)),
            Type::Set(set) => Some((0, i64::from(set.size) - 1)),
        }
    }

    /// What a variable starts with if nothing is said: 0, or what is nearest to it; no element of
    /// a set.
    pub(super) fn default(self) -> i64 {
        match self {
            Type::Int | Type::Bool => 0,
            Type::Range(low, high) => 0.clamp(low, high),
            Type::Set(set) => i64::from(set.size),
        }
    }
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
