//! The words of a program of guarded commands.
//!
//! Every text gives tokens: a character that starts none becomes [`TokenKind::Unknown`], and is
//! reported once.

use std::fmt;
use std::sync::Arc;

use ample_source::{Diagnostic, Diagnostics, FileId, Span};
use logos::Logos;

/// Declares the punctuation once, for the lexemes of a file and for the tokens that the parser
/// sees.
macro_rules! tokens {
    ($($text:tt $name:ident,)*) => {
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        enum Lexeme {
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Ident,
            #[regex("[0-9]+")]
            Int,
            #[token("/*", rest_of_comment)]
            Comment,
            #[regex(r"//[^\n]*", allow_greedy = true)]
            #[regex(r"[ \t\r\n\x0b\x0c\u{feff}]+")]
            Blank,
            #[regex(r"(?s).", priority = 0)]
            Unknown,
            $(#[token($text)] $name,)*
        }

        /// What the parser sees. Names and keywords are not told apart.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub(crate) enum TokenKind {
            /// A name or a keyword.
            Ident(Arc<str>),
            /// A number, at most 2^63: that one has a meaning behind a minus sign only.
            Int(u64),
            /// A character that starts no token.
            Unknown(char),
            /// The end of the text.
            Eof,
            $(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl Lexeme {
            fn punctuation(self) -> Option<TokenKind> {
                match self {
                    $(Lexeme::$name => Some(TokenKind::$name),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for TokenKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    TokenKind::Ident(text) => write!(f, "`{text}`"),
                    TokenKind::Int(value) => write!(f, "`{value}`"),
                    TokenKind::Unknown(character) => write!(f, "`{character}`"),
                    TokenKind::Eof => f.write_str("the end of the text"),
                    $(TokenKind::$name => write!(f, "`{}`", $text),)*
                }
            }
        }
    };
}

tokens! {
    "->" Arrow,
    ".." DotDot,
    ":=" Assign,
    "<=" LessEqual,
    ">=" GreaterEqual,
    "==" EqualEqual,
    "!=" NotEqual,
    "&&" AndAnd,
    "||" OrOr,
    ";" Semicolon,
    ":" Colon,
    "," Comma,
    "." Dot,
    "(" LeftParen,
    ")" RightParen,
    "[" LeftBracket,
    "]" RightBracket,
    "{" LeftBrace,
    "}" RightBrace,
    "*" Star,
    "/" Slash,
    "%" Percent,
    "+" Plus,
    "-" Minus,
    "<" Less,
    ">" Greater,
    "=" Equal,
    "!" Bang,
}

/// The words that cannot be names.
pub(crate) const KEYWORDS: &[&str] = &[
    "and",
    "any",
    "bool",
    "const",
    "dominates",
    "else",
    "end",
    "error",
    "false",
    "if",
    "input",
    "int",
    "ltl",
    "none",
    "not",
    "or",
    "predicate",
    "process",
    "progress",
    "scalarset",
    "skip",
    "tau",
    "then",
    "true",
    "type",
    "var",
];

/// One word of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// Whether a word cannot be a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The words of `text`, which stands in `file` from `start` on; the last one is the end.
pub(crate) fn lex(text: &str, file: FileId, start: u32, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut tokens = Vec::new();
    let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start);
    let mut lexer = Lexeme::lexer(text);
    while let Some(lexeme) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, at(range.start), at(range.end));
        let slice = &text[range];
        let kind = match lexeme.unwrap_or(Lexeme::Unknown) {
            Lexeme::Blank => continue,
            Lexeme::Comment => {
                if !slice.ends_with("*/") || slice.len() < 4 {
                    diagnostics.push(Diagnostic::error(span, "this comment is never closed").help("add `*/`"));
                }
                continue;
            }
            Lexeme::Ident => TokenKind::Ident(Arc::from(slice)),
            Lexeme::Int => TokenKind::Int(number(slice, span, diagnostics)),
            Lexeme::Unknown => {
                diagnostics.push(unknown(slice, span));
                TokenKind::Unknown(slice.chars().next().unwrap_or('?'))
            }
            other => other.punctuation().unwrap_or(TokenKind::Eof),
        };
        tokens.push(Token { kind, span });
    }
    tokens.push(Token { kind: TokenKind::Eof, span: Span::new(file, at(text.len()), at(text.len())) });
    tokens
}

/// The largest number that can be written, with a minus sign before it.
pub(crate) const LARGEST: u64 = 1 << 63;

fn number(text: &str, span: Span, diagnostics: &mut Diagnostics) -> u64 {
    text.parse().ok().filter(|value| *value <= LARGEST).unwrap_or_else(|| {
        diagnostics.push(too_large(span));
        0
    })
}

/// What is said of a number that no variable can hold.
pub(crate) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this number is too large").note("numbers have 64 bits: the largest is 9223372036854775807")
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    let character = text.chars().next().unwrap_or('?');
    let error = match text {
        _ if character.is_control() => {
            Diagnostic::error(span, format!("unexpected character U+{:04X}", u32::from(character)))
        }
        _ => Diagnostic::error(span, format!("unexpected character `{text}`")),
    };
    match text {
        "&" => error.help("write `and`, or `&&`"),
        "|" => error.help("write `or`, or `||`"),
        "~" | "¬" => error.help("write `not`, or `!`"),
        "∧" => error.help("write `and`"),
        "∨" => error.help("write `or`"),
        "≤" => error.help("write `<=`"),
        "≥" => error.help("write `>=`"),
        "≠" => error.help("write `!=`"),
        "↦" | "→" | "⟼" => error.help("write `->`"),
        "\"" => error.help("a formula stands in braces: `ltl name { … }`"),
        _ => error,
    }
}

fn rest_of_comment(lexer: &mut logos::Lexer<'_, Lexeme>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        lex(text, FileId::default(), 0, &mut Diagnostics::new()).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn words_and_comments() {
        let name = |text: &str| TokenKind::Ident(Arc::from(text));
        assert_eq!(
            kinds("a:=b/* x */ // y\n 12"),
            [name("a"), TokenKind::Assign, name("b"), TokenKind::Int(12), TokenKind::Eof]
        );
        assert_eq!(kinds("0..7"), [TokenKind::Int(0), TokenKind::DotDot, TokenKind::Int(7), TokenKind::Eof]);
        assert_eq!(kinds("// only a comment"), [TokenKind::Eof]);
    }

    #[test]
    fn what_is_no_word_is_reported() {
        for text in ["@", "/* open", "9223372036854775809", "\"open", "é", "&"] {
            let mut diagnostics = Diagnostics::new();
            lex(text, FileId::default(), 0, &mut diagnostics);
            assert_eq!(diagnostics.error_count(), 1, "{text}");
        }
    }
}
