//! Pairs of systems that everybody knows to be equivalent or different.

mod support;

use ample_equivalence::{Finding, Follow, Lts, LtsBuilder, RELATIONS, Side};
use support::{difference, equivalent, not_below};

/// The relations under which two systems are equivalent, of all but `k-bisim` and `stutter`, in the
/// order of the list.
#[track_caller]
fn check(first: &Lts, second: &Lts, expected: &str) {
    for (one, other) in [(first, second), (second, first)] {
        let names =
            RELATIONS.iter().map(|relation| relation.name).filter(|name| !["k-bisim", "stutter"].contains(name));
        let found: Vec<&str> = names.filter(|name| equivalent(name, one, other)).collect();
        assert_eq!(found.join(" "), expected);
    }
}

fn system(edges: &[(u32, &str, u32)]) -> Lts {
    Lts::from_edges(0, edges.iter().copied())
}

const ALL: &str =
    "bisim branching-bisim weak-bisim-div weak-bisim sim weak-sim trace inf-trace weak-trace reach deadlock";

#[test]
fn a_system_and_its_unfolding() {
    check(&system(&[(0, "a", 0)]), &system(&[(0, "a", 1), (1, "a", 2), (2, "a", 1)]), ALL);
    check(&system(&[(0, "a", 0)]), &Lts::from_edges(7, [(7, "a", 7), (3, "b", 7)]), ALL);
}

#[test]
fn when_the_choice_is_taken() {
    let late = system(&[(0, "a", 1), (1, "b", 2), (1, "c", 2)]);
    let early = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]);
    check(&late, &early, "trace inf-trace weak-trace reach deadlock");
    // With the branch that cannot go on, simulations still agree: `a` beside `a.b`.
    let stuck = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3)]);
    check(&stuck, &system(&[(0, "a", 1), (1, "b", 2)]), "sim weak-sim trace inf-trace weak-trace reach deadlock");
}

#[test]
fn the_laws_of_silence() {
    // a.tau.b = a.b
    let plain = system(&[(0, "a", 1), (1, "b", 2)]);
    let silent = system(&[(0, "a", 1), (1, "tau", 3), (3, "b", 2)]);
    check(&plain, &silent, "branching-bisim weak-bisim-div weak-bisim weak-sim inf-trace weak-trace reach deadlock");
    // b + tau.b = tau.b
    let both = system(&[(0, "b", 2), (0, "tau", 1), (1, "b", 2)]);
    let one = system(&[(0, "tau", 1), (1, "b", 2)]);
    check(&both, &one, "branching-bisim weak-bisim-div weak-bisim weak-sim inf-trace weak-trace reach deadlock");
    // a.(b + tau.c) + a.c = a.(b + tau.c): weakly, not branching.
    let less = [(0, "a", 1), (1, "b", 2), (1, "tau", 3), (3, "c", 2)];
    let more = [less.as_slice(), &[(0, "a", 4), (4, "c", 2)]].concat();
    check(&system(&less), &system(&more), "weak-bisim-div weak-bisim weak-sim inf-trace weak-trace reach deadlock");
    // tau.a + tau.b is not a + b.
    let chosen = system(&[(0, "tau", 1), (0, "tau", 2), (1, "a", 3), (2, "b", 3)]);
    check(&chosen, &system(&[(0, "a", 1), (0, "b", 1)]), "weak-sim inf-trace weak-trace reach deadlock");
}

#[test]
fn divergence() {
    let plain = system(&[(0, "a", 1)]);
    let spinning = system(&[(0, "a", 1), (0, "tau", 0)]);
    check(&plain, &spinning, "weak-bisim weak-sim reach deadlock");
    // A system that is silent for ever and one that ends.
    check(&system(&[(0, "tau", 0)]), &system(&[]), "weak-bisim weak-sim reach");
    // Where the silence is does not matter as long as it is the same.
    let longer = system(&[(0, "tau", 1), (1, "tau", 0), (0, "a", 2)]);
    check(&spinning, &longer, "branching-bisim weak-bisim-div weak-bisim weak-sim inf-trace weak-trace reach deadlock");
}

#[test]
fn infinite_traces() {
    // What ends is in no infinite trace: b* alone, and with an `a` that ends.
    let turns = system(&[(0, "b", 0)]);
    let may_end = system(&[(0, "b", 0), (0, "a", 1)]);
    assert!(equivalent("inf-trace", &turns, &may_end) && !equivalent("trace", &turns, &may_end));
    assert!(equivalent("inf-trace", &system(&[]), &system(&[(0, "a", 1)])), "neither has any");
    let found = difference("inf-trace", &system(&[(0, "a", 1), (1, "b", 2), (2, "c", 2)]), &may_end).unwrap();
    assert_eq!((found.path, found.side, found.finding), (vec![], Side::First, Finding::EndlessStep("a".to_owned())));
    // A system that can do `a` five times has no endless sequence of them, however it may begin.
    let up_to_five = system(&[(0, "a", 1), (1, "a", 2), (2, "a", 3), (3, "a", 4), (4, "a", 5)]);
    let endless = system(&[(0, "a", 0)]);
    assert!(!equivalent("inf-trace", &up_to_five, &endless) && !equivalent("trace", &up_to_five, &endless));
}

/// The preorders under which the first is below the second.
fn below(first: &Lts, second: &Lts) -> String {
    let named = RELATIONS.iter().filter(|relation| relation.preorder.is_some()).map(|relation| relation.name);
    named.filter(|name| not_below(name, first, second).is_none()).collect::<Vec<_>>().join(" ")
}

#[test]
fn preorders() {
    const EACH: &str = "sim weak-sim trace inf-trace weak-trace reach";
    let late = system(&[(0, "a", 1), (1, "b", 2), (1, "c", 2)]);
    let early = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]);
    assert_eq!(below(&early, &late), EACH);
    assert_eq!(below(&late, &early), "trace inf-trace weak-trace reach");
    // A part of a system is below it.
    let less = system(&[(0, "a", 1), (1, "b", 2)]);
    assert_eq!((below(&less, &late), below(&late, &less)), (EACH.to_owned(), "inf-trace".to_owned()));
    // A silent step is followed by none, and a visible one behind it only weakly.
    let silent = system(&[(0, "tau", 1), (1, "a", 2), (2, "b", 2)]);
    let plain = system(&[(0, "a", 1), (1, "b", 1)]);
    assert_eq!(below(&silent, &plain), "weak-sim weak-trace reach");
    assert_eq!(below(&plain, &silent), "weak-sim weak-trace reach");
    // To be silent for ever is seen by weak traces alone.
    let spinning = system(&[(0, "tau", 0), (0, "a", 1), (1, "b", 1)]);
    assert_eq!((below(&plain, &spinning).as_str(), below(&spinning, &plain).as_str()), (EACH, "weak-sim reach"));
    let found = not_below("weak-trace", &spinning, &plain).unwrap();
    assert_eq!((found.path, found.finding), (vec![], Finding::Diverge));
    // What both can do does not count for order, and letters do.
    assert_eq!(below(&letters("p", &[]), &letters("q", &[])), "trace inf-trace weak-trace");
    let found = not_below("sim", &late, &early).unwrap();
    assert_eq!(
        (found.path, found.note),
        (vec!["a".to_owned()], Some("the second does not simulate the first".to_owned()))
    );
    let found = not_below("reach", &late, &less).unwrap();
    assert_eq!((found.path, found.finding), (vec!["a".to_owned()], Finding::Step("c".to_owned())));
}

#[test]
fn a_difference_says_where_it_is() {
    let late = system(&[(0, "a", 1), (1, "b", 2), (1, "c", 2)]);
    let early = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]);
    let found = difference("sim", &early, &late);
    assert_eq!(
        found.map(|found| (found.side, found.note)),
        Some((Side::Second, Some("the first does not simulate the second".to_owned())))
    );
    let found = difference("bisim", &late, &early).unwrap();
    assert_eq!((found.path, found.follow), (vec!["a".to_owned()], Follow::StepByStep));
    assert!(matches!(found.finding, Finding::Step(label) if label == "b" || label == "c"));

    let short = system(&[(0, "a", 1), (1, "tau", 2), (2, "a", 3)]);
    let long = system(&[(0, "a", 0)]);
    let found = difference("weak-trace", &short, &long).unwrap();
    assert_eq!(
        (found.path, found.side, found.finding),
        (vec!["a".to_owned(); 2], Side::Second, Finding::Step("a".to_owned()))
    );
    let found = difference("deadlock", &short, &long).unwrap();
    assert_eq!((found.path, found.side), (vec!["a".to_owned(); 2], Side::First));
    let found =
        difference("weak-trace", &long, &system(&[(0, "a", 0), (0, "a", 1), (1, "tau", 1), (1, "a", 0)])).unwrap();
    assert_eq!((found.path, found.side, found.finding), (vec!["a".to_owned()], Side::Second, Finding::Diverge));
    let found = difference("reach", &long, &system(&[(0, "a", 1), (1, "b", 0)])).unwrap();
    assert_eq!((found.path, found.finding), (vec!["a".to_owned()], Finding::Step("b".to_owned())));
}

/// A system with letters, one character a state; `p>q` is an edge.
fn letters(letters: &str, edges: &[(u32, u32)]) -> Lts {
    let mut builder = LtsBuilder::new(0);
    for (state, letter) in (0..).zip(letters.chars()) {
        builder.letter(state, &letter.to_string());
    }
    for &(from, to) in edges {
        builder.edge(from, "step", to);
    }
    builder.build()
}

#[test]
fn stuttering() {
    let once = letters("pq", &[(0, 1), (1, 0)]);
    let often = letters("ppqq", &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert!(equivalent("stutter", &once, &often));
    assert!(!equivalent("bisim", &once, &often));
    // To stay for ever is something else than to go on some time.
    let may_stay = letters("pq", &[(0, 0), (0, 1), (1, 0)]);
    let found = difference("stutter", &once, &may_stay).unwrap();
    assert_eq!((found.path, found.side, found.finding), (vec!["p".to_owned()], Side::Second, Finding::Stay));
    // A run that ends stays where it is.
    assert!(equivalent("stutter", &letters("pq", &[(0, 1)]), &letters("pq", &[(0, 1), (1, 1)])));
    assert!(!equivalent("deadlock", &letters("pq", &[(0, 1)]), &letters("pq", &[(0, 1), (1, 1)])));
    // The order of letters matters, and what is reached only.
    assert!(!equivalent("stutter", &letters("pqr", &[(0, 1), (1, 2)]), &letters("pqr", &[(0, 2), (2, 1)])));
    assert!(equivalent("reach", &letters("pqr", &[(0, 1), (1, 2)]), &letters("pqr", &[(0, 2), (2, 1)])));
    // When the choice is taken does not matter.
    let late = letters("ppqr", &[(0, 1), (1, 2), (1, 3)]);
    let early = letters("pppqr", &[(0, 1), (0, 2), (1, 3), (2, 4)]);
    assert!(equivalent("stutter", &late, &early));
    assert!(!equivalent("branching-bisim", &late, &early));
    // A letter may be called as it likes.
    let named_tau = letters("pt", &[(0, 1)]).with_letters(|state| ["p", "tau"][state.number() as usize]);
    assert!(!equivalent("stutter", &named_tau, &letters("p", &[])));
}

#[test]
fn terminal_states_are_told_apart_by_letters() {
    let one = letters("pq", &[(0, 1)]);
    let other = letters("pr", &[(0, 1)]);
    let found = difference("deadlock", &one, &other).unwrap();
    assert_eq!(found.finding, Finding::End("q".to_owned()));
}

#[test]
fn labels_can_be_hidden() {
    let noisy = system(&[(0, "work", 1), (1, "done", 0)]);
    let quiet = system(&[(0, "done", 0)]);
    assert!(!equivalent("weak-trace", &noisy, &quiet));
    check(
        &noisy.hide(|label| label == "work"),
        &quiet,
        "branching-bisim weak-bisim-div weak-bisim weak-sim weak-trace reach deadlock",
    );
}
