//! Sets of bytes of a state.

use std::ops::Range;

/// The bytes for which a word has a bit.
const WORD: usize = u64::BITS as usize;

/// Some bytes of states of one length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ByteSet {
    words: Box<[u64]>,
}

impl ByteSet {
    /// None of the bytes of states of this length.
    pub fn none(size: usize) -> ByteSet {
        ByteSet { words: vec![0; size.div_ceil(WORD)].into() }
    }

    /// All of them.
    pub fn all(size: usize) -> ByteSet {
        let mut all = ByteSet::none(size);
        all.insert(0..size);
        all
    }

    pub fn insert(&mut self, bytes: Range<usize>) {
        bytes.for_each(|byte| self.words[byte / WORD] |= 1 << (byte % WORD));
    }

    pub fn remove(&mut self, bytes: Range<usize>) {
        bytes.for_each(|byte| self.words[byte / WORD] &= !(1 << (byte % WORD)));
    }

    pub fn contains(&self, byte: usize) -> bool {
        self.words[byte / WORD] & 1 << (byte % WORD) != 0
    }

    /// Whether one of these bytes is a member.
    pub fn meets(&self, bytes: Range<usize>) -> bool {
        bytes.into_iter().any(|byte| self.contains(byte))
    }

    /// Whether all of these bytes are.
    pub fn has_all(&self, bytes: Range<usize>) -> bool {
        bytes.into_iter().all(|byte| self.contains(byte))
    }

    pub fn union_with(&mut self, other: &ByteSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Makes it the same as another of this length, in its own memory.
    pub fn copy_from(&mut self, other: &ByteSet) {
        self.words.copy_from_slice(&other.words);
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let of_word = |(number, word): (usize, &u64)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(number * WORD + bit)
            })
        };
        self.words.iter().enumerate().flat_map(of_word)
    }

    /// The bytes of memory that it holds.
    pub fn memory(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}
