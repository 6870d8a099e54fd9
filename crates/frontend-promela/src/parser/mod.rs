//! A recursive-descent parser with recovery: it reports as many errors as it can tell apart and
//! gives what it understood.
//!
//! Inline calls are expanded here, as Spin does: the arguments replace the parameters token by
//! token and the body is parsed at the place of the call, in the scope of the call.

mod declarations;
mod expressions;
mod inlines;
mod state;
mod statements;

use ample_source::{Diagnostic, Diagnostics, SourceMap};
use ample_stdx::suggest;

use crate::cursor::{Cursor, KEYWORDS};
use crate::lexer::TokenKind;
use crate::parser::state::{Parsed, Parser};
use crate::preprocess::Token;
use crate::syntax::{Expr, Ltl, Program, Unit};

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

impl Parser<'_> {
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
