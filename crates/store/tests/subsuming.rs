//! The subsuming store against a list of states.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_store::{ExactStore, SubsumingStore};
use ample_transition::{Budget, Cover, Inserted, Key, Opened, States, Store, StoreConfig, Unsettled};
use proptest::collection::vec;
use proptest::prelude::*;

/// The first byte is the common part; of the others each must be at least as large, or at most, by
/// turns.
struct Product;

impl Cover for Product {
    fn common(&self, state: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&state[..1]);
    }

    fn covers(&self, more: &[u8], less: &[u8]) -> bool {
        let pairs = || more.iter().zip(less).skip(1).enumerate();
        more.len() == less.len()
            && pairs().all(|(at, (more, less))| if at % 2 == 0 { more >= less } else { more <= less })
    }
}

/// What the store should be: a list.
#[derive(Default)]
struct List {
    states: Vec<Vec<u8>>,
    covered: u64,
}

impl List {
    fn covers(&self, state: &[u8]) -> bool {
        self.states.iter().any(|other| other[0] == state[0] && Product.covers(other, state))
    }

    /// Whether the state is new.
    fn add(&mut self, state: &[u8]) -> bool {
        if self.covers(state) {
            return false;
        }
        let before = self.states.len();
        self.states.retain(|other| !(other[0] == state[0] && Product.covers(state, other)));
        self.covered += (before - self.states.len()) as u64;
        self.states.push(state.to_vec());
        true
    }
}

fn state() -> impl Strategy<Value = Vec<u8>> {
    let plain = (0..4u8, vec(0..6u8, 2));
    let long = (0..2u8, vec(0..6u8, 14));
    prop_oneof![6 => plain, 1 => long].prop_map(|(first, rest)| [vec![first], rest].concat())
}

proptest! {
    /// Whatever is offered, inserted or asked for; all that was ever new can be opened, and says
    /// whether it is covered.
    #[test]
    fn the_store_agrees_with_a_list(blocks in vec((vec(state(), 0..12), vec(state(), 0..4)), 1..12)) {
        let budget = Budget::new(64 << 20);
        let config = StoreConfig { budget: budget.clone(), ..StoreConfig::unlimited() };
        let store = SubsumingStore::new(&Product, &config).expect("memory");
        let (mut session, mut list) = (store.session(), List::default());
        let (mut all, mut expected) = (States::default(), Vec::new());
        for (offered, inserted) in &blocks {
            offered.iter().for_each(|state| session.offer(state));
            expected.extend(offered.iter().filter(|state| list.add(state)).cloned());
            prop_assert_eq!(session.settle(u64::MAX, &mut all), Ok(()));
            for state in inserted {
                prop_assert_eq!(session.contains(Key::InFull(state)), list.covers(state));
                let answer = if list.add(state) { Inserted::New } else { Inserted::Old };
                prop_assert_eq!(session.insert(state), Ok(answer));
            }
            prop_assert_eq!(all.len(), expected.len());
            let mut reader = store.session();
            for (index, state) in expected.iter().enumerate() {
                let mut found = vec![7; 3];
                let opened = reader.open(&all, index, &mut found);
                prop_assert_eq!(&found, state);
                let is_there = list.states.contains(state);
                prop_assert_eq!(opened, if is_there { Opened::Here } else { Opened::Covered });
            }
            prop_assert_eq!((store.len(), store.covered()), (list.states.len() as u64, list.covered));
        }
        prop_assert_eq!(budget.used(), store.memory());
        drop(session);
        drop(store);
        prop_assert_eq!(budget.used(), 0);
    }

    /// What many threads leave is what covers all and covers nothing of each other: of states that
    /// differ, the order does not matter.
    #[test]
    fn threads_leave_the_states_that_no_other_covers(states in vec(state(), 1..400), threads in 1..5usize) {
        let store = SubsumingStore::new(&Product, &StoreConfig::unlimited()).expect("memory");
        std::thread::scope(|scope| {
            for number in 0..threads {
                let (store, states) = (&store, &states);
                scope.spawn(move || {
                    let (mut session, mut new) = (store.session(), States::default());
                    for block in states.iter().skip(number).step_by(threads).collect::<Vec<_>>().chunks(5) {
                        block.iter().for_each(|state| session.offer(state));
                        session.settle(u64::MAX, &mut new).expect("room");
                    }
                });
            }
        });
        let mut list = List::default();
        states.iter().for_each(|state| _ = list.add(state));
        prop_assert_eq!(store.len(), list.states.len() as u64);
        let mut session = store.session();
        for state in &states {
            prop_assert!(session.contains(Key::InFull(state)));
        }
    }
}

#[test]
fn no_more_states_are_new_than_allowed_and_none_is_covered_in_vain() {
    let store = SubsumingStore::new(&Product, &StoreConfig::unlimited()).expect("memory");
    let (mut session, mut new) = (store.session(), States::default());
    for state in [[1, 0, 5], [1, 1, 6], [1, 0, 7], [1, 2, 0]] {
        session.offer(&state);
    }
    assert_eq!(session.settle(2, &mut new), Err(Unsettled::Limit));
    assert_eq!((store.len(), store.covered(), new.len()), (2, 0, 2));
    let mut state = Vec::new();
    assert_eq!((session.open(&new, 0, &mut state), state.as_slice()), (Opened::Here, &[1, 0, 5][..]));
}

#[test]
fn a_full_budget_ends_it_and_a_renewed_store_is_empty() {
    let budget = Budget::new(1 << 20);
    let config = StoreConfig { budget: budget.clone(), ..StoreConfig::unlimited() };
    let mut store = SubsumingStore::new(&Product, &config).expect("memory");
    let is_full = {
        let mut session = store.session();
        // Each byte twice, so that none covers another.
        let twice = |number: u32| number.to_le_bytes().into_iter().flat_map(|byte| [byte, byte]).collect::<Vec<u8>>();
        let long = |number: u32| [&[number as u8][..], &twice(number), &[0; 200]].concat();
        (0..100_000).any(|number| session.insert(&long(number)).is_err())
    };
    assert!(is_full && budget.used() <= 1 << 20);
    let plenty = Budget::new(8 << 20);
    store.renew(&StoreConfig { budget: plenty.clone(), ..StoreConfig::unlimited() }).expect("memory");
    assert_eq!((store.len(), store.covered(), budget.used()), (0, 0, 0));
    assert_eq!(plenty.used(), store.memory());
    assert_eq!(store.session().insert(&[1, 2, 3]), Ok(Inserted::New));
}

/// A chain in which each state covers the one before: the group stays short to look through.
#[test]
fn what_is_covered_is_not_looked_at_again() {
    struct Counting(AtomicU64);
    impl Cover for Counting {
        fn common(&self, _: &[u8], _: &mut Vec<u8>) {}

        fn covers(&self, more: &[u8], less: &[u8]) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            more >= less
        }
    }
    let cover = Arc::new(Counting(AtomicU64::new(0)));
    let store = SubsumingStore::new(&*cover, &StoreConfig::unlimited()).expect("memory");
    let mut session = store.session();
    for number in 0..10_000u32 {
        assert_eq!(session.insert(&number.to_be_bytes()), Ok(Inserted::New));
    }
    assert_eq!((store.len(), store.covered()), (1, 9_999));
    // Twice for each pair, and again where there was no room at first.
    assert!(cover.0.load(Ordering::Relaxed) < 2 * 9_999 + 1_000);
    assert_eq!(session.insert(&[0, 0, 1, 1]), Ok(Inserted::Old));
}

/// A common part of 20 bytes, then two numbers of which one is to be small and one large: states
/// with one common part, from 1 to 20 of them, of which none covers another.
struct Front;

const COMMON: usize = 20;

impl Cover for Front {
    fn common(&self, state: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&state[..COMMON]);
    }

    fn covers(&self, more: &[u8], less: &[u8]) -> bool {
        let number = |state: &[u8], at: usize| u16::from_le_bytes([state[at], state[at + 1]]);
        number(more, COMMON) <= number(less, COMMON) && number(more, COMMON + 2) >= number(less, COMMON + 2)
    }
}

/// The state with this number; those of a group come one after the other, far apart.
fn front(groups: u64, number: u64) -> Option<[u8; COMMON + 4]> {
    let (group, member) = (number % groups, number / groups);
    if member > group % 20 {
        return None;
    }
    let mut state = [0; COMMON + 4];
    state[..8].copy_from_slice(&group.to_le_bytes());
    state[12..16].copy_from_slice(&(group as u32 ^ 0x5555).to_le_bytes());
    state[COMMON..COMMON + 2].copy_from_slice(&(member as u16).to_le_bytes());
    state[COMMON + 2..].copy_from_slice(&(member as u16).to_le_bytes());
    Some(state)
}

/// Offers so many groups of states in blocks. How many there were, and the seconds that it took.
fn fill(store: &dyn Store, groups: u64) -> (u64, f64) {
    let started = std::time::Instant::now();
    let (mut session, mut new, mut states, mut offered) = (store.session(), States::default(), 0, 0);
    for state in (0..20 * groups).filter_map(|number| front(groups, number)) {
        session.offer(&state);
        (states, offered) = (states + 1, offered + 1);
        if offered == 256 {
            session.settle(u64::MAX, &mut new).expect("room");
            (new, offered) = (States::default(), 0);
        }
    }
    session.settle(u64::MAX, &mut new).expect("room");
    (states, started.elapsed().as_secs_f64())
}

/// How much more memory and time the store takes than the exact one for the same states.
fn beside_the_exact_store(groups: u64) -> (f64, f64) {
    let exact = ExactStore::new(&StoreConfig::unlimited()).expect("memory");
    let (states, exact_seconds) = fill(&exact, groups);
    let (exact_len, exact_bytes) = (exact.len(), exact.memory());
    drop(exact);
    let store = SubsumingStore::new(&Front, &StoreConfig::unlimited()).expect("memory");
    let (_, seconds) = fill(&store, groups);
    assert_eq!((store.len(), store.covered(), exact_len), (states, 0, states));
    let ratios = (store.memory() as f64 / exact_bytes as f64, seconds / exact_seconds);
    println!(
        "{states} states: {exact_bytes} bytes in {exact_seconds:.2} s exact, {} bytes in {seconds:.2} s subsuming: {ratios:.2?}",
        store.memory()
    );
    ratios
}

#[test]
fn it_takes_little_more_memory_than_the_exact_store() {
    assert!(beside_the_exact_store(20_000).0 <= 1.5);
}

/// With `--release --ignored --nocapture`: the numbers of docs/benchmarks.md.
#[test]
#[ignore = "ten million states take a while, and time means something on a quiet machine only"]
fn ten_million_states() {
    let groups = std::env::var("AMPLE_SUBSUMING_GROUPS").map_or(952_400, |groups| groups.parse().expect("a number"));
    // Both in turn, three times: the states and the memory are the same each time.
    let mut ratios = [0; 3].map(|_| beside_the_exact_store(groups));
    ratios.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    println!("median: {:.2} of the memory, {:.2} of the time", ratios[1].0, ratios[1].1);
    assert!(ratios[1].0 <= 1.5);
}
