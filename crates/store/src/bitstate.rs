//! Bitstate hashing: of a state only a few bits in a large field are kept (Holzmann: An analysis of bitstate hashing).
//!
//! The hash of a state chooses a word of the field and [`BITS`] bits in it. If all of them are set, the state is taken for one
//! that was seen. All bits are in one word, so that a look-up touches one line of memory, and of several threads with the same
//! state exactly one is told that it is new.

use std::sync::atomic::{AtomicU64, Ordering};

use ample_transition::{Budget, Inserted, Key, Session, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::hash::hash;
use crate::memory::{Words, prefetch};
use crate::offers::{Offers, open_in_full};

/// How many bits of its word a state sets.
const BITS: u32 = 3;
/// The field is not larger than this, in bytes: from then on it is the states' turn to be too many.
const LARGEST: usize = 2 << 30;
const SMALLEST: usize = 1 << 12;
/// How many words are looked at to estimate how full the field is.
const SAMPLE: usize = 1 << 20;

/// A store that keeps a few bits of each state.
pub struct BitstateStore {
    field: Words,
    budget: Budget,
    states: AtomicU64,
}

impl BitstateStore {
    /// An empty store: a field of half the budget, at most 2 GiB, as a power of two.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let bytes = (config.budget.left() / 2).min(LARGEST);
        if bytes < SMALLEST {
            return Err(StoreFull);
        }
        let bytes = 1 << bytes.ilog2();
        config.budget.take(bytes)?;
        let Some(field) = Words::zeroed(bytes / size_of::<AtomicU64>()) else {
            config.budget.give(bytes);
            return Err(StoreFull);
        };
        Ok(BitstateStore { field, budget: config.budget.clone(), states: AtomicU64::new(0) })
    }

    fn word(&self, hash: u64) -> &AtomicU64 {
        // The length is a power of two; the bits below the top half choose the bits.
        &self.field[(hash >> 24) as usize & (self.field.len() - 1)]
    }

    fn contains(&self, hash: u64) -> bool {
        self.word(hash).load(Ordering::Relaxed) & mask(hash) == mask(hash)
    }

    fn add(&self, hash: u64) -> Inserted {
        let mask = mask(hash);
        let before = self.word(hash).fetch_or(mask, Ordering::Relaxed);
        if before & mask == mask {
            return Inserted::Old;
        }
        self.states.fetch_add(1, Ordering::Relaxed);
        Inserted::New
    }
}

impl Drop for BitstateStore {
    fn drop(&mut self) {
        self.budget.give(self.memory());
    }
}

/// The bits of a state: all different.
fn mask(hash: u64) -> u64 {
    let mut mask = 0u64;
    let mut bits = hash & 0xff_ffff;
    for _ in 0..BITS {
        let mut bit = bits & 63;
        while mask >> bit & 1 == 1 {
            bit = (bit + 1) & 63;
        }
        mask |= 1 << bit;
        bits >>= 6;
    }
    mask
}

impl Store for BitstateStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(BitstateSession { store: self, offers: Offers::default() })
    }

    /// The field keeps its size, whatever is left of the budget.
    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        config.budget.take(self.memory())?;
        std::mem::replace(&mut self.budget, config.budget.clone()).give(self.memory());
        self.field.clear_sparse();
        *self.states.get_mut() = 0;
        Ok(())
    }

    fn len(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    fn memory(&self) -> usize {
        self.field.len() * size_of::<AtomicU64>()
    }

    /// Estimated from how full the words are now: the probability that a new state finds all its bits set.
    fn omission_probability(&self) -> Option<f64> {
        let step = (self.field.len() / SAMPLE).max(1);
        let chance = |word: &AtomicU64| {
            let ones = f64::from(word.load(Ordering::Relaxed).count_ones());
            (0..BITS).map(|taken| (ones - f64::from(taken)).max(0.0) / (64.0 - f64::from(taken))).product::<f64>()
        };
        let (sum, count) =
            self.field.iter().step_by(step).fold((0.0, 0u32), |(sum, count), word| (sum + chance(word), count + 1));
        Some(sum / f64::from(count.max(1)))
    }
}

struct BitstateSession<'s> {
    store: &'s BitstateStore,
    offers: Offers,
}

impl Session for BitstateSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        Ok(self.store.add(hash(state)))
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        open_in_full(states, index, state);
    }

    fn offer(&mut self, state: &[u8]) {
        self.offers.push(state);
    }

    fn settle(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        self.offers.hashes().for_each(|hash| prefetch(self.store.word(hash)));
        let mut result = Ok(());
        let mut next = 0;
        while let Some((hash, state)) = self.offers.get(next) {
            if most == 0 && !self.store.contains(hash) {
                result = Err(Unsettled::Limit);
                break;
            }
            if self.store.add(hash) == Inserted::New {
                most -= 1;
                new.push_state(state);
            }
            next += 1;
        }
        self.offers.clear();
        result
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        self.store.contains(key.with_bytes(hash))
    }
}
