//! A model behind the preprocessor, and the macros that it leaves behind for texts that are about
//! it: formulas and claims.

use std::collections::HashMap;
use std::mem;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use ample_source::{Diagnostics, FileLoader, MemoryLoader, SourceMap, Span};

use super::interner::{Interner, Symbol};
use super::macros::Macro;
use super::preprocessor::Preprocessor;
use super::token::{PpToken, Token};
use crate::lexer::{self, Lexeme, TokenKind};

/// A model behind the preprocessor.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// Its tokens; the last is always [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// The macros at its end.
    pub definitions: Definitions,
}

/// The macros as they are at the end of a model.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    interner: Interner,
    macros: HashMap<Symbol, Rc<Macro>>,
}

impl Definitions {
    /// The names of the macros, sorted.
    pub fn names(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.macros.keys().map(|name| Arc::clone(self.interner.text(*name))).collect();
        names.sort_unstable();
        names
    }

    /// The tokens of the text at `place`, macros expanded; the last is [`TokenKind::Eof`]. There
    /// are no directives in it.
    pub fn expand(&mut self, place: Span, map: &mut SourceMap, diagnostics: &mut Diagnostics) -> Vec<Token> {
        let loader = MemoryLoader::new();
        let mut preprocessor = Preprocessor::new(&loader, map, diagnostics);
        preprocessor.interner = mem::take(&mut self.interner);
        preprocessor.macros = mem::take(&mut self.macros);
        let tokens = preprocessor.raw_tokens(place);
        let expanded = preprocessor.expand_alone(tokens);
        let kinds = expanded.into_iter().filter_map(|token| {
            preprocessor.finish(token).map(|kind| Token { kind, span: token.span, newline_before: false })
        });
        let mut tokens: Vec<Token> = kinds.collect();
        tokens.push(Token { kind: TokenKind::Eof, span: place.after(), newline_before: false });
        self.interner = preprocessor.interner;
        self.macros = preprocessor.macros;
        tokens
    }

    /// Preprocesses another text, as if it stood behind the model. Its own macros are not kept.
    pub fn preprocess(
        &self,
        root: &Path,
        text: &str,
        loader: &dyn FileLoader,
        map: &mut SourceMap,
        diagnostics: &mut Diagnostics,
    ) -> Preprocessed {
        let mut preprocessor = Preprocessor::new(loader, map, diagnostics);
        preprocessor.interner = self.interner.clone();
        preprocessor.macros = self.macros.clone();
        preprocessor.enter_root(root.to_path_buf(), text.to_owned(), &[]);
        preprocessor.run()
    }
}

impl Preprocessor<'_> {
    /// Reads everything that was entered.
    pub(super) fn run(mut self) -> Preprocessed {
        let mut tokens = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.lexeme == Lexeme::EndOfFile {
                if self.halted || self.files.is_empty() {
                    break;
                }
                continue;
            }
            if let Some(kind) = self.finish(token) {
                let newline_before = self.newline_before(token);
                tokens.push(Token { kind, span: token.span, newline_before });
            }
        }
        tokens.push(Token { kind: TokenKind::Eof, span: self.end, newline_before: true });
        let definitions = Definitions { interner: self.interner, macros: self.macros };
        Preprocessed { tokens, definitions }
    }

    /// The words of the text at `place`, without its line ends.
    fn raw_tokens(&mut self, place: Span) -> Vec<PpToken> {
        let lexed = lexer::lex(self.map.text(place));
        let shifted = |start: u32, end: u32| Span { start: place.start + start, end: place.start + end, ..place };
        self.report_comments(&lexed, place);
        let words = lexed.tokens.into_iter().filter(|raw| raw.lexeme != Lexeme::Newline);
        words.map(|raw| self.intern_at(raw, shifted(raw.start, raw.end))).collect()
    }
}
