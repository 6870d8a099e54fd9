//! Why there is no machine code.

use std::fmt;

use ample_model::{Arithmetic, ExprKind, Model};
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

/// Refuses the parts of a model for which there is code on 32 bits only. No language has them with
/// exact integers.
pub(crate) fn check_parts(model: &Model) -> Generated<()> {
    let mut is_narrow =
        !model.channels.is_empty() || model.trace.is_some() || model.uses.priorities || model.uses.timeout;
    let edges = model.templates.iter().flat_map(|template| template.edges.iter());
    edges.for_each(|edge| {
        edge.walk(&mut |expr| is_narrow |= matches!(expr.kind, ExprKind::Run(_) | ExprKind::Enabled(_)))
    });
    match model.arithmetic {
        Arithmetic::Exact if is_narrow => {
            Err(NotCompiled("exact integers beside channels, creation or priorities are interpreted".to_owned()))
        }
        _ => Ok(()),
    }
}
