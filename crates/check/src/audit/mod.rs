//! The same question through every sound plan within a budget: all must agree.
//!
//! The full search without reductions, by the interpreter and with an exact store, defines the answer. All other plans, made from the
//! registries of parts, are compared with it, under-approximation loops among them. Besides, what each reduction chooses is recorded and held against its own definition:
//! the reduced system against the full one under what the reduction declares to preserve ([`relations`]), and a sample of its choices
//! against C0 to C3 ([`conditions`]).
//!
//! Invariants: nothing is compared with an answer that is not settled; whatever differs is an error of ours and comes with all that is
//! needed to see it again.

mod compare;
mod conditions;
mod definition;
mod graph;
mod outcome;
mod plans;
mod record;
mod relations;
mod show;
mod structure;

use std::time::{Duration, Instant};

use ample_interpret::Interpreter;
use ample_product::Fairness;
use ample_property::Property;
use ample_search::{Limits, Progress, StopAt};

use crate::job::Reductions;
use crate::select::{self, Asked, Question, Selected};
use crate::{CheckError, Job, Options, Reduce, Verdict, check};
use compare::Agreed;
pub use outcome::{Audited, Difference, PlanResult, Standing, Structure};
use plans::Executions;
pub use plans::{AuditLoop, AuditPlan, Execution};
pub(crate) use record::Watched;
pub use show::{ShownTransition, StateLine};

/// What is asked, and how much may be done.
pub struct Audit<'a> {
    /// The model.
    pub interpreter: &'a Interpreter<'a>,
    /// The properties that it names, and those of the command line.
    pub properties: &'a [Property],
    /// The names of the properties to check; none stands for `safety` and then every named property of the model.
    pub select: Vec<String>,
    /// Which endless runs count.
    pub fairness: Fairness,
    /// How long all may take together.
    pub budget: Option<Duration>,
    /// The limits of each search; the time is the budget's.
    pub limits: Limits,
    /// Where samples are taken.
    pub seed: u64,
    /// The reductions to look at.
    pub reductions: Reductions,
}

/// Audits each property in turn.
pub fn audit(audit: &Audit<'_>, progress: &mut dyn Progress) -> Result<Vec<Audited>, CheckError> {
    let executions = Executions::new(audit.interpreter, audit.properties);
    let selected = select::select(&executions.reference().system(), &audit.select, &Reduce::None)?;
    let is_about_runs =
        |selected: &Selected| matches!(selected, Selected::Search(Question { asked: Asked::Runs(_), .. }));
    if let (Some(fair), false) = (audit.fairness.name(), selected.iter().any(is_about_runs)) {
        let why = format!("--fair {fair} does not apply: no property is about endless runs");
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

/// When an audit has to end.
#[derive(Copy, Clone)]
struct Clock {
    end: Option<Instant>,
}

impl Clock {
    /// What is left, if there is an end.
    fn left(self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether too little is left to begin with something.
    fn is_over(self) -> bool {
        self.left().is_some_and(|left| left < LEAST)
    }

    /// A clock for one part in so many of what is left.
    fn part(self, parts: u32) -> Clock {
        Clock { end: self.left().map(|left| Instant::now() + left / parts) }
    }
}

/// Audits one property.
struct Auditor<'a> {
    audit: &'a Audit<'a>,
    executions: &'a Executions<'a>,
    question: &'a Question,
    clock: Clock,
}

/// With less than this nothing is begun.
const LEAST: Duration = Duration::from_millis(10);

/// No plan may use more than one part in so many of what is left.
const PLAN_PART: u32 = 4;

impl Auditor<'_> {
    fn run(&self, progress: &mut dyn Progress) -> Result<Audited, CheckError> {
        let mut agreed = Agreed::default();
        let mut audited = Audited::new(self.question.property.name.to_string(), self.question.kind);
        audited.notes.clone_from(&self.question.notes);
        self.find_reference(&mut audited, &mut agreed, progress)?;
        self.look_at_structures(&mut audited);
        let mut plans = plans::all(&self.audit.reductions, &self.question.asked, self.audit.seed);
        plans.forget(&audited.plans);
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

    /// The search that defines the answer. If it does not fit into the budget, the fastest full search is tried instead.
    fn find_reference(
        &self,
        audited: &mut Audited,
        agreed: &mut Agreed,
        progress: &mut dyn Progress,
    ) -> Result<(), CheckError> {
        for plan in plans::references(&self.question.asked, self.audit.fairness) {
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
        plan: &AuditPlan,
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

    fn options(&self, plan: &AuditPlan, clock: Clock) -> Options {
        let is_about_runs = matches!(self.question.asked, Asked::Runs(_));
        let options = Options {
            fairness: if is_about_runs { self.audit.fairness } else { Fairness::None },
            // A run that is forbidden as a whole ends the search; faults are collected.
            stop_at: if is_about_runs { StopAt::FirstViolation } else { StopAt::End },
            reductions: self.audit.reductions,
            limits: self.limits(clock),
            ..Options::default()
        };
        plan.options(options)
    }

    /// The limits of one search. The memory is that of the whole process, so no plan gets a limit of its own: what else the process holds,
    /// and when, would decide whether the plan comes to an end. Lossy stores begin small, too, and take more only for more states.
    fn limits(&self, clock: Clock) -> Limits {
        Limits { max_time: clock.left(), ..self.audit.limits.clone() }
    }
}
