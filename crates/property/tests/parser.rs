//! The parser: formulas in, formulas out with all their parentheses; and errors with their places.

use ample_property::{Formula, Ltl, PropositionId, Vocabulary, parse_formula, parse_ltl};
use ample_source::{Diagnostic, SourceMap, Span, Style, render};
use ample_stdx::TypedId;
use proptest::prelude::*;

/// Knows some names, and takes any text but `bad` for a proposition.
struct Declared(&'static [&'static str]);

impl Vocabulary<String> for Declared {
    fn is_name(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    fn proposition(&mut self, text: &str, span: Span) -> Result<String, Box<Diagnostic>> {
        match text {
            "bad" => Err(Diagnostic::error(span, "there is no `bad`").into()),
            _ => Ok(format!("‹{text}›")),
        }
    }

    fn constant(&mut self, value: bool, _: Span) -> String {
        value.to_string()
    }
}

fn shown(formula: &Formula<String>) -> String {
    match formula {
        Formula::Proposition(text) => text.clone(),
        Formula::Unary(op, a) => format!("{op:?}({})", shown(a)),
        Formula::Binary(op, a, b) => format!("({} {op:?} {})", shown(a), shown(b)),
    }
}

#[track_caller]
fn check_with(names: &'static [&'static str], text: &str, expected: &str) {
    let formula = parse_formula(text, Span::default(), &mut Declared(names));
    assert_eq!(formula.map(|formula| shown(&formula)), Ok(expected.to_owned()), "{text}");
}

/// The formula is read with all its parentheses written out.
#[track_caller]
fn check(text: &str, expected: &str) {
    let (formula, names) = parse_ltl(text, Span::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let names = |id: PropositionId| names.as_slice()[id.index()].clone();
    assert_eq!(formula.display(&names).to_string(), expected, "{text}");
}

fn errors(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add_file("formula", text);
    let errors = parse_formula(text, Span::new(file, 0, text.len() as u32), &mut Declared(&[]));
    render(&errors.err().unwrap_or_default(), &map, Style::Plain)
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(errors(text), expected);
}

#[test]
fn precedence_is_unary_temporal_and_or_xor_implies_equivalent() {
    check("!a U b & c | d -> e", "(!(((!a U b) && c) || d) || e)");
    check("e -> d | c & b U !a", "(!e || (d || (c && (b U !a))))");
    check_with(&[], "a <-> b -> c", "(‹a› Equivalent (‹b› Implies ‹c›))");
    check_with(&[], "a -> b <-> c", "((‹a› Implies ‹b›) Equivalent ‹c›)");
    check_with(&[], "a xor b | c -> d", "(Not((‹a› Equivalent (‹b› Or ‹c›))) Implies ‹d›)");
}

#[test]
fn temporal_operators_associate_to_the_right() {
    check("a U b U c", "(a U (b U c))");
    check("a W b R c M d", "(a W (b R (c M d)))");
    check("a V b", "(a R b)");
    check("a -> b -> c", "(!a || (!b || c))");
    check("a U b -> c U d", "(!(a U b) || (c U d))");
    check("a & b U c", "(a && (b U c))");
    check("G a U b", "([]a U b)");
    check("!a & !b", "(!a && !b)");
}

#[test]
fn symbols_and_words_are_the_same() {
    check("[] (a -> <> b)", "[](!a || <>b)");
    check("always (a implies eventually b)", "[](!a || <>b)");
    check("G(a => F b)", "[](!a || <>b)");
    check("a && b & c and d /\\ e", "(((a && b) && (c && d)) && e)");
    check("a || b or c", "((a || b) || c)");
    check("not a until b", "(!a U b)");
    check("a weakuntil b", "(a W b)");
    check("a release b", "(a R b)");
    check("a strongrelease b", "(a M b)");
    check("next a", "X a");
    check("1 U 0", "(true U false)");
    check("true | false", "(true || false)");
    check("a xor b", "!((a && b) || (!a && !b))");
    check("a ^ b <=> c", "((!((a && b) || (!a && !b)) && c) || (((a && b) || (!a && !b)) && !c))");
}

#[test]
fn capitals_run_together_unless_the_name_is_declared() {
    check("GFa", "[]<>a");
    check("XXp", "X X p");
    check("FG!a", "<>[]!a");
    check("G(a)", "[]a");
    check("F1", "<>true");
    check("XUp", "X Up");
    check_with(&["GFa"], "GFa", "‹GFa›");
    check_with(&["Fa"], "GFa", "Always(‹Fa›)");
    check_with(&["U"], "U U U", "(‹U› Until ‹U›)");
    check_with(&["true"], "true", "‹true›");
}

#[test]
fn a_proposition_goes_as_far_as_a_model_expression_does() {
    check_with(&[], "G(x == 3 && p@l -> F y > 2)", "Always(((‹x == 3› And ‹p@l›) Implies Eventually(‹y > 2›)))");
    check_with(&[], "(x + 1) * 2 <= a[i + (j)] U q?[m, 3]", "(‹(x + 1) * 2 <= a[i + (j)]› Until ‹q?[m, 3]›)");
    check_with(&[], "len(q) == 0 | p[0]:x != -1", "(‹len(q) == 0› Or ‹p[0]:x != -1›)");
    check_with(&[], "(s.f[2].g)", "‹s.f[2].g›");
    check_with(&[], "((a) U (b))", "(‹a› Until ‹b›)");
    check_with(&[], "\"x && y\" U { (c -> a : b) }", "(‹x && y› Until ‹(c -> a : b)›)");
    check_with(&[], "x == !y & 3 > x", "(‹x == !y› And ‹3 > x›)");
    check_with(&[], "-x < 3", "‹-x < 3›");
    check_with(&[], "!(x == 3)", "Not(‹x == 3›)");
    check_with(&[], "!GF x == 3", "Not(Always(Eventually(‹x == 3›)))");
    check_with(&[], "!a[3] & !len(q)", "(Not(‹a[3]›) And Not(‹len(q)›))");
}

#[test]
fn errors_point_at_the_place() {
    check_error(
        "G(a -> F)",
        "\
error: expected a formula, found `)`
 --> formula:1:9
  |
1 | G(a -> F)
  |         ^ an operand is missing before this
",
    );
    check_error(
        "G(a -> Fb",
        "\
error: this `(` is not closed
 --> formula:1:2
  |
1 | G(a -> Fb
  |  ^
  |
  = help: add `)`
",
    );
    check_error(
        "a u b",
        "\
error: expected an operator or the end, found `u`
 --> formula:1:3
  |
1 | a u b
  |   ^
  |
  = help: the operator is written `U`
",
    );
    check_error(
        "G(!x == 3)",
        "\
error: it is not clear what `!` negates here
 --> formula:1:3
  |
1 | G(!x == 3)
  |   ^^^--^^
  |   |  |
  |   |  this operator may bind tighter or looser
  |   what is negated?
  |
  = help: write `!(x == 3)`
",
    );
}

#[test]
fn errors_say_what_is_wrong() {
    #[track_caller]
    fn says(text: &str, expected: &str) {
        let found = errors(text);
        assert!(found.contains(expected), "expected `{expected}` in\n{found}");
    }
    says("", "the formula is empty");
    says("a &", "the formula ends where an operand is expected");
    says("U a", "`U` is an operator between two formulas");
    says("a)", "nothing was opened that this closes");
    says("a $ b", "propositions with other symbols are quoted");
    says("$", "quote the proposition");
    says("\"a", "this quotation has no end");
    says("a[3", "this `[` is not closed");
    says("x == ", "the formula ends where an operand is expected");
    says("not x == 3", "write `!(x == 3)`");
    says("bad U (bad | c)", "there is no `bad`");
    assert_eq!(errors("bad U (bad | c)").matches("error").count(), 2);
    says(&"(".repeat(100_000), "this `(` is not closed");
    says(&["(".repeat(10_000), "a".to_owned(), ")".repeat(10_000)].concat(), "levels deep");
    says(&"!".repeat(100_000), "levels deep");
    says(&"a U ".repeat(100_000), "levels deep");
    says(&"a -> ".repeat(100_000), "levels deep");
    says(&"G".repeat(100_000), "levels deep");
}

#[test]
fn a_long_chain_is_not_deep() {
    let text = vec!["a"; 900].join(" & ");
    let (formula, _) = parse_ltl(&text, Span::default()).unwrap();
    fn depth(formula: &Ltl) -> usize {
        match formula {
            Ltl::And(a, b) => 1 + depth(a).max(depth(b)),
            _ => 0,
        }
    }
    assert_eq!(depth(&formula), 10);
}

#[test]
fn a_formula_that_would_be_huge_is_refused() {
    let text = vec!["a"; 50_000].join(" <-> ");
    assert!(parse_ltl(&text, Span::default()).unwrap_err()[0].message.contains("too long"));
}

#[test]
fn the_sixty_fifth_name_is_refused() {
    let text = |count: usize| (0..count).map(|number| format!("a{number}")).collect::<Vec<_>>().join(" | ");
    assert!(parse_ltl(&text(64), Span::default()).is_ok());
    assert!(parse_ltl(&text(65), Span::default()).unwrap_err()[0].message.contains("more than 64"));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,60}") {
        let _ = parse_formula(&text, Span::default(), &mut Declared(&["a"]));
    }

    #[test]
    fn no_sequence_of_tokens_makes_the_parser_panic(
        tokens in proptest::collection::vec(
            prop::sample::select(vec![
                "a", "GFa", "U", "W", "!", "(", ")", "[", "]", "[]", "<>", "{", "}", "&&", "|", "->", "<->", "==", "-", "3",
                "X", "true", "not", "xor", "\"", ".", "@", "?", ",", "é", "\u{0}", "0",
            ]),
            0..25,
        ),
    ) {
        let _ = errors(&tokens.join(" "));
        let _ = errors(&tokens.concat());
    }
}
