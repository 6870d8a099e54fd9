//! Checking a claim that may not be closed under stuttering, in the manner of Holzmann and
//! Kupferman's section 5.
//!
//! Programs are single words here. The closure of the claim is checked first, where reductions may
//! be used; only if it has the word is the claim itself asked.

mod support;

use ample_property::{Automaton, Lasso, is_stutter_invariant, stutter_closure, translate};
use support::parse;

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    ProgramIsRight,
    ProgramIsWrong,
    ClaimIsNotClosed,
}

fn outcome(claim: &Automaton, closure: &Automaton, program: &Lasso) -> Outcome {
    match (closure.accepts(program), claim.accepts(program)) {
        (false, true) => panic!("the closure lost a word"),
        (false, false) => Outcome::ProgramIsRight,
        (true, true) => Outcome::ProgramIsWrong,
        (true, false) => Outcome::ClaimIsNotClosed,
    }
}

#[test]
fn there_are_three_outcomes() {
    // Bad is: a, then at once b, then neither for ever. Letters: a is 1, b is 2.
    let bad = parse("a & !b & X(!a & b & XG(!a & !b))");
    let claim = translate(&bad).unwrap().ba;
    let closure = stutter_closure(&claim).unwrap();
    let program = |prefix: &[u64], cycle: &[u64]| Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap();
    let check = |program: Lasso, expected: Outcome| assert_eq!(outcome(&claim, &closure, &program), expected);
    check(program(&[1, 2, 2], &[1, 0]), Outcome::ProgramIsRight);
    check(program(&[1, 2], &[0]), Outcome::ProgramIsWrong);
    check(program(&[1, 1, 2], &[0]), Outcome::ClaimIsNotClosed);
    check(program(&[1, 2, 2, 0], &[0, 0]), Outcome::ClaimIsNotClosed);
    let complement = translate(&bad.negated()).unwrap().tgba;
    assert_eq!(is_stutter_invariant(&claim, &complement), Some(false));
}

#[test]
fn a_claim_that_is_closed_is_its_own_closure() {
    for text in ["a U (b U c)", "GF(a & X!a)", "F(a & X(!a & b))", "G(a -> Fb)", "!a W (b & !a)"] {
        let formula = parse(text);
        let claim = translate(&formula).unwrap().ba;
        let closure = stutter_closure(&claim).unwrap();
        let complement = translate(&formula.negated()).unwrap().tgba;
        assert_eq!(closure.intersects(&complement), Some(false), "{text}");
    }
}
