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

/// So many halves are a page.
const PAGE: usize = 64;

pub(crate) struct Halves(Box<[AtomicU32]>);

impl Halves {
    pub(crate) fn zeroed(len: usize) -> Option<Halves> {
        Some(Halves((0..len).map(|_| AtomicU32::new(0)).collect()))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter().for_each(|half| half.store(0, Ordering::Relaxed));
    }

    pub(crate) fn line(&mut self, number: usize) -> Option<[AtomicU32; 16]> {
        let line = self.0.get(number * 16..number * 16 + 16)?;
        Some(std::array::from_fn(|place| AtomicU32::new(line[place].load(Ordering::Relaxed))))
    }

    pub(crate) fn take_line(&mut self, number: usize) -> Option<[AtomicU32; 16]> {
        let taken = self.line(number)?;
        self.0[number * 16..number * 16 + 16].iter().for_each(|word| word.store(0, Ordering::Relaxed));
        Some(taken)
    }

    /// A page is as large as a few buckets.
    pub(crate) fn end_of_kept(&self) -> usize {
        self.len() / PAGE * PAGE
    }

    pub(crate) fn extend(&mut self, len: usize) -> bool {
        let kept = self.end_of_kept();
        let old = std::mem::take(&mut self.0).into_vec().into_iter().take(kept);
        self.0 = old.chain((kept..len).map(|_| AtomicU32::new(0))).collect();
        true
    }
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
