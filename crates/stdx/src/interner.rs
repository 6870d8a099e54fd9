//! Things by number, in the order in which they are met.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use crate::{IndexVec, TypedId};

/// Gives equal things the same number, and different ones numbers one after the other.
///
/// ```
/// use ample_stdx::{Interner, typed_id};
///
/// typed_id! { struct WordId; }
///
/// let mut words: Interner<WordId, String> = Interner::default();
/// let first = words.number("to");
/// assert_eq!((words.number("be"), words.number("to")), (WordId(1), first));
/// assert_eq!(words[first], "to");
/// ```
#[derive(Clone, Debug)]
pub struct Interner<I: TypedId, T> {
    numbers: HashMap<T, I>,
    things: IndexVec<I, T>,
}

// Not derived: neither ids nor things need a default.
impl<I: TypedId, T> Default for Interner<I, T> {
    fn default() -> Self {
        Interner { numbers: HashMap::default(), things: IndexVec::default() }
    }
}

impl<I: TypedId, T: Clone + Eq + Hash> Interner<I, T> {
    /// The number of a thing, a new one if it was not met before.
    pub fn number<Q>(&mut self, thing: &Q) -> I
    where
        T: Borrow<Q>,
        Q: ToOwned<Owned = T> + Eq + Hash + ?Sized,
    {
        if let Some(number) = self.get(thing) {
            return number;
        }
        let number = self.things.push(thing.to_owned());
        self.numbers.insert(thing.to_owned(), number);
        number
    }

    /// The number of a thing that was met.
    pub fn get<Q>(&self, thing: &Q) -> Option<I>
    where
        T: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.numbers.get(thing).copied()
    }

    /// All things, by their numbers.
    pub fn things(&self) -> &IndexVec<I, T> {
        &self.things
    }
}

impl<I: TypedId, T> std::ops::Index<I> for Interner<I, T> {
    type Output = T;

    fn index(&self, number: I) -> &T {
        &self.things[number]
    }
}
