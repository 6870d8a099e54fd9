//! What an audit found.

use ample_search::Counts;

use ample_check::Verdict;

use crate::combination::Combination;
use crate::show::{ShownTransition, StateLine};

/// What was found about one property.
#[derive(Clone, Debug)]
pub struct Audited {
    /// Its name.
    pub name: String,
    /// What it is, as in the outcome of a check.
    pub kind: &'static str,
    /// What all plans that came to an answer say.
    pub verdict: Verdict,
    /// Why it was not checked, if it was not.
    pub reason: Option<String>,
    /// What a reader of the answer should know besides.
    pub notes: Vec<String>,
    /// The plan that all others are compared with: its number among the plans.
    pub reference: Option<usize>,
    /// Each plan, in the order in which they were tried.
    pub plans: Vec<PlanResult>,
    /// What became of each reduction whose choices were looked at.
    pub structures: Vec<Structure>,
    /// Where something does not agree: errors of ours.
    pub differences: Vec<Difference>,
}

impl Audited {
    pub(crate) fn new(name: String, kind: &'static str) -> Self {
        Audited {
            name,
            kind,
            verdict: Verdict::Unknown,
            reason: None,
            notes: Vec::new(),
            reference: None,
            plans: Vec::new(),
            structures: Vec::new(),
            differences: Vec::new(),
        }
    }

    pub(crate) fn not_checked(name: String, kind: &'static str, reason: String) -> Self {
        Audited { reason: Some(reason), ..Audited::new(name, kind) }
    }

    pub(crate) fn add(&mut self, result: PlanResult) {
        if result.standing == Standing::Differs {
            let what = result.reason.clone().unwrap_or_default();
            self.differences.push(Difference::of_plan(result.plan.clone(), what));
        }
        self.plans.push(result);
    }

    /// Whether anything was compared: two answers, or a reduced system with the full one.
    pub fn has_compared(&self) -> bool {
        let is_compared = |structure: &Structure| structure.full_states.is_some();
        self.count(Standing::Agrees) > 1 || self.structures.iter().any(is_compared)
    }

    /// How many plans stand like this.
    pub fn count(&self, standing: Standing) -> usize {
        self.plans.iter().filter(|result| result.standing == standing).count()
    }
}

/// How a plan stands to the others.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It says the same, or, with a lossy store, nothing else.
    Agrees,
    /// It came to no answer within its limits.
    Unsettled,
    /// It is not sound for the property, or not possible for the model.
    Refused,
    /// There was no budget left for it.
    Skipped,
    /// It says something else.
    Differs,
}

impl Standing {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Agrees => "agrees",
            Standing::Unsettled => "cut off",
            Standing::Refused => "refused",
            Standing::Skipped => "skipped",
            Standing::Differs => "differs",
        }
    }
}

/// What one plan came to.
#[derive(Clone, Debug)]
pub struct PlanResult {
    /// The plan.
    pub plan: Combination,
    /// How it stands to the others.
    pub standing: Standing,
    /// Its verdict, if there was a search.
    pub verdict: Option<Verdict>,
    /// Why it was refused or cut off, or what differs.
    pub reason: Option<String>,
    /// How much was explored.
    pub counts: Counts,
    /// How long the search took.
    pub seconds: f64,
}

impl PlanResult {
    pub(crate) fn skipped(plan: Combination) -> Self {
        PlanResult::without_search(plan, Standing::Skipped, None)
    }

    pub(crate) fn refused(plan: Combination, reason: String) -> Self {
        PlanResult::without_search(plan, Standing::Refused, Some(reason))
    }

    pub(crate) fn differs(plan: Combination, reason: String) -> Self {
        PlanResult::without_search(plan, Standing::Differs, Some(reason))
    }

    fn without_search(plan: Combination, standing: Standing, reason: Option<String>) -> Self {
        PlanResult { plan, standing, verdict: None, reason, counts: Counts::default(), seconds: 0.0 }
    }
}

/// What became of a reduction whose choices were recorded and held against its definition.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The plan that it was recorded with.
    pub plan: Combination,
    /// The states that it came to.
    pub states: usize,
    /// Those of them in which something was left out.
    pub reduced: usize,
    /// The states of the full system, if there are few enough to compare.
    pub full_states: Option<usize>,
    /// The relations that were decided, and hold unless a difference says otherwise.
    pub relations: Vec<&'static str>,
    /// How many choices were held against C0, C1 and C2.
    pub samples: usize,
    /// In how many states a dependent transition was looked for, for C1.
    pub visited: usize,
    /// Whether C3 was looked at: the recorded search was complete.
    pub has_cycle_check: bool,
}

/// Something that does not agree.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The plan that shows it.
    pub plan: Combination,
    /// What is wrong, in a sentence.
    pub what: String,
    /// The state that it is about.
    pub state: Vec<StateLine>,
    /// What is chosen there.
    pub chosen: Vec<ShownTransition>,
    /// How to get from there to where it goes wrong.
    pub path: Vec<ShownTransition>,
    /// What should not be possible at the end of that path.
    pub conflicting: Vec<ShownTransition>,
}

impl Difference {
    pub(crate) fn of_plan(plan: Combination, what: String) -> Self {
        let (state, chosen, path, conflicting) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Difference { plan, what, state, chosen, path, conflicting }
    }
}
