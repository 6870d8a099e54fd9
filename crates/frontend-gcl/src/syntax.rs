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

/// A whole text, in its order: commands are tried in the order in which they are written.
#[derive(Default, Debug)]
pub(crate) struct Program {
    pub(crate) items: Vec<Item>,
}

/// What stands in a text or in a process.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `const N = 3, M = N + 1;`
    Constants(Vec<(Name, Expr)>),
    /// `type pid = scalarset(3);`
    Type(Name, Type),
    /// `var x, y : int = 0;`
    Variables(Variables),
    /// `process q[i : 1..N] { … }`
    Process(Process),
    /// `[a] guard -> x := 1;`
    Command(Command),
    /// `error name: expression;`
    Error(Name, Expr),
    /// `ltl name { formula }`
    Formula(TextFormula),
    /// `end expression;`
    End(Expr),
    /// `predicate condition;`
    Predicate(Expr),
    /// `progress expression;`
    Progress(Expr),
    /// `dominates smaller x, y;`
    Dominates(Dominates),
}

/// Which values of variables can do more than others.
#[derive(Clone, Debug)]
pub(crate) struct Dominates {
    pub(crate) is_larger: bool,
    pub(crate) variables: Vec<Expr>,
}

/// A formula in braces.
#[derive(Clone, Debug)]
pub(crate) struct TextFormula {
    /// None: it is called `ltl_0`, `ltl_1`, ….
    pub(crate) name: Option<Name>,
    /// What stands between the braces; comments are blanks.
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A type and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// The types.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TypeKind {
    Int,
    Bool,
    /// `0..7`
    Range(Expr, Expr),
    /// `scalarset(3)`
    Scalarset(Expr),
    /// The name of a type.
    Named(Name),
}

/// `var x, a[3] : int = 0;`
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    pub(crate) declarators: Vec<Declarator>,
    pub(crate) ty: Type,
    pub(crate) init: Option<Init>,
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    pub(crate) bounds: Option<Bounds>,
}

/// What an array is indexed by.
#[derive(Clone, Debug)]
pub(crate) enum Bounds {
    /// `[3]`: 0, 1 and 2; or the name of a type.
    Length(Expr),
    /// `[1..3]` or `[scalarset(3)]`
    Over(Type),
}

/// What a variable starts with.
#[derive(Clone, Debug)]
pub(crate) enum Init {
    /// `any`
    Any(Span),
    Value(Expr),
    List(Vec<Expr>, Span),
}

/// A process, or a family of processes.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) name: Name,
    /// `[i : 1..N]`
    pub(crate) family: Option<(Name, Type)>,
    /// Variables and commands; others were refused.
    pub(crate) items: Vec<Item>,
}

/// One command.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) label: Label,
    pub(crate) guard: Expr,
    pub(crate) assignments: Vec<Assignment>,
    /// As written, on one line, cut at each `input`.
    pub(crate) text: Vec<String>,
    pub(crate) span: Span,
}

/// The name of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    None,
    Silent,
    Named(Name),
}

/// `x := 1`, or `x := input`
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) place: Variable,
    pub(crate) value: Value,
}

/// What is assigned.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Expr(Expr),
    Input,
}

/// A variable, perhaps of a process, perhaps an element of an array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) owner: Option<Owner>,
    pub(crate) name: Name,
    pub(crate) index: Option<Box<Expr>>,
    pub(crate) span: Span,
}

/// The process in `q.x` or `q[1].x`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Owner {
    pub(crate) process: Name,
    pub(crate) index: Option<Box<Expr>>,
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
    Int(i64),
    Bool(bool),
    /// `none`: no element of a scalarset.
    None,
    Variable(Variable),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if condition then yes else no`
    Conditional(Box<[Expr; 3]>),
}
