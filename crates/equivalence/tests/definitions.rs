//! Each relation against its definition, on random small systems.

mod support;

use std::collections::BTreeSet;

use ample_equivalence::{Difference, Finding, Limits, RELATIONS, Side, TAU_NAME, relation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::{Plain, difference, equivalent, largest, same_letter, systems};

const ONE: &[&str] = &[""];
const TWO: &[&str] = &["p", "q"];

/// Random pairs are hardly ever equivalent. So some pairs are a system and the same with a change.
fn pairs(most: u32, letters: &'static [&'static str]) -> impl Strategy<Value = (Plain, Plain)> {
    let unrelated = (systems(most, letters), systems(most, letters));
    let changed = (systems(most, letters), 0..6usize, any::<u32>()).prop_map(|(one, how, at)| {
        let other = changed(&one, how, at);
        (one, other)
    });
    prop_oneof![unrelated, changed]
}

/// The same system with a copy of a state, a silent step before it, an edge less, an edge more, or
/// a silent loop.
fn changed(one: &Plain, how: usize, at: u32) -> Plain {
    let mut other = one.clone();
    let state = at % one.states;
    let new = one.states;
    match how {
        0 | 1 => {
            other.states += 1;
            other.letters.push(one.letters[state as usize]);
            let into: Vec<_> = one.edges.iter().filter(|edge| edge.2 == state).copied().collect();
            if how == 0 {
                other.edges.extend(one.steps(state).map(|(label, to)| (new, label, to)));
                other.edges.extend(into.iter().map(|&(from, label, _)| (from, label, new)));
            } else {
                other.edges.retain(|edge| edge.2 != state);
                other.edges.extend(into.iter().map(|&(from, label, _)| (from, label, new)));
                other.edges.insert((new, TAU_NAME, state));
            }
        }
        2 => {
            let edge = one.edges.iter().nth(at as usize % one.edges.len().max(1)).copied();
            edge.map(|edge| other.edges.remove(&edge));
        }
        3 => {
            other.edges.insert((state, "a", at / 7 % one.states));
        }
        4 => {
            other.edges.insert((state, TAU_NAME, state));
        }
        _ => {
            other.edges.insert((state, TAU_NAME, at / 7 % one.states));
        }
    }
    other
}

fn strong(one: &Plain, other: &Plain) -> bool {
    let pairs = largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            one.steps(p)
                .all(|(label, to)| other.steps(q).any(|step| step.0 == label && related.contains(&(to, step.1))))
                && other
                    .steps(q)
                    .all(|(label, to)| one.steps(p).any(|step| step.0 == label && related.contains(&(step.1, to))))
        },
    );
    pairs.contains(&(0, 0))
}

fn weak(one: &Plain, other: &Plain, alike: impl Fn(u32, u32) -> bool) -> bool {
    let pairs = largest(one, other, alike, |related, p, q| {
        one.steps(p).all(|(label, to)| {
            other.weak_steps(q).iter().any(|step| step.0 == label && related.contains(&(to, step.1)))
        }) && other
            .steps(q)
            .all(|(label, to)| one.weak_steps(p).iter().any(|step| step.0 == label && related.contains(&(step.1, to))))
    });
    pairs.contains(&(0, 0))
}

/// Van Glabbeek and Weijland's definition; divergence is a step that can be seen. With letters it
/// matters that silent steps before an answer pass related states only.
fn branching(one: &Plain, other: &Plain) -> bool {
    let (one, other) = (&one.with_marks(), &other.with_marks());
    let answers = |system: &Plain, from: u32, label: &str, stays: &dyn Fn(u32) -> bool, comes: &dyn Fn(u32) -> bool| {
        let places = system.quiet_within(from, stays);
        (label == TAU_NAME && comes(from))
            || places.into_iter().any(|place| system.steps(place).any(|step| step.0 == label && comes(step.1)))
    };
    let pairs = largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            let is = |p, q| related.contains(&(p, q));
            one.steps(p).all(|(label, to)| answers(other, q, label, &|place| is(p, place), &|place| is(to, place)))
                && other
                    .steps(q)
                    .all(|(label, to)| answers(one, p, label, &|place| is(place, q), &|place| is(place, to)))
        },
    );
    pairs.contains(&(0, 0))
}

fn simulated(one: &Plain, other: &Plain) -> bool {
    let pairs = largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            one.steps(p)
                .all(|(label, to)| other.steps(q).any(|step| step.0 == label && related.contains(&(to, step.1))))
        },
    );
    pairs.contains(&(0, 0))
}

fn bounded(one: &Plain, other: &Plain, depth: usize, p: u32, q: u32) -> bool {
    same_letter(one, other, p, q)
        && (depth == 0
            || one.steps(p).all(|(label, to)| {
                other.steps(q).any(|step| step.0 == label && bounded(one, other, depth - 1, to, step.1))
            }) && other.steps(q).all(|(label, to)| {
                one.steps(p).any(|step| step.0 == label && bounded(one, other, depth - 1, step.1, to))
            }))
}

/// All sequences of these labels up to a length.
fn words(labels: &[&str], length: usize) -> Vec<Vec<String>> {
    let mut words = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = words.len();
        for at in from..to {
            for label in labels {
                let mut word: Vec<String> = words[at].clone();
                word.push((*label).to_owned());
                words.push(word);
            }
        }
        from = to;
    }
    words
}

/// Whether a system has a trace, and whether it can be silent for ever after it.
fn observe(system: &Plain, trace: &[String], weak: bool) -> (bool, bool) {
    let after = system.states_after(BTreeSet::from([0]), trace, weak);
    (!after.is_empty(), weak && after.iter().any(|&state| system.diverges(state)))
}

/// Traces up to a length against the answer; a difference is checked by itself, however long it is.
#[track_caller]
fn check_traces(one: &Plain, other: &Plain, labels: &[&str], weak: bool, found: Option<(Side, Vec<String>, bool)>) {
    let short = words(labels, 5).into_iter().find(|word| observe(one, word, weak) != observe(other, word, weak));
    let Some((side, trace, is_silence)) = found else {
        assert_eq!(short, None, "this trace tells them apart");
        return;
    };
    let (has, has_not) = if side == Side::First { (one, other) } else { (other, one) };
    let (ours, theirs) = (observe(has, &trace, weak), observe(has_not, &trace, weak));
    assert!(if is_silence { ours.1 && !theirs.1 } else { ours.0 && !theirs.0 }, "{trace:?} does not tell them apart");
    if let Some(short) = short {
        assert!(trace.len() <= short.len(), "{short:?} is shorter than {trace:?}");
    }
}

/// The path of an explanation step by step is one that both systems can go, and the end of it is
/// one that the system can do.
#[track_caller]
fn check_play(one: &Plain, other: &Plain, found: &Difference, weak: bool) {
    let (has, has_not) = if found.side == Side::First { (one, other) } else { (other, one) };
    let mut path: Vec<String> = found.path.iter().filter(|label| !weak || *label != TAU_NAME).cloned().collect();
    let after = |system: &Plain, path: &[String]| system.states_after(BTreeSet::from([0]), path, weak);
    assert!(!after(has_not, &path).is_empty(), "{found:?}");
    match &found.finding {
        Finding::Step(label) if weak && label == TAU_NAME => assert!(!after(has, &path).is_empty(), "{found:?}"),
        Finding::Step(label) => {
            path.push(label.clone());
            assert!(!after(has, &path).is_empty(), "{found:?}");
        }
        Finding::Letter(letter) => {
            assert!(after(has, &path).iter().any(|&state| has.letters[state as usize] == letter), "{found:?}");
        }
        Finding::Diverge => assert!(after(has, &path).iter().any(|&state| has.diverges(state)), "{found:?}"),
        finding => panic!("{finding:?} is none for a play"),
    }
}

fn whole_trace(difference: Difference) -> (Side, Vec<String>, bool) {
    let Difference { mut path, side, finding, .. } = difference;
    let is_silence = match finding {
        Finding::Step(last) | Finding::Letter(last) => {
            path.push(last);
            false
        }
        _ => true,
    };
    (side, path, is_silence)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let found = difference("bisim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), strong(&one, &other));
        found.iter().for_each(|found| check_play(&one, &other, found, false));
    }

    #[test]
    fn weak_bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let (first, second) = (one.lts(), other.lts());
        let expected = weak(&one, &other, |p, q| same_letter(&one, &other, p, q));
        prop_assert_eq!(equivalent("weak-bisim", &first, &second), expected);
        let expected = weak(&one, &other, |p, q| same_letter(&one, &other, p, q) && one.diverges(p) == other.diverges(q));
        let found = difference("weak-bisim-div", &first, &second);
        prop_assert_eq!(found.is_none(), expected);
        found.iter().for_each(|found| check_play(&one, &other, found, true));
    }

    #[test]
    fn branching_bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let found = difference("branching-bisim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), branching(&one, &other));
        found.iter().for_each(|found| check_play(&one, &other, found, true));
    }

    #[test]
    fn sim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let found = difference("sim", &one.lts(), &other.lts());
        let (forth, back) = (simulated(&one, &other), simulated(&other, &one));
        prop_assert_eq!(found.is_none(), forth && back);
        found.iter().for_each(|found| check_play(&one, &other, found, false));
        if let Some(found) = found {
            let is_followed = if found.side == Side::First { forth } else { back };
            prop_assert!(!is_followed);
        }
    }

    #[test]
    fn k_bisim((one, other) in pairs(8, TWO), depth in 0..5usize) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let answer = relation("k-bisim").unwrap().compare(&one.lts(), &other.lts(), &limits);
        prop_assert_eq!(answer == ample_equivalence::Answer::Equivalent, bounded(&one, &other, depth, 0, 0));
    }

    #[test]
    fn trace((one, other) in pairs(4, TWO)) {
        let found = difference("trace", &one.lts(), &other.lts()).map(whole_trace);
        check_traces(&one, &other, &[TAU_NAME, "a", "b"], false, found);
    }

    #[test]
    fn weak_trace((one, other) in pairs(4, TWO)) {
        let found = difference("weak-trace", &one.lts(), &other.lts()).map(whole_trace);
        check_traces(&one, &other, &["a", "b"], true, found);
    }

    #[test]
    fn stutter((one, other) in pairs(4, &["p", "q", "r"])) {
        let found = difference("stutter", &one.lts(), &other.lts()).map(whole_trace);
        if one.letters[0] != other.letters[0] {
            prop_assert!(found.is_some());
            return Ok(());
        }
        let found = found.map(|(side, trace, is_silence)| (side, trace[1..].to_vec(), is_silence));
        check_traces(&one.letters_as_labels(), &other.letters_as_labels(), &["p", "q", "r"], true, found);
    }

    #[test]
    fn reach_and_deadlock((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let labels = |plain: &Plain| -> BTreeSet<String> {
            let states = plain.reachable();
            let labels = plain.edges.iter().filter(|edge| edge.1 != TAU_NAME && states.contains(&edge.0));
            let letters = states.iter().map(|&state| format!("in {}", plain.letters[state as usize]));
            labels.map(|edge| edge.1.to_owned()).chain(letters).collect()
        };
        prop_assert_eq!(equivalent("reach", &one.lts(), &other.lts()), labels(&one) == labels(&other));
        let ends = |plain: &Plain| -> BTreeSet<&str> {
            let ends = plain.reachable().into_iter().filter(|&state| plain.steps(state).next().is_none());
            ends.map(|state| plain.letters[state as usize]).collect()
        };
        prop_assert_eq!(equivalent("deadlock", &one.lts(), &other.lts()), ends(&one) == ends(&other));
    }

    #[test]
    fn what_implies_what((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let (first, second) = (one.lts(), other.lts());
        for (stronger, weaker) in [
            ("bisim", "branching-bisim"),
            ("branching-bisim", "weak-bisim-div"),
            ("weak-bisim-div", "weak-bisim"),
            ("weak-bisim-div", "weak-trace"),
            ("bisim", "sim"),
            ("sim", "trace"),
            ("trace", "weak-trace"),
            ("bisim", "k-bisim"),
            ("bisim", "deadlock"),
            ("bisim", "reach"),
            ("weak-bisim", "reach"),
            ("bisim", "stutter"),
            ("branching-bisim", "stutter"),
        ] {
            if equivalent(stronger, &first, &second) {
                prop_assert!(equivalent(weaker, &first, &second), "{} but not {}", stronger, weaker);
            }
        }
    }
}

/// A test in which nothing is equivalent, or nothing differs, would be worth nothing.
#[test]
fn both_answers_occur() {
    let mut runner = TestRunner::deterministic();
    for relation in RELATIONS {
        let mut equal = 0;
        for _ in 0..300 {
            let (one, other) = pairs(5, TWO).new_tree(&mut runner).unwrap().current();
            equal += usize::from(equivalent(relation.name, &one.lts(), &other.lts()));
        }
        assert!((20..280).contains(&equal), "{}: {equal} of 300", relation.name);
    }
}
