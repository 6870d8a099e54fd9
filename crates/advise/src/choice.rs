//! Which of the ways that were tried is best: the one with the answer soonest; where that takes no
//! time worth speaking of, the one with the fewest states. Of those that differ by little the one
//! that names least.

use std::cmp::Ordering;

use crate::tried::{Searched, Tried};

/// A shorter time is none: what counts then are states.
pub(crate) const NO_TIME: f64 = 0.1;

/// Times that differ by no more than this factor are the same.
const SAME_TIME: f64 = 1.1;

/// States that differ by no more than one in so many are the same.
const SAME_STATES: u64 = 50;

/// The best of those that came to an answer; if none did, the one that promises to be over soonest.
pub(crate) fn best(tried: &[Tried]) -> Option<usize> {
    let settled: Vec<(usize, &Searched)> =
        tried.iter().enumerate().filter_map(|(at, one)| Some((at, one.settled()?))).collect();
    let least = settled.iter().map(|(_, searched)| searched.seconds).reduce(f64::min);
    let alike: Vec<(usize, &Searched)> = match least {
        None => return most_promising(tried).first().copied(),
        Some(least) if least < NO_TIME => {
            let quick = || settled.iter().filter(|(_, searched)| searched.seconds < NO_TIME);
            let fewest = quick().map(|(_, searched)| searched.counts.states).min().unwrap_or_default();
            let most = fewest + fewest / SAME_STATES;
            quick().filter(|(_, searched)| searched.counts.states <= most).copied().collect()
        }
        Some(least) => settled.iter().filter(|(_, searched)| searched.seconds <= least * SAME_TIME).copied().collect(),
    };
    // Of those that are the same in all this the first, whatever the clock says.
    let simpler = |(a, one): &&(usize, &Searched), (b, other): &&(usize, &Searched)| {
        let size = |at: usize| tried[at].ask.size();
        size(*a).cmp(&size(*b)).then(one.counts.states.cmp(&other.counts.states))
    };
    alike.iter().min_by(simpler).map(|(at, _)| *at)
}

/// The searches that were cut off, those first that promise to be over soonest; of which nothing is
/// known, last.
pub(crate) fn most_promising(tried: &[Tried]) -> Vec<usize> {
    let open = |at: &usize| tried[*at].searched().is_some_and(|searched| !searched.is_settled);
    let mut all: Vec<usize> = (0..tried.len()).filter(open).collect();
    let estimate = |at: usize| tried[at].searched().and_then(|searched| searched.estimate);
    all.sort_by(|a, b| by_estimate(estimate(*a), estimate(*b)));
    all
}

/// What is not known comes last.
pub(crate) fn by_estimate(one: Option<f64>, other: Option<f64>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use ample_check::{Verdict, Way};
    use ample_guarantee::ClassSet;
    use ample_reduction::{DEAD, MERGE};
    use ample_search::Counts;

    use super::*;
    use crate::tried::{Ask, Came};

    fn tried(way: Way, states: u64, seconds: f64, estimate: Option<f64>) -> Tried {
        let searched = Searched {
            is_settled: estimate.is_none(),
            verdict: Verdict::Holds,
            reason: None,
            trace: None,
            order: None,
            counts: Counts { states, ..Counts::default() },
            seconds,
            memory: 0,
            estimate,
            preserves: ClassSet::ALL,
            reductions: Vec::new(),
        };
        Tried { ask: Ask::In(way), single: None, came: Came::Searched(searched) }
    }

    fn two() -> Way {
        Way::default().with(&DEAD).with(&MERGE)
    }

    #[test]
    fn where_time_is_short_states_count_and_of_like_ones_the_simpler() {
        let (one, both) = (Way::default().with(&DEAD), two());
        let all = [
            tried(Way::default(), 1000, 0.01, None),
            tried(both.clone(), 100, 0.05, None),
            tried(one.clone(), 102, 0.09, None),
            tried(Way::default(), 10, 0.2, None),
        ];
        assert_eq!(best(&all), Some(2));
        let all = [tried(Way::default(), 1000, 0.01, None), tried(both, 100, 0.05, None), tried(one, 103, 0.01, None)];
        assert_eq!(best(&all), Some(1));
    }

    #[test]
    fn where_it_is_not_time_counts() {
        let all = [tried(Way::default(), 1000, 0.8, None), tried(two(), 10, 0.75, None), tried(two(), 1, 3.0, None)];
        assert_eq!(best(&all), Some(0));
        let all = [tried(Way::default(), 1000, 0.9, None), tried(two(), 10, 0.75, None)];
        assert_eq!(best(&all), Some(1));
    }

    #[test]
    fn what_is_over_comes_before_what_promises_to_be() {
        let open = |estimate| tried(two(), 1, 0.1, Some(estimate));
        assert_eq!(best(&[open(1.0), open(0.2), open(0.5)]), Some(1));
        assert_eq!(best(&[open(0.1), tried(Way::default(), 1000, 5.0, None)]), Some(1));
        assert_eq!(best(&[]), None);
        assert_eq!(by_estimate(None, Some(9.0)), Ordering::Greater);
    }
}
