//! The subsuming store: of states with the same common part, only those are stored that no other
//! one covers (Pelánek 2006, sections 3.4 and 3.6).
//!
//! A table finds the states with one common part, a *group*, by the hash of that part. The states
//! of a group lie side by side in a few chunks of an arena, each as a word with its length and then
//! its bytes: whoever comes with a new state compares it with all of them, one after the other. The
//! first chunk has room for one state, for there may be no more; each further one for as many as
//! there are already, and some more.
//!
//! A group is looked at under a lock; one lock is that of many groups. A new group needs none: it
//! is added to the table with its first state. A state that is covered is marked, and nothing is
//! written over it, since who still waits for it has the number of its first word; a chunk of which
//! all states are marked is not looked at any more.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_stdx::lock;
use ample_transition::{
    Cover, Inserted, Key, Opened, Session, StateRef, States, Store, StoreConfig, StoreFull, Unsettled,
};

use crate::arena::{Arena, Portion};
use crate::hash::hash;
use crate::memory::prefetch;
use crate::numbered;
use crate::state_words::{WORD, size, words_of};
use crate::table::{Hints, NoRoom, Probe, Table, View};

/// The subsuming store.
pub static SUBSUMING: Part = Part {
    name: "subsuming",
    kind: PartKind::Store,
    summary: "every state is kept in full, unless another one covers it; comes with a cover, as `--reduce dominate`",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, sections 3.4 and 3.6"),
    // What the cover itself preserves is said by its own part.
    guarantee: Guarantee::EXACT,
};

/// How many locks there are, a power of two.
const LOCKS: usize = 1 << 10;
/// A chunk has room for no more states than this.
const MOST_IN_CHUNK: usize = 16;
/// Before the states of a chunk: where the next one to look at lies, and how many words it has; how
/// many of them are used.
const HEADER: usize = 2;
/// The words in a line of the processor's cache.
const LINE: u32 = 8;
/// Set in the first word of a state that another one covers.
const COVERED: u64 = 1 << 63;

/// A store that keeps what no other state covers.
pub struct SubsumingStore<'a> {
    cover: &'a dyn Cover,
    groups: Table,
    words: Arena,
    locks: Box<[Mutex<()>]>,
    /// How many states were added.
    added: AtomicU64,
    /// How many of them others cover now.
    covered: AtomicU64,
}

impl<'a> SubsumingStore<'a> {
    /// An empty store.
    pub fn new(cover: &'a dyn Cover, config: &StoreConfig) -> Result<Self, StoreFull> {
        Ok(SubsumingStore {
            cover,
            groups: Table::new(config.budget.clone())?,
            words: Arena::new(config.budget.clone()),
            locks: (0..LOCKS).map(|_| Mutex::new(())).collect(),
            added: AtomicU64::new(0),
            covered: AtomicU64::new(0),
        })
    }

    /// The right to look at the group with this hash.
    fn lock(&self, hash: u64) -> MutexGuard<'_, ()> {
        lock(&self.locks[hash as usize % LOCKS])
    }

    /// The chunk that begins here.
    fn chunk(&self, first: u32) -> Chunk<'_> {
        let size = self.words.words(first, HEADER).first().map_or(0, |word| word.load(Ordering::Relaxed) >> 32);
        Chunk { first, words: self.words.words(first, size as usize) }
    }

    /// Begins a chunk with so many words, whose only state is this one. Gives the reference to it.
    fn begin(&self, first: u32, words: usize, state: &[u8]) -> StateRef {
        self.words.write(first, (words as u64) << 32);
        self.words.write(first + 1, HEADER as u64);
        self.chunk(first).push(state)
    }

    fn read(&self, StateRef(first): StateRef, state: &mut Vec<u8>) -> Opened {
        let word = self.words.read(first as u32);
        let len = (word & !COVERED) as usize;
        bytes_of(self.words.words(first as u32 + 1, len.div_ceil(WORD)), len, state);
        if word & COVERED == 0 { Opened::Here } else { Opened::Covered }
    }
}

/// Some states of a group, one after the other.
#[derive(Copy, Clone)]
struct Chunk<'s> {
    first: u32,
    words: &'s [AtomicU64],
}

impl<'s> Chunk<'s> {
    fn word(self, at: usize) -> u64 {
        self.words.get(at).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    fn set(self, at: usize, value: u64) {
        if let Some(word) = self.words.get(at) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// The chunk to look at after this one, if there is one. After the first of a group comes the
    /// last, and then the others, back to the second.
    fn next(self) -> Option<u32> {
        (self.word(0) as u32).checked_sub(1)
    }

    fn set_next(self, next: Option<u32>) {
        self.set(0, self.word(0) & !u64::from(u32::MAX) | u64::from(next.map_or(0, |first| first + 1)));
    }

    fn used(self) -> usize {
        (self.word(1) as usize).min(self.words.len())
    }

    fn has_room(self, state: &[u8]) -> bool {
        self.words.len() - self.used() >= size(state)
    }

    /// Writes a state, for which there is room, behind the others.
    fn push(self, state: &[u8]) -> StateRef {
        let at = self.used();
        self.set(at, state.len() as u64);
        for (number, word) in (at + 1..).zip(words_of(state)) {
            self.set(number, word);
        }
        self.set(1, (at + size(state)) as u64);
        StateRef(u64::from(self.first) + at as u64)
    }

    /// Where its states begin, with their first words.
    fn states(self) -> impl Iterator<Item = (usize, u64)> + 's {
        let (mut at, end) = (HEADER, self.used());
        std::iter::from_fn(move || {
            let word = (at < end).then(|| self.word(at))?;
            let here = at;
            at += 1 + ((word & !COVERED) as usize).div_ceil(WORD);
            Some((here, word))
        })
    }
}

/// Writes the bytes in some words over `state`.
#[inline]
fn bytes_of(words: &[AtomicU64], len: usize, state: &mut Vec<u8>) {
    state.clear();
    state.reserve(words.len() * WORD);
    for word in words {
        state.extend_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
    }
    state.truncate(len);
}

impl Store for SubsumingStore<'_> {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(SubsumingSession {
            store: self,
            portion: Portion::default(),
            hints: self.groups.view().hints(),
            offers: States::default(),
            hashes: Vec::new(),
            scratch: Scratch::default(),
        })
    }

    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        (*self.added.get_mut(), *self.covered.get_mut()) = (0, 0);
        self.groups.renew(&config.budget)?;
        self.words.renew(&config.budget)
    }

    fn len(&self) -> u64 {
        self.added.load(Ordering::Relaxed) - self.covered()
    }

    fn subsumes(&self) -> bool {
        true
    }

    fn covered(&self) -> u64 {
        self.covered.load(Ordering::Relaxed)
    }

    fn memory(&self) -> usize {
        self.groups.memory() + self.words.memory()
    }
}

struct SubsumingSession<'s> {
    store: &'s SubsumingStore<'s>,
    portion: Portion,
    hints: Hints,
    /// What waits to be settled, with the hashes of the common parts.
    offers: States,
    hashes: Vec<u64>,
    scratch: Scratch,
}

/// Memory that is used again and again.
#[derive(Default)]
struct Scratch {
    /// The common part of the state that is added or looked for.
    common: Vec<u8>,
    /// A state of a group, and its common part.
    other: Vec<u8>,
    other_common: Vec<u8>,
    /// Those that the new state covers: their chunks, and where they begin in them.
    covered: Vec<(u32, usize)>,
}

/// Whether an entry of the table is the group of the common part.
#[inline]
fn is_group(store: &SubsumingStore<'_>, scratch: &RefCell<&mut Scratch>, entry: u64, hash: u64) -> bool {
    numbered::number_if_alike(entry, hash).is_some_and(|group| scratch.borrow_mut().is_group(store, group))
}

/// What a group says of a state.
enum Verdict {
    /// One of its states covers it.
    Covered,
    /// None does. There are so many states and marks, and this is the chunk looked at after the
    /// first.
    Uncovered { states: usize, last: Option<u32> },
}

impl Scratch {
    /// Whether the group that begins with this chunk is that of the common part.
    fn is_group(&mut self, store: &SubsumingStore<'_>, first: u32) -> bool {
        let head = StateRef(u64::from(first) + HEADER as u64);
        store.read(head, &mut self.other);
        self.other_common.clear();
        store.cover.common(&self.other, &mut self.other_common);
        self.common == self.other_common
    }

    /// Compares a state with all of a group, whose lock the caller holds. What it covers is noted.
    /// A chunk of which every state is marked is left out from now on, unless it is the first or
    /// the last, to which others are added.
    fn compare(&mut self, store: &SubsumingStore<'_>, first: u32, state: &[u8]) -> Verdict {
        self.covered.clear();
        let head = store.chunk(first);
        let (last, mut before, mut states) = (head.next(), head, 0);
        let mut next = Some(first);
        while let Some(number) = next {
            let chunk = store.chunk(number);
            let mut has_live = false;
            for (at, word) in chunk.states() {
                states += 1;
                if word & COVERED != 0 {
                    continue;
                }
                has_live = true;
                let len = word as usize;
                bytes_of(&chunk.words[at + 1..at + 1 + len.div_ceil(WORD)], len, &mut self.other);
                if store.cover.covers(&self.other, state) {
                    return Verdict::Covered;
                }
                if store.cover.covers(state, &self.other) {
                    self.covered.push((number, at));
                }
            }
            next = chunk.next();
            if has_live || number == first || Some(number) == last {
                before = chunk;
            } else {
                before.set_next(next);
            }
        }
        Verdict::Uncovered { states, last }
    }
}

impl SubsumingSession<'_> {
    /// Adds a state, or finds one that covers it. `may_add` is whether it may be added. If there is
    /// no room, so many words are needed.
    fn add(
        store: &SubsumingStore<'_>,
        portion: &mut Portion,
        scratch: &mut Scratch,
        view: &View<'_>,
        (hash, state): (u64, &[u8]),
        may_add: bool,
    ) -> Result<Option<StateRef>, usize> {
        scratch.common.clear();
        store.cover.common(state, &mut scratch.common);
        let words = HEADER + size(state);
        let next = portion.peek(words).filter(|_| may_add);
        let make = || {
            let next = next.ok_or(NoRoom)?;
            store.begin(next, words, state);
            Ok(numbered::entry(hash, next))
        };
        let found = {
            let scratch = RefCell::new(&mut *scratch);
            let same = |entry| is_group(store, &scratch, entry, hash);
            view.probe(hash, same, make).map_err(|NoRoom| words)?
        };
        let group = match (found, next) {
            (Probe::Found(entry), _) => numbered::number(entry),
            (Probe::Added, next) => {
                portion.advance(words);
                store.added.fetch_add(1, Ordering::Relaxed);
                return Ok(next.map(|next| StateRef(u64::from(next) + HEADER as u64)));
            }
        };
        Self::add_to(store, portion, scratch, (group, hash), state, may_add)
    }

    /// The group of the common part.
    fn find(store: &SubsumingStore<'_>, scratch: &mut Scratch, view: &View<'_>, hash: u64) -> Option<u32> {
        let scratch = RefCell::new(scratch);
        let same = |entry| is_group(store, &scratch, entry, hash);
        view.find(hash, same).map(numbered::number)
    }

    /// The same for a group that is there.
    fn add_to(
        store: &SubsumingStore<'_>,
        portion: &mut Portion,
        scratch: &mut Scratch,
        (group, hash): (u32, u64),
        state: &[u8],
        may_add: bool,
    ) -> Result<Option<StateRef>, usize> {
        let _guard = store.lock(hash);
        let (states, last) = match scratch.compare(store, group, state) {
            Verdict::Covered => return Ok(None),
            Verdict::Uncovered { states, last } => (states, last),
        };
        let room = last.map(|last| store.chunk(last)).filter(|chunk| may_add && chunk.has_room(state));
        let reference = match room {
            Some(chunk) => chunk.push(state),
            None => {
                let words = HEADER + size(state) * (states + 2).min(MOST_IN_CHUNK);
                let next = portion.peek(words).filter(|_| may_add).ok_or(words)?;
                let reference = store.begin(next, words, state);
                store.chunk(next).set_next(last);
                store.chunk(group).set_next(Some(next));
                portion.advance(words);
                reference
            }
        };
        for (chunk, at) in scratch.covered.drain(..) {
            let chunk = store.chunk(chunk);
            chunk.set(at, chunk.word(at) | COVERED);
            store.covered.fetch_add(1, Ordering::Relaxed);
        }
        store.added.fetch_add(1, Ordering::Relaxed);
        Ok(Some(reference))
    }

    fn make_room(&mut self, words: usize) -> Result<(), StoreFull> {
        if self.portion.peek(words).is_none() {
            self.store.words.reserve(words, &mut self.portion)?;
        }
        self.store.groups.grow()
    }

    fn hash_of(&mut self, state: &[u8]) -> u64 {
        self.scratch.common.clear();
        self.store.cover.common(state, &mut self.scratch.common);
        hash(&self.scratch.common)
    }

    /// Asks for the memory of the groups of what was offered: first for their beginnings, and when
    /// these are there, for what comes after them.
    fn prefetch(&self, view: &View<'_>) {
        let words = &self.store.words;
        let group = |hash: u64| view.find(hash, |entry| numbered::number_if_alike(entry, hash).is_some());
        let groups: Vec<u32> = self.hashes.iter().filter_map(|hash| group(*hash).map(numbered::number)).collect();
        let ask = |number: u32| words.word(number).into_iter().for_each(prefetch);
        groups.iter().for_each(|first| ask(*first));
        for last in groups.iter().filter_map(|first| self.store.chunk(*first).next()) {
            ask(last);
            ask(last + LINE);
        }
    }

    fn settle_all(&mut self, mut most: u64, new: &mut States) -> Result<(), Unsettled> {
        let mut next = 0;
        let mut view = self.store.groups.view();
        self.prefetch(&view);
        while let Some(state) = self.offers.state(next) {
            let (offer, may_add) = ((self.hashes[next], state), most > 0);
            match Self::add(self.store, &mut self.portion, &mut self.scratch, &view, offer, may_add) {
                Ok(reference) => {
                    most -= u64::from(reference.is_some());
                    reference.into_iter().for_each(|reference| new.push_ref(reference));
                    next += 1;
                }
                Err(_) if most == 0 => return Err(Unsettled::Limit),
                Err(words) => {
                    drop(view);
                    self.make_room(words)?;
                    view = self.store.groups.view();
                }
            }
        }
        Ok(())
    }
}

impl Session for SubsumingSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let hash = self.hash_of(state);
        loop {
            let view = self.store.groups.view();
            let answer = Self::add(self.store, &mut self.portion, &mut self.scratch, &view, (hash, state), true);
            drop(view);
            match answer {
                Ok(Some(_)) => return Ok(Inserted::New),
                Ok(None) => return Ok(Inserted::Old),
                Err(words) => self.make_room(words)?,
            }
        }
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        if let Some(word) = states.reference(index + 4).and_then(|StateRef(later)| self.store.words.word(later as u32))
        {
            prefetch(word);
        }
        match states.key(index) {
            Some(Key::Reference(reference)) => self.store.read(reference, state),
            Some(key) => {
                self.recall(key, state);
                Opened::Here
            }
            None => {
                state.clear();
                Opened::Covered
            }
        }
    }

    fn offer(&mut self, state: &[u8]) {
        let hash = self.hash_of(state);
        self.hints.prefetch(hash);
        self.hashes.push(hash);
        self.offers.push_state(state);
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = self.settle_all(most, new);
        self.offers.clear();
        self.hashes.clear();
        self.hints = self.store.groups.view().hints();
        result
    }

    /// Whether a state is stored that covers this one.
    fn contains(&mut self, key: Key<'_>) -> bool {
        let Key::InFull(state) = key else { return true };
        let hash = self.hash_of(state);
        let group = Self::find(self.store, &mut self.scratch, &self.store.groups.view(), hash);
        group.is_some_and(|group| {
            let _guard = self.store.lock(hash);
            matches!(self.scratch.compare(self.store, group, state), Verdict::Covered)
        })
    }

    fn recall(&mut self, key: Key<'_>, state: &mut Vec<u8>) {
        match key {
            Key::Reference(reference) => _ = self.store.read(reference, state),
            Key::InFull(known) => {
                state.clear();
                state.extend_from_slice(known);
            }
        }
    }
}
