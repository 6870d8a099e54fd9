//! Random numbers and words for the tests of this crate's parts.

use crate::{Lasso, Letter};

/// A small generator of pseudo-random numbers (an xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % limit as u64) as usize
    }

    /// A word over the first `letters` letters.
    pub(crate) fn word(&mut self, letters: usize) -> Option<Lasso> {
        let (prefix, cycle) = (self.below(5), 1 + self.below(4));
        let mut word = |length: usize| (0..length).map(|_| self.below(letters) as Letter).collect::<Vec<_>>();
        Lasso::new(word(prefix), word(cycle))
    }
}
