//! Linear transformations.

use super::{agrees, law_on_random_models, refusal, sizes};

const NAME: &str = "linear";

#[track_caller]
fn refused(text: &str) -> String {
    sizes(text, NAME).expect_err("it does not apply")
}

#[test]
fn the_law_on_random_models() {
    let (compared, smaller) = law_on_random_models(NAME);
    assert!(compared > 0 && smaller > 0);
}

const WAYS: &[&str] = &["linear", "linear,por", "linear,dead", "linear,merge", "linear,dead,merge", "linear,sleep"];

#[test]
fn a_sliding_counter() {
    let text = "byte x, y; active proctype p() { do :: x = (x + 1) % 4 :: y == x -> y = (y + 1) % 4 od }
                ltl equal { []<> (x == y) } ltl different { <> (x != y) }";
    assert_eq!(sizes(text, NAME), Ok((20, 5)));
    agrees(text, WAYS);
}

/// 0 < 1 < 2, but not after a shift by one modulo 3.
#[test]
fn order_comparison_in_zn() {
    let why = refused("byte x, y; active proctype p() { do :: x = (x + 1) % 3 :: x < y -> y = (y + 1) % 3 od }");
    assert!(why.contains("x < y") || why.contains("x<y"), "{why}");
}

#[test]
fn comparison_with_a_constant_in_z() {
    let why = refused("int x, y; active proctype p() { do :: x = x + 1; y = x :: y == 2 -> x = y od }");
    assert!(why.contains("y == 2"), "{why}");
}

#[test]
fn a_constant_that_is_assigned_takes_the_set_out() {
    let why = refused("byte x, y; active proctype p() { do :: x = (x + 1) % 4 :: x == y -> y = 2 od }");
    assert!(why.contains("y = 2"), "{why}");
}

#[test]
fn an_index_takes_the_set_out() {
    let why = refused("byte x; bit a[4]; active proctype p() { do :: x = (x + 1) % 4 :: a[x] = 1 od }");
    assert!(why.contains("a[x]"), "{why}");
}

/// Modulo 3 in one place and modulo 4 in another is modulo nothing.
#[test]
fn two_moduli() {
    let why = refused("byte x; active proctype p() { do :: x = (x + 1) % 4 :: x = (x + 1) % 3 od }");
    assert!(why.contains("modulo"), "{why}");
    let why = refused("byte x; active proctype p() { do :: x = (x + 1) % 4 :: x++ od }");
    assert!(why.contains("modulo"), "{why}");
}

/// A `byte` that wraps around counts modulo 256, an `unsigned : 3` modulo 8.
#[test]
fn what_wraps_around_is_a_ring() {
    assert_eq!(sizes("byte x; active proctype p() { do :: x++ :: x-- od }", NAME), Ok((256, 1)));
    assert_eq!(
        sizes("unsigned x : 3, y : 3; active proctype p() { do :: x++ :: x == y -> y = x - 1 od }", NAME),
        Ok((72, 9))
    );
    // In the comparison nothing is cut to a byte: 255 + 1 is not 0.
    let why = refused("byte x, y; active proctype p() { do :: x++ :: x + 1 == y -> y = x od }");
    assert!(why.contains("x + 1 == y"), "{why}");
}

/// Where the values are not below the modulus, nothing is shifted.
#[test]
fn values_outside_of_the_ring() {
    let text = "byte x = 7, y = 5; active proctype p() { do :: x = (x + 1) % 4 :: x == y -> y = (y + 1) % 4 od }";
    sizes(text, NAME).expect("it applies");
    agrees(text, WAYS);
}

#[test]
fn a_negative_remainder_is_none() {
    refused("short x, y; active proctype p() { do :: x = (x - 1) % 4; x == y od }");
}

/// An empty place of a channel holds no value of the set.
#[test]
fn messages_that_are_not_there() {
    let text = "chan c = [3] of { byte }; byte got;
                active proctype p() { byte x; do :: c!x; x = (x + 1) % 3 od }
                active proctype q() { byte y; do :: c?y; got = (y + 1) % 3 od }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms * 2 < states, "{forms} of {states}");
}

#[test]
fn a_matched_field() {
    let text = "chan c = [2] of { bit }; chan d = [1] of { bit };
                active proctype s() { bit b; do :: c!b; if :: d?eval(b) -> b = 1 - b :: d?eval(!b) fi od }
                active proctype r() { bit e; do :: c?eval(e) -> d!e; e = !e :: c?eval(1 - e) -> d!(1 - e) od }
                ltl again { []<> (len(c) == 0) }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms < states, "{forms} of {states}");
    agrees(text, WAYS);
    let why = refused(&text.replace("eval(!b)", "_; assert(b == 0)"));
    assert!(why.contains("assert(b == 0)") || why.contains("assert((b==0))"), "{why}");
}

#[test]
fn what_a_property_reads_is_not_shifted() {
    let text = "byte x, y; active proctype p() { do :: x = (x + 1) % 4 :: y == x -> y = (y + 1) % 4 od }
                ltl zero { []<> (x == 0) } ltl remote { []<> (x == y) }";
    agrees(text, WAYS);
}

/// The variable that is read by others is live where its process does not need it.
#[test]
fn a_remote_reference_sees_a_value() {
    let text = "byte g; active proctype p() { byte m; do :: m = (m + 1) % 3; skip od }
                active proctype q() { do :: p:m == 2 -> g = 1; g = 0 od }";
    let why = refused(text);
    assert!(why.contains("p: m == 2"), "{why}");
}

/// A reset of a dead variable is no assignment of a constant.
#[test]
fn dead_variables_are_reset_beside_it() {
    let text = "chan c = [1] of { byte }; byte g;
                active proctype p() { byte x; do :: x = g; g = (x + 1) % 5; skip; c!g od }
                active proctype q() { byte y; do :: c?y; if :: y == g -> skip :: else fi od }";
    let (states, forms) = sizes(text, NAME).expect("it applies");
    assert!(forms * 5 <= states, "{forms} of {states}");
    agrees(text, WAYS);
}

/// While processes are created their variables begin with constants.
#[test]
fn creation_one_by_one() {
    let text = "byte g; proctype p(byte k) { byte m; do :: m = (m + 1) % 3 :: m == g -> g = (g + 1) % 3 :: m = g od }
                init { run p(g); g = 2; run p(1) }";
    sizes(text, NAME).expect("it applies");
    agrees(text, WAYS);
}

/// Two-step loops: a variable that receives what nobody reads holds another value after a shift.
#[test]
fn what_nobody_reads_does_not_tell_shifted_states_apart() {
    let text =
        "byte g; active proctype p() { byte x, y; x = 3; do :: y = g; g = (g + 1) % 3 :: x == 3 -> y = 7; x = y od }";
    sizes(text, NAME).expect("it applies");
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let text = "byte x; active [2] proctype p() { do :: x = (x + 1) % 3 od }";
    for reduce in ["linear,symmetry", "linear,symmetry-sort"] {
        let why = refusal(text, reduce);
        assert!(why.contains("linear") && why.contains("symmetry"), "{why}");
    }
}
