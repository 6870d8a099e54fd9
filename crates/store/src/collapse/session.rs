//! One thread's way into a collapse store.

use std::sync::atomic::Ordering;

use ample_transition::{
    Inserted, Key, ProcessMoves, Session, StateRef, States, StoreFull, SuccessorBuffer, Tally, Unsettled,
};

use super::layout::{Base, KEY_BITS, KeyLayout, RecentValues, Unfit, mixed_in, tag_of};
use super::moves::MoveCache;
use super::offer_known::OfferKnown;
use super::plan::{Room, plan};
use super::shared::{Settling, Shared, TREE_TAG};
use crate::bits::{Bits, WithBits, with_bits};
use crate::quotient::KeyHints;
use crate::recent::Met;
use crate::tree::TreeSession;
use crate::words;

/// After so many states that were recalled for their successors, it is looked up where the keys
/// are.
const HINTS_INTERVAL: u32 = 64;
/// The bits of the length of a state in a reference that is a root.
const LENGTH_BITS: u32 = 30;
/// So many states are looked at for a new layout.
const SAMPLE: usize = 8192;

pub(super) struct CollapseSession<'s> {
    pub(super) shared: &'s Shared,
    /// The version of the table that `layout` and what is offered belong to.
    version: usize,
    pub(super) layout: Option<&'s KeyLayout>,
    pub(super) base: Base,
    /// Whether the base is a state of this layout.
    pub(super) has_base: bool,
    pub(super) recent: RecentValues,
    pub(super) met: Met,
    /// References to what was offered and was not met lately. Each was asked for from memory.
    pub(super) offered: Vec<u64>,
    pub(super) hints: KeyHints,
    /// How many states were recalled, modulo some power of two.
    recalled: u32,
    /// Whether something that was offered found no room.
    pub(super) is_full: bool,
    /// For states that do not fit, once there is one.
    tree: Option<Box<TreeSession<'s>>>,
    /// For a state that is not made of whole words.
    padded: Vec<u8>,
    /// For a state of an earlier layout.
    earlier: Base,
    /// For a state that is translated.
    translated: Vec<u8>,
    /// Moves that are known in this layout, if somebody asked for them.
    pub(super) moves: Option<Box<MoveCache>>,
    settling: Settling,
    /// For the successors by one process.
    pub(super) differences: Vec<u64>,
}

impl<'s> CollapseSession<'s> {
    pub(super) fn new(shared: &'s Shared) -> Self {
        let version = shared.version();
        shared.sessions.fetch_add(1, Ordering::Relaxed);
        CollapseSession {
            shared,
            version,
            layout: shared.layout_of(version),
            base: Base::default(),
            has_base: false,
            recent: RecentValues::new(),
            met: Met::new(),
            offered: Vec::new(),
            hints: shared.hints(),
            recalled: 0,
            is_full: false,
            tree: None,
            padded: Vec::new(),
            earlier: Base::default(),
            translated: Vec::new(),
            moves: None,
            settling: Settling::default(),
            differences: Vec::new(),
        }
    }

    /// The reference to a state.
    #[inline(always)]
    fn key_of(&mut self, bits: impl Bits, state: &[u8]) -> Result<u64, StoreFull> {
        let Some(layout) = self.layout.filter(|layout| layout.len == state.len()) else { return self.root_of(state) };
        match self.is_comparable(layout, state.len()) {
            true => self.key_compared(bits, layout, state),
            false => self.key_in_full(layout, state),
        }
    }

    /// Whether states of this length are compared with the base.
    #[inline(always)]
    pub(super) fn is_comparable(&self, layout: &KeyLayout, len: usize) -> bool {
        self.has_base && len == layout.len && len.is_multiple_of(words::FOUR_BYTES)
    }

    /// The reference to a state that is compared with the base.
    #[inline(always)]
    fn key_compared(&mut self, bits: impl Bits, layout: &KeyLayout, state: &[u8]) -> Result<u64, StoreFull> {
        let differing = bits.differing(&self.base.state, state);
        match layout.key(bits, &mut self.base, state, differing, &mut self.recent) {
            Ok(key) => Ok(layout.reference(key)),
            Err(Unfit::State) => self.root_of(state),
            Err(Unfit::Full) => Err(StoreFull),
        }
    }

    /// The same for a state that is not compared with another one. It is the base from now on.
    #[cold]
    #[inline(never)]
    fn key_in_full(&mut self, layout: &KeyLayout, state: &[u8]) -> Result<u64, StoreFull> {
        if let Some(key) = layout.word_as_key(state) {
            return Ok(layout.reference(key));
        }
        match self.rebase(layout, state) {
            Ok(()) => Ok(layout.reference(self.base.key)),
            Err(Unfit::State) => self.root_of(state),
            Err(Unfit::Full) => Err(StoreFull),
        }
    }

    fn rebase(&mut self, layout: &KeyLayout, state: &[u8]) -> Result<(), Unfit> {
        let CollapseSession { base, recent, padded, .. } = self;
        padded.clear();
        padded.extend_from_slice(state);
        padded.resize(layout.padded(), 0);
        let rebased = with_bits(Rebase { layout, base, state: padded, recent });
        self.has_base = rebased.is_ok();
        rebased
    }

    /// The reference to a state that does not fit.
    #[cold]
    #[inline(never)]
    fn root_of(&mut self, state: &[u8]) -> Result<u64, StoreFull> {
        if state.len() >> LENGTH_BITS != 0 {
            return Err(StoreFull);
        }
        let root = self.tree().root(state)?;
        Ok(TREE_TAG << KEY_BITS | (root >> 32) << LENGTH_BITS | state.len() as u64)
    }

    fn tree(&mut self) -> &mut TreeSession<'s> {
        let shared = self.shared;
        self.tree.get_or_insert_with(|| Box::new(TreeSession::new(&shared.tree)))
    }

    /// Writes the state with this reference, whichever layout it is of, over `state`.
    #[cold]
    #[inline(never)]
    fn read(&mut self, reference: u64, state: &mut Vec<u8>) {
        let mixed = mixed_in(reference);
        if tag_of(reference) == TREE_TAG {
            let (whole, len) = (mixed >> LENGTH_BITS, mixed & ((1 << LENGTH_BITS) - 1));
            return self.tree().read_whole(whole as u32, len as u32, state);
        }
        state.clear();
        if let Some(layout) = self.shared.layout(tag_of(reference)) {
            let key = layout.key_in(reference);
            with_bits(Recall { layout, base: &mut self.earlier, key, is_other: true });
            state.extend_from_slice(&self.earlier.state[..layout.len]);
        }
    }

    /// The reference of this layout to the state with this reference.
    fn translate(&mut self, layout: &KeyLayout, reference: u64) -> Result<u64, StoreFull> {
        let mut state = std::mem::take(&mut self.translated);
        self.read(reference, &mut state);
        let translated = match layout.len == state.len() {
            true => self.key_in_full(layout, &state),
            false => self.root_of(&state),
        };
        self.translated = state;
        translated
    }

    /// Lays out keys anew if too many states do not fit. Nothing happens if there is no memory for
    /// it: then it is looked again when there are more states.
    #[cold]
    #[inline(never)]
    fn change_layout(&mut self) {
        let shared = self.shared;
        let Some((len, _guard)) = shared.length.usual().zip(shared.due_change()) else { return };
        let mut reader = CollapseSession::new(shared);
        let read = |reference| {
            let mut state = Vec::new();
            reader.read(reference, &mut state);
            state
        };
        let sample: Vec<Vec<u8>> = shared.sample(SAMPLE).into_iter().map(read).collect();
        let sample: Vec<&[u8]> = sample.iter().map(Vec::as_slice).filter(|state| state.len() == len).collect();
        let Some(layout) = plan(&sample, len, Room::Long).and_then(|planned| shared.next_layout(&planned)) else {
            return;
        };
        drop(reader);
        let translate = |_| {
            let mut reader = CollapseSession::new(shared);
            move |reference| reader.translate(layout, reference)
        };
        // After an error the old layout stays.
        _ = shared.change_to(layout, (0..shared.changing_threads()).map(translate));
    }

    /// Goes over to the current layout.
    #[cold]
    fn follow(&mut self) {
        self.version = self.shared.version();
        self.layout = self.shared.layout_of(self.version);
        self.has_base = false;
        self.recent = RecentValues::new();
        self.moves = None;
        self.forget();
    }

    /// Takes no key for known any more.
    #[cold]
    fn forget(&mut self) {
        self.met = Met::new();
    }

    /// The current reference to the state with this reference, which may be of an earlier layout.
    #[inline]
    fn current(&mut self, reference: u64) -> Result<u64, StoreFull> {
        let tag = tag_of(reference);
        let is_current = tag == self.version as u64 + 1 || tag == TREE_TAG && self.version == 0;
        if is_current { Ok(reference) } else { self.renewed(reference) }
    }

    #[cold]
    #[inline(never)]
    fn renewed(&mut self, reference: u64) -> Result<u64, StoreFull> {
        match self.layout {
            Some(layout) => self.translate(layout, reference),
            None => Ok(reference),
        }
    }

    /// Adds the state with this reference, which may be of an earlier layout, or finds it.
    fn add_reference(&mut self, reference: u64) -> Result<Inserted, StoreFull> {
        loop {
            let reference = self.current(reference)?;
            match self.shared.add_one(self.version, reference)? {
                Some(answer) => {
                    self.look_at_layout();
                    return Ok(answer);
                }
                None => self.follow(),
            }
        }
    }

    /// Lays out keys anew if it is time.
    #[inline]
    fn look_at_layout(&mut self) {
        if self.shared.wants_layout() {
            self.change_layout();
        }
    }

    #[inline(always)]
    fn offer_with(&mut self, bits: impl Bits, state: &[u8]) {
        let key = self.key_of(bits, state);
        self.offer_key(key);
    }

    /// The same for so many states that are compared with the base. Whether a state was met lately
    /// is as good as random: nothing branches on it, and memory is asked for afterwards.
    #[inline(always)]
    fn offer_records<'r>(
        &mut self,
        bits: impl Bits,
        layout: &KeyLayout,
        states: impl Iterator<Item = &'r [u8]>,
        count: usize,
    ) {
        let before = self.offered.len();
        self.offered.resize(before + count, 0);
        let mut end = before;
        for state in states {
            match self.key_compared(bits, layout, state) {
                Ok(key) => {
                    self.offered[end] = key;
                    end += usize::from(!self.met.meet(key));
                }
                Err(StoreFull) => self.is_full = true,
            }
        }
        self.offered.truncate(end);
        for &key in &self.offered[before..] {
            self.hints.prefetch(key);
        }
    }

    #[inline(always)]
    fn offer_key(&mut self, key: Result<u64, StoreFull>) {
        match key {
            Ok(key) if !self.met.meet(key) => {
                self.hints.prefetch(key);
                self.offered.push(key);
            }
            Ok(_) => {}
            Err(StoreFull) => self.is_full = true,
        }
    }

    #[inline(always)]
    fn push_key(&mut self, bits: impl Bits, state: &[u8], keys: &mut States) -> Result<(), StoreFull> {
        let key = self.key_of(bits, state)?;
        self.hints.prefetch(key);
        keys.push_ref(StateRef(key));
        Ok(())
    }

    /// The same for states that are compared with the base.
    #[inline(always)]
    fn keys_of_records<'r>(
        &mut self,
        bits: impl Bits,
        layout: &KeyLayout,
        states: impl Iterator<Item = &'r [u8]>,
        keys: &mut States,
    ) -> Result<(), StoreFull> {
        for state in states {
            let key = self.key_compared(bits, layout, state)?;
            self.hints.prefetch(key);
            keys.push_ref(StateRef(key));
        }
        Ok(())
    }

    /// Adds or finds what was offered.
    fn settle_offered(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let (before, mut from) = (new.len(), 0);
        loop {
            let left = most - (new.len() - before) as u64;
            let offered = &self.offered[from..];
            let settled = self.shared.add_all(self.version, offered, left, &mut self.settling);
            new.push_refs_where(offered, &self.settling.is_new);
            match settled? {
                None => return Ok(()),
                Some(place) => from += place,
            }
            self.follow();
            for place in from..self.offered.len() {
                self.offered[place] = self.renewed(self.offered[place])?;
            }
        }
    }
}

impl Drop for CollapseSession<'_> {
    fn drop(&mut self) {
        self.shared.sessions.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Makes a state the base.
struct Rebase<'w> {
    layout: &'w KeyLayout,
    base: &'w mut Base,
    state: &'w [u8],
    recent: &'w mut RecentValues,
}

impl WithBits for Rebase<'_> {
    type Output = Result<(), Unfit>;

    fn run(self, bits: impl Bits) -> Result<(), Unfit> {
        self.layout.rebase(bits, self.base, self.state, self.recent)
    }
}

/// Makes the state with a key the base.
struct Recall<'w> {
    layout: &'w KeyLayout,
    base: &'w mut Base,
    key: u64,
    /// Whether the base is none of this layout.
    is_other: bool,
}

impl WithBits for Recall<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let Recall { layout, base, key, is_other } = self;
        if is_other { layout.recall_in_full(bits, base, key) } else { layout.recall(bits, base, key) }
    }
}

/// Offers all successors.
struct OfferAll<'w, 's> {
    session: &'w mut CollapseSession<'s>,
    successors: &'w SuccessorBuffer,
}

impl WithBits for OfferAll<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let OfferAll { session, successors } = self;
        let Some(states) = successors.states_of_records() else {
            return successors.for_each_state(|state| session.offer_with(bits, state));
        };
        match session.layout.filter(|layout| session.is_comparable(layout, successors.len_of_records())) {
            Some(layout) => session.offer_records(bits, layout, states, successors.len()),
            None => {
                for state in states {
                    session.offer_with(bits, state);
                }
            }
        }
    }
}

/// The keys of all successors.
struct Keys<'w, 's> {
    session: &'w mut CollapseSession<'s>,
    successors: &'w SuccessorBuffer,
    keys: &'w mut States,
}

impl WithBits for Keys<'_, '_> {
    type Output = Result<(), StoreFull>;

    #[inline(always)]
    fn run(self, bits: impl Bits) -> Result<(), StoreFull> {
        let Keys { session, successors, keys } = self;
        let Some(states) = successors.states_of_records() else {
            let mut result = Ok(());
            successors.for_each_state(|state| result = result.and_then(|()| session.push_key(bits, state, keys)));
            return result;
        };
        match session.layout.filter(|layout| session.is_comparable(layout, successors.len_of_records())) {
            Some(layout) => session.keys_of_records(bits, layout, states, keys),
            None => {
                for state in states {
                    session.push_key(bits, state, keys)?;
                }
                Ok(())
            }
        }
    }
}

/// The key of one state.
struct KeyOf<'w, 's> {
    session: &'w mut CollapseSession<'s>,
    state: &'w [u8],
}

impl WithBits for KeyOf<'_, '_> {
    type Output = Result<u64, StoreFull>;

    #[inline(always)]
    fn run(self, bits: impl Bits) -> Result<u64, StoreFull> {
        self.session.key_of(bits, self.state)
    }
}

impl Session for CollapseSession<'_> {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let answer = with_bits(KeyOf { session: self, state }).and_then(|reference| self.add_reference(reference));
        if answer.is_err() {
            self.forget();
        }
        answer
    }

    #[inline]
    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        match states.key(index) {
            Some(key) => self.recall(key, state),
            None => state.clear(),
        }
    }

    fn offer(&mut self, state: &[u8]) {
        let key = with_bits(KeyOf { session: self, state });
        self.offer_key(key);
    }

    fn offer_all(&mut self, successors: &SuccessorBuffer) {
        with_bits(OfferAll { session: self, successors });
    }

    fn offer_known(
        &mut self,
        states: &States,
        index: usize,
        moves: &dyn ProcessMoves,
        buffer: &mut SuccessorBuffer,
    ) -> Option<Tally> {
        let StateRef(reference) = states.reference(index)?;
        let layout = self.layout.filter(|layout| tag_of(reference) == layout.tag)?;
        if !self.prepare_moves(layout, moves) {
            return None;
        }
        let key = layout.key_in(reference);
        with_bits(OfferKnown { session: self, key, layout, moves, buffer, is_recalled: false })
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = match std::mem::take(&mut self.is_full) {
            true => Err(Unsettled::Full),
            false => self.settle_offered(most, new),
        };
        self.offered.clear();
        self.look_at_layout();
        self.hints = self.shared.hints();
        if result.is_err() {
            self.forget();
        }
        result
    }

    fn key(&mut self, state: &[u8], keys: &mut States) -> Result<(), StoreFull> {
        let key = with_bits(KeyOf { session: self, state })?;
        self.hints.prefetch(key);
        keys.push_ref(StateRef(key));
        Ok(())
    }

    fn keys(&mut self, successors: &SuccessorBuffer, keys: &mut States) -> Result<(), StoreFull> {
        with_bits(Keys { session: self, successors, keys })
    }

    fn add(&mut self, key: Key<'_>) -> Result<Inserted, StoreFull> {
        match key {
            Key::Reference(StateRef(reference)) => self.add_reference(reference),
            Key::InFull(state) => self.insert(state),
        }
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        let key = match key {
            Key::Reference(StateRef(key)) => Ok(key),
            Key::InFull(state) => with_bits(KeyOf { session: self, state }),
        };
        loop {
            let Ok(key) = key.and_then(|key| self.current(key)) else { return false };
            match self.shared.contains(self.version, key) {
                Some(answer) => return answer,
                None => self.follow(),
            }
        }
    }

    fn contains_all(&mut self, keys: &States, found: &mut Vec<bool>) {
        let references = || (0..keys.len()).filter_map(|place| keys.reference(place)).map(|StateRef(word)| word);
        let is_current = self.version == 0 && references().count() == keys.len();
        if !is_current || self.shared.contains_all(self.version, references(), found).is_none() {
            found.extend((0..keys.len()).map(|place| keys.key(place).is_some_and(|key| self.contains(key))));
        }
    }

    #[inline]
    fn recall(&mut self, key: Key<'_>, state: &mut Vec<u8>) {
        let Key::Reference(StateRef(reference)) = key else { return state.clear() };
        self.recalled = self.recalled.wrapping_add(1);
        if self.recalled.is_multiple_of(HINTS_INTERVAL) {
            self.hints = self.shared.hints();
        }
        match self.layout {
            Some(layout) if tag_of(reference) == layout.tag => {
                let key = layout.key_in(reference);
                with_bits(Recall { layout, base: &mut self.base, key, is_other: !self.has_base });
                self.has_base = true;
                state.clear();
                state.extend_from_slice(&self.base.state[..layout.len]);
            }
            _ => self.recall_other(reference, state),
        }
    }
}

impl CollapseSession<'_> {
    /// Recalls a state that is of another layout than its successors will be.
    #[cold]
    #[inline(never)]
    fn recall_other(&mut self, reference: u64, state: &mut Vec<u8>) {
        self.read(reference, state);
        if let Some(layout) = self.layout.filter(|layout| layout.len == state.len()) {
            // If it does not fit, its successors are compared with one another.
            _ = self.rebase(layout, state);
        }
    }
}
