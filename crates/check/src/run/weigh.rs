//! `--reduce auto`: which of several plans answers a question soonest, as far as the beginnings of
//! their searches tell.
//!
//! The full search begins, on all cores. If it does not come to an end soon, it is held, and the
//! other plans run for a slice each, counted in expanded states. The best goes on where it was; the
//! others are given up. How long each will take is guessed by its slice ([`Cost`]); where it is not
//! known how many states a canonizer leaves, it is taken for worth its cost, as it can only make
//! the space smaller.

use std::thread;
use std::time::Instant;

use ample_reduction::CanonizerEntry;
use ample_search::{Ended, Limit, SearchOutcome};
use ample_stdx::Stop;

use super::context::SearchContext;
use super::estimate::{Cost, STEP, states_at};
use super::turns::{Turn, Turns};
use super::weighed::WeighedPlan;
use crate::options::Options;
use crate::plan::{self, Algorithm, Plan, automatic, canonizers};
use crate::question::Question;
use crate::system::{Reducible, System};

/// The slice of each of the others.
const SLICE: u64 = 20 * STEP;

/// After so many states, a reduction that leaves nothing out is given up.
const GLANCE: u64 = 3 * STEP;

/// A reduction that leaves less than this share of the transitions out is not worth a thought.
const WORTHWHILE: f64 = 0.03;

/// A search, and what was weighed before.
pub(super) struct Searched {
    pub plan: Plan,
    pub outcome: SearchOutcome,
    pub weighed: Vec<WeighedPlan>,
}

/// Searches by the best of the plans that are sound for a question; `plan` has no reduction. None
/// if there is no choice: the model is too large, or there are no threads.
pub(super) fn search(
    context: &mut SearchContext<'_, '_>,
    options: &Options,
    question: &Question,
    plan: &Plan,
    known: Reducible<'_>,
) -> Option<Searched> {
    let trial = automatic::trial_states(known.network, plan.looking_for)?;
    let started = Instant::now();
    let (system, stop) = (context.system, context.limits.stop());
    let turns = Turns::of(context, &question.goal);
    let searched = thread::scope(|scope| {
        let begin = |plan, until| turns.begin(scope, plan, until);
        let mut full = begin(plan.clone(), trial)?;
        // There may be no time to find out what a reduction needs to know.
        let may_be_reduced = full.wait() && known.find_out(&stop.share(2)).is_ok();
        if !may_be_reduced {
            return Some(Searched { plan: plan.clone(), outcome: full.finish(), weighed: Vec::new() });
        }
        let (cost, tried) = (Cost::of(&full.samples), Vec::new());
        let (begin, stop) = (&begin, stop.clone());
        let field = Field { begin, options, question, system, known, stop, full: cost, states: 1.0, tried };
        Some(field.search(full))
    })?;
    if searched.weighed.is_empty() {
        return Some(searched);
    }
    let seconds = started.elapsed().as_secs_f64();
    Some(Searched { outcome: SearchOutcome { seconds, ..searched.outcome }, ..searched })
}

/// A search that is held, with an estimate of the time that it takes beside the full one.
struct Held<'s> {
    turn: Turn<'s>,
    estimate: f64,
}

/// What came of a slice.
enum Tried<'s> {
    /// It goes no further.
    GivenUp,
    /// The same, since its reduction leaves nothing out.
    Useless,
    Held(Held<'s>),
    /// The search is over.
    Over(Plan, SearchOutcome),
}

/// Begins a search by a plan, which runs until it has expanded so many states.
type Begin<'f, 's> = &'f dyn Fn(Plan, u64) -> Option<Turn<'s>>;

/// The plans that are tried.
struct Field<'f, 's> {
    begin: Begin<'f, 's>,
    options: &'f Options,
    question: &'f Question,
    system: &'f System<'f>,
    known: Reducible<'f>,
    stop: Stop,
    /// The full search up to its trial.
    full: Cost,
    /// The states of the space that reductions are tried on beside those of the full one.
    states: f64,
    tried: Vec<WeighedPlan>,
}

impl<'s> Field<'_, 's> {
    /// Tries the plans, and lets the best go on.
    fn search(mut self, full: Turn<'s>) -> Searched {
        let plan = full.plan.clone();
        self.note(&plan, 1.0);
        let mut best = Held { turn: full, estimate: 1.0 };
        if let Some(canonized) = self.canonized(&plan) {
            let tried = self.try_canonized(canonized);
            best = match self.better(best, tried) {
                Ok(best) => best,
                Err(over) => return *over,
            };
        }
        let ground = best.turn.plan.clone();
        for reduced in self.reductions(&ground) {
            let tried = self.try_reduced(reduced);
            // The others leave no more out.
            if matches!(tried, Tried::Useless) {
                break;
            }
            best = match self.better(best, tried) {
                Ok(best) => best,
                Err(over) => return *over,
            };
        }
        let plan = best.turn.plan.clone();
        self.searched(plan, best.turn.finish())
    }

    /// The better of two, while the other one is given up; or what came of the search that is over.
    fn better(&mut self, best: Held<'s>, tried: Tried<'s>) -> Result<Held<'s>, Box<Searched>> {
        match tried {
            Tried::GivenUp | Tried::Useless => Ok(best),
            Tried::Held(held) if held.estimate < best.estimate => {
                best.turn.give_up();
                Ok(held)
            }
            Tried::Held(held) => {
                held.turn.give_up();
                Ok(best)
            }
            Tried::Over(plan, outcome) => {
                best.turn.give_up();
                Err(Box::new(self.searched(plan, outcome)))
            }
        }
    }

    fn searched(&mut self, plan: Plan, outcome: SearchOutcome) -> Searched {
        let weighed = std::mem::take(&mut self.tried);
        let (chosen, flags) = (automatic::name(&plan), automatic::flags(&plan));
        let is_chosen = |weighed: &WeighedPlan| weighed.name == chosen && weighed.flags == flags;
        let weighed = weighed.into_iter().map(|one| WeighedPlan { is_chosen: is_chosen(&one), ..one }).collect();
        Searched { plan, outcome, weighed }
    }

    fn note(&mut self, plan: &Plan, estimate: f64) {
        let (name, flags) = (automatic::name(plan), automatic::flags(plan));
        self.tried.push(WeighedPlan { name, flags, estimate, is_chosen: false });
    }

    /// The full search with what canonizes states and changes something.
    fn canonized(&self, plan: &Plan) -> Option<Plan> {
        let (known, goal) = (self.known, &self.question.goal);
        let applies =
            |entry: &CanonizerEntry| canonizers::applies(entry, known, goal, &self.stop).is_ok_and(|applies| applies);
        let canonized = automatic::with_canonizers(plan.clone(), self.options, &self.question.property, applies);
        (canonized.canonizers.len() > plan.canonizers.len()).then_some(canonized)
    }

    /// The search with each reduction that is sound for the question: those first that leave most
    /// out.
    fn reductions(&self, ground: &Plan) -> Vec<Plan> {
        let considered = self.options.techniques.expanders.iter().filter(|entry| entry.is_automatic);
        let plans = considered.rev().flat_map(|entry| automatic::reduced(ground, self.options, entry));
        let sound = plans.filter_map(|plan| plan::checked(plan, self.system, self.question).ok());
        let mut sound: Vec<Plan> = sound.collect();
        // What leaves nothing out depth first does so on several threads.
        sound.sort_by_key(|plan| plan.threads);
        sound
    }

    fn try_canonized(&mut self, plan: Plan) -> Tried<'s> {
        let Some(mut turn) = (self.begin)(plan, self.full.last.expanded) else { return Tried::GivenUp };
        if !turn.wait() {
            return self.over(turn);
        }
        let knows_depth = !matches!(turn.plan.algorithm, Algorithm::Emptiness(_));
        let full = self.full.last;
        let states = states_at(full.depth, &turn.samples).map(|states| states as f64 / full.states.max(1) as f64);
        let states = if knows_depth { states.unwrap_or(1.0) } else { 0.5 };
        self.states = states.min(1.0);
        let estimate = Cost::of(&turn.samples).seconds / self.full.seconds * self.states;
        self.note(&turn.plan, estimate);
        Tried::Held(Held { turn, estimate })
    }

    fn try_reduced(&mut self, plan: Plan) -> Tried<'s> {
        let Some(mut turn) = (self.begin)(plan, GLANCE) else { return Tried::GivenUp };
        if !turn.wait() {
            return self.over(turn);
        }
        let leaves_something_out = Cost::of(&turn.samples).share_taken() <= 1.0 - WORTHWHILE;
        if leaves_something_out && !turn.go_on(SLICE) {
            return self.over(turn);
        }
        let cost = Cost::of(&turn.samples);
        let is_depth_first = turn.plan.algorithm.part() == &ample_search::DFS;
        let estimate = cost.of_reduced(&self.full, is_depth_first, self.states);
        self.note(&turn.plan, estimate);
        if leaves_something_out {
            return Tried::Held(Held { turn, estimate });
        }
        turn.give_up();
        Tried::Useless
    }

    /// What came of a search that was over in its slice: the answer, unless memory ran out or a
    /// reduction did not apply.
    fn over(&mut self, turn: Turn<'s>) -> Tried<'s> {
        let plan = turn.plan.clone();
        let outcome = turn.finish();
        match outcome.ended {
            Ended::Complete | Ended::FirstViolation | Ended::Interrupted | Ended::Limit(Limit::Time(_)) => {
                self.note(&plan, 0.0);
                Tried::Over(plan, outcome)
            }
            _ => Tried::GivenUp,
        }
    }
}
