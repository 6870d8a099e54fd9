//! Words of a file: text in, words out.

use ample_frontend_promela::lexer::{Lexeme, lex, lex_one};

/// The words of `text`, one blank between two, `|` for a line end, and what a word is if that is
/// not clear.
#[track_caller]
fn check(text: &str, expected: &str) {
    let words: Vec<String> = lex(text)
        .tokens
        .iter()
        .map(|token| {
            let spelling = &text[token.start as usize..token.end as usize];
            match token.lexeme {
                Lexeme::Newline => "|".to_string(),
                Lexeme::Unknown | Lexeme::UnterminatedStr | Lexeme::Hex => format!("{:?}({spelling})", token.lexeme),
                _ => spelling.to_string(),
            }
        })
        .collect();
    assert_eq!(words.join(" "), expected);
}

#[test]
fn punctuation_is_as_long_as_possible() {
    check(
        "a::b->c--d++e<<f<=g>>h>=i==j!=k!!l??m&&n||o..p##q",
        "a :: b -> c -- d ++ e << f <= g >> h >= i == j != k !! l ?? m && n || o .. p ## q",
    );
    check(";:,.()[]{}@~^&|* /%+-<> =!?$#", "; : , . ( ) [ ] { } @ ~ ^ & | * / % + - < > = ! ? $ #");
    check("x:::y a---b ...", "x :: : y a -- - b .. .");
    check(r"[]p /\ <>q \/ r<->s", r"[ ] p / \ < > q \ / r < -> s");
}

#[test]
fn a_range_is_three_words() {
    check("0..N 1..2 a[1].b", "0 .. N 1 .. 2 a [ 1 ] . b");
}

#[test]
fn numbers_are_decimal() {
    check("10 0x1F 0X 007 1a", "10 Hex(0x1F) 0 X 007 1 a");
}

#[test]
fn comments_are_blanks() {
    check("a/**/b/* * / */c/***/d//e\nf// g \\\nh\ni/*\n*/j", "a b c d | f | i j");
    check("a // b", "a");
}

#[test]
fn strings_and_characters() {
    check(
        r#""a" "" "\"" "\\" "/*" '"' '\'' '\\' ' ' '''"#,
        r#""a" "" "\"" "\\" "/*" '"' '\'' '\\' ' ' Unknown(') Unknown(') Unknown(')"#,
    );
    check("\"a\\\nb\" \"a\\\r\nb\"", "\"a\\\nb\" \"a\\\r\nb\"");
    check("it's 'ab'", "it Unknown(') s Unknown(') ab Unknown(')");
}

#[test]
fn an_open_string_ends_with_its_line() {
    check("\"abc\n\"d", "UnterminatedStr(\"abc) | UnterminatedStr(\"d)");
    check("\"abc\\", "UnterminatedStr(\"abc\\)");
    check("\"abc\\é", "UnterminatedStr(\"abc\\é)");
}

#[test]
fn line_ends_and_blanks() {
    check("a\r\nb\rc\nd\u{b}\u{c}e", "a | b c | d e");
    check("a\\\nb\\ \t\r\nc", "a b c");
    check("\u{feff}a", "a");
}

#[test]
fn what_is_not_promela_is_kept() {
    check("a ` é 漢 \0 \\x", "a Unknown(`) Unknown(é) Unknown(漢) Unknown(\0) \\ x");
}

#[test]
fn a_comment_that_is_never_closed_is_reported() {
    for (text, start) in [("a /* b", Some(2)), ("a /*/", Some(2)), ("/* */", None), ("/*", Some(0)), ("//*", None)] {
        assert_eq!(lex(text).unterminated_comment, start, "{text}");
    }
}

#[test]
fn the_end_of_no_comment_is_left_out() {
    check("a */ b /* c */ */ d", "a b d");
    check("a **/ b", "a * b");
    check("a */* b */ c", "a * c");
    check("a * / b */// c", "a * / b *");
    let strays = [("a */ b*/", vec![2, 6]), ("/* */ */", vec![6]), ("* / */* */", vec![]), ("*//", vec![])];
    for (text, starts) in strays {
        assert_eq!(lex(text).stray_comment_ends, starts, "{text}");
    }
}

#[test]
fn a_long_arrow_is_an_arrow() {
    for (text, arrows) in [("a --> b", 1), ("a-->b->c", 2), ("a---> b", 1), ("a-- > b", 0)] {
        let arrow = |token: &&ample_frontend_promela::lexer::RawToken| token.lexeme == Lexeme::Arrow;
        assert_eq!(lex(text).tokens.iter().filter(arrow).count(), arrows, "{text}");
    }
}

#[test]
fn a_continued_line_counts_as_one_if_nothing_separates_its_words() {
    let lines: Vec<u32> = lex("a\\\nb\\\n c /*\n*/ d\ne").tokens.iter().map(|token| token.line).collect();
    assert_eq!(lines, [0, 0, 2, 3, 3, 4]);
}

#[test]
fn pasting_must_give_one_word() {
    assert_eq!(lex_one("ab1"), Some(Lexeme::Ident));
    assert_eq!(lex_one("12"), Some(Lexeme::Int));
    assert_eq!(lex_one("->"), Some(Lexeme::Arrow));
    for text in ["", "1a", "+-", "//", "/*", " ", "\"", "a b"] {
        assert_eq!(lex_one(text), None, "{text}");
    }
}
