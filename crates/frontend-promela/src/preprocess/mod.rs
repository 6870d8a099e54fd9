//! The preprocessor: `#include`, macros and conditionals, with the origin of every token.
//!
//! Spin sends a model through gcc's preprocessor. This one gives the same tokens, and keeps what
//! that one loses: where each token was spelt and through which macros it came. Two differences are
//! deliberate. gcc reads `1..N` as one malformed number, so that `N` is never replaced; here it is
//! `1`, `..` and `N`. And nothing is predefined, so that `linux` and `unix` are names like others.
//!
//! Invariants:
//! - It always ends. Macros, includes and nesting have limits; a model beyond one gets an error,
//!   and its text ends there.
//! - It never looks at the file system except through a [`FileLoader`].
//! - It does not judge tokens. Characters that are not Promela go on to the parser, which knows
//!   whether they stand in embedded C.
//!
//! How it works: a stack of files gives raw tokens and obeys directives ([`directives`],
//! [`conditionals`]); above it, a stack of contexts gives the tokens of macro bodies that are being
//! read ([`expand`]). This is the classic algorithm of Prosser, in the form that gcc gave it: a
//! macro is disabled while its context is on the stack, and a name met while disabled is "painted
//! blue" and never expanded again.

mod condition;
mod conditionals;
mod define;
mod definitions;
mod directives;
mod expand;
mod files;
mod interner;
mod substitute;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ample_source::{Diagnostic, Diagnostics, FileLoader, SourceMap, Span};
use ample_stdx::BitSet;

use crate::lexer::{Lexeme, TokenKind};
use define::Macro;
pub use definitions::Definitions;
use expand::Context;
use files::FileFrame;
use interner::{Interner, Symbol};

/// A word of the preprocessed model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is spelt, and through which macros it came. A token made by `##` has the span of
    /// the first of its parts, and one made by `#` that of the operator, so their spelling is not
    /// that of the span.
    pub span: Span,
    /// Whether a line end of the text stands between the previous token and this one.
    ///
    /// Promela inserts semicolons at line ends, and Spin sees those that gcc prints. So: false
    /// within what a macro call produces, however many lines the call covers; true at the first
    /// token on another line than that of the previous one, even if only a comment or a continued
    /// line put it there.
    pub newline_before: bool,
}

/// A model behind the preprocessor.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// Its tokens; the last is always [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// The macros at its end.
    pub definitions: Definitions,
}

/// How many tokens macros may produce before the model is refused, each macro call counted as one.
const MAX_EXPANDED_TOKENS: usize = 4_000_000;

/// Preprocesses the model `text`.
///
/// `root` is the path of the model: its name in messages, and the directory for its includes.
/// `defines` are the macros of the command line, as names with values.
pub fn preprocess(
    root: &Path,
    text: impl Into<String>,
    loader: &dyn FileLoader,
    defines: &[(String, String)],
    map: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(loader, map, diagnostics);
    preprocessor.enter_root(root.to_path_buf(), text.into(), defines);
    preprocessor.run()
}

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, Debug)]
struct PpToken {
    lexeme: Lexeme,
    text: Symbol,
    span: Span,
    /// The line on which a reader sees it: that of the outermost macro call, if it came through
    /// one.
    line: u32,
    /// Whether a blank stands before it.
    spaced: bool,
    /// Whether it is the first of a line of a file.
    fresh: bool,
    /// Painted blue: a macro's name that was met inside of that macro's own expansion.
    painted: bool,
}

struct Preprocessor<'a> {
    loader: &'a dyn FileLoader,
    map: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    interner: Interner,
    macros: HashMap<Symbol, Rc<Macro>>,
    /// The macros whose contexts are on the stack.
    disabled: BitSet<Symbol>,
    contexts: Vec<Context>,
    /// How many arguments or conditions are being expanded on their own, one inside the other.
    isolation: usize,
    files: Vec<FileFrame>,
    included_bytes: usize,
    include_count: usize,
    expanded_tokens: usize,
    /// A limit was reached: there are no more tokens.
    halted: bool,
    end: Span,
    newline_pending: bool,
    printed_line: u32,
}

impl<'a> Preprocessor<'a> {
    fn new(loader: &'a dyn FileLoader, map: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Self {
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

    fn run(mut self) -> Preprocessed {
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

    /// See [`Token::newline_before`]: gcc starts a new line of output for the first token of a
    /// line, and for a token that stands on another line than that of the output.
    fn newline_before(&mut self, token: PpToken) -> bool {
        let moved = token.line != self.printed_line;
        let newline = std::mem::take(&mut self.newline_pending) || moved;
        self.printed_line = token.line;
        newline
    }

    /// The token that a parser sees; none for what was reported and is left out.
    fn finish(&mut self, token: PpToken) -> Option<TokenKind> {
        let text = Arc::clone(self.interner.text(token.text));
        match token.lexeme {
            Lexeme::Ident => Some(TokenKind::Ident(text)),
            Lexeme::Int => Some(self.finish_int(&text, token.span)),
            Lexeme::Hex => Some(TokenKind::Hex(text)),
            Lexeme::Char => Some(self.finish_char(&text, token.span)),
            Lexeme::Str => Some(TokenKind::Str(string_content(&text).into())),
            Lexeme::UnterminatedStr => {
                let error = Diagnostic::error(token.span, "this string has no closing quote on its line");
                self.diagnostics.push(error);
                None
            }
            punctuation => punctuation.punctuation().or(text.chars().next().map(TokenKind::Unknown)),
        }
    }

    /// The value of a number as Spin takes it: `(int) strtol(text)`.
    fn finish_int(&mut self, text: &str, span: Span) -> TokenKind {
        // Only a number too large for 64 bits fails here, and there `strtol` saturates.
        let wide: i64 = text.parse().unwrap_or(i64::MAX);
        let value = wide as i32;
        if i64::from(value) != wide {
            let warning = Diagnostic::warning(span, format!("the number {text} does not fit into 32 bits"))
                .label(format!("becomes {value}"));
            self.diagnostics.push(warning);
        }
        TokenKind::Int(value)
    }

    /// The value of a character constant, with a warning where Spin's reading may surprise.
    fn finish_char(&mut self, text: &str, span: Span) -> TokenKind {
        if let [b'\'', b'\\', escaped, ..] = text.as_bytes()
            && !b"nrtf\\'\"".contains(escaped)
        {
            let escaped = char::from(*escaped);
            let warning = Diagnostic::warning(span, format!("unknown escape `\\{escaped}`"))
                .label(format!("stands for the character `{escaped}`"));
            self.diagnostics.push(warning);
        }
        TokenKind::Char(char_value(text))
    }

    /// A limit was reached. Says so once, and lets the text end here.
    fn halt(&mut self, diagnostic: Diagnostic) {
        if !self.halted {
            self.diagnostics.push(diagnostic);
            self.halted = true;
        }
    }

    /// Counts `tokens` that the macro `name` produced against the limit; false if that is too many.
    fn charge(&mut self, tokens: usize, name: PpToken) -> bool {
        self.expanded_tokens = self.expanded_tokens.saturating_add(tokens);
        if self.expanded_tokens > MAX_EXPANDED_TOKENS {
            let message = format!("macro `{}` becomes too large", self.interner.text(name.text));
            let note = format!("macros may produce at most {MAX_EXPANDED_TOKENS} tokens in all");
            self.halt(Diagnostic::error(name.span, message).note(note));
        }
        !self.halted
    }

    fn text(&self, token: PpToken) -> &str {
        self.interner.text(token.text)
    }

    fn end_of_file(&mut self) -> PpToken {
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

/// The value of a character constant. Spin knows four escapes; any other character stands for
/// itself.
fn char_value(text: &str) -> i32 {
    let byte = match text.as_bytes() {
        [_, b'\\', b'n', ..] => b'\n',
        [_, b'\\', b'r', ..] => b'\r',
        [_, b'\\', b't', ..] => b'\t',
        [_, b'\\', b'f', ..] => 0x0c,
        [_, b'\\', escaped, ..] => *escaped,
        [_, plain, ..] => *plain,
        // The lexer gives no empty constant.
        _ => 0,
    };
    i32::from(byte)
}

/// What stands between the quotes, without continued lines.
fn string_content(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    inner.replace("\\\r\n", "").replace("\\\n", "")
}

/// The directory of the file at `path`, for its includes.
fn directory(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}
