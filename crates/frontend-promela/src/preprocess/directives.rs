//! The lines that begin with `#`.

use ample_source::{Diagnostic, Span};
use ample_stdx::suggest;

use super::conditionals::Opening;
use super::preprocessor::Preprocessor;
use super::token::{PpToken, string_content};
use crate::lexer::{Lexeme, RawToken};

const NAMES: [&str; 13] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "warning", "line",
    "pragma",
];

impl Preprocessor<'_> {
    /// Obeys the directive that begins with `hash`, and leaves the reader at the end of its line.
    pub(super) fn directive(&mut self, hash: RawToken) {
        // A `#` alone is a directive that does nothing.
        let Some(raw) = self.peek_on_line() else { return };
        let start = self.span_of(hash);
        self.step();
        let mut name = self.intern(raw);
        name.span = start.to(name.span);
        let text = self.interner.text(name.text).clone();
        let depth = self.files.len();
        self.conditional_directive(&text, name);
        if self.files.len() == depth {
            // What the directive did not want: all of it, if it is skipped or unknown.
            while self.peek_on_line().is_some() {
                self.step();
            }
        }
    }

    /// The directives that are obeyed even in skipped text, because they end it.
    fn conditional_directive(&mut self, text: &str, name: PpToken) {
        match text {
            "if" => self.open_conditional(Opening::If, name),
            "ifdef" => self.open_conditional(Opening::IfDefined, name),
            "ifndef" => self.open_conditional(Opening::IfNotDefined, name),
            "elif" => self.next_branch(name),
            "else" | "endif" => {
                if !self.is_skipping() {
                    let line = self.rest_of_line();
                    self.warn_of_more(&line, name);
                }
                match text {
                    "else" => self.last_branch(name),
                    _ => self.close_conditional(name),
                }
            }
            _ if self.is_skipping() => {}
            _ => self.plain_directive(text, name),
        }
    }

    fn plain_directive(&mut self, text: &str, name: PpToken) {
        match text {
            "define" => self.define(name),
            "undef" => self.undefine(name),
            "include" => self.include_directive(name),
            "error" => {
                let message = self.message_of_line(name);
                self.diagnostics.push(Diagnostic::error(name.span, message));
            }
            "warning" => {
                let message = self.message_of_line(name);
                self.diagnostics.push(Diagnostic::warning(name.span, message));
            }
            // Positions in another file, and messages to a C compiler: nothing that changes the
            // model.
            "line" | "pragma" | "ident" => {}
            _ if name.lexeme == Lexeme::Int => {}
            _ => self.unknown_directive(text, name),
        }
    }

    fn unknown_directive(&mut self, text: &str, name: PpToken) {
        let error = Diagnostic::error(name.span, format!("unknown directive `#{text}`"));
        self.diagnostics.push(match suggest(text, NAMES) {
            Some(known) => error.help(format!("did you mean `#{known}`?")),
            None => error,
        });
    }

    /// The words of an `#error` or `#warning`, as written.
    fn message_of_line(&mut self, name: PpToken) -> String {
        let line = self.rest_of_line();
        let words = match (line.first(), line.last()) {
            (Some(first), Some(last)) => self.map.text(first.span.to(last.span)),
            _ => "",
        };
        match words {
            "" => format!("`#{}`", self.text(name)),
            words => format!("`#{}`: {words}", self.text(name)),
        }
    }

    fn undefine(&mut self, directive: PpToken) {
        let line = self.rest_of_line();
        if let Some(name) = self.macro_name(&line, directive) {
            self.warn_of_more(&line[1..], directive);
            self.macros.remove(&name.text);
        }
    }

    fn include_directive(&mut self, directive: PpToken) {
        let mut line = self.rest_of_line();
        if !matches!(line.first().map(|token| token.lexeme), Some(Lexeme::Str | Lexeme::Less)) {
            line = self.expand_alone(line);
        }
        let whole = |line: &[PpToken]| -> Span {
            let last = line.last().map_or(directive.span, |token| token.span);
            line.first().map_or(directive.span, |first| first.span.to(last))
        };
        match line.first() {
            Some(name) if name.lexeme == Lexeme::Str => {
                self.warn_of_more(&line[1..], directive);
                let path = string_content(self.text(*name));
                self.include(&path, name.span);
            }
            Some(less) if less.lexeme == Lexeme::Less => {
                self.diagnostics.push(
                    Diagnostic::error(whole(&line), "`#include` with angle brackets")
                        .note("a model has no system headers")
                        .help("name a file of the model in quotes: `#include \"file\"`"),
                );
            }
            _ => {
                let error = Diagnostic::error(whole(&line), "`#include` needs the name of a file");
                self.diagnostics.push(error.help("write `#include \"file\"`"));
            }
        }
    }

    /// The name at the start of a line that defines or removes a macro; none, with an error, if it
    /// is wrong.
    pub(super) fn macro_name(&mut self, line: &[PpToken], directive: PpToken) -> Option<PpToken> {
        let message = match line.first() {
            Some(name) if name.lexeme == Lexeme::Ident && self.text(*name) == "defined" => {
                "`defined` cannot be the name of a macro".to_string()
            }
            Some(name) if name.lexeme == Lexeme::Ident => return Some(*name),
            _ => format!("`#{}` needs the name of a macro", self.text(directive)),
        };
        let span = line.first().map_or(directive.span, |token| token.span);
        self.diagnostics.push(Diagnostic::error(span, message));
        None
    }

    /// Warns of words behind a complete directive.
    pub(super) fn warn_of_more(&mut self, rest: &[PpToken], directive: PpToken) {
        if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
            let message = format!("more text after `#{}`", self.text(directive));
            let warning = Diagnostic::warning(first.span.to(last.span), message).label("ignored");
            self.diagnostics.push(warning);
        }
    }
}
