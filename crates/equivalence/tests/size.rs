//! Large systems take no time to speak of, and what is too large is unknown.

mod support;

use std::sync::atomic::AtomicBool;

use ample_equivalence::{Answer, Limits, Lts, RELATIONS, relation};
use support::{compare, difference, equivalent};

/// A counter to `length` that starts again, by steps of one label each.
fn ring<'a>(length: u32, label: impl Fn(u32) -> &'a str) -> Lts {
    Lts::from_edges(0, (0..length).map(|state| (state, label(state), (state + 1) % length)))
}

#[test]
fn long_chains_take_as_many_rounds_as_states() {
    let chain = |length: u32| Lts::from_edges(0, (0..length).map(|state| (state, "a", state + 1)));
    let (one, other) = (chain(50_000), chain(50_001));
    for name in ["bisim", "branching-bisim", "weak-bisim", "weak-bisim-div"] {
        assert_eq!(difference(name, &one, &other).unwrap().path.len(), 50_000, "{name}");
    }
    for name in ["sim", "trace", "weak-trace"] {
        assert_eq!(difference(name, &one, &other).unwrap().path.len(), 50_000, "{name}");
        assert!(equivalent(name, &one, &one), "{name}");
    }
}

#[test]
fn a_hundred_thousand_states() {
    let label = |state: u32| ["a", "b", "tau"][(state % 3) as usize];
    let (one, other) = (ring(3, label), ring(120_000, label));
    let shifted = ring(120_000, |state| if state == 119_999 { "a" } else { label(state) });
    for relation in RELATIONS.iter().filter(|relation| relation.name != "stutter") {
        assert!(equivalent(relation.name, &one, &other), "{}", relation.name);
        let is_seen = !["reach", "deadlock"].contains(&relation.name);
        assert_eq!(!equivalent(relation.name, &one, &shifted), is_seen, "{}", relation.name);
    }
}

/// The `k`-th label from the end was an `a`: as a deterministic automaton it has `2^k` states.
fn remembers(k: u32) -> Lts {
    let start = [(0, "a", 0), (0, "b", 0), (0, "a", 1)];
    let middle = (1..k).flat_map(|state| [(state, "a", state + 1), (state, "b", state + 1)]);
    Lts::from_edges(0, start.into_iter().chain(middle).chain([(k, "end", 0)]))
}

#[test]
fn what_is_too_large_is_unknown() {
    // The same language, and not bisimilar, so that nothing makes it small.
    let doubled = |k: u32| {
        let once = remembers(k);
        let edges = once.states().flat_map(|state| {
            let from = state.number();
            once.edges(state).iter().map(move |edge| (from, edge.label, edge.to.number()))
        });
        let edges: Vec<_> = edges.map(|(from, label, to)| (from, once.label(label), to)).collect();
        let dead = edges.iter().map(|&(from, label, _)| (from, label, k + 1));
        Lts::from_edges(0, edges.iter().copied().chain(dead))
    };
    assert_eq!(compare("trace", &remembers(8), &doubled(8)), Answer::Equivalent);
    let limits = Limits { work: 1_000_000, ..Limits::default() };
    for name in ["trace", "weak-trace"] {
        match relation(name).unwrap().compare(&remembers(40), &doubled(40), &limits) {
            Answer::Unknown(reason) => {
                assert!(reason.contains("states in sets of states: more than 1000000"), "{reason}")
            }
            answer => panic!("{name}: {answer:?}"),
        }
    }
    let limits = Limits { work: 50, ..Limits::default() };
    assert!(matches!(relation("sim").unwrap().compare(&remembers(8), &doubled(8), &limits), Answer::Unknown(_)));
    let interrupt = AtomicBool::new(true);
    let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
    let answer = relation("bisim").unwrap().compare(&remembers(8), &doubled(8), &limits);
    assert_eq!(answer, Answer::Unknown("it was interrupted".to_owned()));
}

#[test]
fn many_silent_steps_are_unknown_before_they_fill_the_memory() {
    // Each state can do something of its own behind a long way of silent steps.
    let names: Vec<String> = (0..30_000).map(|state| format!("from {state}")).collect();
    let one = |last: &'static str| {
        let silent = (0..30_000).map(|state| (state, "tau", state + 1));
        let own = (0..30_000).map(|state| (state, names[state as usize].as_str(), 30_001));
        Lts::from_edges(0, silent.chain(own).chain([(30_000, last, 30_001)]))
    };
    match compare("weak-bisim", &one("x"), &one("y")) {
        Answer::Unknown(reason) => assert!(reason.contains("silent steps"), "{reason}"),
        answer => panic!("{answer:?}"),
    }
}
