//! States as words of 32 bits.

/// The bytes of a word.
const WORD: usize = 4;
/// The words that are compared at a time, and their bytes.
const FOUR: usize = 4;
pub(crate) const FOUR_BYTES: usize = FOUR * WORD;
/// The words whose differences fit a mask.
const MASK: usize = u64::BITS as usize;

/// The number of words of a state of this length. There are always four, so that both halves of a
/// root are pairs if need be.
pub(crate) fn count(len: usize) -> usize {
    len.div_ceil(WORD).max(4)
}

/// The words of a state, filled up with zeros.
pub(crate) fn of(state: &[u8]) -> impl Iterator<Item = u32> {
    some_of(state).chain(std::iter::repeat(0)).take(count(state.len()))
}

/// The words of a part of a state, the last one filled up with zeros.
fn some_of(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (whole, rest) = bytes.as_chunks::<WORD>();
    let mut last = [0; WORD];
    last[..rest.len()].copy_from_slice(rest);
    let all = whole.iter().copied().chain((!rest.is_empty()).then_some(last));
    all.map(u32::from_le_bytes)
}

/// Writes the state that has this length and these words.
pub(crate) fn write(words: &[u32], len: usize, state: &mut Vec<u8>) {
    state.resize(words.len() * WORD, 0);
    for (bytes, word) in state.as_chunks_mut::<WORD>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    state.truncate(len);
}

/// Writes the words of a state over `words` and gives those that are not as in `base`, a state of
/// the same length, as bits; `None` if that is for [`compare_any`].
#[inline]
pub(crate) fn compare(base: &[u32], state: &[u8], words: &mut [u32]) -> Option<u64> {
    let (fours, rest) = state.as_chunks::<FOUR_BYTES>();
    if fours.len() > MASK / FOUR || !rest.is_empty() {
        return None;
    }
    let old = base.as_chunks::<FOUR>().0.get(..fours.len())?;
    let copy = words.as_chunks_mut::<FOUR>().0.get_mut(..fours.len())?;
    let mut differing = 0;
    for place in 0..fours.len() {
        let [a, b, c, d] = *fours[place].as_chunks::<WORD>().0 else { return None };
        let new = [a, b, c, d].map(u32::from_le_bytes);
        copy[place] = new;
        differing |= u64::from(four::differing(old[place], new)) << (FOUR * place);
    }
    Some(differing)
}

/// The words of 32 bits in which two states differ, as bits. Both have the same length, which is a
/// multiple of [`FOUR_BYTES`], and at most so many words as there are bits.
#[inline(always)]
pub(crate) fn differing(base: &[u8], state: &[u8]) -> u64 {
    let fours = base.as_chunks::<FOUR_BYTES>().0.iter().zip(state.as_chunks::<FOUR_BYTES>().0);
    let mut differing = 0;
    for (place, (old, new)) in fours.enumerate() {
        differing |= u64::from(four::differing(words_of(old), words_of(new))) << (FOUR * place);
    }
    differing
}

#[inline(always)]
fn words_of(bytes: &[u8; FOUR_BYTES]) -> [u32; FOUR] {
    let words = bytes.as_chunks::<WORD>().0;
    [words[0], words[1], words[2], words[3]].map(u32::from_le_bytes)
}

/// The same for states that are long, or not made of whole words: calls `differs` with the place of
/// each word.
pub(crate) fn compare_any(base: &[u32], state: &[u8], words: &mut [u32], mut differs: impl FnMut(usize)) {
    for (place, ((old, copy), new)) in base.iter().zip(words).zip(of(state)).enumerate() {
        *copy = new;
        if *old != new {
            differs(place);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod four {
    #![allow(unsafe_code)]

    use std::arch::x86_64::{_mm_castsi128_ps, _mm_cmpeq_epi32, _mm_movemask_ps, _mm_setr_epi32};

    /// Which of four words differ, as bits.
    #[inline]
    pub(super) fn differing(old: [u32; 4], new: [u32; 4]) -> u8 {
        // SAFETY: every processor of this kind has SSE2.
        unsafe { with_sse2(old, new) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn with_sse2(old: [u32; 4], new: [u32; 4]) -> u8 {
        let four = |[a, b, c, d]: [u32; 4]| _mm_setr_epi32(a as i32, b as i32, c as i32, d as i32);
        let same = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four(old), four(new))));
        same as u8 ^ 0b1111
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod four {
    /// Which of four words differ, as bits.
    #[inline]
    pub(super) fn differing(old: [u32; 4], new: [u32; 4]) -> u8 {
        old.iter().zip(new).enumerate().fold(0, |bits, (place, (old, new))| bits | u8::from(*old != new) << place)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Two states of one length that have most bytes in common.
    fn two_states() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
        let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
        let length = prop_oneof![0..700usize, (0..17usize).prop_map(|fours| fours * FOUR_BYTES)];
        let bytes = length.prop_flat_map(|length| prop::collection::vec(any::<u8>(), length));
        (bytes, changes).prop_map(|(old, changes)| {
            let mut new = old.clone();
            for (place, byte) in changes {
                if !new.is_empty() {
                    let place = place.index(new.len());
                    new[place] = byte;
                }
            }
            (old, new)
        })
    }

    proptest! {
        #[test]
        fn what_differs_is_told((old, new) in two_states()) {
            let base: Vec<u32> = of(&old).collect();
            let mut words = vec![0; base.len()];
            let mut differing = Vec::new();
            compare_any(&base, &new, &mut words, |place| differing.push(place));
            let expected: Vec<usize> = (0..base.len()).filter(|place| base[*place] != words[*place]).collect();
            prop_assert_eq!(&differing, &expected);
            let mut again = vec![0; base.len()];
            if let Some(bits) = compare(&base, &new, &mut again) {
                prop_assert_eq!(&words, &again);
                prop_assert_eq!(bits, differing.iter().fold(0, |bits, place| bits | 1 << place));
            }
            let mut written = Vec::new();
            write(&words, new.len(), &mut written);
            prop_assert_eq!(written, new);
        }
    }
}
