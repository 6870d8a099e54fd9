//! `atomic`: chains of moves during which one process keeps control. The states inside are passed
//! through, not stored.

use std::collections::HashSet;

use ample_transition::{Fault, FaultKind, Move, Pid};
use foldhash::fast::FixedState;

use crate::Interpreter;
use crate::form::Target;
use crate::state::State;
use crate::trial::{Log, Made, Mover, Outcome, Trial, When};

/// A chain that has not ended after so many moves is taken for endless, although it has not
/// repeated a state.
pub(crate) const MOST_MOVES: usize = 1_000_000;

/// If more chains than this leave a state, those that meet are merged; below, each is a transition
/// of its own.
pub const MOST_CHAINS: usize = 10_000;

/// Chains shorter than this are not checked for repeated states: almost all end.
const UNCHECKED_MOVES: usize = 64;

/// No more states than this are kept for their memory.
const MOST_SPARE: usize = 256;

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

    pub(crate) fn push(&mut self, step: Move, faults: &[Fault]) {
        self.marks.push((self.faults.len(), None));
        self.moves.push(step);
        self.faults.extend_from_slice(faults);
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

/// The chains that leave a state, one after the other. The memory is kept for the next state.
#[derive(Default)]
pub(crate) struct Chains {
    chain: Chain,
    open: OpenMoves,
    trial: Trial,
}

impl Chains {
    /// The bytes of memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.open.spare.iter().map(State::bytes).sum::<usize>() + self.trial.bytes()
    }
}

/// Moves that are made later.
#[derive(Default)]
struct OpenMoves {
    /// Each comes after the first so many moves of the chain.
    moves: Vec<(usize, Outcome)>,
    /// States that are not used at present.
    spare: Vec<State>,
}

impl OpenMoves {
    /// Adds a move that comes after so many.
    fn push(&mut self, length: usize, made: Made<'_>) {
        let Made { step, next, control, log } = made;
        let next = next.map(|next| {
            let mut spare = self.spare.pop().unwrap_or_default();
            spare.forget_origin();
            std::mem::replace(next, spare)
        });
        let outcome = Outcome { step, next, control, faults: log.faults.clone(), printed: String::new() };
        self.moves.push((length, outcome));
    }

    /// Keeps the memory of a state.
    fn keep(&mut self, state: State) {
        if self.spare.len() < MOST_SPARE {
            self.spare.push(state);
        }
    }
}

/// An error has ended the run.
struct RunOver;

impl Interpreter<'_> {
    /// Follows each move that can be made in the state until no process keeps control and writes
    /// the transitions to `target`, depth first, so in the order of the moves. Every path through
    /// an atomic sequence is a transition of its own, as in Spin. False if there are too many paths
    /// for that: then `target` is not complete.
    pub(crate) fn complete(&self, trial: &mut Trial, chains: &mut Chains, target: &mut Target<'_>) -> bool {
        let mut first_moves = 0;
        self.each_move(target.before, None, trial, &mut |made| {
            first_moves += 1;
            let most = first_moves + MOST_CHAINS;
            if target.is_full(most) {
                return;
            }
            if made.next.is_some() && made.control.is_some() {
                chains.open.push(0, made);
                self.follow(chains, most, target);
            } else {
                target.push(&[made.step], &made.log.faults, made.next.as_deref());
            }
        });
        target.buffer.cut().is_some() || target.buffer.len() <= first_moves + MOST_CHAINS
    }

    /// Makes all open moves and those that follow them, as long as there are no more than so many
    /// transitions.
    fn follow(&self, chains: &mut Chains, most: usize, target: &mut Target<'_>) {
        let Chains { chain, open, trial } = chains;
        while let Some((length, outcome)) = open.moves.pop() {
            if target.is_full(most) {
                open.moves.clear();
                return;
            }
            chain.truncate(length);
            chain.push(outcome.step, &outcome.faults);
            let Some(mut next) = outcome.next else {
                target.push(&chain.moves, &chain.faults, None);
                continue;
            };
            let Ok(control) = self.go_straight(&mut next, outcome.control, chain, &mut trial.log) else {
                target.push(&chain.moves, &chain.faults, None);
                continue;
            };
            let from = open.moves.len();
            if let Some(pid) = control {
                self.moves_by(&next, pid, trial, &mut |made| open.push(chain.moves.len(), made));
                open.moves[from..].reverse();
            }
            match control {
                Some(_) if open.moves.len() > from => {
                    if self.is_endless(&next, chain) {
                        open.moves.truncate(from);
                        chain.faults.extend(self.endless_fault(target.before, &chain.moves));
                        target.push(&chain.moves, &chain.faults, None);
                    }
                }
                // A process that cannot go on loses control: the state is one like any other.
                _ => target.push(&chain.moves, &chain.faults, Some(&next)),
            }
            open.keep(next);
        }
    }

    /// Goes on where the process in control has one way to go, in the state itself: nothing is
    /// copied. Gives who is in control then, or says that the run is over.
    fn go_straight(
        &self,
        state: &mut State,
        mut control: Option<Pid>,
        chain: &mut Chain,
        log: &mut Log,
    ) -> Result<Option<Pid>, RunOver> {
        while chain.moves.len() < UNCHECKED_MOVES
            && let Some(pid) = control
            && let Some((id, edge)) = self.only_edge(state, pid)
        {
            log.restart(0);
            let step = Move { process: pid, edge: id, partner: None };
            match self.apply(state, Mover { pid, edge }, When::default(), log) {
                Ok(false) => return Ok(None),
                Ok(true) => chain.push(step, &log.faults),
                Err(error) => {
                    log.faults.push(self.fault(error, pid, edge));
                    chain.push(step, &log.faults);
                    return Err(RunOver);
                }
            }
            state.last = pid;
            control = edge.keeps_control.then_some(pid);
        }
        Ok(control)
    }

    fn is_endless(&self, state: &State, chain: &mut Chain) -> bool {
        if chain.moves.len() < UNCHECKED_MOVES {
            return false;
        }
        let mut bytes = Vec::new();
        self.encode(state, &mut bytes);
        chain.moves.len() >= MOST_MOVES || !chain.remember(bytes)
    }

    /// What is wrong with a chain without end that leaves a state by these moves. Its place is
    /// where it begins: where it is found to repeat a state depends on what a state is, so on which
    /// variables passes and canonizers have forgotten, and on where locations are passed.
    pub(crate) fn endless_fault(&self, before: &State, moves: &[Move]) -> Option<Fault> {
        let pid = moves.first()?.process;
        Some(Fault {
            kind: FaultKind::RuntimeError,
            message: "the atomic sequence does not end".to_owned(),
            process: Some(pid),
            span: self.location_span(before, pid),
            notes: Vec::new(),
        })
    }
}
