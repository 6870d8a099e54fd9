//! The preprocessor itself: what it has read and what it is reading, and its limits.

use std::collections::HashMap;
use std::rc::Rc;

use ample_source::{Diagnostic, Diagnostics, FileLoader, SourceMap, Span};
use ample_stdx::BitSet;

use super::frames::{Context, FileFrame};
use super::interner::{Interner, Symbol};
use super::macros::Macro;
use super::token::PpToken;
use crate::lexer::Lexeme;

/// How many tokens macros may produce before the model is refused, each macro call counted as one.
const MAX_EXPANDED_TOKENS: usize = 4_000_000;

/// A preprocessor on its way through a model.
pub(super) struct Preprocessor<'a> {
    pub(super) loader: &'a dyn FileLoader,
    pub(super) map: &'a mut SourceMap,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) interner: Interner,
    pub(super) macros: HashMap<Symbol, Rc<Macro>>,
    /// The macros whose contexts are on the stack.
    pub(super) disabled: BitSet<Symbol>,
    pub(super) contexts: Vec<Context>,
    /// How many arguments or conditions are being expanded on their own, one inside the other.
    pub(super) isolation: usize,
    pub(super) files: Vec<FileFrame>,
    pub(super) included_bytes: usize,
    pub(super) include_count: usize,
    pub(super) expanded_tokens: usize,
    /// A limit was reached: there are no more tokens.
    pub(super) halted: bool,
    pub(super) end: Span,
    pub(super) newline_pending: bool,
    pub(super) printed_line: u32,
}

impl<'a> Preprocessor<'a> {
    pub(super) fn new(loader: &'a dyn FileLoader, map: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Self {
        Preprocessor {
            loader,
            map,
            diagnostics,
            interner: Interner::default(),
            macros: HashMap::new(),
            disabled: BitSet::new(),
            contexts: Vec::new(),
            isolation: 0,
            files: Vec::new(),
            included_bytes: 0,
            include_count: 0,
            expanded_tokens: 0,
            halted: false,
            end: Span::default(),
            newline_pending: false,
            printed_line: 0,
        }
    }

    /// A limit was reached. Says so once, and lets the text end here.
    pub(super) fn halt(&mut self, diagnostic: Diagnostic) {
        if !self.halted {
            self.diagnostics.push(diagnostic);
            self.halted = true;
        }
    }

    /// Counts `tokens` that the macro `name` produced against the limit; false if that is too many.
    pub(super) fn charge(&mut self, tokens: usize, name: PpToken) -> bool {
        self.expanded_tokens = self.expanded_tokens.saturating_add(tokens);
        if self.expanded_tokens > MAX_EXPANDED_TOKENS {
            let message = format!("macro `{}` becomes too large", self.interner.text(name.text));
            let note = format!("macros may produce at most {MAX_EXPANDED_TOKENS} tokens in all");
            self.halt(Diagnostic::error(name.span, message).note(note));
        }
        !self.halted
    }

    pub(super) fn text(&self, token: PpToken) -> &str {
        self.interner.text(token.text)
    }

    pub(super) fn end_of_file(&mut self) -> PpToken {
        PpToken {
            lexeme: Lexeme::EndOfFile,
            text: self.interner.intern(""),
            span: self.end,
            line: 0,
            spaced: false,
            fresh: false,
            painted: false,
        }
    }
}
