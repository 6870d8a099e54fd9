//! How long a search will take beside the full one, as far as their beginnings tell.
//!
//! What a state costs is measured, step by step, and the median counts: the first steps are slow,
//! and others may use the machine. How many states there will be is guessed.
//!
//! - A partial order reduction that takes a share of the transitions reaches about the square of
//!   that share of the states where runs are short: what is left out leads on. Where runs are long,
//!   what is left out in one round of a cycle comes in the next, and nearly all states are reached.
//!   Runs are as long as the path of a depth-first search is deep, beside the states that it has
//!   expanded. It is a fit to 49 models, and coarse: of a share of a half, anything from 0.06 to
//!   0.96 may come.
//! - A canonizer leaves the distances as they are: the states of the quotient down to a depth are
//!   to those of the system down to that depth as the whole quotient to the whole system.

use ample_search::Sample;

/// A sample is taken each time so many states were expanded.
pub const STEP: u64 = 500;

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

/// What a step of a search cost, and where it led.
pub struct Cost {
    /// What a state costs, in seconds.
    pub seconds: f64,
    /// How far it was when it was last looked at.
    pub last: Sample,
}

impl Cost {
    /// By what a search was when it was looked at.
    pub fn of(samples: &[Sample]) -> Cost {
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
    pub fn share_taken(&self) -> f64 {
        let Sample { transitions, left_out, .. } = self.last;
        transitions as f64 / (transitions + left_out).max(1) as f64
    }

    /// The share of the states that it will reach, as a guess.
    pub fn share_of_states(&self, is_depth_first: bool) -> f64 {
        let deep = if is_depth_first { self.last.depth as f64 / self.last.expanded.max(1) as f64 } else { 0.0 };
        let [short, long] = STATES_OF_SHARE;
        let power = short + (long - short) * (deep / LONG_RUNS).min(1.0);
        self.share_taken().powf(power)
    }

    /// How long it will take beside the full search, as a guess: `states` are the states of the
    /// space that it leaves something out of, beside those of the full one.
    pub fn of_reduced(&self, full: &Cost, is_depth_first: bool, states: f64) -> f64 {
        let later = if is_depth_first { DEPTH_FIRST_LATER } else { 1.0 };
        self.seconds / full.seconds * later * states * self.share_of_states(is_depth_first)
    }
}

/// How many states a search had stored when it was first seen so deep; none if it never was.
pub fn states_at(depth: u64, samples: &[Sample]) -> Option<u64> {
    samples.iter().find(|sample| sample.depth >= depth).map(|sample| sample.states)
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
