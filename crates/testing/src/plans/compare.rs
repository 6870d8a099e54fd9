//! A model whose answers are compared with those of the full search.

use std::collections::BTreeSet;
use std::time::Instant;

use ample_check::{CheckError, Fairness, Prepared, Verdict};

use ample_transition::FaultKind;

use super::tally::{Came, Row};
use super::{AUTO, Answer, FULL, Given, PATIENCE, Plan, SAFETY, Tally, ask};

/// A run of a loop may have so many times as many states as the full search.
const PASS: u64 = 5;

/// A question about a model, with the answers of the full search, each asked for once.
pub struct Comparison<'p, 'm> {
    prepared: &'p Prepared<'m>,
    question: &'p str,
    max_states: u64,
    full: Vec<(Plan, Option<Given>)>,
    /// Whether some plan was not done in time.
    is_slow: bool,
}

impl<'p, 'm> Comparison<'p, 'm> {
    /// A question about a model, `safety` or the name of a property. If the full search has more
    /// states, nothing is compared.
    pub fn new(prepared: &'p Prepared<'m>, question: &'p str, max_states: u64) -> Self {
        Comparison { prepared, question, max_states, full: Vec::new(), is_slow: false }
    }

    /// What the full search answers, for the same runs; `None` if it does not come to an end.
    /// Whether a beginning of a run is enough, or infinite runs are looked for, makes a difference
    /// where runs end in an error.
    pub fn full(&mut self, plan: &Plan) -> Result<Option<Given>, CheckError> {
        let emptiness = match (plan.emptiness, plan.fairness) {
            (AUTO, _) => AUTO,
            (_, Fairness::None) => "ndfs",
            (_, Fairness::Weak) => "scc",
        };
        let plan = Plan { emptiness, fairness: plan.fairness, ..Plan::FULL };
        if let Some((_, given)) = self.full.iter().find(|(known, _)| *known == plan) {
            return Ok(given.clone());
        }
        let answer = self.timed(|of| ask(of.prepared, of.question, &plan, Some(of.max_states)))?;
        let given = match answer {
            Answer::Given(given) if given.verdict != Verdict::Unknown && given.states < self.max_states => Some(given),
            _ => None,
        };
        self.full.push((plan, given.clone()));
        Ok(given)
    }

    /// Whether some plan was not done in time. The others are not asked then: most of them would
    /// wait as long for the same.
    pub fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// Asks, and looks at the clock.
    fn timed<T>(&mut self, ask: impl FnOnce(&Self) -> T) -> T {
        let started = Instant::now();
        let answer = ask(self);
        self.is_slow |= started.elapsed() >= PATIENCE;
        answer
    }

    /// Compares a plan with the full search. What differs is said in words.
    pub fn compare(&mut self, plan: &Plan, tally: &mut Tally) -> Result<(), String> {
        let row = row(self.question, plan);
        if self.is_slow {
            tally.count(row, Came::TooLarge);
            return Ok(());
        }
        let Some(full) = self.full(plan).map_err(|error| format!("{}, full search: {error}", self.question))? else {
            tally.count(row, Came::TooLarge);
            return Ok(());
        };
        let question = self.question;
        let differs = |what: String| Err(format!("{question} {plan}: {what}"));
        // A first pass over the system alone may meet far more states than there are in the
        // product.
        let max_states = plan.under.map(|_| PASS * self.max_states);
        let answer = self.timed(|of| ask(of.prepared, of.question, plan, max_states));
        let given = match answer {
            Ok(Answer::Given(given)) => given,
            Ok(Answer::Refused(reason)) => {
                tally.count_reason(row, Came::Refused, &reason);
                return Ok(());
            }
            Err(error) => return differs(error.to_string()),
        };
        if given.verdict == Verdict::Unknown {
            tally.count_reason(row, Came::Unsettled, given.reason.as_deref().unwrap_or_default());
            return Ok(());
        }
        if given.verdict != full.verdict {
            return differs(format!("{}, but {} in the full search", given.verdict.name(), full.verdict.name()));
        }
        // A loop ends with the first violation.
        let is_one = plan.under.is_some() || plan.one_is_enough;
        let (own, all) = (self.places(&given), self.places(&full));
        let is_same = if is_one { own.is_subset(&all) } else { own == all };
        if self.question == SAFETY && !is_same {
            return differs(format!("{:?}, but {:?} in the full search", given.faults, full.faults));
        }
        tally.count(row, came(self.question, plan, &given, &full));
        Ok(())
    }
}

impl Comparison<'_, '_> {
    /// The faults by kind and place. The place of an invalid end state is that of the process with
    /// the least number: it does not count where numbers make no difference.
    fn places(&self, given: &Given) -> BTreeSet<(&'static str, String)> {
        let known = self.prepared.system().reducible;
        let is_anonymous = known.is_some_and(|known| known.facts().numbering().is_anonymous());
        let has_place = |kind: &str| !is_anonymous || kind != FaultKind::InvalidEndState.name();
        let place = |(kind, place): &(&'static str, String)| {
            (*kind, if has_place(kind) { place.clone() } else { String::new() })
        };
        given.faults.iter().map(place).collect()
    }
}

/// Plans are counted by techniques, expander and cycle condition.
fn row(question: &str, plan: &Plan) -> Row {
    let kind = match (question, plan.fairness) {
        (SAFETY, _) => "safety",
        (_, Fairness::None) => "formula",
        (_, Fairness::Weak) => "fair formula",
    };
    let por = plan.under.map_or(plan.por, |under| under.name);
    let names: Vec<&str> = plan.also.into_iter().flatten().chain([por]).collect();
    Row { question: kind.to_owned(), por: names.join("+"), condition: plan.condition.to_owned() }
}

/// What a comparison was good for.
fn came(question: &str, plan: &Plan, given: &Given, full: &Given) -> Came {
    if given.reductions.is_empty() && (plan.por != FULL || plan.also[0].is_some()) {
        return Came::InFull;
    }
    let is_complete = question == SAFETY || given.verdict == Verdict::Holds;
    Came::Compared {
        is_smaller: is_complete && given.states < full.states,
        is_violated: given.verdict == Verdict::Violated,
    }
}
