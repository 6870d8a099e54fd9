//! The values of tokens.

use crate::{check_faults, run};
use ample_frontend_promela::lexer::TokenKind;

/// The kind of the first token.
fn first(text: &str) -> TokenKind {
    run(text).output.tokens[0].kind.clone()
}

#[test]
fn numbers_wrap_as_in_c() {
    assert_eq!(first("007"), TokenKind::Int(7));
    assert_eq!(first("2147483647"), TokenKind::Int(i32::MAX));
    assert_eq!(first("2147483648"), TokenKind::Int(i32::MIN));
    assert_eq!(first("99999999999999999999"), TokenKind::Int(-1));
    check_faults(
        "x = 4294967297",
        "x = 1",
        "
warning: the number 4294967297 does not fit into 32 bits
 --> m.pml:1:5
  |
1 | x = 4294967297
  |     ^^^^^^^^^^ becomes 1",
    );
}

#[test]
fn characters_are_numbers() {
    for (text, value) in [
        ("'a'", 97),
        ("' '", 32),
        (r"'\n'", 10),
        (r"'\t'", 9),
        (r"'\r'", 13),
        (r"'\f'", 12),
        (r"'\\'", 92),
        (r"'\''", 39),
    ] {
        assert_eq!(first(text), TokenKind::Char(value), "{text}");
    }
    check_faults(
        r"x = '\0'",
        "x = '0'",
        r"
warning: unknown escape `\0`
 --> m.pml:1:5
  |
1 | x = '\0'
  |     ^^^^ stands for the character `0`",
    );
}

#[test]
fn strings_keep_their_escapes() {
    assert_eq!(first(r#""a\n\"%d""#), TokenKind::Str(r#"a\n\"%d"#.into()));
    assert_eq!(first("\"a\\\nb\\\r\nc\""), TokenKind::Str("abc".into()));
    check_faults(
        "printf(\"abc\n)",
        "printf (\n)",
        "
error: this string has no closing quote on its line
 --> m.pml:1:8
  |
1 | printf(\"abc
  |        ^^^^",
    );
}

#[test]
fn a_comment_that_is_never_closed() {
    check_faults(
        "a\n/* b\nc",
        "a",
        "
error: this comment is never closed
 --> m.pml:2:1
  |
2 | /* b
  | ^^
  |
  = help: close it with `*/`",
    );
}

#[test]
fn what_is_not_promela_is_left_to_the_parser() {
    let outcome = run("c_code { `0x1F' é }");
    assert!(!outcome.diagnostics.has_errors());
    let errors: Vec<String> = outcome.output.tokens.iter().filter_map(|token| token.kind.lexical_error()).collect();
    assert_eq!(
        errors,
        [
            "unexpected character ``".to_string() + "`",
            "hexadecimal number `0x1F`: numbers of Promela are decimal".to_string(),
            "this quote begins no character constant".to_string(),
            "unexpected character `é`".to_string(),
        ]
    );
}
