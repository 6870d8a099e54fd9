//! Numbers for words: equal words get equal numbers, and a number leads back to its word.

use ample_transition::{Budget, StoreFull};

use crate::arena::{Arena, Portion};
use crate::hash::mix;
use crate::memory::prefetch;
use crate::numbered;
use crate::table::{NoRoom, Probe, Table, View};

/// The words that were given a number.
pub(crate) struct Interner {
    index: Table,
    words: Arena,
}

/// The interner for a while in which its table does not grow.
pub(crate) struct Interning<'i> {
    index: View<'i>,
    words: &'i Arena,
}

impl Interner {
    pub(crate) fn new(budget: Budget) -> Result<Interner, StoreFull> {
        Ok(Interner { index: Table::new(budget.clone())?, words: Arena::new(budget) })
    }

    /// Forgets all words. The memory stays, and is counted here from now on.
    pub(crate) fn renew(&mut self, budget: &Budget) -> Result<(), StoreFull> {
        self.index.renew(budget)?;
        self.words.renew(budget)
    }

    pub(crate) fn view(&self) -> Interning<'_> {
        Interning { index: self.index.view(), words: &self.words }
    }

    /// Makes room in the table and in the portion. The caller holds no view.
    pub(crate) fn make_room(&self, portion: &mut Portion) -> Result<(), StoreFull> {
        if portion.peek(1).is_none() {
            self.words.reserve(1, portion)?;
        }
        self.index.grow()
    }

    /// The word with this number.
    #[inline]
    pub(crate) fn word(&self, number: u32) -> u64 {
        self.words.read(number)
    }

    /// Asks for the memory of the word with this number, if there is such a number.
    #[inline]
    pub(crate) fn prefetch(&self, number: u32) {
        if let Some(word) = self.words.word(number) {
            prefetch(word);
        }
    }

    /// How many words have a number.
    pub(crate) fn len(&self) -> u64 {
        self.index.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.index.memory() + self.words.memory()
    }
}

impl Interning<'_> {
    /// The number of a word, new or old.
    #[inline]
    pub(crate) fn intern(&self, word: u64, portion: &mut Portion) -> Result<u32, NoRoom> {
        let hash = mix(word);
        let same = |entry| numbered::number_if_alike(entry, hash).is_some_and(|number| self.words.read(number) == word);
        let make = || {
            let next = portion.peek(1).ok_or(NoRoom)?;
            self.words.write(next, word);
            Ok(numbered::entry(hash, next))
        };
        match self.index.probe(hash, same, make)? {
            Probe::Found(entry) => Ok(numbered::number(entry)),
            Probe::Added => {
                // Not before: if another thread was faster, the word is used for the next one.
                let next = portion.peek(1).ok_or(NoRoom)?;
                portion.advance(1);
                Ok(next)
            }
        }
    }
}
