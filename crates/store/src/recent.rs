//! Small memories of what came lately: most of it comes again soon, and then need not be looked up in a large table.

/// Pairs met lately and their numbers.
pub(crate) struct Recent {
    entries: Vec<(u64, u32)>,
}

impl Recent {
    const BITS: u32 = 13;
    const NONE: u32 = u32::MAX;

    pub(crate) fn new() -> Recent {
        Recent { entries: vec![(0, Self::NONE); 1 << Self::BITS] }
    }

    fn place(pair: u64) -> usize {
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize
    }

    #[inline]
    pub(crate) fn find(&self, pair: u64) -> Option<u32> {
        let (known, number) = self.entries[Self::place(pair)];
        (known == pair && number != Self::NONE).then_some(number)
    }

    pub(crate) fn note(&mut self, pair: u64, number: u32) {
        self.entries[Self::place(pair)] = (pair, number);
    }
}

/// Roots met lately, mixed: many transitions lead to such a state.
pub(crate) struct Met {
    roots: Vec<u64>,
}

impl Met {
    const BITS: u32 = 15;

    pub(crate) fn new() -> Met {
        // Each place has a root at first that does not belong there, so that none is met before it was.
        let mut roots = vec![0; 1 << Self::BITS];
        roots[Self::place(0)] = 1;
        Met { roots }
    }

    fn place(root: u64) -> usize {
        (root >> (64 - Self::BITS)) as usize
    }

    /// Whether this one was met lately; from now on it was.
    #[inline]
    pub(crate) fn meet(&mut self, root: u64) -> bool {
        std::mem::replace(&mut self.roots[Self::place(root)], root) == root
    }
}
