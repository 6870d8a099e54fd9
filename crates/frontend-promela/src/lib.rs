//! The Promela front end: text to a model, its properties and diagnostics.
//!
//! The stages are a preprocessor that keeps track of where each token came from, a parser that expands inline calls and
//! recovers from errors, and a lowering that resolves names and links control flow. Formulas and claims that are
//! given beside the text join it before the lowering.

mod cursor;
pub mod lexer;
mod lower;
mod outer_claims;
mod outer_formulas;
mod parser;
pub mod preprocess;
mod syntax;

use ample_model::Model;
use ample_property::Property;
use ample_source::{Diagnostics, Request, SourceMap};

use crate::outer_formulas::Outer;

/// Reads a Promela text. The model is to be used only if `diagnostics` has no errors afterwards.
pub fn read(
    request: Request<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Property>)> {
    let Request { root, text, loader, defines, formulas, claims, wanted: _ } = request;
    let mut preprocessed = preprocess::preprocess(root, text, loader, defines, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut program = parser::parse(preprocessed.tokens, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    program.macros = preprocessed.definitions.names();
    let mut outer = Outer { program: &mut program, definitions: &mut preprocessed.definitions, sources, diagnostics };
    outer.add_formulas(formulas);
    outer.add_claims(claims, loader);
    let name = root.display().to_string();
    let result = lower::lower(&name, &program, sources, diagnostics);
    (!diagnostics.has_errors()).then_some(result)
}
