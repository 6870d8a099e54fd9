//! Abstract matching: a state counts as seen if one with the same abstract state was.
//!
//! The search goes on from the concrete states, which it keeps in full while they are open; another
//! store remembers what the abstraction makes of them (Pelánek, Figure 3.2, αSearch). Which states
//! are explored depends on the order, since the first of an abstract state stands for all.

use std::sync::Arc;

use ample_guarantee::{ClassSet, Guarantee, Omission, Part, PartKind};
use ample_transition::{Inserted, Key, Opened, Session, StateLength, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::offers::open_in_full;

/// Abstract matching.
pub static MATCH: Part = Part {
    name: "match",
    kind: PartKind::Canonizer,
    summary: "of each state the values of some expressions are remembered; what lies behind others is not seen",
    paper: Some("Pelánek 2006, Figure 3.2"),
    guarantee: Guarantee {
        no_missed: ClassSet::NONE,
        no_false: ClassSet::ALL,
        omission: Omission::Bound {
            reason: "states with the same values of the matched expressions were taken for one",
        },
    },
};

/// What a search remembers of a state instead of it.
pub trait Abstraction: Sync {
    /// Appends the abstract state of a state to `key`.
    fn append(&self, state: &[u8], key: &mut Vec<u8>);

    /// The length of abstract states, in bytes.
    fn length(&self) -> StateLength;
}

/// A store of abstract states.
pub struct MatchingStore<'a> {
    abstraction: &'a dyn Abstraction,
    abstract_states: Box<dyn Store + 'a>,
}

impl<'a> MatchingStore<'a> {
    /// What `abstract_states`, an empty store made for [`config`](Self::config), is to remember.
    pub fn new(abstraction: &'a dyn Abstraction, abstract_states: Box<dyn Store + 'a>) -> Self {
        MatchingStore { abstraction, abstract_states }
    }

    /// What the store of abstract states is made for, if one of states is made for `config`.
    #[must_use]
    pub fn config(abstraction: &dyn Abstraction, config: &StoreConfig) -> StoreConfig {
        let abstract_state = |state: &Vec<u8>| {
            let mut key = Vec::new();
            abstraction.append(state, &mut key);
            key
        };
        let typical: Arc<[Vec<u8>]> = config.typical.iter().map(abstract_state).collect();
        StoreConfig { length: abstraction.length(), typical, ..config.clone() }
    }
}

impl Store for MatchingStore<'_> {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(MatchingSession {
            abstraction: self.abstraction,
            abstract_states: self.abstract_states.session(),
            offers: States::default(),
            abstract_state: Vec::new(),
            key: States::default(),
        })
    }

    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        self.abstract_states.renew(&MatchingStore::config(self.abstraction, config))
    }

    fn len(&self) -> u64 {
        self.abstract_states.len()
    }

    fn memory(&self) -> usize {
        self.abstract_states.memory()
    }

    fn key_length(&self, states: StateLength) -> StateLength {
        states
    }

    fn relayouts(&self) -> u64 {
        self.abstract_states.relayouts()
    }

    fn omission_probability(&self) -> Option<f64> {
        self.abstract_states.omission_probability()
    }
}

struct MatchingSession<'s> {
    abstraction: &'s dyn Abstraction,
    abstract_states: Box<dyn Session + Send + 's>,
    /// The concrete states that wait.
    offers: States,
    abstract_state: Vec<u8>,
    /// The key of an abstract state that is looked for.
    key: States,
}

impl MatchingSession<'_> {
    /// Makes the abstract state of a state the current one.
    fn abstract_from(&mut self, state: &[u8]) {
        self.abstract_state.clear();
        self.abstraction.append(state, &mut self.abstract_state);
    }
}

impl Session for MatchingSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        self.abstract_from(state);
        self.abstract_states.insert(&self.abstract_state)
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        open_in_full(states, index, state)
    }

    fn offer(&mut self, state: &[u8]) {
        self.offers.push_state(state);
    }

    /// One after the other: of two offers with the same abstract state the first is the new one.
    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let offers = std::mem::take(&mut self.offers);
        let mut left = most;
        for state in (0..offers.len()).filter_map(|place| offers.state(place)) {
            if left == 0 {
                if self.contains(Key::InFull(state)) {
                    continue;
                }
                return Err(Unsettled::Limit);
            }
            if self.insert(state)? == Inserted::New {
                left -= 1;
                new.push_state(state);
            }
        }
        self.offers = offers;
        self.offers.clear();
        Ok(())
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        let Key::InFull(state) = key else { return false };
        self.abstract_from(state);
        self.key.clear();
        let found = self.abstract_states.key(&self.abstract_state, &mut self.key);
        found.is_ok() && self.key.key(0).is_some_and(|key| self.abstract_states.contains(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STORES;

    /// The first byte of a state.
    struct FirstByte;

    impl Abstraction for FirstByte {
        fn append(&self, state: &[u8], key: &mut Vec<u8>) {
            key.push(state[0]);
        }

        fn length(&self) -> StateLength {
            StateLength::Always(1)
        }
    }

    #[test]
    fn the_first_state_of_an_abstract_state_stands_for_all_in_every_store() {
        for entry in STORES {
            let config = MatchingStore::config(&FirstByte, &StoreConfig::unlimited());
            let store = MatchingStore::new(&FirstByte, (entry.make)(&config).expect("memory"));
            let mut session = store.session();
            for state in [[1, 1], [2, 1], [1, 2], [3, 1], [2, 2]] {
                session.offer(&state);
            }
            let mut new = States::default();
            session.settle(u64::MAX, &mut new).expect("room");
            let new: Vec<&[u8]> = (0..new.len()).filter_map(|place| new.state(place)).collect();
            assert_eq!(new, [[1, 1], [2, 1], [3, 1]], "{}", entry.part.name);
            assert!(session.contains(Key::InFull(&[3, 7])), "{}", entry.part.name);
            assert!(!session.contains(Key::InFull(&[4, 1])), "{}", entry.part.name);
            assert_eq!(session.insert(&[2, 9]), Ok(Inserted::Old), "{}", entry.part.name);
            drop(session);
            assert_eq!(store.len(), 3, "{}", entry.part.name);
        }
    }

    #[test]
    fn no_more_states_are_new_than_allowed() {
        let config = MatchingStore::config(&FirstByte, &StoreConfig::unlimited());
        let store = MatchingStore::new(&FirstByte, (STORES[0].make)(&config).expect("memory"));
        let mut session = store.session();
        for state in [[1, 1], [1, 2], [2, 1], [3, 1]] {
            session.offer(&state);
        }
        let mut new = States::default();
        assert_eq!(session.settle(2, &mut new), Err(Unsettled::Limit));
        assert_eq!((new.len(), store.len()), (2, 2));
    }
}
