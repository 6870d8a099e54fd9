//! Random numbers and words for the tests of this crate's parts.

use crate::{Lasso, Letter};

/// Random numbers and words.
pub(crate) struct Random(ample_stdx::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(ample_stdx::Random::new(seed))
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    /// A word over the first `letters` letters.
    pub(crate) fn word(&mut self, letters: usize) -> Option<Lasso> {
        let (prefix, cycle) = (self.below(5), 1 + self.below(4));
        let mut word = |length: usize| (0..length).map(|_| self.below(letters) as Letter).collect::<Vec<_>>();
        Lasso::new(word(prefix), word(cycle))
    }
}
