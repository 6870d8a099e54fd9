//! The words of Promela text, before preprocessing.
//!
//! Every text gives lexemes: what is not Promela becomes [`Lexeme::Unknown`], and only a later
//! stage knows whether that matters (inside `c_code { }` or a skipped `#if` it does not).

use std::fmt;
use std::sync::Arc;

use logos::Logos;

/// Declares the punctuation once, for the lexemes of a file and for the tokens that a parser sees.
/// A second text means the same.
macro_rules! tokens {
    ($($text:tt $(| $alias:tt)? $name:ident,)*) => {
        /// What kind of word stands in a file.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Lexeme {
            /// A name or a keyword.
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Ident,
            /// A decimal number.
            #[regex("[0-9]+")]
            Int,
            /// A number such as `0x1F`: not Promela, but C, and so good in an `#if`.
            #[regex("0[xX][0-9A-Fa-f]+")]
            Hex,
            /// A character constant: `'x'` or `'\n'`.
            #[regex(r"'[ -&(-\[\]-~]'")]
            #[regex(r"'\\[ -~]'")]
            Char,
            /// A string with its quotes. Fails if the closing quote is missing.
            #[token("\"", rest_of_string)]
            Str,
            /// A string whose closing quote is missing on its line.
            UnterminatedStr,
            /// A `/* */` comment, or one that is never closed.
            #[token("/*", rest_of_block_comment)]
            BlockComment,
            /// A comment to the end of the line.
            #[token("//", rest_of_line_comment)]
            LineComment,
            /// The end of a line.
            #[regex(r"\r?\n")]
            Newline,
            /// A backslash at the end of a line. Blanks after it are invisible, and ignored as gcc
            /// does.
            #[regex(r"\\[ \t\r\x0b\x0c]*\n")]
            Continuation,
            /// Blanks, a lone carriage return, or the byte order mark.
            #[regex(r"[ \t\r\x0b\x0c\u{feff}]+")]
            Blank,
            /// Any character that starts nothing of the above.
            #[regex(r"(?s).", priority = 0)]
            Unknown,
            /// The end of a file.
            EndOfFile,
            $(
                #[doc = concat!("`", $text, "`")]
                #[token($text)]
                $(#[token($alias)])?
                $name,
            )*
        }

        /// What a parser sees.
        ///
        /// Names and keywords are not told apart. `[]`, `<>`, `<->`, `\/` and `/\` of LTL formulas
        /// are made of several tokens, because `[` and `]` must stay apart everywhere else.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum TokenKind {
            /// A name or a keyword.
            Ident(Arc<str>),
            /// A number.
            Int(i32),
            /// A character constant, as the number that it stands for.
            Char(i32),
            /// The text between the quotes of a string, escapes as written.
            Str(Arc<str>),
            /// A hexadecimal number as written: never valid in Promela, but common in embedded C.
            Hex(Arc<str>),
            /// A character that starts no token: never valid in Promela, but common in embedded C.
            Unknown(char),
            /// The end of the text.
            Eof,
            $(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl Lexeme {
            /// The token for a piece of punctuation.
            pub fn punctuation(self) -> Option<TokenKind> {
                match self {
                    $(Lexeme::$name => Some(TokenKind::$name),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for TokenKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    TokenKind::Ident(text) | TokenKind::Hex(text) => f.write_str(text),
                    TokenKind::Int(value) => write!(f, "{value}"),
                    TokenKind::Char(value) => write_char_constant(f, *value),
                    TokenKind::Str(text) => write!(f, "\"{text}\""),
                    TokenKind::Unknown(character) => write!(f, "{character}"),
                    TokenKind::Eof => f.write_str("end of file"),
                    $(TokenKind::$name => f.write_str($text),)*
                }
            }
        }
    };
}

tokens! {
    "::" ColonColon,
    "->" | "-->" Arrow,
    "--" MinusMinus,
    "++" PlusPlus,
    "<<" ShiftLeft,
    "<=" LessEqual,
    ">>" ShiftRight,
    ">=" GreaterEqual,
    "==" EqualEqual,
    "!=" NotEqual,
    "!!" BangBang,
    "??" QuestionQuestion,
    "&&" AndAnd,
    "||" OrOr,
    ".." DotDot,
    "##" HashHash,
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
    "@" At,
    "~" Tilde,
    "^" Caret,
    "&" And,
    "|" Or,
    "*" Star,
    "/" Slash,
    "%" Percent,
    "+" Plus,
    "-" Minus,
    "<" Less,
    ">" Greater,
    "=" Equal,
    "!" Bang,
    "?" Question,
    "$" Dollar,
    "#" Hash,
    "\\" Backslash,
}

impl TokenKind {
    /// Why this token is never valid in Promela, if it is not. Embedded C may hold it all the same.
    pub fn lexical_error(&self) -> Option<String> {
        match self {
            TokenKind::Hex(text) => Some(format!("hexadecimal number `{text}`: numbers of Promela are decimal")),
            TokenKind::Unknown('\'') => Some("this quote begins no character constant".to_string()),
            TokenKind::Unknown(character) if character.is_control() => {
                Some(format!("unexpected character U+{:04X}", u32::from(*character)))
            }
            TokenKind::Unknown(character) => Some(format!("unexpected character `{character}`")),
            _ => None,
        }
    }
}

fn write_char_constant(f: &mut fmt::Formatter<'_>, value: i32) -> fmt::Result {
    match u8::try_from(value) {
        Ok(byte) => write!(f, "'{}'", byte.escape_ascii()),
        Err(_) => write!(f, "{value}"),
    }
}

/// One word of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawToken {
    /// What it is. Comments, blanks and continuations are left out.
    pub lexeme: Lexeme,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
    /// The 0-based number of the line on which it stands. What continues a line without a blank
    /// counts as on the line that it continues, because it may be the rest of a word.
    pub line: u32,
    /// Whether a blank or a comment stands before it on its line.
    pub spaced: bool,
}

/// The words of a file, and where the comment begins that is never closed, if there is one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lexed {
    /// The words, line ends among them.
    pub tokens: Vec<RawToken>,
    /// The offset of a `/*` without `*/`. It hides the rest of the file.
    pub unterminated_comment: Option<u32>,
    /// The offsets of each `*/` that closes no comment. It means nothing, as in Spin.
    pub stray_comment_ends: Vec<u32>,
}

/// Splits `text` into words. Offsets are 32 bits wide: the caller refuses larger files.
pub fn lex(text: &str) -> Lexed {
    let mut lexed = Lexed::default();
    let mut line = 0;
    let mut continued_line = None;
    let mut spaced = false;
    let mut lexer = Lexeme::lexer(text);
    while let Some(result) = lexer.next() {
        // The only failing rule is that of strings.
        let lexeme = result.unwrap_or(Lexeme::UnterminatedStr);
        let slice = lexer.slice();
        let (start, end) = (lexer.span().start as u32, lexer.span().end as u32);
        match lexeme {
            Lexeme::Blank | Lexeme::LineComment => spaced = true,
            Lexeme::BlockComment => {
                spaced = true;
                if slice.len() < 4 || !slice.ends_with("*/") {
                    lexed.unterminated_comment = Some(start);
                }
            }
            Lexeme::Continuation => continued_line = continued_line.or(Some(line)),
            Lexeme::Slash if follows_star(&lexed.tokens, start) => {
                lexed.tokens.pop();
                lexed.stray_comment_ends.push(start - 1);
                spaced = true;
            }
            _ => {
                let line = if spaced { line } else { continued_line.unwrap_or(line) };
                lexed.tokens.push(RawToken { lexeme, start, end, line, spaced });
                (spaced, continued_line) = (false, None);
            }
        }
        line += slice.bytes().filter(|&byte| byte == b'\n').count() as u32;
    }
    lexed
}

/// Whether a `*` stands right before `start`. What a comment holds is not looked at, so a `*` and a
/// `/` together close none.
fn follows_star(before: &[RawToken], start: u32) -> bool {
    before.last().is_some_and(|token| token.lexeme == Lexeme::Star && token.end == start)
}

/// The single lexeme that `text` is, if it is one: what `##` may make.
pub fn lex_one(text: &str) -> Option<Lexeme> {
    let mut lexer = Lexeme::lexer(text);
    let lexeme = lexer.next()?.ok()?;
    let is_word = !matches!(
        lexeme,
        Lexeme::Blank | Lexeme::Newline | Lexeme::Continuation | Lexeme::BlockComment | Lexeme::LineComment
    );
    (is_word && lexer.remainder().is_empty()).then_some(lexeme)
}

fn rest_of_string(lexer: &mut logos::Lexer<'_, Lexeme>) -> Result<(), ()> {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            b'"' => {
                lexer.bump(at + 1);
                return Ok(());
            }
            b'\n' => break,
            b'\\' if rest.get(at + 1) == Some(&b'\r') && rest.get(at + 2) == Some(&b'\n') => at += 3,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    // A backslash as the last character steps past the end, or into a character of several bytes.
    let end = lexer.remainder().floor_char_boundary(at);
    lexer.bump(end);
    Err(())
}

fn rest_of_block_comment(lexer: &mut logos::Lexer<'_, Lexeme>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

fn rest_of_line_comment(lexer: &mut logos::Lexer<'_, Lexeme>) {
    let rest = lexer.remainder();
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        let Some(words) = line.strip_suffix('\n') else { break };
        if !words.trim_end().ends_with('\\') {
            // The line end itself is a token.
            end -= 1;
            break;
        }
    }
    lexer.bump(end);
}
