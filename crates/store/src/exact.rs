//! The exact store: every state in full, so that two states are never confused, and nothing is
//! shared.
//!
//! A state is a word with its length and then its bytes, in words, one after the other. The table
//! finds it by hash: an entry is the upper half of the hash and the number of the first word, so
//! that of `n` states, a look-up compares about `n / 2^32` wrong ones. The number is the reference
//! to the state.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Inserted, Key, Opened, Session, StateRef, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::arena::{Arena, Portion};
use crate::hash::hash;
use crate::numbered;
use crate::offers::Offers;
use crate::state_words::{WORD, size, words_of};
use crate::table::{Hints, NoRoom, Probe, Table, View};

/// The exact store.
pub static EXACT: Part = Part {
    name: "exact",
    kind: PartKind::Store,
    summary: "every state is kept in full; two states are never confused",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// A store that keeps every state.
pub struct ExactStore {
    index: Table,
    words: Arena,
}

impl ExactStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        Ok(ExactStore { index: Table::new(config.budget.clone())?, words: Arena::new(config.budget.clone()) })
    }

    /// Whether the state that starts here is this one.
    fn is_state(&self, first: u32, state: &[u8]) -> bool {
        let stored = (first + 1..).map(|number| self.words.read(number));
        self.words.read(first) == state.len() as u64 && words_of(state).zip(stored).all(|(new, old)| new == old)
    }

    fn contains(&self, state: &[u8]) -> bool {
        let hash = hash(state);
        let same = |entry| numbered::number_if_alike(entry, hash).is_some_and(|first| self.is_state(first, state));
        self.index.view().find(hash, same).is_some()
    }

    fn write(&self, first: u32, state: &[u8]) {
        self.words.write(first, state.len() as u64);
        for (number, word) in (first + 1..).zip(words_of(state)) {
            self.words.write(number, word);
        }
    }

    fn read(&self, first: u32, state: &mut Vec<u8>) {
        let len = self.words.read(first) as usize;
        for number in (first + 1..).take(len.div_ceil(WORD)) {
            state.extend_from_slice(&self.words.read(number).to_le_bytes());
        }
        state.truncate(len);
    }
}

impl Store for ExactStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        let (portion, offers, hints) = (Portion::default(), Offers::default(), self.index.view().hints());
        Box::new(ExactSession { store: self, portion, offers, hints })
    }

    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        self.index.renew(&config.budget)?;
        self.words.renew(&config.budget)
    }

    fn len(&self) -> u64 {
        self.index.len()
    }

    fn memory(&self) -> usize {
        self.index.memory() + self.words.memory()
    }
}

struct ExactSession<'s> {
    store: &'s ExactStore,
    portion: Portion,
    offers: Offers,
    hints: Hints,
}

impl ExactSession<'_> {
    /// Adds or finds a state. `may_add` is whether it may be added.
    fn add(
        store: &ExactStore,
        portion: &mut Portion,
        view: &View<'_>,
        (hash, state): (u64, &[u8]),
        may_add: bool,
    ) -> Result<Option<StateRef>, NoRoom> {
        let same = |entry| numbered::number_if_alike(entry, hash).is_some_and(|first| store.is_state(first, state));
        let next = portion.peek(size(state));
        let make = || {
            let next = next.filter(|_| may_add).ok_or(NoRoom)?;
            store.write(next, state);
            Ok(numbered::entry(hash, next))
        };
        match (view.probe(hash, same, make)?, next) {
            (Probe::Added, Some(next)) => {
                portion.advance(size(state));
                Ok(Some(StateRef(u64::from(next))))
            }
            _ => Ok(None),
        }
    }

    fn make_room(&mut self, state_size: usize) -> Result<(), StoreFull> {
        if self.portion.peek(state_size).is_none() {
            self.store.words.reserve(state_size, &mut self.portion)?;
        }
        self.store.index.grow()
    }
}

impl Session for ExactSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let offer = (hash(state), state);
        loop {
            let answer = Self::add(self.store, &mut self.portion, &self.store.index.view(), offer, true);
            match answer {
                Ok(Some(_)) => return Ok(Inserted::New),
                Ok(None) => return Ok(Inserted::Old),
                Err(NoRoom) => self.make_room(size(state))?,
            }
        }
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        match states.key(index) {
            Some(key) => self.recall(key, state),
            None => state.clear(),
        }
        Opened::Here
    }

    fn offer(&mut self, state: &[u8]) {
        self.hints.prefetch(self.offers.push(state));
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = self.settle_all(most, new);
        self.offers.clear();
        self.hints = self.store.index.view().hints();
        result
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        match key {
            // Only what is stored has a reference.
            Key::Reference(_) => true,
            Key::InFull(state) => self.store.contains(state),
        }
    }

    fn recall(&mut self, key: Key<'_>, state: &mut Vec<u8>) {
        state.clear();
        match key {
            Key::Reference(StateRef(first)) => self.store.read(first as u32, state),
            Key::InFull(known) => state.extend_from_slice(known),
        }
    }
}

impl ExactSession<'_> {
    fn settle_all(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        let mut next = 0;
        let mut view = self.store.index.view();
        while let Some(offer) = self.offers.get(next) {
            match Self::add(self.store, &mut self.portion, &view, offer, most > 0) {
                Ok(reference) => {
                    most -= u64::from(reference.is_some());
                    reference.into_iter().for_each(|reference| new.push_ref(reference));
                    next += 1;
                }
                Err(NoRoom) if most == 0 => return Err(Unsettled::Limit),
                Err(NoRoom) => {
                    let size = size(offer.1);
                    drop(view);
                    self.make_room(size)?;
                    view = self.store.index.view();
                }
            }
        }
        Ok(())
    }
}
