//! The parser: recursive descent, with recovery at the next semicolon or brace.

mod commands;
mod declarations;
mod expressions;

use ample_source::{Diagnostic, Diagnostics, Span};
use ample_stdx::suggest;

use crate::lexer::{KEYWORDS, Token, TokenKind, is_keyword};
use crate::syntax::{Expr, Name, Program};

/// Expressions nested deeper than this are refused, so that recursion stays within the stack.
const MAX_NESTING: usize = 200;

/// The error was reported.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Parses a whole text, of which these are the words.
pub(crate) fn parse(text: &str, tokens: &[Token], diagnostics: &mut Diagnostics) -> Program {
    let mut parser = Parser { text, tokens, at: 0, diagnostics, nesting: 0 };
    let mut program = Program::default();
    parser.items(&mut program.items, None);
    program
}

/// Parses one expression, which must be all there is.
pub(crate) fn parse_expression(tokens: &[Token], diagnostics: &mut Diagnostics) -> Parsed<Expr> {
    let mut parser = Parser { text: "", tokens, at: 0, diagnostics, nesting: 0 };
    let expr = parser.expression()?;
    match parser.peek() {
        TokenKind::Eof => Ok(expr),
        _ => parser.unexpected("an operator or the end"),
    }
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    diagnostics: &'a mut Diagnostics,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a TokenKind {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &'a TokenKind {
        self.tokens.get(self.at + ahead).map_or(&TokenKind::Eof, |token| &token.kind)
    }

    fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            TokenKind::Ident(word) => Some(word),
            _ => None,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek_word() == Some(word)
    }

    fn span(&self) -> Span {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(Span::default(), |token| token.span)
    }

    /// Where the token before stands.
    fn previous(&self) -> Span {
        let before = self.at.saturating_sub(1);
        self.tokens.get(before).map_or(Span::default(), |token| token.span)
    }

    /// Takes the next token; the end is never taken.
    fn take(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.take();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, kind: &TokenKind) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(&kind.to_string()) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// A missing semicolon is reported where it should stand, and then thought of as there.
    fn semicolon(&mut self) {
        if !self.eat(&TokenKind::Semicolon) {
            let found = self.peek();
            let error = Diagnostic::error(self.previous().after(), format!("expected `;` before {found}"));
            // What was already reported as an unknown character need not be reported again.
            if !matches!(found, TokenKind::Unknown(_)) {
                self.diagnostics.push(error);
            }
        }
    }

    fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.peek() {
            TokenKind::Ident(text) if !is_keyword(text) => {
                let name = Name { text: text.clone(), span: self.span() };
                self.take();
                Ok(name)
            }
            TokenKind::Ident(text) => {
                let message = format!("expected {wanted}, found the keyword `{text}`");
                self.report(Diagnostic::error(self.span(), message).help("keywords cannot be used as names"))
            }
            _ => self.unexpected(wanted),
        }
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let found = self.peek();
        let mut error = Diagnostic::error(self.span(), format!("expected {wanted}, found {found}"));
        // Every short word is near to some keyword.
        let word = self.peek_word().filter(|word| word.len() > 2);
        if let Some(near) = word.and_then(|word| suggest(word, KEYWORDS.iter().copied())) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        if matches!(found, TokenKind::Unknown(_)) { Err(Reported) } else { self.report(error) }
    }

    /// Runs `parse` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("nested too deeply: more than {MAX_NESTING} levels");
            return self.report(Diagnostic::error(self.span(), message));
        }
        let outside = self.nesting;
        self.nesting += 1;
        let result = parse(self);
        self.nesting = outside;
        result
    }

    /// `item, item, …`
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(&TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Skips over the next semicolon, or to a brace that closes what is around.
    fn skip_item(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                TokenKind::Eof => return,
                TokenKind::Semicolon if depth == 0 => return self.take(),
                TokenKind::RightBrace if depth == 0 => return,
                TokenKind::RightBrace if depth == 1 => return self.take(),
                TokenKind::RightBrace => depth -= 1,
                TokenKind::LeftBrace => depth += 1,
                _ => {}
            }
            self.take();
        }
    }
}
