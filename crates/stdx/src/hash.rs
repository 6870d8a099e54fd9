//! Hashes that are the same in every run and in every version.

use std::hash::{BuildHasher, Hasher};

/// FNV-1a with 64 bits: fixed for ever, a few lines, and quite good enough to tell one text from
/// another. It is no defence against someone who wants two texts to look the same.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A quick hash for tables whose keys are a few small numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuickHash;

impl BuildHasher for QuickHash {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher(0)
    }
}

/// See [`QuickHash`].
#[derive(Clone, Debug)]
pub struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        folded(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }
}

/// The hash with one more word.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The hash with its halves together: everything has come together in the high half, and tables
/// look at the low one.
#[inline]
pub(crate) fn folded(hash: u64) -> u64 {
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn the_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
