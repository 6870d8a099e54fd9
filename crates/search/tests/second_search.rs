//! The second search, which finds a trace to a violation.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use std::sync::atomic::{AtomicUsize, Ordering};

use ample_search::{Limits, Search, StopAt};
use ample_transition::{Budget, FaultKind};
use toy::{Toy, all_ways, make_store, order, replay, second_store, to};

#[test]
fn the_second_search_takes_the_store_that_it_is_given() {
    let steps = |n| if n < 300 { vec![to(2 * n + 1), to(2 * n + 2)] } else { vec![] };
    let tree = Toy { initial: 0, steps, may_end: |n| n != 300 };
    for way in all_ways().filter(|way| way.order != "dfs") {
        for is_there in [true, false] {
            let budget = Budget::unlimited();
            let made = AtomicUsize::new(0);
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                second_store(way.store, &budget).filter(|_| is_there)
            };
            let outcome = (order(way.order).run)(Search {
                system: &tree,
                store: make_store(way.store, &budget),
                make_exact_store: &make,
                budget: &budget,
                threads: way.threads,
                wanted: &FaultKind::ALL,
                stop_at: StopAt::End,
                limits: &Limits::default(),
                progress: None,
                observer: None,
                reduction: None,
                has_assumption_failed: None,
                slices: None,
            });
            assert!(made.load(Ordering::Relaxed) > 0, "{way:?}");
            // Without one, the path back through the blocks is still there.
            assert_eq!(replay(&tree, &outcome.violations[0].trace).last(), Some(&Some(300)), "{way:?}");
        }
    }
}
