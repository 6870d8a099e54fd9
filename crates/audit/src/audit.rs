//! The audit of each property: the reference first, then what reductions choose, then all other
//! plans.

use std::time::Instant;

use ample_check::{CheckError, Goal, Job, Question, Reduce, Selected, Verdict, check, select};
use ample_search::Progress;

use crate::clock::Clock;
use crate::combination::{Combination, Execution, Executions};
use crate::combinations;
use crate::compare::Agreed;
use crate::likeness::Likeness;
use crate::outcome::{Audited, PlanResult, Standing};
use crate::structure::look_at_structures;
use crate::subject::{Audit, Auditor};

/// Audits each property in turn.
pub fn audit(audit: &Audit<'_>, progress: &mut dyn Progress) -> Result<Vec<Audited>, CheckError> {
    let executions = Executions::new(audit.interpreter, audit.properties);
    let selected = select(&executions.reference().system(), &audit.select, &Reduce::None)?;
    let is_about_runs =
        |selected: &Selected| matches!(selected, Selected::Search(Question { goal: Goal::AcceptedRun(_), .. }));
    if let (Some(fair), false) = (audit.fairness.name(), selected.iter().any(is_about_runs)) {
        let why = format!("--fair {fair} does not apply: no property is about infinite runs");
        return Err(CheckError::Conflict(why));
    }
    let end = audit.budget.map(|budget| Instant::now() + budget);
    let mut audited = Vec::new();
    let count = selected.len();
    for (number, selected) in selected.into_iter().enumerate() {
        // What one property leaves over is for those after it.
        let share = end.map(|end| end.saturating_duration_since(Instant::now()) / (count - number) as u32);
        let clock = Clock { end: share.map(|share| Instant::now() + share) };
        audited.push(match selected {
            Selected::Search(question) => {
                Auditor { audit, executions: &executions, question: &question, clock }.run(progress)?
            }
            Selected::Cannot { name, kind, reason } => Audited::not_checked(name, kind, reason),
        });
    }
    Ok(audited)
}

/// No plan may use more than one part in so many of what is left.
const PLAN_PART: u32 = 4;

impl Auditor<'_> {
    fn run(&self, progress: &mut dyn Progress) -> Result<Audited, CheckError> {
        let packed = self.executions.get(Execution::Packed).ok();
        let mut agreed = Agreed::new(&packed.map_or(Likeness::Exact, Likeness::of));
        let mut audited = Audited::new(self.question.property.name.to_string(), self.question.kind);
        audited.notes.clone_from(&self.question.notes);
        self.find_reference(&mut audited, &mut agreed, progress)?;
        look_at_structures(self, &mut audited);
        let mut plans = combinations::all(self.audit, &self.question.goal);
        plans.forget(audited.plans.iter().map(|result| &result.plan));
        while let Some(plan) = plans.next_plan() {
            let is_over = self.clock.is_over() || self.audit.limits.is_interrupted();
            let result = match is_over {
                true => PlanResult::skipped(plan.clone()),
                false => self.ask(&plan, self.clock.part(PLAN_PART), &mut agreed, progress)?,
            };
            match result.standing {
                Standing::Agrees | Standing::Unsettled | Standing::Differs => plans.note(&plan),
                Standing::Refused => plans.note_refusal(&plan),
                Standing::Skipped => {}
            }
            audited.add(result);
        }
        audited.verdict = match agreed.verdict() {
            Some(Verdict::Holds) if !audited.has_compared() => Verdict::Unknown,
            verdict => verdict.unwrap_or(Verdict::Unknown),
        };
        Ok(audited)
    }

    /// The search that defines the answer. If it does not fit into the budget, the fastest full
    /// search is tried instead.
    fn find_reference(
        &self,
        audited: &mut Audited,
        agreed: &mut Agreed,
        progress: &mut dyn Progress,
    ) -> Result<(), CheckError> {
        for plan in combinations::references(&self.question.goal, self.audit.fairness) {
            let result = self.ask(&plan, self.clock.part(2), agreed, progress)?;
            if let (Standing::Refused, None, true) = (&result.standing, &audited.reference, audited.plans.is_empty()) {
                let why = result.reason.clone().unwrap_or_default();
                return Err(CheckError::Conflict(why));
            }
            let is_settled = result.standing == Standing::Agrees;
            let is_asked = result.standing != Standing::Refused;
            audited.add(result);
            if is_asked {
                audited.reference = Some(audited.plans.len() - 1);
            }
            if is_settled {
                break;
            }
        }
        Ok(())
    }

    /// Asks the question in one way and compares.
    fn ask(
        &self,
        plan: &Combination,
        clock: Clock,
        agreed: &mut Agreed,
        progress: &mut dyn Progress,
    ) -> Result<PlanResult, CheckError> {
        let prepared = match self.executions.get(plan.execution) {
            Ok(prepared) => prepared,
            Err(reason) => return Ok(PlanResult::refused(plan.clone(), reason.clone())),
        };
        let job = Job {
            system: prepared.system(),
            select: vec![self.question.property.name.to_string()],
            options: self.options(plan, clock),
            loops: self.audit.loops,
            progress: Some(progress),
        };
        match check(job) {
            Ok(outcome) => Ok(agreed.compare(plan, outcome)),
            Err(error @ (CheckError::Conflict(_) | CheckError::Refused(_))) => {
                Ok(PlanResult::refused(plan.clone(), error.to_string()))
            }
            Err(error) if error.is_internal() => Ok(PlanResult::differs(plan.clone(), error.to_string())),
            Err(error) => Err(error),
        }
    }
}
