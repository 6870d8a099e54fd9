//! Partition refinement by signatures: the classes of states that a relation cannot tell apart.
//!
//! In each round the states of a class part by what they can do in one step, seen through the
//! classes of the round before (Kanellakis and Smolka; for branching bisimulation Blom and van de
//! Pol, "Distributed branching bisimulation minimization by inductive signatures"). Only states
//! whose steps may have changed are looked at again, and of the parts of a class the largest keeps
//! its number; so for strong bisimulation a state is renumbered a logarithmic number of times at
//! most (Hopcroft's "the smaller half").
//!
//! After `k` rounds the classes are those of `k`-bisimulation, whatever was looked at.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use ample_stdx::TypedId;

use crate::answer::{Meter, Stopped};
use crate::lts::{LabelId, Lts, StateId, TAU};
use crate::silent::components;

/// What silent steps are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Silent {
    /// Steps like any other.
    Seen,
    /// Not seen as long as they stay within a class. Between states with equal keys they make no
    /// cycle.
    Inert,
}

/// The classes, and when they came apart.
pub(crate) struct Classes {
    /// The class of each state.
    pub(crate) of: Vec<u32>,
    /// The round in which a class was split off, and the class that it was a part of.
    born: Vec<(u32, u32)>,
}

impl Classes {
    pub(crate) fn class(&self, state: StateId) -> u32 {
        self.of[state.index()]
    }

    /// The class of a state after so many rounds.
    pub(crate) fn class_after(&self, rounds: u32, state: StateId) -> u32 {
        let mut class = self.class(state);
        while self.born[class as usize].0 > rounds {
            class = self.born[class as usize].1;
        }
        class
    }

    /// The round in which two states came apart, 0 if they never were together; `None` if they
    /// still are.
    pub(crate) fn parted(&self, one: StateId, other: StateId) -> Option<u32> {
        let (mut one, mut other) = (self.class(one), self.class(other));
        let mut round = None;
        while one != other {
            // The younger class goes back to what it was a part of.
            let younger = if self.born[one as usize].0 >= self.born[other as usize].0 { &mut one } else { &mut other };
            let (born, parent) = self.born[*younger as usize];
            round = Some(born);
            if born == 0 {
                break;
            }
            *younger = parent;
        }
        round
    }
}

/// Refines the classes of states with equal keys, for at most so many rounds.
pub(crate) fn refine(
    lts: &Lts,
    keys: &[u32],
    silent: Silent,
    rounds: Option<usize>,
    meter: &mut Meter<'_>,
) -> Result<Classes, Stopped> {
    let mut refiner = Refiner::new(lts, keys, silent);
    while !refiner.dirty.is_empty() && rounds.is_none_or(|most| (refiner.round as usize) < most) {
        refiner.round += 1;
        refiner.run_round(meter)?;
    }
    Ok(Classes { of: refiner.class_of, born: refiner.born })
}

/// What a state can do: labels and classes, sorted.
type Signature = [(LabelId, u32)];

/// Signatures one after the other, in one piece of memory.
#[derive(Default)]
struct Signatures {
    entries: Vec<(LabelId, u32)>,
    ends: Vec<usize>,
}

impl Signatures {
    fn get(&self, number: usize) -> &Signature {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[number]]
    }

    /// Ends the last signature, from `start` on: sorted, and nothing in it twice.
    fn end(&mut self, start: usize) {
        self.entries[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.entries.len() {
            if kept == start || self.entries[kept - 1] != self.entries[at] {
                self.entries[kept] = self.entries[at];
                kept += 1;
            }
        }
        self.entries.truncate(kept);
        self.ends.push(kept);
    }
}

struct Refiner<'a> {
    lts: &'a Lts,
    silent: Silent,
    /// In which order signatures are computed: successors by silent steps first.
    order: Vec<u32>,
    predecessors: Predecessors,
    round: u32,
    class_of: Vec<u32>,
    born: Vec<(u32, u32)>,
    /// The signature of all states of a class that are not dirty.
    signatures: Vec<Box<Signature>>,
    /// The states, class by class; the range of each class; the position of each state.
    members: Vec<StateId>,
    ranges: Vec<(usize, usize)>,
    positions: Vec<usize>,
    /// The states whose signatures may have changed.
    dirty: Vec<StateId>,
    /// Where a dirty state is among the dirty ones, from 1.
    dirty_at: Vec<u32>,
}

impl<'a> Refiner<'a> {
    fn new(lts: &'a Lts, keys: &[u32], silent: Silent) -> Refiner<'a> {
        let mut members: Vec<StateId> = lts.states().collect();
        members.sort_by_key(|state| keys[state.index()]);
        let mut class_of = vec![0; members.len()];
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut positions = vec![0; members.len()];
        for (position, &state) in members.iter().enumerate() {
            let is_same = position > 0 && keys[members[position - 1].index()] == keys[state.index()];
            match ranges.last_mut() {
                Some(range) if is_same => range.1 = position + 1,
                _ => ranges.push((position, position + 1)),
            }
            class_of[state.index()] = ranges.len() as u32 - 1;
            positions[state.index()] = position;
        }
        let order = match silent {
            Silent::Seen => Vec::new(),
            Silent::Inert => {
                components(lts, |from, edge| edge.label == TAU && keys[from.index()] == keys[edge.to.index()]).of
            }
        };
        Refiner {
            lts,
            silent,
            order,
            predecessors: Predecessors::new(lts),
            round: 0,
            class_of,
            born: vec![(0, 0); ranges.len()],
            signatures: vec![Box::default(); ranges.len()],
            dirty: lts.states().collect(),
            dirty_at: vec![1; members.len()],
            members,
            ranges,
            positions,
        }
    }

    fn run_round(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        self.choose_dirty();
        let signatures = self.signatures(meter)?;
        let mut by_class: Vec<usize> = (0..self.dirty.len()).collect();
        by_class.sort_by_key(|&at| self.class_of[self.dirty[at].index()]);
        let dirty = std::mem::take(&mut self.dirty);
        for &state in &dirty {
            self.dirty_at[state.index()] = 0;
        }
        let mut moved = Vec::new();
        let classes: Vec<u32> = by_class.iter().map(|&at| self.class_of[dirty[at].index()]).collect();
        let mut from = 0;
        for part in classes.chunk_by(|one, other| one == other) {
            let group: Vec<(StateId, &Signature)> =
                by_class[from..from + part.len()].iter().map(|&at| (dirty[at], signatures.get(at))).collect();
            self.split(part[0], &group, &mut moved);
            from += part.len();
        }
        for state in moved {
            self.touch(state);
        }
        Ok(())
    }

    fn mark_dirty(&mut self, state: StateId) {
        if self.dirty_at[state.index()] == 0 {
            self.dirty_at[state.index()] = 1;
            self.dirty.push(state);
        }
    }

    /// A state got another class: whoever has a step to it is dirty, and it is itself if its silent
    /// steps may be seen now.
    fn touch(&mut self, state: StateId) {
        for at in self.predecessors.range(state) {
            self.mark_dirty(self.predecessors.edges[at].0);
        }
        if self.silent == Silent::Inert {
            self.mark_dirty(state);
        }
    }

    fn is_inert(&self, from: StateId, label: LabelId, to: StateId) -> bool {
        self.silent == Silent::Inert && label == TAU && self.class_of[from.index()] == self.class_of[to.index()]
    }

    /// Adds the states that come to a dirty one by inert steps, takes out those that are alone in
    /// their class, and sorts.
    fn choose_dirty(&mut self) {
        let mut next = 0;
        while self.silent == Silent::Inert && next < self.dirty.len() {
            let state = self.dirty[next];
            for at in self.predecessors.range(state) {
                let (from, label) = self.predecessors.edges[at];
                if self.is_inert(from, label, state) {
                    self.mark_dirty(from);
                }
            }
            next += 1;
        }
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.retain(|state| {
            let (start, end) = self.ranges[self.class_of[state.index()] as usize];
            let is_alone = end - start == 1;
            if is_alone {
                self.dirty_at[state.index()] = 0;
            }
            !is_alone
        });
        match self.silent {
            Silent::Seen => dirty.sort_unstable(),
            Silent::Inert => dirty.sort_unstable_by_key(|state| self.order[state.index()]),
        }
        for (at, state) in (1..).zip(&dirty) {
            self.dirty_at[state.index()] = at;
        }
        self.dirty = dirty;
    }

    /// The signatures of the dirty states.
    fn signatures(&self, meter: &mut Meter<'_>) -> Result<Signatures, Stopped> {
        let mut signatures = Signatures::default();
        for &state in &self.dirty {
            let start = signatures.entries.len();
            let mut inherited = 0;
            for edge in self.lts.edges(state) {
                if !self.is_inert(state, edge.label, edge.to) {
                    signatures.entries.push((edge.label, self.class_of[edge.to.index()]));
                    continue;
                }
                let before = signatures.entries.len();
                match self.dirty_at[edge.to.index()] {
                    0 => {
                        let theirs = &self.signatures[self.class_of[edge.to.index()] as usize];
                        signatures.entries.extend_from_slice(theirs);
                    }
                    at => {
                        let number = at as usize - 1;
                        let first = number.checked_sub(1).map_or(0, |before| signatures.ends[before]);
                        signatures.entries.extend_from_within(first..signatures.ends[number]);
                    }
                }
                inherited += signatures.entries.len() - before;
            }
            // Signatures are kept for a round: they take more memory than members of sets.
            meter.spend(4 * inherited, "steps behind silent steps")?;
            signatures.end(start);
        }
        Ok(signatures)
    }

    /// Splits a class by the signatures of its dirty states. The others all have the signature of
    /// the class.
    fn split(&mut self, class: u32, group: &[(StateId, &Signature)], moved: &mut Vec<StateId>) {
        let (start, end) = self.ranges[class as usize];
        let clean = end - start - group.len();
        let stored = std::mem::take(&mut self.signatures[class as usize]);
        let mut parts: HashMap<&Signature, usize> = HashMap::new();
        // Part 0 is that of the states that are not dirty, if there are any.
        let mut sizes = Vec::new();
        let mut known: Vec<&Signature> = Vec::new();
        if clean > 0 {
            parts.insert(&stored, 0);
            known.push(&stored);
            sizes.push(clean);
        }
        let mut part_of: Vec<(usize, StateId)> = Vec::with_capacity(group.len());
        for &(state, signature) in group {
            let part = match parts.entry(signature) {
                Slot::Occupied(slot) => *slot.get(),
                Slot::Vacant(slot) => {
                    known.push(signature);
                    sizes.push(0);
                    *slot.insert(known.len() - 1)
                }
            };
            sizes[part] += 1;
            part_of.push((part, state));
        }
        let largest = (0..sizes.len()).rev().max_by_key(|&part| sizes[part]).unwrap_or(0);
        if sizes.len() > 1 {
            self.lay_out(start, part_of);
            self.number_parts(class, &sizes, largest, moved);
        }
        for (part, signature) in known.into_iter().enumerate() {
            // A state alone in its class is not looked at again, unless silent steps lead to it.
            let is_needed = sizes[part] > 1 || self.silent == Silent::Inert;
            let kept: Box<Signature> = if is_needed { signature.into() } else { Box::default() };
            if part == largest {
                self.signatures[class as usize] = kept;
            } else {
                self.signatures.push(kept);
            }
        }
    }

    /// Puts the dirty states to the front of their class, those of the last part first; so part 0
    /// lies beside the clean ones.
    fn lay_out(&mut self, start: usize, mut part_of: Vec<(usize, StateId)>) {
        for (at, &(_, state)) in (start..).zip(&part_of) {
            self.swap(at, self.positions[state.index()]);
        }
        part_of.sort_by_key(|&(part, _)| std::cmp::Reverse(part));
        for (at, &(_, state)) in (start..).zip(&part_of) {
            self.members[at] = state;
            self.positions[state.index()] = at;
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.members.swap(one, other);
        self.positions[self.members[one].index()] = one;
        self.positions[self.members[other].index()] = other;
    }

    /// Gives the parts of a class their ranges, and all but the largest a number of their own.
    fn number_parts(&mut self, class: u32, sizes: &[usize], largest: usize, moved: &mut Vec<StateId>) {
        let (_, mut end) = self.ranges[class as usize];
        for (part, &size) in sizes.iter().enumerate() {
            let range = (end - size, end);
            end -= size;
            if part == largest {
                self.ranges[class as usize] = range;
                continue;
            }
            let number = self.ranges.len() as u32;
            self.ranges.push(range);
            self.born.push((self.round, class));
            for at in range.0..range.1 {
                self.class_of[self.members[at].index()] = number;
                moved.push(self.members[at]);
            }
        }
    }
}

/// The edges backwards.
struct Predecessors {
    starts: Vec<usize>,
    edges: Vec<(StateId, LabelId)>,
}

impl Predecessors {
    fn new(lts: &Lts) -> Predecessors {
        let mut starts = vec![0; lts.state_count() + 1];
        for edge in lts.states().flat_map(|state| lts.edges(state)) {
            starts[edge.to.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![(lts.initial(), TAU); lts.edge_count()];
        for state in lts.states() {
            for edge in lts.edges(state) {
                edges[next[edge.to.index()]] = (state, edge.label);
                next[edge.to.index()] += 1;
            }
        }
        Predecessors { starts, edges }
    }

    fn range(&self, state: StateId) -> std::ops::Range<usize> {
        self.starts[state.index()]..self.starts[state.index() + 1]
    }
}
