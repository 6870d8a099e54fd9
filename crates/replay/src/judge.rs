//! The judge: is a trace a run of the model, and does it end in the fault that is claimed?

use std::collections::HashSet;

use ample_interpret::Interpreter;
use ample_product::letter;
use ample_source::Span;
use ample_transition::{Fault, FaultKind, Move, Pid, Trace};

use crate::cycle::replay_cycle;
use crate::replayed::{pass, possible};
use crate::{Forbids, Mismatch, Replayed, Run, Waiting, prefix};

/// The name of the process at fault, if it is still there at the end.
fn waiting_culprit(fault: &Fault, waiting: &[Waiting]) -> Option<String> {
    let pid = fault.process?;
    waiting.iter().find(|waiting| waiting.pid == pid).map(|waiting| waiting.name.clone())
}

/// Whether `trace` is a run of the model that ends in `fault` (same kind, same place), or one that
/// the property forbids as a whole.
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

/// Re-runs `trace` and looks in its last transition, or in the state it leads to, for a fault that
/// is `claimed`: also for a proposition of the property that has no value there, and whether the
/// property forbids everything that begins so. An infinite run is one that the property forbids, if
/// that is what is claimed.
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
            return Ok(Some(Replayed::at_once(*fault)));
        }
        Err(fault) => return Err(Mismatch::NoInitialState(fault.message)),
    };
    let Followed { moves, met, last_begin } = follow(&mut run, trace, claimed)?;
    let state_at_fault = |fault: Fault| Met { fault, at: None, culprit: None };
    let met = met
        .or_else(|| run.invalid_end().filter(|fault| claimed(fault)).map(|fault| state_at_fault(*fault)))
        .or_else(|| {
            let last = trace.transitions.last()?;
            let (fault, until) = endless_atomic(last_begin?, last, &run).filter(|(fault, _)| claimed(fault))?;
            Some(Met { fault, at: (moves - last.len() + until).checked_sub(1), culprit: None })
        })
        .or_else(|| {
            let fault = letter(interpreter, property?.propositions(), run.state()).err()?;
            claimed(&fault).then(|| state_at_fault(*fault))
        });
    let met = match (met, property) {
        (None, Some(property)) if claimed(&property.prefix_fault()) => {
            prefix::is_bad(interpreter, trace, property)?.then(|| state_at_fault(property.prefix_fault()))
        }
        (met, _) => met,
    };
    let (waiting, values) = (run.waiting(), interpreter.describe(run.state()));
    Ok(met.map(|Met { fault, at, culprit }| {
        let culprit = culprit.or_else(|| waiting_culprit(&fault, &waiting));
        Replayed { moves: at.map_or(moves, |at| at + 1), fault, culprit, fault_at: at, waiting, values, cycle: None }
    }))
}

/// What became of a trace whose moves were all made.
struct Followed<'i, 'm> {
    /// How many there are.
    moves: usize,
    /// The first fault of the last transition that is the one that is claimed.
    met: Option<Met>,
    /// Where the last transition begins.
    last_begin: Option<Run<'i, 'm>>,
}

/// A fault that was claimed.
struct Met {
    fault: Fault,
    /// The position of the move at fault, unless it is a state.
    at: Option<usize>,
    /// The process at fault, if it takes part in the move.
    culprit: Option<String>,
}

fn follow<'i, 'm>(
    run: &mut Run<'i, 'm>,
    trace: &Trace,
    claimed: &dyn Fn(&Fault) -> bool,
) -> Result<Followed<'i, 'm>, Mismatch> {
    let mut followed = Followed { moves: 0, met: None, last_begin: None };
    for (number, transition) in trace.transitions.iter().enumerate() {
        let is_last = number + 1 == trace.transitions.len();
        if is_last {
            followed.last_begin = Some(run.clone());
        }
        for &step in transition {
            let outcome = possible(run, step, followed.moves + 1)?;
            if let Some(fault) = outcome.faults.iter().find(|fault| is_last && claimed(fault))
                && followed.met.is_none()
            {
                let mut movers = std::iter::once(step.process).chain(step.partner.map(|(partner, _)| partner));
                let culprit = fault.process.filter(|culprit| movers.any(|pid| pid == *culprit));
                let culprit = culprit.map(|pid| run.interpreter().process_name(run.state(), pid));
                followed.met = Some(Met { fault: fault.clone(), at: Some(followed.moves), culprit });
            }
            run.pass(outcome);
            followed.moves += 1;
        }
    }
    Ok(followed)
}

/// The run along a trace, at its end.
pub fn run_along<'i, 'm>(interpreter: &'i Interpreter<'m>, trace: &Trace) -> Result<Run<'i, 'm>, Mismatch> {
    let mut run = Run::start(interpreter).map_err(|fault| Mismatch::NoInitialState(fault.message))?;
    follow(&mut run, trace, &|_| false)?;
    Ok(run)
}

/// The fault of a transition that comes back to a state it has been in, with the same process in
/// control: it never ends. Single moves do not show that, so the transition is run once more. Gives
/// the fault, whose place is where the sequence begins, and the number of moves until the first
/// repetition; the rest tells a reader nothing.
fn endless_atomic(begin: Run<'_, '_>, moves: &[Move], end: &Run<'_, '_>) -> Option<(Fault, usize)> {
    end.control()?;
    let (pid, span) = sequence_begin(begin.clone(), moves)?;
    let repetition = first_repetition(begin, moves);
    let is_long = moves.len() >= MOST_MOVES;
    let until = repetition.or_else(|| is_long.then_some(moves.len()))?;
    let fault = Fault {
        kind: FaultKind::RuntimeError,
        message: "the atomic sequence does not end".to_owned(),
        process: Some(pid),
        span,
        notes: Vec::new(),
    };
    Some((fault, until))
}

/// Who has begun the last sequence under one control, and where it was then.
fn sequence_begin(mut run: Run<'_, '_>, moves: &[Move]) -> Option<(Pid, Span)> {
    let mut begin = None;
    for (number, step) in moves.iter().enumerate() {
        if begin.is_none() || run.control() != Some(step.process) {
            let process = run.state().processes.get(usize::from(step.process))?;
            let template = &run.interpreter().model().templates[process.template];
            begin = Some((step.process, template.locations[process.location].span));
        }
        pass(&mut run, *step, number + 1).ok()?;
    }
    begin
}

/// The interpreter takes an `atomic` sequence of so many moves for endless although no state was
/// repeated.
const MOST_MOVES: usize = 1_000_000;

/// After how many moves the run is in a state for the second time.
fn first_repetition(mut run: Run<'_, '_>, moves: &[Move]) -> Option<usize> {
    let mut seen = HashSet::new();
    for (number, step) in moves.iter().enumerate() {
        pass(&mut run, *step, number + 1).ok()?;
        let mut state = Vec::new();
        run.interpreter().encode(run.state(), &mut state);
        if !seen.insert((run.control(), state)) {
            return Some(number + 1);
        }
    }
    None
}
