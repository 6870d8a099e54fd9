//! The advice about each property, within a budget.

use ample_check::{CheckError, Choice, Goal, Prepared, Question, Reduce, Selected, Verdict, select};
use ample_model::Expr;
use ample_replay::Forbids;
use ample_search::Progress;

use crate::asked::Advise;
use crate::choice;
use crate::hints::{self, Hint};
use crate::survey::Survey;
use crate::tried::{Ask, Tried};

/// What was found.
#[derive(Debug)]
pub struct Advice {
    /// About each property.
    pub properties: Vec<Advised>,
    /// What the author could change.
    pub hints: Vec<Hint>,
}

/// What was found about one property.
#[derive(Debug)]
pub struct Advised {
    /// Its name.
    pub name: String,
    /// What it is, as in the outcome of a check.
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// Why there is none, if there is none.
    pub reason: Option<String>,
    /// Each way that was tried, in the order in which they were; the first is the full search.
    pub tried: Vec<Tried>,
    /// The one to use, among these, if one came to an answer or promises to.
    pub best: Option<usize>,
    /// Whether all that was to be tried was.
    pub is_complete: bool,
}

impl Advised {
    fn not_searched(name: String, kind: &'static str, verdict: Verdict, reason: Option<String>) -> Advised {
        Advised { name, kind, verdict, reason, tried: Vec::new(), best: None, is_complete: true }
    }

    /// Two ways that say something else, if there are such: an error of ours.
    pub fn difference(&self) -> Option<(&Ask, &Ask)> {
        let settled = || self.tried.iter().filter_map(|tried| Some((tried, tried.settled()?.verdict)));
        let (first, verdict) = settled().next()?;
        settled().find(|(_, other)| *other != verdict).map(|(other, _)| (&first.ask, &other.ask))
    }
}

/// Looks at each property in turn.
pub fn advise(advise: &Advise<'_>, progress: &mut dyn Progress) -> Result<Advice, CheckError> {
    let prepared = Prepared::within(advise.interpreter, advise.properties, &Choice::Auto, &advise.stop)?;
    let selected = select(&prepared.system(), &advise.select, &Reduce::None)?;
    let is_about_runs =
        |selected: &Selected| matches!(question(selected).map(|one| &one.goal), Some(Goal::AcceptedRun(_)));
    if let (Some(fair), false) = (advise.fairness.name(), selected.iter().any(is_about_runs)) {
        let why = format!("--fair {fair} does not apply: no property is about infinite runs");
        return Err(CheckError::Conflict(why));
    }
    let hints = hints::all(&prepared, advise, &propositions(&selected));
    let (mut properties, count) = (Vec::new(), selected.len());
    for (number, selected) in selected.into_iter().enumerate() {
        properties.push(match selected {
            Selected::Search(question) if question.is_empty => {
                Advised::not_searched(question.property.name.to_string(), question.kind, Verdict::Holds, None)
            }
            Selected::Search(question) => {
                // What one property leaves over is for those after it.
                let stop = advise.stop.share((count - number) as u32);
                about(Survey::new(advise, &prepared, &question, stop), &question, progress)?
            }
            Selected::Cannot { name, kind, reason } => {
                Advised::not_searched(name, kind, Verdict::Unknown, Some(reason))
            }
        });
    }
    Ok(Advice { properties, hints })
}

fn about(mut survey: Survey<'_>, question: &Question, progress: &mut dyn Progress) -> Result<Advised, CheckError> {
    survey.run(progress)?;
    let is_complete = !survey.is_over();
    let tried = survey.into_tried();
    let settled = tried.iter().find_map(Tried::settled);
    let open = || tried.iter().find_map(Tried::searched).and_then(|searched| searched.reason.clone());
    Ok(Advised {
        name: question.property.name.to_string(),
        kind: question.kind,
        verdict: settled.map_or(Verdict::Unknown, |searched| searched.verdict),
        reason: settled.map_or_else(open, |searched| searched.reason.clone()),
        best: choice::best(&tried),
        tried,
        is_complete,
    })
}

fn question(selected: &Selected) -> Option<&Question> {
    match selected {
        Selected::Search(question) => Some(question),
        Selected::Cannot { .. } => None,
    }
}

/// What the properties look at.
fn propositions(selected: &[Selected]) -> Vec<Expr> {
    let of = |question: &Question| match &question.goal {
        Goal::AcceptedRun(claim) => claim.propositions().to_vec(),
        Goal::Violation(_) => Vec::new(),
    };
    selected.iter().filter_map(question).flat_map(of).collect()
}
