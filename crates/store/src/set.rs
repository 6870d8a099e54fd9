//! A set of words: the table, and the one word that the table cannot hold.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_transition::{Budget, Inserted, StoreFull, Unsettled};

use crate::table::{Hints, NoRoom, Probe, Table, View};

/// Words, each of them its own hash: whoever adds one has mixed it well.
pub(crate) struct WordSet {
    table: Table,
    /// Whether zero is there, which means empty in the table.
    zero: AtomicBool,
}

impl WordSet {
    pub(crate) fn new(budget: Budget) -> Result<WordSet, StoreFull> {
        Ok(WordSet { table: Table::new(budget)?, zero: AtomicBool::new(false) })
    }

    /// Forgets all words. The memory stays, and is counted here from now on.
    pub(crate) fn renew(&mut self, budget: &Budget) -> Result<(), StoreFull> {
        *self.zero.get_mut() = false;
        self.table.renew(budget)
    }

    /// Adds or finds one word.
    pub(crate) fn add(&self, word: u64) -> Result<Inserted, StoreFull> {
        loop {
            let answer = self.probe(&self.table.view(), word, true);
            match answer {
                Ok(answer) => return Ok(answer),
                Err(NoRoom) => self.table.grow()?,
            }
        }
    }

    /// Whether a word is there.
    pub(crate) fn contains(&self, word: u64) -> bool {
        match word {
            0 => self.zero.load(Ordering::Relaxed),
            _ => self.table.view().find(word, |other| other == word).is_some(),
        }
    }

    /// Where words are looked for, so that they can be asked for from memory early.
    pub(crate) fn hints(&self) -> Hints {
        self.table.view().hints()
    }

    /// Adds or finds all words, and calls `is_new` with the position of each that is new, at most
    /// `most` times.
    pub(crate) fn add_all(
        &self,
        words: impl Iterator<Item = u64>,
        mut most: u64,
        mut is_new: impl FnMut(usize),
    ) -> Result<(), Unsettled> {
        let mut view = self.table.view();
        for (position, word) in words.enumerate() {
            let answer = loop {
                match self.probe(&view, word, most > 0) {
                    Ok(answer) => break answer,
                    Err(NoRoom) if most == 0 => return Err(Unsettled::Limit),
                    Err(NoRoom) => {
                        drop(view);
                        self.table.grow()?;
                        view = self.table.view();
                    }
                }
            };
            if answer == Inserted::New {
                most -= 1;
                is_new(position);
            }
        }
        Ok(())
    }

    /// All words but zero.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.table.view().entries().collect()
    }

    /// Replaces all words by these, each there once and none of them zero. After an error nothing
    /// has changed.
    pub(crate) fn replace(&self, words: &[u64]) -> Result<(), StoreFull> {
        debug_assert!(!self.zero.load(Ordering::Relaxed), "a set with zero is not replaced");
        self.table.replace(words)
    }

    /// `may_add` is whether the word may be added if it is not there.
    #[inline]
    fn probe(&self, view: &View<'_>, word: u64, may_add: bool) -> Result<Inserted, NoRoom> {
        if word == 0 {
            return self.probe_zero(may_add);
        }
        let make = || if may_add { Ok(word) } else { Err(NoRoom) };
        Ok(match view.probe(word, |other| other == word, make)? {
            Probe::Found(_) => Inserted::Old,
            Probe::Added => Inserted::New,
        })
    }

    #[cold]
    fn probe_zero(&self, may_add: bool) -> Result<Inserted, NoRoom> {
        if self.zero.load(Ordering::Relaxed) {
            return Ok(Inserted::Old);
        }
        if !may_add {
            return Err(NoRoom);
        }
        let was_there = self.zero.swap(true, Ordering::Relaxed);
        Ok(if was_there { Inserted::Old } else { Inserted::New })
    }

    pub(crate) fn len(&self) -> u64 {
        self.table.len() + u64::from(self.zero.load(Ordering::Relaxed))
    }

    pub(crate) fn memory(&self) -> usize {
        self.table.memory()
    }
}
