//! `atomic` sequences with very many paths: those that meet are merged.
//!
//! The number of paths grows exponentially with the choices on the way, the number of states that
//! they pass through often does not. So where a state has too many, each state on the way is
//! followed once, and a transition stands for all paths with the same end.
//!
//! Paths meet if nothing that is asked of a transition can tell them apart later: they began with
//! the same move (reductions go by it), are in the same state, under the same control, the same
//! processes have moved (fairness asks that) and the same things went wrong.

use std::collections::HashSet;
use std::rc::Rc;

use ample_source::Span;
use ample_transition::{FaultKind, Marks, Move, Pid, SuccessorBuffer};
use foldhash::fast::FixedState;

use crate::Interpreter;
use crate::atomic::{Chain, MOST_MOVES};
use crate::form::Form;
use crate::state::State;
use crate::trial::Outcome;

/// Where a chain is, with all that matters of how it came there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    /// The packed state; empty if the run is over.
    state: Vec<u8>,
    control: Option<Pid>,
    moved: Marks,
    /// Sorted by kind, each once.
    faults: Vec<(FaultKind, Span)>,
}

/// The chains that leave a state, as far as they were followed.
#[derive(Default)]
struct Merging {
    chain: Chain,
    /// For each move of the chain: who has moved up to it.
    moved: Vec<Marks>,
    /// The places that the chain has passed through. A place that comes again among them comes for
    /// ever.
    path: Vec<Rc<Place>>,
    on_path: HashSet<Rc<Place>, FixedState>,
    /// The places where chains were that began with the same move.
    visited: HashSet<Rc<Place>, FixedState>,
    /// About how many bytes these take.
    bytes: usize,
    /// The moves that led to a place where a chain was before.
    passed: HashSet<Move, FixedState>,
}

impl Merging {
    /// Goes back to the first `length` moves.
    fn truncate(&mut self, length: usize) {
        if length == 0 {
            self.visited.clear();
            self.bytes = 0;
        }
        self.chain.truncate(length);
        self.moved.truncate(length);
        for place in self.path.drain(length.min(self.path.len())..) {
            self.on_path.remove(&place);
        }
    }

    fn push(&mut self, outcome: &Outcome) {
        let Move { process, partner, .. } = outcome.step;
        let before = self.moved.last().copied().unwrap_or(Marks::NONE);
        let joined = partner.map_or(Marks::NONE, |(pid, _)| Marks::of_process(pid));
        self.moved.push(before.union(Marks::of_process(process)).union(joined));
        self.chain.push(outcome.step, &outcome.faults);
    }

    /// Where the chain is, in this state; `None` if the run is over.
    fn place(&self, interpreter: &Interpreter<'_>, state: Option<&State>, control: Option<Pid>) -> Rc<Place> {
        let mut bytes = Vec::new();
        if let Some(state) = state {
            interpreter.encode(state, &mut bytes);
        }
        let mut faults: Vec<(FaultKind, Span)> = Vec::new();
        for fault in &self.chain.faults {
            if !faults.contains(&(fault.kind, fault.span)) {
                faults.push((fault.kind, fault.span));
            }
        }
        faults.sort_by_key(|fault| fault.0);
        let moved = self.moved.last().copied().unwrap_or(Marks::NONE);
        Rc::new(Place { state: bytes, control, moved, faults })
    }

    /// Whether no chain was there before.
    fn visit(&mut self, place: Rc<Place>) -> bool {
        self.bytes += size_of::<Place>() + 2 * size_of::<usize>() + place.state.len();
        self.visited.insert(place)
    }
}

impl Interpreter<'_> {
    /// Follows each move of a state until no process keeps control, depth first, and writes the
    /// transitions to `buffer`: of those chains that meet, the first.
    pub(crate) fn complete_merged(&self, before: &State, buffer: &mut SuccessorBuffer, form: &dyn Form) {
        buffer.set_merged();
        let mut merging = Merging::default();
        let moves = self.moves(before, None);
        let mut open: Vec<(usize, Outcome)> = moves.into_iter().rev().map(|outcome| (0, outcome)).collect();
        while let Some((length, outcome)) = open.pop() {
            if buffer.should_stop_holding(merging.bytes) {
                return;
            }
            merging.truncate(length);
            merging.push(&outcome);
            let continuations = self.follow_merged(before, outcome, &mut merging, buffer, form);
            let length = merging.chain.moves.len();
            open.extend(continuations.into_iter().rev().map(|outcome| (length, outcome)));
        }
    }

    /// What the chain can do after its last move; nothing if it ends there, or was there before.
    fn follow_merged(
        &self,
        before: &State,
        mut outcome: Outcome,
        merging: &mut Merging,
        buffer: &mut SuccessorBuffer,
        form: &dyn Form,
    ) -> Vec<Outcome> {
        let next = outcome.next.take();
        let place = merging.place(self, next.as_ref(), outcome.control);
        let is_endless = merging.on_path.contains(&place) || merging.chain.moves.len() >= MOST_MOVES;
        if is_endless && next.is_some() && outcome.control.is_some() {
            let fault = self.endless_fault(before, &merging.chain.moves);
            merging.chain.faults.extend(fault);
            let over = merging.place(self, None, None);
            if merging.visit(over) {
                buffer.push(&merging.chain.moves, &merging.chain.faults, None);
            }
            return Vec::new();
        }
        if !merging.visit(place.clone()) {
            if merging.passed.insert(outcome.step) {
                buffer.push_passed(outcome.step);
            }
            return Vec::new();
        }
        let Some(next) = next else {
            buffer.push(&merging.chain.moves, &merging.chain.faults, None);
            return Vec::new();
        };
        if let Some(pid) = outcome.control {
            let continuations = self.moves_of(&next, pid);
            if !continuations.is_empty() {
                merging.on_path.insert(place.clone());
                merging.path.push(place);
                return continuations;
            }
            // The process cannot go on: the state is one like any other, and another chain may have
            // ended there.
            let end = Place { control: None, ..Place::clone(&place) };
            if !merging.visit(Rc::new(end)) {
                return continuations;
            }
        }
        let Chain { moves, faults, .. } = &merging.chain;
        buffer.push(moves, faults, Some(&mut |bytes| form.pack(&next, bytes)));
        Vec::new()
    }
}
