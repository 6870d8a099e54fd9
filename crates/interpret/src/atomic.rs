//! `atomic`: chains of moves during which one process keeps control. The states inside are passed
//! through, not stored.

use std::collections::HashSet;

use ample_transition::{Fault, FaultKind, Move, Pid, SuccessorBuffer};
use foldhash::fast::FixedState;

use crate::step::Outcome;
use crate::{Interpreter, Pack, State};

/// A chain that has not ended after so many moves is taken for endless, although it has not
/// repeated a state.
pub(crate) const MOST_MOVES: usize = 1_000_000;

/// If more chains than this leave a state, those that meet are merged; below, each is a transition
/// of its own.
pub const MOST_CHAINS: usize = 10_000;

/// Chains shorter than this are not checked for repeated states: almost all end.
const UNCHECKED_MOVES: usize = 64;

/// The current chain, from a stored state on.
#[derive(Default)]
pub(crate) struct Chain {
    pub(crate) moves: Vec<Move>,
    pub(crate) faults: Vec<Fault>,
    /// For each move: how many faults there were before it, and the state it led to once the chain
    /// is long.
    marks: Vec<(usize, Option<Vec<u8>>)>,
    seen: HashSet<Vec<u8>, FixedState>,
}

impl Chain {
    /// Goes back to the first `length` moves.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.moves.truncate(length);
        while self.marks.len() > length {
            if let Some((faults, state)) = self.marks.pop() {
                self.faults.truncate(faults);
                if let Some(state) = state {
                    self.seen.remove(&state);
                }
            }
        }
    }

    pub(crate) fn push(&mut self, outcome: &Outcome) {
        self.marks.push((self.faults.len(), None));
        self.moves.push(outcome.step);
        self.faults.extend_from_slice(&outcome.faults);
    }

    /// Remembers the state that the last move led to; false if the chain has been there before.
    fn remember(&mut self, state: Vec<u8>) -> bool {
        if !self.seen.insert(state.clone()) {
            return false;
        }
        if let Some(mark) = self.marks.last_mut() {
            mark.1 = Some(state);
        }
        true
    }
}

impl Interpreter<'_> {
    /// Follows each move until no process keeps control and writes the transitions to `buffer`,
    /// depth first, so in the order of the moves. Every path through an atomic sequence is a
    /// transition of its own, as in Spin. False if there are too many paths for that: then `buffer`
    /// is not complete.
    pub(crate) fn complete(&self, moves: Vec<Outcome>, buffer: &mut SuccessorBuffer, pack: Pack<'_>) -> bool {
        let mut chain = Chain::default();
        let most = moves.len() + MOST_CHAINS;
        let mut open: Vec<(usize, Outcome)> = moves.into_iter().rev().map(|outcome| (0, outcome)).collect();
        while let Some((length, mut outcome)) = open.pop() {
            if buffer.should_stop() {
                return true;
            }
            if buffer.len() > most {
                return false;
            }
            chain.truncate(length);
            chain.push(&outcome);
            let Some(next) = outcome.next.take() else {
                buffer.push(&chain.moves, &chain.faults, None);
                continue;
            };
            let Some(pid) = outcome.control else {
                emit(&next, &chain, buffer, pack);
                continue;
            };
            let continuations = self.moves_of(&next, pid);
            if continuations.is_empty() {
                // The process cannot go on: it loses control, and the state is one like any other.
                emit(&next, &chain, buffer, pack);
                continue;
            }
            if self.is_endless(&next, &mut chain) {
                chain.faults.push(self.endless_fault(&next, pid));
                buffer.push(&chain.moves, &chain.faults, None);
                continue;
            }
            let length = chain.moves.len();
            open.extend(continuations.into_iter().rev().map(|outcome| (length, outcome)));
        }
        buffer.len() <= most
    }

    fn is_endless(&self, state: &State, chain: &mut Chain) -> bool {
        if chain.moves.len() < UNCHECKED_MOVES {
            return false;
        }
        let mut bytes = Vec::new();
        self.encode(state, &mut bytes);
        chain.moves.len() >= MOST_MOVES || !chain.remember(bytes)
    }

    pub(crate) fn endless_fault(&self, state: &State, pid: Pid) -> Fault {
        Fault {
            kind: FaultKind::RuntimeError,
            message: "the atomic sequence does not end".to_owned(),
            process: Some(pid),
            span: self.location_span(state, pid),
            notes: Vec::new(),
        }
    }
}

/// Writes the transition that a chain is, which leads to this state.
pub(crate) fn emit(state: &State, chain: &Chain, buffer: &mut SuccessorBuffer, pack: Pack<'_>) {
    buffer.push(&chain.moves, &chain.faults, Some(&mut |bytes| pack(state, bytes)));
}
