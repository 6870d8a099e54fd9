//! A set of states behind one lock.

use std::collections::HashSet;
use std::sync::Mutex;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_stdx::lock;
use ample_store::StoreEntry;
use ample_transition::{Inserted, Key, Opened, Session, States, Store, StoreConfig, StoreFull, Unsettled};

use super::part;

static SET: Part = part("set", PartKind::Store, Guarantee::EXACT);
static FORGETFUL: Part = part("forgetful", PartKind::Store, Guarantee::EXACT);

pub const RIGHT: StoreEntry = StoreEntry { part: &SET, make: |_| Ok(Box::new(Set::remembering(usize::MAX))) };

/// It takes states that begin alike for the same.
pub const WRONG: StoreEntry = StoreEntry { part: &FORGETFUL, make: |_| Ok(Box::new(Set::remembering(1))) };

struct Set {
    states: Mutex<HashSet<Vec<u8>>>,
    /// How many bytes of a state count.
    most: usize,
}

impl Set {
    fn remembering(most: usize) -> Set {
        Set { states: Mutex::default(), most }
    }

    fn add(&self, state: &[u8]) -> Inserted {
        let is_new = lock(&self.states).insert(state[..state.len().min(self.most)].to_vec());
        if is_new { Inserted::New } else { Inserted::Old }
    }
}

impl Store for Set {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(Way { set: self, offered: Vec::new() })
    }

    fn renew(&mut self, _: &StoreConfig) -> Result<(), StoreFull> {
        lock(&self.states).clear();
        Ok(())
    }

    fn len(&self) -> u64 {
        lock(&self.states).len() as u64
    }

    fn memory(&self) -> usize {
        lock(&self.states).iter().map(Vec::len).sum()
    }
}

struct Way<'s> {
    set: &'s Set,
    offered: Vec<Vec<u8>>,
}

impl Session for Way<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        Ok(self.set.add(state))
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        state.clear();
        state.extend_from_slice(states.state(index).unwrap_or_default());
        Opened::Here
    }

    fn offer(&mut self, state: &[u8]) {
        self.offered.push(state.to_vec());
    }

    fn settle(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        for state in std::mem::take(&mut self.offered) {
            if most == 0 && !self.contains(Key::InFull(&state)) {
                return Err(Unsettled::Limit);
            }
            if self.set.add(&state) == Inserted::New {
                most -= 1;
                new.push_state(&state);
            }
        }
        Ok(())
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        key.with_bytes(|state| lock(&self.set.states).contains(&state[..state.len().min(self.set.most)]))
    }
}
