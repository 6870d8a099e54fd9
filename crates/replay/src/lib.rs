//! Re-runs traces on the reference semantics alone, judges them, and keeps them in files.
//!
//! - [`Run`]: one run of a model on the interpreter, move by move, each described for people as a
//!   [`Step`];
//! - [`replay`] and [`judge`]: is a trace a run of the model, and does it end in the fault that is
//!   claimed, or go on for ever as a property forbids?
//! - [`concretize`] and [`regroup`]: what was found among canonical forms or in a rewritten model,
//!   as a trace of the model as written;
//! - [`Steps`]: the steps of such a trace, one after the other;
//! - [`TraceFile`]: a trace in a file, with the hash of the model it belongs to;
//! - [`spin`]: a run that Spin printed, followed on our interpreter.
//!
//! Invariant: nothing here knows how a trace was found. The interpreter of the unreduced model is
//! the only judge.

mod concrete;
mod cycle;
mod fair;
mod judge;
mod prefix;
mod regroup;
mod replayed;
mod run;
pub mod spin;
mod steps;
mod trace_file;

pub use concrete::{concretize, concretize_fault};
pub use cycle::Forbids;
pub use judge::{judge, replay, run_along};
pub use regroup::{MovesOf, regroup};
pub use replayed::{Mismatch, Replayed};
pub use run::{Created, Participant, Run, Step, Waiting, step_text};
pub use steps::Steps;
pub use trace_file::{Comments, SavedFault, SourceChange, SourceHash, TraceFile, TraceFileError};
