//! The memory limit at the edge: budgets in small steps around those at which the collapse store
//! grows and lays out keys anew. It never counts more than there is, and what it took is still
//! there when it can take no more.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use ample_store::{STORES, StoreEntry};
use ample_transition::{Budget, Inserted, KeyUse, StateLength, States, Store, StoreConfig, StoreFull, Unsettled};

const LENGTH: usize = 32;
/// So many states: enough for two layouts and for a table that grows several times.
const STATES: u32 = 30_000;
/// So many are added at a time.
const BLOCK: u32 = 50;
/// So many budgets are tried.
const STEPS: usize = 40;

/// States in which more differs than in the typical ones.
fn state(number: u32) -> Vec<u8> {
    let mut state = vec![0; LENGTH];
    state[..4].copy_from_slice(&(number % 97).to_le_bytes());
    state[16..20].copy_from_slice(&number.to_le_bytes());
    state
}

fn collapse() -> &'static StoreEntry {
    STORES.iter().find(|entry| entry.part.name == "collapse").unwrap()
}

fn make(budget: &Budget) -> Result<Box<dyn Store>, StoreFull> {
    let typical: Vec<Vec<u8>> = (0..100u8).map(|number| vec![number % 2; LENGTH]).collect();
    let (length, key_use) = (StateLength::Always(LENGTH), KeyUse::References);
    (collapse().make)(&StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use })
}

/// What happened within a budget.
struct Filled {
    added: u32,
    relayouts: u64,
    peak: usize,
}

/// Adds states, in blocks, until there is no more memory.
fn fill(limit: usize) -> Filled {
    let budget = Budget::new(limit);
    let Ok(store) = make(&budget) else {
        assert_eq!(budget.used(), 0, "a store that was not made holds nothing");
        return Filled { added: 0, relayouts: 0, peak: budget.peak() };
    };
    let (mut session, mut new) = (store.session(), States::default());
    let mut settled_in_full = 0;
    for block in 0..STATES / BLOCK {
        (block * BLOCK..(block + 1) * BLOCK).for_each(|number| session.offer(&state(number)));
        let settled = session.settle(u64::MAX, &mut new);
        assert!(budget.peak() <= limit && budget.used() == store.memory(), "{limit}: {}", budget.used());
        if settled == Err(Unsettled::Full) {
            break;
        }
        settled_in_full += BLOCK;
    }
    let added = new.len() as u32;
    assert_eq!(store.len(), u64::from(added), "{limit}");
    // All of the blocks before the last, and some of that one, in order.
    let (mut read, mut numbers) = (Vec::new(), Vec::new());
    for place in 0..new.len() {
        session.open(&new, place, &mut read);
        let number = u32::from_le_bytes(read[16..20].try_into().unwrap());
        assert_eq!(read, state(number), "{limit}: old references are still read");
        numbers.push(number);
    }
    assert!(numbers.is_sorted_by(|one, next| one < next), "{limit}: {numbers:?}");
    assert!(numbers.iter().copied().take(settled_in_full as usize).eq(0..settled_in_full), "{limit}: {numbers:?}");
    assert!(numbers.iter().all(|number| *number < settled_in_full + BLOCK), "{limit}: {numbers:?}");
    for number in numbers {
        assert_eq!(session.insert(&state(number)), Ok(Inserted::Old), "{limit} {number}");
    }
    let relayouts = store.relayouts();
    drop(session);
    drop(store);
    assert_eq!(budget.used(), 0, "{limit}");
    Filled { added, relayouts, peak: budget.peak() }
}

/// The least budget within so many bytes that `is_enough`.
fn least(budgets: Range<usize>, is_enough: impl Fn(&Filled) -> bool) -> usize {
    let (mut low, mut high) = (budgets.start, budgets.end);
    while high - low > 64 {
        let middle = low.midpoint(high);
        if is_enough(&fill(middle)) { high = middle } else { low = middle }
    }
    high
}

#[test]
fn the_limit_holds_around_a_new_layout() {
    let plenty = fill(1 << 28);
    assert_eq!(plenty.added, STATES);
    assert!(plenty.relayouts > 0, "there is a new layout");
    let first = least(0..plenty.peak, |filled| filled.relayouts > 0);
    let (mut without, mut with) = (0, 0);
    for step in 0..STEPS {
        // From a little less than a new layout takes to a little more, some bytes at a time.
        let filled = fill(first - 20 * 64 + step * 64 + step % 7);
        assert!(filled.peak > first / 2, "the budget is used");
        if filled.relayouts == 0 { without += 1 } else { with += 1 }
    }
    assert!(without > 0 && with > 0, "{without} {with}");
}

#[test]
fn the_limit_holds_around_the_last_growth() {
    let plenty = fill(1 << 28);
    let all = least(plenty.peak / 4..plenty.peak, |filled| filled.added == STATES);
    let mut full = 0;
    for step in 0..STEPS {
        let filled = fill(all - 30 * 512 + step * 512);
        full += u32::from(filled.added < STATES);
    }
    assert!(full > 0 && full < STEPS as u32, "{full}");
}

/// Several threads lay out keys anew and grow the table while memory runs out.
#[test]
fn the_limit_holds_under_several_threads() {
    let plenty = fill(1 << 28);
    for step in 0..STEPS {
        let limit = plenty.peak / 3 + step * plenty.peak / STEPS;
        let (budget, is_full) = (Budget::new(limit), AtomicBool::new(false));
        let Ok(store) = make(&budget) else { continue };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (store, is_full) = (&store, &is_full);
                scope.spawn(move || {
                    let (mut session, mut new) = (store.session(), States::default());
                    for block in (0..STATES / BLOCK).map(|block| (block + thread * 100) % (STATES / BLOCK)) {
                        (block * BLOCK..(block + 1) * BLOCK).for_each(|number| session.offer(&state(number)));
                        if session.settle(u64::MAX, &mut new).is_err() {
                            return is_full.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(budget.peak() <= limit && budget.used() == store.memory(), "{limit}");
        let mut session = store.session();
        let mut keys = States::default();
        let known = (0..STATES).filter(|number| {
            keys.clear();
            session.key(&state(*number), &mut keys).is_ok() && keys.key(0).is_some_and(|key| session.contains(key))
        });
        let known = known.count() as u64;
        assert!(known <= store.len(), "{limit}: {known} {}", store.len());
        assert!(is_full.into_inner() || (known, store.len()) == (STATES.into(), STATES.into()), "{limit}: {known}");
    }
}
