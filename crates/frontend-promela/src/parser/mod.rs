//! A recursive-descent parser with recovery: it reports as many errors as it can tell apart and
//! gives what it understood.
//!
//! Inline calls are expanded here, as Spin does: the arguments replace the parameters token by
//! token and the body is parsed at the place of the call, in the scope of the call.

mod declarations;
mod expressions;
mod inlines;
mod statements;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ample_source::{Diagnostic, Diagnostics, SourceMap, Span};
use ample_stdx::suggest;

use crate::cursor::{Cursor, KEYWORDS, is_keyword};
use crate::lexer::TokenKind;
use crate::parser::inlines::Inline;
use crate::preprocess::Token;
use crate::syntax::{Expr, Ltl, Name, Program, Unit, VarRef};

/// Statements and expressions nested deeper than this are refused, so that recursion stays within
/// the stack.
pub(crate) const MAX_NESTING: usize = 200;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Parses a whole text.
pub(crate) fn parse(tokens: Vec<Token>, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Program {
    let mut parser = Parser::new(tokens, sources, diagnostics);
    parser.units();
    parser.deferred_formulas();
    parser.program
}

/// Parses an expression that stands by itself but is about `program`; notes in it what the
/// expression looks at.
pub(crate) fn parse_expression(
    tokens: Vec<Token>,
    program: &mut Program,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Parsed<Expr> {
    let mut parser = Parser::new(tokens, sources, diagnostics);
    parser.processes = program.process_names().cloned().collect();
    let expr = parser.expression()?;
    match parser.cursor.peek() {
        TokenKind::Eof => {}
        TokenKind::Equal | TokenKind::PlusPlus | TokenKind::MinusMinus => {
            let error = Diagnostic::error(parser.cursor.span(), "a proposition cannot assign to a variable");
            return parser.report(error.help("`==` compares"));
        }
        _ => return parser.unexpected("an operator or the end of the proposition"),
    }
    program.remote_labels.append(&mut parser.program.remote_labels);
    Ok(expr)
}

/// Parses a text that stands behind `program`; notes in it what the text looks at. Gives the units
/// of the text.
pub(crate) fn parse_behind(
    tokens: Vec<Token>,
    program: &mut Program,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Unit> {
    let mut parser = Parser::new(tokens, sources, diagnostics);
    parser.processes = program.process_names().cloned().collect();
    parser.units();
    parser.deferred_formulas();
    program.remote_labels.append(&mut parser.program.remote_labels);
    parser.program.units
}

pub(crate) struct Parser<'a> {
    cursor: Cursor,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    inlines: HashMap<Arc<str>, Arc<Inline>>,
    /// The inline calls being parsed, innermost last, with the variable that takes what they
    /// return.
    calls: Vec<(Name, Option<VarRef>)>,
    /// The names of the processes so far: `P:x` and `P[i]:x` are remote references only for these.
    processes: HashSet<Arc<str>>,
    /// Formulas are parsed last: they may name what is declared after them.
    formulas: Vec<(Option<Name>, Vec<Token>, Span)>,
    in_formula: bool,
    nesting: usize,
    /// An error that cannot be recovered from was reported: nothing after it is.
    gave_up: bool,
    /// How many tokens inline calls have expanded to.
    inlined: usize,
    program: Program,
}

impl<'a> Parser<'a> {
    fn new(tokens: Vec<Token>, sources: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Parser<'a> {
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
    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::error(span, message))
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Err(Reported)
    }

    /// Reports an error after which whatever follows would only be errors that come from this one.
    fn give_up<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        let result = self.error(span, message);
        self.gave_up = true;
        self.cursor = Cursor::new(Vec::new());
        result
    }

    /// The next token is not what may stand here.
    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
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

    fn expect(&mut self, kind: &TokenKind, wanted: &str) -> Parsed<Span> {
        if self.cursor.peek() == kind {
            self.cursor.take();
            return Ok(self.cursor.previous());
        }
        self.unexpected(wanted)
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.at_word(word) {
            self.cursor.take();
            return Ok(self.cursor.previous());
        }
        self.unexpected(&format!("`{word}`"))
    }

    fn at(&self, kind: &TokenKind) -> bool {
        self.cursor.peek() == kind
    }

    fn at_word(&self, word: &str) -> bool {
        self.cursor.peek_word() == Some(word)
    }

    /// Takes the next token if it is this one.
    fn accept(&mut self, kind: &TokenKind) -> bool {
        let here = self.at(kind);
        if here {
            self.cursor.take();
        }
        here
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        if here {
            self.cursor.take();
        }
        here
    }

    fn name(&mut self, wanted: &str) -> Parsed<Name> {
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
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.cursor.span();
            return self.give_up(span, format!("nested too deeply: more than {MAX_NESTING} levels"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn units(&mut self) {
        loop {
            match self.cursor.peek() {
                TokenKind::Eof => return,
                TokenKind::Semicolon | TokenKind::Arrow => {
                    self.cursor.take();
                }
                _ => {
                    let before = self.cursor.remaining();
                    if self.unit().is_err() {
                        self.cursor.set_in_body(false);
                        self.calls.clear();
                        self.nesting = 0;
                        self.skip_to_unit(before);
                    }
                }
            }
        }
    }

    fn unit(&mut self) -> Parsed<()> {
        let Some(word) = self.cursor.peek_word().map(str::to_owned) else {
            return self.unexpected("a declaration or a process");
        };
        match word.as_str() {
            "active" | "proctype" | "D_proctype" | "init" | "never" | "trace" | "notrace" => {
                let process = self.process()?;
                self.program.units.push(Unit::Process(process));
            }
            "ltl" => self.defer_formula()?,
            "inline" => self.inline_definition()?,
            "typedef" => {
                let typedef = self.typedef()?;
                self.program.units.push(Unit::Typedef(typedef));
            }
            "mtype" if self.is_mtype_declaration() => {
                let mtype = self.mtype_declaration()?;
                self.program.units.push(Unit::Mtype(mtype));
            }
            "c_code" | "c_decl" | "c_state" | "c_track" | "c_expr" => return self.embedded_c(),
            _ if self.at_declaration() => {
                let declaration = self.declaration()?;
                self.program.units.push(Unit::Declaration(declaration));
            }
            _ => return self.unknown_unit(&word),
        }
        Ok(())
    }

    fn unknown_unit<T>(&mut self, word: &str) -> Parsed<T> {
        let span = self.cursor.span();
        let mut diagnostic = Diagnostic::error(span, format!("expected a declaration or a process, found `{word}`"));
        let starts = ["active", "proctype", "init", "never", "ltl", "inline", "typedef", "mtype", "byte", "chan"];
        if let Some(near) = suggest(word, starts.into_iter().chain(KEYWORDS.iter().copied())) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic)
    }

    /// After an error: goes on at a token that can only start a unit. Takes at least one token
    /// since `before`.
    fn skip_to_unit(&mut self, before: usize) {
        if self.cursor.remaining() == before {
            self.cursor.take();
        }
        loop {
            match self.cursor.peek() {
                TokenKind::Eof => return,
                TokenKind::Ident(word)
                    if matches!(
                        &**word,
                        "active" | "proctype" | "D_proctype" | "init" | "never" | "inline" | "typedef" | "ltl"
                    ) =>
                {
                    return;
                }
                _ => {
                    self.cursor.take();
                }
            }
        }
    }

    /// Embedded C is not supported: says so by name and skips it.
    fn embedded_c<T>(&mut self) -> Parsed<T> {
        let word = self.cursor.peek_word().unwrap_or_default().to_owned();
        let span = self.cursor.span();
        self.cursor.take();
        if self.at(&TokenKind::LeftBracket) {
            self.skip_balanced(&TokenKind::LeftBracket, &TokenKind::RightBracket);
        }
        self.skip_balanced(&TokenKind::LeftBrace, &TokenKind::RightBrace);
        self.report(
            Diagnostic::error(span, format!("`{word}`: embedded C is not supported"))
                .help("express it in Promela; Ample runs models without a C compiler"),
        )
    }

    /// Skips from an opening token to the one that closes it.
    fn skip_balanced(&mut self, open: &TokenKind, close: &TokenKind) {
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

    /// `ltl name { … }`: the tokens are kept for the end.
    fn defer_formula(&mut self) -> Parsed<()> {
        let span = self.expect_word("ltl")?;
        let name = if self.at(&TokenKind::LeftBrace) { None } else { Some(self.name("a name or `{`")?) };
        self.expect(&TokenKind::LeftBrace, "`{`")?;
        let mut tokens = Vec::new();
        let mut depth = 1_usize;
        loop {
            let start = self.cursor.span();
            let kind = self.cursor.take();
            match kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::Eof => {
                    return self
                        .report(Diagnostic::error(span, "this formula is not closed").help("add the missing `}`"));
                }
                _ => {}
            }
            if depth == 0 {
                tokens.push(Token { kind: TokenKind::Eof, span: start, newline_before: false });
                self.formulas.push((name, tokens, span));
                return Ok(());
            }
            tokens.push(Token { kind, span: start, newline_before: false });
        }
    }

    fn deferred_formulas(&mut self) {
        self.in_formula = true;
        for (name, tokens, span) in std::mem::take(&mut self.formulas) {
            self.cursor = Cursor::new(tokens);
            self.nesting = 0;
            let Ok(formula) = self.expression() else { continue };
            self.accept(&TokenKind::Semicolon);
            if !self.at(&TokenKind::Eof) {
                let _ = self.unexpected::<()>("an operator or the end of the formula");
                continue;
            }
            self.program.units.push(Unit::Ltl(Ltl { name, formula, span }));
        }
    }
}
