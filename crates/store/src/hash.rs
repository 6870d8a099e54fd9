//! Hashes, with fixed seeds: runs are deterministic. A hash decides where a state is looked for; only the lossy stores let it
//! decide whether two are equal.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

const SEED: u64 = 0x0061_6d70_6c65;

/// Mixes a word, one to one: different words stay different. Multiplications by odd numbers and shifted exclusive ors can all be
/// undone.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ (word >> 32)
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
