//! A small memory: what was found for a list of numbers, until something else needs the room.

use crate::hash::{folded, mix};

/// How many entries there are at first, and at most.
const FEWEST: usize = 1 << 8;
const MOST: usize = 1 << 16;

/// The bytes that all entries may take.
const MOST_BYTES: usize = 16 << 20;

/// Finds what was noted for a key, both lists of numbers. There may be several notes for a key,
/// variants: whoever looks says of the first how it differs from what is looked for, and so comes
/// to the next.
///
/// It forgets: each key and variant has one place, and the latest to come stays there.
#[derive(Default)]
pub struct Memo {
    slots: Vec<Slot>,
    used: usize,
    bytes: usize,
}

/// Where something that was not found can be noted.
#[derive(Copy, Clone, Debug)]
pub struct Vacancy(u64);

/// The key and what was noted for it, one after the other.
#[derive(Default)]
struct Slot {
    hash: u64,
    key_length: usize,
    numbers: Vec<u32>,
}

impl Slot {
    /// What was noted for this key.
    fn value(&self, hash: u64, key: &[u32]) -> Option<&[u32]> {
        if self.hash != hash || self.numbers.is_empty() {
            return None;
        }
        let (noted, value) = self.numbers.split_at(self.key_length);
        (noted == key).then_some(value)
    }

    fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<u32>()
    }
}

impl Memo {
    /// Goes through the notes for this key until `accept` takes one. If it does not, it says by a
    /// number in what the note differs from what is looked for, the same number for all notes that
    /// agree with it up to there.
    pub fn find<'m, T>(
        &'m self,
        key: &[u32],
        mut accept: impl FnMut(&'m [u32]) -> Result<T, usize>,
    ) -> Result<T, Vacancy> {
        let mut hash = key.iter().fold(0, |hash, number| mix(hash, u64::from(*number)));
        while let Some(value) = self.slots.get(self.place(hash)).and_then(|slot| slot.value(hash, key)) {
            match accept(value) {
                Ok(found) => return Ok(found),
                Err(difference) => hash = mix(hash, difference as u64),
            }
        }
        Err(Vacancy(hash))
    }

    /// Notes something for a key that is not empty, where it was not found.
    pub fn insert(&mut self, Vacancy(hash): Vacancy, key: &[u32], value: &[u32]) {
        if self.used >= self.slots.len() / 2 && self.slots.len() < MOST && self.bytes < MOST_BYTES {
            self.grow();
        }
        let place = self.place(hash);
        let Some(slot) = self.slots.get_mut(place) else { return };
        let needed = key.len() + value.len();
        if self.bytes > MOST_BYTES && needed > slot.numbers.capacity() {
            return;
        }
        let before = slot.bytes();
        self.used += usize::from(slot.numbers.is_empty());
        slot.numbers.clear();
        slot.numbers.reserve_exact(needed);
        slot.numbers.extend_from_slice(key);
        slot.numbers.extend_from_slice(value);
        (slot.hash, slot.key_length) = (hash, key.len());
        self.bytes += slot.bytes() - before;
    }

    /// The bytes of memory in use.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.bytes
    }

    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(FEWEST);
        let old = std::mem::replace(&mut self.slots, std::iter::repeat_with(Slot::default).take(count).collect());
        for slot in old.into_iter().filter(|slot| !slot.numbers.is_empty()) {
            // Two entries that had places of their own have different ones still: a place is the
            // end of a hash.
            let place = self.place(slot.hash);
            self.slots[place] = slot;
        }
    }

    fn place(&self, hash: u64) -> usize {
        // The number of places is a power of two, or none.
        folded(hash) as usize & self.slots.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get<'m>(memo: &'m Memo, key: &[u32]) -> Option<&'m [u32]> {
        memo.find(key, Ok).ok()
    }

    fn insert(memo: &mut Memo, key: &[u32], value: &[u32]) {
        if let Err(vacancy) = memo.find(key, |_| Ok(())) {
            memo.insert(vacancy, key, value);
        }
    }

    #[test]
    fn what_is_noted_is_found_or_forgotten_but_never_mixed_up() {
        let mut memo = Memo::default();
        let value = |number: u32| [number * 3, number];
        for number in 0..200_000 {
            insert(&mut memo, &[number % 7, number], &value(number));
            assert_eq!(get(&memo, &[number % 7, number]), Some(&value(number)[..]));
        }
        let found = (0..200_000).filter_map(|number| Some((number, get(&memo, &[number % 7, number])?)));
        let found: Vec<bool> = found.map(|(number, found)| found == value(number)).collect();
        assert!(found.len() > MOST / 4 && found.iter().all(|is_right| *is_right));
        assert_eq!(get(&memo, &[1, 2, 3]), None);
    }

    #[test]
    fn variants_are_told_apart() {
        // What is looked for is a list of three bits; a note differs in the first that is another
        // one.
        let mut memo = Memo::default();
        let bits = |number: u32| [number >> 2 & 1, number >> 1 & 1, number & 1];
        let look = |memo: &Memo, number: u32| {
            memo.find(&[9], |noted| match (0..3).find(|bit| noted[*bit] != bits(number)[*bit]) {
                Some(bit) => Err(bit),
                None => Ok(noted.to_vec()),
            })
        };
        for number in 0..8 {
            let vacancy = look(&memo, number).expect_err("it was not noted");
            memo.insert(vacancy, &[9], &bits(number));
        }
        for number in 0..8 {
            assert_eq!(look(&memo, number).expect("it was noted"), bits(number));
        }
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut memo = Memo::default();
        let long = vec![7; 1 << 12];
        for number in 0..10_000 {
            insert(&mut memo, &[number], &long);
        }
        assert!(memo.memory() < MOST_BYTES + (4 << 20));
    }
}
