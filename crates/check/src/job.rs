//! A job: what is asked, and the way from there to the answer.

use std::sync::Mutex;

use ample_search::{Progress, Slices};
use ample_stdx::lock;
use ample_transition::SuccessorBuffer;

use crate::coverage::{Coverage, TemplateOf};
use crate::error::CheckError;
use crate::options::Options;
use crate::plan::{self, Plan};
use crate::question::{self, Goal, Question, Selected};
use crate::run::under::Loop;
use crate::run::{Answered, SearchContext, StateObserver, rewritten, trial, under};
use crate::system::System;
use crate::verdict;
use crate::verdict::outcome::{Outcome, PropertyOutcome};

/// One question.
pub struct Job<'a> {
    /// The system.
    pub system: System<'a>,
    /// The names of the properties to check; none stands for `safety` and then every named property
    /// of the model.
    pub select: Vec<String>,
    /// How.
    pub options: Options,
    /// The under-approximation loops that can be chosen by name.
    pub loops: &'static [Loop],
    /// Told from time to time how far the search is.
    pub progress: Option<&'a mut dyn Progress>,
}

/// Checks what the job asks for.
pub fn check(job: Job<'_>) -> Result<Outcome, CheckError> {
    check_in_slices(job, None)
}

/// The same; the searches of plans that are named are held from time to time to be looked at.
pub fn check_in_slices(job: Job<'_>, slices: Option<Slices<'_>>) -> Result<Outcome, CheckError> {
    let Job { system, select, options, loops, mut progress } = job;
    let mut selected = question::select(&system, &select, &options.reduce)?;
    question::assume(options.fairness, &mut selected);
    let asker = Asker { system: &system, options: options.resolved(), loops, slices };
    // Before any search: what cannot be done is said at once.
    let plans = asker.plan_all(&selected)?;
    let mut properties = Vec::new();
    for (selected, plan) in selected.into_iter().zip(plans) {
        properties.push(match (selected, plan) {
            (Selected::Search(question), Some(plan)) => {
                if let Some(progress) = &mut progress {
                    progress.begin(&question.property.name);
                }
                let progress = progress.as_mut().map(|progress| &mut **progress as &mut dyn Progress);
                asker.answer(&question, &plan, progress)?
            }
            (Selected::Search(question), None) => {
                PropertyOutcome::not_checked(question.property.name.into(), question.kind, String::new())
            }
            (Selected::Cannot { name, kind, reason }, _) => PropertyOutcome::not_checked(name, kind, reason),
        });
    }
    Ok(Outcome::new(properties, &system))
}

/// What all questions of a job share.
struct Asker<'a> {
    system: &'a System<'a>,
    options: Options,
    loops: &'static [Loop],
    slices: Option<Slices<'a>>,
}

impl Asker<'_> {
    /// A plan for each question, or why there is none. An unsound plan is refused, whatever it
    /// would find.
    fn plan_all(&self, selected: &[Selected]) -> Result<Vec<Option<Plan>>, CheckError> {
        plan::check_fairness(&self.options, self.system.max_processes)?;
        let (mut plans, mut has_claims) = (Vec::new(), false);
        for selected in selected {
            let Selected::Search(question) = selected else {
                plans.push(None);
                continue;
            };
            plans.push(Some(match &self.options.under {
                Some(under) => under::plan(self.loops, &self.options, under, self.system, question)?,
                None => plan::plan(&self.options, self.system, question)?,
            }));
            has_claims |= matches!(question.goal, Goal::AcceptedRun(_));
        }
        plan::check_all_apply(&self.options, &plans.iter().flatten().collect::<Vec<_>>(), has_claims)?;
        Ok(plans)
    }

    /// Searches and judges.
    fn answer(
        &self,
        question: &Question,
        plan: &Plan,
        progress: Option<&mut dyn Progress>,
    ) -> Result<PropertyOutcome, CheckError> {
        if question.is_empty {
            return verdict::without_search(plan, question);
        }
        let coverage = Mutex::new(Coverage::default());
        let note = |template_of: TemplateOf<'_>, state: &[u8], successors: &SuccessorBuffer| {
            lock(&coverage).note(state, successors, template_of);
        };
        let observer: Option<StateObserver<'_>> = if self.options.coverage { Some(&note) } else { None };
        let context = SearchContext::new(self.system, &self.options, observer);
        let mut context = SearchContext { progress, slices: self.slices, ..context };
        let answered = rewritten::answer(&mut context, plan, |context| self.search(context, question, plan))?;
        let mut property = verdict::judge(self.system, &self.options, question, answered)?;
        property.coverage = self.options.coverage.then(|| std::mem::take(&mut *lock(&coverage)));
        Ok(property)
    }

    /// Searches by the strategy that the options ask for.
    fn search(
        &self,
        context: &mut SearchContext<'_, '_>,
        question: &Question,
        plan: &Plan,
    ) -> Result<Answered, CheckError> {
        match &self.options.under {
            Some(under) => under::answer(context, self.loops, &self.options, under, question, plan),
            None => Ok(trial::answer(context, &self.options, question, plan)),
        }
    }
}
