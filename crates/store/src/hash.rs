//! Hashes, with fixed seeds: runs are deterministic. A hash decides where a state is looked for;
//! only the lossy stores let it decide whether two are equal.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

const SEED: u64 = 0x0061_6d70_6c65;

/// Mixes a word, one to one: different words stay different. Multiplications by odd numbers and
/// shifted exclusive ors can all be undone.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ (word >> 32)
}

/// The word that was mixed.
#[inline]
pub(crate) fn unmix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    let word = (word ^ (word >> 29) ^ (word >> 58)).wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15));
    word ^ (word >> 32)
}

/// Mixes words of so many bits, at most 63, one to one among these.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mixing {
    shift: u32,
    mask: u64,
}

impl Mixing {
    pub(crate) fn of(bits: u32) -> Mixing {
        Mixing { shift: bits.div_ceil(2), mask: (1 << bits) - 1 }
    }

    #[inline(always)]
    pub(crate) fn mix(self, word: u64) -> u64 {
        let Mixing { shift, mask } = self;
        let word = (word ^ (word >> shift)).wrapping_mul(FACTORS[0]) & mask;
        let word = (word ^ (word >> shift)).wrapping_mul(FACTORS[1]) & mask;
        word ^ (word >> shift)
    }

    /// The word that was mixed. A shift by half of the bits, or more, undoes itself.
    #[inline(always)]
    pub(crate) fn unmix(self, word: u64) -> u64 {
        let Mixing { shift, mask } = self;
        let word = (word ^ (word >> shift)).wrapping_mul(inverse(FACTORS[1])) & mask;
        let word = (word ^ (word >> shift)).wrapping_mul(inverse(FACTORS[0])) & mask;
        word ^ (word >> shift)
    }
}

const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];

/// The number that undoes a multiplication by an odd one, by Newton's iteration: each step doubles
/// the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut right = 3;
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
}

/// The hash of a state.
pub(crate) fn hash(state: &[u8]) -> u64 {
    hash_with(SEED, state)
}

/// Another hash of a state, for another seed.
pub(crate) fn hash_with(seed: u64, state: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(seed).build_hasher();
    hasher.write(state);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn mixing_can_be_undone(word: u64) {
            prop_assert_eq!(unmix(mix(word)), word);
        }

        #[test]
        fn mixing_some_bits_can_be_undone(word: u64, bits in 2..64u32) {
            let word = word & ((1 << bits) - 1);
            let mixed = Mixing::of(bits).mix(word);
            prop_assert_eq!((mixed >> bits, Mixing::of(bits).unmix(mixed)), (0, word));
        }
    }
}
