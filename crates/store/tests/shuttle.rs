//! The growth of the table under shuttle: threads that are interleaved at random, with a seed that
//! a failure prints.
//!
//! The table is included as a module of this test, with the atomics and the lock of shuttle in
//! place of the real ones, and with shards of a single bucket, so that a few entries make it grow.

#![allow(dead_code, reason = "the table has more than is tested here")]

#[path = "../src/key_format.rs"]
mod key_format;
#[path = "../src/quotient.rs"]
mod quotient;
#[path = "../src/table.rs"]
mod table;
#[path = "../src/uncounted.rs"]
mod uncounted;

mod sync {
    pub(crate) use shuttle::hint::spin_loop;
    pub(crate) use shuttle::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
    pub(crate) use shuttle::sync::{RwLock, RwLockReadGuard};

    pub(crate) const LEAST_BUCKETS: usize = 1;
}

#[path = "platform/memory.rs"]
mod memory;

use ample_transition::{Budget, StoreFull};
use quotient::{Absent, KeyTable, ReplaceKeys};
use shuttle::sync::Arc;
use shuttle::thread;
use table::{NoRoom, Probe, Table};

const THREADS: u64 = 3;
const ENTRIES: u64 = 40;

/// Adds or finds an entry. Whether it was added.
fn add(table: &Table, entry: u64) -> bool {
    loop {
        let answer = table.view().probe(entry, |other| other == entry, || Ok(entry));
        match answer {
            Ok(answer) => return answer == Probe::Added,
            Err(NoRoom) => table.grow().expect("there is room"),
        }
    }
}

/// Each thread adds two thirds of the entries, from another one on.
fn all_are_added_once(entry: fn(u64) -> u64) {
    let budget = Budget::unlimited();
    let table = Arc::new(Table::new(budget.clone()).expect("there is room"));
    let before = table.memory();
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let table = table.clone();
            let numbers = (0..ENTRIES * 2 / 3).map(move |step| (thread * ENTRIES / THREADS + step) % ENTRIES);
            thread::spawn(move || numbers.filter(|&number| add(&table, entry(number))).count())
        })
        .collect();
    let added: usize = threads.into_iter().map(|thread| thread.join().expect("no panic")).sum();
    assert_eq!(added as u64, ENTRIES);
    assert_eq!(table.len(), ENTRIES);
    assert!(table.memory() > before, "it has grown");
    for number in 0..ENTRIES {
        assert!(!add(&table, entry(number)), "{number} is lost");
    }
    assert_eq!(table.len(), ENTRIES);
    assert_eq!(budget.used(), table.memory());
    drop(table);
    assert_eq!(budget.used(), 0);
}

#[test]
fn one_shard_grows_under_several_threads() {
    // Spread over the first shard.
    shuttle::check_random(|| all_are_added_once(|number| (number << 55) | (number + 1)), 2000);
}

#[test]
fn entries_of_one_home_move_together() {
    // Two homes at the end of the last shard: as many as its tail can take.
    shuttle::check_random(|| all_are_added_once(|number| (u64::MAX << 33) | ((number % 2) << 32) | (number + 1)), 2000);
}

/// Moves every key to another one, of other bits.
struct Shift;

impl ReplaceKeys for Shift {
    fn replace(&mut self, key: u64) -> Result<Option<u64>, StoreFull> {
        Ok(Some(key + SHIFT))
    }

    fn more(&mut self, _: usize, _: usize) -> Result<Vec<u64>, StoreFull> {
        Ok(vec![MORE])
    }
}

const SHIFT: u64 = 1 << 33;
const MORE: u64 = 1 << 34;

/// Adds a key of the version that the table has, growing it if need be.
fn add_key(keys: &KeyTable, key: u64) {
    loop {
        let view = keys.view();
        let key = key + SHIFT * view.version() as u64;
        match view.add(key, Absent::Added) {
            Ok(_) => return,
            Err(NoRoom) => {
                drop(view);
                keys.grow(1).expect("there is memory");
            }
        }
    }
}

/// Three threads add keys, some of them the same, while the table grows and all keys are replaced.
#[test]
fn keys_survive_growth_and_replacement() {
    let run = || {
        let keys = Arc::new(KeyTable::new(35, &Budget::unlimited()).expect("there is room"));
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                let keys = keys.clone();
                thread::spawn(move || {
                    for key in 0..ENTRIES {
                        // The upper bits choose the shard: all in one.
                        add_key(&keys, (key + number * ENTRIES / 2) << 8);
                    }
                    if number == 0 {
                        keys.rewrite(35, &mut [Shift], |_| Ok(())).expect("there is memory");
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no thread fails"));
        let view = keys.view();
        let last = (THREADS - 1) * ENTRIES / 2 + ENTRIES;
        assert!((0..last).all(|key| view.contains((key << 8) + SHIFT)) && view.contains(MORE));
        assert_eq!(view.sample(1).len() as u64, last + 1);
        drop(view);
        assert_eq!(keys.len(), last + 1);
    };
    shuttle::check_random(run, 200);
}
