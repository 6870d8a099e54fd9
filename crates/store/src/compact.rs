//! Hash compaction: of a state only 64 bits of its hash are kept.
//!
//! Two states with the same hash are taken for one, and what lies behind the second may be missed
//! (Wolper and Leroy: Reliable hashing without collision detection; Stern and Dill). With `n`
//! states stored, that happens to a new state with probability `n / 2^64`. Since the states cannot
//! be had back, the open ones are kept in full by the search.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Inserted, Key, Opened, Session, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::hash::hash;
use crate::offers::{Offers, open_in_full};
use crate::set::WordSet;
use crate::table::Hints;

/// Hash compaction.
pub static COMPACT: Part = Part {
    name: "compact",
    kind: PartKind::Store,
    summary: "of each state 64 bits of its hash are kept; states may be missed",
    paper: Some("Wolper, Leroy: Reliable hashing without collision detection"),
    guarantee: Guarantee::lossy("of each state only a hash was kept"),
};

/// A store that keeps a hash of each state.
pub struct CompactStore {
    hashes: WordSet,
}

impl CompactStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        Ok(CompactStore { hashes: WordSet::new(config.budget.clone())? })
    }
}

impl Store for CompactStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(CompactSession { store: self, offers: Offers::default(), hints: self.hashes.hints() })
    }

    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        self.hashes.renew(&config.budget)
    }

    fn len(&self) -> u64 {
        self.hashes.len()
    }

    fn memory(&self) -> usize {
        self.hashes.memory()
    }

    fn omission_probability(&self) -> Option<f64> {
        Some(self.len() as f64 / 2f64.powi(64))
    }
}

struct CompactSession<'s> {
    store: &'s CompactStore,
    offers: Offers,
    hints: Hints,
}

impl Session for CompactSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        self.store.hashes.add(hash(state))
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        open_in_full(states, index, state)
    }

    fn offer(&mut self, state: &[u8]) {
        self.hints.prefetch(self.offers.push(state));
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let offers = &self.offers;
        let is_new = |place: usize| new.push_state(offers.state(place));
        let result = self.store.hashes.add_all(offers.hashes(), most, is_new);
        self.offers.clear();
        self.hints = self.store.hashes.hints();
        result
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        self.store.hashes.contains(key.with_bytes(hash))
    }
}
