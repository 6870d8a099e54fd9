//! Running a plan: one file a strategy, and the context that they share.
//!
//! - [`once`]: one search, in two passes if the reduction needs a first one over the system alone;
//! - [`trial`]: a search without a reduction, and if the space is large, again with one;
//! - [`under`]: under-approximation loops;
//! - [`rewritten`]: any of these on the model that passes have made;
//! - [`explore`]: a search that looks for nothing.

mod context;
pub(crate) mod explore;
pub(crate) mod iteration;
mod once;
pub(crate) mod rewritten;
pub(crate) mod trial;
pub(crate) mod under;

pub(crate) use context::{Answered, SearchContext, Watch};
