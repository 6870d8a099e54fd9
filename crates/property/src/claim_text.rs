//! Claims in files of their own.

use std::path::{Path, PathBuf};

/// A claim that is given beside a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimText {
    /// What its property is to be called. If there is a property of that name, a number is added to it.
    pub name: String,
    /// The path of its file: its name in messages, and the place from which its includes are looked for.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}

/// How a claim is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimFormat {
    /// An automaton in HOA format.
    Hoa,
    /// A formula that every run must satisfy.
    Ltl,
    /// A claim in the language of the model.
    Never,
}

impl ClaimFormat {
    /// What the ending of a file says: `.hoa`, `.ltl`, and whatever else stands for the language of the model.
    pub fn of(path: &Path) -> ClaimFormat {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("hoa") => ClaimFormat::Hoa,
            Some("ltl") => ClaimFormat::Ltl,
            _ => ClaimFormat::Never,
        }
    }
}
