//! The exact store against a map, and at its edges.

use std::collections::HashMap;

use ample_stdx::TypedId;
use ample_store::{ExactStore, STORES};
use ample_transition::{Inserted, StateId, Store, StoreFull};
use proptest::collection::vec;
use proptest::prelude::*;

/// Inserts the states and compares every answer with a map from states to ids.
fn check(states: impl IntoIterator<Item = Vec<u8>>) -> ExactStore {
    let mut store = ExactStore::new();
    let mut model: HashMap<Vec<u8>, StateId> = HashMap::new();
    for state in states {
        let next = StateId::from_index(model.len());
        let expected = match model.get(&state) {
            Some(&id) => Inserted::Old(id),
            None => Inserted::New(next),
        };
        assert_eq!(store.insert(&state), Ok(expected));
        model.entry(state).or_insert(next);
        assert_eq!(store.len(), model.len());
    }
    for (state, &id) in &model {
        assert_eq!(store.state(id), state);
        assert_eq!(store.insert(state), Ok(Inserted::Old(id)));
    }
    store
}

proptest! {
    #[test]
    fn agrees_with_a_map(states in vec(vec(0u8..3, 0..6), 0..2000)) {
        check(states);
    }

    #[test]
    fn agrees_with_a_map_on_long_states(states in vec(vec(any::<u8>(), 0..3000), 0..60)) {
        check(states);
    }

    #[test]
    fn never_exceeds_its_budget(budget in 0usize..400_000, length in 0usize..200) {
        let mut store = ExactStore::with_budget(budget);
        let mut full_at = None;
        for number in 0..6000u32 {
            let mut state = number.to_le_bytes().to_vec();
            state.resize(4 + length, 7);
            match store.insert(&state) {
                Ok(_) => prop_assert!(store.memory() <= budget),
                Err(StoreFull) => {
                    full_at = Some(number);
                    break;
                }
            }
        }
        // What was taken is still there.
        let taken = full_at.unwrap_or(6000);
        prop_assert_eq!(store.len(), taken as usize);
        for number in 0..taken {
            let mut state = number.to_le_bytes().to_vec();
            state.resize(4 + length, 7);
            prop_assert_eq!(store.insert(&state), Ok(Inserted::Old(StateId::from_index(number as usize))));
        }
    }
}

#[test]
fn the_length_is_part_of_the_key() {
    check((0..100).map(|length| vec![0; length]));
    check([vec![], vec![], vec![0], vec![]]);
}

#[test]
fn long_states_may_stand_between_short_ones() {
    check(
        (0..300)
            .map(|number: usize| vec![number as u8; if number.is_multiple_of(3) { 70_000 + number } else { number }]),
    );
}

#[test]
fn grows_over_many_blocks_with_small_overhead() {
    let count = 1_000_000u32;
    let store = check((0..count).map(|number| number.to_le_bytes().to_vec()));
    let per_state = store.memory() as f64 / f64::from(count) - 4.0;
    assert!((14.0..=18.0).contains(&per_state), "{per_state} bytes of overhead per state");
}

#[test]
fn runs_are_deterministic() {
    let memory = || check((0..5000u32).map(|number| number.to_be_bytes().to_vec())).memory();
    assert_eq!(memory(), memory());
}

#[test]
fn the_registry_makes_stores_that_keep_their_budget() {
    for entry in STORES {
        let mut store = (entry.make)(0);
        assert_eq!(store.insert(&[1]), Err(StoreFull), "{}", entry.part.name);
        let mut store = (entry.make)(1 << 20);
        assert_eq!(store.insert(&[1]), Ok(Inserted::New(StateId::from_index(0))));
        assert!(store.memory() <= 1 << 20);
    }
}
