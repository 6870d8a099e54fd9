//! The body of a macro with the arguments of a call in it.

use ample_source::{Diagnostic, ExpansionId};

use super::macros::{Macro, Part};
use super::preprocessor::Preprocessor;
use super::token::PpToken;
use crate::lexer::{self, Lexeme};

/// The arguments of one call, as written and, where that was asked for, expanded.
struct Arguments<'a> {
    written: &'a [Vec<PpToken>],
    expanded: Vec<Option<Vec<PpToken>>>,
}

impl Preprocessor<'_> {
    /// What the call of the macro `name` becomes.
    pub(super) fn substitute(
        &mut self,
        name: PpToken,
        definition: &Macro,
        arguments: &[Vec<PpToken>],
        expansion: ExpansionId,
    ) -> Vec<PpToken> {
        let mut arguments = Arguments { written: arguments, expanded: vec![None; arguments.len()] };
        let body = &definition.body;
        let mut tokens: Vec<PpToken> = Vec::with_capacity(body.len());
        // Where the operands of the current chain of `##` begin: an empty operand leaves nothing
        // there.
        let mut chain = 0;
        let mut paste: Option<PpToken> = None;
        for (index, part) in body.iter().enumerate() {
            let is_pasted = paste.is_some() || matches!(body.get(index + 1), Some(Part::Paste(_)));
            let operand = match *part {
                Part::Paste(operator) => {
                    paste = Some(operator);
                    continue;
                }
                Part::Token(token) => vec![in_expansion(token, expansion)],
                Part::Stringise(parameter, operator) => {
                    let written = arguments.written.get(parameter).map_or(&[][..], Vec::as_slice);
                    vec![in_expansion(self.stringise(written, operator), expansion)]
                }
                Part::Argument(parameter, place) => self.argument(&mut arguments, parameter, place, is_pasted),
            };
            match paste.take() {
                Some(operator) => self.paste(&mut tokens, chain, operand, in_expansion(operator, expansion)),
                None => {
                    chain = tokens.len();
                    tokens.extend(operand);
                }
            }
            if !self.charge_early(tokens.len(), name) {
                break;
            }
        }
        for token in &mut tokens {
            token.line = name.line;
        }
        if let Some(first) = tokens.first_mut() {
            first.spaced = name.spaced || name.fresh;
        }
        tokens
    }

    /// Stops a body that repeats a large argument before it fills the memory.
    fn charge_early(&mut self, tokens: usize, name: PpToken) -> bool {
        let charged = self.expanded_tokens;
        let is_small = self.charge(tokens, name);
        self.expanded_tokens = charged;
        is_small
    }

    /// Counts a long spelling as several tokens: `x ## x`, forty times over, is one token of a
    /// terabyte.
    fn charge_text(&mut self, text: &str, operator: PpToken) {
        self.charge(text.len() / 16, operator);
    }

    /// The tokens for a parameter: expanded, except beside `##`.
    fn argument(
        &mut self,
        arguments: &mut Arguments<'_>,
        parameter: usize,
        place: PpToken,
        is_pasted: bool,
    ) -> Vec<PpToken> {
        let Some(written) = arguments.written.get(parameter) else { return Vec::new() };
        let mut tokens = match &arguments.expanded[parameter] {
            _ if is_pasted => written.clone(),
            Some(known) => known.clone(),
            None => {
                let expanded = self.expand_alone(written.clone());
                arguments.expanded[parameter] = Some(expanded.clone());
                expanded
            }
        };
        if let Some(first) = tokens.first_mut() {
            first.spaced = place.spaced;
        }
        tokens
    }

    /// `##`: joins the last of `tokens`, if the chain has one, with the first of `operand`.
    fn paste(&mut self, tokens: &mut Vec<PpToken>, chain: usize, operand: Vec<PpToken>, operator: PpToken) {
        let mut operand = operand.into_iter();
        if tokens.len() > chain
            && let Some(left) = tokens.pop()
        {
            match operand.next() {
                None => tokens.push(left),
                Some(right) => self.paste_two(tokens, left, right, operator),
            }
        }
        tokens.extend(operand);
    }

    fn paste_two(&mut self, tokens: &mut Vec<PpToken>, left: PpToken, right: PpToken, operator: PpToken) {
        let text = format!("{}{}", self.text(left), self.text(right));
        self.charge_text(&text, operator);
        match lexer::lex_one(&text) {
            Some(lexeme) => {
                let text = self.interner.intern(&text);
                tokens.push(PpToken { lexeme, text, painted: false, ..left });
            }
            None => {
                let message = format!("`##` joins `{}` and `{}`", self.text(left), self.text(right));
                let error = Diagnostic::error(operator.span, message).label("together they are no token");
                self.diagnostics.push(error);
                tokens.extend([left, right]);
            }
        }
    }

    /// `#`: the spelling of `argument` as a string.
    fn stringise(&mut self, argument: &[PpToken], operator: PpToken) -> PpToken {
        let mut text = String::from("\"");
        for (index, &token) in argument.iter().enumerate() {
            if index > 0 && token.spaced {
                text.push(' ');
            }
            let is_quoted = matches!(token.lexeme, Lexeme::Str | Lexeme::Char);
            for character in self.text(token).chars() {
                if is_quoted && matches!(character, '"' | '\\') {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        text.push('"');
        self.charge_text(&text, operator);
        PpToken { lexeme: Lexeme::Str, text: self.interner.intern(&text), ..operator }
    }
}

/// A token of a body, as it appears in one expansion.
fn in_expansion(token: PpToken, expansion: ExpansionId) -> PpToken {
    let mut token = token;
    token.span.expansion = Some(expansion);
    token
}
