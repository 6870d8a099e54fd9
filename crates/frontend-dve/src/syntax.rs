//! The syntax tree: what stands in the text, names not yet resolved.

use std::sync::Arc;

use ample_model::{BinaryOp, UnaryOp};
use ample_source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A whole text.
#[derive(Default, Debug)]
pub(crate) struct Program {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) processes: Vec<Process>,
    /// `process P(1);`, in the order of the text.
    pub(crate) instances: Vec<Instance>,
    /// `expression name() { … }`: names for expressions.
    pub(crate) expressions: Vec<(Name, Expr)>,
    /// `property ltl name "formula"`.
    pub(crate) formulas: Vec<TextFormula>,
    pub(crate) system: Option<System>,
}

/// A formula in quotes.
#[derive(Clone, Debug)]
pub(crate) struct TextFormula {
    pub(crate) name: Name,
    pub(crate) text: Arc<str>,
    /// Where the text stands, without its quotes.
    pub(crate) span: Span,
}

/// `system async property P;`
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) synchronous: bool,
    pub(crate) property: Option<Name>,
    pub(crate) span: Span,
}

/// A process that is created with arguments.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) process: Name,
    pub(crate) arguments: Vec<Expr>,
    /// The variables of the loops around it, with their values.
    pub(crate) loops: Vec<(Name, i32)>,
}

/// Variables or channels.
#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Variables(Variables),
    Channels(Channels),
}

/// `const byte a = 1, b[2];`
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    pub(crate) kind: VariableKind,
    pub(crate) ty: Type,
    pub(crate) declarators: Vec<Declarator>,
}

/// What may happen to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VariableKind {
    Variable,
    Constant,
    /// A constant that is given from outside.
    Input,
}

/// The types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Byte,
    Int,
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    pub(crate) length: Option<Expr>,
    pub(crate) init: Option<Init>,
}

/// What a variable starts with.
#[derive(Clone, Debug)]
pub(crate) enum Init {
    Value(Expr),
    List(Vec<Expr>, Span),
}

/// `channel {byte, int} c[2], d;`
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    /// The types of a message, if they are declared.
    pub(crate) fields: Option<Vec<Type>>,
    pub(crate) channels: Vec<(Name, Option<Expr>)>,
}

/// A process, or the process of a property.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) name: Name,
    pub(crate) is_property: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) states: Vec<Name>,
    pub(crate) init: Option<Name>,
    pub(crate) accept: Vec<Name>,
    pub(crate) commit: Vec<Name>,
    pub(crate) asserts: Vec<Assertion>,
    pub(crate) transitions: Vec<Transition>,
}

/// `assert state: condition`
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) state: Name,
    pub(crate) condition: Expr,
    /// As written, on one line.
    pub(crate) text: String,
}

/// A parameter of a process; those that are keys tell its instances apart.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) is_key: bool,
}

/// One transition.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) source: Name,
    pub(crate) target: Name,
    pub(crate) guard: Option<Expr>,
    pub(crate) sync: Option<Sync>,
    pub(crate) effects: Vec<(Variable, Expr)>,
    /// As written, on one line.
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// `channel!values` or `channel?variables`.
#[derive(Clone, Debug)]
pub(crate) struct Sync {
    pub(crate) channel: Variable,
    pub(crate) direction: Direction,
    pub(crate) values: Vec<Expr>,
    pub(crate) span: Span,
}

/// Which end of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Send,
    Receive,
}

/// A variable, perhaps of another process, perhaps an element of an array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) owner: Option<Owner>,
    pub(crate) name: Name,
    pub(crate) index: Option<Box<Expr>>,
    pub(crate) span: Span,
}

/// The process in `P->x`, `P.x` or `P(1)->x`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Owner {
    pub(crate) process: Name,
    pub(crate) keys: Vec<Expr>,
    /// Written with a dot: then what follows may be a state.
    pub(crate) dotted: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// The height of the tree, which is bounded: what works on it is recursive.
    pub(crate) height: u16,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Int(i32),
    Variable(Variable),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Imply(Box<Expr>, Box<Expr>),
}
