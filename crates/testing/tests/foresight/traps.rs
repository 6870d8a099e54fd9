//! What must not be taken for boring or doomed, and what foresight must not be asked.

use ample_check::{Choice, Options, Pick, Prepared, Reduce, Under, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_search::{Limits, StopAt};

use super::{ALL, ASSERTIONS, ENDS, Question, Said, answer, ask, law, load, options, with_foresight};

/// What a foresight says of a model, which is true.
#[track_caller]
fn said(file: &str, text: &str, name: &str, question: Question<'_>) -> Result<Said, String> {
    let loaded = load(file, text);
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    with_foresight(&packed, name, question, |foresight| law(&packed, foresight, question).expect("it is small"))
}

/// That a question has this answer with and without foresight; the states that were stored without
/// and with it.
#[track_caller]
fn agrees(file: &str, text: &str, question: &str, reduce: &str, verdict: Verdict) -> (u64, u64) {
    let loaded = load(file, text);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let states = |reduce: &str, order: &str| {
        let (found, states) = answer(&prepared, question, options(reduce, order, 1))?;
        assert_eq!(found, verdict, "{reduce} {order}");
        Some(states)
    };
    let full = states("none", "bfs").expect("it is answered");
    // What does not apply is refused.
    let all =
        reduce.split(',').chain([reduce]).flat_map(|reduce| ["dfs", "blocks", "bfs"].map(|order| (reduce, order)));
    let found: Vec<u64> = all.filter_map(|(reduce, order)| states(reduce, order)).collect();
    (full, found.last().copied().unwrap_or(full))
}

#[track_caller]
fn refusal(text: &str, question: &str, options: Options) -> String {
    let loaded = load("model.pml", text);
    let interpreter = Interpreter::new(&loaded.model);
    ask(&Prepared::packed(&interpreter, &loaded.properties), question, options).expect_err("it is refused")
}

/// Where the loop begins that has no end, no invalid end state is ahead: it is pruned, and is none.
#[test]
fn a_pruned_state_is_no_deadlock() {
    let text = "byte x, y; active proctype p() { do :: x < 3 -> x++ :: x == 3 -> break od; do :: y = (y + 1) % 50 od }";
    let found = said("model.pml", text, "boring", Question::Faults(ENDS)).expect("the loop is found");
    assert!(found.pruned >= 50, "{found:?}");
    let (full, pruned) = agrees("model.pml", text, "end-states", "boring", Verdict::Holds);
    assert!(pruned + 40 < full, "{pruned} of {full}");
    // An invalid end state is still seen where there is one.
    let text = "byte x; active proctype p() { do :: x < 3 -> x++ :: break od; x == 2; do :: x = 1 - x od }";
    agrees("model.pml", text, "end-states", "boring", Verdict::Violated);
}

/// Nor does an automaton stay there for ever, and read the same state again and again.
#[test]
fn a_pruned_state_does_not_stutter() {
    let text = "byte t; bit x; active proctype p() { do :: t < 90 -> t++ :: t == 5 -> x = 1; x = 0 od } ltl low { [] (x == 0 || t < 7) }";
    let (full, pruned) = agrees("model.pml", text, "low", "boring", Verdict::Holds);
    assert!(pruned < 10 && full > 90, "{pruned} of {full}");
}

/// A counter that only grows is a measure of progress, and one that wraps around is none.
#[test]
fn a_wrapping_counter() {
    let text = |bound: &str| {
        format!(
            "byte t = 4; active proctype p() {{ do :: {bound} t++ :: t == 3 -> assert(false) :: t == 9 -> skip od }}"
        )
    };
    let bounded = text("t < 200 ->");
    let found = said("model.pml", &bounded, "boring", Question::Faults(ASSERTIONS)).expect("it grows");
    assert_eq!(found.pruned, found.boring, "{found:?}");
    agrees("model.pml", &bounded, "assertions", "doomed,boring", Verdict::Holds);
    let wrapping = text("");
    agrees("model.pml", &wrapping, "assertions", "boring", Verdict::Violated);
    let (full, doomed) = agrees("model.pml", &wrapping, "assertions", "doomed", Verdict::Violated);
    assert!(doomed <= full);
}

/// The state before the assertion is nowhere: a message never comes.
#[test]
fn a_way_that_would_need_a_disabled_step() {
    let text = "chan c = [1] of { byte }; byte x, n; bit flag;
        active proctype p() { do :: n < 9 -> n++ :: n == 3 && flag == 1 -> c?x; assert(false) od }
        active proctype q() { flag = 1; flag = 0; end: c!1 }";
    for name in ["boring", "doomed"] {
        let _ = said("model.pml", &text.replace("end: c!1", "end: false"), name, Question::Faults(ASSERTIONS));
        let _ = said("model.pml", text, name, Question::Faults(ASSERTIONS));
    }
    agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
    agrees("model.pml", &text.replace("end: c!1", "end: false"), "assertions", "doomed,boring", Verdict::Holds);
}

/// Inside an atomic sequence nobody else moves, so that what holds there in between is not seen.
#[test]
fn a_chain_is_one_step() {
    let text = |around: &str| {
        format!(
            "byte x; active proctype p() {{ do :: {around} {{ x = 1; x = 2 }} od }}
             active proctype q() {{ x == 1; assert(false) }}"
        )
    };
    for (around, verdict) in [("atomic", Verdict::Holds), ("d_step", Verdict::Holds), ("", Verdict::Violated)] {
        let text = text(around);
        for name in ["boring", "doomed"] {
            let _ = said("model.pml", &text, name, Question::Faults(ASSERTIONS));
        }
        agrees("model.pml", &text, "assertions", "doomed,boring", verdict);
    }
    // What a chain does in the middle is done.
    let text = "byte x, y; active proctype p() { atomic { x = 3; y = x; x = 0 } } active proctype q() { y == 3; assert(false) }";
    agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
    let text = text.replace("atomic", "d_step");
    agrees("model.pml", &text, "assertions", "doomed,boring", Verdict::Violated);
    // A d_step that begins with a rendezvous, and one after which there is nothing.
    let text = "chan c = [0] of { byte }; byte x; active proctype p() { c!7 } active proctype q() { d_step { c?x; x++ }; assert(x != 8) }";
    agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
    agrees("model.pml", &text.replace("c!7", "c!6"), "assertions", "doomed,boring", Verdict::Holds);
}

#[test]
fn processes_that_meet() {
    let text = |sent: u8| {
        format!(
            "chan c = [0] of {{ byte }}; byte x, n;
             active proctype p() {{ do :: n < 20 -> n++ :: n == 5 -> break od; c!{sent}; n = 30 }}
             active proctype q() {{ c?x; x = x + 1; assert(x != 4) }}"
        )
    };
    for name in ["boring", "doomed"] {
        said("model.pml", &text(3), name, Question::Faults(ASSERTIONS)).expect("something is known");
    }
    let (full, doomed) = agrees("model.pml", &text(3), "assertions", "doomed", Verdict::Violated);
    assert!(doomed < full, "{doomed} of {full}");
    let (full, boring) = agrees("model.pml", &text(2), "assertions", "boring", Verdict::Holds);
    assert_eq!((full > 10, boring), (true, 1), "the message is known");
    // A message is made before it is stored.
    let text = "chan c = [0] of { byte, byte }; byte x = 1, y = 2; active proctype p() { c!x, y }
        active proctype q() { c?y, x; assert(x != 2 || y != 1) }";
    agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
    // What a field cuts off is not what was sent.
    let text =
        "chan c = [0] of { bit }; byte x; active proctype p() { c!2 } active proctype q() { c?x; assert(x != 0) }";
    agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
}

/// An error may be in a process that does not exist yet, and so may what it reads.
#[test]
fn processes_created_later() {
    let text = "byte n; proctype q(byte a) { byte own = 2; n == 7; assert(a + own != 5) }
        init { do :: n < 12 -> n++ :: n == 4 -> break od; run q(3); do :: n < 12 -> n++ od }";
    for name in ["boring", "doomed"] {
        let _ = said("model.pml", text, name, Question::Faults(ASSERTIONS));
    }
    let (full, both) = agrees("model.pml", text, "assertions", "doomed,boring", Verdict::Violated);
    assert!(both <= full, "{both} of {full}");
    // One that ends and is created again, with its variables as at first.
    let text = "byte n; proctype q() { byte own; own = own + 1; assert(own < 2) } init { do :: n < 3 -> n++; run q(); _nr_pr == 1 od }";
    for name in ["boring", "doomed"] {
        let _ = said("model.pml", text, name, Question::Faults(ALL));
    }
    agrees("model.pml", text, "assertions", "boring", Verdict::Holds);
}

/// A run-time error on the way ends it, and is no assertion.
#[test]
fn an_error_on_the_way() {
    let text = "byte x, y; active proctype p() { do :: x < 9 -> x++ :: x == 4 -> y = 1 / y; assert(false) od }";
    let question = Question::Faults(ASSERTIONS);
    let _ = said("model.pml", text, "doomed", question);
    agrees("model.pml", text, "assertions", "doomed", Verdict::Holds);
    let (full, both) = agrees("model.pml", text, "safety", "doomed,boring", Verdict::Violated);
    assert!(both <= full);
    // Not all ranges hold all values.
    let text = "var x: 0..5 = 0; var y: 0..9 = 0; error high: x = 5 and y > 3; [up] x < 5 -> x := x + 1; [on] y < 9 -> y := y + 2; [back] x = 5 -> x := 0;";
    for question in ["high", "safety"] {
        agrees("model.gcl", text, question, "doomed", Verdict::Violated);
    }
    agrees("model.gcl", text, "high", "boring", Verdict::Violated);
}

/// Every run ends where nobody can go round any more.
#[test]
fn a_deadlock_that_is_bound_to_come() {
    let text = "byte n; bit go;
        active proctype p() { do :: n < 50 -> n++ :: n == 20 -> break od; go = 1; n == 200; n = 0 }
        active proctype q() { go == 1; n = 100; n == 255; n = 1 }";
    let found = said("model.pml", text, "doomed", Question::Faults(ENDS)).expect("it is known");
    assert!(found.led >= 3, "{found:?}");
    agrees("model.pml", text, "end-states", "doomed", Verdict::Violated);
    // Where all may end, they do.
    let valid = text.replace("n == 200", "end: n == 200").replace("n == 255", "end2: n == 255");
    let _ = said("model.pml", &valid, "doomed", Question::Faults(ENDS));
    agrees("model.pml", &valid.replace("n < 50", "n < 20"), "end-states", "doomed", Verdict::Holds);
}

const CLOCK: &str =
    "byte t; bit x; active proctype p() { do :: t < 9 -> t++ :: t == 5 -> x = 1; x = 0 :: t == 2 -> assert(x == 0) od }
    ltl again { []<> (x == 0) } ltl low { [] (x == 0 || t < 7) }";

#[test]
fn runs_are_refused() {
    for name in ["boring", "doomed"] {
        for question in ["again", "progress"] {
            let why = refusal(CLOCK, question, options(name, "auto", 1));
            assert!(why.contains(&format!("`{name}`")), "{why}");
        }
        let ndfs = Options { emptiness: Choice::parse("ndfs"), ..options(name, "auto", 1) };
        let why = refusal(CLOCK, "low", ndfs);
        assert!(why.contains(name) && why.contains("`ndfs`"), "{why}");
    }
}

#[test]
fn what_does_not_go_with_it_is_refused_by_name() {
    let given = |name: &str| Options { reduce: Reduce::parse(name), ..Options::default() };
    let why = refusal(CLOCK, "low", Options { stop_at: StopAt::End, ..given("doomed") });
    assert!(why.contains("--keep-going") && why.contains("doomed"), "{why}");
    let limits = Limits { max_depth: Some(9), ..Limits::default() };
    let why = refusal(CLOCK, "low", Options { limits, ..given("doomed") });
    assert!(why.contains("--max-depth") && why.contains("doomed"), "{why}");
    for name in ["boring", "doomed"] {
        let why = refusal(CLOCK, "low", Options { coverage: true, ..given(name) });
        assert!(why.contains("--coverage") && why.contains(name), "{why}");
        for order in ["acyclic", "acyclic-exact"] {
            let why = refusal(CLOCK, "assertions", Options { order: Choice::parse(order), ..given(name) });
            assert!(why.contains(name) && why.contains("cannot be used together"), "{why}");
        }
        let under = Some(Under { name: "visibility".to_owned(), pick: Pick::Guided, begin: None });
        let why = refusal(CLOCK, "assertions", Options { under, ..given(name) });
        assert!(why.contains(name), "{why}");
        let why = refusal(CLOCK, "exclusive", given(name));
        assert!(why.contains(name), "{why}");
    }
    let why = refusal(CLOCK, "assertions", Options { order: Choice::parse("dfs"), ..given("doomed,sleep") });
    assert!(why.contains("`doomed`") && why.contains("`sleep`"), "{why}");
    for por in ["simultaneous", "confluent-chain"] {
        let why = refusal(CLOCK, "assertions", Options { por: Choice::parse(por), ..given("doomed,por") });
        assert!(why.contains("`doomed`") && why.contains(por), "{why}");
    }
}

/// All errors are reported all the same.
#[test]
fn boring_keeps_going() {
    let text =
        "byte t; active proctype p() { do :: t < 90 -> t++ :: t == 3 -> assert(false) :: t == 5 -> assert(t == 4) od }";
    let loaded = load("model.pml", text);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    for reduce in ["none", "boring"] {
        let given = Options { stop_at: StopAt::End, ..options(reduce, "bfs", 1) };
        let outcome = ask(&prepared, "assertions", given).expect("it is answered");
        assert_eq!(outcome.properties[0].violations.len(), 2, "{reduce}");
    }
}

/// A measure of progress that a program states is used if it is one.
#[test]
fn a_stated_measure_of_progress_is_checked() {
    let program = |says: &str| {
        format!(
            "var left, right : 0..40; var seen : 0..2; {says}
             [left] left < 20 -> left := left + 1; [right] right < 20 -> right := right + 1;
             [merge] right > 0 and left <= 20 -> left := left + right, right := 0;
             [look] seen < 2 -> seen := seen + 1; [forget] seen > 0 -> seen := seen - 1;
             error fault: left < 3 and right < 3 and seen = 2 and left * right = 3;
             error early: left < 3 and right < 3 and seen = 2 and left * right = 4;"
        )
    };
    let (full, pruned) = agrees("model.gcl", &program("progress left + right;"), "fault", "boring", Verdict::Holds);
    assert!(pruned * 20 < full, "{pruned} of {full}");
    agrees("model.gcl", &program("progress 2 * left + 2 * right - 5;"), "early", "boring", Verdict::Violated);
    for (says, why) in [
        ("progress left;", None),
        ("progress right;", Some("[merge]")),
        ("progress left + right + seen;", Some("[forget]")),
        ("progress -left;", Some("[left]")),
        ("progress left * right;", Some("no sum")),
    ] {
        let loaded = load("model.gcl", &program(says));
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let refused = ask(&prepared, "fault", options("boring", "bfs", 1)).err();
        let found = ample_reduction::Acyclicity::of(&Packed::new(&interpreter).expect("it is packed").network).broken;
        match why {
            None => {}
            Some(why) => {
                assert!(refused.as_ref().is_some_and(|refused| refused.contains(why)), "{says} {refused:?}");
                assert!(found.iter().any(|found| found.contains(why)), "{says} {found:?}");
            }
        }
    }
}

/// With one that grows with every command there is no cycle.
#[test]
fn a_stated_measure_that_grows_leaves_no_cycle() {
    let program = |says: &str, more: &str| {
        format!(
            "var a : 0..9; var b : 0..60; {says} [give] a > 0 and b < 50 -> a := a - 1, b := b + 2; [take] a < 9 and b > 0 -> a := a + 2, b := b - 1; {more}"
        )
    };
    let found = |text: &str| {
        let loaded = load("model.gcl", text);
        let interpreter = Interpreter::new(&loaded.model);
        ample_reduction::Acyclicity::of(&Packed::new(&interpreter).expect("it is packed").network)
    };
    assert!(found(&program("progress a + b;", "")).found.iter().any(|found| found.contains("measure")));
    assert!(found(&program("", "")).found.is_empty());
    // What leaves it as it is may go round.
    assert!(found(&program("progress a + b;", "var c : 0..1; true -> c := 1 - c;")).found.is_empty());
}

/// Where every state that is met has an error ahead, as far as is known, nobody is asked for it,
/// and the answer does not say that it rests on it; where some have none, it does.
#[test]
fn what_has_nothing_to_say_is_left_out_of_the_search() {
    let used = |text: &str| {
        let loaded = load("model.pml", text);
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let outcome = ask(&prepared, "assertions", options("boring", "bfs", 1)).expect("it applies");
        assert_eq!(outcome.properties[0].verdict, Verdict::Holds);
        outcome.properties[0].reductions.iter().any(|part| part.name == "boring")
    };
    let text = |first: u8| {
        format!(
            "byte x = {first}; active proctype p() {{ do :: x < 10 -> x++ :: x == 10 -> x = 0 :: x == 250 -> x = 251 od }} \
             active proctype q() {{ do :: x < 200 -> assert(x * x != 26) :: else -> skip od }}"
        )
    };
    assert!(!used(&text(0)));
    assert!(used(&text(250)));
}
