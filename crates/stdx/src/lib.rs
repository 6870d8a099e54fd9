//! What the standard library lacks for this project: typed ids, the maps and sets indexed by them, a
//! memory that forgets, components of graphs, when to give up, texts that are cut, and "did you mean" suggestions.
//!
//! Nothing here knows about model checking, and nothing here depends on another crate.

mod bit_set;
mod components;
mod index_vec;
mod memo;
mod shorten;
mod stop;
mod suggest;
mod typed_id;

pub use bit_set::BitSet;
pub use components::{Components, components};
pub use index_vec::IndexVec;
pub use memo::{Memo, Vacancy};
pub use shorten::shorten;
pub use stop::{Stop, Stopped};
pub use suggest::suggest;
pub use typed_id::TypedId;
