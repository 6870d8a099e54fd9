//! `#define`: reading the definition of a macro.

use std::rc::Rc;

use ample_source::{Diagnostic, Span};

use super::interner::Symbol;
use super::macros::{Macro, Part};
use super::preprocessor::Preprocessor;
use super::token::PpToken;
use crate::lexer::Lexeme;

impl Preprocessor<'_> {
    /// `#define`.
    pub(super) fn define(&mut self, directive: PpToken) {
        let line = self.rest_of_line();
        let Some(name) = self.macro_name(&line, directive) else { return };
        match self.parse_macro(name, &line[1..]) {
            Ok(definition) => {
                self.warn_of_redefinition(name, &definition);
                self.macros.insert(name.text, Rc::new(definition));
            }
            Err(error) => self.diagnostics.push(*error),
        }
    }

    fn parse_macro(&self, name: PpToken, rest: &[PpToken]) -> Result<Macro, Box<Diagnostic>> {
        // Only a parenthesis that touches the name begins a list of parameters.
        let (parameters, body) = match rest.first() {
            Some(open) if open.lexeme == Lexeme::LeftParen && !open.spaced => {
                let (parameters, length) = self.parse_parameters(*open, &rest[1..])?;
                (Some(parameters), &rest[1 + length..])
            }
            _ => (None, rest),
        };
        let body = self.parse_body(parameters.as_deref(), body)?;
        Ok(Macro { definition: name.span, parameters, body })
    }

    /// The parameters behind `open`, and the number of tokens up to and with the closing
    /// parenthesis.
    fn parse_parameters(&self, open: PpToken, rest: &[PpToken]) -> Result<(Vec<Symbol>, usize), Box<Diagnostic>> {
        let mut parameters = Vec::new();
        if rest.first().is_some_and(|token| token.lexeme == Lexeme::RightParen) {
            return Ok((parameters, 1));
        }
        let error = |span: Span, message: &str| Err(Box::new(Diagnostic::error(span, message)));
        for (number, pair) in rest.chunks(2).enumerate() {
            let name = pair[0];
            if matches!(name.lexeme, Lexeme::DotDot | Lexeme::Dot) {
                return error(name.span, "macros with a variable number of arguments are not supported");
            }
            if name.lexeme != Lexeme::Ident {
                return error(name.span, "expected the name of a parameter");
            }
            if parameters.contains(&name.text) {
                return error(name.span, "this macro has two parameters of the same name");
            }
            parameters.push(name.text);
            match pair.get(1).map(|token| token.lexeme) {
                Some(Lexeme::RightParen) => return Ok((parameters, 2 * number + 2)),
                Some(Lexeme::Comma) => {}
                Some(Lexeme::DotDot) => {
                    return error(name.span, "macros with a variable number of arguments are not supported");
                }
                Some(_) => return error(pair[1].span, "expected `,` or `)` after the name of a parameter"),
                None => break,
            }
        }
        error(open.span, "this list of parameters is not closed on its line")
    }

    fn parse_body(&self, parameters: Option<&[Symbol]>, tokens: &[PpToken]) -> Result<Vec<Part>, Box<Diagnostic>> {
        let parameter = |token: &PpToken| parameters?.iter().position(|&name| name == token.text);
        let mut body: Vec<Part> = Vec::with_capacity(tokens.len());
        let mut rest = tokens.iter();
        while let Some(&token) = rest.next() {
            body.push(match token.lexeme {
                Lexeme::HashHash => Part::Paste(token),
                // Without parameters, `#` is a token like others.
                Lexeme::Hash if parameters.is_some() => match rest.next().and_then(parameter) {
                    Some(index) => Part::Stringise(index, token),
                    None => {
                        let message = "`#` must be followed by a parameter of the macro";
                        return Err(Box::new(Diagnostic::error(token.span, message)));
                    }
                },
                _ => match parameter(&token) {
                    Some(index) => Part::Argument(index, token),
                    None => Part::Token(token),
                },
            });
        }
        for end in [body.first(), body.last()] {
            if let Some(Part::Paste(token)) = end {
                let message = "`##` must stand between two tokens";
                return Err(Box::new(Diagnostic::error(token.span, message)));
            }
        }
        Ok(body)
    }

    fn warn_of_redefinition(&mut self, name: PpToken, definition: &Macro) {
        let Some(previous) = self.macros.get(&name.text) else { return };
        if !previous.is_same(definition) {
            let message = format!("macro `{}` is defined again, differently", self.text(name));
            let warning = Diagnostic::warning(name.span, message)
                .secondary(previous.definition, "the definition so far is here")
                .help("put `#undef` before it if this is meant");
            self.diagnostics.push(warning);
        }
    }
}
