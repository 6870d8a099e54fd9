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
    }
}
