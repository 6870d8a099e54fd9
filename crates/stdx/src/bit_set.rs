//! A growable set of ids, one bit each.

use std::fmt::{self, Debug};
use std::marker::PhantomData;

use crate::TypedId;

const BITS: usize = u64::BITS as usize;

/// A set of ids of type `I`.
///
/// Grows on insertion. Two sets with the same members are equal, whatever their histories.
pub struct BitSet<I> {
    // Invariant: the last word is not zero, so that equality and hashing may compare the words.
    words: Vec<u64>,
    id: PhantomData<fn(I)>,
}

impl<I: TypedId> BitSet<I> {
    /// The empty set.
    pub const fn new() -> Self {
        BitSet { words: Vec::new(), id: PhantomData }
    }

    /// The set of the first `len` ids: all ids of a table with `len` entries.
    pub fn full(len: usize) -> Self {
        (0..len).map(I::from_index).collect()
    }

    /// Adds `id`; tells whether it is new.
    pub fn insert(&mut self, id: I) -> bool {
        let (word, mask) = position(id);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & mask == 0;
        self.words[word] |= mask;
        is_new
    }

    /// Takes `id` out; tells whether it was in.
    pub fn remove(&mut self, id: I) -> bool {
        let (word, mask) = position(id);
        let was_in = self.contains(id);
        if was_in {
            self.words[word] &= !mask;
            self.trim();
        }
        was_in
    }

    /// Whether `id` is a member.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        let (word, mask) = position(id);
        self.words.get(word).is_some_and(|bits| bits & mask != 0)
    }

    /// Takes all members out, and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of members. Counts them: linear in the largest id.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Adds all members of `other`; tells whether that added any.
    pub fn union_with(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Keeps only the members of `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
        self.trim();
    }

    /// Takes out all members of `other`.
    pub fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
        self.trim();
    }

    /// Whether the two sets have a member in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether every member is a member of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len()
            && self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    I::from_index(word * BITS + bit)
                })
            })
        })
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

#[inline]
fn position<I: TypedId>(id: I) -> (usize, u64) {
    (id.index() / BITS, 1 << (id.index() % BITS))
}

impl<I> Clone for BitSet<I> {
    fn clone(&self) -> Self {
        BitSet { words: self.words.clone(), id: PhantomData }
    }
}

impl<I> Default for BitSet<I> {
    fn default() -> Self {
        BitSet { words: Vec::new(), id: PhantomData }
    }
}

impl<I> PartialEq for BitSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl<I> Eq for BitSet<I> {}

impl<I> std::hash::Hash for BitSet<I> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}

impl<I: TypedId> Debug for BitSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<I: TypedId> FromIterator<I> for BitSet<I> {
    fn from_iter<J: IntoIterator<Item = I>>(ids: J) -> Self {
        let mut set = BitSet::new();
        set.extend(ids);
        set
    }
}

impl<I: TypedId> Extend<I> for BitSet<I> {
    fn extend<J: IntoIterator<Item = I>>(&mut self, ids: J) {
        for id in ids {
            self.insert(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::typed_id;

    typed_id! {
        /// A member of the test sets.
        struct Id;
    }

    /// The set whose members are the positions of the ones of `mask`, spread over three words.
    fn spread(mask: u32) -> (BitSet<Id>, BTreeSet<usize>) {
        let members: BTreeSet<usize> = (0..6).filter(|bit| mask >> bit & 1 == 1).map(|bit| bit * 31).collect();
        (members.iter().map(|&index| Id::from_index(index)).collect(), members)
    }

    fn members(set: &BitSet<Id>) -> Vec<usize> {
        set.iter().map(TypedId::index).collect()
    }

    #[test]
    fn every_operation_agrees_with_an_ordered_set_on_all_small_sets() {
        for a in 0..64 {
            for b in 0..64 {
                let ((left, left_model), (right, right_model)) = (spread(a), spread(b));
                let mut union = left.clone();
                assert_eq!(union.union_with(&right), !right_model.is_subset(&left_model));
                assert!(members(&union).iter().eq(left_model.union(&right_model)));
                let mut both = left.clone();
                both.intersect_with(&right);
                assert!(members(&both).iter().eq(left_model.intersection(&right_model)));
                assert_eq!(left.intersects(&right), !both.is_empty());
                let mut difference = left.clone();
                difference.subtract(&right);
                assert!(members(&difference).iter().eq(left_model.difference(&right_model)));
                assert_eq!(left.is_subset(&right), left_model.is_subset(&right_model));
                assert_eq!(left == right, a == b);
                assert_eq!(left.len(), left_model.len());
            }
        }
    }

    #[test]
    fn a_set_forgets_how_it_was_made() {
        let (mut set, _) = spread(0b1);
        assert!(set.insert(Id::from_index(1000)));
        assert!(!set.insert(Id::from_index(1000)));
        assert!(set.remove(Id::from_index(1000)));
        assert!(!set.remove(Id::from_index(1000)));
        assert_eq!(set, spread(0b1).0);
        assert_eq!(format!("{set:?}"), "{Id(0)}");
    }

    #[test]
    fn the_full_set_has_every_id_of_a_table() {
        let set = BitSet::<Id>::full(130);
        assert_eq!(set.len(), 130);
        assert!(set.contains(Id::from_index(129)));
        assert!(!set.contains(Id::from_index(130)));
    }
}
