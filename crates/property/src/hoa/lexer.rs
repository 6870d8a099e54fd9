//! The tokens of HOA.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name with a colon: the beginning of a header or of a state.
    Header,
    Identifier,
    /// `@name`
    Alias,
    Number,
    /// `"…"`, with its quotes.
    Text,
    /// One of `! & | ( ) [ ] { }`.
    Symbol,
    /// `--BODY--`
    Body,
    /// `--END--`
    End,
    /// `--ABORT--`
    Abort,
    /// A comment or a text without its end.
    Unclosed,
    /// A character that belongs nowhere.
    Unknown,
}

/// A token and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

const MARKERS: [(&str, Kind); 3] = [("--BODY--", Kind::Body), ("--END--", Kind::End), ("--ABORT--", Kind::Abort)];

/// The tokens of the text, in order. White space and comments are left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("/*") {
            if let Some(length) = comment(rest) {
                at += length;
                continue;
            }
            tokens.push(Token { kind: Kind::Unclosed, range: at..text.len() });
            return tokens;
        }
        let (kind, length) = token(rest, first);
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    // Version 1.1 allows points in names.
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name_end = |from: usize| rest[from..].find(|c| !is_name(c)).map_or(rest.len(), |length| from + length);
    if let Some((marker, kind)) = MARKERS.iter().find(|(marker, _)| rest.starts_with(marker)) {
        return (*kind, marker.len());
    }
    match first {
        'a'..='z' | 'A'..='Z' | '_' => {
            let end = name_end(0);
            if rest[end..].starts_with(':') { (Kind::Header, end + 1) } else { (Kind::Identifier, end) }
        }
        '@' if name_end(1) > 1 => (Kind::Alias, name_end(1)),
        '0'..='9' => (Kind::Number, rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
        '"' => text(rest),
        '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => (Kind::Symbol, 1),
        _ => (Kind::Unknown, first.len_utf8()),
    }
}

/// The length of a comment, which may have comments inside; `None` if it has no end.
fn comment(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// A text in quotes; a backslash takes the next character as it is.
fn text(rest: &str) -> (Kind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (Kind::Text, at + 1),
            _ => {}
        }
    }
    (Kind::Unclosed, rest.len())
}

/// What a text in quotes means.
pub(super) fn unquoted(text: &str) -> String {
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut result = String::with_capacity(inside.len());
    let mut escaped = false;
    for c in inside.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            escaped = false;
            result.push(c);
        }
    }
    result
}
