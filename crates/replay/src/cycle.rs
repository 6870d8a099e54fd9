//! The judge of infinite runs: is a trace a run of the model that can go on for ever, and does a
//! property forbid it?
//!
//! Neither the product nor the search has a part in this: the run is made by the interpreter, what
//! is true in its states is written down as a word, and the word is judged by itself.

use ample_interpret::Interpreter;
use ample_model::Expr;
use ample_product::{Fairness, letter};
use ample_property::{Lasso, Letter};
use ample_transition::{Fault, FaultKind, Trace};

use crate::fair::Turns;
use crate::replayed::pass;
use crate::{Mismatch, Replayed, Run};

/// What a property says of infinite runs.
pub trait Forbids {
    /// What it looks at in a state, by number.
    fn propositions(&self) -> &[Expr];

    /// What a run that it forbids is called.
    fn fault(&self) -> &Fault;

    /// Whether it forbids a run of which this is true, state after state.
    fn forbids(&self, word: &Lasso) -> bool;

    /// Whether it forbids every run of which this is true in its first states.
    fn forbids_whatever_follows(&self, beginning: &[Letter]) -> bool;

    /// Which of the runs that it forbids count.
    fn fairness(&self) -> Fairness {
        Fairness::None
    }

    /// What a run is called if it forbids everything that begins so.
    fn prefix_fault(&self) -> Fault {
        let Fault { message, process, span, notes, .. } = self.fault().clone();
        Fault { kind: FaultKind::BadPrefix, message: format!("{message}, however it goes on"), process, span, notes }
    }
}

/// Re-runs `trace`, an infinite run that the property forbids; `before` is how many transitions
/// come before its cycle.
pub(crate) fn replay_cycle(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    before: usize,
    property: &dyn Forbids,
) -> Result<Replayed, Mismatch> {
    let mut run = Run::start(interpreter).map_err(|fault| Mismatch::NoInitialState(fault.message))?;
    let mut moves = 0;
    let mut letters = vec![read(&run, property)?];
    // Where the cycle begins: the position of its first move, and the state.
    let mut cycle = None;
    let mut turns = Turns::default();
    for (number, transition) in trace.transitions.iter().enumerate() {
        if number == before {
            cycle = Some((moves, pack(&run)));
        }
        if cycle.is_some() {
            turns.note(&run, transition);
        }
        for &step in transition {
            moves += 1;
            pass(&mut run, step, moves)?;
        }
        letters.push(read(&run, property)?);
    }
    let cycle = match cycle {
        Some((cycle, begin)) if pack(&run) == begin => {
            letters.pop();
            cycle
        }
        Some(_) => {
            let reason = "the run does not come back to where its cycle begins";
            return Err(Mismatch::NotEndless(reason.to_owned()));
        }
        None if run.moves().is_empty() => moves,
        None => return Err(Mismatch::NotEndless("something can still move at the end".to_owned())),
    };
    let repeated = letters.split_off(before.min(letters.len().saturating_sub(1)));
    let word = Lasso::new(letters, repeated).ok_or_else(|| Mismatch::NotEndless("the cycle is empty".to_owned()))?;
    if !property.forbids(&word) {
        return Err(Mismatch::NotForbidden);
    }
    if let (Fairness::Weak, Some(pid)) = (property.fairness(), turns.starved()) {
        return Err(Mismatch::NotFair(run.interpreter().process_name(run.state(), pid)));
    }
    let (waiting, values) = (run.waiting(), interpreter.describe(run.state()));
    let fault = property.fault().clone();
    Ok(Replayed { moves, fault, culprit: None, fault_at: None, waiting, values, cycle: Some(cycle) })
}

pub(crate) fn read(run: &Run<'_, '_>, property: &dyn Forbids) -> Result<Letter, Mismatch> {
    letter(run.interpreter(), property.propositions(), run.state())
        .map_err(|fault| Mismatch::NotEndless(format!("a proposition has no value: {}", fault.message)))
}

/// A state, and whether a process goes on in it. One that is blocked has lost control.
fn pack(run: &Run<'_, '_>) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    run.interpreter().encode(run.state(), &mut bytes);
    let goes_on = |pid| !run.interpreter().moves_of(run.state(), pid).is_empty();
    (bytes, run.control().is_some_and(goes_on))
}
