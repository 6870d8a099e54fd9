//! Bitstate hashing: of a state only a few bits in a large field are kept (Holzmann: An analysis of
//! bitstate hashing).
//!
//! The hash of a state chooses a word of the field and [`BITS`] bits in it. If all of them are set,
//! the state is taken for one that was seen. All bits are in one word, so that a look-up touches
//! one line of memory, and of several threads with the same state exactly one is told that it is
//! new.
//!
//! A large field costs memory even if there are few states, since each is in another place. So the
//! first field is small, and when it has its share of states, it is left as it is and a larger one
//! takes the states to come (Almeida, Baquero, Preguiça, Hutchison: Scalable Bloom filters). A
//! state was seen if its bits are set in any of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Budget, Inserted, Key, Opened, Session, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::hash::hash;
use crate::memory::{Words, prefetch};
use crate::offers::{Offers, open_in_full};

/// Bitstate hashing.
pub static BITSTATE: Part = Part {
    name: "bitstate",
    kind: PartKind::Store,
    summary: "of each state a few bits in a large field are kept; states may be missed",
    paper: Some("Holzmann: An analysis of bitstate hashing"),
    guarantee: Guarantee::lossy("of each state only a few bits were kept"),
};

/// How many bits of its word a state sets.
const BITS: u32 = 3;
/// A field is not larger than this, in bytes: from then on it is the states' turn to be too many.
const LARGEST: usize = 2 << 30;
const SMALLEST: usize = 1 << 12;
/// The first field is not larger than this, and each of the others so many times as large as the
/// one before.
const FIRST: usize = 4 << 20;
const GROWTH: usize = 32;
/// Unless it is the largest, a field takes one state for so many words.
const WORDS_PER_STATE: usize = 256;

/// A store that keeps a few bits of each state.
pub struct BitstateStore {
    /// The last one takes the states to come; the others are not changed any more.
    fields: RwLock<Vec<Field>>,
    budget: Budget,
    /// The bytes of the largest field there may be.
    largest: usize,
}

struct Field {
    /// A power of two.
    words: Words,
    states: AtomicU64,
}

impl Field {
    /// A field of so many bytes, which are taken from the budget.
    fn new(bytes: usize, budget: &Budget) -> Result<Field, StoreFull> {
        budget.take(bytes)?;
        match Words::zeroed(bytes / size_of::<AtomicU64>()) {
            Some(words) => Ok(Field { words, states: AtomicU64::new(0) }),
            None => {
                budget.give(bytes);
                Err(StoreFull)
            }
        }
    }

    fn memory(&self) -> usize {
        self.words.len() * size_of::<AtomicU64>()
    }

    fn word(&self, hash: u64) -> &AtomicU64 {
        // The bits below these choose the bits of the word.
        &self.words[(hash >> 24) as usize & (self.words.len() - 1)]
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

    fn is_full(&self) -> bool {
        self.states.load(Ordering::Relaxed) as usize >= self.words.len() / WORDS_PER_STATE
    }

    /// At most so likely is it that another state finds all its bits set.
    ///
    /// With `k` states in its word, no more than `3k` of 64 bits are set, and of the `64 · 63 · 62`
    /// ways to choose three bits in turn `3k (3k - 1) (3k - 2)` find them set. How many states are
    /// in a word follows Poisson's law with the mean `λ` of states per word, so that `27λ³ + 54λ² +
    /// 6λ` of them are expected.
    fn chance(&self) -> f64 {
        let mean = self.states.load(Ordering::Relaxed) as f64 / self.words.len() as f64;
        let ways = 27.0 * mean.powi(3) + 54.0 * mean.powi(2) + 6.0 * mean;
        ways / f64::from(64 * 63 * 62)
    }
}

impl BitstateStore {
    /// An empty store. Its largest field may take half of the budget, and at most 2 GiB.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let most = (config.budget.left() / 2).min(LARGEST);
        if most < SMALLEST {
            return Err(StoreFull);
        }
        let largest = 1 << most.ilog2();
        let first = Field::new(largest.min(FIRST), &config.budget)?;
        Ok(BitstateStore { fields: RwLock::new(vec![first]), budget: config.budget.clone(), largest })
    }

    fn fields(&self) -> RwLockReadGuard<'_, Vec<Field>> {
        self.fields.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a larger field if the last one has its share of states. If there is no memory for one,
    /// the last one takes more.
    fn grow(&self) {
        let wants_more =
            |fields: &[Field]| fields.last().is_some_and(|last| last.is_full() && last.memory() < self.largest);
        if !wants_more(&self.fields()) {
            return;
        }
        let mut fields = self.fields.write().unwrap_or_else(PoisonError::into_inner);
        if !wants_more(&fields) {
            return;
        }
        let last = fields.last().map_or(0, Field::memory);
        let sizes = std::iter::successors(Some(last.saturating_mul(GROWTH).min(self.largest)), |bytes| Some(bytes / 2));
        let larger = sizes.take_while(|bytes| *bytes > last).find_map(|bytes| Field::new(bytes, &self.budget).ok());
        fields.extend(larger);
    }
}

/// Adds a state to the last field, unless it is in one of them.
fn add(fields: &[Field], hash: u64) -> Inserted {
    let Some((last, others)) = fields.split_last() else { return Inserted::Old };
    if others.iter().any(|field| field.contains(hash)) { Inserted::Old } else { last.add(hash) }
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

    /// Keeps the first field only.
    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        let before = self.memory();
        let fields = self.fields.get_mut().unwrap_or_else(PoisonError::into_inner);
        fields.truncate(1);
        for field in fields.iter_mut() {
            field.words.clear_sparse();
            *field.states.get_mut() = 0;
        }
        let kept = self.memory();
        self.budget.give(before - kept);
        config.budget.take(kept)?;
        std::mem::replace(&mut self.budget, config.budget.clone()).give(kept);
        Ok(())
    }

    fn len(&self) -> u64 {
        self.fields().iter().map(|field| field.states.load(Ordering::Relaxed)).sum()
    }

    fn memory(&self) -> usize {
        self.fields().iter().map(Field::memory).sum()
    }

    /// At most so likely is it that another state was taken for one that was seen. It was less
    /// likely for those before.
    fn omission_probability(&self) -> Option<f64> {
        Some(self.fields().iter().map(Field::chance).sum::<f64>().min(1.0))
    }
}

struct BitstateSession<'s> {
    store: &'s BitstateStore,
    offers: Offers,
}

impl Session for BitstateSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let inserted = add(&self.store.fields(), hash(state));
        if inserted == Inserted::New {
            self.store.grow();
        }
        Ok(inserted)
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        open_in_full(states, index, state)
    }

    fn offer(&mut self, state: &[u8]) {
        self.offers.push(state);
    }

    fn settle(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        let fields = self.store.fields();
        for hash in self.offers.hashes() {
            fields.iter().for_each(|field| prefetch(field.word(hash)));
        }
        let mut result = Ok(());
        let mut next = 0;
        while let Some((hash, state)) = self.offers.get(next) {
            if most == 0 && !fields.iter().any(|field| field.contains(hash)) {
                result = Err(Unsettled::Limit);
                break;
            }
            if add(&fields, hash) == Inserted::New {
                most -= 1;
                new.push_state(state);
            }
            next += 1;
        }
        drop(fields);
        self.offers.clear();
        self.store.grow();
        result
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        let hash = key.with_bytes(hash);
        self.store.fields().iter().any(|field| field.contains(hash))
    }
}
