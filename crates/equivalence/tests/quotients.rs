//! Quotients: equivalent to their systems, and as small as can be.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use ample_equivalence::{Answer, Limits, Lts, Quotient, RELATIONS, Relation, relation};
use proptest::prelude::*;
use support::definitions::{ONE, Pairs, TWO, bounded, branching, strong, weak};
use support::{Plain, cases, equivalent, same_letter, systems};

const NAMES: [&str; 3] = ["bisim", "branching-bisim", "weak-bisim"];

fn quotient(name: &str, lts: &Lts) -> Quotient {
    relation(name).unwrap().quotient(lts, &Limits::default()).unwrap()
}

/// A system as the definitions see it; labels and letters are those of the tests.
fn plain(lts: &Lts) -> Plain {
    let known = |text: &str| *["tau", "a", "b", "", "p", "q"].iter().find(|known| **known == text).unwrap();
    assert_eq!(lts.initial().number(), 0);
    let edges = lts.states().flat_map(|state| {
        let edges = lts.edges(state).iter();
        edges.map(move |edge| (state.number(), known(lts.label(edge.label)), edge.to.number()))
    });
    let letters = lts.states().map(|state| known(lts.letter(lts.letter_of(state))));
    Plain { states: lts.state_count() as u32, edges: edges.collect(), letters: letters.collect() }
}

/// The pairs of related states, by definition.
fn related(name: &str, one: &Plain, other: &Plain) -> Pairs {
    match name {
        "bisim" => strong(one, other),
        "branching-bisim" => branching(one, other),
        _ => weak(one, other, |p, q| same_letter(one, other, p, q)),
    }
}

fn without(plain: &Plain, edge: (u32, &'static str, u32)) -> Plain {
    let mut less = plain.clone();
    less.edges.remove(&edge);
    less
}

/// Each state is related to the one that stands for it, and no two of these are related. So every
/// equivalent system has as many states at least: each of its states is related to one of them at
/// most, and each of them to one that is reached by the same steps.
#[track_caller]
fn check(name: &str, system: &Plain) -> Plain {
    let made = quotient(name, &system.lts());
    let small = plain(&made.lts);
    let pairs = related(name, system, &small);
    let reachable = system.reachable();
    for (state, stands) in (0..).zip(made.state_of.iter()) {
        assert_eq!(stands.is_some(), reachable.contains(&state), "{name}: {state}");
        assert!(stands.is_none_or(|stands| pairs.contains(&(state, stands.number()))), "{name}: {state}, {stands:?}");
    }
    assert_eq!(small.reachable().len() as u32, small.states, "{name}");
    let same: Pairs = (0..small.states).map(|state| (state, state)).collect();
    assert_eq!(related(name, &small, &small), same, "{name}: two states are related");
    small
}

/// All ways to part so many states: the block of each.
fn partitions(states: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..states {
        let longer = |blocks: &Vec<u32>| {
            let next = blocks.iter().max().map_or(0, |most| most + 1);
            let blocks = blocks.clone();
            (0..=next).map(move |block| blocks.iter().copied().chain([block]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn merged(system: &Plain, blocks: &[u32]) -> Plain {
    let block = |state: u32| blocks[state as usize];
    let letters: BTreeMap<u32, &str> =
        (0..).zip(&system.letters).map(|(state, letter)| (block(state), *letter)).collect();
    Plain {
        states: letters.len() as u32,
        edges: system.edges.iter().map(|&(from, label, to)| (block(from), label, block(to))).collect(),
        letters: letters.into_values().collect(),
    }
}

/// All systems of two states.
fn of_two_states(labels: &[&'static str]) -> impl Iterator<Item = Plain> {
    let places = (0..2).flat_map(|from| (0..2).flat_map(move |to| labels.iter().map(move |label| (from, *label, to))));
    let places: Vec<_> = places.collect();
    (0..1u32 << places.len()).map(move |chosen| {
        let is_chosen = |at: &usize| chosen >> at & 1 == 1;
        let edges = (0..places.len()).filter(is_chosen).map(|at| places[at]).collect();
        Plain { states: 2, edges, letters: vec![""; 2] }
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_quotient_is_equivalent_and_no_two_of_its_states_are(system in prop_oneof![systems(6, ONE), systems(6, TWO)]) {
        for name in NAMES {
            let small = check(name, &system);
            prop_assert!(equivalent(name, &system.lts(), &small.lts()), "{}", name);
            let again = quotient(name, &small.lts()).lts;
            prop_assert_eq!(plain(&again).edges, small.edges, "{}: the quotient of a quotient", name);
        }
    }

    #[test]
    fn no_edge_of_a_quotient_can_be_spared(system in systems(5, ONE)) {
        for name in NAMES {
            let small = plain(&quotient(name, &system.lts()).lts);
            for &edge in &small.edges {
                let less = without(&small, edge).lts();
                prop_assert!(!equivalent(name, &system.lts(), &less), "{}: {:?} can be spared", name, edge);
            }
        }
    }

    #[test]
    fn nothing_smaller_is_found_by_merging(system in systems(5, ONE)) {
        for name in NAMES {
            let small = plain(&quotient(name, &system.lts()).lts);
            for blocks in partitions(system.states) {
                let other = merged(&system, &blocks);
                if (other.reachable().len() as u32) < small.states {
                    prop_assert!(!equivalent(name, &system.lts(), &other.lts()), "{}: {:?}", name, blocks);
                }
            }
        }
    }

    #[test]
    fn k_bisim(system in prop_oneof![systems(6, ONE), systems(6, TWO)], depth in 0..4usize) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = relation("k-bisim").unwrap();
        let small = found.quotient(&system.lts(), &limits).unwrap().lts;
        prop_assert_eq!(found.compare(&system.lts(), &small, &limits), Answer::Equivalent);
        let small = plain(&small);
        let pairs = (0..small.states).flat_map(|one| (0..one).map(move |other| (one, other)));
        for (one, other) in pairs {
            prop_assert!(!bounded(&small, &small, depth, one, other), "{} and {}", one, other);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(40).cases.min(2_000)))]

    /// Systems whose quotients have three states, some sixth of all, against all systems of two.
    #[test]
    fn no_smaller_system_is_equivalent(system in systems(5, ONE), at in 0..NAMES.len()) {
        let name = NAMES[at];
        let made = quotient(name, &system.lts()).lts;
        let smaller = (made.state_count() == 3).then(|| of_two_states(&["tau", "a", "b"]));
        for other in smaller.into_iter().flatten() {
            prop_assert!(!equivalent(name, &made, &other.lts()), "{}: {:?}", name, other.edges);
        }
    }
}

#[test]
fn partitions_are_counted_by_bell() {
    let counts: Vec<usize> = (0..6).map(|states| partitions(states).len()).collect();
    assert_eq!(counts, [1, 1, 2, 5, 15, 52]);
}

#[test]
fn which_relations_have_quotients() {
    let names: BTreeSet<&str> =
        RELATIONS.iter().filter(|one| one.has_quotient()).map(|one: &Relation| one.name).collect();
    assert_eq!(names, BTreeSet::from(["bisim", "branching-bisim", "weak-bisim", "k-bisim"]));
    let refused = relation("trace").unwrap().quotient(&Lts::from_edges(0, []), &Limits::default());
    assert_eq!(refused.err().as_deref(), Some("there is no quotient by trace"));
}

#[test]
fn silence_that_changes_nothing_goes_away() {
    let system = Lts::from_edges(0, [(0, "tau", 1), (1, "tau", 2), (2, "a", 0), (2, "tau", 2), (7, "b", 0)]);
    assert_eq!(plain(&quotient("bisim", &system).lts).states, 3);
    let branching = plain(&quotient("branching-bisim", &system).lts);
    assert_eq!(branching.edges, BTreeSet::from([(0, "a", 0), (0, "tau", 0)]), "it can be silent for ever");
    assert_eq!(plain(&quotient("weak-bisim", &system).lts).edges, BTreeSet::from([(0, "a", 0)]));
}

#[test]
fn what_follows_from_silent_steps_is_left_out() {
    // b + tau.b, where the silent step takes a choice away.
    let system = Lts::from_edges(0, [(0, "a", 3), (0, "b", 2), (0, "tau", 1), (1, "b", 2), (3, "a", 3)]);
    assert_eq!(plain(&quotient("branching-bisim", &system).lts).edges.len(), 5);
    let weak = plain(&quotient("weak-bisim", &system).lts);
    assert_eq!((weak.states, weak.edges.len()), (4, 4));
}
