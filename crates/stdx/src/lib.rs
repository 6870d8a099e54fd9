//! What the standard library lacks for this project: typed ids, the maps and sets indexed by them,
//! a memory that forgets, things by number, components of graphs, random numbers, hashes, locks,
//! when to give up, texts that are cut, and "did you mean" suggestions.
//!
//! Nothing here knows about model checking, and nothing here depends on another crate.

mod bit_set;
mod components;
mod hash;
mod index_vec;
mod interner;
mod lock;
mod memo;
mod random;
mod shorten;
mod stop;
mod suggest;
mod typed_id;

pub use bit_set::BitSet;
pub use components::{Components, components, components_from};
pub use hash::{QuickHash, QuickHasher, fnv1a};
pub use index_vec::IndexVec;
pub use interner::Interner;
pub use lock::lock;
pub use memo::{Memo, Vacancy};
pub use random::{Random, Xorshift, scatter};
pub use shorten::shorten;
pub use stop::{Stop, Stopped};
pub use suggest::suggest;
pub use typed_id::TypedId;
