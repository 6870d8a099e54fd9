//! The syntax tree of a Promela text, with every inline call expanded.

use std::fmt;
use std::sync::Arc;

use ample_model::{BinaryOp, ChannelTest, UnaryOp};
use ample_source::Span;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A whole text.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) units: Vec<Unit>,
    /// Every `process@label`, because a `goto` that is looked at from outside becomes a step of its
    /// own.
    pub(crate) remote_labels: Vec<(Name, Name)>,
    /// The macros at the end of the text, to suggest them.
    pub(crate) macros: Vec<Arc<str>>,
}

impl Program {
    /// The names of the processes that can be referred to.
    pub(crate) fn process_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.units.iter().filter_map(|unit| match unit {
            Unit::Process(process) if process.kind == ProcessKind::Proctype => Some(&process.name.text),
            _ => None,
        })
    }

    /// Every name that means something outside of all processes.
    pub(crate) fn global_names(&self) -> impl Iterator<Item = &Arc<str>> {
        let declared = self.units.iter().flat_map(|unit| -> Vec<&Arc<str>> {
            match unit {
                Unit::Declaration(declaration) => declaration.variables.iter().map(|one| &one.name.text).collect(),
                Unit::Mtype(mtype) => mtype.names.iter().map(|name| &name.text).collect(),
                Unit::Process(_) | Unit::Typedef(_) | Unit::Ltl(_) => Vec::new(),
            }
        });
        declared.chain(self.process_names()).chain(&self.macros)
    }
}

#[derive(Debug)]
pub(crate) enum Unit {
    Process(Process),
    Declaration(Declaration),
    Typedef(Typedef),
    Mtype(MtypeDeclaration),
    Ltl(Ltl),
}

/// `proctype`, `init`, `never`, `trace` or `notrace`.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) kind: ProcessKind,
    /// `D_proctype`.
    pub(crate) deterministic: bool,
    pub(crate) name: Name,
    pub(crate) active: Active,
    pub(crate) parameters: Vec<Declaration>,
    pub(crate) priority: Option<(i32, Span)>,
    pub(crate) provided: Option<Expr>,
    pub(crate) body: Block,
}

/// How many processes of a `proctype` exist at the start.
#[derive(Debug)]
pub(crate) enum Active {
    /// None: it is not `active`.
    No,
    /// `active`: one.
    One,
    /// `active [n]`.
    Count(Expr),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProcessKind {
    Proctype,
    Init,
    Never,
    /// A never claim that was given from outside. Its name is that of its property, and clashes
    /// with nothing.
    OuterNever,
    Trace,
    Notrace,
}

#[derive(Debug)]
pub(crate) struct Ltl {
    pub(crate) name: Option<Name>,
    pub(crate) formula: Expr,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Typedef {
    pub(crate) name: Name,
    pub(crate) fields: Vec<Declaration>,
}

#[derive(Debug)]
pub(crate) struct MtypeDeclaration {
    pub(crate) kind: Option<Name>,
    pub(crate) names: Vec<Name>,
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) hidden: Option<Span>,
    pub(crate) ty: TypeName,
    pub(crate) variables: Vec<Declarator>,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Mtype(Option<Name>),
    Channel,
    User(Name),
}

#[derive(Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    /// The width of an `unsigned`.
    pub(crate) width: Option<(i32, Span)>,
    pub(crate) length: Option<Expr>,
    pub(crate) init: Option<Initializer>,
}

#[derive(Debug)]
pub(crate) enum Initializer {
    Expr(Expr),
    List(Vec<Expr>, Span),
    Channel(ChannelInit),
}

#[derive(Debug)]
pub(crate) struct ChannelInit {
    pub(crate) capacity: Expr,
    pub(crate) fields: Vec<(TypeName, Span)>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) items: Vec<Item>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Exclusive(Exclusive),
    Statement(Box<Statement>),
}

/// `xr` or `xs` with its channels.
#[derive(Debug)]
pub(crate) struct Exclusive {
    pub(crate) receive: bool,
    pub(crate) channels: Vec<VarRef>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
    /// A simple statement as a reader would write it.
    pub(crate) text: String,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Assign(VarRef, Expr),
    Expr(Expr),
    Else,
    Send { channel: VarRef, sorted: bool, values: Vec<Expr> },
    Receive { channel: VarRef, anywhere: bool, keep: bool, arguments: Vec<ReceiveArgument> },
    Assert(Expr),
    Print(Arc<str>, Vec<Expr>),
    PrintName(Expr),
    SetPriority(Expr, Expr),
    Goto(Name),
    Break,
    If(Vec<Block>),
    Do(Vec<Block>),
    For(Box<For>),
    Select { variable: VarRef, from: Expr, to: Expr },
    Atomic(Block),
    DStep(Block),
    Block(Block),
    Unless(Box<Statement>, Box<Statement>),
}

#[derive(Debug)]
pub(crate) struct For {
    pub(crate) variable: VarRef,
    pub(crate) over: ForOver,
    pub(crate) body: Block,
    pub(crate) header: Span,
}

#[derive(Debug)]
pub(crate) enum ForOver {
    Range(Expr, Expr),
    /// The elements of an array, or the messages of a channel.
    In(VarRef),
}

#[derive(Clone, Debug)]
pub(crate) enum ReceiveArgument {
    Variable(VarRef),
    Value(Expr),
}

/// `a[i].b.c[j]`.
#[derive(Clone, Debug)]
pub(crate) struct VarRef {
    pub(crate) parts: Vec<VarPart>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct VarPart {
    pub(crate) name: Name,
    pub(crate) index: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// The height of the tree, so that it can be kept low enough for recursion.
    pub(crate) height: u16,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Int(i32),
    Var(VarRef),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    Run(Box<RunExpr>),
    Channel(ChannelTest, VarRef),
    Poll(Box<PollExpr>),
    Timeout,
    NonProgress,
    Enabled(Box<Expr>),
    ProgramCounter(Box<Expr>),
    Priority(Box<Expr>),
    RemoteAt {
        process: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    RemoteVar {
        process: Name,
        pid: Option<Box<Expr>>,
        variable: VarRef,
    },
    /// Only in formulas.
    Temporal(Temporal, Box<Expr>, Option<Box<Expr>>),
}

/// The temporal operators of formulas, and the connectives that only formulas have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Temporal {
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
}

#[derive(Clone, Debug)]
pub(crate) struct RunExpr {
    pub(crate) process: Name,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) priority: Option<(i32, Span)>,
}

#[derive(Clone, Debug)]
pub(crate) struct PollExpr {
    pub(crate) channel: VarRef,
    pub(crate) anywhere: bool,
    pub(crate) arguments: Vec<ReceiveArgument>,
}

impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Temporal::Always => "[]",
            Temporal::Eventually => "<>",
            Temporal::Next => "X",
            Temporal::Until => "U",
            Temporal::WeakUntil => "W",
            Temporal::Release => "V",
            Temporal::Implies => "->",
            Temporal::Equivalent => "<->",
        })
    }
}
