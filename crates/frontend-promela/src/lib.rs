//! The Promela front end: text to a model, its properties and diagnostics.
//!
//! The stages are a preprocessor that keeps track of where each token came from, a parser that expands inline calls and
//! recovers from errors, and a lowering that resolves names and links control flow.

mod cursor;
pub mod lexer;
mod lower;
mod parser;
pub mod preprocess;
mod syntax;

use std::path::Path;

use ample_model::Model;
use ample_property::Property;
use ample_source::{Diagnostics, SourceMap};

use crate::preprocess::FileLoader;

/// Reads a Promela text. The model is to be used only if `diagnostics` has no errors afterwards.
pub fn read(
    root: &Path,
    text: String,
    loader: &dyn FileLoader,
    defines: &[(String, String)],
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Property>)> {
    let preprocessed = preprocess::preprocess(root, text, loader, defines, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let program = parser::parse(preprocessed.tokens, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let name = root.display().to_string();
    let result = lower::lower(&name, &program, sources, diagnostics);
    (!diagnostics.has_errors()).then_some(result)
}
