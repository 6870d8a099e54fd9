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
mod finish;
mod frames;
mod interner;
mod macros;
mod preprocessor;
mod substitute;
mod token;

use std::path::Path;

use ample_source::{Diagnostics, FileLoader, SourceMap};

pub use definitions::{Definitions, Preprocessed};
use preprocessor::Preprocessor;
pub use token::Token;

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
