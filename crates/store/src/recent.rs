//! Small memories of what came lately: most of it comes again soon, and then need not be looked up
//! in a large table.

/// Pairs met lately and their numbers.
pub(crate) struct Recent {
    entries: Vec<(u64, u32)>,
}

impl Recent {
    const BITS: u32 = 13;

    pub(crate) fn new() -> Recent {
        // Each place has a pair at first that does not belong there, so that none is found before
        // it was noted.
        let mut entries = vec![(0, 0); 1 << Self::BITS];
        entries[Self::place(0)].0 = 1;
        Recent { entries }
    }

    fn place(pair: u64) -> usize {
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize
    }

    #[inline]
    pub(crate) fn find(&self, pair: u64) -> Option<u32> {
        let (known, number) = self.entries[Self::place(pair)];
        (known == pair).then_some(number)
    }

    pub(crate) fn note(&mut self, pair: u64, number: u32) {
        self.entries[Self::place(pair)] = (pair, number);
    }
}

/// Roots met lately, mixed: many transitions lead to such a state.
pub(crate) struct Met {
    roots: Box<[u64; 1 << Met::BITS]>,
}

impl Met {
    const BITS: u32 = 13;

    pub(crate) fn new() -> Met {
        // Likewise.
        let mut roots = Box::new([0; 1 << Self::BITS]);
        roots[Self::place(0)] = u64::MAX;
        Met { roots }
    }

    fn place(root: u64) -> usize {
        (root ^ root >> 32) as usize & ((1 << Self::BITS) - 1)
    }

    /// Whether this one was met lately; from now on it was.
    #[inline]
    pub(crate) fn meet(&mut self, root: u64) -> bool {
        std::mem::replace(&mut self.roots[Self::place(root)], root) == root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_at_first() {
        let mut met = Met::new();
        for number in 0..1 << 16 {
            let word = crate::hash::unmix(number << 40 | number);
            assert_eq!(Recent::new().find(word).filter(|_| number % 4096 == 0), None);
            assert!(!met.meet(word) && met.meet(word));
        }
        assert_eq!([0, 1].map(|word| Recent::new().find(word)), [None, None]);
        assert_eq!([0, 1].map(|word| Met::new().meet(word)), [false, false]);
    }
}
