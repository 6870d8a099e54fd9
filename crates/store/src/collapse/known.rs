//! The successors of a state from what is known of the moves of its processes: without decoding
//! the state, or executing anything, where all is known.

use ample_transition::{
    ProcessMoves, ProcessViews, StateRef, States, StoreFull, Successor, SuccessorBuffer, Tally, View, Viewed,
};

use super::keys::CollapseSession;
use super::layout::{KEY_BITS, KeyLayout, Unfit};
use super::moves::{ANYTHING, MoveCache, Unknown, UnknownMoves};
use super::reach::{Long, Short};
use crate::bits::{Bits, WithBits};
use crate::words;

/// The moves of more processes are not remembered.
const MOST_PROCESSES: usize = 64;
/// Where assertions are checked, moves that are known are computed again in states whose keys have
/// a multiple of so many bits.
const CHECKED: u32 = 4;
/// So much is found out for a state at most beyond what each process depends on and does: entries
/// of several processes may drive each other out.
const MORE_LESSONS: usize = 2;

/// Finds the successors of a state from what is known of the moves of processes.
pub(super) struct KnownSuccessors<'w, 's, T> {
    pub(super) session: &'w mut CollapseSession<'s>,
    /// The key of the state.
    pub(super) key: u64,
    pub(super) layout: &'s KeyLayout,
    pub(super) moves: &'w dyn ProcessMoves,
    /// For moves that must be computed.
    pub(super) buffer: &'w mut SuccessorBuffer,
    /// Whether the state is the base.
    pub(super) is_recalled: bool,
    /// What becomes of them.
    pub(super) taker: T,
}

/// What becomes of successors.
pub(super) trait Taker {
    /// What is noted of one, once, when it becomes known.
    fn note(&self, successor: &Successor<'_>) -> u32;

    /// What is seen of a process in a state, once, when its moves become known; nothing if that
    /// must be looked at each time.
    fn view(&self, _process: usize, _state: &[u8], _moves: &SuccessorBuffer) -> Option<u16> {
        Some(0)
    }

    /// Takes those that were found last, so many, and says how many steps inside `atomic` sequences
    /// lead to them.
    fn take(
        &mut self,
        session: &mut CollapseSession<'_>,
        cache: &MoveCache,
        transitions: usize,
        reference: impl Fn(u64) -> u64,
    ) -> u64;
}

/// They are offered to the store.
pub(super) struct Offering;

impl Taker for Offering {
    fn note(&self, _: &Successor<'_>) -> u32 {
        0
    }

    #[inline(always)]
    fn take(
        &mut self,
        session: &mut CollapseSession<'_>,
        cache: &MoveCache,
        transitions: usize,
        reference: impl Fn(u64) -> u64,
    ) -> u64 {
        let CollapseSession { offered, met, hints, .. } = session;
        let room = offered.room(transitions);
        let (mut end, mut atomic_steps) = (0, 0);
        for known in cache.found() {
            atomic_steps += u64::from(known.atomic_steps);
            for difference in known.differences {
                let reference = reference(*difference);
                room[end] = reference;
                end += usize::from(!met.meet(reference));
            }
        }
        offered.keep(end).iter().for_each(|reference| hints.prefetch(*reference));
        atomic_steps
    }
}

/// Their keys are listed, with notes.
pub(super) struct Listing<'w> {
    pub(super) note: &'w dyn Fn(&[u8]) -> u32,
    pub(super) keys: &'w mut States,
    pub(super) notes: &'w mut Vec<u32>,
}

impl Taker for Listing<'_> {
    fn note(&self, successor: &Successor<'_>) -> u32 {
        successor.state.map_or(0, |state| (self.note)(state))
    }

    #[inline(always)]
    fn take(
        &mut self,
        session: &mut CollapseSession<'_>,
        cache: &MoveCache,
        _: usize,
        reference: impl Fn(u64) -> u64,
    ) -> u64 {
        let mut atomic_steps = 0;
        for known in cache.found() {
            atomic_steps += u64::from(known.atomic_steps);
            for difference in known.differences {
                let reference = reference(without_note(*difference));
                session.hints.prefetch(reference);
                self.keys.push_ref(StateRef(reference));
                self.notes.push(note_of(*difference));
            }
        }
        atomic_steps
    }
}

/// Their keys are listed, with what is seen of each process.
pub(super) struct Viewing<'w> {
    pub(super) views: &'w dyn ProcessViews,
    pub(super) viewed: &'w mut Viewed,
}

impl Taker for Viewing<'_> {
    fn note(&self, successor: &Successor<'_>) -> u32 {
        u32::try_from(successor.atomic_steps()).unwrap_or(u32::MAX)
    }

    fn view(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<u16> {
        self.views.view(process, state, moves)
    }

    #[inline(always)]
    fn take(
        &mut self,
        _: &mut CollapseSession<'_>,
        cache: &MoveCache,
        _: usize,
        reference: impl Fn(u64) -> u64,
    ) -> u64 {
        let Viewed { keys, atomic_steps, views } = &mut *self.viewed;
        let mut all_steps = 0;
        for known in cache.found() {
            all_steps += u64::from(known.atomic_steps);
            views.push(View { number: known.view, moves: known.differences.len() as u16 });
            for difference in known.differences {
                keys.push_ref(StateRef(reference(without_note(*difference))));
                atomic_steps.push(note_of(*difference));
            }
        }
        all_steps
    }
}

impl<T: Taker> WithBits for KnownSuccessors<'_, '_, T> {
    type Output = Option<Tally>;

    #[inline(always)]
    fn run(mut self, bits: impl Bits) -> Option<Tally> {
        let mut cache = self.session.moves.take()?;
        let tally = self.find(bits, &mut cache);
        cache.count_state(tally.map(|tally| tally.transitions));
        self.session.moves = Some(cache);
        tally
    }
}

impl<T: Taker> KnownSuccessors<'_, '_, T> {
    /// Finds all successors, hands them over, and says what there is. Nothing if what is known is
    /// not enough.
    #[inline(always)]
    fn find(&mut self, bits: impl Bits, cache: &mut MoveCache) -> Option<Tally> {
        let mut lessons = 0;
        let transitions = loop {
            match cache.find_all(bits, self.key) {
                Ok(transitions) => break transitions,
                // What is learned may take the place of what was found for another process.
                Err(unknown) if lessons < 2 * cache.processes() + MORE_LESSONS => self.learn(bits, cache, &unknown)?,
                Err(_) => return None,
            }
            lessons += 1;
        };
        if transitions == 0 {
            return None;
        }
        if cfg!(debug_assertions) && self.key.count_ones().is_multiple_of(CHECKED) {
            self.check(bits, cache);
        }
        let (key, referencing) = (self.key, self.layout.referencing());
        let reference = |difference| referencing.reference(key ^ difference);
        let atomic_steps = self.taker.take(self.session, cache, transitions, reference);
        Some(Tally { transitions: transitions as u64, atomic_steps, ..Tally::default() })
    }

    /// Computes all moves, and compares them with what is known.
    fn check(&mut self, bits: impl Bits, cache: &MoveCache) {
        for (process, known) in (0..cache.processes()).rev().zip(cache.found()) {
            let are_apart = self.expand(bits, process, u64::MAX) == Ok(true);
            let steps = self.buffer.tally().atomic_steps;
            assert!(
                are_apart && known.differences == self.session.differences && steps == u64::from(known.atomic_steps)
            );
            assert_eq!(self.view(process), Some(known.view), "what is seen of a process depends on what its moves do");
        }
    }

    /// Finds out what is not known. Nothing if it must be computed each time.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, bits: impl Bits, cache: &mut MoveCache, unknown: &UnknownMoves) -> Option<()> {
        match unknown.unknown {
            Unknown::Location => {
                self.learn_mask(bits, cache, unknown.process);
                Some(())
            }
            Unknown::Content { mask } => self.learn_moves(bits, cache, unknown.process, mask),
            Unknown::Anything => None,
        }
    }

    /// Makes the state the base, unless it is.
    fn recall(&mut self, bits: impl Bits) {
        if !std::mem::replace(&mut self.is_recalled, true) {
            self.session.recall_key(bits, self.layout, self.key);
        }
    }

    /// Finds out what the moves of a process depend on where it is.
    fn learn_mask(&mut self, bits: impl Bits, cache: &mut MoveCache, process: usize) {
        self.recall(bits);
        let touched = self.moves.touched_bits(process, &self.session.base.state[..self.layout.len]);
        let mask = touched.map_or(ANYTHING, |touched| self.layout.key_bits(&touched));
        cache.note_mask(bits, process, self.key, mask);
    }

    /// Finds out what the moves of a process are. Nothing if the expansion must be given up.
    fn learn_moves(&mut self, bits: impl Bits, cache: &mut MoveCache, process: usize, mask: u64) -> Option<()> {
        let are_known = self.expand(bits, process, mask).inspect_err(|_| self.session.is_full = true).ok()?;
        if self.buffer.cut().is_some() {
            return None;
        }
        let view = if are_known { self.view(process) } else { None };
        let known = view.map(|view| (&*self.session.differences, view));
        cache.note_moves(process, self.key & mask, known, self.buffer.tally());
        Some(())
    }

    /// What is seen of a process whose moves were computed last.
    fn view(&self, process: usize) -> Option<u16> {
        self.taker.view(process, &self.session.base.state[..self.layout.len], self.buffer)
    }

    /// Computes the moves of a process, and how the keys of their ends differ; false if they must
    /// be computed each time: they cannot be had apart, or change more than these bits.
    fn expand(&mut self, bits: impl Bits, process: usize, mask: u64) -> Result<bool, StoreFull> {
        self.recall(bits);
        let KnownSuccessors { session, layout, buffer, taker, .. } = self;
        buffer.clear();
        let is_apart = self.moves.expand_process(process, &session.base.state[..layout.len], buffer);
        session.differences.clear();
        for successor in buffer.iter() {
            let note = taker.note(&successor);
            match successor.state.map(|state| session.key_in_layout(bits, layout, state)) {
                Some(Ok(key)) if (key ^ self.key) & !mask == 0 => {
                    let Some(noted) = with_note(key ^ self.key, note) else { return Ok(false) };
                    session.differences.push(noted);
                }
                Some(Err(Unfit::Full)) => return Err(StoreFull),
                _ => return Ok(false),
            }
        }
        Ok(is_apart && !buffer.has_faults())
    }
}

/// How a key differs, with what is noted of the successor in the bits that no key has; nothing if
/// that is too much for them.
fn with_note(difference: u64, note: u32) -> Option<u64> {
    let note = u64::from(note);
    (note << KEY_BITS >> KEY_BITS == note).then_some(difference | note << KEY_BITS)
}

fn without_note(noted: u64) -> u64 {
    noted & ((1 << KEY_BITS) - 1)
}

fn note_of(noted: u64) -> u32 {
    (noted >> KEY_BITS) as u32
}

impl CollapseSession<'_> {
    /// The key of a state that is compared with the base.
    fn key_in_layout(&mut self, bits: impl Bits, layout: &KeyLayout, state: &[u8]) -> Result<u64, Unfit> {
        if !self.is_comparable(layout, state.len()) {
            return Err(Unfit::State);
        }
        match layout.is_long() {
            true => layout.key(bits, Long, &mut self.base, state, &mut self.recent),
            false => layout.key(bits, Short, &mut self.base, state, &mut self.recent),
        }
    }

    /// Makes the state with this key the base.
    fn recall_key(&mut self, bits: impl Bits, layout: &KeyLayout, key: u64) {
        match self.has_base {
            true => layout.recall(bits, &mut self.base, key),
            false => layout.recall_in_full(bits, &mut self.base, key),
        }
        self.has_base = true;
    }

    /// Whether it is worth it to look for what is known of moves. Nothing is known at first.
    #[inline(always)]
    pub(super) fn prepare_moves(&mut self, layout: &KeyLayout, moves: &dyn ProcessMoves) -> bool {
        if !self.has_asked_for_moves {
            self.begin_moves(layout, moves);
        }
        self.moves.as_ref().is_some_and(|cache| cache.is_worthwhile())
    }

    #[cold]
    #[inline(never)]
    fn begin_moves(&mut self, layout: &KeyLayout, moves: &dyn ProcessMoves) {
        self.has_asked_for_moves = true;
        let is_possible = moves.processes() <= MOST_PROCESSES && layout.len.is_multiple_of(words::FOUR_BYTES);
        let locations = (0..moves.processes()).map(|process| layout.key_bits(&moves.location_bits(process)));
        // Where there is no memory for it, the search goes on without.
        self.moves = is_possible.then(|| MoveCache::new(locations, &self.shared.budget).ok()).flatten().map(Box::new);
    }
}
