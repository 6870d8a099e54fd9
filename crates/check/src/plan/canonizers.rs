//! The canonizers of a plan, made for a question.

use ample_reduction::{CanonizerEntry, NotHere, Visible};
use ample_search::StopAt;
use ample_transition::Canonizer;

use super::Plan;
use super::visible::visible;
use crate::error::CheckError;
use crate::options::Options;
use crate::question::{Goal, Question};
use crate::system::{Reducible, System};

/// What canonizes the states of a search, in order; those with nothing to do left out.
pub(crate) fn made<'a>(plan: &Plan, known: Reducible<'a>, goal: &Goal) -> Vec<Box<dyn Canonizer + 'a>> {
    let visible = visible(goal);
    plan.canonizers.iter().filter_map(|entry| make(entry, known, &visible).ok().flatten()).collect()
}

/// Whether a canonizer has something to do for a question, or why it does not apply.
pub(crate) fn applies(entry: &CanonizerEntry, known: Reducible<'_>, goal: &Goal) -> Result<bool, NotHere> {
    Ok(make(entry, known, &visible(goal))?.is_some())
}

fn make<'a>(
    entry: &CanonizerEntry,
    known: Reducible<'a>,
    visible: &Visible<'_>,
) -> Result<Option<Box<dyn Canonizer + 'a>>, NotHere> {
    (entry.make)(known.network, known.facts(), visible)
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
    let mut result = if plan.for_graph { Ok(()) } else { names_every_statement(plan, options) };
    let mut check = |known: Reducible<'_>| {
        if result.is_err() {
            return;
        }
        if known.find_out(&options.limits.stop()).is_err() {
            return;
        }
        for entry in &plan.canonizers {
            if let Err(NotHere(reason)) = applies(entry, known, &question.goal) {
                result = Err(CheckError::not_here(entry.part.name, &reason));
            }
        }
    };
    match (&plan.rewriting, system.prepare, system.reducible) {
        _ if plan.canonizers.is_empty() => {}
        (Some(rewriting), Some(prepare), _) => prepare.analyse(&rewriting.model, &mut check),
        (_, _, Some(known)) => check(known),
        _ => {}
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
