//! A strategy on a rewritten model: what it finds is said of the model as written.

use ample_model::TemplateId;
use ample_replay::regroup;
use ample_search::{Found, SearchOutcome};
use ample_transition::{Fault, Move, Pid, Stretch, SuccessorBuffer, Successors, Trace};

use super::context::{Answered, SearchContext, StateObserver};
use crate::coverage::TemplateOf;
use crate::error::CheckError;
use crate::plan::{Plan, Rewriting};
use crate::system::System;

/// Runs a strategy for a plan, on the model that its passes have made if there is one.
pub(crate) fn answer(
    context: &mut SearchContext<'_, '_>,
    plan: &Plan,
    strategy: impl Fn(&mut SearchContext<'_, '_>) -> Result<Answered, CheckError>,
) -> Result<Answered, CheckError> {
    let (Some(rewriting), Some(prepare)) = (plan.rewriting.as_deref(), context.system.prepare) else {
        return strategy(context);
    };
    let (written, outer) = (context.system, context.observer);
    let note = |template_of: TemplateOf<'_>, state: &[u8], successors: &SuccessorBuffer| {
        if let Some(observer) = outer {
            let of_process = |pid| template_of(state, pid);
            observer(template_of, state, &with_moves_as_written(successors, rewriting, &of_process));
        }
    };
    let observer: Option<StateObserver<'_>> = if outer.is_some() { Some(&note) } else { None };
    let nothing = Answered::of(plan.clone(), SearchOutcome::not_begun());
    let mut answered = Ok(nothing);
    prepare.execute(&rewriting.model, &context.limits.stop(), &mut |system| {
        answered = strategy(&mut context.of(system, observer));
    });
    answered.map(|answered| as_written(answered, rewriting, written))
}

/// The same successors with the moves of the model as written, those of one round where they are
/// repeated.
pub(crate) fn with_moves_as_written(
    successors: &SuccessorBuffer,
    rewriting: &Rewriting,
    template_of: &dyn Fn(Pid) -> Option<TemplateId>,
) -> SuccessorBuffer {
    let mut written = SuccessorBuffer::new();
    for successor in successors.iter() {
        let moves = Stretch::one_round(&rewriting.back(successor.moves, template_of));
        match successor.state {
            Some(state) => written.push(&moves, successor.faults, Some(&mut |out| out.extend_from_slice(state))),
            None => written.push(&moves, successor.faults, None),
        }
    }
    let passed = successors.passed().map_or(Vec::new(), |passed| rewriting.back(passed.moves, template_of));
    Stretch::one_round(&passed).into_iter().for_each(|step| written.push_passed(step));
    written
}

/// The same with the runs of the model as written. One that is no run there stays as it is: the
/// judge will not find it.
fn as_written(answered: Answered, rewriting: &Rewriting, written: &System<'_>) -> Answered {
    let back = |trace: Trace, fault: &Fault| {
        let moves_of =
            |state: &[u8], transition: &[Move]| rewriting.back(transition, &|pid| (written.template_of)(state, pid));
        let found = regroup(written.successors, &trace, fault, &moves_of);
        found.map_or(trace, |trace| completed(trace, written.successors))
    };
    let found = |Found { fault, trace, longer }| {
        let (trace, longer) = (back(trace, &fault), longer.map(|longer| back(longer, &fault)));
        Found { fault, trace, longer }
    };
    let violations = answered.outcome.violations.into_iter().map(found).collect();
    Answered { outcome: SearchOutcome { violations, ..answered.outcome }, ..answered }
}

/// A finite run is not gone on with beyond so many transitions.
const LONGEST: usize = 100_000;

/// A run that ends and stays where it is, gone on with on the model as written as long as something
/// can move there: a pass may have left out what does. What is no run stays as it is.
fn completed(mut trace: Trace, written: &dyn Successors) -> Trace {
    if trace.cycle != Some(trace.transitions.len()) {
        return trace;
    }
    let mut buffer = SuccessorBuffer::new();
    let Some(mut state) = end_of(&trace, written, &mut buffer) else { return trace };
    while trace.transitions.len() < LONGEST {
        buffer.clear();
        written.expand_all(&state, &mut buffer);
        let Some(next) = buffer.iter().find(|successor| successor.state.is_some()) else { break };
        trace.transitions.push(next.moves.to_vec());
        state = next.state.map(<[u8]>::to_vec).unwrap_or_default();
    }
    trace.cycle = Some(trace.transitions.len());
    trace
}

/// The state in which a run ends; nothing if it is no run.
fn end_of(trace: &Trace, written: &dyn Successors, buffer: &mut SuccessorBuffer) -> Option<Vec<u8>> {
    let mut state = written.initial().ok()?;
    for transition in &trace.transitions {
        buffer.clear();
        written.expand_all(&state, buffer);
        let taken = buffer.iter().find(|successor| successor.moves == transition.as_slice())?;
        state = taken.state?.to_vec();
    }
    Some(state)
}
