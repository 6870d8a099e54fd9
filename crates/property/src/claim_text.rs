//! Claims in files of their own.

use std::path::Path;

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
    /// What the ending of a file says: `.hoa`, `.ltl`, and whatever else stands for the language of
    /// the model.
    pub fn of(path: &Path) -> ClaimFormat {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("hoa") => ClaimFormat::Hoa,
            Some("ltl") => ClaimFormat::Ltl,
            _ => ClaimFormat::Never,
        }
    }
}
