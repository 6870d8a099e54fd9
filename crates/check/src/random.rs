//! Pseudo-random numbers.

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for a seed on every machine and in every version.
pub(crate) struct Random(pub u64);

impl Random {
    /// A number below `bound`, which is at least one. The slight preference for small numbers does not matter.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
