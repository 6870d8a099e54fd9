//! Each relation and each preorder against its definition, on random small systems.

mod support;

use std::collections::BTreeSet;

use ample_equivalence::{Difference, Finding, Limits, RELATIONS, Side, TAU_NAME, relation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::definitions::{ONE, TWO, bounded, branching, pairs, simulated, strong, weak, weakly_simulated};
use support::{Plain, cases, difference, equivalent, not_below, same_letter};

/// The initial states.
const START: (u32, u32) = (0, 0);

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

/// The same for inclusion: what the first has and the second has not.
#[track_caller]
fn check_inclusion(one: &Plain, other: &Plain, labels: &[&str], weak: bool, found: Option<(Side, Vec<String>, bool)>) {
    let is_missing = |word: &Vec<String>| {
        let (ours, theirs) = (observe(one, word, weak), observe(other, word, weak));
        (ours.0 && !theirs.0) || (ours.1 && !theirs.1)
    };
    let short = words(labels, 5).into_iter().find(is_missing);
    let Some((_, trace, _)) = found else {
        assert_eq!(short, None, "the second has not this trace");
        return;
    };
    assert!(is_missing(&trace), "{trace:?} is a trace of both");
    assert!(short.is_none_or(|short| trace.len() <= short.len()), "there is one shorter than {trace:?}");
}

/// Whether a system has the trace of a beginning and endless repetitions: a run through more of
/// these than there are states comes to some state twice.
fn has_lasso(system: &Plain, prefix: &[String], cycle: &[String]) -> bool {
    let once = system.states_after(BTreeSet::from([0]), prefix, false);
    let repeat = |states, _| system.states_after(states, cycle, false);
    !(0..=system.states).fold(once, repeat).is_empty()
}

/// Short lassos against the answer; a difference is checked by itself: after its trace the one can
/// go on for ever and the other cannot.
#[track_caller]
fn check_lassos(one: &Plain, other: &Plain, found: Option<Difference>, is_right: impl Fn(bool, bool) -> bool) {
    let Some(Difference { mut path, side, finding, .. }) = found else {
        for prefix in words(&[TAU_NAME, "a", "b"], 2) {
            for cycle in words(&[TAU_NAME, "a", "b"], 2).iter().filter(|cycle| !cycle.is_empty()) {
                let (ours, theirs) = (has_lasso(one, &prefix, cycle), has_lasso(other, &prefix, cycle));
                assert!(is_right(ours, theirs), "{prefix:?} and then {cycle:?} for ever tells them apart");
            }
        }
        return;
    };
    let Finding::EndlessStep(step) = finding else { panic!("{finding:?} is no endless step") };
    path.push(step);
    let goes_on = |system: &Plain| {
        system.states_after(BTreeSet::from([0]), &path, false).iter().any(|&state| system.goes_on(state))
    };
    let (has, has_not) = if side == Side::First { (one, other) } else { (other, one) };
    assert!(goes_on(has) && !goes_on(has_not), "{path:?} does not tell them apart");
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
    #![proptest_config(cases(400))]

    #[test]
    fn bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let found = difference("bisim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), strong(&one, &other).contains(&START));
        found.iter().for_each(|found| check_play(&one, &other, found, false));
    }

    #[test]
    fn weak_bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let (first, second) = (one.lts(), other.lts());
        let expected = weak(&one, &other, |p, q| same_letter(&one, &other, p, q)).contains(&START);
        prop_assert_eq!(equivalent("weak-bisim", &first, &second), expected);
        let alike = |p, q| same_letter(&one, &other, p, q) && one.diverges(p) == other.diverges(q);
        let expected = weak(&one, &other, alike).contains(&START);
        let found = difference("weak-bisim-div", &first, &second);
        prop_assert_eq!(found.is_none(), expected);
        found.iter().for_each(|found| check_play(&one, &other, found, true));
    }

    #[test]
    fn branching_bisim((one, other) in prop_oneof![pairs(8, ONE), pairs(8, TWO)]) {
        let found = difference("branching-bisim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), branching(&one, &other).contains(&START));
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
        let found = not_below("sim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), forth);
        found.iter().for_each(|found| check_play(&one, &other, found, false));
    }

    #[test]
    fn weak_sim((one, other) in prop_oneof![pairs(6, ONE), pairs(6, TWO)]) {
        let found = difference("weak-sim", &one.lts(), &other.lts());
        let (forth, back) = (weakly_simulated(&one, &other), weakly_simulated(&other, &one));
        prop_assert_eq!(found.is_none(), forth && back);
        found.iter().for_each(|found| check_play(&one, &other, found, true));
        if let Some(found) = found {
            let is_followed = if found.side == Side::First { forth } else { back };
            prop_assert!(!is_followed);
        }
        let found = not_below("weak-sim", &one.lts(), &other.lts());
        prop_assert_eq!(found.is_none(), forth);
        found.iter().for_each(|found| check_play(&one, &other, found, true));
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
        let found = not_below("trace", &one.lts(), &other.lts()).map(whole_trace);
        check_inclusion(&one, &other, &[TAU_NAME, "a", "b"], false, found);
    }

    #[test]
    fn inf_trace((one, other) in pairs(6, TWO)) {
        let (first, second) = (one.lts(), other.lts());
        check_lassos(&one, &other, difference("inf-trace", &first, &second), |ours, theirs| ours == theirs);
        check_lassos(&one, &other, not_below("inf-trace", &first, &second), |ours, theirs| !ours || theirs);
    }

    #[test]
    fn weak_trace((one, other) in pairs(4, TWO)) {
        let found = difference("weak-trace", &one.lts(), &other.lts()).map(whole_trace);
        check_traces(&one, &other, &["a", "b"], true, found);
        let found = not_below("weak-trace", &one.lts(), &other.lts()).map(whole_trace);
        check_inclusion(&one, &other, &["a", "b"], true, found);
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
        let is_below = not_below("reach", &one.lts(), &other.lts()).is_none();
        prop_assert_eq!(is_below, labels(&one).is_subset(&labels(&other)));
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
            ("trace", "inf-trace"),
            ("sim", "weak-sim"),
            ("weak-bisim", "weak-sim"),
            ("weak-sim", "reach"),
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
        for (stronger, weaker) in
            [("sim", "trace"), ("sim", "weak-sim"), ("trace", "inf-trace"), ("trace", "weak-trace"), ("weak-sim", "reach")]
        {
            if not_below(stronger, &first, &second).is_none() {
                prop_assert!(not_below(weaker, &first, &second).is_none(), "{} but not {}", stronger, weaker);
            }
        }
        for relation in RELATIONS.iter().filter(|relation| relation.preorder.is_some()) {
            let each_way = not_below(relation.name, &first, &second).is_none()
                && not_below(relation.name, &second, &first).is_none();
            prop_assert_eq!(equivalent(relation.name, &first, &second), each_way, "{}", relation.name);
        }
    }
}

/// A test in which nothing is equivalent, or nothing differs, would be worth nothing.
#[test]
fn both_answers_occur() {
    let mut runner = TestRunner::deterministic();
    for relation in RELATIONS {
        let (mut equal, mut below) = (0, 0);
        for _ in 0..300 {
            let (one, other) = pairs(5, TWO).new_tree(&mut runner).unwrap().current();
            let (first, second) = (one.lts(), other.lts());
            equal += usize::from(equivalent(relation.name, &first, &second));
            if relation.preorder.is_some() {
                below += usize::from(not_below(relation.name, &first, &second).is_none());
            }
        }
        assert!((20..280).contains(&equal), "{}: {equal} of 300", relation.name);
        if relation.preorder.is_some() {
            assert!((equal + 5..295).contains(&below), "{}: {below} of 300 below", relation.name);
        }
    }
}
