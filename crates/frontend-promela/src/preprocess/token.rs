//! Tokens: as they come out of the preprocessor, and on their way through it.

use ample_source::Span;

use super::interner::Symbol;
use crate::lexer::{Lexeme, TokenKind};

/// A word of the preprocessed model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is spelt, and through which macros it came. A token made by `##` has the span of
    /// the first of its parts, and one made by `#` that of the operator, so their spelling is not
    /// that of the span.
    pub span: Span,
    /// Whether a line end of the text stands between the previous token and this one.
    ///
    /// Promela inserts semicolons at line ends, and Spin sees those that gcc prints. So: false
    /// within what a macro call produces, however many lines the call covers; true at the first
    /// token on another line than that of the previous one, even if only a comment or a continued
    /// line put it there.
    pub newline_before: bool,
}

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, Debug)]
pub(super) struct PpToken {
    pub(super) lexeme: Lexeme,
    pub(super) text: Symbol,
    pub(super) span: Span,
    /// The line on which a reader sees it: that of the outermost macro call, if it came through
    /// one.
    pub(super) line: u32,
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
    /// Whether it is the first of a line of a file.
    pub(super) fresh: bool,
    /// Painted blue: a macro's name that was met inside of that macro's own expansion.
    pub(super) painted: bool,
}

/// The value of a character constant. Spin knows four escapes; any other character stands for
/// itself.
pub(super) fn char_value(text: &str) -> i32 {
    let byte = match text.as_bytes() {
        [_, b'\\', b'n', ..] => b'\n',
        [_, b'\\', b'r', ..] => b'\r',
        [_, b'\\', b't', ..] => b'\t',
        [_, b'\\', b'f', ..] => 0x0c,
        [_, b'\\', escaped, ..] => *escaped,
        [_, plain, ..] => *plain,
        // The lexer gives no empty constant.
        _ => 0,
    };
    i32::from(byte)
}

/// What stands between the quotes, without continued lines.
pub(super) fn string_content(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    inner.replace("\\\r\n", "").replace("\\\n", "")
}
