//! What must not be taken for a cover, and what a cover must not be asked.

use ample_check::{Choice, Options, Pick, Prepared, Reduce, Under, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::DominatingValues;
use ample_reduction::Visible;
use ample_testing::explore::SAFETY;

use super::{WAYS, agrees, ask, law, load, options, with_cover};

/// What was found of a model, and that it holds there.
#[track_caller]
fn found(file: &str, text: &str) -> DominatingValues {
    let loaded = load(file, text);
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    let visible = Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false };
    let found = DominatingValues::of(&packed.network, &Facts::new(&packed.network), &visible);
    let made = with_cover(&packed, &[], |cover| law(&packed, cover, &[], 20_000).expect("it is small"));
    assert_eq!(made.is_ok(), !found.found.is_empty(), "{found:?} {made:?}");
    found
}

/// That values of `t` cover others, and that answers do not change.
#[track_caller]
fn covers(text: &str, says: &str) {
    let found = found("model.pml", text);
    assert!(found.found.iter().any(|sentence| sentence.starts_with(says)), "{found:?}\n{text}");
    agrees(&load("model.pml", text), "dominate", WAYS);
}

/// That no values of `t` cover others, for this reason.
#[track_caller]
fn none(text: &str, why: &str) {
    let found = found("model.pml", text);
    assert!(found.found.iter().all(|sentence| !sentence.contains(" t ")), "{found:?}\n{text}");
    assert!(
        found.broken.iter().any(|sentence| sentence.contains(" t ") && sentence.contains(why)),
        "{found:?}\n{text}"
    );
}

#[track_caller]
fn refusal(text: &str, question: &str, options: Options) -> String {
    let loaded = load("model.pml", text);
    let interpreter = Interpreter::new(&loaded.model);
    ask(&Prepared::packed(&interpreter, &loaded.properties), question, options).expect_err("it is refused")
}

const CLOCK: &str = "byte t; bit x; active proctype p() { do :: t < 9 -> t++ :: t < 5 -> x = 1 - x od }
    ltl again { []<> (x == 0) } ltl early { [] (t < 9) } ltl zero { [] (x == 0) }";

#[test]
fn values_on_one_side() {
    covers(CLOCK, "smaller values of t cover larger ones");
    covers(
        "byte t = 9; bit x; active proctype p() { do :: t > 0 -> t-- :: t >= 3 -> x = 1 - x :: t = 9 od }",
        "larger",
    );
    covers(
        "byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } :: t = 0 :: x == 0 && !(t > 4) -> x = 1 od }",
        "smaller",
    );
    // Equal to the least value: at most that.
    covers("byte t; bit x; active proctype p() { do :: t < 9 -> t++ :: t == 0 -> x = 1 - x od }", "smaller");
    // A local variable counts by itself.
    covers(
        "bit x; active [2] proctype p() { byte t; do :: t < 4 -> t++ :: t < 3 -> x = 1 - x od }",
        "smaller values of p[0]:t",
    );
}

/// Only from where the time is up nothing can be done any more: a search for deadlocks must see it.
#[test]
fn a_dominated_state_that_alone_reaches_a_deadlock() {
    let text = "byte t; active proctype p() { do :: t < 3 -> t++ :: t = 0; t < 2 -> t = 0 od }
                active proctype q() { t < 3; do :: t < 3 od }";
    let loaded = load("model.pml", text);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let full = ask(&prepared, "end-states", options("none", "bfs", 1)).expect("it is answered");
    for question in ["end-states", "safety"] {
        let why = ask(&prepared, question, options("dominate", "bfs", 1)).expect_err("it is refused");
        assert!(why.contains("`dominate`") && why.contains("deadlock"), "{why}");
    }
    println!("{:?}", full.verdict);
    let deadlock = "byte t; active proctype p() { do :: t < 3 -> t++ od }";
    let loaded = load("model.pml", deadlock);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let full = ask(&prepared, "end-states", options("none", "bfs", 1)).expect("it is answered");
    assert_eq!(full.verdict, Verdict::Violated);
    let why = ask(&prepared, "end-states", options("dominate", "bfs", 1)).expect_err("it is refused");
    assert!(why.contains("deadlock"), "{why}");
}

/// After 255 comes 0, which can do more than 255.
#[test]
fn a_wrapping_counter() {
    none("byte t = 250; bit x; active proctype p() { do :: t++ :: t < 5 -> x = 1 od }", "does not fit");
    // Two processes may have passed the guard.
    none("byte t = 250; bit x; active [2] proctype p() { do :: t < 255 -> t++ :: t < 5 -> x = 1 od }", "does not fit");
    covers(
        "byte t = 250; bit x; active [2] proctype p() { do :: atomic { t < 255 -> t++ } :: t < 5 -> x = 1 - x od }",
        "smaller",
    );
    none(
        "int t; bit x; active proctype p() { do :: t < 9 -> t++ :: t + 2147483645 < 5 -> x = 1 od }",
        "needs the value",
    );
    let found = found("model.gcl", "var t : 0..9; var x : 0..1; true -> t := t + 1; t < 5 -> x := 1 - x;");
    assert!(found.found.is_empty() && found.broken[0].contains("does not fit"), "{found:?}");
}

#[test]
fn a_liveness_property_with_a_cover() {
    for order in ["auto", "bfs"] {
        let given = Options { order: Choice::parse(order), reduce: Reduce::parse("dominate"), ..Options::default() };
        let why = refusal(CLOCK, "again", given);
        assert!(why.contains("`dominate`"), "{why}");
    }
    let why = refusal(CLOCK, "progress", options("dominate", "auto", 1));
    assert!(why.contains("`dominate`"), "{why}");
}

/// The property reads the variable.
#[test]
fn a_property_about_the_variable() {
    let why = refusal(CLOCK, "early", options("dominate", "bfs", 1));
    assert!(why.contains("the property reads it"), "{why}");
}

/// The error lies behind a state that is covered by one that comes later, and the first trace to it
/// goes through that one.
#[test]
fn a_covered_state_on_the_way_to_the_error() {
    let text = "byte t; bit done; active proctype p() {
                    if :: t = 5 :: skip; skip; skip; t = 1 fi;
                    t < 8 -> t = t + 2; t < 8 -> t = t + 2; t < 8 -> done = 1; assert(!done) }";
    covers(text, "smaller");
    for (order, threads) in WAYS {
        let loaded = load("model.pml", text);
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let outcome = ask(&prepared, "assertions", options("dominate", order, *threads)).expect("it is answered");
        assert_eq!(outcome.verdict, Verdict::Violated, "{order} {threads}");
    }
}

/// The covered state alone violates the assertion.
#[test]
fn an_assertion_about_the_variable() {
    none("byte t; active proctype p() { do :: t < 9 -> t++; assert(t < 7) od }", "asks for");
    covers("byte t; active proctype p() { do :: t < 9 -> t++; assert(t > 1) od }", "smaller");
}

#[test]
fn where_it_counts_that_something_cannot_be_done() {
    let why = "cannot be done";
    none(
        "byte t; bit x; active proctype p() { do :: t < 9 -> t++ :: t = 0 od }
          active proctype q() { do :: t < 5 -> x = 0 :: else -> x = 1 od }",
        why,
    );
    none("byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } :: timeout -> x = 1 - x; t = 0 od }", why);
    none(
        "byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } od }
          active proctype q() { do :: { x = 1 - x } unless { t < 5 } od }",
        why,
    );
    // Who is held up inside lets others see x = 1.
    none(
        "byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } od }
          active proctype q() { do :: atomic { x = 1; t < 5; x = 0 } od }
          active proctype r() { do :: assert(x == 0) od }",
        why,
    );
    none(
        "byte t; bit x, y; active proctype p() { do :: atomic { t < 9 -> t++ } od }
          active proctype q() { do :: d_step { y = 1; if :: t < 5 -> x = 0 :: y == 1 -> x = 1 fi } od }
          active proctype r() { do :: assert(x == 0) od }",
        why,
    );
}

/// A `d_step` can be done where its first statement can: an `else` beside it, or at its beginning,
/// is about that.
#[test]
fn a_d_step_beside_an_else() {
    let why = "cannot be done";
    none(
        "byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } od }
          active proctype q() { do :: d_step { t < 5; x = 0; x = 1 } :: else -> x = 1 od }",
        why,
    );
    none(
        "byte t; bit x; active proctype p() { do :: atomic { t < 9 -> t++ } od }
          active proctype q() { do :: t < 5 -> x = 1 :: d_step { else -> x = 0; x = 1 } od }",
        why,
    );
}

#[test]
fn what_needs_the_value() {
    none(
        "byte t, u; active proctype p() { do :: atomic { t < 9 -> t++ } :: u = t :: u == 3 od }",
        "hands the value on",
    );
    none(
        "byte t; chan c = [1] of { byte }; active proctype p() { do :: atomic { t < 9 -> t++ } :: c!t :: c?_ od }",
        "hands the value on",
    );
    none("byte t; bit a[3]; active proctype p() { do :: atomic { t < 2 -> t++ } :: a[t] = 1 od }", "needs the value");
    none("byte t; active proctype p() { do :: atomic { t < 9 -> t = 9 - t } od }", "turns the order");
    none("byte t; active proctype p() { do :: atomic { t < 9 -> t++ } :: t > 3 -> t = 0 od }", "larger ones");
    none(
        "byte t; byte x = 1; active proctype p() { do :: atomic { t < 9 -> t++ } :: t < 4 || 6 / x == 3 -> x = 1 - x od }",
        "needs the value",
    );
    let loaded = load(
        "model.pml",
        "byte t; active proctype p() priority 2 { do :: t < 9 -> t++ od } active proctype q() { skip }",
    );
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    let why = with_cover(&packed, &[], |_| ()).expect_err("there are priorities");
    assert!(why.contains("priorities"), "{why}");
}

#[test]
fn what_a_cover_does_not_go_with() {
    let zero = |given: Options| refusal(CLOCK, "assertions", given);
    let dominate = || Options { reduce: Reduce::parse("dominate"), ..Options::default() };
    for por in ["dominate,por", "dominate,sleep"] {
        let why = zero(Options { reduce: Reduce::parse(por), ..Options::default() });
        assert!(why.contains("`dominate`") && why.contains("cannot be used together"), "{por}: {why}");
    }
    let why = zero(Options {
        under: Some(Under { name: "visibility".to_owned(), pick: Pick::Guided, begin: None }),
        ..dominate()
    });
    assert!(why.contains("dominate"), "{why}");
    let why = zero(Options { store: Choice::parse("exact"), ..dominate() });
    assert!(why.contains("--store exact"), "{why}");
    let limits = ample_search::Limits { max_depth: Some(3), ..Default::default() };
    let why = zero(Options { limits, ..dominate() });
    assert!(why.contains("--max-depth"), "{why}");
    let why = refusal(CLOCK, "zero", Options { emptiness: Choice::parse("ndfs"), ..dominate() });
    assert!(why.contains("`dominate`") && why.contains("`ndfs`"), "{why}");
}

#[test]
fn what_a_program_says_itself_is_checked() {
    let program = |says: &str| format!("var t : int; var x : 0..1; t < 9 -> t := t + 1; t < 5 -> x := 1 - x; {says}");
    let found_of = |says: &str| found("model.gcl", &program(says));
    assert!(found_of("dominates smaller t;").found[0].starts_with("smaller values of t"));
    assert!(found_of("dominates larger t;").broken[0].contains("which is not so"));
    let loaded = load("model.gcl", &program("dominates larger t; error one: x = 1;"));
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let why = ask(&prepared, "one", options("dominate", "bfs", 1)).expect_err("it is refused");
    assert!(why.contains("the model says") && why.contains("asks for"), "{why}");
    agrees(&load("model.gcl", &program("dominates smaller t; error one: x = 1;")), "dominate", WAYS);
}
