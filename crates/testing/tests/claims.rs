//! One property in many forms has one verdict: a formula, its automaton in HOA format with
//! generalised and with state-based acceptance, its never claim. And the closure under stuttering
//! never says what the claim itself does not.

use std::path::PathBuf;

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Reduce, Verdict, check};
use ample_frontends::{ClaimText, FormulaText, LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_property::{Translated, parse_ltl, read_hoa, translate, write_hoa, write_never_claim};
use ample_source::Span;
use ample_stdx::Random;
use ample_testing::explore;

const MODELS: &[&str] = &[
    "bool a, b; active proctype p() { a = true; b = true; a = false; do :: b = false; b = true od }",
    "bool a, b; active proctype p() { do :: a = !a :: break od; b = true }
     active proctype q() { do :: b -> a = false; b = false od }",
    "bool a, b; bit x; active proctype p() { do :: a = true; x = 1; a = false :: b = !b od }",
    "bool a, b; active proctype p() { a = true; b = true }",
];

const FORMULAS: &[&str] = &[
    "G a",
    "F b",
    "G(a -> F b)",
    "G(a -> X b)",
    "F(a & X(!a & b))",
    "G F a & G F b",
    "F G b",
    "a U b",
    "!F(a & X a & X X !a)",
    "G(b -> X(!a | X b))",
    "X X a",
    "(G F a -> G F b) & F G(a | b)",
    "G(a -> X X X a)",
    "F(b & X b & X X b)",
];

/// The verdict on one claim or formula.
fn verdict(model: &str, given: Given<'_>, reduce: Reduce) -> Verdict {
    let mut options = LoadOptions::default();
    match given {
        Given::Formula(text) => options.formulas = vec![FormulaText { name: "it".to_owned(), text: text.to_owned() }],
        Given::Claim(ending, text) => {
            let path = PathBuf::from(format!("it.{ending}"));
            options.claims = vec![ClaimText { name: "it".to_owned(), path, text: text.to_owned() }];
        }
    }
    let loaded = load_text("m.pml", model.to_owned(), &options).map_err(|failure| explore::messages(&failure)).unwrap();
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
    let options = Options { reduce, ..Options::default() };
    let job = Job { system: prepared.system(), select: vec!["it".to_owned()], options, loops: LOOPS, progress: None };
    check(job).unwrap().verdict
}

#[derive(Clone, Copy)]
enum Given<'t> {
    Formula(&'t str),
    Claim(&'t str, &'t str),
}

/// Checks a claim with and without its closure. Where both decide, they agree; gives whether both
/// did.
#[track_caller]
fn check_claim(model: &str, ending: &str, claim: &str, expected: Verdict) -> bool {
    let exact = verdict(model, Given::Claim(ending, claim), Reduce::None);
    assert_eq!(exact, expected, "{model}\n{claim}");
    let closed = verdict(model, Given::Claim(ending, claim), Reduce::Auto);
    assert!(closed == exact || closed == Verdict::Unknown, "{closed:?} through the closure: {model}\n{claim}");
    closed != Verdict::Unknown
}

#[test]
fn all_forms_of_a_formula_have_one_verdict() {
    let (mut violated, mut unsettled) = (0, 0);
    for formula in FORMULAS {
        let (parsed, names) = parse_ltl(formula, Span::default()).unwrap();
        let Translated { tgba, ba, facts } = translate(&parsed.negated()).unwrap();
        let generalised = write_hoa(&tgba, None, names.as_slice());
        let state_based = write_hoa(&ba, None, names.as_slice());
        let never = write_never_claim(&ba, formula, names.as_slice()).unwrap();
        for model in MODELS {
            let expected = verdict(model, Given::Formula(formula), Reduce::Auto);
            violated += usize::from(expected == Verdict::Violated);
            for (ending, text) in [("hoa", &generalised), ("hoa", &state_based), ("never", &never)] {
                let is_settled = check_claim(model, ending, text, expected);
                unsettled += usize::from(!is_settled);
                assert!(is_settled || facts.stutter_invariant != Some(true), "{formula} is closed: {model}\n{text}");
            }
        }
    }
    assert!(violated > 15, "only {violated} are violated");
    assert!(unsettled > 5, "only {unsettled} are not closed and that matters");
}

/// An automaton with up to three states, two propositions and two marks on transitions.
fn random_automaton(random: &mut Random) -> String {
    let states = 1 + random.below(3);
    let mut text = "HOA: v1\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 2 Inf(0)&Inf(1)\n--BODY--\n".to_owned();
    for state in 0..states {
        text += &format!("State: {state}\n");
        for _ in 0..=random.below(3) {
            let label = ["t", "0", "!0", "1", "!1", "0&1", "0&!1", "!0|1"][random.below(8)];
            let marks = ["", " {0}", " {1}", " {0 1}"][random.below(4)];
            text += &format!("[{label}] {}{marks}\n", random.below(states));
        }
    }
    text + "--END--\n"
}

#[test]
fn random_automata_are_judged_alike_in_all_forms() {
    let mut random = Random::new(1);
    let (mut violated, mut holding, mut unsettled) = (0, 0, 0);
    let names = ["a".to_owned(), "b".to_owned()];
    for _ in 0..40 {
        let claim = random_automaton(&mut random);
        let read = read_hoa(&claim, Span::default()).remove(0).unwrap();
        let state_based = read.automaton.state_based();
        assert!(state_based.is_state_based(), "{claim}");
        let never = write_never_claim(&state_based, "random", &names);
        for model in MODELS {
            let expected = verdict(model, Given::Claim("hoa", &claim), Reduce::None);
            violated += usize::from(expected == Verdict::Violated);
            holding += usize::from(expected == Verdict::Holds);
            unsettled += usize::from(!check_claim(model, "hoa", &claim, expected));
            check_claim(model, "hoa", &write_hoa(&state_based, None, &names), expected);
            if let Some(never) = &never {
                check_claim(model, "never", never, expected);
            }
        }
    }
    println!("{violated} are violated, {holding} hold, {unsettled} are not settled through the closure");
    assert!(violated > 20 && holding > 20 && unsettled > 3, "{violated} {holding} {unsettled}");
}
