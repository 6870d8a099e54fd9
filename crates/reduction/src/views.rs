//! What expanders see of each process, numbered as it is met.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, OnceLock};

use ample_stdx::lock;
use foldhash::fast::FixedState;

/// So many are numbered at most.
const MOST: usize = 1 << 12;

/// Things with numbers, shared by all threads: to read one needs no lock.
pub(crate) struct Numbered<T> {
    numbers: Mutex<HashMap<T, u16, FixedState>>,
    things: Box<[OnceLock<T>]>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    pub fn new() -> Self {
        Numbered { numbers: Mutex::default(), things: (0..MOST).map(|_| OnceLock::new()).collect() }
    }

    /// The number of a thing, a new one if it was not met before; `None` if there are no more.
    pub fn number(&self, thing: T) -> Option<u16> {
        let mut numbers = lock(&self.numbers);
        if let Some(number) = numbers.get(&thing) {
            return Some(*number);
        }
        let number = numbers.len();
        self.things.get(number)?.set(thing.clone()).ok()?;
        numbers.insert(thing, number as u16);
        Some(number as u16)
    }

    /// The thing with this number.
    #[inline]
    pub fn get(&self, number: u16) -> Option<&T> {
        self.things.get(usize::from(number))?.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_numbered_until_there_are_too_many() {
        let numbered = Numbered::new();
        for thing in 0..MOST + 3 {
            assert_eq!(numbered.number(thing), (thing < MOST).then_some(thing as u16));
        }
        assert_eq!((numbered.number(7), numbered.get(7), numbered.get(MOST as u16)), (Some(7), Some(&7), None));
    }
}
