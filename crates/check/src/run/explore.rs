//! Searches that look for nothing.

use std::sync::Mutex;

use ample_search::{Progress, SearchOutcome, StopAt};
use ample_stdx::lock;
use ample_transition::{Expander, SuccessorBuffer};

use super::context::{SearchContext, StateObserver};
use crate::error::CheckError;
use crate::layers::SearchLayers;
use crate::layers::reduction::ConfiguredReduction;
use crate::options::{Choice, Options};
use crate::plan::{self, Wanted};
use crate::question::{self, Goal, Selected};
use crate::system::System;

/// Explores the whole space within the limits, on one thread, and shows every state with
/// its successors to `observer`. Looks for nothing.
pub fn explore(
    system: &System<'_>,
    options: Options,
    progress: Option<&mut dyn Progress>,
    observer: &mut (dyn FnMut(&[u8], &SuccessorBuffer) + Send),
) -> Result<SearchOutcome, CheckError> {
    // One thread, and an order that is the same each time.
    let order = if options.order == Choice::Auto { Choice::parse(ample_search::DFS.name) } else { options.order };
    let options = Options { order, threads: Some(1), stop_at: StopAt::End, ..options }.resolved();
    let plan = plan::for_violations(&Wanted::by(&options), system.execution)?;
    let observer = Mutex::new(observer);
    let observer: StateObserver<'_> = &|_, state, successors| lock(&observer)(state, successors);
    let mut context = SearchContext { progress, ..SearchContext::new(system, &options, Some(observer)) };
    Ok(context.search(&plan, &Goal::Violation(Vec::new())))
}

/// Wraps what chooses among the transitions of a search.
pub type Decorate<'d> = &'d dyn for<'e> Fn(Box<dyn Expander + 'e>) -> Box<dyn Expander + 'e>;

/// Searches as a question asks for it, within the limits, with the reduction of the plan; but looks
/// for no fault. Refuses what would be refused. `decorate` wraps what chooses; if the plan has no
/// reduction, there is no search.
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
    let mut layers = SearchLayers::of(&plan, system.reducible, &goal);
    let Some(configured) = layers.reduction.take() else { return Ok(SearchOutcome::not_begun()) };
    let configured = ConfiguredReduction { expander: decorate(configured.expander), ..configured };
    Ok(context.search_with(SearchLayers { reduction: Some(configured), ..layers }, &plan, &goal))
}
