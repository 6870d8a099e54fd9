//! How one thread makes keys of states and states of keys, across layouts.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;

use ample_transition::{Inserted, StateRef, States, StoreFull, Unsettled};
use foldhash::fast::FixedState;

use super::layout::{Base, KEY_BITS, KeyLayout, RecentValues, Unfit, mixed_in, tag_of};
use super::moves::MoveCache;
use super::offered::Offered;
use super::plan::{Room, plan};
use super::reach::{Long, Reach, Short};
use super::shared::{Settling, Shared, TREE_TAG};
use crate::bits::{Bits, WithBits, with_bits};
use crate::quotient::KeyHints;
use crate::recent::Met;
use crate::tree::TreeSession;
use crate::words;

/// The bits of the length of a state in a reference that is a root.
const LENGTH_BITS: u32 = 30;
/// So many states are looked at for a new layout, and not more than so many bytes of them.
const SAMPLE: usize = 8192;
const SAMPLE_BYTES: usize = 1 << 21;

pub(super) struct CollapseSession<'s> {
    pub(super) shared: &'s Shared,
    /// The version of the table that `layout` and what is offered belong to.
    pub(super) version: usize,
    pub(super) layout: Option<&'s KeyLayout>,
    pub(super) base: Base,
    /// Whether the base is a state of this layout.
    pub(super) has_base: bool,
    pub(super) recent: RecentValues,
    pub(super) met: Met,
    /// References to what was offered and was not met lately. Each was asked for from memory.
    pub(super) offered: Offered,
    pub(super) hints: KeyHints,
    /// How many states were recalled, modulo some power of two.
    pub(super) recalled: u32,
    /// Whether something that was offered found no room.
    pub(super) is_full: bool,
    /// For states that do not fit, once there is one.
    pub(super) tree: Option<Box<TreeSession<'s>>>,
    /// For a state that is not made of whole words.
    padded: Vec<u8>,
    /// For a state of an earlier layout.
    earlier: Base,
    /// For a state that is translated.
    translated: Vec<u8>,
    /// Moves that are known in this layout, if somebody asked for them.
    pub(super) moves: Option<Box<MoveCache>>,
    pub(super) has_asked_for_moves: bool,
    pub(super) settling: Settling,
    /// For the successors by one process.
    pub(super) differences: Vec<u64>,
}

impl<'s> CollapseSession<'s> {
    pub(super) fn new(shared: &'s Shared) -> Self {
        let version = shared.version();
        let number = shared.sessions.fetch_add(1, Ordering::Relaxed);
        CollapseSession {
            shared,
            version,
            layout: shared.layout_of(version),
            base: Base::default(),
            has_base: false,
            recent: RecentValues::new(),
            met: Met::new(),
            offered: Offered::default(),
            hints: shared.hints(),
            recalled: 0,
            is_full: false,
            tree: None,
            padded: Vec::new(),
            earlier: Base::default(),
            translated: Vec::new(),
            moves: None,
            has_asked_for_moves: false,
            settling: Settling::of_session(number),
            differences: Vec::new(),
        }
    }

    /// The reference to a state.
    #[inline(always)]
    pub(super) fn key_of(&mut self, bits: impl Bits, state: &[u8]) -> Result<u64, StoreFull> {
        let Some(layout) = self.layout.filter(|layout| layout.len == state.len()) else { return self.root_of(state) };
        match self.is_comparable(layout, state.len()) {
            true if layout.is_long() => with_bits(KeyOfLong { session: self, layout, state }),
            true => self.key_compared(bits, Short, layout, state),
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
    pub(super) fn key_compared(
        &mut self,
        bits: impl Bits,
        reach: impl Reach,
        layout: &KeyLayout,
        state: &[u8],
    ) -> Result<u64, StoreFull> {
        match layout.key(bits, reach, &mut self.base, state, &mut self.recent) {
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

    pub(super) fn rebase(&mut self, layout: &KeyLayout, state: &[u8]) -> Result<(), Unfit> {
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

    pub(super) fn tree(&mut self) -> &mut TreeSession<'s> {
        let shared = self.shared;
        self.tree.get_or_insert_with(|| Box::new(TreeSession::new(&shared.tree)))
    }

    /// Writes the state with this reference, whichever layout it is of, over `state`.
    #[cold]
    #[inline(never)]
    pub(super) fn read(&mut self, reference: u64, state: &mut Vec<u8>) {
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
    pub(super) fn translate(&mut self, layout: &KeyLayout, reference: u64) -> Result<u64, StoreFull> {
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
        let mut sample: Vec<Vec<u8>> =
            shared.sample((SAMPLE_BYTES / len.max(1)).clamp(1, SAMPLE)).into_iter().map(read).collect();
        // In an order that says nothing: if the first are enough to plan, they are of all kinds.
        sample.sort_by_cached_key(|state| FixedState::default().hash_one(state));
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
    pub(super) fn follow(&mut self) {
        self.version = self.shared.version();
        self.layout = self.shared.layout_of(self.version);
        self.has_base = false;
        // Who laid out keys anew has counted them all.
        self.settling.forget();
        self.recent = RecentValues::new();
        self.moves = None;
        self.has_asked_for_moves = false;
        self.forget();
    }

    /// Takes no key for known any more.
    #[cold]
    pub(super) fn forget(&mut self) {
        self.met = Met::new();
    }

    /// The current reference to the state with this reference, which may be of an earlier layout.
    #[inline]
    pub(super) fn current(&mut self, reference: u64) -> Result<u64, StoreFull> {
        let tag = tag_of(reference);
        let is_current = tag == self.version as u64 + 1 || tag == TREE_TAG && self.version == 0;
        if is_current { Ok(reference) } else { self.renewed(reference) }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn renewed(&mut self, reference: u64) -> Result<u64, StoreFull> {
        match self.layout {
            Some(layout) => self.translate(layout, reference),
            None => Ok(reference),
        }
    }

    /// Adds the state with this reference, which may be of an earlier layout, or finds it.
    pub(super) fn add_reference(&mut self, reference: u64) -> Result<Inserted, StoreFull> {
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
    pub(super) fn look_at_layout(&mut self) {
        if self.shared.wants_layout() {
            self.change_layout();
        }
    }

    #[inline(always)]
    pub(super) fn offer_with(&mut self, bits: impl Bits, state: &[u8]) {
        let key = self.key_of(bits, state);
        self.offer_key(key);
    }

    /// The same for so many states that are compared with the base. Whether a state was met lately
    /// is as good as random: nothing branches on it, and memory is asked for afterwards.
    #[inline(always)]
    pub(super) fn offer_records<'r>(
        &mut self,
        bits: impl Bits,
        reach: impl Reach,
        layout: &KeyLayout,
        states: impl Iterator<Item = &'r [u8]>,
        count: usize,
    ) {
        let mut offered = std::mem::take(&mut self.offered);
        let room = offered.room(count);
        let mut end = 0;
        for state in states {
            match self.key_compared(bits, reach, layout, state) {
                Ok(key) => {
                    room[end] = key;
                    end += usize::from(!self.met.meet(key));
                }
                Err(StoreFull) => self.is_full = true,
            }
        }
        offered.keep(end).iter().for_each(|key| self.hints.prefetch(*key));
        self.offered = offered;
    }

    #[inline(always)]
    pub(super) fn offer_key(&mut self, key: Result<u64, StoreFull>) {
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
    pub(super) fn push_key(&mut self, bits: impl Bits, state: &[u8], keys: &mut States) -> Result<(), StoreFull> {
        let key = self.key_of(bits, state)?;
        self.hints.prefetch(key);
        keys.push_ref(StateRef(key));
        Ok(())
    }

    /// The same for states that are compared with the base.
    #[inline(always)]
    pub(super) fn keys_of_records<'r>(
        &mut self,
        bits: impl Bits,
        reach: impl Reach,
        layout: &KeyLayout,
        states: impl Iterator<Item = &'r [u8]>,
        keys: &mut States,
    ) -> Result<(), StoreFull> {
        for state in states {
            let key = self.key_compared(bits, reach, layout, state)?;
            self.hints.prefetch(key);
            keys.push_ref(StateRef(key));
        }
        Ok(())
    }

    /// Adds or finds what was offered.
    pub(super) fn settle_offered(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let (before, mut from) = (new.len(), 0);
        loop {
            let left = most - (new.len() - before) as u64;
            let offered = &self.offered.as_slice()[from..];
            let settled = self.shared.add_all(self.version, offered, left, &mut self.settling);
            new.push_refs_where(offered, &self.settling.is_new);
            match settled? {
                None => return Ok(()),
                Some(place) => from += place,
            }
            self.follow();
            let mut offered = std::mem::take(&mut self.offered);
            let renewed: Result<(), StoreFull> = offered.as_mut_slice()[from..].iter_mut().try_for_each(|reference| {
                *reference = self.renewed(*reference)?;
                Ok(())
            });
            self.offered = offered;
            renewed?;
        }
    }
}

impl Drop for CollapseSession<'_> {
    fn drop(&mut self) {
        self.shared.count(self.version, &mut self.settling);
        self.shared.sessions.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The reference to a long state that is compared with the base.
struct KeyOfLong<'w, 's> {
    session: &'w mut CollapseSession<'s>,
    layout: &'w KeyLayout,
    state: &'w [u8],
}

impl WithBits for KeyOfLong<'_, '_> {
    type Output = Result<u64, StoreFull>;

    fn run(self, bits: impl Bits) -> Result<u64, StoreFull> {
        self.session.key_compared(bits, Long, self.layout, self.state)
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
pub(super) struct Recall<'w> {
    pub(super) layout: &'w KeyLayout,
    pub(super) base: &'w mut Base,
    pub(super) key: u64,
    /// Whether the base is none of this layout.
    pub(super) is_other: bool,
}

impl WithBits for Recall<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let Recall { layout, base, key, is_other } = self;
        if is_other { layout.recall_in_full(bits, base, key) } else { layout.recall(bits, base, key) }
    }
}
