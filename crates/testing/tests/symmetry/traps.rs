//! The traps of symmetry, one test each, named after it.

use ample_check::{Outcome, Prepared, Verdict};

use super::{EXACT, SORTED, Way, bisimilar, reachable, states, with_canonizer, with_model};

/// Why symmetry does not apply to a model.
#[track_caller]
fn refused(text: &str) -> String {
    with_model(text, |packed, _| with_canonizer(packed, &[], EXACT, |_| ()).expect_err("it does not apply"))
}

/// The answer of the full search, and that with a canonizer; they agree.
#[track_caller]
fn agreed(prepared: &Prepared<'_>, question: &str, reduce: &'static str) -> (Outcome, Outcome) {
    let full = Way::of("none").ask(prepared, question).expect("the full search answers");
    let reduced = Way::of(reduce).ask(prepared, question).expect("it applies");
    assert_eq!(full.verdict, reduced.verdict, "{question} by {reduce}");
    (full, reduced)
}

/// The cycle of the quotient leads from a state to the one in which the processes have exchanged
/// their parts: the run is gone through again until it closes.
#[test]
fn lasso_closed_by_a_permutation() {
    let text = "byte turn; bool done;
        active [3] proctype p() { do :: turn == _pid -> if :: turn = 0 :: turn = 1 :: turn = 2 fi od }
        ltl ends { <> done }
        ltl first_again { []<> (turn == 0) }
        ltl other { <> (turn == 1) }";
    with_model(text, |_, prepared| {
        for reduce in [EXACT, SORTED] {
            let (_, reduced) = agreed(prepared, "ends", reduce);
            assert_eq!(reduced.verdict, Verdict::Violated);
            assert!(reduced.properties[0].violations[0].trace.cycle.is_some(), "the run is infinite");
            agreed(prepared, "other", reduce);
        }
    });
}

/// A rotation on which every process moves in turn: the lasso needs as many rounds as there are
/// processes.
#[test]
fn lasso_of_a_rotation() {
    let text = "bool token[4]; bool done;
        active [4] proctype p() {
            do :: token[_pid] -> atomic { token[_pid] = false; token[(_pid + 1) % 4] = true }
               :: !token[0] && !token[1] && !token[2] && !token[3] -> token[_pid] = true od }
        ltl ends { <> done }";
    with_model(text, |_, prepared| {
        for reduce in [EXACT, SORTED] {
            let (full, reduced) = agreed(prepared, "ends", reduce);
            assert_eq!(reduced.verdict, Verdict::Violated);
            assert!(states(&full) > 0);
        }
    });
}

/// Only permutations that leave the named process alone remain.
#[test]
fn property_that_names_one_process() {
    let text = "byte taken;
        active [3] proctype p() { do :: atomic { taken == 0 -> taken = 1 }; cs: taken = 0 od }
        ltl first { [] !p[0]@cs }
        ltl second { []<> p[1]@cs }
        ltl any { [] !(p[0]@cs || p[1]@cs || p[2]@cs) }
        ltl all { [] !(p[0]@cs && p[1]@cs && p[2]@cs) }";
    with_model(text, |_, prepared| {
        for question in ["first", "second", "any", "all"] {
            for reduce in [EXACT, SORTED] {
                agreed(prepared, question, reduce);
            }
        }
        let counted = |question| states(&agreed(prepared, question, EXACT).1);
        assert_eq!(agreed(prepared, "all", EXACT).1.verdict, Verdict::Holds);
        assert!(counted("all") < states(&Way::of("none").ask(prepared, "all").expect("an answer")));
    });
    let two = "byte taken; active [2] proctype p() { do :: atomic { taken == 0 -> taken = 1 }; cs: taken = 0 od }
        ltl first { [] !p[0]@cs }";
    with_model(two, |_, prepared| {
        let why = Way::of(EXACT).ask(prepared, "first").expect_err("nothing is left");
        assert!(why.contains("property"), "{why}");
    });
}

#[test]
fn arithmetic_on_process_numbers_is_refused() {
    let why = refused("byte turn; active [3] proctype p() { do :: turn == _pid -> turn = (turn + 1) % 3 od }");
    assert!(why.contains("turn = (turn + 1) % 3"), "{why}");
    let why = refused("byte low; active [3] proctype p() { do :: low > _pid -> low = _pid od }");
    assert!(why.contains("low > _pid"), "{why}");
    let why = refused(
        "bool flag[3]; active [3] proctype p() { byte i; do :: flag[_pid] = true :: flag[i] -> i = (i + 1) % 3 od }",
    );
    assert!(why.contains("cannot be exchanged"), "{why}");
    let why = refused("byte sum; active [2] proctype p() { do :: sum = _pid * 2 + sum od }");
    assert!(why.contains("sum = "), "{why}");
}

/// A number that is stored in fewer bits is another number afterwards.
#[test]
fn numbers_that_are_truncated_are_not_renamed() {
    let text = "bit b; byte g; active [4] proctype p() { do :: b = _pid :: b == _pid -> g = 1 od }";
    with_model(text, |packed, _| {
        if let Ok(sizes) = with_canonizer(packed, &[], EXACT, |canonizer| bisimilar(packed, canonizer, &[], 1_000)) {
            println!("{sizes:?}");
        }
    });
}

#[test]
fn a_model_that_is_almost_symmetric_has_no_symmetry() {
    let why = refused(
        "bool flag[3]; byte g;
        active [3] proctype p() { do :: flag[_pid] = true; g = (_pid == 2 -> 1 : 2); flag[_pid] = false
                                     :: flag[(_pid + 1) % 3] && g == 1 -> skip od }",
    );
    assert!(why.contains("no counterpart"), "{why}");
    let why = refused(
        "byte x, y; active proctype a() { do :: x == 1 -> x = 0 :: x == 0 -> x = 1 od }
        active proctype b() { do :: y == 1 -> y = 0 :: y == 0 -> y = 0 od }",
    );
    assert!(why.contains("cannot be exchanged"), "{why}");
}

/// Of two that have ended, only the younger one can go.
#[test]
fn last_in_first_out_termination() {
    let why = refused("byte g; active [2] proctype p() { g++ }");
    assert!(why.contains("can end"), "{why}");
}

#[test]
fn what_the_numbers_of_processes_decide_is_refused() {
    let last = "active [2] proctype p() { do :: _last != _pid od }";
    assert!(refused(last).contains("_last"), "{}", refused(last));
    let priorities = "active [2] proctype p() priority 3 { do :: skip od } active proctype q() { do :: skip od }";
    assert!(refused(priorities).contains("priorities"), "{}", refused(priorities));
    let alone = "active proctype p() { do :: skip od }";
    assert!(refused(alone).contains("no two"), "{}", refused(alone));
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let text = "byte x; active [2] proctype p() { do :: x = 1 - x od } ltl l { []<> (x == 1) }";
    with_model(text, |_, prepared| {
        let why = Way::of("symmetry,sleep").ask(prepared, "safety").expect_err("sleep sets have names");
        assert!(why.contains("symmetry") && why.contains("sleep"), "{why}");
        let why = Way::of("symmetry,symmetry-sort").ask(prepared, "safety").expect_err("one is enough");
        assert!(why.contains("symmetry-sort"), "{why}");
    });
}

/// While processes are still created, those that exist are not exchanged with those that do not.
#[test]
fn creation_one_by_one() {
    let text = "byte g; proctype p(byte id) { do :: g = id :: g == id -> skip od }
        init { run p(0); run p(1); g = 1; run p(2) }";
    with_model(text, |packed, _| {
        for name in [EXACT, SORTED] {
            let sizes = with_canonizer(packed, &[], name, |canonizer| bisimilar(packed, canonizer, &[], 5_000));
            let (full, quotient) = sizes.expect("it applies").expect("it is small");
            assert!(quotient < full, "{quotient} of {full}");
        }
    });
}

/// A message slot that is empty holds no process number, although its bytes are zero.
#[test]
fn empty_message_slots_are_nobody() {
    let text = "chan c = [2] of { byte }; active [3] proctype p() { byte x; do :: c!_pid :: c?x; x == _pid -> skip :: c?x od }";
    with_model(text, |packed, _| {
        let quotient = with_canonizer(packed, &[], EXACT, |canonizer| bisimilar(packed, canonizer, &[], 8_000));
        let (full, quotient) = quotient.expect("it applies").expect("it is small");
        assert!(quotient * 3 < full, "{quotient} of {full}");
        assert!(reachable(packed, 8_000).is_some());
    });
}

/// `!!` sorts messages by their value: the numbers in them mean themselves.
#[test]
fn sorted_send_orders_numbers() {
    let why = refused("chan c = [2] of { byte }; active [2] proctype p() { byte x; do :: c!!_pid :: c?x od }");
    assert!(why.contains("c!!"), "{why}");
}

/// Reading element 0 first and element 1 then is not the same as the other way round where the
/// first may be out of range.
#[test]
fn operands_that_may_fail_keep_their_order() {
    let text =
        "byte a[2]; byte i = 5; active [2] proctype p() { do :: a[_pid] = 1 :: a[0] == 0 && a[i] == 1 -> skip od }";
    assert!(refused(text).contains("cannot be exchanged"), "{}", refused(text));
}

/// Processes written out one by one, each with variables of its own.
#[test]
fn templates_of_the_same_form() {
    let text = "byte x, y, turn;
        active proctype a() { do :: x = 1; turn = 1; !(y == 1 && turn == 1); x = 0 od }
        active proctype b() { do :: y = 1; turn = 0; !(x == 1 && turn == 0); y = 0 od }";
    with_model(text, |packed, _| {
        let sizes = with_canonizer(packed, &[], EXACT, |canonizer| bisimilar(packed, canonizer, &[], 8_000));
        let (full, quotient) = sizes.expect("it applies").expect("it is small");
        assert!(quotient < full, "{quotient} of {full}");
    });
}

/// The process that is stuck first, and so the place of the deadlock, is another one in the run
/// that is rebuilt.
#[test]
fn deadlock_at_another_place() {
    let text = "byte taken;
        active [3] proctype p() { do :: atomic { taken < 2 -> taken++ }; if :: skip :: skip; skip fi; false od }
        active proctype q() { false }";
    with_model(text, |_, prepared| {
        for reduce in [EXACT, SORTED] {
            assert_eq!(agreed(prepared, "safety", reduce).1.verdict, Verdict::Violated);
        }
    });
}
