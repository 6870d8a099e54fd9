//! What can go wrong along a run.

use ample_source::Span;

use crate::Pid;

/// The kinds of things that can go wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An assertion is false. The run goes on as if it were true.
    Assertion,
    /// Nothing can move and a process is not where it may end.
    InvalidEndState,
    /// A statement has no meaning here: an index out of range, a division by zero, an unknown
    /// channel, … The run ends.
    RuntimeError,
    /// A `trace` or `notrace` assertion is violated. The run goes on.
    TraceAssertion,
    /// A channel claimed by `xr` or `xs` is used by another process. The run goes on.
    Exclusive,
    /// The run is infinite, and a property forbids it as a whole.
    Cycle,
    /// A property forbids every infinite run that begins like this one.
    BadPrefix,
    /// A value is beyond 64 bits, so that nobody knows how the run goes on. No property forbids
    /// that: it is a limit of the program and not an error of the model.
    ValueLimit,
}

impl FaultKind {
    /// All kinds that a property may forbid.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::Assertion,
        FaultKind::InvalidEndState,
        FaultKind::RuntimeError,
        FaultKind::TraceAssertion,
        FaultKind::Exclusive,
        FaultKind::Cycle,
        FaultKind::BadPrefix,
    ];

    /// The name used in reports for machines.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::InvalidEndState => "invalid-end-state",
            FaultKind::RuntimeError => "run-time-error",
            FaultKind::TraceAssertion => "trace",
            FaultKind::Exclusive => "exclusive",
            FaultKind::Cycle => "cycle",
            FaultKind::BadPrefix => "bad-prefix",
            FaultKind::ValueLimit => "value-limit",
        }
    }
}

/// Something that went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of thing.
    pub kind: FaultKind,
    /// The whole sentence, without place: `assertion failed: inside <= 1`.
    pub message: String,
    /// The process at fault.
    pub process: Option<Pid>,
    /// The statement at fault. Faults with the same kind and place are the same fault.
    pub span: Span,
    /// More to know, a line each: where each process waits, what the values were.
    pub notes: Vec<String>,
}
