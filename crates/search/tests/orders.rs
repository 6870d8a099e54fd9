//! All orders, with every store and several numbers of threads, on systems small enough to see
//! through, and on random graphs.

mod toy;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ample_search::{Counts, Ended, Limit, Limits, Search, SearchOutcome, Snapshot, StopAt};
use ample_transition::{Budget, Fault, FaultKind, SuccessorBuffer, Successors};
use proptest::prelude::*;
use toy::{Node, Question, Step, Toy, Way, all_ways, fault, make_store, node, order, replay, second_store, to};

/// Everything that explores in the order `bfs`.
fn breadth_first() -> impl Iterator<Item = Way> {
    all_ways().filter(|way| way.order == "bfs")
}

/// Whether nothing is said of how deep a state lies: `blocks` counts a way to it, not the shortest.
fn knows_depth(way: Way) -> bool {
    order(way.order).knows_depth
}

/// The kinds and places of the violations, sorted.
fn places(outcome: &SearchOutcome) -> Vec<(FaultKind, u32)> {
    let mut places: Vec<_> = outcome.violations.iter().map(|f| (f.fault.kind, f.fault.span.start)).collect();
    places.sort();
    places
}

/// A tree without an end; wide enough for all workers.
fn endless_tree() -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = |n: Node| vec![to(n.wrapping_mul(2).wrapping_add(1)), to(n.wrapping_mul(2).wrapping_add(2))];
    Toy { initial: 0, steps, may_end: |_| true }
}

/// `nodes` nodes in no order that hashing or numbering could profit from; the last of them is an
/// invalid end.
fn wide(nodes: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = move |n: Node| {
        let next = |factor: u64, plus: u64| to(((u64::from(n) * factor + plus) % u64::from(nodes)) as Node);
        if n == nodes - 1 { vec![] } else { vec![next(1, 1), next(7919, 1), next(104_729, 17), next(31, 5)] }
    };
    Toy { initial: 0, steps, may_end: |_| false }
}

/// A chain of `length` transitions.
fn chain(length: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    Toy { initial: 0, steps: move |n| if n < length { vec![to(n + 1)] } else { vec![] }, may_end: |_| true }
}

/// A grid of `side` × `side` nodes, right and down.
fn grid(side: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = move |n: Node| {
        let (x, y) = (n % side, n / side);
        let mut steps = Vec::new();
        if x + 1 < side {
            steps.push(to(n + 1));
        }
        if y + 1 < side {
            steps.push(to(n + side));
        }
        steps
    };
    Toy { initial: 0, steps, may_end: |_| true }
}

#[test]
fn a_grid_is_counted_exactly() {
    for way in all_ways() {
        let seen = Question::by(way).ask(&grid(10));
        let counts = Counts { states: 100, covered: 0, transitions: 180, atomic_steps: 0, merged_states: 0, depth: 18 };
        assert_eq!((seen.outcome.counts, seen.outcome.ended), (counts, Ended::Complete), "{way:?}");
        assert_eq!(seen.edges.len(), 180);
    }
}

#[test]
fn an_observer_is_told_of_each_state_once_with_all_its_successors() {
    for way in all_ways() {
        let mut expanded = Question::by(way).ask(&grid(10)).expanded;
        expanded.sort_unstable();
        // The last one, which nothing leaves, too.
        assert_eq!(expanded, (0..100).collect::<Vec<_>>(), "{way:?}");
    }
}

#[test]
fn steps_inside_a_transition_and_runs_that_end_are_counted_apart() {
    let steps = |n| match n {
        0 => vec![
            Step { moves: 4, ..to(1) },
            Step { to: None, fault: Some((FaultKind::RuntimeError, 0)), moves: 2 },
            Step { moves: 2, ..to(0) },
        ],
        _ => vec![],
    };
    for way in all_ways() {
        let seen = Question::by(way).wanting(&[]).ask(&Toy { initial: 0, steps, may_end: |_| false });
        assert_eq!(
            seen.outcome.counts,
            Counts { states: 2, covered: 0, transitions: 2, atomic_steps: 4, merged_states: 0, depth: 1 }
        );
        assert!(seen.outcome.violations.is_empty());
    }
}

#[test]
fn depth_first_is_the_order_of_the_recursive_algorithm() {
    // 0 leads to 1 and 2, 1 leads to 2: depth first visits 2 from 1, and the edge 0–2 leads to an
    // old state.
    let steps = |n| match n {
        0 => vec![to(1), to(2)],
        1 => vec![to(2)],
        2 => vec![to(3)],
        _ => vec![],
    };
    let seen = Question::new("dfs").ask(&Toy { initial: 0, steps, may_end: |_| false });
    assert_eq!(seen.outcome.counts.depth, 3);
    assert_eq!(seen.outcome.violations[0].trace.transitions.len(), 3);
    let seen = Question::new("bfs").ask(&Toy { initial: 0, steps, may_end: |_| false });
    assert_eq!(seen.outcome.counts.depth, 2);
    assert_eq!(seen.outcome.violations[0].trace.transitions.len(), 2);
}

#[test]
fn five_million_states_deep_is_not_too_deep() {
    // Only depth first has a stack to overflow; the others are asked for their long trace.
    for (name, length) in [("dfs", 5_000_000), ("bfs", 200_000), ("blocks", 200_000)] {
        let system = Toy { may_end: |_| false, ..chain(length) };
        let outcome = Question::new(name).outcome(&system);
        assert_eq!(outcome.counts.states, u64::from(length) + 1);
        assert_eq!(outcome.counts.depth, u64::from(length));
        assert_eq!(outcome.ended, Ended::FirstViolation);
        assert_eq!(outcome.violations[0].trace.transitions.len(), length as usize);
    }
}

#[test]
fn an_invalid_end_state_that_is_nearer_wins_over_a_fault_found_earlier() {
    // At level 1, node 1 has a faulty transition (trace of 2) and node 2 is an invalid end (trace
    // of 1).
    let steps = |n| match n {
        0 => vec![to(1), to(2)],
        1 => vec![Step { fault: Some((FaultKind::Assertion, 7)), ..to(3) }],
        _ => vec![],
    };
    let system = Toy { initial: 0, steps, may_end: |_| false };
    for way in breadth_first() {
        let outcome = Question::by(way).ask(&system).outcome;
        assert_eq!(outcome.violations.len(), 1);
        assert_eq!(outcome.violations[0].fault, fault(FaultKind::InvalidEndState, 2));
        let outcome = Question::by(way).wanting(&[FaultKind::Assertion]).ask(&system).outcome;
        assert_eq!(outcome.violations[0].fault, fault(FaultKind::Assertion, 7));
        assert_eq!(outcome.violations[0].trace.transitions.len(), 2);
        assert_eq!(outcome.ended, Ended::FirstViolation);
    }
}

#[test]
fn going_on_reports_each_kind_and_place_once() {
    // Every transition of a ring fails the same assertion; two nodes end the run with different
    // errors.
    let steps = |n: Node| {
        let mut steps = vec![Step { fault: Some((FaultKind::Assertion, 1)), ..to((n + 1) % 10) }];
        if n == 4 || n == 6 {
            steps.push(Step { to: None, fault: Some((FaultKind::RuntimeError, n)), moves: 1 });
        }
        steps
    };
    let system = Toy { initial: 0, steps, may_end: |_| true };
    for way in all_ways() {
        let outcome = Question::by(way).until_the_end().ask(&system).outcome;
        assert_eq!(outcome.ended, Ended::Complete);
        assert_eq!(
            outcome.counts,
            Counts { states: 10, covered: 0, transitions: 10, atomic_steps: 0, merged_states: 0, depth: 9 }
        );
        let faults: Vec<&Fault> = outcome.violations.iter().map(|found| &found.fault).collect();
        let expected =
            [fault(FaultKind::Assertion, 1), fault(FaultKind::RuntimeError, 4), fault(FaultKind::RuntimeError, 6)];
        assert_eq!(faults, expected.iter().collect::<Vec<_>>());
        let lengths: Vec<usize> = outcome.violations.iter().map(|found| found.trace.transitions.len()).collect();
        assert_eq!(lengths, [1, 5, 7]);
        assert_eq!(replay(&system, &outcome.violations[1].trace).last(), Some(&None));
    }
}

#[test]
fn unwanted_faults_are_passed_over() {
    let steps = |n: Node| {
        if n < 3 { vec![Step { fault: Some((FaultKind::Assertion, n)), ..to(n + 1) }] } else { vec![] }
    };
    let system = Toy { initial: 0, steps, may_end: |_| false };
    for way in all_ways() {
        let outcome = Question::by(way).wanting(&[FaultKind::RuntimeError]).ask(&system).outcome;
        assert!(outcome.violations.is_empty());
        assert_eq!(outcome.ended, Ended::Complete);
    }
}

#[test]
fn limits_cut_and_say_so_only_if_there_is_more() {
    for way in all_ways() {
        let states = |max| {
            let limits = Limits { max_states: Some(max), ..Limits::default() };
            Question::by(way).within(limits).ask(&chain(9)).outcome
        };
        assert_eq!(states(10).ended, Ended::Complete);
        assert_eq!(states(9).ended, Ended::Limit(Limit::States(9)));
        assert_eq!(states(9).counts.states, 9);
        assert_eq!(states(0).ended, Ended::Limit(Limit::States(0)));

        if knows_depth(way) {
            let depth = |max| {
                let limits = Limits { max_depth: Some(max), ..Limits::default() };
                Question::by(way).within(limits).ask(&Toy { may_end: |_| false, ..chain(9) }).outcome
            };
            assert_eq!(depth(9).ended, Ended::FirstViolation);
            assert_eq!(depth(8).ended, Ended::Limit(Limit::Depth(8)));
            assert_eq!(
                depth(8).counts,
                Counts { states: 9, covered: 0, transitions: 8, atomic_steps: 0, merged_states: 0, depth: 8 }
            );
            assert!(depth(8).violations.is_empty());
        }
    }
}

#[test]
fn time_and_memory_are_limited() {
    let chain = Toy { initial: 0, steps: |n: Node| vec![to(n.wrapping_add(1))], may_end: |_| true };
    let systems: [&dyn Successors; 2] = [&chain, &endless_tree()];
    for way in all_ways() {
        for endless in systems {
            let limits = Limits { max_time: Some(Duration::from_millis(20)), ..Limits::default() };
            let outcome = Question::by(way).within(limits).outcome(endless);
            let is_late = outcome.ended == Ended::Limit(Limit::Time(Duration::from_millis(20)));
            let takes_all_for_seen = way.store == "bitstate" && outcome.ended == Ended::Complete;
            assert!(is_late || takes_all_for_seen, "{way:?}: {:?}", outcome.ended);
            // A share of the time is kept for what was found.
            assert!(outcome.seconds >= 0.018 || takes_all_for_seen);
        }
        // What a bitstate store may use does not depend on the number of states: it takes any
        // number for the same.
        for endless in systems.into_iter().filter(|_| way.store != "bitstate") {
            let limits = Limits { max_memory: Some(1 << 20), ..Limits::default() };
            let outcome = Question::by(way).within(limits).outcome(endless);
            assert_eq!(outcome.ended, Ended::Limit(Limit::Memory(1 << 20)), "{way:?}");
            assert!(outcome.counts.states > 1000, "{way:?}: {} states", outcome.counts.states);
            assert!(outcome.memory <= 1 << 20, "{way:?}: {} bytes", outcome.memory);
        }
    }
}

#[test]
fn the_number_of_states_is_limited_exactly_whoever_adds_them() {
    for way in all_ways() {
        for max in [1, 2, 63, 64, 65, 1000, 2499] {
            let limits = Limits { max_states: Some(max), ..Limits::default() };
            let outcome = Question::by(way).within(limits).outcome(&grid(50));
            assert_eq!((outcome.counts.states, outcome.ended), (max, Ended::Limit(Limit::States(max))), "{way:?}");
        }
        let limits = Limits { max_states: Some(2500), ..Limits::default() };
        let outcome = Question::by(way).within(limits).outcome(&grid(50));
        assert_eq!((outcome.counts.states, outcome.ended), (2500, Ended::Complete), "{way:?}");
    }
    // Wide enough for all workers to add states at the same time.
    for way in all_ways().filter(|way| way.store != "bitstate") {
        for max in [20_000, 20_001] {
            let limits = Limits { max_states: Some(max), ..Limits::default() };
            let outcome = Question::by(way).within(limits).outcome(&endless_tree());
            assert_eq!((outcome.counts.states, outcome.ended), (max, Ended::Limit(Limit::States(max))), "{way:?}");
        }
    }
}

#[test]
fn a_depth_limit_still_looks_at_the_rest() {
    for way in all_ways().filter(|&way| knows_depth(way)) {
        let limits = Limits { max_depth: Some(5), ..Limits::default() };
        let seen = Question::by(way).within(limits).ask(&grid(10));
        assert_eq!(seen.outcome.ended, Ended::Limit(Limit::Depth(5)));
        assert_eq!(seen.outcome.counts.states, 1 + 2 + 3 + 4 + 5 + 6);
    }
}

#[test]
fn violations_within_a_depth_limit_are_traced_without_adding_states() {
    let steps =
        |n: Node| vec![to(2 * n + 1), Step { fault: (n == 12).then_some((FaultKind::Assertion, 0)), ..to(2 * n + 2) }];
    let system = Toy { initial: 0, steps, may_end: |_| true };
    for way in breadth_first() {
        let limits = Limits { max_depth: Some(4), ..Limits::default() };
        let seen = Question::by(way).until_the_end().within(limits).ask(&system);
        assert_eq!(seen.outcome.violations[0].trace.transitions.len(), 4);
        assert_eq!((seen.nodes.len(), seen.outcome.counts.states), (31, 31));
    }
}

#[test]
fn a_full_store_ends_the_search() {
    for way in all_ways().filter(|way| way.store != "bitstate") {
        let budget = Budget::new(200_000);
        let outcome = (order(way.order).run)(Search {
            system: &chain(1_000_000),
            store: make_store(way.store, &budget),
            make_exact_store: &|| second_store(way.store, &budget),
            budget: &budget,
            threads: way.threads,
            wanted: &[],
            stop_at: StopAt::End,
            limits: &Limits::default(),
            progress: None,
            observer: None,
            reduction: None,
            has_assumption_failed: None,
            slices: None,
        });
        assert_eq!(outcome.ended, Ended::StoreFull, "{way:?}");
        assert!(outcome.counts.states > 100, "{way:?}: {} states", outcome.counts.states);
        assert_eq!(budget.used(), 0, "{way:?}");
    }
}

#[test]
fn a_violation_without_memory_for_the_way_to_it_is_untraced() {
    // A field of bits fits where the second search cannot even begin, and not all blocks that lead
    // there. Depth first needs none: its stack is the way.
    let system = Toy { may_end: |_| false, ..chain(200) };
    let limits = Limits { max_memory: Some(1 << 14), ..Limits::default() };
    for way in all_ways().filter(|way| way.store == "bitstate" && way.order != "dfs") {
        for stop_at in [StopAt::FirstViolation, StopAt::End] {
            let outcome = Question { stop_at, ..Question::by(way).within(limits.clone()) }.outcome(&system);
            let expected = fault(FaultKind::InvalidEndState, 200);
            let [untraced] = &outcome.untraced[..] else { panic!("{way:?}: {outcome:?}") };
            assert_eq!((&untraced.fault, untraced.why), (&expected, Ended::Limit(Limit::Memory(1 << 14))), "{way:?}");
            assert!(outcome.violations.is_empty(), "{way:?}");
            let ended = if stop_at == StopAt::End { Ended::Complete } else { Ended::FirstViolation };
            assert_eq!(outcome.ended, ended, "{way:?}");
            assert_eq!(outcome.counts.states, 201);
        }
    }
}

/// A tree with this many levels, two nodes below each; one leaf is an invalid end.
fn tree(levels: u32) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let inner = (1 << (levels - 1)) - 1;
    let steps = move |n: Node| if n < inner { vec![to(2 * n + 1), to(2 * n + 2)] } else { vec![] };
    Toy { initial: 0, steps, may_end: |n| n != 50_000 }
}

/// Somebody loses patience when a few thousand states were visited after the error was found: too
/// few to come across it a second time.
#[test]
fn what_was_found_is_not_lost_while_a_shorter_way_is_looked_for() {
    for way in all_ways().filter(|way| way.order != "dfs" && way.store == "tree") {
        let (is_found, visited) = (AtomicBool::new(false), AtomicU64::new(0));
        let limits = Limits::default();
        let tree = tree(16);
        let steps = |n: Node| {
            is_found.fetch_or(n == 50_000, Ordering::Relaxed);
            if is_found.load(Ordering::Relaxed) && visited.fetch_add(1, Ordering::Relaxed) == 5_000 {
                limits.interrupt.store(true, Ordering::Relaxed);
            }
            (tree.steps)(n)
        };
        let system = Toy { initial: 0, steps, may_end: tree.may_end };
        let outcome = Question::by(way).within(limits.clone()).outcome(&system);
        assert!(limits.is_interrupted(), "{way:?}");
        assert!(outcome.untraced.is_empty(), "{way:?}");
        assert_eq!(replay(&system, &outcome.violations[0].trace).last(), Some(&Some(50_000)), "{way:?}");
    }
}

/// In a tree without an end, whoever goes down first never comes back. The last node of the level
/// is at fault.
#[test]
fn a_shallow_error_is_found_with_ten_times_the_states_of_breadth_first_search() {
    for level in [3, 12, 17] {
        let target = (2 << level) - 2;
        let tree = endless_tree();
        let wrong = Step { to: None, fault: Some((FaultKind::Assertion, 0)), moves: 1 };
        let steps = |n: Node| if n == target { vec![wrong.clone()] } else { (tree.steps)(n) };
        let system = Toy { initial: 0, steps, may_end: |_| true };
        let way = |order, threads| Way { order, store: "tree", threads };
        let nearest = Question::by(way("bfs", 1)).outcome(&system);
        assert_eq!(nearest.violations[0].trace.transitions.len(), level + 1);
        for threads in [1, 2, 8] {
            let limits = Limits { max_states: Some(10 * nearest.counts.states), ..Limits::default() };
            let outcome = Question::by(way("blocks", threads)).within(limits).outcome(&system);
            assert_eq!(outcome.ended, Ended::FirstViolation, "level {level}, {threads} threads");
            assert_eq!(outcome.violations[0].trace.transitions.len(), level + 1);
        }
    }
}

/// Asking looks at the budget afterwards.
fn ends_early(ways: impl Iterator<Item = Way>) {
    for way in ways {
        let limits = Limits { max_states: Some(20_000), ..Limits::default() };
        Question::by(way).within(limits).ask(&endless_tree());
    }
}

#[test]
fn memory_is_given_back_when_the_search_ends_early() {
    ends_early(all_ways().filter(|way| way.order != "blocks"));
}

#[test]
fn memory_of_blocks_is_given_back_when_the_search_ends_early() {
    ends_early(all_ways().filter(|way| way.order == "blocks"));
}

#[test]
fn a_search_that_could_not_begin_found_nothing_and_is_not_complete() {
    let outcome = SearchOutcome::not_begun();
    assert_eq!((outcome.counts, outcome.ended), (Counts::default(), Ended::StoreFull));
    assert!(outcome.violations.is_empty() && outcome.untraced.is_empty() && outcome.workers.is_empty());
}

#[test]
fn one_violation_is_one_whoever_finds_it() {
    // Every transition of a wide system is at fault, each at a place of its own.
    let steps = |n: Node| {
        let step = |to| Step { to: Some(to), fault: (n > 20_000).then_some((FaultKind::Assertion, to)), moves: 1 };
        vec![step(2 * n + 1), step(2 * n + 2)]
    };
    let system = Toy { initial: 0, steps, may_end: |_| true };
    for way in all_ways().filter(|way| way.store == "tree") {
        for _ in 0..3 {
            let limits = Limits { max_states: Some(1_000_000), ..Limits::default() };
            let outcome = Question::by(way).within(limits).outcome(&system);
            assert_eq!((outcome.violations.len(), outcome.ended), (1, Ended::FirstViolation), "{way:?}");
        }
    }
}

#[test]
fn two_hundred_thousand_states_are_as_many_each_time() {
    let nodes = 200_000;
    let system = wide(nodes);
    let expected = Counts {
        states: nodes.into(),
        covered: 0,
        transitions: u64::from(nodes - 1) * 4,
        atomic_steps: 0,
        merged_states: 0,
        depth: 0,
    };
    let level = Question::new("bfs").until_the_end().outcome(&system).counts.depth;
    for way in all_ways().filter(|way| way.store != "bitstate" && (way.threads == 8 || way.store == "tree")) {
        for _ in 0..if way.threads == 8 && way.store == "tree" { 10 } else { 1 } {
            let outcome = Question::by(way).until_the_end().outcome(&system);
            assert_eq!(Counts { depth: 0, ..outcome.counts }, expected, "{way:?}");
            assert_eq!(outcome.ended, Ended::Complete, "{way:?}");
            assert_eq!(places(&outcome), [(FaultKind::InvalidEndState, nodes - 1)], "{way:?}");
            let nodes = replay(&system, &outcome.violations[0].trace);
            assert_eq!(nodes.last(), Some(&Some(199_999)), "{way:?}");
            if way.order != "dfs" {
                assert!(outcome.violations[0].trace.transitions.len() as u64 <= level, "{way:?}");
            }
            assert_eq!(outcome.workers.len(), if way.threads > 1 { way.threads } else { 0 }, "{way:?}");
            assert!(outcome.workers.iter().all(|time| time.busy >= 0.0 && time.idle >= 0.0), "{way:?}");
        }
    }
}

#[test]
fn an_interruption_ends_the_search_and_is_not_an_end_state() {
    for way in all_ways() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let by_system = interrupt.clone();
        // The system sees the request in the middle of an expansion and gives up: no successor, but
        // no end either.
        let steps = move |n: Node| {
            if n == 50 {
                by_system.store(true, Ordering::Relaxed);
                return vec![];
            }
            vec![to(n + 1)]
        };
        let limits = Limits { interrupt, ..Limits::default() };
        let system = Toy { initial: 0, steps, may_end: |_| false };
        let outcome = Question::by(way).within(limits).ask(&system).outcome;
        assert_eq!(outcome.ended, Ended::Interrupted);
        assert_eq!(outcome.counts.states, 51);
        assert!(outcome.violations.is_empty());
    }
}

#[test]
fn progress_is_told_and_changes_nothing() {
    for way in all_ways().filter(|way| way.store == "tree") {
        let mut reports: Vec<Snapshot> = Vec::new();
        let limits = Limits::default();
        let enough = limits.interrupt.clone();
        let mut progress = |snapshot: &Snapshot| {
            reports.push(*snapshot);
            enough.store(reports.len() >= 3, Ordering::Relaxed);
        };
        let budget = Budget::unlimited();
        let outcome = (order(way.order).run)(Search {
            system: &endless_tree(),
            store: make_store(way.store, &budget),
            make_exact_store: &|| second_store(way.store, &budget),
            budget: &budget,
            threads: way.threads,
            wanted: &[],
            stop_at: StopAt::End,
            limits: &limits,
            progress: Some(&mut progress),
            observer: None,
            reduction: None,
            has_assumption_failed: None,
            slices: None,
        });
        assert_eq!(outcome.ended, Ended::Interrupted, "{way:?}");
        assert!(reports.len() >= 3, "{way:?}");
        assert!(reports.iter().all(|report| report.memory > 0), "{way:?}");
        assert!(reports.is_sorted_by_key(|report| report.states));
        assert!(reports.iter().all(|report| report.states <= outcome.counts.states && report.rate > 0.0));
    }
}

#[test]
fn a_system_without_an_initial_state_is_violated_whatever_is_wanted() {
    struct Broken;
    impl Successors for Broken {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Err(Box::new(fault(FaultKind::RuntimeError, 3)))
        }
        fn expand_all(&self, _: &[u8], _: &mut SuccessorBuffer) {}
        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }
    for way in all_ways() {
        let outcome = Question::by(way).wanting(&[]).ask(&Broken).outcome;
        assert_eq!(outcome.counts, Counts::default());
        assert_eq!(outcome.violations[0].fault, fault(FaultKind::RuntimeError, 3));
        assert!(outcome.violations[0].trace.transitions.is_empty());
    }
}

/// A random graph: per node the targets, and which (node, edge) fails an assertion.
fn random_graph() -> impl Strategy<Value = Vec<Vec<(Node, bool)>>> {
    (1u32..40).prop_flat_map(|nodes| {
        let edge = (0..nodes, proptest::bool::weighted(0.03));
        proptest::collection::vec(proptest::collection::vec(edge, 0..4), nodes as usize)
    })
}

fn graph_system(graph: &[Vec<(Node, bool)>]) -> Toy<impl Fn(Node) -> Vec<Step>> {
    let steps = move |n: Node| {
        let step = |(number, &(target, faulty)): (usize, &(Node, bool))| Step {
            fault: faulty.then_some((FaultKind::Assertion, n * 4 + number as u32)),
            ..to(target)
        };
        graph[n as usize].iter().enumerate().map(step).collect()
    };
    Toy { initial: 0, steps, may_end: |n| n % 5 != 0 }
}

/// The distance of each node from node 0.
fn distances(graph: &[Vec<(Node, bool)>]) -> Vec<Option<usize>> {
    let mut distances = vec![None; graph.len()];
    distances[0] = Some(0);
    let mut queue = VecDeque::from([0]);
    while let Some(n) = queue.pop_front() {
        for &(target, _) in &graph[n] {
            if distances[target as usize].is_none() {
                distances[target as usize] = distances[n].map(|d: usize| d + 1);
                queue.push_back(target as usize);
            }
        }
    }
    distances
}

/// Whether a found violation is where its trace leads.
fn is_real(system: &Toy<impl Fn(Node) -> Vec<Step>>, found: &ample_search::Found) -> bool {
    let nodes = replay(system, &found.trace);
    match found.fault.kind {
        FaultKind::InvalidEndState => {
            let end = nodes.last().copied().flatten().unwrap();
            (system.steps)(end).is_empty() && end == found.fault.span.start
        }
        _ => {
            let before = nodes[nodes.len() - 2].unwrap();
            let number = found.trace.transitions.last().unwrap()[0].edge;
            before * 4 + ample_stdx::TypedId::index(number) as u32 == found.fault.span.start
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_see_the_same_system(graph in random_graph()) {
        let system = graph_system(&graph);
        let distances = distances(&graph);
        let reachable: Vec<Node> = (0..graph.len() as u32).filter(|&n| distances[n as usize].is_some()).collect();
        let edges: usize = reachable.iter().map(|&n| graph[n as usize].len()).sum();
        let expected = places(&Question::new("dfs").until_the_end().ask(&system).outcome);
        for way in all_ways() {
            let seen = Question::by(way).until_the_end().ask(&system);
            prop_assert!(seen.nodes.iter().eq(&reachable), "{way:?}");
            prop_assert_eq!(seen.outcome.counts.states, reachable.len() as u64, "{:?}", way);
            prop_assert_eq!(seen.outcome.counts.transitions, edges as u64, "{:?}", way);
            prop_assert_eq!(seen.edges.len(), edges);
            prop_assert_eq!(seen.outcome.ended, Ended::Complete);
            prop_assert!(seen.outcome.violations.iter().all(|found| is_real(&system, found)), "{way:?}");
            prop_assert!(seen.outcome.untraced.is_empty());
            prop_assert_eq!(places(&seen.outcome), expected.clone(), "{:?}", way);
            let level = *distances.iter().flatten().max().unwrap() as u64;
            let depth = seen.outcome.counts.depth;
            prop_assert!(if way.order == "bfs" { depth == level } else { depth >= level }, "{way:?}");
            if way.order == "dfs" {
                continue;
            }
            // The second search is breadth first: the way to the state at fault is a shortest one.
            for found in &seen.outcome.violations {
                let at = found.fault.span.start as usize;
                let expected = match found.fault.kind {
                    FaultKind::InvalidEndState => distances[at].unwrap(),
                    _ => distances[at / 4].unwrap() + 1,
                };
                prop_assert_eq!(found.trace.transitions.len(), expected, "{:?}", way);
            }
        }
    }

    #[test]
    fn the_first_violation_breadth_first_is_the_nearest(graph in random_graph()) {
        let system = graph_system(&graph);
        let all = Question::new("bfs").until_the_end().ask(&system).outcome.violations;
        let nearest = all.iter().map(|found| found.trace.transitions.len()).min();
        for way in all_ways() {
            let outcome = Question::by(way).ask(&system).outcome;
            prop_assert_eq!(outcome.violations.len(), usize::from(!all.is_empty()), "{:?}", way);
            if way.order == "bfs" {
                prop_assert_eq!(outcome.violations.first().map(|found| found.trace.transitions.len()), nearest);
            }
            prop_assert!(outcome.violations.iter().all(|found| is_real(&system, found)), "{way:?}");
            let ended = if all.is_empty() { Ended::Complete } else { Ended::FirstViolation };
            prop_assert_eq!(outcome.ended, ended, "{:?}", way);
        }
    }
}

#[test]
fn states_are_bytes_of_any_length() {
    // The number of bytes is the state: lengths from 0 to 100.
    struct Lengths;
    impl Successors for Lengths {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(Vec::new())
        }
        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            for length in [state.len() + 1, state.len() / 2] {
                if length <= 100 {
                    buffer.push(&[], &[], Some(&mut |out| out.resize(out.len() + length, 0)));
                }
            }
        }
        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }
    for way in all_ways() {
        let outcome = Question::by(way).until_the_end().outcome(&Lengths);
        assert_eq!(
            outcome.counts,
            Counts { states: 101, covered: 0, transitions: 201, atomic_steps: 0, merged_states: 0, depth: 100 },
            "{way:?}"
        );
    }
    assert_eq!(node(&toy::bytes(5)), 5);
}
