//! What comes of a replay, and its moves one by one.

use ample_interpret::describe::Change;
use ample_interpret::{Interpreter, Outcome};
use ample_transition::{Fault, Move, Trace};

use crate::{Run, Steps, Waiting};

/// What is known of a trace that was replayed. Its steps are made again where they are shown: to
/// keep them would take much more memory than the search for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How many moves it has up to the fault. An `atomic` sequence may go on after it, which tells
    /// a reader nothing.
    pub moves: usize,
    /// The fault that was claimed, as the replay met it.
    pub fault: Fault,
    /// The name of the process at fault.
    pub culprit: Option<String>,
    /// The position of the move at fault; `None` if it is a state: the initial or the last one.
    pub fault_at: Option<usize>,
    /// Where each process is at the end.
    pub waiting: Vec<Waiting>,
    /// The values of variables and channels at the end.
    pub values: Vec<Change>,
    /// For an infinite run: the position of the move from which on they are repeated for ever. If
    /// there are none, nothing can move.
    pub cycle: Option<usize>,
}

impl Replayed {
    /// A fault that is met before any move.
    pub fn at_once(fault: Fault) -> Replayed {
        let (waiting, values) = (Vec::new(), Vec::new());
        Replayed { moves: 0, fault, culprit: None, fault_at: None, waiting, values, cycle: None }
    }

    /// Its steps up to the fault.
    pub fn steps<'i, 'm, 't>(&self, interpreter: &'i Interpreter<'m>, trace: &'t Trace) -> Steps<'i, 'm, 't> {
        Steps::new(interpreter, trace, self.moves)
    }
}

/// Why a trace is not what it claims to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// There is no initial state.
    #[error("there is no initial state: {0}")]
    NoInitialState(String),
    /// A move is not possible where it stands.
    #[error("move {number} is not possible: {what}")]
    NotPossible {
        /// The number of the move, from 1.
        number: usize,
        /// The move, and what would be possible.
        what: String,
    },
    /// The run is possible, but nothing goes wrong as claimed.
    #[error("after {moves} moves there is no {kind}: {message}")]
    NoFault {
        /// How many moves the trace has.
        moves: usize,
        /// What kind of fault was claimed.
        kind: &'static str,
        /// The fault that was claimed.
        message: String,
    },
    /// The run is possible, but it does not go on for ever as claimed.
    #[error("{0}")]
    NotEndless(String),
    /// The run is possible and infinite, but nothing forbids it.
    #[error("the run is possible and infinite, but it is not one that the property forbids")]
    NotForbidden,
    /// The run is possible and infinite, but not fair to this process.
    #[error("the run is possible and infinite, but {0} could move all the time and never does")]
    NotFair(String),
}

/// Makes a move, if that is possible.
pub(crate) fn pass(run: &mut Run<'_, '_>, step: Move, number: usize) -> Result<(), Mismatch> {
    let outcome = possible(run, step, number)?;
    run.pass(outcome);
    Ok(())
}

pub(crate) fn possible(run: &Run<'_, '_>, step: Move, number: usize) -> Result<Outcome, Mismatch> {
    run.outcome(step).ok_or_else(|| Mismatch::NotPossible { number, what: not_possible(run, step) })
}

fn not_possible(run: &Run<'_, '_>, step: Move) -> String {
    let possible = run.possible().unwrap_or_else(|| "nothing is".to_owned());
    let name = run.interpreter().process_name(run.state(), step.process);
    format!("edge {:?} of {name}; possible: {possible}", step.edge)
}
