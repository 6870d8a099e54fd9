//! Why there is no machine code.

use std::fmt;

use ample_network::General;

/// Why a model is not compiled; it is interpreted instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCompiled(pub String);

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<General> for NotCompiled {
    fn from(general: General) -> Self {
        NotCompiled(general.0)
    }
}

/// What is generated, unless it cannot be.
pub(crate) type Generated<T> = Result<T, NotCompiled>;
