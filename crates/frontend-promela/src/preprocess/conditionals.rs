//! `#if` and its kin: which parts of a file are read.

use ample_source::Diagnostic;

use super::frames::Conditional;
use super::preprocessor::Preprocessor;
use super::token::PpToken;
use crate::lexer::Lexeme;

/// A directive that opens a conditional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opening {
    If,
    IfDefined,
    IfNotDefined,
}

impl Preprocessor<'_> {
    pub(super) fn open_conditional(&mut self, opening: Opening, directive: PpToken) {
        // What is skipped is not even looked at: its conditions need not make sense.
        let skipped = self.is_skipping();
        let active = !skipped
            && match opening {
                Opening::If => self.evaluate_line(directive),
                Opening::IfDefined => self.name_is_defined(directive) == Some(true),
                Opening::IfNotDefined => self.name_is_defined(directive) == Some(false),
            };
        let conditional = Conditional { opened: directive.span, active, decided: active || skipped, otherwise: None };
        if let Some(frame) = self.files.last_mut() {
            frame.conditionals.push(conditional);
        }
    }

    /// `#elif`.
    pub(super) fn next_branch(&mut self, directive: PpToken) {
        let Some(conditional) = self.innermost(directive) else { return };
        if let Some(otherwise) = conditional.otherwise {
            self.diagnostics.push(
                Diagnostic::error(directive.span, "`#elif` after `#else`").secondary(otherwise, "the `#else` is here"),
            );
            return;
        }
        let active = !conditional.decided && self.evaluate_line(directive);
        self.set_innermost(Conditional { active, decided: conditional.decided || active, ..conditional });
    }

    /// `#else`.
    pub(super) fn last_branch(&mut self, directive: PpToken) {
        let Some(conditional) = self.innermost(directive) else { return };
        if let Some(otherwise) = conditional.otherwise {
            self.diagnostics.push(
                Diagnostic::error(directive.span, "a second `#else`").secondary(otherwise, "the first one is here"),
            );
        }
        self.set_innermost(Conditional {
            active: !conditional.decided,
            decided: true,
            otherwise: Some(directive.span),
            ..conditional
        });
    }

    /// `#endif`.
    pub(super) fn close_conditional(&mut self, directive: PpToken) {
        if self.innermost(directive).is_some()
            && let Some(frame) = self.files.last_mut()
        {
            frame.conditionals.pop();
        }
    }

    /// The innermost open conditional. Without one, `directive` is an error.
    fn innermost(&mut self, directive: PpToken) -> Option<Conditional> {
        let conditional = self.files.last().and_then(|frame| frame.conditionals.last().cloned());
        if conditional.is_none() {
            let message = format!("`#{}` without `#if`", self.text(directive));
            self.diagnostics.push(Diagnostic::error(directive.span, message));
        }
        conditional
    }

    fn set_innermost(&mut self, conditional: Conditional) {
        if let Some(innermost) = self.files.last_mut().and_then(|frame| frame.conditionals.last_mut()) {
            *innermost = conditional;
        }
    }

    /// Whether the name on the rest of the line is that of a macro; none, with an error, if there
    /// is none.
    fn name_is_defined(&mut self, directive: PpToken) -> Option<bool> {
        let line = self.rest_of_line();
        match line.first() {
            Some(name) if name.lexeme == Lexeme::Ident => {
                self.warn_of_more(&line[1..], directive);
                Some(self.macros.contains_key(&name.text))
            }
            other => {
                let span = other.map_or(directive.span, |token| token.span);
                let message = format!("`#{}` needs the name of a macro", self.text(directive));
                self.diagnostics.push(Diagnostic::error(span, message));
                None
            }
        }
    }
}
