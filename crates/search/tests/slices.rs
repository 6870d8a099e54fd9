//! Searches that are held from time to time: every order, with every store and several numbers of
//! threads.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use std::sync::Mutex;

use ample_search::{Ended, Holder, Limits, Next, Sample, Search, SearchOutcome, Slices, StopAt};
use ample_transition::Budget;
use proptest::prelude::*;
use toy::{Node, Step, Toy, Way, all_ways, make_store, order, second_store, to};

/// A search is held each time it has expanded so many states more.
const STEP: u64 = 100;

/// Notes each sample, and gives the search up, or lets it run to its end, when it was held so
/// often.
struct Noting {
    samples: Mutex<Vec<Sample>>,
    most: usize,
    then: Next,
}

impl Holder for Noting {
    fn hold(&self, sample: &Sample) -> Next {
        let mut samples = self.samples.lock().unwrap();
        samples.push(*sample);
        if samples.len() == self.most { self.then } else { Next::Until(sample.expanded + STEP) }
    }
}

fn grid(side: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = move |n: Node| {
        let (x, y) = (n % side, n / side);
        let right = (x + 1 < side).then(|| to(n + 1));
        right.into_iter().chain((y + 1 < side).then(|| to(n + side))).collect()
    };
    Toy { initial: 0, steps, may_end: |_| true }
}

/// Searches a grid, held up to `most` times.
fn held(way: Way, side: u32, most: usize, then: Next) -> (SearchOutcome, Vec<Sample>) {
    let holder = Noting { samples: Mutex::default(), most, then };
    let budget = Budget::new(1 << 32);
    let outcome = (order(way.order).run)(Search {
        system: &grid(side),
        store: make_store(way.store, &budget),
        make_exact_store: &|| second_store(way.store, &budget),
        budget: &budget,
        threads: way.threads,
        wanted: &[],
        stop_at: StopAt::FirstViolation,
        limits: &Limits::default(),
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: Some(Slices { first: STEP, holder: &holder }),
    });
    assert_eq!(budget.used(), 0, "{way:?}: all memory is given back");
    (outcome, holder.samples.into_inner().unwrap())
}

#[test]
fn a_search_that_was_held_counts_the_same() {
    for way in all_ways() {
        let (outcome, samples) = held(way, 60, usize::MAX, Next::GiveUp);
        assert_eq!(outcome.ended, Ended::Complete, "{way:?}");
        assert_eq!((outcome.counts.states, outcome.counts.transitions), (3600, 7080), "{way:?}");
        assert!(samples.len() > 10, "{way:?}: {}", samples.len());
        assert!(samples.is_sorted_by(|a, b| a.expanded < b.expanded && a.seconds <= b.seconds), "{way:?}");
        assert!(samples.iter().all(|sample| sample.states >= sample.expanded && sample.transitions > 0), "{way:?}");
    }
}

#[test]
fn one_that_is_given_up_ends_at_once() {
    for way in all_ways() {
        let (outcome, samples) = held(way, 60, 3, Next::GiveUp);
        assert_eq!((outcome.ended, samples.len()), (Ended::Interrupted, 3), "{way:?}");
        // Other workers may have had a block in hand.
        assert!(outcome.counts.states < 3600, "{way:?}: {}", outcome.counts.states);
    }
}

#[test]
fn one_that_is_let_go_is_not_held_again() {
    for way in all_ways() {
        let (outcome, samples) = held(way, 60, 2, Next::ToTheEnd);
        assert_eq!((outcome.ended, outcome.counts.states, samples.len()), (Ended::Complete, 3600, 2), "{way:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn it_does_not_matter_when_a_search_is_held(side in 2..40u32, most in 1..20usize, way in 0..all_ways().count()) {
        let way = all_ways().nth(way).unwrap();
        let (outcome, _) = held(way, side, most, Next::ToTheEnd);
        prop_assert_eq!((outcome.ended, outcome.counts.states), (Ended::Complete, u64::from(side * side)));
    }
}
