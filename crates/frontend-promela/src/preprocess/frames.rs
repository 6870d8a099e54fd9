//! What is being read: files with their open conditionals, and the tokens of macro calls.

use std::path::PathBuf;

use ample_source::{FileId, Span};

use super::interner::Symbol;
use super::token::PpToken;
use crate::lexer::RawToken;

/// An `#if` that is still open.
#[derive(Clone, Debug)]
pub(super) struct Conditional {
    /// The directive that opened it.
    pub(super) opened: Span,
    /// Whether the current branch is read.
    pub(super) active: bool,
    /// Whether no later branch can be read: one was, or the whole conditional stands in skipped
    /// text.
    pub(super) decided: bool,
    /// The `#else`, once met.
    pub(super) otherwise: Option<Span>,
}

/// A file that is being read.
#[derive(Debug)]
pub(super) struct FileFrame {
    pub(super) file: FileId,
    pub(super) path: PathBuf,
    pub(super) tokens: Vec<RawToken>,
    /// The position of the next token.
    pub(super) next: usize,
    /// Whether only blanks have been read on this line.
    pub(super) at_line_start: bool,
    /// The conditionals that are open, outermost first.
    pub(super) conditionals: Vec<Conditional>,
}

impl FileFrame {
    /// Whether the text at this point is in a branch that is not read.
    pub(super) fn is_skipping(&self) -> bool {
        self.conditionals.last().is_some_and(|conditional| !conditional.active)
    }
}

/// Tokens to be read before those of the file.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) tokens: Vec<PpToken>,
    pub(super) next: usize,
    /// The macro that these are the expansion of; it is disabled until they are read.
    pub(super) of: Option<Symbol>,
}
