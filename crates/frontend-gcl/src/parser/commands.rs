//! Commands: a label, a guard, assignments.

use ample_source::Diagnostic;
use ample_stdx::suggest;

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Assignment, Command, Label, Value};

impl Parser<'_> {
    /// `[a] guard -> x := 1, y := input;`
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let (start, first) = (self.span(), self.at);
        let label = self.label()?;
        let guard = self.expression()?;
        if self.peek() == &TokenKind::Assign {
            let error = Diagnostic::error(self.span(), "a command has a guard before its assignments");
            return self.report(error.help("write `true -> x := …;` for what can always be done"));
        }
        if !self.eat(&TokenKind::Arrow) {
            return self.no_arrow(first);
        }
        let assignments = self.assignments()?;
        let span = start.to(self.previous());
        let text = self.parts(first);
        self.semicolon();
        Ok(Command { label, guard, assignments, text, span })
    }

    /// What begins at `first` is no command: perhaps something else was meant.
    fn no_arrow<T>(&mut self, first: usize) -> Parsed<T> {
        const ITEMS: &[&str] =
            &["const", "dominates", "end", "error", "ltl", "predicate", "process", "progress", "type", "var"];
        let word = match self.tokens.get(first).map(|token| &token.kind) {
            Some(TokenKind::Ident(word)) if matches!(self.peek(), TokenKind::Ident(_)) => Some(&**word),
            _ => None,
        };
        match word.and_then(|word| suggest(word, ITEMS.iter().copied()).map(|near| (word, near))) {
            Some((word, near)) => {
                let span = self.tokens[first].span;
                let error = Diagnostic::error(span, format!("no command and no declaration begins with `{word}`"));
                self.report(error.help(format!("did you mean `{near}`?")))
            }
            None => self.unexpected("an operator or `->`"),
        }
    }

    fn label(&mut self) -> Parsed<Label> {
        if self.eat_word("tau") {
            return Ok(Label::Silent);
        }
        if !self.eat(&TokenKind::LeftBracket) {
            return Ok(Label::None);
        }
        if self.is_word("tau") {
            let error = Diagnostic::error(self.span(), "`tau` is no name of an action");
            return self.report(error.help("an invisible command is written `tau guard -> …;`, without brackets"));
        }
        let name = self.name("the name of an action")?;
        if &*name.text == "i" {
            let error = Diagnostic::error(name.span, "no action can be called `i`");
            let error = error.note("in files with transition systems, `i` is the invisible action");
            self.diagnostics.push(error.help("write `tau` for an invisible command, or choose another name"));
        }
        self.expect(&TokenKind::RightBracket)?;
        Ok(Label::Named(name))
    }

    fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        if self.eat_word("skip") || self.peek() == &TokenKind::Semicolon {
            return Ok(Vec::new());
        }
        self.list(Self::assignment)
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let place = self.variable("a variable")?;
        if matches!(self.peek(), TokenKind::Equal | TokenKind::EqualEqual) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `:=`, found {found}"));
            return self.report(error.help("`=` compares; `:=` assigns"));
        }
        self.expect(&TokenKind::Assign)?;
        let ends = [TokenKind::Comma, TokenKind::Semicolon, TokenKind::Eof];
        let is_input = self.is_word("input") && ends.contains(self.peek_at(1));
        let value = if is_input { Value::Input } else { Value::Expr(self.expression()?) };
        if is_input {
            self.take();
        }
        Ok(Assignment { place, value })
    }

    /// The tokens from `first` on, with one blank where there was any, cut at each `input`.
    fn parts(&self, first: usize) -> Vec<String> {
        let taken = &self.tokens[first.min(self.at)..self.at];
        let mut parts = vec![String::new()];
        let mut end = None;
        for token in taken {
            let is_input = matches!(&token.kind, TokenKind::Ident(word) if &**word == "input");
            if let Some(part) = parts.last_mut() {
                if end.is_some_and(|end| end < token.span.start) {
                    part.push(' ');
                }
                if !is_input {
                    part.push_str(token.kind.to_string().trim_matches('`'));
                }
            }
            if is_input {
                parts.push(String::new());
            }
            end = Some(token.span.end);
        }
        parts
    }
}
