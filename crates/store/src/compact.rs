//! Hash compaction: of a state only 64 bits of its hash are kept.
//!
//! Two states with the same hash are taken for one, and what lies behind the second may be missed (Wolper and Leroy: Reliable hashing
//! without collision detection; Stern and Dill). With `n` states stored, that happens to a new state with probability `n / 2^64`.
//! Since the states cannot be had back, the open ones are kept in full by the search.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_transition::{Inserted, Session, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::hash::hash;
use crate::offers::{Offers, open_in_full};
use crate::table::{NoRoom, Probe, Table, View};

/// A store that keeps a hash of each state.
pub struct CompactStore {
    hashes: Table,
    /// Whether the one hash that the table cannot hold is there.
    zero: AtomicBool,
}

impl CompactStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        Ok(CompactStore { hashes: Table::new(config.budget.clone())?, zero: AtomicBool::new(false) })
    }

    /// Adds or finds a hash. `may_add` is whether it may be added.
    fn add(&self, view: &View<'_>, hash: u64, may_add: bool) -> Result<Inserted, NoRoom> {
        if hash == 0 {
            if !may_add && !self.zero.load(Ordering::Relaxed) {
                return Err(NoRoom);
            }
            let was_there = self.zero.swap(true, Ordering::Relaxed);
            return Ok(if was_there { Inserted::Old } else { Inserted::New });
        }
        let make = || if may_add { Ok(hash) } else { Err(NoRoom) };
        Ok(match view.probe(hash, |other| other == hash, make)? {
            Probe::Found(_) => Inserted::Old,
            Probe::Added => Inserted::New,
        })
    }
}

impl Store for CompactStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(CompactSession { store: self, offers: Offers::default() })
    }

    fn len(&self) -> u64 {
        self.hashes.len() + u64::from(self.zero.load(Ordering::Relaxed))
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
}

impl Session for CompactSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        loop {
            let answer = self.store.add(&self.store.hashes.view(), hash(state), true);
            match answer {
                Ok(answer) => return Ok(answer),
                Err(NoRoom) => self.store.hashes.grow()?,
            }
        }
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        open_in_full(states, index, state);
    }

    fn offer(&mut self, state: &[u8]) {
        self.offers.push(state);
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = self.settle_all(most, new);
        self.offers.clear();
        result
    }
}

impl CompactSession<'_> {
    fn settle_all(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        let mut next = 0;
        let mut view = self.store.hashes.view();
        self.offers.hashes_from(0).for_each(|hash| view.prefetch(hash));
        while let Some((hash, state)) = self.offers.get(next) {
            match self.store.add(&view, hash, most > 0) {
                Ok(Inserted::New) => {
                    most = most.saturating_sub(1);
                    new.push_state(state);
                    next += 1;
                }
                Ok(Inserted::Old) => next += 1,
                Err(NoRoom) if most == 0 => return Err(Unsettled::Limit),
                Err(NoRoom) => {
                    drop(view);
                    self.store.hashes.grow()?;
                    view = self.store.hashes.view();
                }
            }
        }
        Ok(())
    }
}
