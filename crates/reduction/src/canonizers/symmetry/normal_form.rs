//! The canonical form of a state under a group.
//!
//! The positions of each block are sorted by their own parts; then only positions with the same own
//! part are permuted, and of the states that this gives the least is taken. Since keys go along
//! with their positions, every state of an orbit gives the same states to choose from. A rotation
//! has few powers: all of them are tried.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::InstanceId;
use ample_stdx::BitSet;
use ample_transition::{Canonizer, Scratch};

use super::generators::{Generators, Group};
use super::keys::Keys;
use super::moves::Swap;
use super::rotation::Rotation;
use crate::control::leading_to_creation;

/// How far the choice of a representative goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// One state for each orbit.
    Exact,
    /// Sorted only: states that differ by a permutation of equal own parts stay apart.
    Sorted,
}

/// Gives states their canonical form.
pub(super) struct NormalForm<'n> {
    network: &'n Network<'n>,
    precision: Precision,
    symmetric: Vec<SymmetricBlock>,
    rotations: Vec<Rotation>,
    /// The process that creates others, and where it still may: there nothing is permuted.
    creator: Option<(InstanceId, BitSet<LocationId>)>,
}

/// A block with all permutations.
struct SymmetricBlock {
    keys: Keys,
    /// The swap of each two positions, at `[low][high - low - 1]`.
    swaps: Vec<Vec<Swap>>,
}

/// Positions of a block with the same key.
#[derive(Copy, Clone)]
struct Tie {
    block: usize,
    first: usize,
    last: usize,
}

/// The choice among rotated states.
struct Turn<'t> {
    /// The least so far.
    best: &'t mut [u8],
    is_first: bool,
    precision: Precision,
}

impl Turn<'_> {
    fn choose(&mut self, state: &[u8]) {
        if std::mem::take(&mut self.is_first) || *state < *self.best {
            self.best.copy_from_slice(state);
        }
    }
}

impl<'n> NormalForm<'n> {
    pub fn new(network: &'n Network<'n>, group: &mut Group, precision: Precision) -> Self {
        let Group { atoms, values, blocks, .. } = group;
        let (mut symmetric, mut rotations) = (Vec::new(), Vec::new());
        for block in &*blocks {
            match &block.generators {
                Generators::Swaps(swaps) => {
                    let prepared = |row: &Vec<_>| row.iter().map(|action| Swap::new(action, atoms, values)).collect();
                    let keys = Keys::new(block, blocks, atoms, values);
                    let swaps = swaps.iter().map(prepared).collect();
                    symmetric.extend(keys.map(|keys| SymmetricBlock { keys, swaps }));
                }
                Generators::Rotation(_) => rotations.extend(Rotation::new(block, blocks, atoms, values)),
            }
        }
        let creating = |instance: InstanceId| (instance, leading_to_creation(network.template(instance)));
        let creator = network.instances.ids().map(creating).find(|(_, creating)| !creating.is_empty());
        NormalForm { network, precision, symmetric, rotations, creator }
    }

    /// Whether all processes exist that are permuted. They do once nothing is created any more,
    /// since they never end.
    fn applies(&self, state: &[u8]) -> bool {
        self.creator.as_ref().is_none_or(|(creator, creating)| {
            !self.network.location_in(state, *creator).is_some_and(|location| creating.contains(location))
        })
    }

    fn rewrite(&self, state: &mut [u8], precision: Precision, scratch: &mut Scratch) -> bool {
        if !self.applies(state) {
            return false;
        }
        if self.rotations.is_empty() {
            return self.permute(state, precision, scratch);
        }
        let length = state.len();
        let mut memory = std::mem::take(&mut scratch.records);
        memory.clear();
        memory.resize((1 + self.rotations.len()) * length, 0);
        let (best, rest) = memory.split_at_mut(length);
        let mut turn = Turn { best, is_first: true, precision };
        self.rotate(&self.rotations, state, rest, &mut turn, scratch);
        let changed = *state != *turn.best;
        state.copy_from_slice(turn.best);
        scratch.records = memory;
        changed
    }

    /// Tries these rotations of a state. `memory` has room for a state for each.
    fn rotate(
        &self,
        rotations: &[Rotation],
        state: &[u8],
        memory: &mut [u8],
        turn: &mut Turn<'_>,
        scratch: &mut Scratch,
    ) {
        let Some((rotation, rest)) = rotations.split_first() else { return };
        let (rotated, memory) = memory.split_at_mut(state.len());
        let mut candidates = rotation.candidates(state);
        while candidates != 0 {
            rotation.apply(candidates.trailing_zeros() as usize, state, rotated);
            candidates &= candidates - 1;
            if rest.is_empty() {
                self.permute(rotated, turn.precision, scratch);
                turn.choose(rotated);
            } else {
                self.rotate(rest, rotated, memory, turn, scratch);
            }
            if turn.precision == Precision::Sorted {
                return;
            }
        }
    }

    /// Sorts, and settles what sorting leaves open.
    fn permute(&self, state: &mut [u8], precision: Precision, scratch: &mut Scratch) -> bool {
        let mut changed = false;
        scratch.marks.clear();
        for (number, block) in self.symmetric.iter().enumerate() {
            changed |= block.sort(state);
            if precision == Precision::Exact && !block.keys.are_complete {
                block.ties(number, state, &mut scratch.marks);
            }
        }
        if scratch.marks.is_empty() {
            return changed;
        }
        changed | self.settle(state, scratch)
    }

    /// Takes the least of the states that permuting positions with the same key gives.
    fn settle(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        let length = state.len();
        let mut work = std::mem::take(&mut scratch.records);
        work.clear();
        work.extend_from_slice(state);
        work.extend_from_slice(state);
        let (work_state, before) = work.split_at_mut(length);
        let mut ties: Vec<Tie> = Vec::new();
        for tie in scratch.marks.chunks_exact(3) {
            let tie = Tie { block: tie[0], first: tie[1], last: tie[2] };
            if !self.is_fixed(tie, state, work_state) {
                ties.push(tie);
            }
        }
        if let Some((tie, rest)) = ties.split_first() {
            self.enumerate(*tie, rest, work_state, state);
        }
        let changed = *state != *before;
        scratch.records = work;
        changed
    }

    /// Whether no permutation of these positions changes the state.
    fn is_fixed(&self, tie: Tie, state: &[u8], work: &mut [u8]) -> bool {
        (tie.first..tie.last).all(|at| {
            let swap = self.swap(tie.block, at, at + 1);
            swap.apply(work);
            let is_fixed = *work == *state;
            if !is_fixed {
                swap.apply(work);
            }
            is_fixed
        })
    }

    /// All permutations of the positions of a tie, each with all of the others.
    fn enumerate(&self, tie: Tie, rest: &[Tie], work: &mut [u8], best: &mut [u8]) {
        if tie.first == tie.last {
            match rest.split_first() {
                Some((next, rest)) => self.enumerate(*next, rest, work, best),
                None if *work < *best => best.copy_from_slice(work),
                None => {}
            }
            return;
        }
        let inner = Tie { first: tie.first + 1, ..tie };
        self.enumerate(inner, rest, work, best);
        for at in tie.first + 1..=tie.last {
            let swap = self.swap(tie.block, tie.first, at);
            swap.apply(work);
            self.enumerate(inner, rest, work, best);
            swap.apply(work);
        }
    }

    fn swap(&self, block: usize, low: usize, high: usize) -> &Swap {
        &self.symmetric[block].swaps[low][high - low - 1]
    }
}

impl SymmetricBlock {
    /// Sorts the positions by their keys, which go along with them. Successors of a sorted state
    /// are nearly sorted, so each position moves down past its neighbours: where nothing is out of
    /// order, neighbours are compared and nothing else.
    #[inline]
    fn sort(&self, state: &mut [u8]) -> bool {
        let mut changed = false;
        for at in 1..self.keys.positions {
            let mut here = at;
            while here > 0 && self.keys.compare(state, here, here - 1).is_lt() {
                here -= 1;
                self.swaps[here][0].apply(state);
                changed = true;
            }
        }
        changed
    }

    /// Writes down which positions have the same key, as block, first and last.
    fn ties(&self, block: usize, state: &[u8], ties: &mut Vec<usize>) {
        let mut first = 0;
        for at in 1..=self.keys.positions {
            if at < self.keys.positions && self.keys.compare(state, first, at).is_eq() {
                continue;
            }
            if at - first > 1 {
                ties.extend([block, first, at - 1]);
            }
            first = at;
        }
    }
}

impl Canonizer for NormalForm<'_> {
    fn canonize(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.rewrite(state, self.precision, scratch)
    }

    fn canonize_exactly(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.rewrite(state, Precision::Exact, scratch)
    }
}
