//! HOA: what is written is read back, and what cannot be read says why.

use ample_property::{HoaAutomaton, Lasso, parse_ltl, read_hoa, translate, write_hoa};
use ample_source::{SourceMap, Span, Style, render};
use proptest::prelude::*;

#[track_caller]
fn read_one(text: &str) -> HoaAutomaton {
    let mut automata = read_hoa(text, Span::default());
    assert_eq!(automata.len(), 1);
    automata.pop().unwrap().unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// The errors of the text, rendered.
fn errors(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add_file("a.hoa", text);
    let errors: Vec<_> =
        read_hoa(text, Span::new(file, 0, text.len() as u32)).into_iter().filter_map(Result::err).collect();
    render(&errors, &map, Style::Plain)
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let found = errors(text);
    assert!(found.contains(expected), "expected `{expected}` in\n{found}");
}

fn word(prefix: &[u64], cycle: &[u64]) -> Lasso {
    Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap()
}

#[test]
fn what_is_written_is_read_back() {
    for text in ["GFa & GFb", "a U b", "false", "true", "G(a -> X(b | Fc))", "FGa"] {
        let (formula, names) = parse_ltl(text, Span::default()).unwrap();
        let translated = translate(&formula).unwrap();
        for automaton in [&translated.tgba, &translated.ba] {
            let written = write_hoa(automaton, Some("a \"name\" with \\"), names.as_slice());
            let read = read_one(&written);
            assert_eq!(read.name.as_deref(), Some("a \"name\" with \\"));
            assert_eq!(read.propositions, names.as_slice());
            assert_eq!(write_hoa(&read.automaton, read.name.as_deref(), &read.propositions), written);
        }
    }
}

#[test]
fn the_text_is_plain() {
    let (formula, names) = parse_ltl("a U b", Span::default()).unwrap();
    let text = write_hoa(&translate(&formula).unwrap().ba, Some("a U b"), names.as_slice());
    let expected = "\
HOA: v1
name: \"a U b\"
States: 2
Start: 0
AP: 2 \"a\" \"b\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic
--BODY--
State: 0
[0&!1] 0
[1] 1
State: 1 {0}
[t] 1
--END--
";
    assert_eq!(text, expected);
}

#[test]
fn labels_may_be_on_states_implicit_or_behind_aliases() {
    let on_states = read_one(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
         State: [0] 0 \"first\" {0} 0 1 State: [!0] 1 0 --END--",
    );
    let implicit = read_one(
        "HOA: v1 /* a /* nested */ comment */ Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
         State: 0 2 1 {0} State: 1 0 1 {0} State: 2 2 2 --END--",
    );
    let aliased = read_one(
        "HOA: v1 Start: 0 Alias: @a 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
         State: 0 [@a&!f | f] 0 {0} [!@a] 0 --END--",
    );
    for (automaton, a_always, not_a_first) in
        [(&on_states, true, false), (&implicit, true, false), (&aliased, true, true)]
    {
        assert_eq!(automaton.automaton.accepts(&word(&[], &[1])), a_always);
        assert_eq!(automaton.automaton.accepts(&word(&[0], &[1])), not_a_first);
    }
}

#[test]
fn conditions_without_fin_are_conjunctions_of_marks() {
    let read = |acceptance: &str| {
        read_one(&format!(
            "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" acc-name: odd 3 Acceptance: 2 {acceptance} --BODY-- \
             State: 0 [0&!1] 0 {{0}} [1&!0] 0 {{1}} [!0&!1] 0 [0&1] 0 {{0 1}} --END--"
        ))
        .automaton
    };
    let both = read("(Inf(0)) & Inf(1)");
    assert_eq!(both.mark_count, 2);
    assert!(both.accepts(&word(&[], &[1, 2])) && !both.accepts(&word(&[], &[1, 0])));
    let either = read("Inf(0) | Inf(1)");
    assert_eq!(either.mark_count, 1);
    assert!(either.accepts(&word(&[], &[1, 0])) && !either.accepts(&word(&[3], &[0])));
    let complement = read("Inf(!0)");
    assert!(complement.accepts(&word(&[], &[1, 0])) && !complement.accepts(&word(&[], &[1])));
    assert!(read("t").accepts(&word(&[], &[0])));
    assert!(!read("f").accepts(&word(&[], &[3])));
    assert_eq!(read("Inf(0) & (Inf(0) | Inf(1))").mark_count, 1);
}

#[test]
fn several_initial_states_are_alternatives() {
    let automaton = read_one(
        "HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 0 t --BODY-- \
         State: 0 [0] 0 State: 1 [!0] 1 --END--",
    )
    .automaton;
    assert!(automaton.accepts(&word(&[], &[1])) && automaton.accepts(&word(&[], &[0])));
    assert!(!automaton.accepts(&word(&[], &[0, 1])));
    let none = read_one("HOA: v1 States: 1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--").automaton;
    assert!(none.is_empty());
}

#[test]
fn one_bad_automaton_does_not_hide_the_others() {
    let good = "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--\n";
    let bad = "HOA: v1 Start: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 [t] 0 --END--\n";
    let aborted = "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] --ABORT--\n";
    let results = read_hoa(&[good, bad, good, aborted, good].concat(), Span::default());
    let accepted: Vec<bool> = results.iter().map(Result::is_ok).collect();
    assert_eq!(accepted, [true, false, true, false, true]);
}

#[test]
fn refusals_have_a_place_and_a_reason() {
    let expected = "\
error: acceptance with `Fin` is not supported
 --> a.hoa:2:15
  |
2 | Acceptance: 2 Fin(0) & Inf(1)
  |               ^^^ something must be seen finitely often only
  |
  = note: co-Büchi, Rabin, Streett and parity conditions are of this kind
  = help: convert the automaton to Büchi or generalised Büchi acceptance
";
    assert_eq!(errors("HOA: v1\nAcceptance: 2 Fin(0) & Inf(1)\n--BODY--\n--END--\n"), expected);
    check_error("HOA: v1 Start: 0&1 Acceptance: 0 t --BODY-- --END--", "universal branching is not supported");
    check_error("HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&0 --END--", "universal branching");
    check_error("HOA: v2 --BODY-- --END--", "version `v2` of HOA is not supported");
    check_error("never { skip }", "this looks like a never claim");
    check_error("", "expected an automaton in HOA format");
    check_error("HOA: v1 Start: 0 --BODY-- State: 0 --END--", "the automaton has no `Acceptance:`");
    check_error("HOA: v1 Start: 1 Acceptance: 0 t --BODY-- State: 0 --END--", "state 1 is used but not defined");
    check_error("HOA: v1 States: 1 Start: 1 Acceptance: 0 t --BODY-- State: 0 --END--", "there is no state 1");
    check_error("HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--", "there is no acceptance set 1");
    check_error("HOA: v1 Acceptance: 0 t Magic: 1 --BODY-- --END--", "the header `Magic:` is not known");
    check_error("HOA: v1 Acceptance: 0 t --BODY-- State: 0 [3] 0 --END--", "there is no proposition 3");
    check_error("HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 0 --END--", "needs 2 edges, but has 1");
    check_error("HOA: v1 AP: 99999999999 Acceptance: 0 t --BODY-- --END--", "this number is too large");
    check_error(&format!("HOA: v1 Acceptance: 0 {} --BODY-- --END--", "(".repeat(100_000)), "levels deep");
    check_error(&format!("HOA: v1 Acceptance: 0 t Alias: @a {}0 --BODY-- --END--", "!".repeat(100_000)), "levels deep");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
        let _ = errors(&text);
    }

    #[test]
    fn no_sequence_of_tokens_makes_the_reader_panic(
        tokens in proptest::collection::vec(
            prop::sample::select(vec![
                "HOA:", "v1", "States:", "Start:", "AP:", "Acceptance:", "Alias:", "name:", "properties:", "--BODY--",
                "State:", "--END--", "--ABORT--", "0", "1", "2", "[", "]", "{", "}", "(", ")", "&", "|", "!", "t", "f",
                "Inf", "@a", "\"a\"", "/*", "*/", "é", "99999999999",
            ]),
            0..40,
        ),
    ) {
        let _ = errors(&tokens.join(" "));
        // A good beginning, so that bodies are reached.
        let beginning = "HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Alias: @a 0 Acceptance: 1 Inf(0) --BODY-- State: 0 ";
        let _ = errors(&(beginning.to_owned() + &tokens.join(" ") + " --END--"));
    }
}
