//! The tokens of formulas.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, a word or a run of capital letters; the parser tells which.
    Name,
    Number,
    /// `"…"`, with its quotes.
    Quoted,
    /// `"…` up to the end of the text.
    Unclosed,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `!`
    Not,
    /// `&`, `&&`, `/\`
    And,
    /// `|`, `||`, `\/`
    Or,
    /// `^`
    Xor,
    /// `->`, `=>`
    Implies,
    /// `<->`, `<=>`
    Equivalent,
    /// `(`, `[` or `{`
    Open,
    /// `)`, `]` or `}`
    Close,
    /// An operator of model expressions between two operands, such as `==` or `+`.
    Infix,
    /// `-` or `~`: an operator of model expressions that may also stand before an operand.
    Prefix,
    /// `.`, `:`, `@`: what joins names in model expressions.
    Joint,
    /// `?`, `??`
    Poll,
    Comma,
    /// A character that belongs nowhere.
    Unknown,
}

/// A token and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The symbols, longer ones before their beginnings.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<->", Kind::Equivalent),
    ("<=>", Kind::Equivalent),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("&&", Kind::And),
    ("/\\", Kind::And),
    ("||", Kind::Or),
    ("\\/", Kind::Or),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("==", Kind::Infix),
    ("!=", Kind::Infix),
    ("<=", Kind::Infix),
    (">=", Kind::Infix),
    ("<<", Kind::Infix),
    (">>", Kind::Infix),
    ("??", Kind::Poll),
    ("!", Kind::Not),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("^", Kind::Xor),
    ("(", Kind::Open),
    ("[", Kind::Open),
    ("{", Kind::Open),
    (")", Kind::Close),
    ("]", Kind::Close),
    ("}", Kind::Close),
    ("<", Kind::Infix),
    (">", Kind::Infix),
    ("+", Kind::Infix),
    ("*", Kind::Infix),
    ("/", Kind::Infix),
    ("%", Kind::Infix),
    ("=", Kind::Infix),
    ("-", Kind::Prefix),
    ("~", Kind::Prefix),
    (".", Kind::Joint),
    (":", Kind::Joint),
    ("@", Kind::Joint),
    ("?", Kind::Poll),
    (",", Kind::Comma),
];

/// The tokens of the text, in order. Every character that is not white space belongs to one.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], first);
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    let run = |belongs: fn(char) -> bool| rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return (Kind::Name, run(|c| c.is_ascii_alphanumeric() || c == '_'));
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(|c| c.is_ascii_alphanumeric()));
    }
    if first == '"' {
        return match rest[1..].find('"') {
            Some(length) => (Kind::Quoted, length + 2),
            None => (Kind::Unclosed, rest.len()),
        };
    }
    match SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
        Some(&(symbol, kind)) => (kind, symbol.len()),
        None => (Kind::Unknown, first.len_utf8()),
    }
}
