//! A place in the tokens of a HOA file, and how errors are said there.

use ample_source::{Diagnostic, Span};

use super::lexer::{Kind, Token};

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The deepest nesting of labels and acceptance conditions that is read.
const DEEPEST: usize = 100;

pub(super) struct Cursor<'a> {
    pub text: &'a str,
    span: Span,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, span: Span) -> Cursor<'a> {
        Cursor { text, span, tokens: super::lexer::tokens(text), at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn kind(&self) -> Option<Kind> {
        self.peek().map(|token| token.kind)
    }

    /// The text of the current token; empty at the end.
    pub(super) fn peek_text(&self) -> &'a str {
        self.peek().map_or("", |token| &self.text[token.range.clone()])
    }

    /// Goes on, and gives the text that was passed.
    pub(super) fn next(&mut self) -> &'a str {
        let text = self.peek_text();
        self.at = (self.at + 1).min(self.tokens.len());
        text
    }

    /// Passes the symbol if it is there.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let is_there = self.kind() == Some(Kind::Symbol) && self.peek_text() == symbol;
        if is_there {
            self.at += 1;
        }
        is_there
    }

    pub(super) fn require(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    /// Passes a token of this kind if it is there.
    pub(super) fn eat_kind(&mut self, kind: Kind) -> Option<&'a str> {
        (self.kind() == Some(kind)).then(|| self.next())
    }

    pub(super) fn number(&mut self, what: &str) -> Parsed<usize> {
        let here = self.here();
        match self.eat_kind(Kind::Number) {
            None => Err(self.unexpected(what)),
            Some(digits) => digits.parse::<u32>().map(|number| number as usize).map_err(|_| {
                Diagnostic::error(here, "this number is too large").help("numbers go up to 4294967295").into()
            }),
        }
    }

    /// Runs `parse` one level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let message = format!("nested more than {DEEPEST} levels deep");
            return Err(self.error(message));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// The place of the current token.
    pub(super) fn here(&self) -> Span {
        let range = self.peek().map_or(self.text.len()..self.text.len(), |token| token.range.clone());
        let offset = |at: usize| self.span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        Span { start: offset(range.start), end: offset(range.end), ..self.span }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(self.here(), message).into()
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        match self.kind() {
            None => self.error(format!("expected {wanted}, found the end of the file")),
            Some(Kind::Unclosed) => {
                let error = Diagnostic::error(self.here(), "this comment or text has no end");
                error.help("close it with `*/` or `\"`").into()
            }
            Some(_) => self.error(format!("expected {wanted}, found `{}`", self.peek_text())),
        }
    }

    /// Goes to the next automaton: behind the end of this one, or before a header `HOA:`.
    pub(super) fn skip_automaton(&mut self) {
        self.depth = 0;
        // The header that began the bad automaton was passed, so there is always progress.
        while let Some(kind) = self.kind() {
            match kind {
                Kind::End | Kind::Abort => {
                    self.at += 1;
                    return;
                }
                Kind::Header if self.peek_text() == "HOA:" => return,
                _ => self.at += 1,
            }
        }
    }
}
