//! Gathering some bits of a word, and scattering them again: an instruction each where the
//! processor has BMI2, a loop over the bits elsewhere. And comparing states, eight words of 32 bits
//! at a time where it has AVX2.
//!
//! Whoever gathers in a loop hands the loop to [`with_bits`], which compiles it once for each kind
//! of processor, so that the instructions stand in the loop itself.

use crate::words;

/// A way to gather and scatter.
pub(crate) trait Bits: Copy {
    /// The bits of `word` that are set in `mask`, side by side.
    fn gather(self, word: u64, mask: u64) -> u64;

    /// The lowest bits of `bits`, at the places that are set in `mask`.
    fn scatter(self, bits: u64, mask: u64) -> u64;

    /// The words of 32 bits in which two states differ, as bits. Both have the same length, which
    /// is a multiple of 16, and at most so many words as there are bits.
    fn differing(self, one: &[u8], other: &[u8]) -> u64;
}

/// What is to be done with the bits of this processor.
pub(crate) trait WithBits {
    type Output;

    fn run(self, bits: impl Bits) -> Self::Output;
}

/// Runs with the fastest bits of this processor.
#[inline]
pub(crate) fn with_bits<W: WithBits>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if bmi2::is_there() {
        return bmi2::run(work);
    }
    work.run(AnyProcessor)
}

/// Bit by bit.
#[derive(Copy, Clone)]
pub(crate) struct AnyProcessor;

impl Bits for AnyProcessor {
    fn gather(self, word: u64, mask: u64) -> u64 {
        let (mut left, mut gathered, mut place) = (mask, 0, 0);
        while left != 0 {
            gathered |= (word >> left.trailing_zeros() & 1) << place;
            left &= left - 1;
            place += 1;
        }
        gathered
    }

    fn scatter(self, bits: u64, mask: u64) -> u64 {
        let (mut left, mut scattered, mut rest) = (mask, 0, bits);
        while left != 0 {
            scattered |= (rest & 1) << left.trailing_zeros();
            left &= left - 1;
            rest >>= 1;
        }
        scattered
    }

    fn differing(self, one: &[u8], other: &[u8]) -> u64 {
        words::differing(one, other)
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    #![allow(unsafe_code)]

    use std::arch::x86_64::{
        __m128i, __m256i, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps, _mm256_castsi256_ps,
        _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_movemask_ps, _pdep_u64, _pext_u64,
    };

    use crate::bits::{Bits, WithBits};

    /// The bytes that are compared at a time.
    const EIGHT_WORDS: usize = 32;
    const FOUR_WORDS: usize = 16;
    /// The bytes of a word.
    const WORD: usize = 4;

    /// By an instruction. There is one only where the processor has it.
    #[derive(Copy, Clone)]
    struct Bmi2(());

    impl Bits for Bmi2 {
        #[inline(always)]
        fn gather(self, word: u64, mask: u64) -> u64 {
            // SAFETY: there is a `Bmi2` only where the processor has these instructions.
            unsafe { _pext_u64(word, mask) }
        }

        #[inline(always)]
        fn scatter(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: as above.
            unsafe { _pdep_u64(bits, mask) }
        }

        #[inline(always)]
        fn differing(self, one: &[u8], other: &[u8]) -> u64 {
            let len = one.len().min(other.len());
            let (mut differing, mut place) = (0, 0);
            while place + EIGHT_WORDS <= len {
                // SAFETY: as above; both are as long as what is read.
                let same = unsafe {
                    let [one, other] = [one, other].map(|state| state.as_ptr().add(place).cast::<__m256i>());
                    let same = _mm256_cmpeq_epi32(_mm256_loadu_si256(one), _mm256_loadu_si256(other));
                    _mm256_movemask_ps(_mm256_castsi256_ps(same))
                };
                differing |= u64::from(!same as u8) << (place / WORD);
                place += EIGHT_WORDS;
            }
            if place + FOUR_WORDS <= len {
                // SAFETY: as above.
                let same = unsafe {
                    let [one, other] = [one, other].map(|state| state.as_ptr().add(place).cast::<__m128i>());
                    _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(one), _mm_loadu_si128(other))))
                };
                differing |= (u64::from(!same as u8) & 0b1111) << (place / WORD);
            }
            differing
        }
    }

    #[inline]
    pub(super) fn is_there() -> bool {
        std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("avx2")
    }

    #[inline]
    pub(super) fn run<W: WithBits>(work: W) -> W::Output {
        // SAFETY: the caller has asked whether the processor has these instructions.
        unsafe { run_here(work) }
    }

    #[target_feature(enable = "bmi2,avx2")]
    fn run_here<W: WithBits>(work: W) -> W::Output {
        work.run(Bmi2(()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct There {
        word: u64,
        mask: u64,
    }

    impl WithBits for There {
        type Output = (u64, u64);

        fn run(self, bits: impl Bits) -> (u64, u64) {
            (bits.gather(self.word, self.mask), bits.scatter(self.word, self.mask))
        }
    }

    struct Compared {
        one: Vec<u8>,
        other: Vec<u8>,
    }

    impl WithBits for Compared {
        type Output = u64;

        fn run(self, bits: impl Bits) -> u64 {
            bits.differing(&self.one, &self.other)
        }
    }

    proptest! {
        #[test]
        fn both_ways_tell_what_differs(states in proptest::collection::vec((0..2u8, 0..2u8), 0..=256)) {
            let (one, other): (Vec<u8>, Vec<u8>) = states[..states.len() / 16 * 16].iter().copied().unzip();
            let slow = AnyProcessor.differing(&one, &other);
            prop_assert_eq!(with_bits(Compared { one: one.clone(), other: other.clone() }), slow);
            for (place, (one, other)) in one.chunks(4).zip(other.chunks(4)).enumerate() {
                prop_assert_eq!(slow >> place & 1 == 1, one != other);
            }
        }

        #[test]
        fn both_ways_agree_and_can_be_undone(word: u64, mask: u64) {
            let slow = (AnyProcessor.gather(word, mask), AnyProcessor.scatter(word, mask));
            prop_assert_eq!(with_bits(There { word, mask }), slow);
            prop_assert_eq!(AnyProcessor.scatter(slow.0, mask), word & mask);
        }
    }
}
