//! The table under loom: every order in which two threads may meet, and every value that the memory
//! model lets them read.
//!
//! The table is included as a module of this test, with the atomics and the lock of loom in place
//! of the real ones, and with shards of a single bucket: nothing grows here (see `shuttle.rs` for
//! that).

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
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
    pub(crate) use loom::sync::{RwLock, RwLockReadGuard};

    pub(crate) const LEAST_BUCKETS: usize = 1;
}

#[path = "platform/memory.rs"]
mod memory;

use ample_transition::Budget;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use quotient::{Absent, Added, KeyTable};
use table::{NoRoom, Probe, Table};

fn new_table() -> Arc<Table> {
    Arc::new(Table::new(Budget::unlimited()).expect("there is room"))
}

fn add(table: &Table, entry: u64) -> Probe {
    table.view().probe(entry, |other| other == entry, || Ok(entry)).expect("nothing is full")
}

/// Whether it is there. It is not added.
fn is_there(table: &Table, entry: u64) -> bool {
    table.view().probe(entry, |other| other == entry, || Err(NoRoom)) == Ok(Probe::Found(entry))
}

/// Two entries with the same home.
const ONE: u64 = 0x7000_0000_0000_0001;
const TWO: u64 = 0x7000_0000_0000_0002;

#[test]
fn the_same_entry_is_added_once() {
    loom::model(|| {
        let table = new_table();
        let other = {
            let table = table.clone();
            thread::spawn(move || add(&table, ONE))
        };
        let mut answers = [add(&table, ONE), other.join().expect("no panic")];
        answers.sort_by_key(|answer| *answer == Probe::Added);
        assert_eq!(answers, [Probe::Found(ONE), Probe::Added]);
        assert_eq!(table.len(), 1);
    });
}

#[test]
fn different_entries_are_both_added() {
    loom::model(|| {
        let table = new_table();
        let other = {
            let table = table.clone();
            thread::spawn(move || add(&table, ONE))
        };
        assert_eq!(add(&table, TWO), Probe::Added);
        assert_eq!(other.join().expect("no panic"), Probe::Added);
        assert!(is_there(&table, ONE) && is_there(&table, TWO));
        assert_eq!(table.len(), 2);
    });
}

#[test]
fn both_add_both_in_another_order() {
    loom::model(|| {
        let table = new_table();
        let count = |answers: [Probe; 2]| answers.iter().filter(|answer| **answer == Probe::Added).count();
        let other = {
            let table = table.clone();
            thread::spawn(move || count([add(&table, ONE), add(&table, TWO)]))
        };
        let mine = count([add(&table, TWO), add(&table, ONE)]);
        assert_eq!(mine + other.join().expect("no panic"), 2);
        assert_eq!(table.len(), 2);
    });
}

/// As the stores use it: what an entry stands for is written before it is added, and can be read by
/// who finds it.
#[test]
fn who_finds_an_entry_can_read_what_it_stands_for() {
    loom::model(|| {
        let table = new_table();
        let meaning = Arc::new(AtomicU64::new(0));
        let other = {
            let (table, meaning) = (table.clone(), meaning.clone());
            thread::spawn(move || {
                let make = || {
                    meaning.store(42, Ordering::Relaxed);
                    Ok(ONE)
                };
                let added = table.view().probe(ONE, |other| other == ONE, make);
                assert_eq!(added, Ok(Probe::Added));
            })
        };
        if is_there(&table, ONE) {
            assert_eq!(meaning.load(Ordering::Relaxed), 42);
        }
        other.join().expect("no panic");
        assert!(is_there(&table, ONE));
    });
}

fn new_keys() -> Arc<KeyTable> {
    Arc::new(KeyTable::new(32, &Budget::unlimited()).expect("there is room"))
}

/// Every order in which threads may meet that takes control from a thread at most twice: one that
/// waits for another may look as often as it likes, which makes too many orders otherwise.
fn check_orders(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(run);
}

/// Two threads add the same key: it is new to one of them.
#[test]
fn a_key_is_new_to_one_thread() {
    check_orders(|| {
        let keys = new_keys();
        let other = {
            let keys = keys.clone();
            thread::spawn(move || keys.view().add(1, Absent::Added).expect("nothing is full"))
        };
        let mine = keys.view().add(1, Absent::Added).expect("nothing is full");
        assert_ne!(mine, other.join().expect("no thread fails"));
        assert_eq!(keys.len(), 1);
    });
}

/// Who finds a key while another one is being written beside it reads whole entries only.
#[test]
fn a_key_is_there_whole_or_not_at_all() {
    check_orders(|| {
        let keys = new_keys();
        let writer = {
            let keys = keys.clone();
            thread::spawn(move || keys.view().add(5, Absent::Added).expect("nothing is full"))
        };
        assert!(!keys.view().contains(4) && !keys.view().contains(7));
        assert_eq!(writer.join().expect("no thread fails"), Added::New);
        assert!(keys.view().contains(5));
    });
}

/// The last entries of a bucket have bits in the word that counts them, and these are whole, too.
#[test]
fn entries_beside_the_count_are_whole() {
    check_orders(|| {
        let keys = Arc::new(KeyTable::new(41, &Budget::unlimited()).expect("there is room"));
        let key = |number: u64| 63 << 32 | number;
        (0..8).for_each(|number| assert_eq!(keys.view().add(key(number), Absent::Added), Ok(Added::New)));
        let other = {
            let keys = keys.clone();
            thread::spawn(move || keys.view().add(key(8), Absent::Added).expect("nothing is full"))
        };
        assert_eq!(keys.view().add(key(9), Absent::Added), Ok(Added::New));
        assert_eq!(other.join().expect("no thread fails"), Added::New);
        assert!((0..10).all(|number| keys.view().contains(key(number))));
        assert!(!keys.view().contains(key(10)) && !keys.view().contains(62 << 32 | 9));
    });
}
