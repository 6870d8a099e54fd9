//! The store's seam: has this state been seen?
//!
//! A store is shared by all workers of a search. Each has a [`Session`] of its own, with which it
//! opens states in blocks, offers their successors, and settles all of them at once: so that a
//! store can hash first, fetch from memory while it does something else, and look later.

use std::sync::Arc;

use crate::{Budget, ProcessMoves, ProcessViews, StoreFull, SuccessorBuffer, Tally, View};

/// A stored state in eight bytes. Only the store that gave it can read it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateRef(pub u64);

/// What a store needs to know a state again.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// A reference.
    Reference(StateRef),
    /// The state itself, for a store that gives no references.
    InFull(&'k [u8]),
}

impl Key<'_> {
    /// Calls `read` with bytes that stand for this key and no other one of the store.
    pub fn with_bytes<T>(self, read: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            Key::Reference(StateRef(word)) => read(&word.to_le_bytes()),
            Key::InFull(state) => read(state),
        }
    }
}

/// The answer of a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It was not there and is now.
    New,
    /// It was there.
    Old,
}

/// What became of a state that waited.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// It is to be explored.
    Here,
    /// Meanwhile another state came that covers it: that one is to be explored instead.
    Covered,
}

/// Why what was offered is not settled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// The store can take no more.
    Full,
    /// As many new states as were allowed have been added, and there are more.
    Limit,
}

impl From<StoreFull> for Unsettled {
    fn from(_: StoreFull) -> Self {
        Unsettled::Full
    }
}

/// Remembers states. Shared between threads; the number of states does not depend on how many there
/// are.
pub trait Store: Send + Sync {
    /// A way in for one thread.
    fn session(&self) -> Box<dyn Session + Send + '_>;

    /// Forgets all states, and is then like a new store that was made for this, but keeps the
    /// memory that it has: it is counted there from now on. That takes time in proportion to what
    /// was stored. After an error it is of no use any more.
    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull>;

    /// How many states are stored now. Exact when no session is at work.
    fn len(&self) -> u64;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a state may stand for others that it covers: then not every state that can be
    /// reached is stored, and which of them are depends on the order in which they come.
    fn subsumes(&self) -> bool {
        false
    }

    /// How many states were added and are stored no more, because others cover them.
    fn covered(&self) -> u64 {
        0
    }

    /// The bytes of memory in use.
    fn memory(&self) -> usize;

    /// What is known of the length of the bytes that stand for keys, for states of which this is
    /// known.
    fn key_length(&self, states: StateLength) -> StateLength {
        states
    }

    /// How often keys were laid out anew, wider where they were tight.
    fn relayouts(&self) -> u64 {
        0
    }

    /// The probability that a state was taken for another one so far; `None` if that cannot happen.
    fn omission_probability(&self) -> Option<f64> {
        None
    }
}

/// One thread's way into a store.
pub trait Session {
    /// Adds one state, or finds it.
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull>;

    /// Writes the state at `index` of `states` over `state`, and says what became of it. What is
    /// offered next are successors of this state.
    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened;

    /// Hands over a successor of the state opened last.
    fn offer(&mut self, state: &[u8]);

    /// Hands over all successors of the state opened last.
    fn offer_all(&mut self, successors: &SuccessorBuffer) {
        successors.for_each_state(|state| self.offer(state));
    }

    /// Hands over the successors of the state at `index` of `states`, from what is known of the
    /// moves of its processes, and says what there is. Nothing if that is not enough, or if there
    /// are none: then the state is to be opened, and all its successors handed over, as usual.
    /// `buffer` is overwritten.
    fn offer_known(
        &mut self,
        _states: &States,
        _index: usize,
        _moves: &dyn ProcessMoves,
        _buffer: &mut SuccessorBuffer,
    ) -> Option<Tally> {
        None
    }

    /// Adds or finds everything that was offered, and appends what is new to `new`, at most `most`
    /// states. After an error, what was not settled is forgotten.
    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled>;

    /// Appends the key of a state, which need not be stored, to `keys`. Costs least if it differs
    /// little from the state opened last.
    fn key(&mut self, state: &[u8], keys: &mut States) -> Result<(), StoreFull> {
        keys.push_state(state);
        Ok(())
    }

    /// Appends the keys of the successors of the state with this key, each with a note, from what
    /// is known of the moves of its processes, and says what there is. Nothing if that is not
    /// enough, or if there are none: then all its successors are to be computed as usual. `buffer`
    /// is overwritten.
    ///
    /// `note` is given a successor by a process. It looks at nothing that the moves of that process
    /// do not depend on or change, and it is the same each time that this session is asked.
    fn keys_known(
        &mut self,
        _key: Key<'_>,
        _moves: &dyn ProcessMoves,
        _note: &dyn Fn(&[u8]) -> u32,
        _buffer: &mut SuccessorBuffer,
        _keys: &mut States,
        _notes: &mut Vec<u32>,
    ) -> Option<Tally> {
        None
    }

    /// The same with what is to be seen of each process, in place of notes. `viewed` is
    /// overwritten.
    ///
    /// A session is asked with the same views each time, and for nothing else that is known.
    fn keys_viewed(
        &mut self,
        _key: Key<'_>,
        _moves: &dyn ProcessMoves,
        _views: &dyn ProcessViews,
        _buffer: &mut SuccessorBuffer,
        _viewed: &mut Viewed,
    ) -> Option<Tally> {
        None
    }

    /// Appends the keys of all successors of the state opened last.
    fn keys(&mut self, successors: &SuccessorBuffer, keys: &mut States) -> Result<(), StoreFull> {
        let mut result = Ok(());
        successors.for_each_state(|state| result = result.and_then(|()| self.key(state, keys)));
        result
    }

    /// Adds the state with this key, or finds it.
    fn add(&mut self, key: Key<'_>) -> Result<Inserted, StoreFull> {
        match key {
            Key::InFull(state) => self.insert(state),
            Key::Reference(_) => Ok(Inserted::Old),
        }
    }

    /// Whether the state with this key is stored.
    fn contains(&mut self, key: Key<'_>) -> bool;

    /// Appends whether each of the states with these keys is stored.
    fn contains_all(&mut self, keys: &States, found: &mut Vec<bool>) {
        found.extend((0..keys.len()).map(|place| keys.key(place).is_some_and(|key| self.contains(key))));
    }

    /// Writes the state with this key, which need not be stored, over `state`. The keys asked for
    /// next are those of its successors; they cannot be offered.
    fn recall(&mut self, key: Key<'_>, state: &mut Vec<u8>) {
        state.clear();
        if let Key::InFull(known) = key {
            state.extend_from_slice(known);
        }
    }
}

/// A list of states, each as a reference or, where the store cannot give them back, in full.
#[derive(Clone, Debug, Default)]
pub struct States {
    refs: Vec<StateRef>,
    bytes: Vec<u8>,
    /// Where each state in full ends.
    ends: Vec<usize>,
}

impl States {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.refs.len().max(self.ends.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a state by reference. One list has one kind only.
    #[inline]
    pub fn push_ref(&mut self, reference: StateRef) {
        self.refs.push(reference);
    }

    /// Adds those of some references that are chosen. Which these are is as good as random: nothing
    /// branches on it.
    pub fn push_refs_where(&mut self, references: &[u64], is_chosen: &[bool]) {
        let mut end = self.refs.len();
        self.refs.resize(end + references.len(), StateRef(0));
        for (reference, is_chosen) in references.iter().zip(is_chosen) {
            self.refs[end] = StateRef(*reference);
            end += usize::from(*is_chosen);
        }
        self.refs.truncate(end);
    }

    /// Adds a state in full.
    pub fn push_state(&mut self, state: &[u8]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
    }

    /// Adds the state with this key. Grows by a quarter: doubling would waste what a memory limit
    /// allows.
    #[inline]
    pub fn push(&mut self, key: Key<'_>) {
        if self.refs.capacity() == self.refs.len() && matches!(key, Key::Reference(_)) {
            self.refs.reserve_exact((self.refs.capacity() / 4).max(1024));
        }
        match key {
            Key::Reference(reference) => self.push_ref(reference),
            Key::InFull(state) => self.push_state(state),
        }
    }

    /// Removes the last one.
    pub fn pop(&mut self) {
        self.refs.pop();
        if self.ends.pop().is_some() {
            self.bytes.truncate(self.ends.last().copied().unwrap_or_default());
        }
    }

    /// The key at this index.
    #[inline]
    pub fn key(&self, index: usize) -> Option<Key<'_>> {
        match self.reference(index) {
            Some(reference) => Some(Key::Reference(reference)),
            None => self.state(index).map(Key::InFull),
        }
    }

    /// The reference at this index, if this list has references.
    #[inline]
    pub fn reference(&self, index: usize) -> Option<StateRef> {
        self.refs.get(index).copied()
    }

    /// The state at this index, if this list has states in full.
    pub fn state(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(&self.bytes[start..end])
    }

    /// Moves everything from this index on to a list of its own that takes no more room than it
    /// needs.
    #[must_use]
    pub fn split_off(&mut self, index: usize) -> States {
        let refs = self.refs.split_off(index.min(self.refs.len()));
        let first = index.min(self.ends.len());
        let start = if first == 0 { 0 } else { self.ends[first - 1] };
        let bytes = self.bytes.split_off(start);
        let ends = self.ends.split_off(first).into_iter().map(|end| end - start).collect();
        States { refs, bytes, ends }
    }

    /// Forgets the states, keeps the memory.
    pub fn clear(&mut self) {
        self.refs.clear();
        self.bytes.clear();
        self.ends.clear();
    }

    /// The bytes of memory it holds.
    pub fn memory(&self) -> usize {
        self.refs.capacity() * size_of::<StateRef>() + self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

/// The successors of a state from what is known of the moves of its processes.
#[derive(Default)]
pub struct Viewed {
    /// Their keys.
    pub keys: States,
    /// How many moves inside `atomic` sequences lead to each.
    pub atomic_steps: Vec<u32>,
    /// What is to be seen of each process.
    pub views: Vec<View>,
}

impl Viewed {
    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.atomic_steps.clear();
        self.views.clear();
    }

    /// What these transitions count for if no others are taken.
    pub fn tally(&self, chosen: &[usize]) -> Tally {
        let atomic_steps = chosen.iter().filter_map(|number| self.atomic_steps.get(*number));
        Tally {
            transitions: chosen.len() as u64,
            atomic_steps: atomic_steps.map(|steps| u64::from(*steps)).sum(),
            left_out: (self.keys.len() - chosen.len()) as u64,
            ..Tally::default()
        }
    }

    /// The bytes of memory that it holds.
    pub fn memory(&self) -> usize {
        let Viewed { keys, atomic_steps, views } = self;
        keys.memory() + atomic_steps.capacity() * size_of::<u32>() + views.capacity() * size_of::<View>()
    }
}

/// What is known of the length of states, in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateLength {
    /// Nothing.
    Any,
    /// Most states have this length.
    Usually(usize),
    /// All states have this length.
    Always(usize),
}

impl StateLength {
    /// The length of most states.
    pub fn usual(self) -> Option<usize> {
        match self {
            StateLength::Any => None,
            StateLength::Usually(length) | StateLength::Always(length) => Some(length),
        }
    }
}

/// Some states that may turn up, shared by the stores that are made for a system.
pub type TypicalStates = Arc<[Vec<u8>]>;

/// What a store is made for.
#[derive(Clone, Debug)]
pub struct StoreConfig {
    /// Where its memory comes from.
    pub budget: Budget,
    /// What is known of the length of states.
    pub length: StateLength,
    /// Some states that may turn up: what the store can prepare for.
    pub typical: TypicalStates,
    /// What keys are for.
    pub key_use: KeyUse,
}

/// What the keys of states are for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// They lead back to states, and nothing else: a state may be given another key later.
    References,
    /// They are compared with each other, too: a state keeps its key.
    Identities,
}

impl StoreConfig {
    /// States of any length, and all the memory there is.
    pub fn unlimited() -> Self {
        StoreConfig {
            budget: Budget::unlimited(),
            length: StateLength::Any,
            typical: TypicalStates::default(),
            key_use: KeyUse::Identities,
        }
    }
}
