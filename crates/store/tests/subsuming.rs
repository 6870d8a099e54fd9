//! The subsuming store against a list of states.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_store::SubsumingStore;
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
        more.len() == less.len() && pairs().all(|(at, (more, less))| if at % 2 == 0 { more >= less } else { more <= less })
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
