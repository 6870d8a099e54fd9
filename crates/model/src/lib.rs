//! The model: what the author wrote, typed and resolved, as plain printable data.
//!
//! A [`Model`] is a set of process [`Template`]s (control-flow automata), the variables they share,
//! the kinds of channels they may create and the processes that exist at the start. Every node
//! keeps the span of the source it came from. Nothing here executes anything: the meaning of a
//! model is given by the crate `interpret`.

mod arithmetic;
mod expression;
mod ids;
mod process;
mod scalarset;
mod variables;

use ample_stdx::IndexVec;

pub use arithmetic::{Arithmetic, NoValue};
pub use expression::{
    BinaryOp, ChannelTest, ChannelUse, EventKind, Expr, ExprKind, Index, Place, Poll, ReceiveArg, RemoteAt, RemoteRead,
    Run, Scope, UnaryOp,
};
pub use ids::{ChannelTypeId, EdgeId, LocationId, MtypeId, SlotId, TemplateId};
pub use process::{Action, Edge, Effect, ExclusiveClaim, ExclusiveEnd, Label, Location, Template, TemplateKind};
pub use scalarset::{ElementArray, Scalarset};
pub use variables::{ChannelType, Frame, Init, InitValue, MtypeSet, Scalar, Shown, Slot};

/// A whole system, as its author described it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The name of the file, for messages.
    pub name: String,
    /// The sets of symbolic names, for printing values.
    pub mtypes: IndexVec<MtypeId, MtypeSet>,
    /// The variables that every process can read and write.
    pub globals: Frame,
    /// Every declaration that creates a channel.
    pub channels: IndexVec<ChannelTypeId, ChannelType>,
    /// The kinds of processes.
    pub templates: IndexVec<TemplateId, Template>,
    /// The processes that exist in the initial state, in the order of their process numbers.
    pub active: Vec<ActiveProcess>,
    /// The `trace` or `notrace` assertion, an automaton over send and receive events.
    pub trace: Option<TemplateId>,
    /// Which parts of the state only some models need.
    pub uses: Uses,
    /// How it computes.
    pub arithmetic: Arithmetic,
    /// Where this is true, a state that nothing leaves is a valid end state, wherever the processes
    /// are. It is evaluated from outside, as a property is.
    pub end: Option<Expr>,
    /// The sets of values that nothing tells apart.
    pub scalarsets: Vec<Scalarset>,
    /// What the author says of the values of global variables: some of them can do more than
    /// others.
    pub dominating: Vec<Dominating>,
    /// A number that never falls along a run, as the author says.
    pub progress: Option<Expr>,
    /// Conditions by which states are to be told apart where predicates stand for values, besides
    /// those that guards and properties ask for.
    pub predicates: Vec<Expr>,
}

/// Of two states that differ by the value of a variable alone, one can do whatever the other can.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Dominating {
    /// The variable.
    pub slot: SlotId,
    /// Whether it is the one with the larger value; else the one with the smaller.
    pub is_larger: bool,
    /// Where that is written.
    pub span: ample_source::Span,
}

/// A process of the initial state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ActiveProcess {
    /// What it runs; its parameters, if any, are zero.
    pub template: TemplateId,
    /// Its scheduling priority, 1 unless declared.
    pub priority: u8,
}

/// Features that decide what a state has to remember and what a step has to ask.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `_last` is read, so the state remembers which process moved last.
    pub last: bool,
    /// Priorities are declared or changed, so each process carries its own and only the highest may
    /// run.
    pub priorities: bool,
    /// `timeout` occurs, so a state in which nothing can move is tried once more.
    pub timeout: bool,
}
