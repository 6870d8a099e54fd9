//! An index of the keys of states.

use std::hash::BuildHasher;

use ample_transition::{Key, StateRef};
use foldhash::fast::FixedState;

/// Finds the numbers of keys. The keys themselves are held by the caller.
///
/// A hash table with open addressing and linear probing: an entry is at the position that its hash
/// asks for, or at one of the positions that follow, with no free one between. Beside each number
/// stands part of the key's hash, so that to look for a key that is not there, to insert one and to
/// remove one takes a single access to memory, mostly.
#[derive(Default)]
pub(crate) struct KeyIndex {
    /// A power of two, more than there are numbers; or none.
    entries: Vec<Entry>,
    count: usize,
}

#[derive(Copy, Clone, PartialEq, Eq)]
struct Entry {
    hash: u32,
    number: u32,
}

/// No key has this number.
const FREE: Entry = Entry { hash: 0, number: u32::MAX };

const FEWEST: usize = 1024;

impl KeyIndex {
    /// Adds a key, which the caller will hold under this number.
    pub fn insert(&mut self, key: Key<'_>, number: usize) {
        if self.count >= self.entries.len() / 4 * 3 {
            self.grow();
        }
        self.put(Entry { hash: hash(key), number: number as u32 });
        self.count += 1;
    }

    /// The number of a key. `key_of` gives the key that the caller holds under a number.
    pub fn find<'k>(&self, key: Key<'_>, key_of: impl Fn(usize) -> Option<Key<'k>>) -> Option<usize> {
        let hash = hash(key);
        let candidates = self.probe(hash).filter(|(_, entry)| entry.hash == hash);
        candidates.map(|(_, entry)| entry.number as usize).find(|number| key_of(*number) == Some(key))
    }

    /// Removes the key with this number.
    pub fn remove(&mut self, key: Key<'_>, number: usize) {
        let Some((mut hole, _)) = self.probe(hash(key)).find(|(_, entry)| entry.number as usize == number) else {
            return;
        };
        // Entries behind the hole that asked for a position at or before it move up.
        let mask = self.entries.len() - 1;
        let mut next = (hole + 1) & mask;
        while self.entries[next] != FREE {
            let asked = self.entries[next].hash as usize & mask;
            if next.wrapping_sub(asked) & mask >= next.wrapping_sub(hole) & mask {
                self.entries[hole] = self.entries[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.entries[hole] = FREE;
        self.count -= 1;
    }

    pub fn clear(&mut self) {
        self.entries.fill(FREE);
        self.count = 0;
    }

    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    fn grow(&mut self) {
        let length = (self.entries.len() * 2).max(FEWEST);
        let old = std::mem::replace(&mut self.entries, vec![FREE; length]);
        old.into_iter().filter(|entry| *entry != FREE).for_each(|entry| self.put(entry));
    }

    fn put(&mut self, entry: Entry) {
        let mask = self.entries.len() - 1;
        let mut place = entry.hash as usize & mask;
        while self.entries[place] != FREE {
            place = (place + 1) & mask;
        }
        self.entries[place] = entry;
    }

    /// The entries from the position that this hash asks for, up to the next free one.
    fn probe(&self, hash: u32) -> impl Iterator<Item = (usize, Entry)> + '_ {
        let mask = self.entries.len().wrapping_sub(1);
        let places = (0..self.entries.len()).map(move |step| (hash as usize).wrapping_add(step) & mask);
        places.map(|place| (place, self.entries[place])).take_while(|(_, entry)| *entry != FREE)
    }
}

fn hash(key: Key<'_>) -> u32 {
    let hash = match key {
        Key::Reference(StateRef(word)) => FixedState::default().hash_one(word),
        Key::InFull(state) => FixedState::default().hash_one(state),
    };
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn keys_come_and_go() {
        let (mut numbers, mut expected) = (KeyIndex::default(), HashMap::new());
        let mut keys: Vec<u64> = Vec::new();
        let mut random = 1_u64;
        for _ in 0..100_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Few different ones, so that they meet again.
            let word = (random >> 40) % 5_000;
            let key = Key::Reference(StateRef(word));
            let key_of = |number: usize| keys.get(number).map(|word| Key::Reference(StateRef(*word)));
            assert_eq!(numbers.find(key, key_of), expected.get(&word).copied());
            match expected.remove(&word) {
                Some(number) => numbers.remove(key, number),
                None => {
                    numbers.insert(key, keys.len());
                    expected.insert(word, keys.len());
                    keys.push(word);
                }
            }
        }
        let key_of = |number: usize| keys.get(number).map(|word| Key::Reference(StateRef(*word)));
        assert_eq!(numbers.count, expected.len());
        for (word, number) in expected {
            assert_eq!(numbers.find(Key::Reference(StateRef(word)), key_of), Some(number));
        }
    }

    #[test]
    fn what_was_cleared_is_not_found() {
        let (mut numbers, key) = (KeyIndex::default(), Key::InFull(&[1, 2, 3]));
        assert_eq!(numbers.find(key, |_| Some(key)), None);
        numbers.insert(key, 0);
        assert_eq!(numbers.find(key, |_| Some(key)), Some(0));
        numbers.clear();
        assert_eq!(numbers.find(key, |_| Some(key)), None);
        numbers.remove(key, 0);
        assert_eq!(numbers.count, 0);
    }
}
