//! The passes of a plan, applied: the model that is searched in place of the one that was written.

use std::sync::Arc;

use ample_model::Model;
use ample_reduction::{NotHere, PassEntry, Rewrite, Rewritten, Visible};
use ample_search::StopAt;

use super::rewriting::Rewriting;
use super::visible::visible;
use super::{Plan, automatic, canonizers, covers, foresights};
use crate::error::CheckError;
use crate::options::{Options, Reduce};
use crate::question::Question;
use crate::system::{Prepare, Reducible, System};

/// The plan with the model that its passes make for the question. Those that find nothing to
/// rewrite are dropped, and so are those that do not apply if nobody has asked for them by name.
/// Canonizers that do not apply are refused.
pub(crate) fn rewritten(
    mut plan: Plan,
    options: &Options,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    let passes = std::mem::take(&mut plan.passes);
    let one_is_enough = options.stop_at == StopAt::FirstViolation;
    let visible = Visible { one_is_enough, names: plan.names_are_labels, ..visible(&question.goal) };
    let mut rewriting: Option<Rewriting> = None;
    let is_left_to_us = options.reduce == Reduce::Auto;
    for entry in passes {
        match apply(entry, system, rewriting.as_ref().map(|so_far| &so_far.model), &visible, options) {
            Ok(Some(Rewritten { model, .. })) if is_left_to_us && !automatic::has_left_something(&model) => {}
            Ok(None) => {}
            Ok(Some(Rewritten { model, back })) => {
                rewriting = Some(Rewriting::after(rewriting.take(), model, back));
                plan.passes.push(entry);
            }
            Err(_) if is_left_to_us => {}
            Err(NotHere(reason)) => return Err(CheckError::not_here(entry.part.name, &reason)),
        }
    }
    plan.rewriting = rewriting.map(Arc::new);
    canonizers::check(&plan, options, system, question)?;
    covers::check_applies(&plan, options, system, question)?;
    Ok(foresights::found_out(plan, options, system, question)?.assembled())
}

/// Applies one pass to the model of the system, or to what those before it have made of it.
fn apply(
    entry: &PassEntry,
    system: &System<'_>,
    model: Option<&Model>,
    visible: &Visible<'_>,
    options: &Options,
) -> Result<Option<Rewritten>, NotHere> {
    let of_network = match entry.rewrite {
        Rewrite::OfModel(rewrite) => {
            return model.or(system.prepare.map(Prepare::model)).map_or(Ok(None), |model| rewrite(model, visible));
        }
        Rewrite::OfNetwork(rewrite) => rewrite,
    };
    let rewrite = |known: Reducible<'_>| {
        let is_worth_it = options.reduce != Reduce::Auto || automatic::is_found_out_soon(known.network);
        if !is_worth_it || known.find_out(&options.limits.stop()).is_err() {
            return Ok(None);
        }
        of_network(known.network, known.facts(), visible)
    };
    let unknown = || NotHere(format!("the processes are not known, since {}", system.why_not_reducible()));
    let Some(model) = model else {
        return system.reducible.map_or_else(|| Err(unknown()), rewrite);
    };
    let mut result = Err(unknown());
    if let Some(prepare) = system.prepare {
        prepare.analyse(model, &mut |known| result = rewrite(known));
    }
    result
}
