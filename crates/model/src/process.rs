//! Process templates: control-flow automata whose edges carry one statement each.

use ample_source::Span;
use ample_stdx::IndexVec;

use crate::{EdgeId, EventKind, Expr, ExprKind, Frame, LocationId, Place, ReceiveArg};

/// What a template is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    /// A process that must be created.
    Process,
    /// The process that starts everything.
    Init,
    /// A never claim.
    Never,
    /// Every event must be matched.
    Trace,
    /// The events must not match to the end.
    Notrace,
}

/// What a process runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: TemplateKind,
    /// Where its name was declared.
    pub span: Span,
    /// How many of the first slots of the frame are parameters.
    pub parameters: usize,
    /// Its variables.
    pub frame: Frame,
    /// Where it starts.
    pub entry: LocationId,
    /// Its control locations. Location 0 is none: no process is ever there.
    pub locations: IndexVec<LocationId, Location>,
    /// Its edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// It may move only while this is true.
    pub provided: Option<Expr>,
    /// It must never have a choice (`D_proctype`): a move beside an earlier edge of the same
    /// location is a run-time error.
    pub deterministic: bool,
    /// The channels it says that it alone uses.
    pub exclusive: Vec<ExclusiveClaim>,
}

impl Template {
    /// The location after the closing brace, or the first one if it is never reached.
    pub fn last_location(&self) -> LocationId {
        let ends = |edge: &&Edge| matches!(edge.action, Action::End);
        self.edges.iter().find(ends).map_or(self.entry, |edge| edge.source)
    }
}

/// `xr channel` or `xs channel`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExclusiveClaim {
    /// Which end of the channel.
    pub end: ExclusiveEnd,
    /// The channel.
    pub channel: Expr,
    /// Where the claim was made.
    pub span: Span,
}

/// The end of a channel that is claimed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExclusiveEnd {
    /// Receiving (`xr`).
    Receive,
    /// Sending (`xs`).
    Send,
}

impl ExclusiveEnd {
    /// Whether an event happens at this end.
    pub fn concerns(self, event: EventKind) -> bool {
        match self {
            ExclusiveEnd::Receive => event == EventKind::Receive,
            ExclusiveEnd::Send => event == EventKind::Send,
        }
    }
}

/// A control location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The edges that leave it, in the order in which they are tried: escapes first, `else` last.
    pub edges: Vec<EdgeId>,
    /// The labels that name it.
    pub labels: Vec<String>,
    /// A process may stay here for ever.
    pub end: bool,
    /// Being here is progress.
    pub progress: bool,
    /// Being here is accepting.
    pub accept: bool,
    /// The `d_step` whose inside it belongs to, named by the location before it.
    pub d_step: Option<LocationId>,
    /// The statement that stands here.
    pub span: Span,
}

/// One way to leave a location.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it leads.
    pub target: LocationId,
    /// What must be true besides, with an action that sends, receives or asserts. At a rendezvous
    /// it is asked, of both partners, in the state before.
    pub guard: Option<Expr>,
    /// What it does.
    pub action: Action,
    /// What is assigned after the action, one after the other, in the same step. At a rendezvous
    /// the receiver's come before the sender's.
    pub effects: Vec<Effect>,
    /// After this step the process keeps control (inside `atomic`).
    pub keeps_control: bool,
    /// Of which `unless` escape it is the guard; edges of one escape exclude all edges after them.
    pub escape: Option<LocationId>,
    /// The statement it comes from: several edges may share one.
    pub statement: LocationId,
    /// The statement as written.
    pub text: String,
    /// What the move is called by those who compare systems by what can be seen of them.
    pub label: Label,
    /// Where the statement stands.
    pub span: Span,
}

/// What a move is called. A name may be that of several edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Label {
    /// The author gave no name.
    #[default]
    None,
    /// The author says that it cannot be seen from outside (τ).
    Silent,
    /// This name.
    Named(String),
}

/// An assignment that is part of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What is changed.
    pub place: Place,
    /// Its new value.
    pub value: Expr,
}

/// What a step does. It can be executed only if the action can.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing (`skip`, `goto`, `break`).
    Skip,
    /// Can be executed if the value is not zero.
    Guard(Expr),
    /// Can be executed if no other edge of the location can.
    Else,
    /// Stores a value.
    Assign(Place, Expr),
    /// Appends a message, or hands it over at a rendezvous.
    Send {
        /// The channel.
        channel: Expr,
        /// Insert before the first greater message instead (`!!`).
        sorted: bool,
        /// The message, structures flattened.
        values: Vec<Expr>,
    },
    /// Takes a message.
    Receive {
        /// The channel.
        channel: Expr,
        /// The first message that matches, not only the first (`??`).
        anywhere: bool,
        /// The message stays in the channel (`?<…>`).
        keep: bool,
        /// What happens to each field, structures flattened.
        pattern: Vec<ReceiveArg>,
    },
    /// An error unless the value is not zero.
    Assert(Expr),
    /// Prints.
    Print {
        /// The format, its quotes removed and its escapes resolved.
        format: String,
        /// What is printed.
        arguments: Vec<Expr>,
    },
    /// Prints one symbolic name.
    PrintName(Expr),
    /// Changes the priority of a process: its number, its new priority.
    SetPriority(Expr, Expr),
    /// Runs the locations from here on as one indivisible step, taking the first edge that can be
    /// executed at each.
    DeterministicStep(LocationId),
    /// In a `trace`: a send or receive event with this message.
    Event {
        /// Sent or received.
        kind: EventKind,
        /// On which channel.
        channel: Expr,
        /// What each field must be; what is to be stored is ignored.
        pattern: Vec<ReceiveArg>,
    },
    /// The process ends; it must be the youngest.
    End,
}

impl Edge {
    /// Whether it counts as a choice in a process that must not have one. Doing nothing, `else` and
    /// a `d_step` do not, as in Spin.
    pub fn is_choice(&self) -> bool {
        match &self.action {
            Action::Skip | Action::Else | Action::DeterministicStep(_) => false,
            Action::Guard(expr) => !matches!(expr.kind, ExprKind::Const(value) if value != 0),
            _ => true,
        }
    }

    /// Calls `visit` on every expression of the edge, and on every expression inside it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.guard.iter().for_each(|guard| guard.walk(visit));
        self.action.walk(visit);
        for effect in &self.effects {
            effect.place.walk(visit);
            effect.value.walk(visit);
        }
    }

    /// What it assigns, in order, but for what it receives.
    pub fn assignments(&self) -> impl Iterator<Item = (&Place, &Expr)> {
        let assigned = match &self.action {
            Action::Assign(place, value) => Some((place, value)),
            _ => None,
        };
        assigned.into_iter().chain(self.effects.iter().map(|effect| (&effect.place, &effect.value)))
    }

    /// The places that it may write.
    pub fn stores(&self) -> impl Iterator<Item = &Place> {
        let assigned = match &self.action {
            Action::Assign(place, _) => Some(place),
            _ => None,
        };
        let pattern: &[ReceiveArg] = match &self.action {
            Action::Receive { pattern, .. } => pattern,
            _ => &[],
        };
        let received = pattern.iter().filter_map(|argument| match argument {
            ReceiveArg::Store(place) => Some(place),
            ReceiveArg::Match(_) | ReceiveArg::Discard => None,
        });
        assigned.into_iter().chain(received).chain(self.effects.iter().map(|effect| &effect.place))
    }
}

impl Action {
    /// Calls `visit` on every expression of the action, and on every expression inside it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Action::Guard(expr) | Action::Assert(expr) | Action::PrintName(expr) => expr.walk(visit),
            Action::Assign(place, expr) => {
                place.walk(visit);
                expr.walk(visit);
            }
            Action::Send { channel, values, .. } => {
                channel.walk(visit);
                values.iter().for_each(|value| value.walk(visit));
            }
            Action::Receive { channel, pattern, .. } | Action::Event { channel, pattern, .. } => {
                channel.walk(visit);
                pattern.iter().for_each(|argument| argument.walk(visit));
            }
            Action::Print { arguments, .. } => arguments.iter().for_each(|argument| argument.walk(visit)),
            Action::SetPriority(target, priority) => {
                target.walk(visit);
                priority.walk(visit);
            }
            Action::Skip | Action::Else | Action::DeterministicStep(_) | Action::End => {}
        }
    }
}
