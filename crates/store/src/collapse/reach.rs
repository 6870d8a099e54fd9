//! How a state is compared with the base: by 64 words of 32 bits at a time, each a bit of a mask.
//!
//! Most states have no more words, and one mask says all. Longer ones have a mask for each 64 of
//! their words, so that the loop over what differs is the same.

use crate::bits::Bits;

/// The words of 32 bits that a mask tells about, and their bytes.
pub(crate) const MASK_HALVES: usize = u64::BITS as usize;
const MASK_BYTES: usize = MASK_HALVES * HALF;
const HALF: usize = size_of::<u32>();
/// The longest state has so many words of 32 bits: 4 KiB.
pub(crate) const MOST_HALVES: usize = 16 * MASK_HALVES;
/// There are so many groups at most, the key among them.
pub(crate) const MOST_GROUPS: usize = 256;

/// How much of a state is compared, and how many groups that may change.
pub(crate) trait Reach: Copy {
    /// Groups that change.
    type Groups: GroupSet;

    /// How many masks tell about a state.
    fn masks(self, state: &[u8]) -> usize;

    /// The words of 32 bits that are looked at: those of the mask with this number.
    fn mask(self, bits: impl Bits, base: &[u8], state: &[u8], number: usize) -> u64;
}

/// What differs in states that one mask tells about.
#[derive(Copy, Clone)]
pub(crate) struct Short;

impl Reach for Short {
    type Groups = u64;

    #[inline(always)]
    fn masks(self, _: &[u8]) -> usize {
        1
    }

    #[inline(always)]
    fn mask(self, bits: impl Bits, base: &[u8], state: &[u8], _: usize) -> u64 {
        bits.differing(base, state)
    }
}

/// What differs in states of any length.
#[derive(Copy, Clone)]
pub(crate) struct Long;

impl Reach for Long {
    type Groups = ManyGroups;

    #[inline(always)]
    fn masks(self, state: &[u8]) -> usize {
        state.len().div_ceil(MASK_BYTES)
    }

    #[inline(always)]
    fn mask(self, bits: impl Bits, base: &[u8], state: &[u8], number: usize) -> u64 {
        bits.differing(part(base, number), part(state, number))
    }
}

/// All of a state of any length, whatever the base is.
#[derive(Copy, Clone)]
pub(crate) struct Whole;

impl Reach for Whole {
    type Groups = ManyGroups;

    fn masks(self, state: &[u8]) -> usize {
        Long.masks(state)
    }

    fn mask(self, _: impl Bits, _: &[u8], state: &[u8], number: usize) -> u64 {
        let halves = (part(state, number).len() / HALF) as u32;
        1_u64.checked_shl(halves).map_or(u64::MAX, |above| above - 1)
    }
}

/// What one mask tells about.
#[inline(always)]
fn part(state: &[u8], number: usize) -> &[u8] {
    let rest = state.get(number * MASK_BYTES..).unwrap_or_default();
    &rest[..rest.len().min(MASK_BYTES)]
}

/// Some of the groups of a layout.
pub(crate) trait GroupSet: Default {
    fn insert(&mut self, group: usize);

    fn remove(&mut self, group: usize);

    /// Removes the first one and gives it.
    fn take_first(&mut self) -> Option<usize>;
}

impl GroupSet for u64 {
    #[inline(always)]
    fn insert(&mut self, group: usize) {
        *self |= 1 << group;
    }

    #[inline(always)]
    fn remove(&mut self, group: usize) {
        *self &= !(1 << group);
    }

    #[inline(always)]
    fn take_first(&mut self) -> Option<usize> {
        let first = (*self != 0).then(|| self.trailing_zeros() as usize)?;
        *self &= *self - 1;
        Some(first)
    }
}

/// Groups, if there may be more than a word has bits.
#[derive(Default)]
pub(crate) struct ManyGroups([u64; MOST_GROUPS / u64::BITS as usize]);

impl GroupSet for ManyGroups {
    #[inline(always)]
    fn insert(&mut self, group: usize) {
        self.0[group / u64::BITS as usize].insert(group % u64::BITS as usize);
    }

    #[inline(always)]
    fn remove(&mut self, group: usize) {
        self.0[group / u64::BITS as usize].remove(group % u64::BITS as usize);
    }

    #[inline(always)]
    fn take_first(&mut self) -> Option<usize> {
        let (place, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        word.take_first().map(|first| place * u64::BITS as usize + first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::AnyProcessor;

    /// The words of 32 bits that are looked at.
    fn looked_at(reach: impl Reach, base: &[u8], state: &[u8]) -> Vec<usize> {
        let masks = (0..reach.masks(state)).map(|number| reach.mask(AnyProcessor, base, state, number));
        let halves = masks.flat_map(|mask| (0..MASK_HALVES).map(move |half| mask >> half & 1 == 1));
        halves.enumerate().filter(|(_, is_set)| *is_set).map(|(half, _)| half).collect()
    }

    proptest! {
        #[test]
        fn what_differs_is_looked_at_in_states_of_any_length(bits in proptest::collection::vec((0..2u8, 0..9u8), 0..=1024)) {
            let fours = &bits[..bits.len() / 4 * 4];
            let base: Vec<u8> = fours.iter().flat_map(|(_, old)| [*old; 4]).collect();
            let state: Vec<u8> = fours.iter().flat_map(|(flip, old)| [*old, *flip ^ *old, *old, *old]).collect();
            let expected: Vec<usize> = (0..fours.len()).filter(|place| fours[*place].0 == 1).collect();
            prop_assert_eq!(looked_at(Long, &base, &state), expected.clone());
            prop_assert_eq!(looked_at(Whole, &[], &state), (0..fours.len()).collect::<Vec<_>>());
            if fours.len() <= MASK_HALVES {
                prop_assert_eq!(looked_at(Short, &base, &state), expected);
            }
        }

        #[test]
        fn groups_come_in_order(groups in proptest::collection::btree_set(0..MOST_GROUPS, 0..40)) {
            let mut set = ManyGroups::default();
            groups.iter().rev().for_each(|group| set.insert(*group));
            let removed = groups.first().copied();
            removed.into_iter().for_each(|group| set.remove(group));
            let taken: Vec<usize> = std::iter::from_fn(|| set.take_first()).collect();
            prop_assert_eq!(taken, groups.into_iter().skip(1).collect::<Vec<_>>());
        }
    }
}
