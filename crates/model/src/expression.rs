//! Expressions and the places they read.

use ample_source::Span;

use crate::{LocationId, SlotId, TemplateId};

/// An expression with the place it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes, in the arithmetic of the model.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Const(i64),
    /// The value of a variable.
    Read(Place),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands; `And` and `Or` do not evaluate the second if the first
    /// decides.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> yes : no)`.
    Conditional(Box<[Expr; 3]>),
    /// Creates a process; the value is its number. The only expression with an effect.
    Run(Box<Run>),
    /// A question about how full a channel is.
    Channel(ChannelTest, Box<Expr>),
    /// Could this message be received?
    Poll(Box<Poll>),
    /// True when nothing else in the system can move.
    Timeout,
    /// True when no process is at a progress label.
    NonProgress,
    /// True when some process is at an acceptance label.
    Accepting,
    /// Could the process with this number move?
    Enabled(Box<Expr>),
    /// The number of the location of the process with this number.
    ProgramCounter(Box<Expr>),
    /// The priority of the process with this number.
    Priority(Box<Expr>),
    /// The number of the process that evaluates this.
    Pid,
    /// How many processes there are.
    ProcessCount,
    /// The number of the process that moved last.
    LastProcess,
    /// A variable of another process.
    RemoteRead(Box<RemoteRead>),
    /// Is another process at this location?
    RemoteAt(Box<RemoteAt>),
}

/// Operators with one operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the operators
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl BinaryOp {
    /// Whether it compares two numbers.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
    }

    /// Whether its value is 0 or 1: it compares, or joins truth values.
    pub fn is_truth(self) -> bool {
        self.is_comparison() || matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// As it is written in C.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

/// Questions about how full a channel is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ChannelTest {
    /// `len`
    Length,
    /// `empty`
    Empty,
    /// `nempty`
    NotEmpty,
    /// `full`
    Full,
    /// `nfull`
    NotFull,
}

/// Whose variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The system's.
    Global,
    /// The process's own.
    Local,
}

/// A scalar variable, an element of an array or a field of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Whose.
    pub scope: Scope,
    /// The slot when every index is 0.
    pub first: SlotId,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
    /// Where it is written.
    pub span: Span,
}

/// One index of a [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// Its value.
    pub value: Expr,
    /// How many elements the array has: the value must be below.
    pub length: u32,
    /// How many slots one element takes.
    pub stride: u32,
    /// What the author counts from. The value is what is written less this.
    pub low: i64,
}

/// `run template(arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What the new process runs.
    pub template: TemplateId,
    /// Its parameters, structures flattened.
    pub arguments: Vec<Expr>,
    /// Its priority.
    pub priority: u8,
}

/// `channel?[pattern]`, or `channel??[pattern]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Poll {
    /// Which channel.
    pub channel: Expr,
    /// Whether any message may match, not only the first (`??`).
    pub anywhere: bool,
    /// What each field must be.
    pub pattern: Vec<ReceiveArg>,
}

/// The two kinds of events.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A message was sent.
    Send,
    /// A message was received.
    Receive,
}

/// What happens to one field of a received message.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveArg {
    /// The field must equal this.
    Match(Expr),
    /// The field is stored here.
    Store(Place),
    /// The field is thrown away (`_`).
    Discard,
}

/// `template[pid]:place`; without `pid` the only process of the template.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteRead {
    /// What the other process runs.
    pub template: TemplateId,
    /// Its number.
    pub pid: Option<Expr>,
    /// Which of its variables.
    pub place: Place,
}

/// `template[pid]@label`; without `pid` the only process of the template.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteAt {
    /// What the other process runs.
    pub template: TemplateId,
    /// Its number.
    pub pid: Option<Expr>,
    /// The location the label names.
    pub location: LocationId,
    /// The label.
    pub label: String,
}

/// A question about a channel, as a use of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ChannelUse<'e> {
    /// The channel.
    pub channel: &'e Expr,
    /// The events that asking is as good as, to a process that has this end of the channel for
    /// itself.
    pub events: &'static [EventKind],
}

impl Expr {
    /// A number, written at `span`.
    pub fn constant(value: impl Into<i64>, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value.into()), span }
    }

    /// Calls `visit` on this expression and on every expression inside it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Read(place) => place.walk(visit),
            ExprKind::Unary(_, a)
            | ExprKind::Channel(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::ProgramCounter(a)
            | ExprKind::Priority(a) => a.walk(visit),
            ExprKind::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Conditional(parts) => parts.iter().for_each(|part| part.walk(visit)),
            ExprKind::Run(run) => run.arguments.iter().for_each(|argument| argument.walk(visit)),
            ExprKind::Poll(poll) => {
                poll.channel.walk(visit);
                poll.pattern.iter().for_each(|argument| argument.walk(visit));
            }
            ExprKind::RemoteRead(remote) => {
                remote.pid.iter().for_each(|pid| pid.walk(visit));
                remote.place.walk(visit);
            }
            ExprKind::RemoteAt(remote) => remote.pid.iter().for_each(|pid| pid.walk(visit)),
            ExprKind::Const(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::Pid
            | ExprKind::ProcessCount
            | ExprKind::LastProcess => {}
        }
    }

    /// Whether it, or an expression inside it, is of such a kind.
    pub fn contains(&self, is_it: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= is_it(&part.kind));
        found
    }

    /// The channels that are asked about. Asking counts as using: `nempty` as receiving, `nfull` as
    /// sending, all else as both.
    pub fn channel_uses(&self) -> Vec<ChannelUse<'_>> {
        let mut uses = Vec::new();
        self.walk(&mut |part| {
            let (channel, events): (&Expr, &[EventKind]) = match &part.kind {
                ExprKind::Channel(ChannelTest::NotEmpty, channel) => (channel, &[EventKind::Receive]),
                ExprKind::Channel(ChannelTest::NotFull, channel) => (channel, &[EventKind::Send]),
                ExprKind::Channel(_, channel) => (channel, &[EventKind::Receive, EventKind::Send]),
                ExprKind::Poll(poll) => (&poll.channel, &[EventKind::Receive, EventKind::Send]),
                _ => return,
            };
            uses.push(ChannelUse { channel, events });
        });
        uses
    }
}

impl Place {
    /// Calls `visit` on every index and on every expression inside it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.indices.iter().for_each(|index| index.value.walk(visit));
    }
}

impl ReceiveArg {
    /// Calls `visit` on every expression inside.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            ReceiveArg::Match(value) => value.walk(visit),
            ReceiveArg::Store(place) => place.walk(visit),
            ReceiveArg::Discard => {}
        }
    }
}
