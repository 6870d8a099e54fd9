//! Statements and sequences.

use ample_model::BinaryOp;
use ample_source::{Diagnostic, Span};
use ample_stdx::{shorten, suggest};

use crate::cursor::{KEYWORDS, is_keyword};
use crate::lexer::TokenKind;
use crate::parser::state::{Parsed, Parser, Reported};
use crate::preprocess::Token;
use crate::syntax::{Block, Exclusive, Expr, ExprKind, For, ForOver, Item, Statement, StatementKind, VarRef};

/// A range that `select` turns into a choice between assignments, as Spin does; longer ones become
/// a loop.
const LONGEST_CHOICE: i32 = 32;

/// A statement is shown in no more characters than this.
const LONGEST_TEXT: usize = 200;

impl Parser<'_> {
    /// The rest of a block, after its brace.
    pub(super) fn block_after_brace(&mut self, open: Span) -> Parsed<Block> {
        let items = self.nested(|parser| parser.sequence(Some(open)))?;
        self.expect(&TokenKind::RightBrace, "`}`")?;
        Ok(Block { items, span: open.to(self.cursor.previous()) })
    }

    fn block(&mut self) -> Parsed<Block> {
        let open = self.expect(&TokenKind::LeftBrace, "`{`")?;
        self.block_after_brace(open)
    }

    /// Statements and declarations up to a token that cannot belong to the sequence.
    fn sequence(&mut self, open: Option<Span>) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        let mut failed = false;
        loop {
            while matches!(self.cursor.peek(), TokenKind::Semicolon | TokenKind::Arrow) {
                self.cursor.take();
            }
            if self.at_sequence_end() {
                break;
            }
            let before = self.cursor.remaining();
            match self.item() {
                Ok(item) => items.push(item),
                Err(Reported) => {
                    failed = true;
                    self.skip_statement(before);
                    continue;
                }
            }
            if !self.at_separator() {
                let _ = self.unexpected::<()>("`;` or `->` between statements");
                failed = true;
                self.skip_statement(before);
            }
        }
        if let (Some(open), TokenKind::Eof) = (open, self.cursor.peek()) {
            return self.report(Diagnostic::error(open, "this brace is not closed").help("add the missing `}`"));
        }
        if items.is_empty() && !failed {
            let span = self.cursor.span();
            return self.report(
                Diagnostic::error(span, "there must be at least one statement here")
                    .help("write `skip` for a statement that does nothing"),
            );
        }
        Ok(items)
    }

    fn at_sequence_end(&self) -> bool {
        match self.cursor.peek() {
            TokenKind::RightBrace | TokenKind::ColonColon | TokenKind::Eof => true,
            TokenKind::Ident(word) => matches!(&**word, "fi" | "od"),
            _ => false,
        }
    }

    /// Whether a statement may end here: no separator is needed after `}` and before what ends the
    /// sequence.
    fn at_separator(&self) -> bool {
        matches!(self.cursor.peek(), TokenKind::Semicolon | TokenKind::Arrow)
            || self.at_sequence_end()
            || self.cursor.is_after_brace()
            || self.cursor.taken().last().is_some_and(|token| is_word(token, "else"))
    }

    /// After an error: goes on after the next separator of this sequence, or at its end.
    fn skip_statement(&mut self, before: usize) {
        if self.cursor.remaining() == before && !self.at_sequence_end() {
            self.cursor.take();
        }
        let mut depth = 0_usize;
        loop {
            match self.cursor.peek() {
                TokenKind::Eof => return,
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace if depth == 0 => return,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::Semicolon | TokenKind::Arrow if depth == 0 => return,
                _ if depth == 0 && self.at_sequence_end() => return,
                _ => {}
            }
            self.cursor.take();
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        match self.cursor.peek_word() {
            Some("xr" | "xs") => return self.exclusive().map(Item::Exclusive),
            Some("inline" | "proctype" | "init" | "never" | "typedef" | "active") => {
                return self.unexpected("a statement (is a `}` missing before this?)");
            }
            _ => {}
        }
        if self.at_declaration() {
            return self.declaration().map(Item::Declaration);
        }
        let statement = self.statement()?;
        if !self.accept_word("unless") {
            return Ok(Item::Statement(Box::new(statement)));
        }
        let escape = self.nested(Self::statement)?;
        let span = statement.span.to(self.cursor.previous());
        let kind = StatementKind::Unless(Box::new(statement), Box::new(escape));
        Ok(Item::Statement(Box::new(Statement { labels: Vec::new(), kind, span, text: String::new() })))
    }

    fn exclusive(&mut self) -> Parsed<Exclusive> {
        let start = self.cursor.span();
        let receive = self.at_word("xr");
        self.cursor.take();
        let mut channels = vec![self.variable()?];
        while self.accept(&TokenKind::Comma) {
            channels.push(self.variable()?);
        }
        Ok(Exclusive { receive, channels, span: start.to(self.cursor.previous()) })
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            if matches!(self.cursor.peek(), TokenKind::Semicolon | TokenKind::Arrow) || self.at_sequence_end() {
                // A label at the end of a sequence names an empty statement.
                let span = self.cursor.previous();
                let one = Expr { kind: ExprKind::Int(1), span, height: 1 };
                return Ok(Statement { labels, kind: StatementKind::Expr(one), span, text: "skip".to_owned() });
            }
            if self.at_declaration() {
                let span = self.cursor.span();
                return self.error(span, "a label cannot stand before a declaration");
            }
        }
        let mut statement = self.nested(Self::unlabelled)?;
        labels.append(&mut statement.labels);
        statement.labels = labels;
        Ok(statement)
    }

    /// `name:`, if it stands here.
    fn label(&mut self) -> Parsed<Option<crate::syntax::Name>> {
        let is_label = match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (TokenKind::Ident(word), TokenKind::Colon) => {
                let is_process = self.processes.contains(word) && self.at_remote_reference();
                !is_keyword(word) && !is_process
            }
            _ => false,
        };
        if !is_label {
            return Ok(None);
        }
        let name = self.name("a label")?;
        self.cursor.take();
        Ok(Some(name))
    }

    fn unlabelled(&mut self) -> Parsed<Statement> {
        if let Some(inline) = self.called_inline(0) {
            return self.inline_call(&inline, None);
        }
        let start = self.cursor.span();
        self.cursor.mark();
        if self.at(&TokenKind::LeftBrace) {
            let block = self.block()?;
            return Ok(self.compound(start, StatementKind::Block(block)));
        }
        let word = self.cursor.peek_word().unwrap_or_default().to_owned();
        match word.as_str() {
            "if" => self.choice(start, "fi", StatementKind::If),
            "do" => self.choice(start, "od", StatementKind::Do),
            "for" => self.for_loop(start),
            "select" => self.select(start),
            "atomic" | "d_step" => {
                self.cursor.take();
                let block = self.block()?;
                let kind = if word == "atomic" { StatementKind::Atomic(block) } else { StatementKind::DStep(block) };
                Ok(self.compound(start, kind))
            }
            _ => {
                let kind = match self.simple(&word)? {
                    Simple::Kind(kind) => *kind,
                    Simple::Call(statement) => return Ok(*statement),
                };
                let text = self.statement_text(start);
                Ok(Statement { labels: Vec::new(), kind, span: start.to(self.cursor.previous()), text })
            }
        }
    }

    /// The statement that was just read, with its macros expanded; if that is very long, as the
    /// author wrote it.
    fn statement_text(&self, start: Span) -> String {
        let text = self.cursor.text();
        if text.len() <= LONGEST_TEXT {
            return text;
        }
        let span = self.sources.reading_span(self.sources.join(start, self.cursor.previous()));
        let written = shorten(self.sources.text(span), LONGEST_TEXT);
        if written.is_empty() { shorten(&text, LONGEST_TEXT) } else { written }
    }

    fn compound(&self, start: Span, kind: StatementKind) -> Statement {
        Statement { labels: Vec::new(), kind, span: start.to(self.cursor.previous()), text: String::new() }
    }

    fn simple(&mut self, word: &str) -> Parsed<Simple> {
        let kind = match word {
            "goto" => {
                self.cursor.take();
                StatementKind::Goto(self.name("a label")?)
            }
            "break" => {
                self.cursor.take();
                StatementKind::Break
            }
            "else" => {
                self.cursor.take();
                StatementKind::Else
            }
            "assert" => {
                self.cursor.take();
                StatementKind::Assert(self.expression()?)
            }
            "printf" => self.printf()?,
            "printm" => {
                self.cursor.take();
                self.expect(&TokenKind::LeftParen, "`(`")?;
                let value = self.expression()?;
                self.expect(&TokenKind::RightParen, "`)`")?;
                StatementKind::PrintName(value)
            }
            "set_priority" => self.set_priority()?,
            "return" => self.return_statement()?,
            "c_code" | "c_decl" => return self.embedded_c(),
            _ => return self.variable_statement(word),
        };
        Ok(Simple::Kind(Box::new(kind)))
    }

    fn set_priority(&mut self) -> Parsed<StatementKind> {
        let span = self.cursor.span();
        self.cursor.take();
        let mut arguments = self.arguments()?;
        match (arguments.pop(), arguments.pop(), arguments.pop()) {
            (Some(priority), Some(process), None) => Ok(StatementKind::SetPriority(process, priority)),
            _ => self.error(span, "set_priority takes the number of a process and a priority"),
        }
    }

    fn printf(&mut self) -> Parsed<StatementKind> {
        self.cursor.take();
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let TokenKind::Str(format) = self.cursor.peek().clone() else {
            return self.unexpected("a string in double quotes");
        };
        self.cursor.take();
        let mut arguments = Vec::new();
        while self.accept(&TokenKind::Comma) {
            arguments.push(self.expression()?);
        }
        self.expect(&TokenKind::RightParen, "`,` or `)`")?;
        Ok(StatementKind::Print(format, arguments))
    }

    fn return_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.cursor.span();
        self.cursor.take();
        let value = self.expression()?;
        match self.calls.last().cloned() {
            Some((_, Some(result))) => Ok(StatementKind::Assign(result, value)),
            Some((name, None)) => self.report(
                Diagnostic::error(span, "this `return` has nowhere to put its value")
                    .secondary(name.span, "the call does not assign it")
                    .help(format!("call it as `x = {}(…)`", name.text)),
            ),
            None => self.error(span, "`return` outside an inline"),
        }
    }

    /// A statement that begins with an expression: an assignment, a send, a receive, or a
    /// condition.
    fn variable_statement(&mut self, word: &str) -> Parsed<Simple> {
        let plain = self.cursor.peek_word().is_some_and(|word| !is_keyword(word));
        let remote = self.processes.contains(word) && self.at_remote_reference();
        if !plain || remote || self.cursor.peek_at(1) == &TokenKind::At {
            return Ok(Simple::Kind(Box::new(StatementKind::Expr(self.expression()?))));
        }
        let variable = self.variable()?;
        let kind = match self.cursor.peek() {
            TokenKind::Equal => {
                self.cursor.take();
                if let Some(inline) = self.called_inline(0) {
                    let call = self.inline_call(&inline, Some(variable))?;
                    return Ok(Simple::Call(Box::new(call)));
                }
                StatementKind::Assign(variable, self.expression()?)
            }
            TokenKind::PlusPlus => self.step_by_one(variable, BinaryOp::Add),
            TokenKind::MinusMinus => self.step_by_one(variable, BinaryOp::Subtract),
            TokenKind::Bang => self.send(variable, false)?,
            TokenKind::BangBang => self.send(variable, true)?,
            TokenKind::Question if self.cursor.peek_at(1) != &TokenKind::LeftBracket => {
                self.receive(variable, false)?
            }
            TokenKind::QuestionQuestion if self.cursor.peek_at(1) != &TokenKind::LeftBracket => {
                self.receive(variable, true)?
            }
            TokenKind::LeftParen => return self.unknown_call(&variable),
            _ => {
                let left = self.variable_expression(variable)?;
                StatementKind::Expr(self.nested(|parser| parser.expression_after(left))?)
            }
        };
        Ok(Simple::Kind(Box::new(kind)))
    }

    fn unknown_call<T>(&mut self, variable: &VarRef) -> Parsed<T> {
        let name = variable.parts.first().map(|part| part.name.text.to_string()).unwrap_or_default();
        let mut diagnostic = Diagnostic::error(variable.span, format!("`{name}` is not an inline"));
        let known = self.inlines.keys().map(|name| &**name).chain(KEYWORDS.iter().copied());
        diagnostic = match suggest(&name, known) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if self.processes.contains(name.as_str()) => {
                diagnostic.help(format!("to start a process write `run {name}(…)`"))
            }
            None => diagnostic.help("an inline must be defined before it is called"),
        };
        self.report(diagnostic)
    }

    fn step_by_one(&mut self, variable: VarRef, op: BinaryOp) -> StatementKind {
        self.cursor.take();
        let span = variable.span;
        let one = Expr { kind: ExprKind::Int(1), span, height: 1 };
        let value = Expr { kind: ExprKind::Var(variable.clone()), span, height: 1 };
        let kind = ExprKind::Binary(op, Box::new(value), Box::new(one));
        StatementKind::Assign(variable, Expr { kind, span, height: 2 })
    }

    /// `!a, b` or `!a(b)`.
    fn send(&mut self, channel: VarRef, sorted: bool) -> Parsed<StatementKind> {
        self.cursor.take();
        let mut values = vec![self.expression()?];
        if self.at(&TokenKind::LeftParen) {
            values.append(&mut self.arguments()?);
        } else {
            while self.accept(&TokenKind::Comma) {
                values.push(self.expression()?);
            }
        }
        Ok(StatementKind::Send { channel, sorted, values })
    }

    /// `?x, y` or `?<x, y>`.
    fn receive(&mut self, channel: VarRef, anywhere: bool) -> Parsed<StatementKind> {
        self.cursor.take();
        let keep = self.accept(&TokenKind::Less);
        let arguments = self.receive_arguments()?;
        if keep {
            self.expect(&TokenKind::Greater, "`>`")?;
        }
        Ok(StatementKind::Receive { channel, anywhere, keep, arguments })
    }

    fn choice(&mut self, start: Span, end: &str, kind: impl FnOnce(Vec<Block>) -> StatementKind) -> Parsed<Statement> {
        self.cursor.take();
        let mut options = Vec::new();
        while self.at(&TokenKind::ColonColon) {
            self.cursor.take();
            let open = self.cursor.previous();
            let items = self.nested(|parser| parser.sequence(None))?;
            options.push(Block { items, span: open.to(self.cursor.previous()) });
        }
        if !self.at_word(end) {
            let found = self.cursor.peek() == &TokenKind::Eof;
            if found {
                return self.report(
                    Diagnostic::error(start, format!("this is not closed by `{end}`"))
                        .help(format!("add the missing `{end}`")),
                );
            }
            let _ = self.unexpected::<()>(&format!("`::` or `{end}`"));
            if !(self.at_word("fi") || self.at_word("od")) {
                return Err(Reported);
            }
            // The wrong word closes it: go on as if it were the right one.
        }
        if options.is_empty() {
            return self.unexpected("`::` and an option");
        }
        self.cursor.take();
        Ok(self.compound(start, kind(options)))
    }

    /// `for (i : a .. b) { … }` or `for (i in a) { … }`.
    fn for_loop(&mut self, start: Span) -> Parsed<Statement> {
        self.cursor.take();
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let variable = self.variable()?;
        let over = if self.accept(&TokenKind::Colon) {
            let from = self.bound(start)?;
            self.expect(&TokenKind::DotDot, "`..`")?;
            ForOver::Range(from, self.bound(start)?)
        } else {
            self.expect_word("in")?;
            ForOver::In(self.variable()?)
        };
        self.expect(&TokenKind::RightParen, "`)`")?;
        let header = start.to(self.cursor.previous());
        self.accept(&TokenKind::Semicolon);
        let body = self.block()?;
        let kind = StatementKind::For(Box::new(For { variable, over, body, header }));
        Ok(self.compound(start, kind))
    }

    /// A bound of the range of the loop at `start`. Steps of the loop show it as the author wrote
    /// it, with macros by their names.
    fn bound(&mut self, start: Span) -> Parsed<Expr> {
        let first = self.cursor.span();
        let mut bound = self.expression()?;
        bound.span = self.sources.written_beside(start, first, self.cursor.previous());
        Ok(bound)
    }

    /// `select (i : a .. b)`. Between two numbers it is short for a choice; that is how Spin counts
    /// its steps.
    fn select(&mut self, start: Span) -> Parsed<Statement> {
        self.cursor.take();
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let variable = self.variable()?;
        self.expect(&TokenKind::Colon, "`:`")?;
        let from = self.bound(start)?;
        self.expect(&TokenKind::DotDot, "`..`")?;
        let to = self.bound(start)?;
        self.expect(&TokenKind::RightParen, "`)`")?;
        if let (Some(name), Some(low), Some(high), true) =
            (plain_name(&variable), literal(&from), literal(&to), self.calls.is_empty())
        {
            if low > high {
                return self.error(from.span.to(to.span), "the range of this select is empty");
            }
            let tokens = select_tokens(&name, low, high, start.to(self.cursor.previous()));
            self.cursor.push(tokens.into_iter());
            return self.nested(Self::statement);
        }
        let text = self.cursor.text();
        let kind = StatementKind::Select { variable, from, to };
        Ok(Statement { labels: Vec::new(), kind, span: start.to(self.cursor.previous()), text })
    }
}

/// What a simple statement turned out to be.
enum Simple {
    Kind(Box<StatementKind>),
    /// `x = f(…)` with an inline `f`: its body.
    Call(Box<Statement>),
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(&token.kind, TokenKind::Ident(text) if &**text == word)
}

/// A variable without index or field whose name has letters and digits only.
fn plain_name(variable: &VarRef) -> Option<std::sync::Arc<str>> {
    match variable.parts.as_slice() {
        [part] if part.index.is_none() && part.name.text.chars().all(|c| c.is_ascii_alphanumeric()) => {
            Some(part.name.text.clone())
        }
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<i32> {
    match expr.kind {
        ExprKind::Int(value) if value >= 0 => Some(value),
        _ => None,
    }
}

/// `if :: x = 1 :: x = 2 fi`, or for long ranges `x = 1; do :: (x < n) -> x++ :: break od`.
fn select_tokens(name: &std::sync::Arc<str>, low: i32, high: i32, span: Span) -> Vec<Token> {
    use TokenKind as T;
    let word = |text: &str| T::Ident(crate::cursor::word(text));
    let assign = |value| [T::Ident(name.clone()), T::Equal, T::Int(value)];
    let mut kinds = Vec::new();
    if high - low <= LONGEST_CHOICE {
        kinds.push(word("if"));
        for value in low..=high {
            kinds.push(T::ColonColon);
            kinds.extend(assign(value));
        }
        kinds.push(word("fi"));
    } else {
        kinds.extend(assign(low));
        kinds.extend([T::Semicolon, word("do"), T::ColonColon, T::LeftParen, T::Ident(name.clone()), T::Less]);
        kinds.extend([T::Int(high), T::RightParen, T::Arrow, T::Ident(name.clone()), T::PlusPlus]);
        kinds.extend([T::ColonColon, word("break"), word("od")]);
    }
    kinds.into_iter().map(|kind| Token { kind, span, newline_before: false }).collect()
}
