//! `--reduce auto`: which of several plans answers a question soonest, as far as the beginnings of
//! their searches tell.
//!
//! The full search begins, on all cores. If it does not come to an end soon, it is held, and the
//! other plans run for a slice each, counted in expanded states. The best goes on where it was; the
//! others are given up. What a state costs is measured, step by step, and the median counts: the
//! first steps are slow, and others may use the machine. How many states there will be is guessed.
//!
//! - A partial order reduction that takes a share of the transitions reaches about the square of
//!   that share of the states where runs are short: what is left out leads on. Where runs are long,
//!   what is left out in one round of a cycle comes in the next, and nearly all states are reached.
//!   Runs are as long as the path of a depth-first search is deep, beside the states that it has
//!   expanded. It is a fit to 49 models, and coarse: of a share of a half, anything from 0.06 to
//!   0.96 may come.
//! - A canonizer leaves the distances as they are: the states of the quotient down to a depth are
//!   to those of the system down to that depth as the whole quotient to the whole system. Where
//!   depth is not known, it is taken for worth its cost, as it can only make the space smaller.

use std::thread;
use std::time::Instant;

use ample_reduction::CanonizerEntry;
use ample_search::{Ended, Limit, Sample, SearchOutcome};
use ample_stdx::Stop;

use super::context::SearchContext;
use super::turns::{STEP, Turn, Turns};
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

/// How much more a state costs depth first than in blocks when the store has outgrown the caches,
/// beside what it did in the first slices. Measured on the three largest rows of `ample bench
/// spin`: 1.1 to 1.7.
const DEPTH_FIRST_LATER: f64 = 1.4;

/// The power of the share of the transitions that is the share of the states, where runs are short
/// and where they are long. Measured: 1.3 to 5.4 but for one reduction in ten where the path is not
/// as deep as a tenth of the states; elsewhere 0 to 0.9 for 9 reductions of 13.
const STATES_OF_SHARE: [f64; 2] = [2.0, 0.5];

/// Runs are long if the path is as deep as this part of the states that were expanded.
const LONG_RUNS: f64 = 0.4;

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

/// What a step of a search cost, and where it led.
struct Cost {
    /// What a state costs, in seconds.
    seconds: f64,
    last: Sample,
}

impl Cost {
    /// By what a search was when it was looked at.
    fn of(samples: &[Sample]) -> Cost {
        let mut before = Sample::default();
        let step = |after: &Sample| {
            let expanded = after.expanded.saturating_sub(before.expanded).max(1);
            let seconds = (after.seconds - before.seconds) / expanded as f64;
            before = *after;
            seconds
        };
        let mut steps: Vec<f64> = samples.iter().map(step).collect();
        steps.sort_by(f64::total_cmp);
        let seconds = steps.get(steps.len() / 2).copied().unwrap_or_default();
        Cost { seconds, last: samples.last().copied().unwrap_or_default() }
    }

    /// The share of the transitions that a reduction has taken.
    fn share_taken(&self) -> f64 {
        let Sample { transitions, left_out, .. } = self.last;
        transitions as f64 / (transitions + left_out).max(1) as f64
    }

    /// The share of the states that it will reach, as a guess.
    fn share_of_states(&self, is_depth_first: bool) -> f64 {
        let deep = if is_depth_first { self.last.depth as f64 / self.last.expanded.max(1) as f64 } else { 0.0 };
        let [short, long] = STATES_OF_SHARE;
        let power = short + (long - short) * (deep / LONG_RUNS).min(1.0);
        self.share_taken().powf(power)
    }
}

/// How many states a search had stored when it was first seen so deep; none if it never was.
fn states_at(depth: u64, samples: &[Sample]) -> Option<u64> {
    samples.iter().find(|sample| sample.depth >= depth).map(|sample| sample.states)
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
        let later = if is_depth_first { DEPTH_FIRST_LATER } else { 1.0 };
        let states = self.states * cost.share_of_states(is_depth_first);
        let estimate = cost.seconds / self.full.seconds * later * states;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(expanded: u64, seconds: f64, depth: u64) -> Sample {
        Sample { expanded, states: 2 * expanded, transitions: 3 * expanded, left_out: expanded, depth, seconds }
    }

    #[test]
    fn a_step_in_which_others_had_the_machine_does_not_count() {
        let steps = [(500, 0.9), (1000, 1.0), (1500, 1.1), (2000, 7.0), (2500, 7.1), (3000, 7.2)];
        let samples: Vec<Sample> = steps.iter().map(|(expanded, seconds)| sample(*expanded, *seconds, 1)).collect();
        let cost = Cost::of(&samples);
        assert!((cost.seconds * 500.0 - 0.1).abs() < 1e-9, "{}", cost.seconds);
        assert!((cost.share_taken() - 0.75).abs() < 1e-9);
        assert_eq!(Cost::of(&[]).seconds, 0.0);
    }

    #[test]
    fn where_runs_are_long_what_is_left_out_comes_later() {
        let taken =
            |depth: u64, is_depth_first: bool| Cost::of(&[sample(1000, 1.0, depth)]).share_of_states(is_depth_first);
        assert!((taken(0, true) - 0.75_f64.powi(2)).abs() < 1e-9);
        assert!((taken(200, true) - 0.75_f64.powf(1.25)).abs() < 1e-9);
        assert!((taken(400, true) - 0.75_f64.sqrt()).abs() < 1e-9);
        assert_eq!(taken(1000, true), taken(400, true));
        // The depth of other orders says nothing of that.
        assert_eq!(taken(1000, false), taken(0, true));
    }

    #[test]
    fn states_are_compared_at_the_same_depth() {
        let samples = [sample(500, 1.0, 3), sample(1000, 2.0, 9), sample(1500, 3.0, 12)];
        assert_eq!(states_at(9, &samples), Some(2000));
        assert_eq!(states_at(10, &samples), Some(3000));
        assert_eq!(states_at(13, &samples), None);
    }
}
