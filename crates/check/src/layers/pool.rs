//! What searches share that are much alike, one after the other, as the runs of a loop are.
//!
//! Typical states, from which the shape of a tree store is found: to walk about for them takes
//! longer than a small search. And stores: one that a search is done with is kept and emptied for
//! the next, which need not ask for memory again and let its tables grow from the beginning. What
//! is kept is counted once: at the beginning of a search it is held ready in the budget, and
//! changes over to the store that is made of it.

use std::sync::{Arc, Mutex};

use ample_search::{Counts, typical_states};
use ample_stdx::lock;
use ample_store::StoreEntry;
use ample_transition::{Budget, Session, StateLength, Store, StoreConfig, StoreFull, Successors, TypicalStates};

/// A search with so many states takes much longer than to walk about in the space.
const LARGE: u64 = 20_000;

/// No store is kept that takes more than one part in so many of what there is: the search may need
/// its memory for something else, when it is done with the store.
const SHARE_OF_KEPT: usize = 8;

/// Typical states of systems that are much alike.
#[derive(Default)]
pub(crate) struct KnownTypical {
    /// By the length of states.
    known: Mutex<Vec<(StateLength, TypicalStates)>>,
}

impl KnownTypical {
    /// Those of a system, or of one before it whose states had the same length.
    pub fn of(&self, system: &dyn Successors) -> TypicalStates {
        let mut known = lock(&self.known);
        let length = system.state_length();
        if let Some((_, states)) = known.iter().find(|(other, _)| *other == length) {
            return states.clone();
        }
        let states: TypicalStates = typical_states(system).into();
        known.push((length, states.clone()));
        states
    }
}

/// What is shared.
#[derive(Default)]
pub(crate) struct StorePool {
    pub typical: KnownTypical,
    stores: Stores,
}

/// All stores, those that are in use, too.
type Stores = Arc<Mutex<Vec<Pooled>>>;

struct Pooled {
    store: Arc<dyn Store>,
    /// Whether its memory is held ready in the budget of a search that has not asked for it yet.
    is_held: bool,
}

impl StorePool {
    /// Looks for other typical states next time: after a search that took much longer than to walk
    /// about, that is worth it.
    pub fn look_again_after(&self, counts: &Counts) {
        if counts.states >= LARGE {
            lock(&self.typical.known).clear();
        }
    }

    /// The budget of a search that begins, in which what is kept is held ready. `make` gives one
    /// with room for so many bytes more than are left. If there is too little even for what is
    /// kept, nothing is kept.
    pub fn budget(&self, make: impl Fn(usize) -> Budget) -> Budget {
        let mut stores = lock(&self.stores);
        let kept = stores.iter().map(|kept| kept.store.memory()).sum();
        let budget = make(kept);
        if budget.take(kept).is_ok() {
            stores.iter_mut().for_each(|kept| kept.is_held = true);
            return budget;
        }
        stores.clear();
        make(0)
    }

    /// An empty store, made of the largest one that is kept if there is one.
    pub fn store(&self, entry: &StoreEntry, config: &StoreConfig) -> Option<Box<dyn Store>> {
        let mut stores = lock(&self.stores);
        let idle = (0..stores.len()).filter(|at| Arc::strong_count(&stores[*at].store) == 1);
        let kept = idle.max_by_key(|at| stores[*at].store.memory()).map(|at| stores.swap_remove(at));
        let store = match kept.and_then(|kept| renewed(kept, config)) {
            Some(store) => store,
            None => Arc::from((entry.make)(config).ok()?),
        };
        stores.push(Pooled { store: store.clone(), is_held: false });
        let most = config.budget.used().saturating_add(config.budget.left()) / SHARE_OF_KEPT;
        Some(Box::new(Lease { store, stores: self.stores.clone(), most }))
    }
}

/// What was kept, empty; `None` if it cannot be used.
fn renewed(mut kept: Pooled, config: &StoreConfig) -> Option<Arc<dyn Store>> {
    if kept.is_held {
        config.budget.give(kept.store.memory());
    }
    Arc::get_mut(&mut kept.store)?.renew(config).ok()?;
    Some(kept.store)
}

/// A store that is kept when it is not used any more, unless it is too large.
struct Lease {
    store: Arc<dyn Store>,
    stores: Stores,
    /// The bytes of the largest one that is kept.
    most: usize,
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.store.memory() > self.most {
            lock(&self.stores).retain(|kept| !Arc::ptr_eq(&kept.store, &self.store));
        }
    }
}

impl Store for Lease {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        self.store.session()
    }

    /// Not while it is on the stores: it is emptied there, when it is lent again.
    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        Arc::get_mut(&mut self.store).ok_or(StoreFull)?.renew(config)
    }

    fn len(&self) -> u64 {
        self.store.len()
    }

    fn memory(&self) -> usize {
        self.store.memory()
    }

    fn key_length(&self, states: StateLength) -> StateLength {
        self.store.key_length(states)
    }

    fn omission_probability(&self) -> Option<f64> {
        self.store.omission_probability()
    }
}

#[cfg(test)]
mod tests {
    use ample_store::STORES;

    use super::*;

    const PLENTY: usize = 64 << 20;

    fn config(budget: &Budget) -> StoreConfig {
        StoreConfig {
            budget: budget.clone(),
            length: StateLength::Always(8),
            typical: TypicalStates::default(),
            key_use: ample_transition::KeyUse::Identities,
        }
    }

    /// A store of a search with this budget, with many states in it, and its bytes.
    fn filled(pool: &StorePool, entry: &StoreEntry, budget: &Budget) -> (Box<dyn Store>, usize) {
        let store = pool.store(entry, &config(budget)).expect("there is room");
        assert!(store.is_empty(), "{}", entry.part.name);
        let mut session = store.session();
        (0..20_000u64).for_each(|number| assert!(session.insert(&number.to_le_bytes()).is_ok()));
        drop(session);
        let memory = store.memory();
        (store, memory)
    }

    /// All but bitstate, whose field is always half of what there is.
    fn small_ones() -> impl Iterator<Item = &'static StoreEntry> {
        STORES.iter().filter(|entry| entry.part.name != "bitstate")
    }

    #[test]
    fn what_is_kept_is_counted_once_and_used_again() {
        for entry in small_ones() {
            let name = entry.part.name;
            let pool = StorePool::default();
            let budget = pool.budget(|kept| Budget::new(PLENTY + kept));
            let (store, memory) = filled(&pool, entry, &budget);
            drop(store);
            assert_eq!(budget.used(), memory, "{name}: it is kept");
            let next = pool.budget(|kept| Budget::new(PLENTY + kept));
            assert_eq!((next.used(), next.left()), (memory, PLENTY), "{name}: it is held ready");
            let (store, again) = filled(&pool, entry, &next);
            assert_eq!((again, budget.used(), next.used()), (memory, 0, memory), "{name}: it is the same");
            let (_other, more) = filled(&pool, entry, &next);
            assert_eq!(next.used(), memory + more, "{name}: that one is in use");
            drop(store);
            drop(pool);
        }
    }

    #[test]
    fn what_is_large_is_not_kept() {
        for entry in small_ones() {
            let pool = StorePool::default();
            let budget = pool.budget(|_| Budget::new(1 << 20));
            let (store, memory) = filled(&pool, entry, &budget);
            assert!(memory > (1 << 20) / SHARE_OF_KEPT);
            drop(store);
            assert_eq!(budget.used(), 0, "{}", entry.part.name);
        }
    }

    #[test]
    fn where_there_is_too_little_nothing_is_kept() {
        let pool = StorePool::default();
        let before = pool.budget(|_| Budget::new(PLENTY));
        let (store, memory) = filled(&pool, &STORES[0], &before);
        drop(store);
        let budget = pool.budget(|_| Budget::new(memory - 1));
        assert_eq!((before.used(), budget.used()), (0, 0));
    }
}
