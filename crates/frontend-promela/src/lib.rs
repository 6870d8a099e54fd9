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

use std::path::Path;

use ample_model::Model;
use ample_property::{ClaimText, Property};
use ample_source::{Diagnostics, SourceMap};

use crate::outer_formulas::Outer;
use crate::preprocess::FileLoader;

/// A formula that is given beside a model, in the dialect of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaText {
    /// What its property is to be called. If there is a property of that name, a number is added to it.
    pub name: String,
    /// The formula.
    pub text: String,
}

/// What is to be read.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The path of the text: its name in messages, and the place from which its includes are looked for.
    pub root: &'a Path,
    /// The text.
    pub text: &'a str,
    /// How included files are read.
    pub loader: &'a dyn FileLoader,
    /// Macros defined before the text, with their values.
    pub defines: &'a [(String, String)],
    /// Formulas that become properties, after those of the text.
    pub formulas: &'a [FormulaText],
    /// Claims that become properties, after the formulas.
    pub claims: &'a [ClaimText],
}

/// Reads a Promela text. The model is to be used only if `diagnostics` has no errors afterwards.
pub fn read(
    request: Request<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Property>)> {
    let Request { root, text, loader, defines, formulas, claims } = request;
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
