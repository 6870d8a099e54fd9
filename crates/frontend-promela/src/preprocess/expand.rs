//! Macro calls: finding them, and reading what they become.

use std::mem;
use std::rc::Rc;

use ample_source::{Diagnostic, Expansion, ExpansionKind, Span};

use super::frames::Context;
use super::interner::Symbol;
use super::macros::Macro;
use super::preprocessor::Preprocessor;
use super::token::PpToken;
use crate::lexer::Lexeme;

/// How many macros may be in the middle of their expansion: each may call the next in its body.
const MAX_CONTEXTS: usize = 1_000;

/// How deeply calls may stand in the arguments of calls. This is the one recursion of the
/// preprocessor.
const MAX_ISOLATION: usize = 200;

/// The arguments of a call, and its closing parenthesis.
struct Arguments {
    lists: Vec<Vec<PpToken>>,
    close: Span,
}

impl Preprocessor<'_> {
    /// The next token behind all macros.
    pub(super) fn next_expanded(&mut self) -> PpToken {
        loop {
            let mut token = self.read();
            if token.fresh && self.isolation == 0 {
                // Even if the token is a macro that becomes nothing, gcc has begun a new line by
                // now.
                self.newline_pending = true;
                self.printed_line = token.line;
            }
            if token.lexeme != Lexeme::Ident || token.painted {
                return token;
            }
            let Some(definition) = self.macros.get(&token.text).map(Rc::clone) else { return token };
            if self.disabled.contains(token.text) {
                token.painted = true;
                return token;
            }
            if !self.call(token, &definition) {
                return token;
            }
        }
    }

    /// Expands `tokens` as if there were nothing else: an argument, or the condition of an `#if`.
    pub(super) fn expand_alone(&mut self, tokens: Vec<PpToken>) -> Vec<PpToken> {
        let contexts = mem::replace(&mut self.contexts, vec![Context { tokens, next: 0, of: None }]);
        self.isolation += 1;
        let mut expanded = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.lexeme == Lexeme::EndOfFile {
                break;
            }
            expanded.push(token);
        }
        self.isolation -= 1;
        self.contexts = contexts;
        expanded
    }

    /// The next token, before macros.
    fn read(&mut self) -> PpToken {
        while !self.halted {
            let Some(context) = self.contexts.last_mut() else {
                return if self.isolation == 0 { self.read_file() } else { self.end_of_file() };
            };
            if let Some(&token) = context.tokens.get(context.next) {
                context.next += 1;
                return token;
            }
            if let Some(Context { of: Some(name), .. }) = self.contexts.pop() {
                self.disabled.remove(name);
            }
        }
        self.end_of_file()
    }

    fn unread(&mut self, token: PpToken) {
        // At the end of a file there is nothing to give back; the reader knows that it is there.
        if token.lexeme != Lexeme::EndOfFile {
            self.contexts.push(Context { tokens: vec![token], next: 0, of: None });
        }
    }

    /// Replaces a call of the macro `name` by its body. False if this is no call after all.
    fn call(&mut self, name: PpToken, definition: &Macro) -> bool {
        let (arguments, end) = match &definition.parameters {
            None => (Vec::new(), name.span),
            Some(parameters) => {
                let open = self.read();
                if open.lexeme != Lexeme::LeftParen {
                    self.unread(open);
                    return false;
                }
                let Some(arguments) = self.read_arguments(name, definition) else { return false };
                if !self.check_arguments(name, definition, parameters, &arguments) {
                    return false;
                }
                (arguments.lists, arguments.close)
            }
        };
        if self.contexts.len() >= MAX_CONTEXTS || self.isolation >= MAX_ISOLATION {
            let message = format!("macro `{}` is nested too deeply in others", self.text(name));
            self.halt(Diagnostic::error(name.span, message));
            return false;
        }
        let expansion = self.map.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.interner.text(name.text).clone(),
            call: name.span.to(end),
            definition: definition.definition,
        });
        let tokens = self.substitute(name, definition, &arguments, expansion);
        if self.charge(tokens.len() + 1, name) {
            self.disabled.insert(name.text);
            self.contexts.push(Context { tokens, next: 0, of: Some(name.text) });
        }
        true
    }

    /// The arguments of a call, behind its opening parenthesis.
    fn read_arguments(&mut self, name: PpToken, definition: &Macro) -> Option<Arguments> {
        let mut lists = vec![Vec::new()];
        let mut depth = 0_usize;
        loop {
            let mut token = self.read();
            match token.lexeme {
                Lexeme::EndOfFile => {
                    let message = format!("this call of macro `{}` is never closed", self.text(name));
                    let error = Diagnostic::error(name.span, message).help("close it with `)`");
                    self.diagnostics.push(error.secondary(definition.definition, "the macro is defined here"));
                    return None;
                }
                Lexeme::RightParen if depth == 0 => return Some(Arguments { lists, close: token.span }),
                Lexeme::Comma if depth == 0 => {
                    lists.push(Vec::new());
                    continue;
                }
                Lexeme::LeftParen => depth += 1,
                Lexeme::RightParen => depth -= 1,
                _ => {}
            }
            // A line end in an argument is a blank.
            token.spaced |= mem::take(&mut token.fresh);
            if let Some(list) = lists.last_mut() {
                list.push(token);
            }
        }
    }

    fn check_arguments(
        &mut self,
        name: PpToken,
        definition: &Macro,
        parameters: &[Symbol],
        arguments: &Arguments,
    ) -> bool {
        let given = match arguments.lists.as_slice() {
            // `f()` has one empty argument, or none, as the macro wants it.
            [only] if only.is_empty() && parameters.is_empty() => 0,
            lists => lists.len(),
        };
        if given == parameters.len() {
            return true;
        }
        let wanted = match parameters.len() {
            1 => "1 argument".to_string(),
            number => format!("{number} arguments"),
        };
        let message = format!("macro `{}` takes {wanted}, but {given} are given", self.text(name));
        let message = if given == 1 { message.replace("are given", "is given") } else { message };
        let error = Diagnostic::error(name.span.to(arguments.close), message);
        self.diagnostics.push(error.secondary(definition.definition, "defined here"));
        false
    }
}
