//! Stores: has this state been seen? One file per store, one line each in [`STORES`].

mod exact;

use ample_guarantee::{Part, parts};
use ample_transition::Store;

pub use exact::ExactStore;

/// A store that can be chosen by name.
pub struct StoreEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Makes an empty one that keeps within a number of bytes.
    pub make: fn(budget: usize) -> Box<dyn Store>,
}

/// All stores; the first is the default.
pub static STORES: &[StoreEntry] =
    &[StoreEntry { part: &parts::EXACT, make: |budget| Box::new(ExactStore::with_budget(budget)) }];
