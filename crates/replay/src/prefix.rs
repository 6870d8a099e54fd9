//! The judge of beginnings: does a property forbid every run that goes on from here?

use ample_interpret::Interpreter;
use ample_property::Lasso;
use ample_transition::Trace;

use crate::cycle::read;
use crate::replayed::pass;
use crate::{Forbids, Mismatch, Run};

/// Whether the property forbids every run that begins with this trace. If nothing can move in its
/// last state, there is only one.
pub(crate) fn is_bad(interpreter: &Interpreter<'_>, trace: &Trace, property: &dyn Forbids) -> Result<bool, Mismatch> {
    let mut run = Run::start(interpreter).map_err(|fault| Mismatch::NoInitialState(fault.message))?;
    let mut letters = vec![read(&run, property)?];
    let mut taken = 0;
    for transition in &trace.transitions {
        for &step in transition {
            taken += 1;
            pass(&mut run, step, taken)?;
        }
        letters.push(read(&run, property)?);
    }
    if run.moves().is_empty() && !run.is_over() {
        let last = letters.pop().into_iter().collect();
        return Ok(Lasso::new(letters, last).is_some_and(|word| property.forbids(&word)));
    }
    Ok(property.forbids_whatever_follows(&letters))
}
