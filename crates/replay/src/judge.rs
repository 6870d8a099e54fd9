//! The judge: is a trace a run of the model, and does it end in the fault that is claimed?

use std::collections::HashSet;

use ample_interpret::Interpreter;
use ample_product::letter;
use ample_transition::{Fault, FaultKind, Move, Trace};

use crate::cycle::replay_cycle;
use crate::{Forbids, Run, Step, Waiting, prefix};

/// A trace that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Its moves.
    pub steps: Vec<Step>,
    /// The fault that was claimed, as the replay met it.
    pub fault: Fault,
    /// The position in `steps` of the move at fault; `None` if it is a state: the initial or the last one.
    pub fault_at: Option<usize>,
    /// Where each process is at the end.
    pub waiting: Vec<Waiting>,
    /// For an endless run: the position in `steps` from which on they are repeated for ever. If there are none, nothing can move.
    pub cycle: Option<usize>,
}

impl Replayed {
    /// The moves up to the fault. An `atomic` sequence may go on after it, which tells a reader nothing.
    pub fn steps_to_fault(&self) -> &[Step] {
        match self.fault_at {
            Some(at) => &self.steps[..=at],
            None => &self.steps,
        }
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
    /// The run is possible and endless, but nothing forbids it.
    #[error("the run is possible and endless, but it is not one that the property forbids")]
    NotForbidden,
    /// The run is possible and endless, but not fair to this process.
    #[error("the run is possible and endless, but {0} could move all the time and never does")]
    NotFair(String),
}

/// Whether `trace` is a run of the model that ends in `fault` (same kind, same place), or one that the property forbids as a whole.
pub fn judge(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    fault: &Fault,
    property: Option<&dyn Forbids>,
) -> Result<Replayed, Mismatch> {
    let claimed = |met: &Fault| met.kind == fault.kind && met.span == fault.span;
    replay(interpreter, trace, &claimed, property)?.ok_or_else(|| Mismatch::NoFault {
        moves: trace.moves().count(),
        kind: fault.kind.name(),
        message: fault.message.clone(),
    })
}

/// Re-runs `trace` and looks in its last transition, or in the state it leads to, for a fault that is `claimed`: also for a proposition of
/// the property that has no value there, and whether the property forbids everything that begins so. An endless run is one that the property forbids, if that is what is claimed.
pub fn replay(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    claimed: &dyn Fn(&Fault) -> bool,
    property: Option<&dyn Forbids>,
) -> Result<Option<Replayed>, Mismatch> {
    if let (Some(before), Some(property)) = (trace.cycle, property) {
        let is_claimed = claimed(property.fault());
        return is_claimed.then(|| replay_cycle(interpreter, trace, before, property)).transpose();
    }
    let mut run = match Run::start(interpreter) {
        Ok(run) => run,
        Err(fault) if trace.transitions.is_empty() && claimed(&fault) => {
            return Ok(Some(Replayed {
                steps: Vec::new(),
                fault: *fault,
                fault_at: None,
                waiting: Vec::new(),
                cycle: None,
            }));
        }
        Err(fault) => return Err(Mismatch::NoInitialState(fault.message)),
    };
    let mut steps = Vec::new();
    let mut last_begin = run.clone();
    for transition in &trace.transitions {
        last_begin = run.clone();
        for &step in transition {
            steps.push(take(&mut run, step, steps.len() + 1)?);
        }
    }
    let last_length = trace.transitions.last().map_or(0, Vec::len);
    let found = fault_in_moves(&steps, steps.len() - last_length, claimed)
        .or_else(|| run.invalid_end().filter(|fault| claimed(fault)).map(|fault| (*fault, None)))
        .or_else(|| {
            let moves = trace.transitions.last().map_or(&[][..], Vec::as_slice);
            let (fault, until) = endless_atomic(last_begin, moves, &run).filter(|(fault, _)| claimed(fault))?;
            Some((fault, (steps.len() - last_length + until).checked_sub(1)))
        })
        .or_else(|| {
            let fault = letter(interpreter, property?.propositions(), run.state()).err()?;
            claimed(&fault).then_some((*fault, None))
        });
    let found = match (found, property) {
        (None, Some(property)) if claimed(&property.prefix_fault()) => {
            prefix::is_bad(interpreter, trace, property)?.then(|| (property.prefix_fault(), None))
        }
        (found, _) => found,
    };
    let waiting = run.waiting();
    Ok(found.map(|(fault, fault_at)| Replayed { steps, fault, fault_at, waiting, cycle: None }))
}

pub(crate) fn take(run: &mut Run<'_, '_>, step: Move, number: usize) -> Result<Step, Mismatch> {
    let mut moves = run.moves();
    match moves.iter().position(|outcome| outcome.step == step) {
        Some(position) => Ok(run.take(moves.swap_remove(position))),
        None => Err(Mismatch::NotPossible { number, what: not_possible(run, step) }),
    }
}

fn not_possible(run: &Run<'_, '_>, step: Move) -> String {
    let possible: Vec<String> = run
        .moves()
        .iter()
        .map(|outcome| run.describe(outcome))
        .map(|step| format!("{}: {}", step.mover.name, step.mover.text))
        .collect();
    let possible = if possible.is_empty() { "nothing is".to_owned() } else { possible.join(", ") };
    let name = run.interpreter().process_name(run.state(), step.process);
    format!("edge {:?} of {name}; possible: {possible}", step.edge)
}

fn fault_in_moves(steps: &[Step], first: usize, claimed: &dyn Fn(&Fault) -> bool) -> Option<(Fault, Option<usize>)> {
    let faults = steps.iter().enumerate().skip(first).flat_map(|(at, step)| step.faults.iter().map(move |f| (at, f)));
    faults.into_iter().find(|(_, fault)| claimed(fault)).map(|(at, fault)| (fault.clone(), Some(at)))
}

/// The fault of a transition that comes back to a state it has been in, with the same process in control: it never ends.
/// Single moves do not show that, so the transition is run once more. Gives the fault and the number of moves until the
/// first repetition; the rest tells a reader nothing.
fn endless_atomic(begin: Run<'_, '_>, moves: &[Move], end: &Run<'_, '_>) -> Option<(Fault, usize)> {
    let pid = end.control()?;
    let process = end.state().processes.get(usize::from(pid))?;
    let template = &end.interpreter().model().templates[process.template];
    let repetition = first_repetition(begin, moves);
    let is_long = moves.len() >= MOST_MOVES;
    let until = repetition.or_else(|| is_long.then_some(moves.len()))?;
    let fault = Fault {
        kind: FaultKind::RuntimeError,
        message: "the atomic sequence does not end".to_owned(),
        process: Some(pid),
        span: template.locations[process.location].span,
        notes: Vec::new(),
    };
    Some((fault, until))
}

/// The interpreter takes an `atomic` sequence of so many moves for endless although no state was repeated.
const MOST_MOVES: usize = 1_000_000;

/// After how many moves the run is in a state for the second time.
fn first_repetition(mut run: Run<'_, '_>, moves: &[Move]) -> Option<usize> {
    let mut seen = HashSet::new();
    for (number, step) in moves.iter().enumerate() {
        take(&mut run, *step, number + 1).ok()?;
        let mut state = Vec::new();
        run.interpreter().encode(run.state(), &mut state);
        if !seen.insert((run.control(), state)) {
            return Some(number + 1);
        }
    }
    None
}
