//! What a front end is to read: a text, and what is given beside it.

use std::fmt;
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
    /// Ranges of inputs, by the names of the variables that get them. A language without inputs
    /// must refuse them.
    pub inputs: &'a [InputRange],
    /// Formulas that become properties, after those of the text.
    pub formulas: &'a [FormulaText],
    /// Claims that become properties, after the formulas.
    pub claims: &'a [ClaimText],
    /// Expressions whose values somebody asks for.
    pub values: &'a [String],
    /// The names of the properties that somebody asks for: some may stand in files beside the text.
    pub wanted: &'a [String],
}

/// The values that an input is to have: `--input NAME=LOW..HIGH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRange {
    /// The variable that gets the input.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest, not below the least.
    pub high: i64,
}

impl InputRange {
    /// Reads `NAME=LOW..HIGH`; the error is what is wrong with it.
    pub fn parse(text: &str) -> Result<InputRange, String> {
        let form = || format!("`{text}` is not of the form NAME=LOW..HIGH");
        let (name, range) = text.split_once('=').ok_or_else(form)?;
        let (low, high) = range.split_once("..").ok_or_else(form)?;
        let bound = |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{}` is not a number", text.trim()));
        let (low, high) = (bound(low)?, bound(high)?);
        if low > high {
            return Err(format!("the range {low}..{high} is empty"));
        }
        Ok(InputRange { name: name.trim().to_owned(), low, high })
    }
}

impl fmt::Display for InputRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.name, self.low, self.high)
    }
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
