//! What stands in a text: declarations, processes, properties.

use ample_source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Bounds, Declarator, Dominates, Init, Item, Name, Process, TextFormula, Type, TypeKind, Variables};

impl Parser<'_> {
    /// Everything up to the end; in a process up to its closing brace.
    pub(super) fn items(&mut self, items: &mut Vec<Item>, process: Option<&Name>) {
        loop {
            match self.peek() {
                TokenKind::Eof => return,
                TokenKind::RightBrace if process.is_some() => return,
                TokenKind::RightBrace => {
                    let error = Diagnostic::error(self.span(), "this `}` closes nothing");
                    self.diagnostics.push(error);
                    self.take();
                }
                TokenKind::Semicolon => self.take(),
                _ => self.item(items, process),
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>, process: Option<&Name>) {
        let (before, start) = (self.at, self.span());
        let word = self.peek_word().unwrap_or_default();
        if let Some(process) = process
            && ["process", "error", "ltl", "end", "predicate", "progress", "dominates", "type", "const"].contains(&word)
        {
            let message = format!("`{word}` stands outside of processes");
            let error = Diagnostic::error(start, message).secondary(process.span, "this process is not closed before");
            self.diagnostics.push(error.help("close the process with `}` first"));
        }
        match self.one_item() {
            Ok(item) => items.push(item),
            Err(_) => {
                if self.at == before {
                    self.take();
                }
                self.skip_item();
            }
        }
    }

    fn one_item(&mut self) -> Parsed<Item> {
        match self.peek_word() {
            Some("const") => self.constants(),
            Some("type") => self.type_definition(),
            Some("var") => self.variables().map(Item::Variables),
            Some("process") => self.process().map(Item::Process),
            Some("error") => self.error_condition(),
            Some("ltl") => self.formula().map(Item::Formula),
            Some(word @ ("end" | "predicate" | "progress")) => {
                self.take();
                let expr = self.expression()?;
                self.semicolon();
                Ok(match word {
                    "end" => Item::End(expr),
                    "predicate" => Item::Predicate(expr),
                    _ => Item::Progress(expr),
                })
            }
            Some("dominates") => self.dominates(),
            _ => self.command().map(Item::Command),
        }
    }

    fn dominates(&mut self) -> Parsed<Item> {
        self.take();
        let is_larger = self.eat_word("larger");
        if !is_larger && !self.eat_word("smaller") {
            return self.unexpected("`smaller` or `larger`");
        }
        let variables = self.list(Self::expression)?;
        self.semicolon();
        Ok(Item::Dominates(Dominates { is_larger, variables }))
    }

    fn constants(&mut self) -> Parsed<Item> {
        self.take();
        let constants = self.list(|parser| {
            let name = parser.name("the name of a constant")?;
            parser.expect(&TokenKind::Equal)?;
            Ok((name, parser.expression()?))
        })?;
        self.semicolon();
        Ok(Item::Constants(constants))
    }

    fn type_definition(&mut self) -> Parsed<Item> {
        self.take();
        let name = self.name("the name of a type")?;
        self.expect(&TokenKind::Equal)?;
        let ty = self.ty()?;
        self.semicolon();
        Ok(Item::Type(name, ty))
    }

    /// `var x, a[3] : int = 0;`
    fn variables(&mut self) -> Parsed<Variables> {
        self.take();
        let declarators = self.list(|parser| {
            let name = parser.name("the name of a variable")?;
            let bounds = if parser.eat(&TokenKind::LeftBracket) { Some(parser.bounds()?) } else { None };
            Ok(Declarator { name, bounds })
        })?;
        if !self.eat(&TokenKind::Colon) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `:` and a type, found {found}"));
            return self.report(error.help("write `var x : int;`, or `bool`, or a range such as `0..7`"));
        }
        let ty = self.ty()?;
        let init = if self.eat(&TokenKind::Equal) { Some(self.init()?) } else { None };
        if self.peek() == &TokenKind::Assign {
            let error = Diagnostic::error(self.span(), "an initial value is given with `=`");
            return self.report(error.help("write `=`; `:=` assigns, in a command"));
        }
        self.semicolon();
        Ok(Variables { declarators, ty, init })
    }

    /// What follows `[`.
    fn bounds(&mut self) -> Parsed<Bounds> {
        let bounds = if matches!(self.peek_word(), Some("scalarset" | "int" | "bool")) {
            Bounds::Over(self.ty()?)
        } else {
            let first = self.expression()?;
            if self.eat(&TokenKind::DotDot) {
                let last = self.expression()?;
                let span = first.span.to(last.span);
                Bounds::Over(Type { kind: TypeKind::Range(first, last), span })
            } else {
                Bounds::Length(first)
            }
        };
        self.expect(&TokenKind::RightBracket)?;
        Ok(bounds)
    }

    fn init(&mut self) -> Parsed<Init> {
        let start = self.span();
        if self.eat_word("any") {
            return Ok(Init::Any(start));
        }
        if !self.eat(&TokenKind::LeftBrace) {
            return self.expression().map(Init::Value);
        }
        let values = self.list(|parser| parser.expression())?;
        self.expect(&TokenKind::RightBrace)?;
        Ok(Init::List(values, start.to(self.previous())))
    }

    /// `int`, `bool`, `0..7`, `scalarset(3)` or the name of a type.
    fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.peek_word() {
            Some("int") => {
                self.take();
                TypeKind::Int
            }
            Some("bool") => {
                self.take();
                TypeKind::Bool
            }
            Some("scalarset") => {
                self.take();
                self.expect(&TokenKind::LeftParen)?;
                let size = self.expression()?;
                self.expect(&TokenKind::RightParen)?;
                TypeKind::Scalarset(size)
            }
            Some(_) if self.ends_a_type(1) => TypeKind::Named(self.name("a type")?),
            _ => self.range()?,
        };
        Ok(Type { kind, span: start.to(self.previous()) })
    }

    /// Whether what follows a name shows that it is a type, and no lower bound.
    fn ends_a_type(&self, ahead: usize) -> bool {
        let ends = [TokenKind::Semicolon, TokenKind::Equal, TokenKind::Assign, TokenKind::RightBracket];
        ends.contains(self.peek_at(ahead)) || matches!(self.peek_at(ahead), TokenKind::Eof | TokenKind::Ident(_))
    }

    fn range(&mut self) -> Parsed<TypeKind> {
        let low = self.sum()?;
        self.expect(&TokenKind::DotDot)?;
        Ok(TypeKind::Range(low, self.sum()?))
    }

    /// `process q[i : 1..N] { … }`
    fn process(&mut self) -> Parsed<Process> {
        self.take();
        let name = self.name("the name of a process")?;
        let family = if self.eat(&TokenKind::LeftBracket) {
            let variable = self.name("the name that counts the processes")?;
            self.expect(&TokenKind::Colon)?;
            let ty = self.ty()?;
            self.expect(&TokenKind::RightBracket)?;
            Some((variable, ty))
        } else {
            None
        };
        self.expect(&TokenKind::LeftBrace)?;
        let mut items = Vec::new();
        self.nested(|parser| {
            parser.items(&mut items, Some(&name));
            Ok(())
        })?;
        if !self.eat(&TokenKind::RightBrace) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `}}`, found {found}"));
            self.diagnostics.push(error.secondary(name.span, "this process is not closed"));
        }
        Ok(Process { name, family, items })
    }

    fn error_condition(&mut self) -> Parsed<Item> {
        self.take();
        let name = self.name("the name of the error")?;
        if !self.eat(&TokenKind::Colon) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `:`, found {found}"));
            return self.report(error.help(format!("write `error {}: expression;`", name.text)));
        }
        let expr = self.expression()?;
        self.semicolon();
        Ok(Item::Error(name, expr))
    }

    /// `ltl name { formula }`
    fn formula(&mut self) -> Parsed<TextFormula> {
        self.take();
        let name = if self.peek() == &TokenKind::LeftBrace { None } else { Some(self.name("the name of a formula")?) };
        let open = self.span();
        self.expect(&TokenKind::LeftBrace)?;
        let first = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                TokenKind::Eof => {
                    let error = Diagnostic::error(open, "this formula is never closed");
                    return self.report(error.help("add `}`"));
                }
                TokenKind::RightBrace if depth == 0 => break,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::LeftBrace => depth += 1,
                _ => {}
            }
            self.take();
        }
        let (span, text) = self.without_comments(first, open.after());
        self.take();
        Ok(TextFormula { name, text: text.into(), span })
    }

    /// The text of the tokens from `first` on, everything at its place: what is between them is
    /// blank.
    fn without_comments(&self, first: usize, empty: Span) -> (Span, String) {
        let taken = &self.tokens[first.min(self.at)..self.at];
        let (Some(start), Some(last)) = (taken.first(), taken.last()) else { return (empty, String::new()) };
        let mut text = String::new();
        for token in taken {
            let before = (token.span.start - start.span.start) as usize;
            text.extend(std::iter::repeat_n(' ', before.saturating_sub(text.len())));
            text.push_str(self.text.get(token.span.start as usize..token.span.end as usize).unwrap_or_default());
        }
        (start.span.to(last.span), text)
    }
}
