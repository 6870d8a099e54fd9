//! The loops, one line each, and the plans that they come to in the end.

use ample_guarantee::{Part, decide};
use ample_product::Fairness;
use ample_search::StopAt;

use super::approximation::{Ends, LeavesOut, Loop, StatesStart};
use super::{cycles, interleaving, predicates, visibility};
use crate::error::CheckError;
use crate::options::{Choice, Options, Reduce, Under};
use crate::plan::{self, Algorithm, LookingFor, Plan};
use crate::question::Question;
use crate::system::System;

/// All loops. The first is the default: it explores least until an error on the violated formulas
/// of BEEM (`ample bench under`).
pub static LOOPS: &[Loop] = &[visibility::LOOP, cycles::LOOP, interleaving::LOOP, predicates::LOOP];

pub(super) fn find(loops: &'static [Loop], under: &Under) -> Result<&'static Loop, CheckError> {
    let found = match under.name.as_str() {
        "auto" => loops.first(),
        name => loops.iter().find(|entry| entry.part.name == name),
    };
    let known = loops.iter().map(|entry| entry.part.name);
    found.ok_or_else(|| CheckError::unknown_name("under-approximation", &under.name, known))
}

/// The plan that a loop comes to in the end, if it is sound for the question.
pub(crate) fn plan(
    loops: &'static [Loop],
    options: &Options,
    under: &Under,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    let entry = find(loops, under)?;
    let plan = match entry.leaves_out {
        LeavesOut::Transitions { expander, ends, .. } => {
            of_transitions(entry, expander, ends, options, under, system, question)?
        }
        LeavesOut::States { check, .. } => {
            let plan = of_states(entry, options, under, system, question)?;
            check(StatesStart { options, system, goal: &question.goal })?;
            plan
        }
    };
    // The loop promises nothing before it is exact: what must be noticed in the end is checked
    // above.
    let parts = plan.parts.with(entry.part);
    decide(&parts, &question.property)?;
    Ok(Plan { parts, ..plan })
}

/// The plan of a loop whose approximations leave out transitions.
fn of_transitions(
    entry: &Loop,
    expander: &'static Part,
    ends: Ends,
    options: &Options,
    under: &Under,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    check_options(options, under)?;
    if system.reducible.is_none() {
        let why = system.why_not_reducible();
        return Err(conflict(under, &format!("cannot be used here: the processes are not known, since {why}")));
    }
    (entry.refuse)(options)?;
    let plan = plan::plan_reduced_by(expander, options, system, question)?;
    let plan = plan::checked(exact(ends, options, plan)?, system, question)?;
    plan::rewritten(plan, options, system, question)
}

/// The plan of a loop whose approximations take states for one: all transitions of the model as
/// written, in the one order that says which state comes first.
fn of_states(
    entry: &Loop,
    options: &Options,
    under: &Under,
    system: &System<'_>,
    question: &Question,
) -> Result<Plan, CheckError> {
    check_states(options, under)?;
    (entry.refuse)(options)?;
    let order = Choice::Named(ample_search::BFS.name.to_owned());
    let options = Options { order, threads: Some(1), reduce: Reduce::None, ..options.clone() };
    let plan = plan::plan(&options, system, question)?;
    match plan.algorithm {
        Algorithm::Order(_) => Ok(plan),
        _ => Err(conflict(
            under,
            &format!(
                "looks for states, not for infinite runs, and `{}` is about these: name what it is to check with -p",
                question.property.name
            ),
        )),
    }
}

/// Refuses what does not go with taking states for one.
fn check_states(options: &Options, under: &Under) -> Result<(), CheckError> {
    let refuse = |what: &str| Err(conflict(under, &format!("does not go with {what}")));
    let bfs = ample_search::BFS.name;
    match (&options.reduce, &options.store, &options.order, &options.emptiness) {
        (Reduce::List(_), ..) => refuse("--reduce: it explores the model as written; leave it out"),
        _ if options.por != Choice::Auto => refuse("--por: all transitions of the states that are kept are taken"),
        _ if options.cycle_condition != Choice::Auto => refuse("--proviso: no transition is left out"),
        _ if !options.matching.is_empty() => refuse("--match: each takes states for one in its own way"),
        (_, Choice::Named(name), ..) if options.techniques.may_miss_states(name) => {
            refuse(&format!("--store {name}: where states may be missed it never comes to an answer"))
        }
        (_, _, Choice::Named(name), _) if name != bfs => refuse(&format!(
            "--order {name}: which state of a class comes first decides what is explored; leave it out"
        )),
        (.., Choice::Named(name)) => refuse(&format!("--emptiness {name}: it looks for states, not for infinite runs")),
        _ if options.threads.is_some_and(|threads| threads > 1) => {
            refuse("several threads: which state of a class comes first decides what is explored; leave --threads out")
        }
        _ if options.fairness != Fairness::None => refuse("--fair: it looks for states, not for infinite runs"),
        _ if options.coverage => refuse("--coverage: what is left out changes from run to run"),
        _ => Ok(()),
    }
}

/// The plan of the exact approximation, made of the one with the cycle condition that is asked for.
fn exact(ends: Ends, options: &Options, plan: Plan) -> Result<Plan, CheckError> {
    let is_sticky = match ends {
        Ends::AsAsked => false,
        Ends::Sticky => true,
        Ends::StickyForRuns => plan.looking_for == LookingFor::Runs,
    };
    Ok(match plan.reduction {
        Some((expander, _)) if is_sticky => {
            plan.with_reduction(expander, plan::cycle_condition(options, &ample_reduction::STICKY)?)
        }
        _ => plan,
    })
}

/// Refuses what does not go with any loop.
fn check_options(options: &Options, under: &Under) -> Result<(), CheckError> {
    let refuse = |what: &str| Err(conflict(under, &format!("does not go with {what}")));
    match (&options.reduce, &options.store) {
        (Reduce::None, _) => refuse("--reduce none: it is a partial order reduction"),
        _ if plan::sleep_sets(options).is_some() => refuse("--reduce sleep: leave one of them out"),
        (_, Choice::Named(name)) if options.techniques.may_miss_states(name) => {
            refuse(&format!("--store {name}: where states may be missed it never comes to an answer"))
        }
        _ if options.stop_at == StopAt::End => refuse("--keep-going: the first violation ends the loop"),
        _ if options.coverage => refuse("--coverage: what is left out changes from run to run"),
        _ => Ok(()),
    }
}

pub(super) fn conflict(under: &Under, what: &str) -> CheckError {
    CheckError::Conflict(format!("--under {} {what}", under.name))
}
