//! The canonizers of a plan, made for a question.

use ample_reduction::{CanonizerEntry, NotHere, Visible};
use ample_search::StopAt;
use ample_stdx::Stop;
use ample_transition::Canonizer;

use super::Plan;
use super::visible::visible;
use crate::error::CheckError;
use crate::options::Options;
use crate::question::{Goal, Question};
use crate::system::{Reducible, System};

/// What canonizes the states of a search, in order; those with nothing to do left out, and those
/// for which there is no time, since then there is none for the search.
pub(crate) fn made<'a>(plan: &Plan, known: Reducible<'a>, goal: &Goal, stop: &Stop) -> Vec<Box<dyn Canonizer + 'a>> {
    let visible = visible(goal);
    plan.canonizers.iter().filter_map(|entry| make(entry, known, &visible, stop).ok().flatten()).collect()
}

/// Whether a canonizer has something to do for a question, or why it does not apply.
pub(crate) fn applies(entry: &CanonizerEntry, known: Reducible<'_>, goal: &Goal, stop: &Stop) -> Result<bool, NotHere> {
    Ok(make(entry, known, &visible(goal), stop)?.is_some())
}

fn make<'a>(
    entry: &CanonizerEntry,
    known: Reducible<'a>,
    visible: &Visible<'_>,
    stop: &Stop,
) -> Result<Option<Box<dyn Canonizer + 'a>>, NotHere> {
    (entry.make)(known.network, known.facts(), visible, stop)
}

/// Refuses canonizers that do not apply to the model that is searched. If there is no time to find
/// out, there will be none to search.
pub(super) fn check(
    plan: &Plan,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<(), CheckError> {
    // In a graph a permutation changes no name: it takes edges for others of the same text.
    let mut result = if plan.names_are_labels { Ok(()) } else { names_every_statement(plan, options) };
    let mut check = |known: Reducible<'_>| {
        if result.is_err() {
            return;
        }
        let stop = options.limits.stop();
        if known.find_out(&stop).is_err() {
            return;
        }
        for entry in &plan.canonizers {
            let applies = applies(entry, known, &question.goal, &stop);
            if let Some(NotHere(reason)) = applies.err().filter(|_| !stop.is_due()) {
                result = Err(CheckError::not_here(entry.part.name, &reason));
            }
        }
    };
    if !plan.canonizers.is_empty() {
        plan.analyse(system, &mut check);
    }
    result
}

/// Refuses canonizers that take transitions for others where every statement counts by itself.
fn names_every_statement(plan: &Plan, options: &Options) -> Result<(), CheckError> {
    let flag = match options.stop_at {
        _ if options.coverage => "--coverage",
        StopAt::End => "--keep-going",
        _ => return Ok(()),
    };
    let reason = format!("{flag} asks about every statement, and a permutation may take one for another");
    let taking = plan.canonizers.iter().find(|entry| entry.close.is_some());
    taking.map_or(Ok(()), |entry| Err(CheckError::not_here(entry.part.name, &reason)))
}
