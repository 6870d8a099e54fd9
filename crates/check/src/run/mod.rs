//! Running a plan: one file a strategy, and the context that they share.
//!
//! - [`once`]: one search;
//! - [`two_passes`]: one over the system alone before it, where a cycle condition needs that;
//! - [`trial`]: the search that a question asks for, and what else must be asked then; [`weigh`]:
//!   by the best of several plans, tried in turns ([`turns`]), as far as can be told from their
//!   beginnings ([`estimate`]);
//! - [`under`]: under-approximation loops;
//! - [`rewritten`]: any of these on the model that passes have made;
//! - [`explore`]: a search that looks for nothing.

mod context;
pub(crate) mod estimate;
pub(crate) mod explore;
pub(crate) mod iteration;
mod matched;
mod once;
pub(crate) mod rewritten;
pub(crate) mod trial;
mod turns;
mod two_passes;
pub(crate) mod under;
mod weigh;
pub(crate) mod weighed;

pub(crate) use context::{Answered, SearchContext, StateObserver};
