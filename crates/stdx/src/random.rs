//! Pseudo-random numbers: the same for a seed on every machine and in every version, which is what
//! a printed seed promises.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for a seed; neighbouring seeds give unrelated numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    /// A number below `bound`; 0 if there is none. The slight preference for small numbers does not
    /// matter here.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.number() % bound as u64) as usize }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of a fixed set, each with its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> Option<T> {
        let mut ticket = self.below(items.iter().map(|item| item.0).sum());
        for (weight, item) in items {
            if ticket < *weight {
                return Some(*item);
            }
            ticket -= weight;
        }
        None
    }
}

/// Numbers for walks that must be the same ones as in earlier versions, because what they meet
/// decides what is guessed and how states are kept (Marsaglia: Xorshift RNGs, Journal of
/// Statistical Software 2003). Anything else takes [`Random`].
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The numbers after this one, which is not 0.
    pub fn after(number: u64) -> Xorshift {
        debug_assert!(number != 0, "0 is followed by itself");
        Xorshift(number)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Scatters a word, one to one: the last step of SplitMix64.
#[inline]
pub fn scatter(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut random = Random::new(0);
        assert_eq!([random.number(), random.number()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn the_numbers_after_a_number_never_change() {
        let mut numbers = Xorshift::after(1);
        assert_eq!([numbers.number(), numbers.number()], [0x4082_2041, 0x1000_4106_0c01_1441]);
    }

    #[test]
    fn bounds_are_kept() {
        let mut random = Random::new(7);
        assert!((0..1000).all(|_| (2..=5).contains(&random.between(2, 5))));
        assert_eq!(random.below(0), 0);
        assert_eq!(random.weighted(&[(0, 'a'), (3, 'b')]), Some('b'));
        assert_eq!(random.weighted::<char>(&[]), None);
    }
}
