//! Equivalent values.

use super::{agrees, law_on_random_models, refusal, sizes};

const NAME: &str = "values";

const WAYS: &[&str] =
    &["values", "values,por", "values,dead", "values,merge", "values,linear", "values,dead,merge", "values,sleep"];

#[track_caller]
fn refused(text: &str) -> String {
    sizes(text, NAME).expect_err("it does not apply")
}

#[test]
fn the_law_on_random_models() {
    let (compared, smaller) = law_on_random_models(NAME);
    assert!(compared > 0 && smaller > 0);
}

/// Whoever waits for 3 does not tell 1 from 2.
#[test]
fn values_that_nobody_asks_for() {
    let text =
        "byte x; active proctype p() { do :: x = 1 :: x = 2 :: x = 3 od } active proctype q() { do :: x == 3 od }";
    assert_eq!(sizes(text, NAME), Ok((4, 2)));
    agrees(text, WAYS);
}

#[test]
fn copies_are_asked_for_elsewhere() {
    let text = "chan c = [1] of { byte }; byte g;
                active proctype p() { byte x; do :: if :: x = 1 :: x = 2 :: x = 3 :: x = 4 fi; c!x od }
                active proctype q() { byte y; do :: c?y; if :: y > 2 -> g = 1 :: else -> g = 0 fi od }
                ltl again { []<> (g == 1) } ltl nowhere { [] (g == 0) }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms * 3 < states, "{forms} of {states}");
    agrees(text, WAYS);
}

/// What counts depends on what may still be asked.
#[test]
fn values_by_location() {
    let text = "byte g; active proctype p() { byte x;
                do :: x < 10 -> x++ :: break od; g = 1; if :: x > 3 -> g = 2 :: else -> g = 3 fi; g = 4 }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms < states, "{forms} of {states}");
    agrees(text, WAYS);
}

/// A counter that cannot pass the guard any more has come to its end.
#[test]
fn a_saturating_counter() {
    let text = "byte x; bit stop; active proctype p() { byte n; do :: n < 50 -> if :: n = n + 7 :: n = n + 9 fi :: else -> break od; stop = (n >= 5) }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms < states, "{forms} of {states}");
}

/// What is added once by each process cannot wrap around.
#[test]
fn a_counter_of_what_happens_once() {
    let text = "byte done; bit g; active [5] proctype p() { done++ } active proctype q() { done >= 2 -> g = 1 }
                ltl comes { <> (g == 1) } ltl twice { [] (done < 2) }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    // `done` follows from where the processes are.
    assert!(forms <= states, "{forms} of {states}");
    let text = "byte done; bit g; active [3] proctype p() { if :: done++ :: done = done + 2 fi } active proctype q() { done >= 2 -> g = 1 }
                ltl comes { <> (g == 1) } ltl twice { [] (done < 4) }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms < states, "{forms} of {states}");
    agrees(text, WAYS);
    // In a loop it may.
    let why = refused(
        "byte done; bit g; active [3] proctype p() { do :: done++ od } active proctype q() { do :: done >= 2 -> g = 1 - g :: done == 0 && g == 1 -> g = 0 od }",
    );
    assert!(why.contains("told apart"), "{why}");
}

/// After 255 comes 0, which somebody asks for: all values count.
#[test]
fn wrapping_counter() {
    let why = refused(
        "byte x; bit g; active proctype p() { do :: x++ :: x >= 5 -> g = 1 - g :: g == 1 && x < 5 -> assert(false) od }",
    );
    assert!(why.contains("told apart"), "{why}");
    let text =
        "byte x; bit g; active proctype p() { do :: x < 200 -> x++ :: x == 200 -> x = x + 100 :: x == 44 -> g = 1 od }
                ltl comes { <> (g == 1) }";
    agrees(text, WAYS);
}

#[test]
fn a_remote_reference_and_a_proposition_ask() {
    let text = "byte g; active proctype p() { byte x; do :: x = 1 :: x = 2 :: x = 3 :: x = 4 od }
                active proctype q() { do :: p:x == 2 -> g = 1; g = 0 od }
                ltl three { []<> (p[0]:x == 3) } ltl large { <> (p[0]:x > 2) }";
    assert_eq!(sizes(text, NAME).map(|(states, forms)| forms * 2 < states), Ok(true));
    agrees(text, WAYS);
}

#[test]
fn an_index_needs_the_value() {
    let why = refused(
        "byte x; bit a[3]; active proctype p() { do :: x = 0 :: x = 1 :: x = 2 :: a[x] = 1 - a[x] od }
                       active proctype q() { do :: a[0] == 1; a[0] = 0 :: a[1] == 0 :: a[2] == 1 od }",
    );
    assert!(why.contains("told apart"), "{why}");
}

/// An index is computed after the field before it was stored.
#[test]
fn an_index_of_a_receive_uses_what_was_received_with_it() {
    let text = "chan c = [1] of { byte, byte }; byte a[3];
                active proctype p() { do :: c!0,1 :: c!1,2 :: c!2,1 od }
                active proctype q() { byte x; do :: c?x,a[x]; x = 0; a[1] == 2; a[1] = 0 :: a[2] == 1 -> a[2] = 0 od }";
    agrees(text, WAYS);
    sizes(text, NAME).map_or_else(|why| assert!(why.contains("told apart")), |_| ());
}

#[test]
fn a_pattern_asks_for_one_value() {
    let text = "chan c = [2] of { byte };
                active proctype p() { do :: c!1 :: c!2 :: c!3 od }
                active proctype q() { do :: c?2 :: c?_ od }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms < states, "{forms} of {states}");
    agrees(text, WAYS);
    // With `eval` of a variable every value is asked for.
    let text = "chan c = [2] of { byte };
                active proctype p() { do :: c!1 :: c!2 :: c!3 od }
                active proctype q() { byte x = 1; do :: c?eval(x) :: c?x od }";
    agrees(text, WAYS);
}

#[test]
fn parameters_and_first_values() {
    let text = "byte g; proctype p(byte k) { byte m = k + 1; k > 2 -> g = 1; m == 4 -> g = 2 }
                init { if :: run p(1) :: run p(3) :: run p(4) :: run p(5) fi }";
    sizes(text, NAME).expect("it applies");
    agrees(text, WAYS);
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let text = "byte x; active [2] proctype p() { do :: x = 1 :: x = 2 :: x == 0 od }";
    for reduce in ["values,symmetry", "values,symmetry-sort"] {
        let why = refusal(text, reduce);
        assert!(why.contains("values") && why.contains("symmetry"), "{why}");
    }
}

#[test]
fn more_values_than_are_looked_at() {
    let text = "int x; active proctype p() { do :: x < 1000 -> x++ :: x == 7 od }";
    refused(text);
}

/// Assignments one after the other in one step.
#[test]
fn effects_one_after_the_other() {
    let text = "byte g; active proctype p() { byte x, y;
                do :: if :: x = 1 :: x = 2 :: x = 5 fi; d_step { y = x; x = 0; g = (y > 1) }; g == 1 od }";
    sizes(text, NAME).expect("it applies");
    agrees(text, WAYS);
}

/// An index that is out of range names no variable, but which process is meant counts all the same.
#[test]
fn an_element_that_is_not_there() {
    let text = "byte x; active proctype p() { byte a[2]; do :: x = 0 :: x = 3 od } active proctype q() { byte g; g = p[x]:a[4] }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert_eq!(states, forms);
}

/// A guard is true of a value only as long as nobody changes it.
#[test]
fn a_guard_holds_before_the_first_store() {
    let text = "int x, g; active proctype p() { do :: d_step { x < 5 -> x = x + 4; x = x + 4; g = (x > 6) } :: x > 3 -> x = 0 od }
                active proctype q() { do :: x == 2 -> x = 3 od }";
    agrees(text, WAYS);
    sizes(text, NAME).map_or_else(|why| assert!(why.contains("told apart")), |_| ());
}
