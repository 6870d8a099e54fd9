//! The memory of a table that is tested with other atomics than the real ones.

use std::ops::Deref;

use crate::sync::{AtomicU32, AtomicU64, Ordering};

pub(crate) struct Words(Box<[AtomicU64]>);

impl Words {
    pub(crate) fn zeroed(len: usize) -> Option<Words> {
        Some(Words((0..len).map(|_| AtomicU64::new(0)).collect()))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    pub(crate) fn discard_before(&mut self, _end: usize) {}
}

impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.0
    }
}

pub(crate) struct Halves(Box<[AtomicU32]>);

impl Halves {
    pub(crate) fn zeroed(len: usize) -> Option<Halves> {
        Some(Halves((0..len).map(|_| AtomicU32::new(0)).collect()))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter().for_each(|half| half.store(0, Ordering::Relaxed));
    }

    pub(crate) fn discard_before(&mut self, _end: usize) {}
}

impl Deref for Halves {
    type Target = [AtomicU32];

    fn deref(&self) -> &[AtomicU32] {
        &self.0
    }
}

pub(crate) fn equal_words(line: &[AtomicU32; 16], first: u32, word: u32) -> u32 {
    let places = line.iter().enumerate().take(first as usize);
    places.fold(0, |equal, (place, other)| equal | u32::from(other.load(Ordering::Relaxed) == word) << place)
}

pub(crate) fn prefetch_at(_address: usize) {}

pub(crate) fn give_back_unused() {}
