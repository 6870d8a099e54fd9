//! What a front end is to read: a text, and what is given beside it.

use std::path::{Path, PathBuf};

use crate::FileLoader;

/// What is to be read.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The path of the text: its name in messages, and the place from which other files are looked
    /// for.
    pub root: &'a Path,
    /// The text.
    pub text: &'a str,
    /// How other files are read.
    pub loader: &'a dyn FileLoader,
    /// Macros defined before the text, with their values.
    pub defines: &'a [(String, String)],
    /// Formulas that become properties, after those of the text.
    pub formulas: &'a [FormulaText],
    /// Claims that become properties, after the formulas.
    pub claims: &'a [ClaimText],
    /// The names of the properties that somebody asks for: some may stand in files beside the text.
    pub wanted: &'a [String],
}

/// A formula that is given beside a model, in the dialect of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaText {
    /// What its property is to be called. If there is a property of that name, a number is added to
    /// it.
    pub name: String,
    /// The formula.
    pub text: String,
}

/// A claim that is given beside a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimText {
    /// What its property is to be called. If there is a property of that name, a number is added to
    /// it.
    pub name: String,
    /// The path of its file: its name in messages, and the place from which its includes are looked
    /// for.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}
