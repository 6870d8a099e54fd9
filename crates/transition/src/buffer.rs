//! The reused buffer that successors are written to: no allocation per successor once it is warm.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::{Bounds, Candidate, Cut, ExpanderScratch, Fault, Marks, Move};

/// Appends the bytes of a state.
pub type WriteState<'a> = &'a mut dyn FnMut(&mut Vec<u8>);

/// The transitions that leave one state.
///
/// They are kept in one of two forms. Whoever computes them one by one pushes them: each has an
/// entry. Machine code writes them as *records* of one size, a header and a state, straight into
/// the memory of the buffer ([`SuccessorBuffer::set_records`]): then there are no entries, and the
/// moves come from a table that never changes.
#[derive(Default)]
pub struct SuccessorBuffer {
    states: Vec<u8>,
    records: Option<Records>,
    table: Option<Arc<[Move]>>,
    entries: Vec<Entry>,
    moves: Vec<Move>,
    faults: Vec<Fault>,
    /// What transitions contribute to acceptance, in order; empty if nobody asks.
    marks: Vec<Marks>,
    /// Who can move, if some transitions were left out.
    able: Option<Marks>,
    scratch: Scratch,
    /// For whoever executes the model.
    execution: ExpanderScratch,
    bounds: Bounds,
    cut: Option<Cut>,
    looks: u32,
    /// For a system that has another one inside: the successors there.
    inner: Option<Box<SuccessorBuffer>>,
    /// Whether paths through `atomic` sequences that meet were merged.
    is_merged: bool,
    /// Whether machine code has left the state to the interpreter.
    is_interpreted: bool,
    /// Whether the state is not to be expanded, although transitions leave it.
    is_pruned: bool,
    /// How many transitions a reduction has left out.
    left_out: usize,
    /// Moves of merged paths: they were made, but no transition ends with them.
    passed: Vec<Move>,
}

/// Memory for whoever fills the buffer, kept from one expansion to the next.
#[derive(Default)]
pub struct Scratch {
    /// For records that are replaced by others.
    pub records: Vec<u8>,
    /// For states on the way to a successor.
    pub bytes: Vec<u8>,
    /// For positions in them.
    pub marks: Vec<usize>,
    /// For the moves so far.
    pub moves: Vec<Move>,
    /// For the edges of moves.
    pub edges: Vec<u32>,
    /// For a choice among the successors.
    pub candidate: Candidate,
}

/// How many records there are, and how long each is.
#[derive(Copy, Clone, Debug)]
struct Records {
    count: usize,
    size: usize,
    /// Whether each is known to stand for a single move.
    are_single: bool,
}

impl Records {
    /// All of them, in this memory.
    #[inline(always)]
    fn all_in(self, states: &[u8]) -> impl Iterator<Item = &[u8]> {
        let mut rest = states;
        std::iter::from_fn(move || {
            let record;
            (record, rest) = rest.split_at_checked(self.size)?;
            Some(record)
        })
    }
}

/// The header of a record: which moves of the table it stands for, and a number that means
/// something to whoever wrote it. The moves of a record with the tag [`RecordHeader::OWN_MOVES`]
/// are not in the table but were added to the buffer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RecordHeader {
    /// The first move in the table.
    pub moves: u32,
    /// How many moves.
    pub length: u16,
    /// The writer's own.
    pub tag: u16,
}

impl RecordHeader {
    /// The bytes that it takes.
    pub const SIZE: usize = 8;

    /// The tag of a record that [`SuccessorBuffer::push_record`] added.
    pub const OWN_MOVES: u16 = u16::MAX - 1;

    /// As it is written: in the order of bytes of the machine.
    pub fn to_word(self) -> u64 {
        u64::from(self.moves) | u64::from(self.length) << 32 | u64::from(self.tag) << 48
    }

    /// The header at the start of a record.
    #[inline]
    pub fn of(record: &[u8]) -> RecordHeader {
        let word = record.first_chunk::<{ Self::SIZE }>().map_or(0, |word| u64::from_ne_bytes(*word));
        RecordHeader { moves: word as u32, length: (word >> 32) as u16, tag: (word >> 48) as u16 }
    }

    /// Its moves. Without a panic, so that nothing is computed if nobody looks at them.
    #[inline]
    pub fn moves_in(self, table: &[Move]) -> &[Move] {
        table.get(self.moves as usize..self.moves as usize + usize::from(self.length)).unwrap_or_default()
    }

    #[inline]
    fn moves_of<'m>(self, table: &'m [Move], own: &'m [Move]) -> &'m [Move] {
        self.moves_in(if self.tag == Self::OWN_MOVES { own } else { table })
    }
}

/// How often it is asked whether to stop for one look at the bounds.
const LOOK_INTERVAL: u32 = 16;
/// The same for a look at the clock.
const CLOCK_INTERVAL: u32 = 1024;

/// One transition that was pushed. Moves and faults end where those of the next entry begin.
#[derive(Copy, Clone, Debug)]
struct Entry {
    state: u32,
    /// The length of the state; `NO_STATE` if there is none.
    length: u32,
    moves: u32,
    faults: u32,
}

const NO_STATE: u32 = u32::MAX;

/// One transition.
#[derive(Copy, Clone, Debug)]
pub struct Successor<'a> {
    /// Where it leads; `None` if a fault ends the run.
    pub state: Option<&'a [u8]>,
    /// The moves it consists of, at least one.
    pub moves: &'a [Move],
    /// What went wrong on the way.
    pub faults: &'a [Fault],
}

impl Successor<'_> {
    /// How many of its moves were made inside an `atomic` sequence, that is, passed through without
    /// storing.
    pub fn atomic_steps(&self) -> u64 {
        self.moves.len().saturating_sub(1) as u64
    }
}

/// What leaves a state, in numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many transitions lead to a state.
    pub transitions: u64,
    /// How many moves they made inside `atomic` sequences, that is, passed through without storing.
    pub atomic_steps: u64,
    /// How many states have so many paths through `atomic` sequences that their different ends are
    /// counted instead: 1 or 0.
    pub merged_states: u64,
    /// How many states machine code has left to the interpreter: 1 or 0.
    pub interpreted_states: u64,
    /// How many transitions a reduction has left out.
    pub left_out: u64,
}

impl Tally {
    /// Adds a transition that leads to a state.
    pub fn add(&mut self, successor: &Successor<'_>) {
        self.transitions += 1;
        self.atomic_steps += successor.atomic_steps();
    }
}

impl SuccessorBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer that is filled only within bounds.
    pub fn within(bounds: Bounds) -> Self {
        SuccessorBuffer { bounds, ..Self::default() }
    }

    /// Lets `fill` use a buffer for the successors of a system inside this one, empty and with the
    /// same bounds.
    pub fn with_inner(&mut self, fill: impl FnOnce(&mut SuccessorBuffer, &mut SuccessorBuffer)) {
        let mut inner = self.inner.take().unwrap_or_else(|| Box::new(SuccessorBuffer::within(self.bounds.clone())));
        inner.clear();
        fill(&mut inner, self);
        self.cut = self.cut.or(inner.cut);
        self.is_merged |= inner.is_merged;
        self.is_interpreted |= inner.is_interpreted;
        self.is_pruned |= inner.is_pruned;
        self.left_out += inner.left_out;
        self.passed.extend_from_slice(&inner.passed);
        self.inner = Some(inner);
    }

    /// Whether the expansion must be given up. To be asked once in a while by whoever fills the
    /// buffer.
    #[inline]
    pub fn should_stop(&mut self) -> bool {
        self.should_stop_holding(0)
    }

    /// The same for somebody who holds so many bytes of memory besides.
    #[inline]
    pub fn should_stop_holding(&mut self, bytes: usize) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if self.cut.is_none() && self.looks.is_multiple_of(LOOK_INTERVAL) {
            self.cut = self.crossed_bound(bytes);
        }
        self.cut.is_some()
    }

    #[cold]
    fn crossed_bound(&self, held: usize) -> Option<Cut> {
        let Bounds { stop, deadline, max_bytes } = &self.bounds;
        if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Cut::Asked);
        }
        if max_bytes.is_some_and(|max| self.memory() + held > max) {
            return Some(Cut::Memory);
        }
        let look_at_clock = self.looks.is_multiple_of(CLOCK_INTERVAL);
        deadline.filter(|deadline| look_at_clock && Instant::now() >= *deadline).map(|_| Cut::Time)
    }

    /// Why the buffer is incomplete, if it is.
    #[inline]
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Forgets the successors, keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.cut = None;
        self.states.clear();
        self.records = None;
        self.moves.clear();
        self.marks.clear();
        self.able = None;
        self.is_merged = false;
        self.is_interpreted = false;
        self.is_pruned = false;
        self.left_out = 0;
        self.passed.clear();
        if !self.entries.is_empty() {
            self.faults.clear();
            self.entries.clear();
        }
    }

    /// Says that paths through `atomic` sequences that meet are merged, so that a transition stands
    /// for all that lead to its end.
    pub fn set_merged(&mut self) {
        self.is_merged = true;
    }

    /// Says that machine code has left the state to the interpreter.
    pub fn set_interpreted(&mut self) {
        self.is_interpreted = true;
    }

    /// Says that the state is not to be expanded: if the buffer stays empty, it is not because
    /// nothing leaves the state.
    pub fn set_pruned(&mut self) {
        self.is_pruned = true;
    }

    /// Whether nothing leaves the state: an empty buffer, and not because the state is not to be
    /// expanded.
    #[inline]
    pub fn is_terminal(&self) -> bool {
        self.is_empty() && !self.is_pruned
    }

    /// Notes a move of a path that was merged with another one: it was made, but no transition ends
    /// with it.
    pub fn push_passed(&mut self, step: Move) {
        self.passed.push(step);
    }

    /// The moves of merged paths, as if they were a transition that leads nowhere; `None` if there
    /// are none.
    pub fn passed(&self) -> Option<Successor<'_>> {
        (!self.passed.is_empty()).then_some(Successor { state: None, moves: &self.passed, faults: &[] })
    }

    /// Adds a transition. `write` appends the bytes of the state it leads to and is not called for
    /// a run that ends.
    pub fn push(&mut self, moves: &[Move], faults: &[Fault], write: Option<WriteState<'_>>) {
        let start = self.states.len();
        let has_state = write.is_some();
        if let Some(write) = write {
            write(&mut self.states);
        }
        let length = has_state.then(|| self.states.len() - start);
        self.push_entry(moves, faults, start, length);
    }

    /// Adds a transition without faults to this state.
    pub fn push_state(&mut self, moves: &[Move], state: &[u8]) {
        let start = self.states.len();
        self.states.extend_from_slice(state);
        self.push_entry(moves, &[], start, Some(state.len()));
    }

    /// Appends a record with moves of its own, these and some more, to the memory for states. It
    /// counts only once it is among those that [`SuccessorBuffer::set_records`] is told about.
    #[inline]
    pub fn push_record(&mut self, moves: &[Move], more: impl ExactSizeIterator<Item = Move>, state: &[u8]) {
        let place = self.states.len();
        self.states.extend_from_slice(&[0; RecordHeader::SIZE]);
        self.states.extend_from_slice(state);
        self.extend_record(place, moves, more);
    }

    /// Says that the record at this place stands for these moves and some more.
    #[inline]
    pub fn extend_record(&mut self, place: usize, moves: &[Move], more: impl ExactSizeIterator<Item = Move>) {
        let length = u16::try_from(moves.len() + more.len());
        let (Ok(first), Ok(length)) = (u32::try_from(self.moves.len()), length) else {
            self.cut = Some(Cut::Memory);
            return;
        };
        let header = RecordHeader { moves: first, length, tag: RecordHeader::OWN_MOVES };
        self.moves.extend_from_slice(moves);
        self.moves.extend(more);
        self.states[place..place + RecordHeader::SIZE].copy_from_slice(&header.to_word().to_ne_bytes());
    }

    fn push_entry(&mut self, moves: &[Move], faults: &[Fault], start: usize, length: Option<usize>) {
        if self.records.is_some() {
            self.records_to_entries();
        }
        let fits = |position: usize| u32::try_from(position).ok();
        let end = self.states.len().max(self.moves.len() + moves.len()).max(self.faults.len() + faults.len());
        let (Some(_), Some(state)) = (fits(end), fits(start)) else {
            // More than four gigabytes leave one state.
            self.cut = Some(Cut::Memory);
            return;
        };
        self.entries.push(Entry {
            state,
            length: length.map_or(NO_STATE, |length| length as u32),
            moves: self.moves.len() as u32,
            faults: self.faults.len() as u32,
        });
        self.moves.extend_from_slice(moves);
        if !faults.is_empty() {
            self.faults.extend_from_slice(faults);
        }
    }

    /// Gives records entries, so that more can be pushed.
    fn records_to_entries(&mut self) {
        let (Some(records), Some(table)) = (self.records.take(), self.table.clone()) else { return };
        let own = std::mem::take(&mut self.moves);
        for start in (0..records.count).map(|record| record * records.size) {
            let moves = RecordHeader::of(&self.states[start..]).moves_of(&table, &own);
            self.push_entry(moves, &[], start + RecordHeader::SIZE, Some(records.size - RecordHeader::SIZE));
        }
    }

    /// The memory for states: machine code appends records to it.
    #[inline]
    pub fn states_mut(&mut self) -> &mut Vec<u8> {
        &mut self.states
    }

    /// The memory for states.
    #[inline]
    pub fn states(&self) -> &[u8] {
        &self.states
    }

    /// Says that the memory for states consists of `count` records and nothing else, each a
    /// [`RecordHeader`] and a state, and that their moves are in `table`.
    #[inline]
    pub fn set_records(&mut self, count: usize, size: usize, table: &Arc<[Move]>) {
        debug_assert!(self.entries.is_empty() && count * size == self.states.len());
        self.records = Some(Records { count, size, are_single: false });
        if !self.table.as_ref().is_some_and(|known| Arc::ptr_eq(known, table)) {
            self.table = Some(table.clone());
        }
    }

    /// Says that each of the records stands for a single move.
    #[inline]
    pub fn set_single_moves(&mut self) {
        if let Some(records) = &mut self.records {
            records.are_single = true;
        }
    }

    /// Copies the records of `inner`, each once for every tail, which is put behind its state; says
    /// whether `inner` has the form of records. This buffer is empty.
    pub fn extend_records<const TAIL: usize>(
        &mut self,
        inner: &SuccessorBuffer,
        tails: impl ExactSizeIterator<Item = [u8; TAIL]> + Clone,
    ) -> bool {
        let (Some(Records { count, size, are_single }), Some(table)) = (inner.records, &inner.table) else {
            return false;
        };
        let (count, outer_size) = (count * tails.len(), size + TAIL);
        self.states.reserve(count * outer_size);
        for record in inner.states.chunks_exact(size) {
            for tail in tails.clone() {
                self.states.extend_from_slice(record);
                self.states.extend_from_slice(&tail);
            }
        }
        self.moves.extend_from_slice(&inner.moves);
        self.set_records(count, outer_size, table);
        if are_single {
            self.set_single_moves();
        }
        true
    }

    /// The processes that can begin a transition, those included whose transitions were left out.
    pub fn able(&self) -> Marks {
        self.able.unwrap_or_else(|| {
            let firsts = self.iter().filter_map(|successor| successor.moves.first().copied());
            firsts.fold(Marks::NONE, |able, step| {
                let partner = step.partner.map_or(Marks::NONE, |(pid, _)| Marks::of_process(pid));
                able.union(Marks::of_process(step.process)).union(partner)
            })
        })
    }

    /// Says which processes can begin a transition, where those that are written do not tell.
    pub fn set_able(&mut self, able: Marks) {
        self.able = Some(able);
    }

    /// Forgets all transitions but these, which are given in ascending order. Who could move is
    /// remembered.
    pub fn retain(&mut self, numbers: &[usize]) {
        if numbers.len() == self.len() {
            return;
        }
        self.able = Some(self.able());
        self.left_out += self.len() - numbers.len();
        match &mut self.records {
            Some(Records { count, size, .. }) => {
                for (place, number) in numbers.iter().enumerate() {
                    self.states.copy_within(number * *size..(number + 1) * *size, place * *size);
                }
                *count = numbers.len();
                self.states.truncate(*count * *size);
            }
            None => self.retain_entries(numbers),
        }
    }

    fn retain_entries(&mut self, numbers: &[usize]) {
        let (entries, moves, faults) = (&mut self.entries, &mut self.moves, &mut self.faults);
        let (old, old_moves, old_faults) = (std::mem::take(entries), std::mem::take(moves), std::mem::take(faults));
        let end =
            |number: usize, of: fn(&Entry) -> u32, all: usize| old.get(number + 1).map_or(all, |e| of(e) as usize);
        for &number in numbers {
            let entry = old[number];
            entries.push(Entry { moves: moves.len() as u32, faults: faults.len() as u32, ..entry });
            let moves_end = end(number, |entry| entry.moves, old_moves.len());
            moves.extend_from_slice(&old_moves[entry.moves as usize..moves_end]);
            let faults_end = end(number, |entry| entry.faults, old_faults.len());
            faults.extend_from_slice(&old_faults[entry.faults as usize..faults_end]);
        }
    }

    /// Says what the next transition, in order, contributes to acceptance.
    pub fn push_marks(&mut self, marks: Marks) {
        self.marks.push(marks);
    }

    /// What the transition with this number contributes to acceptance.
    pub fn marks(&self, index: usize) -> Marks {
        self.marks.get(index).copied().unwrap_or(Marks::NONE)
    }

    /// Memory for whoever fills the buffer, kept from one expansion to the next. To be given back.
    pub fn take_scratch(&mut self) -> Scratch {
        std::mem::take(&mut self.scratch)
    }

    /// Gives back what [`SuccessorBuffer::take_scratch`] lent.
    pub fn give_scratch(&mut self, scratch: Scratch) {
        self.scratch = scratch;
    }

    /// Memory for whoever executes the model, kept from one expansion to the next.
    #[inline]
    pub fn execution_scratch(&mut self) -> &mut ExpanderScratch {
        &mut self.execution
    }

    /// How many transitions there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.records.map_or(self.entries.len(), |records| records.count)
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The transition with this number, counted from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Successor<'_>> {
        (index < self.len()).then(|| self.view(index))
    }

    /// All transitions in order.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        let (table, record_size) = match (self.records, &self.table) {
            (Some(records), Some(table)) => (&table[..], records.size),
            _ => (&[][..], 0),
        };
        Iter { buffer: self, records: &self.states, table, record_size, next: 0 }
    }

    /// Calls `each` with the state of each transition that leads to one.
    #[inline]
    pub fn for_each_state(&self, mut each: impl FnMut(&[u8])) {
        match self.records {
            Some(Records { size, .. }) => {
                self.states.chunks_exact(size).for_each(|record| each(&record[RecordHeader::SIZE..]));
            }
            None => self.iter().filter_map(|successor| successor.state).for_each(each),
        }
    }

    /// The states of all transitions, if the buffer has the form of records: for loops that are
    /// compiled for certain instructions, which a closure is not.
    #[inline(always)]
    pub fn states_of_records(&self) -> Option<impl Iterator<Item = &[u8]>> {
        Some(self.records?.all_in(&self.states).map(state_of_record))
    }

    /// The bytes of each of these states.
    #[inline(always)]
    pub fn len_of_records(&self) -> usize {
        self.records.map_or(0, |records| records.size - RecordHeader::SIZE)
    }

    /// Lets `rewrite` change the state of each transition that leads to one, in place.
    #[inline]
    pub fn rewrite_states(&mut self, mut rewrite: impl FnMut(&mut [u8], &mut Scratch)) {
        let (states, scratch) = (&mut self.states, &mut self.scratch);
        if let Some(Records { size, .. }) = self.records {
            for record in states.chunks_exact_mut(size) {
                rewrite(&mut record[RecordHeader::SIZE..], scratch);
            }
            return;
        }
        for entry in self.entries.iter().filter(|entry| entry.length != NO_STATE) {
            let start = entry.state as usize;
            rewrite(&mut states[start..start + entry.length as usize], scratch);
        }
    }

    /// How many transitions lead to a state, and how many steps inside `atomic` sequences they
    /// took.
    #[inline]
    pub fn tally(&self) -> Tally {
        match self.records {
            Some(records) => {
                let steps = |record: &[u8]| u64::from(RecordHeader::of(record).length.saturating_sub(1));
                let atomic_steps = if records.are_single { 0 } else { records.all_in(&self.states).map(steps).sum() };
                Tally { transitions: records.count as u64, atomic_steps, ..self.no_tally() }
            }
            None => {
                let mut tally = self.no_tally();
                self.iter().filter(|successor| successor.state.is_some()).for_each(|successor| tally.add(&successor));
                tally
            }
        }
    }

    /// The tally of this state without any of its transitions.
    #[inline]
    pub fn no_tally(&self) -> Tally {
        let (merged_states, interpreted_states) = (u64::from(self.is_merged), u64::from(self.is_interpreted));
        Tally { merged_states, interpreted_states, left_out: self.left_out as u64, ..Tally::default() }
    }

    /// Whether something went wrong on the way to some successor.
    #[inline]
    pub fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// The bytes of memory that the buffer holds.
    pub fn memory(&self) -> usize {
        let Scratch { records, bytes, marks, moves, edges, candidate } = &self.scratch;
        self.states.capacity()
            + edges.capacity() * size_of::<u32>()
            + candidate.bytes()
            + self.execution.bytes()
            + records.capacity()
            + bytes.capacity()
            + marks.capacity() * size_of::<usize>()
            + (self.moves.capacity() + moves.capacity()) * size_of::<Move>()
            + self.marks.capacity() * size_of::<Marks>()
            + self.faults.capacity() * size_of::<Fault>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.passed.capacity() * size_of::<Move>()
            + self.inner.as_ref().map_or(0, |inner| inner.memory())
    }

    #[inline]
    fn view(&self, index: usize) -> Successor<'_> {
        match (self.records, &self.table) {
            (Some(Records { size, .. }), Some(table)) => {
                let record = &self.states[index * size..(index + 1) * size];
                let moves = RecordHeader::of(record).moves_of(table, &self.moves);
                Successor { state: Some(&record[RecordHeader::SIZE..]), moves, faults: &[] }
            }
            _ => self.view_entry(index),
        }
    }

    fn view_entry(&self, index: usize) -> Successor<'_> {
        let entry = self.entries[index];
        let (moves, faults) = match self.entries.get(index + 1) {
            Some(next) => (next.moves as usize, next.faults as usize),
            None => (self.moves.len(), self.faults.len()),
        };
        let start = entry.state as usize;
        Successor {
            state: (entry.length != NO_STATE).then(|| &self.states[start..start + entry.length as usize]),
            moves: &self.moves[entry.moves as usize..moves],
            faults: &self.faults[entry.faults as usize..faults],
        }
    }
}

#[inline(always)]
fn state_of_record(record: &[u8]) -> &[u8] {
    &record[RecordHeader::SIZE..]
}

/// Transitions in order.
pub struct Iter<'a> {
    buffer: &'a SuccessorBuffer,
    /// The records that are left, if there are records: then their size is not 0.
    records: &'a [u8],
    table: &'a [Move],
    record_size: usize,
    /// The next entry, if there are entries.
    next: usize,
}

impl<'a> Iterator for Iter<'a> {
    type Item = Successor<'a>;

    #[inline]
    fn next(&mut self) -> Option<Successor<'a>> {
        if self.record_size == 0 {
            let next = self.next;
            self.next += 1;
            return (next < self.buffer.entries.len()).then(|| self.buffer.view_entry(next));
        }
        let (record, rest) = self.records.split_at_checked(self.record_size)?;
        self.records = rest;
        let state = record.get(RecordHeader::SIZE..);
        let moves = RecordHeader::of(record).moves_of(self.table, &self.buffer.moves);
        Some(Successor { state, moves, faults: &[] })
    }
}
