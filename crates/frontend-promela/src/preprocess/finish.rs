//! What a parser sees of a token behind the preprocessor.

use std::sync::Arc;

use ample_source::{Diagnostic, Span};

use super::preprocessor::Preprocessor;
use super::token::{PpToken, char_value, string_content};
use crate::lexer::{Lexeme, TokenKind};

impl Preprocessor<'_> {
    /// See `newline_before` of a token: gcc starts a new line of output for the first token of a
    /// line, and for a token that stands on another line than that of the output.
    pub(super) fn newline_before(&mut self, token: PpToken) -> bool {
        let moved = token.line != self.printed_line;
        let newline = std::mem::take(&mut self.newline_pending) || moved;
        self.printed_line = token.line;
        newline
    }

    /// The token that a parser sees; none for what was reported and is left out.
    pub(super) fn finish(&mut self, token: PpToken) -> Option<TokenKind> {
        let text = Arc::clone(self.interner.text(token.text));
        match token.lexeme {
            Lexeme::Ident => Some(TokenKind::Ident(text)),
            Lexeme::Int => Some(self.finish_int(&text, token.span)),
            Lexeme::Hex => Some(TokenKind::Hex(text)),
            Lexeme::Char => Some(self.finish_char(&text, token.span)),
            Lexeme::Str => Some(TokenKind::Str(string_content(&text).into())),
            Lexeme::UnterminatedStr => {
                let error = Diagnostic::error(token.span, "this string has no closing quote on its line");
                self.diagnostics.push(error);
                None
            }
            punctuation => punctuation.punctuation().or(text.chars().next().map(TokenKind::Unknown)),
        }
    }

    /// The value of a number as Spin takes it: `(int) strtol(text)`.
    fn finish_int(&mut self, text: &str, span: Span) -> TokenKind {
        // Only a number too large for 64 bits fails here, and there `strtol` saturates.
        let wide: i64 = text.parse().unwrap_or(i64::MAX);
        let value = wide as i32;
        if i64::from(value) != wide {
            let warning = Diagnostic::warning(span, format!("the number {text} does not fit into 32 bits"))
                .label(format!("becomes {value}"));
            self.diagnostics.push(warning);
        }
        TokenKind::Int(value)
    }

    /// The value of a character constant, with a warning where Spin's reading may surprise.
    fn finish_char(&mut self, text: &str, span: Span) -> TokenKind {
        if let [b'\'', b'\\', escaped, ..] = text.as_bytes()
            && !b"nrtf\\'\"".contains(escaped)
        {
            let escaped = char::from(*escaped);
            let warning = Diagnostic::warning(span, format!("unknown escape `\\{escaped}`"))
                .label(format!("stands for the character `{escaped}`"));
            self.diagnostics.push(warning);
        }
        TokenKind::Char(char_value(text))
    }
}
