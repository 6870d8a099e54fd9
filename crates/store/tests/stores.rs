//! Every store against a set of states, at its edges, and with real threads.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_store::{STORES, StoreEntry};
use ample_transition::{
    Budget, Inserted, KeyUse, Session, StateLength, States, Store, StoreConfig, StoreFull, Unsettled,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Around the sizes of words, pairs and trees: five and nine words are where a tree over neighbours
/// has a leaf left over.
const LENGTHS: &[usize] = &[0, 1, 7, 8, 9, 16, 17, 20, 35, 36, 40, 300];
/// Enough for every test, and little enough that the field of bitstate is made in no time.
const PLENTY: usize = 64 << 20;

fn make(entry: &StoreEntry, budget: &Budget, length: StateLength, typical: &[Vec<u8>]) -> Box<dyn Store> {
    let config = StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use: KeyUse::References };
    (entry.make)(&config).unwrap_or_else(|StoreFull| panic!("{}: no room for an empty store", entry.part.name))
}

fn make_any(entry: &StoreEntry) -> Box<dyn Store> {
    make(entry, &Budget::new(PLENTY), StateLength::Any, &[])
}

/// Whether the store may take a state for another one within a test. Compact may, too, but once in
/// 2^40 tests.
fn may_confuse(entry: &StoreEntry) -> bool {
    entry.part.name == "bitstate"
}

fn exact_ones() -> impl Iterator<Item = &'static StoreEntry> {
    STORES.iter().filter(|entry| !may_confuse(entry))
}

/// What a successor is.
#[derive(Clone, Debug)]
enum Successor {
    /// The opened state with some bytes changed; none is possible.
    Like(Vec<(Index, u8)>),
    /// Another state: these bytes, cut or repeated to the length if there is only one.
    Other(Vec<u8>),
}

/// States to open, by their index among those that can be, each with its successors; and then
/// states to insert.
#[derive(Clone, Debug)]
struct Block {
    opened: Vec<(Index, Vec<Successor>)>,
    inserted: Vec<Successor>,
}

#[derive(Clone, Debug)]
struct Run {
    length: StateLength,
    typical: Vec<Vec<u8>>,
    blocks: Vec<Block>,
}

/// Bytes that are often the same, with the highest bit or without.
fn byte() -> impl Strategy<Value = u8> {
    select(&[0u8, 0, 0, 1, 2, 3, 0x7f, 0x80, 0xff][..])
}

fn successor() -> impl Strategy<Value = Successor> {
    prop_oneof![
        6 => vec((any::<Index>(), byte()), 0..4).prop_map(Successor::Like),
        1 => vec(byte(), 1..50).prop_map(Successor::Other),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    let opened = vec((any::<Index>(), vec(successor(), 0..8)), 0..8);
    (opened, vec(successor(), 0..4)).prop_map(|(opened, inserted)| Block { opened, inserted })
}

fn run() -> impl Strategy<Value = Run> {
    let length = (select(LENGTHS), 0..3).prop_map(|(length, kind)| match kind {
        0 => StateLength::Any,
        1 => StateLength::Usually(length),
        _ => StateLength::Always(length),
    });
    (length, any::<bool>(), vec(block(), 1..12)).prop_flat_map(|(length, is_prepared, blocks)| {
        let states = if is_prepared { 100 } else { 0 };
        let typical = vec(vec(byte(), length.usual().unwrap_or(8)), states);
        typical.prop_map(move |typical| Run { length, typical, blocks: blocks.clone() })
    })
}

impl Successor {
    fn of(&self, parent: &[u8], length: StateLength) -> Vec<u8> {
        match self {
            Successor::Like(changes) => {
                let mut state = parent.to_vec();
                if !state.is_empty() {
                    changes.iter().for_each(|(place, byte)| state[place.index(parent.len())] = *byte);
                }
                state
            }
            Successor::Other(bytes) => match length {
                StateLength::Always(length) => bytes.iter().copied().cycle().take(length).collect(),
                _ => bytes.clone(),
            },
        }
    }
}

/// A store, and what it should hold.
struct Check<'s> {
    entry: &'static StoreEntry,
    store: &'s dyn Store,
    session: Box<dyn Session + Send + 's>,
    /// Opens what is new: the other session must be able to, and this one's memory is not helped.
    reader: Box<dyn Session + Send + 's>,
    known: HashSet<Vec<u8>>,
    /// What can be opened, and what should come out.
    states: States,
    bytes: Vec<Vec<u8>>,
}

impl<'s> Check<'s> {
    fn new(entry: &'static StoreEntry, store: &'s dyn Store) -> Self {
        Check {
            entry,
            store,
            session: store.session(),
            reader: store.session(),
            known: HashSet::new(),
            states: States::default(),
            bytes: Vec::new(),
        }
    }

    fn insert(&mut self, state: &[u8]) {
        let is_new = self.known.insert(state.to_vec());
        let answer = self.session.insert(state).expect("there is room");
        let expected = if is_new { Inserted::New } else { Inserted::Old };
        if !may_confuse(self.entry) || !is_new {
            assert_eq!(answer, expected, "{}: {state:?}", self.entry.part.name);
        }
        self.compare_len();
    }

    /// Settles what was offered: these states.
    fn settle(&mut self, offered: &[Vec<u8>]) {
        let name = self.entry.part.name;
        let mut expected: HashSet<&[u8]> = offered.iter().map(Vec::as_slice).collect();
        expected.retain(|state| !self.known.contains(*state));
        let count = expected.len();
        let before = self.states.len();
        assert_eq!(self.session.settle(u64::MAX, &mut self.states), Ok(()), "{name}");
        for index in before..self.states.len() {
            let mut state = vec![1, 2, 3];
            self.reader.open(&self.states, index, &mut state);
            assert!(expected.remove(state.as_slice()), "{name}: {state:?} is not new");
            self.bytes.push(state);
        }
        if !may_confuse(self.entry) {
            assert!(expected.is_empty(), "{name}: {expected:?} of {count} are missing");
        }
        self.known.extend(offered.iter().cloned());
        self.compare_len();
    }

    fn compare_len(&self) {
        let (len, expected) = (self.store.len(), self.known.len() as u64);
        assert!(len == expected || may_confuse(self.entry) && len < expected, "{len} states, not {expected}");
        assert_eq!(self.store.is_empty(), len == 0);
    }

    fn block(&mut self, block: &Block, length: StateLength) {
        let mut offered = Vec::new();
        for (index, successors) in &block.opened {
            let index = index.index(self.bytes.len());
            let mut state = vec![9; 5];
            self.session.open(&self.states, index, &mut state);
            assert_eq!(state, self.bytes[index], "{}", self.entry.part.name);
            for successor in successors {
                let successor = successor.of(&state, length);
                self.session.offer(&successor);
                offered.push(successor);
            }
        }
        self.settle(&offered);
        let mut last = self.bytes[0].clone();
        for state in &block.inserted {
            last = state.of(&last, length);
            self.insert(&last);
        }
    }
}

fn check(run: &Run) {
    for entry in STORES {
        let budget = Budget::new(PLENTY);
        let store = make(entry, &budget, run.length, &run.typical);
        check_with(entry, &*store, &budget, run);
        drop(store);
        assert_eq!(budget.used(), 0, "{}", entry.part.name);
    }
}

/// Checks an empty store whose memory is of this budget.
fn check_with(entry: &'static StoreEntry, store: &dyn Store, budget: &Budget, run: &Run) {
    let mut check = Check::new(entry, store);
    let first = vec![0; run.length.usual().unwrap_or(12)];
    check.session.offer(&first);
    check.settle(&[first]);
    run.blocks.iter().for_each(|block| check.block(block, run.length));
    // All that was ever new can still be opened, by anybody.
    let mut state = Vec::new();
    for (index, bytes) in check.bytes.iter().enumerate() {
        store.session().open(&check.states, index, &mut state);
        assert_eq!(state, *bytes);
    }
    assert_eq!(budget.used(), store.memory(), "{}", entry.part.name);
}

/// Forgets what a store holds, for states like these, and gives the budget that its memory is of
/// from now on.
fn renew(entry: &StoreEntry, store: &mut dyn Store, length: StateLength, typical: &[Vec<u8>]) -> Budget {
    let name = entry.part.name;
    let budget = Budget::new(PLENTY);
    let config = StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use: KeyUse::References };
    assert_eq!(store.renew(&config), Ok(()), "{name}");
    assert_eq!(budget.used(), store.memory(), "{name}");
    assert!(store.is_empty(), "{name}");
    budget
}

proptest! {
    #[test]
    fn stores_agree_with_a_set(run in run()) {
        check(&run);
    }

    /// The runs of a series may be of different systems, and one store is used for all of them.
    #[test]
    fn a_renewed_store_agrees_with_a_set(runs in vec(run(), 2..5)) {
        for entry in STORES {
            let mut budget = Budget::new(PLENTY);
            let mut store = make(entry, &budget, runs[0].length, &runs[0].typical);
            for run in &runs {
                let before = budget;
                budget = renew(entry, &mut *store, run.length, &run.typical);
                assert_eq!(before.used(), 0, "{}: it is counted once", entry.part.name);
                check_with(entry, &*store, &budget, run);
            }
            drop(store);
            assert_eq!(budget.used(), 0, "{}", entry.part.name);
        }
    }

    #[test]
    fn inserts_agree_with_a_set(states in vec(vec(0u8..3, 0..6), 0..1000)) {
        for entry in STORES {
            let store = make_any(entry);
            let mut check = Check::new(entry, &*store);
            states.iter().for_each(|state| check.insert(state));
        }
    }

    #[test]
    fn no_store_exceeds_its_budget(limit in 0usize..400_000, length in 0usize..200) {
        for entry in STORES {
            fill(entry, limit, |number| numbered(number, 4 + length));
        }
    }

    #[test]
    fn as_many_are_added_as_may_be(most in 0u64..20, length in select(LENGTHS), is_always in any::<bool>()) {
        let length = if is_always { StateLength::Always(length.max(8)) } else { StateLength::Usually(length) };
        for entry in exact_ones() {
            settle_some(entry, most, length);
        }
    }
}

/// A state of this length with this number in it.
fn numbered(number: u64, length: usize) -> Vec<u8> {
    let mut state = number.to_le_bytes().to_vec();
    state.resize(length, 7);
    state
}

/// Adds states until the store is full.
fn fill(entry: &'static StoreEntry, limit: usize, state: impl Fn(u64) -> Vec<u8>) {
    let name = entry.part.name;
    let budget = Budget::new(limit);
    let config = StoreConfig {
        budget: budget.clone(),
        length: StateLength::Any,
        typical: Default::default(),
        key_use: KeyUse::References,
    };
    let Ok(store) = (entry.make)(&config) else {
        assert_eq!(budget.used(), 0, "{name}: a store that was not made holds nothing");
        return;
    };
    let mut session = store.session();
    let mut added = 0;
    while added < 6000 && session.insert(&state(added)).is_ok() {
        assert!(budget.peak() <= limit, "{name}");
        assert_eq!(budget.used(), store.memory(), "{name}");
        added += 1;
    }
    if !may_confuse(entry) {
        assert_eq!(store.len(), added, "{name}");
        if added < 6000 {
            assert_eq!(session.insert(&state(added)), Err(StoreFull), "{name}: full is full");
            session.offer(&state(added));
            assert_eq!(session.settle(9, &mut States::default()), Err(Unsettled::Full), "{name}");
        }
        assert_eq!(store.len(), added, "{name}");
    }
    for number in 0..added {
        assert_eq!(session.insert(&state(number)), Ok(Inserted::Old), "{name}: what was taken is still there");
    }
    drop(session);
    drop(store);
    assert_eq!(budget.used(), 0, "{name}");
}

/// Offers ten states, twice each and with an old one between, of which at most `most` may be added;
/// and then the same again.
fn settle_some(entry: &'static StoreEntry, most: u64, length: StateLength) {
    let name = entry.part.name;
    let store = make(entry, &Budget::new(PLENTY), length, &[]);
    let mut session = store.session();
    let usual = length.usual().unwrap_or(8).max(8);
    let old = vec![1; usual];
    assert_eq!(session.insert(&old), Ok(Inserted::New));
    let mut new = States::default();
    let offer_all = |session: &mut dyn Session| {
        for number in 0..10u64 {
            let state = numbered(number, usual);
            session.offer(&state);
            session.offer(&old);
            session.offer(&state);
        }
    };
    offer_all(&mut *session);
    let expected = if most < 10 { Err(Unsettled::Limit) } else { Ok(()) };
    assert_eq!(session.settle(most, &mut new), expected, "{name}");
    assert_eq!(new.len() as u64, most.min(10), "{name}");
    assert_eq!(store.len(), 1 + most.min(10), "{name}");
    // What was not settled is forgotten, not taken for known.
    offer_all(&mut *session);
    assert_eq!(session.settle(10 - most.min(10), &mut new), Ok(()), "{name}");
    assert_eq!(new.len(), 10, "{name}");
    assert_eq!(store.len(), 11, "{name}");
    // Nothing new is no more than none.
    offer_all(&mut *session);
    assert_eq!(session.settle(0, &mut new), Ok(()), "{name}");
}

#[test]
fn at_most_none_can_be_added_to_an_empty_store() {
    for entry in exact_ones() {
        for length in [StateLength::Any, StateLength::Usually(16), StateLength::Always(16)] {
            let store = make(entry, &Budget::new(PLENTY), length, &[]);
            let mut session = store.session();
            let mut new = States::default();
            session.offer(&[0; 16]);
            assert_eq!(session.settle(0, &mut new), Err(Unsettled::Limit), "{}", entry.part.name);
            assert_eq!((new.len(), store.len()), (0, 0), "{}", entry.part.name);
            session.offer(&[0; 16]);
            assert_eq!(session.settle(1, &mut new), Ok(()), "{}", entry.part.name);
            assert_eq!((new.len(), store.len()), (1, 1), "{}", entry.part.name);
        }
    }
}

/// After a state of another length, with more words, a state leads to itself.
#[test]
fn a_loop_after_a_longer_state() {
    for entry in STORES {
        let store = make_any(entry);
        let mut check = Check::new(entry, &*store);
        check.session.offer(&[1; 8]);
        check.settle(&[vec![1; 8]]);
        check.session.offer(&[2; 300]);
        let mut state = Vec::new();
        check.session.open(&check.states, 0, &mut state);
        check.session.offer(&state);
        check.settle(&[vec![2; 300], state]);
    }
}

/// The last word of five or nine looks like the mark of an unusual length.
#[test]
fn words_with_the_highest_bit() {
    for entry in STORES {
        for length in (1..12).map(|words| 4 * words) {
            let store = make(entry, &Budget::new(PLENTY), StateLength::Usually(length), &[]);
            let mut check = Check::new(entry, &*store);
            let states: Vec<Vec<u8>> = (0..length + 9).map(|other| vec![0xff; other]).collect();
            states.iter().for_each(|state| check.session.offer(state));
            check.settle(&states);
        }
    }
}

#[test]
fn the_length_is_part_of_the_state() {
    for entry in STORES {
        let store = make_any(entry);
        let mut check = Check::new(entry, &*store);
        (0..100).chain(0..100).for_each(|length| check.insert(&vec![0; length]));
    }
}

#[test]
fn long_states_may_stand_between_short_ones() {
    for entry in STORES {
        let store = make_any(entry);
        let mut check = Check::new(entry, &*store);
        for number in (0..60).chain(0..60) {
            check.insert(&vec![number as u8; if number % 3 == 0 { 70_000 + number } else { number }]);
        }
    }
}

#[test]
fn full_in_the_middle_of_a_long_state() {
    for entry in STORES {
        for limit in (0..20).map(|step| 100_000 + 10_007 * step) {
            fill(entry, limit, |number| number.to_le_bytes().repeat(1 + 400 * (number as usize % 7)));
        }
    }
}

const MANY: u64 = 200_000;

/// Visits three quarters of the states, beginning somewhere else for each thread, and gives how
/// many were new. Every second thread inserts, the others offer.
fn visit(store: &dyn Store, thread: u64) -> u64 {
    let mut session = store.session();
    // A step that shares no divisor with the number: every state in a disorderly order.
    let numbers = (0..MANY * 3 / 4).map(|step| (thread * MANY / 4 + step) % MANY * 7919 % MANY);
    let state = |number: u64| [number % 50, number / 50 % 80, number / 4000].map(u64::to_le_bytes).concat();
    if thread % 2 == 1 {
        return numbers.filter(|&number| session.insert(&state(number)) == Ok(Inserted::New)).count() as u64;
    }
    let mut new = States::default();
    for number in numbers {
        session.offer(&state(number));
        if number % 64 == 0 {
            assert_eq!(session.settle(u64::MAX, &mut new), Ok(()));
        }
    }
    assert_eq!(session.settle(u64::MAX, &mut new), Ok(()));
    new.len() as u64
}

#[test]
fn many_states_on_several_threads() {
    for entry in exact_ones() {
        for threads in [1, 2, 4] {
            let budget = Budget::unlimited();
            let store = make(entry, &budget, StateLength::Always(24), &[]);
            visit_on(entry, &*store, threads);
            assert_eq!(budget.used(), store.memory());
            drop(store);
            assert_eq!(budget.used(), 0);
        }
    }
}

/// Visits the states on so many threads.
fn visit_on(entry: &StoreEntry, store: &dyn Store, threads: u64) {
    let new = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let new = &new;
            scope.spawn(move || new.fetch_add(visit(store, thread), Ordering::Relaxed));
        }
    });
    let expected = if threads == 1 { MANY * 3 / 4 } else { MANY };
    assert_eq!(new.into_inner(), expected, "{} on {threads} threads", entry.part.name);
    assert_eq!(store.len(), expected);
}

#[test]
fn a_renewed_store_on_several_threads() {
    for entry in exact_ones() {
        let mut store = make(entry, &Budget::unlimited(), StateLength::Always(24), &[]);
        for threads in [2, 4, 1] {
            visit_on(entry, &*store, threads);
            renew(entry, &mut *store, StateLength::Always(24), &[]);
        }
    }
}

/// What is stored again takes no more memory than before; and where little was stored after much,
/// the rest is given back.
#[test]
fn a_renewed_store_keeps_what_it_needs() {
    for entry in exact_ones() {
        let name = entry.part.name;
        let length = StateLength::Always(24);
        let mut store = make(entry, &Budget::unlimited(), length, &[]);
        let empty = store.memory();
        visit(&*store, 0);
        let full = store.memory();
        let budget = renew(entry, &mut *store, length, &[]);
        // A layout of keys that was made on the way is made again.
        assert!(store.memory() <= full && store.memory() > full / 2, "{name}: {} of {full}", store.memory());
        visit(&*store, 0);
        assert_eq!((store.memory(), budget.used()), (full, full), "{name}");
        renew(entry, &mut *store, length, &[]);
        assert_eq!(store.session().insert(&[1; 24]), Ok(Inserted::New), "{name}");
        let budget = renew(entry, &mut *store, length, &[]);
        assert!(store.memory() < 2 * empty.max(10_000), "{name}: {} bytes are kept", store.memory());
        assert_eq!(budget.used(), store.memory(), "{name}");
    }
}

/// What does not fit into a smaller budget is refused, and counted nowhere in the end.
#[test]
fn a_store_that_is_too_large_is_not_renewed() {
    for entry in exact_ones() {
        let name = entry.part.name;
        let before = Budget::unlimited();
        let mut store = make(entry, &before, StateLength::Always(24), &[]);
        visit(&*store, 0);
        let budget = Budget::new(store.memory() / 2);
        let config = StoreConfig {
            budget: budget.clone(),
            length: StateLength::Always(24),
            typical: Default::default(),
            key_use: KeyUse::References,
        };
        assert_eq!(store.renew(&config), Err(StoreFull), "{name}");
        drop(store);
        assert_eq!((before.used(), budget.used()), (0, 0), "{name}");
    }
}

/// The keys of some states, some of them stored; all are recalled, and only what is stored is
/// there.
#[test]
fn keys_lead_back_to_states() {
    for entry in exact_ones() {
        for length in [StateLength::Any, StateLength::Usually(12), StateLength::Always(12)] {
            let store = make(entry, &Budget::unlimited(), length, &[]);
            let mut session = store.session();
            let state = |number: u64| {
                let extra = if length == StateLength::Always(12) { 0 } else { number as usize % 3 };
                [&number.wrapping_mul(0x9e37_79b9).to_le_bytes()[..], &[7; 4], &vec![1; extra]].concat()
            };
            let mut keys = States::default();
            for number in 0..500 {
                session.key(&state(number), &mut keys).unwrap();
            }
            let key_of = |number: usize| keys.key(number).unwrap();
            for number in (0..500).filter(|number| number % 2 == 0) {
                assert!(!session.contains(key_of(number)));
                assert_eq!(session.add(key_of(number)), Ok(Inserted::New));
                assert_eq!(session.add(key_of(number)), Ok(Inserted::Old));
            }
            let mut recalled = Vec::new();
            for number in 0..500 {
                session.recall(key_of(number), &mut recalled);
                assert_eq!(recalled, state(number as u64), "{} {length:?}", entry.part.name);
                assert_eq!(session.contains(key_of(number)), number % 2 == 0, "{}", entry.part.name);
                let mut again = States::default();
                session.key(&recalled, &mut again).unwrap();
                assert_eq!(again.key(0), Some(key_of(number)));
            }
            assert_eq!(store.len(), 250);
        }
    }
}

#[test]
fn omission_probabilities() {
    for entry in STORES {
        let store = make(entry, &Budget::new(1 << 16), StateLength::Any, &[]);
        let mut session = store.session();
        let mut probabilities = Vec::new();
        for number in 0..2000u64 {
            session.insert(&number.to_le_bytes()).ok();
            if number % 500 == 0 {
                probabilities.push(store.omission_probability());
            }
        }
        let name = entry.part.name;
        match name {
            "exact" | "tree" | "collapse" => assert!(probabilities.iter().all(Option::is_none), "{name}"),
            "compact" => assert!(probabilities.iter().flatten().all(|&p| 0.0 < p && p < 1e-12), "{name}"),
            _ => assert!(probabilities.is_sorted_by(|a, b| a < b), "{name}: {probabilities:?}"),
        }
    }
}

#[test]
fn a_field_of_bits_is_small_for_few_states_and_grows() {
    let entry = STORES.iter().find(|entry| may_confuse(entry)).unwrap();
    let budget = Budget::new(64 << 20);
    let store = make(entry, &budget, StateLength::Any, &[]);
    let mut session = store.session();
    let mut insert = |number: u64| session.insert(&number.to_le_bytes()).unwrap();
    (0..15).for_each(|number| assert_eq!(insert(number), Inserted::New));
    assert!(store.memory() <= 4 << 20, "{} bytes", store.memory());
    let few = store.omission_probability().unwrap();
    assert!(0.0 < few && few < 1e-6, "{few}");
    let is_new = |number: &u64| insert(*number) == Inserted::New;
    let _ = (15..100_000).filter(is_new).count();
    assert!(store.memory() > 32 << 20, "{} bytes", store.memory());
    // What was in the first field is still there.
    (0..100_000).for_each(|number| assert_eq!(insert(number), Inserted::Old, "{number}"));
    let missed = 100_000 - store.len();
    let most = store.omission_probability().unwrap();
    assert!(few < most && missed as f64 <= 100_000.0 * most + 5.0, "{missed} missed, {most}");
    drop(session);
    assert_eq!(budget.used(), store.memory());
    drop(store);
    assert_eq!(budget.used(), 0);
}
