//! Inline definitions and calls.

use std::collections::HashMap;
use std::sync::Arc;

use ample_source::{Diagnostic, Expansion, ExpansionKind, Span};

use crate::lexer::TokenKind;
use crate::parser::state::{Inline, Parsed, Parser};
use crate::preprocess::Token;
use crate::syntax::{Statement, VarRef};

/// Inline calls may expand to so many tokens: each call of a call doubles them.
const MAX_INLINED: usize = 2_000_000;

impl Parser<'_> {
    /// `inline name(parameters) { body }`.
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        self.expect_word("inline")?;
        let name = self.name("the name of the inline")?;
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let mut parameters = Vec::new();
        while !self.at(&TokenKind::RightParen) {
            parameters.push(self.name("a parameter")?);
            if !self.accept(&TokenKind::Comma) {
                break;
            }
        }
        self.expect(&TokenKind::RightParen, "`,` or `)`")?;
        if !self.at(&TokenKind::LeftBrace) {
            return self.unexpected("the body of the inline, in braces");
        }
        self.cursor.mark();
        self.skip_balanced(&TokenKind::LeftBrace, &TokenKind::RightBrace);
        let body = self.cursor.taken().to_vec();
        if body.last().is_none_or(|token| token.kind != TokenKind::RightBrace) {
            return self.report(
                Diagnostic::error(name.span, format!("the body of inline `{}` is not closed", name.text))
                    .help("add the missing `}`"),
            );
        }
        if let Some(other) = self.inlines.get(&name.text) {
            let other = other.name.span;
            return self.report(
                Diagnostic::error(name.span, format!("inline `{}` is defined twice", name.text))
                    .secondary(other, "first defined here"),
            );
        }
        self.inlines.insert(name.text.clone(), Arc::new(Inline { name, parameters, body }));
        Ok(())
    }

    /// The inline that the next name calls, if it is one.
    pub(super) fn called_inline(&self, ahead: usize) -> Option<Arc<Inline>> {
        match (self.cursor.peek_at(ahead), self.cursor.peek_at(ahead + 1)) {
            (TokenKind::Ident(name), TokenKind::LeftParen) => self.inlines.get(name).cloned(),
            _ => None,
        }
    }

    /// Parses `name(arguments)` and then the body with the arguments in place; `result` takes what
    /// it returns.
    pub(super) fn inline_call(&mut self, inline: &Inline, result: Option<VarRef>) -> Parsed<Statement> {
        let call = self.cursor.span();
        let name = self.name("the name of an inline")?;
        let arguments = self.inline_arguments()?;
        if arguments.len() != inline.parameters.len() {
            let message = format!(
                "inline `{}` takes {}, this call gives {}",
                name.text,
                count(inline.parameters.len(), "argument"),
                arguments.len()
            );
            let definition = inline.name.span;
            return self.report(Diagnostic::error(call, message).secondary(definition, "defined here"));
        }
        if self.calls.iter().any(|(caller, _)| caller.text == name.text) {
            return self.error(call, format!("inline `{}` calls itself, so its text has no end", name.text));
        }
        self.inlined += inline.body.len() + arguments.iter().map(Vec::len).sum::<usize>();
        if self.inlined > MAX_INLINED {
            return self.give_up(call, "the inline calls of this model expand to too much text");
        }
        let body = self.substitute(inline, &arguments, call);
        self.cursor.push(body.into_iter());
        self.calls.push((name, result));
        let statement = self.nested(Self::statement);
        self.calls.pop();
        statement
    }

    /// `(a, b, c)`, each argument as tokens.
    fn inline_arguments(&mut self) -> Parsed<Vec<Vec<Token>>> {
        let open = self.expect(&TokenKind::LeftParen, "`(`")?;
        let mut arguments = vec![Vec::new()];
        let mut depth = 0_usize;
        loop {
            let span = self.cursor.span();
            let kind = self.cursor.take();
            match kind {
                TokenKind::Eof => return self.error(open, "this parenthesis is not closed"),
                TokenKind::RightParen if depth == 0 => break,
                TokenKind::Comma if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => depth -= 1,
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(Token { kind, span, newline_before: false });
            }
        }
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        Ok(arguments)
    }

    fn substitute(&mut self, inline: &Inline, arguments: &[Vec<Token>], call: Span) -> Vec<Token> {
        let expansion = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: inline.name.text.clone(),
            call,
            definition: inline.name.span,
        });
        let by_name: HashMap<&str, &Vec<Token>> =
            inline.parameters.iter().map(|parameter| &*parameter.text).zip(arguments).collect();
        let mut body = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            let replaced = match &token.kind {
                TokenKind::Ident(name) => by_name.get(&**name),
                _ => None,
            };
            match replaced {
                Some(argument) => {
                    let first = body.len();
                    body.extend(argument.iter().cloned());
                    if let Some(token_before) = body.get_mut(first) {
                        token_before.newline_before = token.newline_before;
                    }
                }
                None => {
                    let span = self.sources.rebase(token.span, expansion);
                    body.push(Token { span, ..token.clone() });
                }
            }
        }
        body
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
