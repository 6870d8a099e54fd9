//! The Promela front end: text to a model, its properties and diagnostics.
//!
//! The stages are a preprocessor that keeps track of where each token came from, a parser that
//! expands inline calls and recovers from errors, and a lowering that resolves names and links
//! control flow. What is given beside the text joins it before the lowering ([`ParsedText`]).

mod claims;
mod cursor;
pub mod lexer;
mod lower;
mod parser;
pub mod preprocess;
mod syntax;
mod text;

use ample_property::ParsedText;
use ample_source::{Diagnostics, Request, SourceMap};

use crate::text::Text;

/// Parses a Promela text; `None` if the diagnostics have errors.
pub fn parse<'a>(
    request: Request<'a>,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
) -> Option<impl ParsedText + 'a> {
    let Request { root, text, loader, defines, .. } = request;
    let preprocessed = preprocess::preprocess(root, text, loader, defines, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut program = parser::parse(preprocessed.tokens, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let definitions = preprocessed.definitions;
    program.macros = definitions.names();
    Some(Text { program, definitions, root, loader, sources, diagnostics })
}
