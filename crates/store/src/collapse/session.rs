//! One thread's way into a collapse store.

use ample_transition::{
    Inserted, Key, Opened, ProcessMoves, ProcessViews, Session, StateRef, States, StoreFull, SuccessorBuffer, Tally,
    Unsettled, Viewed,
};

use super::keys::{CollapseSession, Recall};
use super::known::{KnownSuccessors, Listing, Offering, Taker, Viewing};
use super::layout::{KeyLayout, tag_of};
use super::reach::{Long, Reach, Short};
use crate::bits::{Bits, WithBits, with_bits};

/// After so many states that were recalled for their successors, it is looked up where the keys
/// are.
const HINTS_INTERVAL: u32 = 64;

/// Offers all successors.
struct OfferAll<'w, 's, R> {
    reach: R,
    session: &'w mut CollapseSession<'s>,
    successors: &'w SuccessorBuffer,
}

impl<R: Reach> WithBits for OfferAll<'_, '_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let OfferAll { reach, session, successors } = self;
        let Some(states) = successors.states_of_records() else {
            return successors.for_each_state(|state| session.offer_with(bits, state));
        };
        match session.layout.filter(|layout| session.is_comparable(layout, successors.len_of_records())) {
            Some(layout) => session.offer_records(bits, reach, layout, states, successors.len()),
            None => {
                for state in states {
                    session.offer_with(bits, state);
                }
            }
        }
    }
}

/// The keys of all successors.
struct Keys<'w, 's, R> {
    reach: R,
    session: &'w mut CollapseSession<'s>,
    successors: &'w SuccessorBuffer,
    keys: &'w mut States,
}

impl<R: Reach> WithBits for Keys<'_, '_, R> {
    type Output = Result<(), StoreFull>;

    #[inline(always)]
    fn run(self, bits: impl Bits) -> Result<(), StoreFull> {
        let Keys { reach, session, successors, keys } = self;
        let Some(states) = successors.states_of_records() else {
            let mut result = Ok(());
            successors.for_each_state(|state| result = result.and_then(|()| session.push_key(bits, state, keys)));
            return result;
        };
        match session.layout.filter(|layout| session.is_comparable(layout, successors.len_of_records())) {
            Some(layout) => session.keys_of_records(bits, reach, layout, states, keys),
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
    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        match states.key(index) {
            Some(key) => self.recall(key, state),
            None => state.clear(),
        }
        Opened::Here
    }

    fn offer(&mut self, state: &[u8]) {
        let key = with_bits(KeyOf { session: self, state });
        self.offer_key(key);
    }

    fn offer_all(&mut self, successors: &SuccessorBuffer) {
        match self.has_long_states() {
            false => with_bits(OfferAll { reach: Short, session: self, successors }),
            true => with_bits(OfferAll { reach: Long, session: self, successors }),
        }
    }

    fn offer_known(
        &mut self,
        states: &States,
        index: usize,
        moves: &dyn ProcessMoves,
        buffer: &mut SuccessorBuffer,
    ) -> Option<Tally> {
        self.find_known(states.reference(index)?, moves, buffer, Offering)
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = match std::mem::take(&mut self.is_full) {
            true => Err(Unsettled::Full),
            false => self.settle_offered(most, new),
        };
        self.offered.clear();
        self.look_at_layout();
        self.shared.renew_hints(&mut self.hints);
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
        match self.has_long_states() {
            false => with_bits(Keys { reach: Short, session: self, successors, keys }),
            true => with_bits(Keys { reach: Long, session: self, successors, keys }),
        }
    }

    fn keys_known(
        &mut self,
        key: Key<'_>,
        moves: &dyn ProcessMoves,
        note: &dyn Fn(&[u8]) -> u32,
        buffer: &mut SuccessorBuffer,
        keys: &mut States,
        notes: &mut Vec<u32>,
    ) -> Option<Tally> {
        let Key::Reference(reference) = key else { return None };
        self.find_known(reference, moves, buffer, Listing { note, keys, notes })
    }

    fn keys_viewed(
        &mut self,
        key: Key<'_>,
        moves: &dyn ProcessMoves,
        views: &dyn ProcessViews,
        buffer: &mut SuccessorBuffer,
        viewed: &mut Viewed,
    ) -> Option<Tally> {
        let Key::Reference(reference) = key else { return None };
        viewed.clear();
        self.find_known(reference, moves, buffer, Viewing { views, viewed })
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
            self.shared.renew_hints(&mut self.hints);
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
    #[inline]
    fn has_long_states(&self) -> bool {
        self.layout.is_some_and(KeyLayout::is_long)
    }

    /// Finds the successors of a state from what is known of moves.
    #[inline]
    fn find_known(
        &mut self,
        StateRef(reference): StateRef,
        moves: &dyn ProcessMoves,
        buffer: &mut SuccessorBuffer,
        taker: impl Taker,
    ) -> Option<Tally> {
        let layout = self.layout.filter(|layout| tag_of(reference) == layout.tag)?;
        if !self.prepare_moves(layout, moves) {
            return None;
        }
        let key = layout.key_in(reference);
        with_bits(KnownSuccessors { session: self, key, layout, moves, buffer, is_recalled: false, taker })
    }

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
