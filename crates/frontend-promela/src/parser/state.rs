//! The parser itself: where it stands in the text, what it knows so far, and how it takes single
//! tokens or reports that they are wrong.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ample_source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::cursor::{Cursor, is_keyword};
use crate::lexer::TokenKind;
use crate::preprocess::Token;
use crate::syntax::{Name, Program, VarRef};

/// Statements and expressions nested deeper than this are refused, so that recursion stays within
/// the stack.
pub(crate) const MAX_NESTING: usize = 200;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// An inline definition: its body is only text until it is called.
#[derive(Debug)]
pub(crate) struct Inline {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    /// The body with its braces.
    pub(crate) body: Vec<Token>,
}

/// A parser on its way through a text.
pub(crate) struct Parser<'a> {
    pub(super) cursor: Cursor,
    pub(super) sources: &'a mut SourceMap,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) inlines: HashMap<Arc<str>, Arc<Inline>>,
    /// The inline calls being parsed, innermost last, with the variable that takes what they
    /// return.
    pub(super) calls: Vec<(Name, Option<VarRef>)>,
    /// The names of the processes so far: `P:x` and `P[i]:x` are remote references only for these.
    pub(super) processes: HashSet<Arc<str>>,
    /// Formulas are parsed last: they may name what is declared after them.
    pub(super) formulas: Vec<(Option<Name>, Vec<Token>, Span)>,
    pub(super) in_formula: bool,
    pub(super) nesting: usize,
    /// An error that cannot be recovered from was reported: nothing after it is.
    pub(super) gave_up: bool,
    /// How many tokens inline calls have expanded to.
    pub(super) inlined: usize,
    pub(super) program: Program,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: Vec<Token>, sources: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Parser<'a> {
        Parser {
            cursor: Cursor::new(tokens),
            sources,
            diagnostics,
            inlines: HashMap::new(),
            calls: Vec::new(),
            processes: HashSet::new(),
            formulas: Vec::new(),
            in_formula: false,
            nesting: 0,
            gave_up: false,
            inlined: 0,
            program: Program::default(),
        }
    }
}

impl Parser<'_> {
    pub(super) fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::error(span, message))
    }

    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Err(Reported)
    }

    /// Reports an error after which whatever follows would only be errors that come from this one.
    pub(super) fn give_up<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        let result = self.error(span, message);
        self.gave_up = true;
        self.cursor = Cursor::new(Vec::new());
        result
    }

    /// The next token is not what may stand here.
    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let span = self.cursor.span();
        let found = self.cursor.peek().clone();
        if let Some(message) = found.lexical_error() {
            return self.error(span, message);
        }
        let found = match found {
            TokenKind::Eof => "the end of the text".to_owned(),
            TokenKind::Semicolon if self.cursor.peek_at(0) != &TokenKind::Semicolon => "the end of the line".to_owned(),
            other => format!("`{other}`"),
        };
        self.report(Diagnostic::error(span, format!("expected {wanted}, found {found}")))
    }

    pub(super) fn expect(&mut self, kind: &TokenKind, wanted: &str) -> Parsed<Span> {
        if self.cursor.peek() == kind {
            self.cursor.take();
            return Ok(self.cursor.previous());
        }
        self.unexpected(wanted)
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.at_word(word) {
            self.cursor.take();
            return Ok(self.cursor.previous());
        }
        self.unexpected(&format!("`{word}`"))
    }

    pub(super) fn at(&self, kind: &TokenKind) -> bool {
        self.cursor.peek() == kind
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.cursor.peek_word() == Some(word)
    }

    /// Takes the next token if it is this one.
    pub(super) fn accept(&mut self, kind: &TokenKind) -> bool {
        let here = self.at(kind);
        if here {
            self.cursor.take();
        }
        here
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        if here {
            self.cursor.take();
        }
        here
    }

    pub(super) fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.cursor.peek().clone() {
            TokenKind::Ident(text) if !is_keyword(&text) => {
                self.cursor.take();
                Ok(Name { text, span: self.cursor.previous() })
            }
            TokenKind::Ident(text) => {
                let span = self.cursor.span();
                self.report(
                    Diagnostic::error(span, format!("expected {wanted}, found the keyword `{text}`"))
                        .help("keywords cannot be used as names"),
                )
            }
            _ => self.unexpected(wanted),
        }
    }

    /// Runs `parse` one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.cursor.span();
            return self.give_up(span, format!("nested too deeply: more than {MAX_NESTING} levels"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Skips from an opening token to the one that closes it.
    pub(super) fn skip_balanced(&mut self, open: &TokenKind, close: &TokenKind) {
        if !self.at(open) {
            return;
        }
        let mut depth = 0_usize;
        loop {
            let kind = self.cursor.take();
            if kind == *open {
                depth += 1;
            } else if kind == *close {
                depth -= 1;
            }
            if depth == 0 || kind == TokenKind::Eof {
                return;
            }
        }
    }
}
