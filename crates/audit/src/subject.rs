//! What is audited, and the options of each search.

use std::time::Duration;

use ample_check::{Goal, Loop, Options, Question, Techniques};
use ample_interpret::Interpreter;
use ample_product::Fairness;
use ample_property::Property;
use ample_search::{Limits, StopAt};

use crate::clock::Clock;
use crate::combination::{Combination, Executions};

/// What is asked, and how much may be done.
pub struct Audit<'a> {
    /// The model.
    pub interpreter: &'a Interpreter<'a>,
    /// The properties that it names, and those of the command line.
    pub properties: &'a [Property],
    /// The names of the properties to check; none stands for `safety` and then every named property
    /// of the model.
    pub select: Vec<String>,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How long all may take together.
    pub budget: Option<Duration>,
    /// The limits of each search; the time is the budget's.
    pub limits: Limits,
    /// Where samples are taken.
    pub seed: u64,
    /// The techniques to look at.
    pub techniques: Techniques,
    /// The under-approximation loops to look at.
    pub loops: &'static [Loop],
}

/// Audits one property.
pub(crate) struct Auditor<'a> {
    pub audit: &'a Audit<'a>,
    pub executions: &'a Executions<'a>,
    pub question: &'a Question,
    pub clock: Clock,
}

impl Auditor<'_> {
    /// The options of a plan.
    pub fn options(&self, plan: &Combination, clock: Clock) -> Options {
        let is_about_runs = matches!(self.question.goal, Goal::AcceptedRun(_));
        let options = Options {
            fairness: if is_about_runs { self.audit.fairness } else { Fairness::None },
            // A run that is forbidden as a whole ends the search; faults are collected.
            stop_at: if is_about_runs { StopAt::FirstViolation } else { StopAt::End },
            techniques: self.audit.techniques,
            limits: self.limits(clock),
            ..Options::default()
        };
        plan.options(options)
    }

    /// The limits of one search. The memory is that of the whole process, so no plan gets a limit
    /// of its own: what else the process holds, and when, would decide whether the plan comes to an
    /// end. Lossy stores begin small, too, and take more only for more states.
    fn limits(&self, clock: Clock) -> Limits {
        Limits { max_time: clock.left(), ..self.audit.limits.clone() }
    }
}
