//! Stores: has this state been seen? One file per store, one line each in [`STORES`].
//!
//! All stand on one table that threads share without locks ([`table`](self)), and on memory
//! straight from the system.

mod arena;
mod bits;
mod bitstate;
#[cfg(test)]
mod bucket_tests;
mod collapse;
mod compact;
mod exact;
mod hash;
mod interner;
mod key_format;
mod learned;
mod matching;
mod memory;
mod numbered;
mod offers;
mod quotient;
mod recent;
mod set;
mod shape;
mod state_words;
mod subsuming;
mod sync;
mod table;
mod tree;
mod uncounted;
mod words;

use ample_guarantee::Part;
use ample_transition::{Store, StoreConfig, StoreFull};

pub use bitstate::{BITSTATE, BitstateStore};
pub use collapse::{COLLAPSE, CollapseStore};
pub use compact::{COMPACT, CompactStore};
pub use exact::{EXACT, ExactStore};
pub use matching::{Abstraction, MATCH, MatchingStore};
pub use subsuming::{SUBSUMING, SubsumingStore};
pub use tree::{TREE, TreeStore};

/// A store that can be chosen by name.
#[derive(Copy, Clone, Debug)]
pub struct StoreEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Makes an empty one.
    pub make: fn(&StoreConfig) -> Result<Box<dyn Store>, StoreFull>,
}

/// All stores; the first is the default.
pub static STORES: &[StoreEntry] = &[
    StoreEntry { part: &COLLAPSE, make: |config| Ok(Box::new(CollapseStore::new(config)?)) },
    StoreEntry { part: &TREE, make: |config| Ok(Box::new(TreeStore::new(config)?)) },
    StoreEntry { part: &EXACT, make: |config| Ok(Box::new(ExactStore::new(config)?)) },
    StoreEntry { part: &COMPACT, make: |config| Ok(Box::new(CompactStore::new(config)?)) },
    StoreEntry { part: &BITSTATE, make: |config| Ok(Box::new(BitstateStore::new(config)?)) },
];
