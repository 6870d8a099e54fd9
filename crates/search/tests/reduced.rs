//! Searches that leave transitions out, on systems of two processes that do not touch each other.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use std::collections::BTreeMap;
use std::sync::Mutex;

use ample_reduction::{Always, NoneBegun, NoneOnPath, SomeNew, SomeOffPath, SomeOpen};
use ample_search::{Ended, Limits, Search, SearchOutcome, StopAt};
use ample_transition::{
    Budget, Candidate, CycleCondition, DecisionLog, Decorator, Expander, FaultKind, Needs, Reduction, Seen,
    SuccessorBuffer, Successors,
};
use toy::{Node, Step, Toy, Way, all_ways, make_store, node, order, replay, second_store, to};

/// Offers the first transition alone, and then the second.
struct OneByOne;

impl Expander for OneByOne {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if successors.len() < 2 || number >= successors.len() {
            return false;
        }
        candidate.transitions.clear();
        candidate.transitions.push(number);
        true
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// Offers the first transition alone, always.
struct FirstOnly;

impl Expander for FirstOnly {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.transitions.clear();
        candidate.transitions.push(0);
        successors.len() > 1 && number == 0
    }

    fn has_failed(&self) -> bool {
        false
    }
}

fn run(way: Way, system: &dyn Successors, expander: &dyn Expander, condition: &dyn CycleCondition) -> SearchOutcome {
    run_logged(way, system, (expander, condition), None)
}

fn run_logged(
    way: Way,
    system: &dyn Successors,
    (expander, condition): (&dyn Expander, &dyn CycleCondition),
    log: Option<&dyn DecisionLog>,
) -> SearchOutcome {
    let budget = Budget::new(1 << 24);
    let begun = condition.needs().begun.then(|| make_store("exact", &budget));
    let outcome = (order(way.order).run)(Search {
        system,
        store: make_store(way.store, &budget),
        make_exact_store: &|| second_store(way.store, &budget),
        budget: &budget,
        threads: way.threads,
        wanted: &FaultKind::ALL,
        stop_at: StopAt::FirstViolation,
        limits: &Limits::default(),
        progress: None,
        observer: None,
        reduction: Some(Reduction { expander, condition, begun: begun.as_deref(), log }),
        has_assumption_failed: None,
        slices: None,
    });
    drop(begun);
    assert_eq!(budget.used(), 0, "{way:?}: all memory is given back");
    outcome
}

/// The conditions that an order knows, apart from none.
fn conditions(way: Way) -> Vec<&'static dyn CycleCondition> {
    let all: [&dyn CycleCondition; 5] = [&SomeNew, &SomeOffPath, &NoneOnPath, &SomeOpen, &NoneBegun];
    all.into_iter().filter(|condition| way.order == "dfs" || !condition.needs().path).collect()
}

/// Two counters up to `side`, each counted by a process of its own.
fn grid(side: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = move |n: Node| {
        let (x, y) = (n % side, n / side);
        let right = (x + 1 < side).then(|| to(n + 1));
        let down = (y + 1 < side).then(|| to(n + side));
        right.into_iter().chain(down).collect()
    };
    Toy { initial: 0, steps, may_end: |_| true }
}

/// A counter that goes round and round, and one that stops at `length` with a fault.
fn round_and_round(length: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    const ROUND: u32 = 5;
    let steps = move |n: Node| {
        let (x, y) = (n % ROUND, n / ROUND);
        let turn = to(y * ROUND + (x + 1) % ROUND);
        let fault = (y + 1 == length).then_some((FaultKind::Assertion, 7));
        let count = (y < length).then(|| Step { to: Some(n + ROUND), fault, moves: 1 });
        std::iter::once(turn).chain(count).collect()
    };
    Toy { initial: 0, steps, may_end: |_| true }
}

#[test]
fn one_way_through_a_grid_is_enough() {
    for way in all_ways() {
        for condition in conditions(way) {
            let outcome = run(way, &grid(10), &FirstOnly, condition);
            assert_eq!((outcome.counts.states, outcome.counts.transitions), (19, 18), "{way:?} {condition:?}");
            assert_eq!(outcome.ended, Ended::Complete);
        }
    }
}

#[test]
fn nothing_is_put_off_for_ever() {
    let system = round_and_round(40);
    for way in all_ways() {
        for (expander, condition) in conditions(way)
            .into_iter()
            .flat_map(|condition| [(&FirstOnly as &dyn Expander, condition), (&OneByOne, condition)])
        {
            let outcome = run(way, &system, expander, condition);
            assert_eq!(outcome.violations.len(), 1, "{way:?} {condition:?}");
            let violation = &outcome.violations[0];
            assert_eq!(violation.fault.kind, FaultKind::Assertion);
            replay(&system, &violation.trace);
        }
    }
}

#[test]
fn without_a_condition_something_may_be_put_off_for_ever() {
    let way = Way { order: "bfs", store: "tree", threads: 1 };
    let outcome = run(way, &round_and_round(40), &FirstOnly, &Always);
    assert_eq!((outcome.violations.len(), outcome.counts.states), (0, 5));
}

/// A condition that no registry has: all states are new or one is still to be expanded.
#[derive(Debug)]
struct AllNewOrOneOpen;

impl CycleCondition for AllNewOrOneOpen {
    fn needs(&self) -> Needs {
        Needs { new: true, begun: true, ..Needs::default() }
    }

    fn accepts(&self, seen: &[Seen]) -> bool {
        seen.iter().all(|next| next.is_new) || seen.iter().any(|next| next.is_open())
    }
}

#[test]
fn a_condition_of_its_own_goes_with_every_order() {
    let system = round_and_round(40);
    for way in all_ways() {
        let outcome = run(way, &system, &OneByOne, &AllNewOrOneOpen);
        assert_eq!(outcome.violations.len(), 1, "{way:?}");
        let grid = run(way, &grid(10), &FirstOnly, &AllNewOrOneOpen);
        assert_eq!((grid.counts.states, grid.counts.transitions), (19, 18), "{way:?}");
    }
}

/// Stands before another expander and does nothing.
struct Before<'e>(&'e dyn Expander);

impl Decorator for Before<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(self.0)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        self.0.candidate(state, successors, number, candidate)
    }
}

#[derive(Default)]
struct Log(Mutex<BTreeMap<Node, usize>>);

impl DecisionLog for Log {
    fn settled(&self, state: &[u8], number: usize) {
        self.0.lock().unwrap().insert(node(state), number);
    }
}

#[test]
fn what_is_settled_for_is_told_whatever_stands_before_the_expander() {
    for way in all_ways().filter(|way| way.threads == 1) {
        for condition in conditions(way) {
            let (plain, decorated) = (Log::default(), Log::default());
            let system = round_and_round(10);
            run_logged(way, &system, (&OneByOne, condition), Some(&plain));
            run_logged(way, &system, (&Before(&OneByOne), condition), Some(&decorated));
            let (plain, decorated) = (plain.0.into_inner().unwrap(), decorated.0.into_inner().unwrap());
            assert!(!plain.is_empty() && plain == decorated, "{way:?} {condition:?}");
        }
    }
}
