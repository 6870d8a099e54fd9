//! Searches that look for nothing.

use std::sync::Mutex;

use ample_interpret::State;
use ample_reduction::Reduced;
use ample_search::{Progress, SearchOutcome, StopAt};
use ample_stdx::lock;
use ample_store::Abstraction;
use ample_transition::{Expander, SuccessorBuffer};

use super::context::{SearchContext, StateObserver, reborrow};
use super::matched::Matched;
use super::rewritten::with_moves_as_written;
use crate::error::CheckError;
use crate::layers::reduction::ConfiguredReduction;
use crate::layers::{SearchLayers, SearchSpec, ground, joined};
use crate::options::{Choice, Options};
use crate::plan::{self, Algorithm, Plan, Rewriting};
use crate::question::{self, Goal, Selected};
use crate::system::System;

/// What a state that is explored is to the interpreter.
pub type Unpack<'u> = &'u dyn Fn(&[u8]) -> State;

/// Told of a state that is expanded with all its successors, and how states are packed.
pub type StateVisitor<'v> = &'v mut (dyn FnMut(Unpack<'_>, &[u8], &SuccessorBuffer) + Send);

/// Explores what the reductions that are named leave of a system, within the limits, on one thread,
/// and shows every state with the successors that are left to `visitor`. Looks for nothing. The
/// reductions keep what the property sees, a name as in a job.
///
/// The reduced set of a state is a function of the state, as in searches for runs: where nobody
/// names a cycle condition, it is theirs. Moves and states are those of the model as written. Where
/// states are matched by the values of expressions, transitions lead to the states that stand for
/// others.
pub fn explore(
    system: &System<'_>,
    property: &str,
    options: Options,
    mut progress: Option<&mut dyn Progress>,
    visitor: StateVisitor<'_>,
) -> Result<SearchOutcome, CheckError> {
    // One thread, and an order that is the same each time.
    let order = if options.order == Choice::Auto { Choice::parse(ample_search::DFS.name) } else { options.order };
    let options = Options { order, threads: Some(1), stop_at: StopAt::End, ..options }.resolved();
    let selected = question::select(system, &[property.to_owned()], &options.reduce)?.pop();
    let Some(Selected::Search(question)) = selected else { return Ok(SearchOutcome::not_begun()) };
    let plan = plan::for_graph(&options, system, &question)?;
    let visitor = Mutex::new(visitor);
    let mut run = |system: &System<'_>, rewriting: Option<&Rewriting>| {
        let matched = Matched::of(&plan, system);
        if let Some(matched) = &matched {
            let keep: StateObserver<'_> = &|_, state, _| matched.keep(state);
            let mut context = SearchContext::new(system, &options, Some(keep));
            context.search_left(&plan, &question.goal, Some(matched.abstraction()));
        }
        let observer: StateObserver<'_> = &|template_of, state, successors| match rewriting {
            None => {
                let matched = matched.as_ref().map(|matched| matched.to_representatives(successors));
                lock(&visitor)(&|state| (system.unpack)(state), state, matched.as_ref().unwrap_or(successors));
            }
            Some(rewriting) => {
                let written = with_moves_as_written(successors, rewriting, &|pid| template_of(state, pid));
                lock(&visitor)(&|state| rewriting.state((system.unpack)(state)), state, &written);
            }
        };
        let progress = reborrow(&mut progress);
        let mut context = SearchContext { progress, ..SearchContext::new(system, &options, Some(observer)) };
        context.search_left(&plan, &question.goal, matched.as_ref().map(Matched::abstraction))
    };
    match (plan.rewriting.as_deref(), system.prepare) {
        (Some(rewriting), Some(prepare)) => {
            let mut outcome = SearchOutcome::not_begun();
            let stop = options.limits.stop();
            prepare.execute(&rewriting.model, &stop, &mut |system| outcome = run(system, Some(rewriting)));
            Ok(outcome)
        }
        _ => Ok(run(system, None)),
    }
}

impl SearchContext<'_, '_> {
    /// Visits what the reductions of a plan leave of the system, or what an abstraction does that
    /// states are matched by, and looks for nothing.
    fn search_left(&mut self, plan: &Plan, goal: &Goal, abstraction: Option<&dyn Abstraction>) -> SearchOutcome {
        if let Some(stopped) = self.stopped_before(plan) {
            return stopped;
        }
        let Algorithm::Order(order) = plan.algorithm else { return SearchOutcome::not_begun() };
        let SearchLayers { reduction, canonizer, .. } =
            SearchLayers::of(plan, self.system.reducible, goal, &self.limits.stop());
        ground::on_ground(self.system, canonizer.as_deref(), None, |ground| {
            joined::on_joined(ground, reduction, |ground, reduction| {
                let expander = reduction.map(|configured| configured.expander);
                let reduced = expander.as_deref().map(|expander| Reduced { system: ground.successors, expander });
                let left = reduced.as_ref().map_or(ground.successors, |reduced| reduced);
                let (assumptions, canonizer) = (expander.as_deref().or(ground.assumptions), ground.canonizer);
                let spec = SearchSpec { abstraction, assumptions, canonizer, ..SearchSpec::new(left, &[]) };
                self.run(plan, &spec, |search, _| (order.run)(search))
            })
        })
    }
}

/// Wraps what chooses among the transitions of a search.
pub type Decorate<'d> = &'d dyn for<'e> Fn(Box<dyn Expander + 'e>) -> Box<dyn Expander + 'e>;

/// Searches as a question asks for it, within the limits, with the reduction of the plan; but looks
/// for no fault. Refuses what would be refused. `decorate` wraps what chooses; if the plan has no
/// reduction, or one that joins transitions, so that what is offered is not what is taken, there is
/// no search.
pub fn explore_reduced(
    system: &System<'_>,
    property: &str,
    options: Options,
    decorate: Decorate<'_>,
) -> Result<SearchOutcome, CheckError> {
    let options = options.resolved();
    let mut selected = question::select(system, &[property.to_owned()], &options.reduce)?;
    question::assume(options.fairness, &mut selected);
    let Some(Selected::Search(question)) = selected.pop() else { return Ok(SearchOutcome::not_begun()) };
    plan::check_fairness(&options, system.max_processes)?;
    let plan = plan::plan(&options, system, &question)?;
    plan::check_all_apply(&options, &[&plan], matches!(question.goal, Goal::AcceptedRun(_)))?;
    let goal = match question.goal {
        Goal::Violation(_) => Goal::Violation(Vec::new()),
        goal @ Goal::AcceptedRun(_) => goal,
    };
    let mut context = SearchContext::new(system, &options, None);
    if let Some(stopped) = context.stopped_before(&plan) {
        return Ok(stopped);
    }
    let mut layers = SearchLayers::of(&plan, system.reducible, &goal, &context.limits.stop());
    let chooses = |configured: &ConfiguredReduction<'_>| configured.join.is_none();
    let configured = layers.reduction.take().filter(chooses);
    let Some(configured) = configured else { return Ok(SearchOutcome::not_begun()) };
    let configured = ConfiguredReduction { expander: decorate(configured.expander), ..configured };
    Ok(context.search_with(SearchLayers { reduction: Some(configured), ..layers }, &plan, &goal))
}
