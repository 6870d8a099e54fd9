//! The keys of the collapse store: components that grow, states with many components, and new
//! layouts while threads are at work.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_store::STORES;
use ample_transition::{Budget, Inserted, Key, KeyUse, StateLength, States, StoreConfig};

/// Enough for every test.
const PLENTY: usize = 64 << 20;
/// What is in the highest bits of a reference to a state that has no key.
const ROOT: u64 = 7;

/// How keys became.
struct Grown {
    /// How often they were laid out anew.
    relayouts: u64,
    /// How many states had no key when they were added.
    without_key: usize,
}

/// States with components that grow past what typical states show: they get another key, perhaps
/// several times, and every reference that was given still leads to its state.
fn grows_past_its_width(key_use: KeyUse, states: impl Iterator<Item = Vec<u8>>, len: usize) -> Grown {
    let typical: Vec<Vec<u8>> = (0..200u8).map(|number| vec![number % 3; len]).collect();
    grown(key_use, typical, states)
}

/// The same for states of which these are typical.
fn grown(key_use: KeyUse, typical: Vec<Vec<u8>>, states: impl Iterator<Item = Vec<u8>>) -> Grown {
    let len = typical[0].len();
    let config =
        StoreConfig { budget: Budget::new(PLENTY), length: StateLength::Always(len), typical: typical.into(), key_use };
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
    let store = (entry.make)(&config).unwrap();
    let mut session = store.session();
    let (mut known, mut given) = (Vec::new(), States::default());
    for state in states {
        session.offer(&state);
        known.push(state);
        if known.len() % 64 == 0 {
            session.settle(u64::MAX, &mut given).unwrap();
        }
    }
    session.settle(u64::MAX, &mut given).unwrap();
    assert_eq!((store.len(), given.len()), (known.len() as u64, known.len()));
    let mut recalled = Vec::new();
    let read: HashSet<Vec<u8>> = (0..given.len())
        .map(|place| {
            session.recall(given.key(place).unwrap(), &mut recalled);
            assert!(session.contains(given.key(place).unwrap()));
            recalled.clone()
        })
        .collect();
    assert_eq!(read, known.into_iter().collect());
    let references = (0..given.len()).filter_map(|place| given.reference(place));
    Grown { relayouts: store.relayouts(), without_key: references.filter(|word| word.0 >> 61 == ROOT).count() }
}

#[test]
fn a_component_that_grows_past_its_width_thousands_of_times() {
    for len in [48, 48 + 512] {
        let state = |number: u32| {
            let mut state = vec![0; len];
            state[len - 28..len - 24].copy_from_slice(&number.to_le_bytes());
            state[len - 8] = (number % 7) as u8;
            state
        };
        assert!(grows_past_its_width(KeyUse::References, (0..60_000).map(state), len).relayouts > 0);
        assert_eq!(grows_past_its_width(KeyUse::Identities, (0..20_000).map(state), len).relayouts, 0);
    }
}

#[test]
fn messages_of_twenty_fields() {
    let state = |number: u32| {
        let mut state = vec![0; 96];
        for field in 0..20 {
            state[4 * field] = (number >> (field % 16)) as u8 & 3;
        }
        state[80..84].copy_from_slice(&number.to_le_bytes());
        state
    };
    grows_past_its_width(KeyUse::References, (0..30_000).map(state), 96);
}

/// A state of 464 bytes, of which each number changes a process and a channel.
fn many_components(number: u32) -> Vec<u8> {
    let mut state = vec![0; 464];
    for (place, part) in [number, number / 7, number / 11].into_iter().enumerate() {
        state[(part + 21 * place as u32) as usize % 64 * 4] = 1 + (part / 64) as u8 % 5;
        state[256 + (part + 13 * place as u32) as usize % 40 * 5] = (part / 40) as u8 % 9;
    }
    state[460..].copy_from_slice(&number.to_le_bytes());
    state
}

#[test]
fn sixty_four_processes_and_forty_channels() {
    for key_use in [KeyUse::References, KeyUse::Identities] {
        let typical = (0..2_000).map(|number| many_components(number * 5)).collect();
        let grown = grown(key_use, typical, (0..10_000).map(many_components));
        assert!(grown.relayouts == 0 && grown.without_key < 100, "{} {key_use:?}", grown.without_key);
    }
}

/// Nothing but zeros is known of most of them: they get keys when they are laid out anew.
#[test]
fn sixty_four_processes_and_forty_channels_that_begin_to_move_late() {
    let typical: Vec<Vec<u8>> = (0..200).map(|number| [vec![0; 460], vec![number % 3, 0, 0, 0]].concat()).collect();
    let late = grown(KeyUse::References, typical.clone(), (0..30_000).map(many_components));
    assert!(late.relayouts > 0 && late.without_key < 30_000, "{} {}", late.relayouts, late.without_key);
    let late = grown(KeyUse::Identities, typical, (0..10_000).map(many_components));
    assert_eq!(late.relayouts, 0);
}

/// The longest states that have keys, all of whose words change, and such as are longer.
#[test]
fn states_of_four_thousand_bytes_have_keys_and_longer_ones_have_roots() {
    for (len, has_keys) in [(272, true), (2_050, true), (4_080, true), (4_096, true), (4_112, false)] {
        let state = |number: u32| {
            let mut state = vec![1; len];
            for step in 0..8 {
                let place = (number.wrapping_mul(2_654_435_761) >> 8) as usize + step * (number as usize % 997);
                state[place % (len - 4)] = (number >> step) as u8 % 4;
            }
            state[len - 4..].copy_from_slice(&number.to_le_bytes());
            state
        };
        let typical = (0..500).map(|number| state(number * 7)).collect();
        let grown = grown(KeyUse::Identities, typical, (0..3_000).map(state));
        assert_eq!(grown.without_key < 3_000, has_keys, "{len}: {} of 3,000 states have no key", grown.without_key);
    }
}

/// The same states offered by several threads while keys are laid out anew.
#[test]
fn layouts_change_under_several_threads() {
    let typical: Vec<Vec<u8>> = (0..100u8).map(|number| vec![number % 2; 32]).collect();
    let (budget, length, key_use) = (Budget::new(PLENTY), StateLength::Always(32), KeyUse::References);
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
    let store = (entry.make)(&StoreConfig { budget, length, typical: typical.into(), key_use }).unwrap();
    let added = AtomicU64::new(0);
    let state = |number: u32| {
        let mut state = vec![0; 32];
        state[..4].copy_from_slice(&(number % 97).to_le_bytes());
        state[16..20].copy_from_slice(&number.to_le_bytes());
        state
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (store, added) = (&store, &added);
            scope.spawn(move || {
                let (mut session, mut new) = (store.session(), States::default());
                for number in 0..40_000 {
                    session.offer(&state((number + thread * 10_000) % 40_000));
                    if number % 50 == 49 {
                        session.settle(u64::MAX, &mut new).unwrap();
                    }
                }
                added.fetch_add(new.len() as u64, Ordering::Relaxed);
            });
        }
    });
    assert_eq!((store.len(), added.into_inner()), (40_000, 40_000));
    assert!(store.relayouts() > 0);
}

/// Many states that fit, and then others that do not: so many threads have their part in the new
/// layout.
#[test]
fn a_large_table_is_laid_out_anew_by_several_threads() {
    const FIT: u32 = 60_000;
    let state = |number: u32| {
        let mut state = vec![0; 32];
        state[..4].copy_from_slice(&(number % 97).to_le_bytes());
        state[8..12].copy_from_slice(&(number % FIT).to_le_bytes());
        state[20..24].copy_from_slice(&(number / FIT * (1 + number % 500)).to_le_bytes());
        state
    };
    let typical: Vec<Vec<u8>> = (0..4_000).map(|number| state(number * 14)).collect();
    let (budget, length, key_use) = (Budget::new(PLENTY), StateLength::Always(32), KeyUse::References);
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
    let store =
        (entry.make)(&StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use }).unwrap();
    let mut first = States::default();
    let mut session = store.session();
    (0..FIT).for_each(|number| session.offer(&state(number)));
    session.settle(u64::MAX, &mut first).unwrap();
    assert_eq!((store.relayouts(), store.len()), (0, u64::from(FIT)));
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let store = &store;
            scope.spawn(move || {
                let (mut session, mut new) = (store.session(), States::default());
                for number in 0..3 * FIT {
                    session.offer(&state((number + thread * FIT) % (3 * FIT)));
                    if number % 50 == 49 {
                        session.settle(u64::MAX, &mut new).unwrap();
                    }
                }
            });
        }
    });
    assert!(store.relayouts() > 0);
    assert_eq!((store.len(), budget.used()), (u64::from(3 * FIT), store.memory()));
    let mut read = Vec::new();
    for place in 0..first.len() {
        session.open(&first, place, &mut read);
        assert_eq!(read, state(place as u32), "a reference from before is still read");
        assert!(session.contains(first.key(place).unwrap()));
    }
}

/// References to states of another store have keys of their own, whatever their tags are.
#[test]
fn references_are_kept_as_they_are() {
    let (budget, length, key_use) = (Budget::new(PLENTY), StateLength::Always(8), KeyUse::Identities);
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
    let store = (entry.make)(&StoreConfig { budget, length, typical: Default::default(), key_use }).unwrap();
    let (mut session, mut keys, mut read) = (store.session(), States::default(), Vec::new());
    let words = || (0..3_000_u64).map(|number| (number % 8) << 61 | number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3);
    for word in words() {
        assert_eq!(session.insert(&word.to_le_bytes()), Ok(Inserted::New), "{word:x}");
    }
    for word in words() {
        assert_eq!(session.insert(&word.to_le_bytes()), Ok(Inserted::Old), "{word:x}");
        keys.clear();
        session.key(&word.to_le_bytes(), &mut keys).unwrap();
        session.recall(keys.key(0).unwrap(), &mut read);
        assert_eq!(read, word.to_le_bytes());
    }
    assert_eq!(store.len(), 3_000);
}

/// Threads that begin at different states and offer them in rounds, each state several times. All
/// are added once and found again.
fn stress(threads: u32, states: u32, rounds: u32) {
    let state = |number: u32| [number.to_le_bytes(), [0; 4], (number % 89).to_le_bytes(), [0; 4]].concat();
    let typical: Vec<Vec<u8>> = (0..4096).map(|number| state(number * (states / 4096))).collect();
    let (budget, length, key_use) = (Budget::unlimited(), StateLength::Always(16), KeyUse::References);
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
    let store =
        (entry.make)(&StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use }).unwrap();
    let added = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (store, added) = (&store, &added);
            scope.spawn(move || {
                let (mut session, mut new) = (store.session(), States::default());
                let mut count = 0;
                // Each thread leaves out some states at the end of the first round.
                for step in 0..u64::from(rounds) * u64::from(states) - u64::from(states / 3) {
                    let number = (step + u64::from(thread) * u64::from(states / threads)) % u64::from(states);
                    session.offer(&state(number as u32));
                    if step % 200 == 199 {
                        session.settle(u64::MAX, &mut new).unwrap();
                        count += new.len() as u64;
                        new.clear();
                    }
                }
                session.settle(u64::MAX, &mut new).unwrap();
                added.fetch_add(count + new.len() as u64, Ordering::Relaxed);
            });
        }
    });
    assert_eq!((store.len(), added.into_inner()), (u64::from(states), u64::from(states)));
    assert_eq!(store.memory(), budget.used());
    let mut session = store.session();
    for number in 0..states {
        assert!(session.contains(Key::InFull(&state(number))), "{number}");
    }
}

/// A table that is large enough for several threads to move its entries when it grows.
#[test]
fn a_large_table_grows_under_several_threads() {
    stress(3, 600_000, 1);
}

/// A billion states offered by four threads: `cargo test --release -p ample-store -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn a_billion_states_on_four_threads() {
    stress(4, 50_000_000, 6);
}
