//! A vector that is indexed by its own id type.

use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::TypedId;

/// A table of `T` whose entries are named by `I`.
///
/// Entries are added, changed and read, but never removed, so that an id stays valid for the
/// table's life.
pub struct IndexVec<I, T> {
    entries: Vec<T>,
    // `fn(I)`: the table owns no `I`, so it is `Send` and `Sync` whatever `I` is.
    id: PhantomData<fn(I)>,
}

impl<I: TypedId, T> IndexVec<I, T> {
    /// An empty table.
    pub const fn new() -> Self {
        IndexVec { entries: Vec::new(), id: PhantomData }
    }

    /// An empty table with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        IndexVec { entries: Vec::with_capacity(capacity), id: PhantomData }
    }

    /// A table of `len` copies of `value`.
    pub fn from_elem(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        IndexVec { entries: vec![value; len], id: PhantomData }
    }

    /// Adds an entry and gives its id.
    pub fn push(&mut self, value: T) -> I {
        let id = self.next_id();
        self.entries.push(value);
        id
    }

    /// The id that the next [`push`](Self::push) will give.
    pub fn next_id(&self) -> I {
        I::from_index(self.entries.len())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry named by `id`, if this table has it.
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The entry named by `id`, if this table has it.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// All ids, in order. Does not borrow the table, so entries may be changed on the way.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.entries.len()).map(I::from_index)
    }

    /// All entries, in order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// All entries, in order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// All entries with their ids, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.entries.iter().enumerate().map(|(index, value)| (I::from_index(index), value))
    }

    /// All entries with their ids, in order.
    pub fn iter_enumerated_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        self.entries.iter_mut().enumerate().map(|(index, value)| (I::from_index(index), value))
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.entries.last()
    }

    /// The entries as a slice, for code that does not care about ids.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }
}

impl<I: TypedId, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: TypedId, T> IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

// The following are written out because a derive would ask the same of `I` as of `T`.

impl<I, T: Clone> Clone for IndexVec<I, T> {
    fn clone(&self) -> Self {
        IndexVec { entries: self.entries.clone(), id: PhantomData }
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        IndexVec { entries: Vec::new(), id: PhantomData }
    }
}

impl<I, T: PartialEq> PartialEq for IndexVec<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<I, T: Eq> Eq for IndexVec<I, T> {}

impl<I, T: std::hash::Hash> std::hash::Hash for IndexVec<I, T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.entries.hash(state);
    }
}

impl<I: TypedId, T: Debug> Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_enumerated()).finish()
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(entries: Vec<T>) -> Self {
        IndexVec { entries, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<J: IntoIterator<Item = T>>(values: J) -> Self {
        IndexVec { entries: values.into_iter().collect(), id: PhantomData }
    }
}

impl<I, T> Extend<T> for IndexVec<I, T> {
    fn extend<J: IntoIterator<Item = T>>(&mut self, values: J) {
        self.entries.extend(values);
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed_id;

    typed_id! {
        /// Names an entry of the test tables.
        struct Id;
    }

    fn letters() -> IndexVec<Id, char> {
        "abc".chars().collect()
    }

    #[test]
    fn ids_name_entries_in_order_of_pushing() {
        let mut table = letters();
        let d = table.push('d');
        assert_eq!(d.index(), 3);
        assert_eq!(table[d], 'd');
        table[d] = 'D';
        assert_eq!(table.iter().collect::<String>(), "abcD");
        assert_eq!(table.len(), 4);
        assert_eq!(table.get(Id::from_index(4)), None);
    }

    #[test]
    fn printing_shows_the_ids() {
        assert_eq!(format!("{:?}", letters()), "{Id(0): 'a', Id(1): 'b', Id(2): 'c'}");
    }

    #[test]
    fn entries_may_change_while_walking_ids() {
        let mut table = letters();
        for id in table.ids().rev() {
            table[id] = table[id].to_ascii_uppercase();
        }
        assert_eq!(table, IndexVec::from(vec!['A', 'B', 'C']));
    }

    #[test]
    #[should_panic(expected = "more than 2^32 entries")]
    fn an_index_that_does_not_fit_is_refused() {
        Id::from_index(u32::MAX as usize + 1);
    }
}
